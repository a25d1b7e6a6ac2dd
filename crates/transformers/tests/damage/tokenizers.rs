//! Damage to the tokenizer.

use super::{Damage, broken_link, cut, directory, edit, harmless, refused, remove, write};
use serde_json::{Value, json};
use std::path::Path;

const TOKENIZER: &str = "tokenizer.json";
const SETTINGS: &str = "tokenizer_config.json";
const WORDS: &str = "vocab.txt";

fn whole(what: &'static str, part: &'static str, damage: impl Fn(&Path) + 'static) -> Damage {
    refused(what, "bert", (TOKENIZER, part), damage)
}

fn edited(what: &'static str, base: &'static str, part: &'static str, change: impl Fn(&mut Value) + 'static) -> Damage {
    refused(what, base, (TOKENIZER, part), move |at| edit(at, TOKENIZER, &change))
}

/// The words of the golden BERT in the place of its tokenizer.json.
fn words(at: &Path, change: impl Fn(String) -> Vec<u8>) {
    remove(at, TOKENIZER);
    let words = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/variants/vocab-txt/vocab.txt");
    write(at, WORDS, change(std::fs::read_to_string(words).unwrap()));
}

/// The vocabulary and merges of the golden RoBERTa in the place of its tokenizer.json.
fn pieces(at: &Path, vocabulary: Option<&str>, merges: Option<&[u8]>) {
    remove(at, TOKENIZER);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/variants/vocab-and-merges");
    for (name, own) in [("vocab.json", vocabulary.map(str::as_bytes)), ("merges.txt", merges)] {
        write(at, name, own.map_or_else(|| std::fs::read(folder.join(name)).unwrap(), <[u8]>::to_vec));
    }
}

pub(super) fn all() -> Vec<Damage> {
    [files(), contents(), vocabularies(), settings()].into_iter().flatten().collect()
}

fn files() -> Vec<Damage> {
    vec![
        refused("no tokenizer", "bert", ("", "no tokenizer; expected tokenizer.json"), |at| remove(at, TOKENIZER)),
        refused("a SentencePiece model only", "deberta-v3", ("", "only spm.model; convert it in Python"), |at| {
            std::fs::rename(at.join(TOKENIZER), at.join("spm.model")).unwrap();
        }),
        refused("vocab.json without merges.txt", "roberta", ("", "no tokenizer"), |at| {
            pieces(at, None, None);
            remove(at, "merges.txt");
        }),
        whole("a folder as tokenizer.json", "not a file", |at| directory(at, TOKENIZER)),
        whole("a link to no tokenizer.json", "No such file", |at| broken_link(at, TOKENIZER)),
        whole("an empty tokenizer.json", "EOF", |at| write(at, TOKENIZER, "")),
        whole("a tokenizer.json that is cut off", "EOF", |at| cut(at, TOKENIZER, |all| all / 2)),
        whole("a tokenizer.json that is not JSON", "expected", |at| write(at, TOKENIZER, "tokenizer")),
        whole("a tokenizer.json that is not UTF-8", "unicode", |at| write(at, TOKENIZER, b"{\"model\": {\"type\": \"\xff\"}}")),
        whole("a tokenizer.json that is another file", "missing field `model`", |at| write(at, TOKENIZER, "{\"a\": 1}")),
        whole("a tokenizer.json of brackets", "expected", |at| write(at, TOKENIZER, "[".repeat(100_000))),
    ]
}

fn contents() -> Vec<Damage> {
    vec![
        edited("an unknown model", "bert", "", |own| own["model"]["type"] = json!("Quantum")),
        edited("a model without a vocabulary", "bert", "", |own| drop(own["model"].as_object_mut().unwrap().remove("vocab"))),
        edited("a vocabulary of fractions", "bert", "", |own| own["model"]["vocab"]["man"] = json!(1.5)),
        edited("a token outside the embeddings", "bert", "more tokens than the model has embeddings (33)", |own| {
            own["model"]["vocab"]["zebra"] = json!(33);
        }),
        edited("ids far outside the embeddings", "bert", "has the id 4000000000", |own| {
            own["model"]["vocab"]["[UNK]"] = json!(4_000_000_000_u32);
        }),
        edited("no post-processor", "bert", "no special tokens before, between and after", |own| own["post_processor"] = Value::Null),
        edited("no post-processor of RoBERTa", "roberta", "no special tokens before, between and after", |own| {
            own["post_processor"] = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
        }),
        edited("a pair without separators", "deberta-v3", "no special tokens before, between and after", |own| {
            own["post_processor"]["pair"] = json!([{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}]);
        }),
        edited("a pair without the hypothesis", "bert", "no special tokens before, between and after", |own| {
            own["post_processor"]["pair"].as_array_mut().unwrap().remove(3);
        }),
        edited("a template with an undefined token", "bert", "uses `[SEP]`, which it does not define", |own| {
            drop(own["post_processor"]["special_tokens"].as_object_mut().unwrap().remove("[SEP]"));
        }),
        edited("a separator outside the embeddings", "bert", "has the id 99", |own| {
            own["post_processor"]["special_tokens"]["[SEP]"]["ids"] = json!([99]);
        }),
        edited("a hundred separators", "bert", "no special tokens before, between and after", |own| {
            own["post_processor"]["special_tokens"]["[SEP]"]["ids"] = json!(vec![3; 100]);
            own["post_processor"]["special_tokens"]["[SEP]"]["tokens"] = json!(vec!["[SEP]"; 100]);
        }),
        edited("segments that no model has", "bert", "segments other than 0 and 1", |own| {
            own["post_processor"]["pair"][3]["Sequence"]["type_id"] = json!(7);
        }),
        edited("an unknown token that is not known", "bert", "unknown token `[WHAT]` is not in its vocabulary", |own| {
            own["model"]["unk_token"] = json!("[WHAT]");
        }),
        edited("pieces without an unknown one", "deberta-v3", "no unknown token", |own| own["model"]["unk_id"] = Value::Null),
        edited("an unknown piece outside the pieces", "deberta-v3", "", |own| own["model"]["unk_id"] = json!(4_000)),
        edited("no pieces", "deberta-v3", "", |own| own["model"]["vocab"] = json!([])),
        edited("merges of unknown tokens", "roberta", "out of vocabulary", |own| own["model"]["merges"] = json!(["qq zz"])),
        edited("merges that are not pairs", "roberta", "", |own| own["model"]["merges"] = json!(["onlyone"])),
        edited("merges at random", "roberta", "(`dropout`)", |own| own["model"]["dropout"] = json!(0.1)),
        edited("a prefix that merges lack", "roberta", "merges lack the prefix", |own| {
            own["model"]["continuing_subword_prefix"] = json!("################")
        }),
        edited("a regular expression that is none", "deberta-v3", "", |own| {
            own["normalizer"]["normalizers"][0]["pattern"]["Regex"] = json!("(((");
        }),
        edited("a character map that is none", "deberta-v3", "character map (`precompiled_charsmap`) is cut off", |own| {
            own["normalizer"] = json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"});
        }),
        edited("a character map of 4 GB", "deberta-v3", "character map (`precompiled_charsmap`) is cut off", |own| {
            own["normalizer"] = json!({"type": "Sequence", "normalizers": [{"type": "Precompiled", "precompiled_charsmap": "/////w=="}]});
        }),
        edited("a character map that is not base64", "deberta-v3", "character map (`precompiled_charsmap`) is damaged", |own| {
            own["normalizer"] = json!({"type": "Precompiled", "precompiled_charsmap": "AAAAAA!!"});
        }),
        edited("words of no letters", "bert", "", |own| own["pre_tokenizer"] = json!({"type": "Unheard"})),
        // Both are replaced by the model's own limit and by no padding.
        harmless("huge padding and truncation of its own", "bert", |at| {
            edit(at, TOKENIZER, |own| {
                own["padding"] = json!({"strategy": {"Fixed": 1_u64 << 40}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
                    "pad_type_id": 0, "pad_token": "[PAD]"});
                own["truncation"] = json!({"direction": "Left", "max_length": 1_u64 << 60, "strategy": "OnlyFirst", "stride": 0});
            });
        }),
        harmless("truncation to nothing", "bert", |at| {
            edit(at, TOKENIZER, |own| {
                own["truncation"] = json!({"direction": "Right", "max_length": 0, "strategy": "LongestFirst", "stride": 1_u64 << 60});
            });
        }),
        // A special token that no text has.
        harmless("a special token without an embedding", "bert", |at| {
            edit(at, TOKENIZER, |own| {
                own["added_tokens"].as_array_mut().unwrap().push(json!({"id": 40, "content": "[EXTRA]", "single_word": false,
                    "lstrip": false, "rstrip": false, "normalized": false, "special": true}));
            });
        }),
    ]
}

fn vocabularies() -> Vec<Damage> {
    let of_words = |what, part, change: fn(String) -> Vec<u8>| refused(what, "bert", (WORDS, part), move |at| words(at, change));
    let of_merges = |what, part, damage: fn(&Path)| refused(what, "roberta", ("merges.txt", part), damage);
    let of_pieces = |what, part, damage: fn(&Path)| refused(what, "roberta", ("vocab.json", part), damage);
    vec![
        harmless("only vocab.txt", "bert", |at| words(at, String::into_bytes)),
        of_words("an empty vocab.txt", "it has no token `[CLS]`", |_| Vec::new()),
        of_words("a vocab.txt without special tokens", "it has no token `[CLS]`", |text| text.replace('[', "").into_bytes()),
        of_words("a vocab.txt without the unknown token", "unknown token `[UNK]`", |text| text.replace("[UNK]", "what").into_bytes()),
        of_words("a vocab.txt that is not UTF-8", "not UTF-8", |text| [text.as_bytes(), b"\xff\xfe\n"].concat()),
        of_words("a vocab.txt that is too long", "more tokens than the model has embeddings", |text| {
            format!("{text}more\nwords\n").into_bytes()
        }),
        harmless("only vocab.json and merges.txt", "roberta", |at| pieces(at, None, None)),
        of_merges("merges that are no pairs", "merges", |at| pieces(at, None, Some(b"#version: 0.2\nabc\n"))),
        of_merges("merges that are not in the vocabulary", "out of vocabulary", |at| pieces(at, None, Some(b"#version: 0.2\nqq zz\n"))),
        of_merges("merges that are not UTF-8", "it is not UTF-8", |at| pieces(at, None, Some(b"\xff \xfe\n"))),
        of_pieces("a vocab.json that is a list", "it is not an object", |at| pieces(at, Some("[]"), None)),
        of_pieces("a vocab.json without special tokens", "it has no token `<s>`", |at| pieces(at, Some("{\"a\": 0}"), Some(b""))),
        refused("a vocab.json that is cut off", "roberta", ("vocab.json", "not valid JSON"), |at| pieces(at, Some("{\"a\": 0,"), None)),
    ]
}

fn settings() -> Vec<Damage> {
    vec![
        refused("a tokenizer_config.json that is not JSON", "bert", (SETTINGS, "not valid JSON"), |at| write(at, SETTINGS, "{")),
        refused("a folder as tokenizer_config.json", "bert", (SETTINGS, "not a file"), |at| directory(at, SETTINGS)),
        refused("a length of three tokens", "bert", (SETTINGS, "`model_max_length` is 3 (expected at least 8)"), |at| {
            edit(at, SETTINGS, |own| own["model_max_length"] = json!(3));
        }),
        harmless("no tokenizer_config.json", "bert", |at| remove(at, SETTINGS)),
        // Both mean that nobody set it, so the positions decide.
        harmless("a negative length", "bert", |at| edit(at, SETTINGS, |own| own["model_max_length"] = json!(-1))),
        harmless("a length of 1e30", "bert", |at| edit(at, SETTINGS, |own| own["model_max_length"] = json!(1e30))),
    ]
}
