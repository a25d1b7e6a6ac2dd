//! From pairs of sentences to token ids, exactly as `transformers` makes them.

use crate::architectures::{Architecture, PairTemplate};
use crate::error::{Result, TransformerError};
use crate::folder::Folder;
use acidtest_neural::{Column, Featurizer, PairFeatures, SentenceFeatures, Sizes};
use acidtest_nli::Pair;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokenizers::{Tokenizer, TruncationDirection, TruncationParams, TruncationStrategy};

/// The column of the token ids.
pub const TOKENS: &str = "tokens";
/// The column of the type ids: 0 for the premise and 1 for the hypothesis, where the model has them.
pub const TYPES: &str = "types";
/// The fewest tokens that a model must read: the special ones and one of each sentence.
const FEWEST_TOKENS: usize = 8;
/// The files of a tokenizer, in the order in which they are preferred.
pub(crate) const TOKENIZER_FILES: [&str; 6] =
    ["tokenizer.json", "vocab.txt", "vocab.json", "merges.txt", "tokenizer_config.json", "special_tokens_map.json"];
/// Tokenizers that are not read.
pub(crate) const OTHER_TOKENIZERS: [&str; 4] = ["spm.model", "sentencepiece.bpe.model", "spiece.model", "tokenizer.model"];

/// A tokenizer with the model's limits.
pub struct Subwords {
    tokenizer: Tokenizer,
    path: PathBuf,
    /// The number of rows of the embeddings.
    vocabulary: usize,
    /// Whether the model tells premise and hypothesis apart by type ids.
    types: TypeIds,
    longest: usize,
}

/// Whether type ids are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeIds {
    /// The model has no table for them, or one row.
    Unused,
    /// The model has a table with a row for each side.
    Used,
}

impl Subwords {
    /// The tokenizer of a folder, for a model with `vocabulary` tokens and `positions` usable positions.
    pub(crate) fn open(folder: &Folder, vocabulary: usize, positions: usize, types: TypeIds) -> Result<Self> {
        let config = folder.optional_json("tokenizer_config.json")?.unwrap_or(Value::Null);
        let (path, mut tokenizer) = load(folder, &config)?;
        let inputs = config.get("model_input_names").and_then(Value::as_array);
        let types = if inputs.is_some_and(|names| !names.iter().any(|name| name == "token_type_ids")) { TypeIds::Unused } else { types };
        // Longer than any text where the limit was not set: a huge number, or a fraction.
        let stated = config.get("model_max_length").and_then(Value::as_f64).filter(|length| *length >= 1.0);
        let longest = stated.map_or(positions, |stated| if stated < positions as f64 { stated as usize } else { positions });
        if longest < FEWEST_TOKENS {
            let problem = format!("the model reads {longest} tokens (expected at least {FEWEST_TOKENS})");
            return Err(TransformerError::Config { path: folder.config_path(), problem });
        }
        let unusable = |error: tokenizers::Error| TransformerError::Tokenizer { path: path.clone(), message: error.to_string() };
        tokenizer.with_padding(None);
        let strategy = TruncationStrategy::LongestFirst;
        let truncation = TruncationParams { max_length: longest, strategy, stride: 0, direction: TruncationDirection::Right };
        tokenizer.with_truncation(Some(truncation)).map_err(unusable)?;
        let subwords = Subwords { tokenizer, path, vocabulary, types, longest };
        subwords.check()?;
        Ok(subwords)
    }

    /// Tries the tokenizer on a pair, so that an unusable one is found before anything is scored.
    fn check(&self) -> Result<()> {
        let features = self.encode("A dog barks.", "An animal makes a sound.")?;
        let SentenceFeatures { length, columns } = &*features.sentences[0];
        let wrong = |problem: &str| TransformerError::Tokenizer { path: self.path.clone(), message: problem.to_owned() };
        if *length < 4 {
            return Err(wrong("a pair of sentences has fewer than four tokens"));
        }
        match columns.first() {
            Some((_, Column::Ids(ids))) if ids.iter().all(|&id| (id as usize) < self.vocabulary) => Ok(()),
            _ => Err(wrong("it gives ids that the model does not have; is it the tokenizer of another model?")),
        }
    }

    /// The features of a pair of texts.
    pub fn encode(&self, premise: &str, hypothesis: &str) -> Result<PairFeatures> {
        let encoded = self.tokenizer.encode_fast((premise, hypothesis), true);
        let failed = |error: tokenizers::Error| TransformerError::Encoding { path: self.path.clone(), message: error.to_string() };
        let encoded = encoded.map_err(failed)?;
        let mut columns = vec![(TOKENS, Column::Ids(encoded.get_ids().to_vec()))];
        if self.types == TypeIds::Used {
            columns.push((TYPES, Column::Ids(encoded.get_type_ids().to_vec())));
        }
        let sentence = SentenceFeatures { length: encoded.len(), columns };
        Ok(PairFeatures { sentences: vec![Arc::new(sentence)], truncated: !encoded.get_overflowing().is_empty() })
    }

    /// The largest number of tokens of a pair; longer ones are truncated.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The features of a pair of token ids, with the type ids if the model reads them.
    pub fn of_ids(&self, ids: Vec<u32>, types: Vec<u32>) -> PairFeatures {
        let length = ids.len();
        let mut columns = vec![(TOKENS, Column::Ids(ids))];
        if self.types == TypeIds::Used {
            columns.push((TYPES, Column::Ids(types)));
        }
        PairFeatures { sentences: vec![Arc::new(SentenceFeatures { length, columns })], truncated: false }
    }
}

impl Featurizer for Subwords {
    fn features(&self, pair: &Pair<'_>) -> PairFeatures {
        // `check` has encoded a pair, and no text makes these models fail: unknown words have a token of their own.
        self.encode(&pair.premise.text, &pair.hypothesis.text).unwrap_or_else(|_| self.of_ids(vec![0; 4], vec![0; 4]))
    }

    fn sizes(&self) -> Sizes {
        Sizes::new([(TOKENS, self.vocabulary)])
    }

    fn settings(&self) -> Value {
        Value::Null
    }

    fn summary(&self) -> String {
        format!("{} subwords", self.tokenizer.get_vocab_size(true))
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        Vec::new()
    }
}

/// Loads the tokenizer, with the file that errors name.
fn load(folder: &Folder, config: &Value) -> Result<(PathBuf, Tokenizer)> {
    let at = |name: &str| folder.path.join(name);
    let read = |path: &Path| std::fs::read(path).map_err(|source| TransformerError::File { path: path.to_owned(), source });
    let (path, bytes) = if at("tokenizer.json").is_file() {
        (at("tokenizer.json"), read(&at("tokenizer.json"))?)
    } else if at("vocab.txt").is_file() {
        let special = Special::of(folder, config)?;
        (at("vocab.txt"), word_pieces(&read(&at("vocab.txt"))?, config, folder.architecture, &special).to_string().into_bytes())
    } else if at("vocab.json").is_file() && at("merges.txt").is_file() {
        let special = Special::of(folder, config)?;
        let merges = String::from_utf8_lossy(&read(&at("merges.txt"))?).into_owned();
        let vocabulary = crate::folder::read_json(&at("vocab.json"))?;
        (at("vocab.json"), byte_pairs(vocabulary, &merges, config, &special).to_string().into_bytes())
    } else {
        let folder = folder.path.clone();
        return Err(match OTHER_TOKENIZERS.into_iter().find(|name| folder.join(name).is_file()) {
            Some(found) => TransformerError::OtherTokenizer { folder, found },
            None => TransformerError::NoTokenizer { folder },
        });
    };
    let unusable = |error: tokenizers::Error| TransformerError::Tokenizer { path: path.clone(), message: error.to_string() };
    let tokenizer = Tokenizer::from_bytes(&bytes).map_err(unusable)?;
    Ok((path, tokenizer))
}

/// The special tokens of a folder without a tokenizer.json.
struct Special {
    start: String,
    end: String,
    unknown: String,
    /// All of them, for recognising them in texts.
    all: Vec<String>,
}

impl Special {
    fn of(folder: &Folder, config: &Value) -> Result<Self> {
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

    /// A special token with its id, as post-processors want it; an id of 0 for a missing one is found by the check of the tokenizer.
    fn with_id(&self, token: &str, vocabulary: &Map<String, Value>) -> Value {
        json!([token, vocabulary.get(token).cloned().unwrap_or_else(|| 0.into())])
    }
}

/// A WordPiece tokenizer from its vocabulary, one token per line.
fn word_pieces(vocabulary: &[u8], config: &Value, architecture: &Architecture, special: &Special) -> Value {
    let text = String::from_utf8_lossy(vocabulary);
    let vocabulary: Map<String, Value> =
        text.lines().enumerate().map(|(id, token)| (token.trim_end_matches('\r').to_owned(), id.into())).collect();
    let lower_case = config.get("do_lower_case").and_then(Value::as_bool).unwrap_or(true);
    let chinese = config.get("tokenize_chinese_chars").and_then(Value::as_bool).unwrap_or(true);
    let (start, end) = (special.with_id(&special.start, &vocabulary), special.with_id(&special.end, &vocabulary));
    let post_processor = match architecture.template {
        PairTemplate::OneSeparator => json!({"type": "BertProcessing", "cls": start, "sep": end}),
        PairTemplate::TwoSeparators => {
            json!({"type": "RobertaProcessing", "cls": start, "sep": end, "trim_offsets": true, "add_prefix_space": false})
        }
    };
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": special.added(&vocabulary),
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": chinese,
            "strip_accents": config.get("strip_accents").cloned().unwrap_or(Value::Null), "lowercase": lower_case},
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": post_processor, "decoder": null,
        "model": {"type": "WordPiece", "unk_token": special.unknown, "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    })
}

/// A byte-level BPE tokenizer from its vocabulary and merges.
fn byte_pairs(vocabulary: Value, merges: &str, config: &Value, special: &Special) -> Value {
    let vocabulary = vocabulary.as_object().cloned().unwrap_or_default();
    let merges: Vec<&str> = merges.lines().filter(|line| !line.starts_with("#version") && !line.trim().is_empty()).collect();
    let prefix_space = config.get("add_prefix_space").and_then(Value::as_bool).unwrap_or(false);
    let (start, end) = (special.with_id(&special.start, &vocabulary), special.with_id(&special.end, &vocabulary));
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": special.added(&vocabulary), "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": prefix_space, "trim_offsets": true, "use_regex": true},
        "post_processor": {"type": "RobertaProcessing", "cls": start, "sep": end, "trim_offsets": true, "add_prefix_space": prefix_space},
        "decoder": null,
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "",
            "fuse_unk": false, "vocab": vocabulary, "merges": merges},
    })
}
