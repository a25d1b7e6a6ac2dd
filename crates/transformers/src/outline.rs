//! Checks of tokenizer.json that the tokenizers crate does not make.

use serde::Deserialize;
use serde_json::Value;
use tokenizers::normalizers::precompiled::Precompiled;
use tokenizers::{Model, ModelWrapper, Tokenizer};

/// The parts of a tokenizer's file that are checked before the tokenizer is built.
#[derive(Deserialize)]
struct Outline {
    model: ModelOutline,
    /// Not used here, but an unusable one would make the crate panic.
    #[serde(default, rename = "decoder")]
    _decoder: Value,
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    post_processor: Value,
}

#[derive(Deserialize)]
struct ModelOutline {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    unk_id: Value,
    dropout: Option<f64>,
    continuing_subword_prefix: Option<String>,
}

/// The merges of a BPE model, as one string or two.
#[derive(Deserialize)]
struct MergesOutline {
    model: Merges,
}

#[derive(Deserialize)]
struct Merges {
    merges: Vec<Merge>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Merge {
    Joined(String),
    Two([String; 2]),
}

/// Refuses files that the tokenizers crate accepts, but would panic on, fail on for a rare text, or encode at random.
pub(crate) fn check_outline(bytes: &[u8]) -> std::result::Result<(), String> {
    let outline: Outline = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if outline.model.kind == "Unigram" && !outline.model.unk_id.is_u64() {
        return Err("it has no unknown token (`unk_id`)".to_owned());
    }
    if outline.model.dropout.is_some_and(|rate| rate != 0.0) {
        return Err("it omits merges at random (`dropout`)".to_owned());
    }
    let prefix = outline.model.continuing_subword_prefix.unwrap_or_default();
    if outline.model.kind == "BPE" && !prefix.is_empty() {
        let merges: MergesOutline = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let second = |merge: &Merge| match merge {
            Merge::Joined(both) => both.split(' ').nth(1).is_some_and(|second| second.starts_with(&prefix)),
            Merge::Two([_, second]) => second.starts_with(&prefix),
        };
        if !merges.model.merges.iter().all(second) {
            return Err(format!("its merges lack the prefix `{prefix}`"));
        }
    }
    check_character_maps(&outline.normalizer)?;
    match undefined_special(&outline.post_processor) {
        Some(name) => Err(format!("its post-processor uses `{name}`, which it does not define")),
        None => Ok(()),
    }
}

/// Refuses SentencePiece character maps that are damaged, or that state too great a length, because that much memory would be allocated.
fn check_character_maps(normalizer: &Value) -> std::result::Result<(), String> {
    let parts = normalizer.get("normalizers").and_then(Value::as_array);
    parts.into_iter().flatten().try_for_each(check_character_maps)?;
    let Some(map) = normalizer.get("precompiled_charsmap") else { return Ok(()) };
    let map = map.as_str().unwrap_or_default();
    if first_number(map).is_none_or(|length| length as usize > map.len()) {
        return Err("its character map (`precompiled_charsmap`) is cut off".to_owned());
    }
    let text = normalizer.to_string();
    let read = serde_json::from_str::<Precompiled>(&text);
    read.map(|_| ()).map_err(|error| format!("its character map (`precompiled_charsmap`) is damaged: {error}"))
}

/// The first four bytes of a text in base64, as a number.
fn first_number(text: &str) -> Option<u32> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Option<Vec<u32>> = text.chars().take(6).map(|digit| DIGITS.find(digit).map(|place| place as u32)).collect();
    let [first, second, third, fourth, fifth, sixth] = digits?.try_into().ok()?;
    Some((first << 26 | second << 20 | third << 14 | fourth << 8 | fifth << 2 | sixth >> 4).swap_bytes())
}

/// A special token that a template uses and does not define.
fn undefined_special(processor: &Value) -> Option<String> {
    let parts = |key: &str| processor.get(key).and_then(Value::as_array).into_iter().flatten();
    let defined = |name: &str| processor.get("special_tokens").is_some_and(|tokens| tokens.get(name).is_some());
    let used = parts("single").chain(parts("pair")).filter_map(|piece| piece.get("SpecialToken")?.get("id")?.as_str());
    let found = used.into_iter().find(|name| !defined(name)).map(str::to_owned);
    found.or_else(|| parts("processors").find_map(undefined_special))
}

/// Refuses a model that fails at the first text with an unknown word.
pub(crate) fn check_unknown(tokenizer: &Tokenizer) -> std::result::Result<(), String> {
    let model = tokenizer.get_model();
    let unknown = match model {
        ModelWrapper::WordPiece(model) => Some(&model.unk_token),
        ModelWrapper::WordLevel(model) => Some(&model.unk_token),
        ModelWrapper::BPE(model) => model.unk_token.as_ref(),
        ModelWrapper::Unigram(_) => None,
    };
    match unknown.filter(|unknown| model.token_to_id(unknown).is_none()) {
        Some(unknown) => Err(format!("its unknown token `{unknown}` is not in its vocabulary")),
        None => Ok(()),
    }
}

/// What the tokenizers crate returns; a panic in it is an error as well.
pub(crate) fn caught<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> std::result::Result<T, String> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("the tokenizers library panicked".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_character_map_is_its_first_number() {
        assert_eq!(first_number("ALQCAIQA"), Some(0x0002_b400)); // That of XLM-R and DeBERTa.
        assert_eq!(first_number("/////w=="), Some(u32::MAX));
        assert_eq!(first_number("AAA"), None);
    }
}
