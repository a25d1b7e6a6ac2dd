//! Tokenizers from the files of a vocabulary, for folders without a tokenizer.json.

use crate::architectures::{Architecture, PairTemplate};
use crate::error::Result;
use crate::folder::Folder;
use serde_json::{Map, Value, json};

/// A result whose error says what is wrong with the file.
type Described<T> = std::result::Result<T, String>;

/// The special tokens of a folder without a tokenizer.json.
pub(crate) struct Special {
    start: String,
    end: String,
    unknown: String,
    /// All of them, for recognising them in texts.
    all: Vec<String>,
}

impl Special {
    pub(crate) fn of(folder: &Folder, config: &Value) -> Result<Self> {
        let map = folder.optional_json("special_tokens_map.json")?.unwrap_or(Value::Null);
        let token = |key: &str| {
            let found = map.get(key).or_else(|| config.get(key))?;
            found.as_str().or_else(|| found.get("content")?.as_str()).map(str::to_owned)
        };
        let defaults = match folder.architecture.template {
            PairTemplate::OneSeparator => ["[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"],
            PairTemplate::TwoSeparators => ["<s>", "</s>", "<unk>", "<pad>", "<mask>"],
        };
        let keys = ["cls_token", "sep_token", "unk_token", "pad_token", "mask_token"];
        let all: Vec<String> = keys.iter().zip(defaults).map(|(key, default)| token(key).unwrap_or_else(|| default.to_owned())).collect();
        Ok(Special { start: all[0].clone(), end: all[1].clone(), unknown: all[2].clone(), all })
    }

    /// The entries of `added_tokens`, for those that the vocabulary has.
    fn added(&self, vocabulary: &Map<String, Value>) -> Vec<Value> {
        let entry = |token: &String| {
            let id = vocabulary.get(token)?;
            Some(
                json!({"id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}),
            )
        };
        self.all.iter().filter_map(entry).collect()
    }

    /// The tokens at the start and at the end, with their ids, as post-processors want them.
    fn ends(&self, vocabulary: &Map<String, Value>) -> Described<(Value, Value)> {
        let with_id = |token: &str| match vocabulary.get(token) {
            Some(id) => Ok(json!([token, id])),
            None => Err(format!("it has no token `{token}`")),
        };
        Ok((with_id(&self.start)?, with_id(&self.end)?))
    }
}

/// A WordPiece tokenizer from its vocabulary, one token per line.
pub(crate) fn word_pieces(vocabulary: &[u8], config: &Value, architecture: &Architecture, special: &Special) -> Described<Value> {
    let text = std::str::from_utf8(vocabulary).map_err(|_| "it is not UTF-8 text")?;
    let vocabulary: Map<String, Value> =
        text.lines().enumerate().map(|(id, token)| (token.trim_end_matches('\r').to_owned(), id.into())).collect();
    let lower_case = config.get("do_lower_case").and_then(Value::as_bool).unwrap_or(true);
    let chinese = config.get("tokenize_chinese_chars").and_then(Value::as_bool).unwrap_or(true);
    let (start, end) = special.ends(&vocabulary)?;
    let post_processor = match architecture.template {
        PairTemplate::OneSeparator => json!({"type": "BertProcessing", "cls": start, "sep": end}),
        PairTemplate::TwoSeparators => {
            json!({"type": "RobertaProcessing", "cls": start, "sep": end, "trim_offsets": true, "add_prefix_space": false})
        }
    };
    Ok(json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": special.added(&vocabulary),
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": chinese,
            "strip_accents": config.get("strip_accents").cloned().unwrap_or(Value::Null), "lowercase": lower_case},
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": post_processor, "decoder": null,
        "model": {"type": "WordPiece", "unk_token": special.unknown, "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    }))
}

/// The tokens of a vocab.json that has these special ones.
pub(crate) fn tokens_and_ids(vocabulary: Value, special: &Special) -> Described<Map<String, Value>> {
    let Value::Object(vocabulary) = vocabulary else { return Err("it is not an object of tokens and ids".to_owned()) };
    special.ends(&vocabulary)?;
    Ok(vocabulary)
}

/// A byte-level BPE tokenizer from its vocabulary and merges.
pub(crate) fn byte_pairs(vocabulary: &Map<String, Value>, merges: &[u8], config: &Value, special: &Special) -> Described<Value> {
    let merges = std::str::from_utf8(merges).map_err(|_| "it is not UTF-8 text")?;
    let merges: Vec<&str> = merges.lines().filter(|line| !line.starts_with("#version") && !line.trim().is_empty()).collect();
    let prefix_space = config.get("add_prefix_space").and_then(Value::as_bool).unwrap_or(false);
    let (start, end) = special.ends(vocabulary)?;
    Ok(json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": special.added(vocabulary), "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": prefix_space, "trim_offsets": true, "use_regex": true},
        "post_processor": {"type": "RobertaProcessing", "cls": start, "sep": end, "trim_offsets": true, "add_prefix_space": prefix_space},
        "decoder": null,
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "",
            "fuse_unk": false, "vocab": vocabulary, "merges": merges},
    }))
}
