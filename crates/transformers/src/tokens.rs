//! From pairs of sentences to token ids, exactly as `transformers` makes them.

use crate::error::{Result, TransformerError};
use crate::folder::{Folder, file};
use crate::long::LongPremises;
use crate::outline::{caught, check_outline, check_unknown};
use crate::vocabulary::{Special, byte_pairs, tokens_and_ids, word_pieces};
use acidtest_neural::{
    BuiltFeaturizer, Column, Featurizer, FeaturizerBuilder, KnownVectors, NeuralError, PairFeatures, SentenceFeatures, Sizes,
};
use acidtest_nli::Pair;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokenizers::{Encoding, Model, PostProcessor, Tokenizer};

/// The column of the token ids.
pub const TOKENS: &str = "tokens";
/// The column of the type ids: 0 for the premise and 1 for the hypothesis, where the model has them.
pub const TYPES: &str = "types";
/// The fewest tokens that a model must read: the special ones and one of each sentence.
const FEWEST_TOKENS: usize = 8;
/// The most special tokens of a pair.
const MOST_SPECIAL: usize = 6;
/// The files of a tokenizer, in the order in which they are preferred.
pub(crate) const TOKENIZER_FILES: [&str; 6] =
    ["tokenizer.json", "vocab.txt", "vocab.json", "merges.txt", "tokenizer_config.json", "special_tokens_map.json"];
/// The file with the tokenizer's settings.
const SETTINGS_FILE: &str = "tokenizer_config.json";
/// Tokenizers that are not read.
pub(crate) const OTHER_TOKENIZERS: [&str; 4] = ["spm.model", "sentencepiece.bpe.model", "spiece.model", "tokenizer.model"];

/// A tokenizer with the model's limits.
pub struct Subwords {
    tokenizer: Tokenizer,
    pub(crate) path: PathBuf,
    /// The number of rows of the embeddings.
    vocabulary: usize,
    /// Whether the model tells premise and hypothesis apart by type ids.
    types: TypeIds,
    longest: usize,
    /// The number of special tokens around and between two texts.
    special: usize,
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
        let config = folder.optional_json(SETTINGS_FILE)?.unwrap_or(Value::Null);
        let (path, mut tokenizer) = load(folder, &config)?;
        let inputs = config.get("model_input_names").and_then(Value::as_array);
        let types = if inputs.is_some_and(|names| !names.iter().any(|name| name == "token_type_ids")) { TypeIds::Unused } else { types };
        // Longer than any text where the limit was not set: a huge number, or a fraction.
        let stated = config.get("model_max_length").and_then(Value::as_f64).filter(|length| *length >= 1.0);
        if let Some(stated) = stated.filter(|stated| *stated < FEWEST_TOKENS as f64) {
            let problem = format!("`model_max_length` is {stated} (expected at least {FEWEST_TOKENS})");
            return Err(TransformerError::Config { path: folder.path.join(SETTINGS_FILE), problem });
        }
        let longest = stated.map_or(positions, |stated| if stated < positions as f64 { stated as usize } else { positions });
        tokenizer.with_padding(None);
        let unlimited = tokenizer.with_truncation(None).map(|_| ());
        unlimited.map_err(|error| TransformerError::Tokenizer { path: path.clone(), message: error.to_string() })?;
        let special = tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(true));
        let subwords = Subwords { tokenizer, path, vocabulary, types, longest, special };
        subwords.check().map_err(|message| TransformerError::Tokenizer { path: subwords.path.clone(), message })?;
        Ok(subwords)
    }

    /// Tries the tokenizer on a pair, so that an unusable one is found before anything is scored. A pair without separators would be
    /// scored, but wrongly.
    fn check(&self) -> std::result::Result<(), String> {
        let model = self.tokenizer.get_model();
        if model.get_vocab_size() > self.vocabulary || model.id_to_token(self.vocabulary as u32).is_some() {
            let problem = "it seems to be the tokenizer of another model, with more tokens than the model has embeddings";
            return Err(format!("{problem} ({})", self.vocabulary));
        }
        let (premise, hypothesis) = (self.alone("A dog barks.")?, self.alone("An animal makes a sound.")?);
        let (first, second) = (premise.get_ids().to_vec(), hypothesis.get_ids().to_vec());
        let pair = self.joined(premise, hypothesis)?;
        let ids = pair.get_ids();
        if first.is_empty() || second.is_empty() {
            return Err("a sentence gives no tokens".to_owned());
        }
        let place = |part: &[u32], from: usize| (from..ids.len()).find(|&place| ids[place..].starts_with(part));
        let end = place(&first, 1).and_then(|start| place(&second, start + first.len() + 1)).map(|start| start + second.len());
        let whole = ids.len() == first.len() + second.len() + self.special;
        if !whole || self.special > MOST_SPECIAL || end.is_none_or(|end| end >= ids.len()) {
            return Err("it puts no special tokens before, between and after two sentences (`post_processor`)".to_owned());
        }
        if pair.get_type_ids().iter().any(|&kind| kind > 1) {
            return Err("it gives segments other than 0 and 1".to_owned());
        }
        self.checked(&pair).map(|_| ())
    }

    /// The features of a pair of texts; a long one is truncated. A token that the model has no embedding for is an error: a vocabulary may
    /// hold a few special tokens more than the model, which only matter where a text has them.
    pub fn encode(&self, premise: &str, hypothesis: &str) -> Result<PairFeatures> {
        self.encode_within(premise, hypothesis, self.longest)
    }

    /// The same with at most this many tokens.
    fn encode_within(&self, premise: &str, hypothesis: &str, longest: usize) -> Result<PairFeatures> {
        let room = longest.min(self.longest).saturating_sub(self.special);
        let parts = self.try_encode_parts(premise, hypothesis, LongPremises::Truncate, room);
        let mut parts = parts.map_err(|message| TransformerError::Encoding { path: self.path.clone(), message })?;
        Ok(parts.remove(0))
    }

    /// The features of many pairs, in order, or the error of the first that cannot be encoded.
    pub fn encode_all(&self, pairs: &[Pair<'_>]) -> Result<Vec<PairFeatures>> {
        let encode = |pair: &Pair<'_>| self.encode(&pair.premise.text, &pair.hypothesis.text);
        acidtest_threads::map(pairs, acidtest_threads::Grain::AtLeast(1), encode).into_iter().collect()
    }

    /// The tokens of a text, without special ones around it.
    pub(crate) fn alone(&self, text: &str) -> std::result::Result<Encoding, String> {
        caught(|| self.tokenizer.encode_fast(text, false))
    }

    /// The number of tokens of two texts that the model reads at most.
    pub(crate) fn room(&self) -> usize {
        self.longest.saturating_sub(self.special)
    }

    /// The features of two texts that fit.
    pub(crate) fn features_of(
        &self,
        premise: Encoding,
        hypothesis: Encoding,
        truncated: bool,
    ) -> std::result::Result<PairFeatures, String> {
        let pair = self.joined(premise, hypothesis)?;
        let columns = self.checked(&pair)?;
        let sentence = SentenceFeatures { length: pair.len(), columns };
        Ok(PairFeatures { sentences: vec![Arc::new(sentence)], truncated })
    }

    /// Two texts with the special tokens around them.
    fn joined(&self, premise: Encoding, mut hypothesis: Encoding) -> std::result::Result<Encoding, String> {
        hypothesis.set_type_ids(vec![1; hypothesis.len()]);
        caught(|| self.tokenizer.post_process(premise, Some(hypothesis), true))
    }

    /// The columns of an encoded pair.
    fn checked(&self, pair: &Encoding) -> std::result::Result<Vec<(&'static str, Column)>, String> {
        if let Some(id) = pair.get_ids().iter().find(|id| **id as usize >= self.vocabulary) {
            let token = self.tokenizer.id_to_token(*id).unwrap_or_default();
            return Err(format!("the token `{token}` has the id {id}, but the model has {} embeddings", self.vocabulary));
        }
        let mut columns = vec![(TOKENS, Column::Ids(pair.get_ids().to_vec()))];
        if self.types == TypeIds::Used {
            columns.push((TYPES, Column::Ids(pair.get_type_ids().to_vec())));
        }
        Ok(columns)
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

/// How many tokens of two texts are kept, so that both have at most `most`: the longer one is cut first. As in `transformers`, an odd one
/// is given to the text that is longer.
pub(crate) fn longest_first(first: usize, second: usize, most: usize) -> (usize, usize) {
    let (shorter, longer) = (first.min(second), first.max(second));
    let (shorter, longer) = match () {
        () if shorter + longer <= most => (shorter, longer),
        () if shorter <= most && shorter <= most - shorter => (shorter, most - shorter),
        () => (most / 2, most / 2 + most % 2),
    };
    if first > second { (longer, shorter) } else { (shorter, longer) }
}

impl Featurizer for Subwords {
    fn features(&self, pair: &Pair<'_>) -> PairFeatures {
        // Callers use `encode_all`, whose error says which token. An id that no model has makes scoring fail as well, so that nothing is
        // scored wrongly.
        self.encode(&pair.premise.text, &pair.hypothesis.text).unwrap_or_else(|_| self.of_ids(vec![u32::MAX], vec![0]))
    }

    fn try_features_of_many(&self, pairs: &[Pair<'_>]) -> acidtest_neural::Result<Vec<PairFeatures>> {
        self.encode_all(pairs).map_err(|error| NeuralError::Features(error.to_string()))
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

/// Reads training pairs with a tokenizer, which may truncate them earlier than it does once the model is trained.
pub struct SubwordsReader {
    subwords: Subwords,
    longest: usize,
}

impl SubwordsReader {
    /// Training pairs have at most `longest` tokens, or as many as the model reads if that is less.
    pub fn new(subwords: Subwords, longest: Option<usize>) -> Result<Self> {
        match longest {
            Some(length) if length < FEWEST_TOKENS => {
                Err(NeuralError::Setting { setting: "max_length", found: length.to_string(), expected: "at least 8" }.into())
            }
            _ => Ok(SubwordsReader { longest: longest.unwrap_or(subwords.longest), subwords }),
        }
    }
}

impl FeaturizerBuilder for SubwordsReader {
    fn see(&self, pair: &Pair<'_>) -> PairFeatures {
        self.subwords.features(pair)
    }

    fn see_all(&self, pairs: &[Pair<'_>]) -> acidtest_neural::Result<Vec<PairFeatures>> {
        let encode = |pair: &Pair<'_>| self.subwords.encode_within(&pair.premise.text, &pair.hypothesis.text, self.longest);
        pairs.iter().map(encode).collect::<Result<Vec<_>>>().map_err(|error| NeuralError::Features(error.to_string()))
    }

    fn finish(self: Box<Self>, _: &KnownVectors) -> acidtest_neural::Result<BuiltFeaturizer> {
        Ok(BuiltFeaturizer {
            sizes: self.subwords.sizes(),
            settings: Value::Object(serde_json::Map::new()),
            vectors: None,
            settle: Box::new(|_| {}),
            featurizer: Box::new(self.subwords),
        })
    }
}

/// Refuses a model that cannot read a pair of sentences.
pub(crate) fn check_length(folder: &Folder, longest: usize) -> Result<()> {
    if longest >= FEWEST_TOKENS {
        return Ok(());
    }
    let problem = format!("the model reads {longest} tokens (expected at least {FEWEST_TOKENS})");
    Err(TransformerError::Config { path: folder.config_path(), problem })
}

/// Loads the tokenizer, with the file that errors name.
fn load(folder: &Folder, config: &Value) -> Result<(PathBuf, Tokenizer)> {
    let at = |name: &str| file(&folder.path, name);
    let read = |path: &Path| std::fs::read(path).map_err(|source| TransformerError::File { path: path.to_owned(), source });
    let unusable = |path: &Path, message: String| TransformerError::Tokenizer { path: path.to_owned(), message };
    let (path, bytes) = if let Some(path) = at("tokenizer.json")? {
        let bytes = read(&path)?;
        (path, Ok(bytes))
    } else if let Some(path) = at("vocab.txt")? {
        let special = Special::of(folder, config)?;
        let built = word_pieces(&read(&path)?, config, folder.architecture, &special);
        (path, built.map(|built| built.to_string().into_bytes()))
    } else if let (Some(vocabulary), Some(merges)) = (at("vocab.json")?, at("merges.txt")?) {
        let special = Special::of(folder, config)?;
        let tokens = tokens_and_ids(crate::folder::read_json(&vocabulary)?, &special).map_err(|message| unusable(&vocabulary, message))?;
        let built = byte_pairs(&tokens, &read(&merges)?, config, &special);
        (merges, built.map(|built| built.to_string().into_bytes()))
    } else {
        let folder = folder.path.clone();
        return Err(match OTHER_TOKENIZERS.into_iter().find(|name| folder.join(name).exists()) {
            Some(found) => TransformerError::OtherTokenizer { folder, found },
            None => TransformerError::NoTokenizer { folder },
        });
    };
    let tokenizer = bytes.and_then(|bytes| {
        check_outline(&bytes)?;
        caught(|| Tokenizer::from_bytes(&bytes))
    });
    let tokenizer = tokenizer.and_then(|tokenizer| check_unknown(&tokenizer).map(|()| tokenizer));
    match tokenizer {
        Ok(tokenizer) => Ok((path, tokenizer)),
        Err(message) if path.ends_with("tokenizer.json") => Err(unusable(&path, message)),
        // The place is one in the tokenizer.json that was made from the file.
        Err(message) => Err(unusable(&path, message.split(" at line 1 column ").next().unwrap_or_default().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenizers::utils::truncation::truncate_encodings;
    use tokenizers::{Token, TruncationParams};

    #[test]
    fn texts_are_cut_as_the_tokenizers_crate_cuts_them() {
        let text = |length: usize| Encoding::from_tokens(vec![Token::new(1, "a".to_owned(), (0, 1)); length], 0);
        for (first, second, most) in (0..14 * 14 * 14).map(|number| (number % 14, number / 14 % 14, number / 196)) {
            let limit = TruncationParams { max_length: most, stride: 0, ..TruncationParams::default() };
            let (premise, hypothesis) = truncate_encodings(text(first), Some(text(second)), &limit).unwrap();
            let expected = (premise.len(), hypothesis.map_or(0, |hypothesis| hypothesis.len()));
            assert_eq!(longest_first(first, second, most), expected, "{first} and {second} to {most}");
        }
    }
}
