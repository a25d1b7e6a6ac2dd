//! Sentences as sequences of word ids.
//!
//! The text is tokenised by the Penn conventions. The leaves of a parse are not used, so a sentence has the same words with or without
//! one.

use crate::column::Column;
use crate::embeddings::{Embeddings, KnownVectors, VectorsWanted};
use crate::error::{NeuralError, Result};
use crate::features::{BuiltFeaturizer, Featurizer, FeaturizerBuilder, FeaturizerEntry, PairFeatures, SentenceFeatures};
use crate::sizes::Sizes;
use crate::vocabulary::{UNKNOWN, Vocabulary};
use acidtest_lingua::reach::{is_within_reach, within_reach};
use acidtest_lingua::tokens::tokenize;
use acidtest_nli::Pair;
use acidtest_threads::{Grain, map};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The column of word ids, and the name of the vocabulary size.
pub const WORDS: &str = "words";
/// The name of the embedding dimension.
pub const DIMENSION: &str = "dimension";
/// The name of the vocabulary file.
pub const VOCABULARY_FILE: &str = "vocabulary.txt";

/// The entry of this featurizer.
pub const ENTRY: FeaturizerEntry = FeaturizerEntry {
    name: "words",
    settings: |settings| Ok(serde_json::to_value(WordSettings::read(settings)?)?),
    builder: |settings| Ok(Box::new(WordFeaturizerBuilder { settings: WordSettings::read(settings)?, seen: Mutex::default() })),
    open: |settings, files| {
        let settings = serde_json::from_value(settings.clone())?;
        let vocabulary = Vocabulary::from_text(&files.read_text(VOCABULARY_FILE)?, &files.path(VOCABULARY_FILE))?;
        Ok(Box::new(WordFeaturizer { reading: settings, vocabulary }))
    },
};

/// How letter case is normalised before look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LetterCase {
    /// Lowercase, as in GloVe's smaller files.
    Lower,
    /// Unchanged.
    Kept,
}

/// The settings of the word featurizer in training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WordSettings {
    /// The maximum number of words per sentence; longer sentences are truncated. 0 for no limit.
    pub max_length: usize,
    /// How letter case is normalised before look-up.
    pub case: LetterCase,
    /// The minimum number of occurrences in the training examples for a word without a pretrained vector.
    pub min_count: u32,
    /// The number of words at the start of the embeddings file that are added to the vocabulary even if the training examples do not have
    /// them.
    pub embedding_words: usize,
    /// The embedding dimension if no embeddings are given.
    pub embedding_dimension: usize,
}

impl Default for WordSettings {
    fn default() -> Self {
        WordSettings { max_length: 100, case: LetterCase::Lower, min_count: 2, embedding_words: 20_000, embedding_dimension: 100 }
    }
}

impl WordSettings {
    fn read(settings: &Value) -> Result<Self> {
        let settings: WordSettings = serde_json::from_value(settings.clone())?;
        crate::networks::check_size("embedding_dimension", settings.embedding_dimension)?;
        Ok(settings)
    }

    fn reading(&self) -> Reading {
        Reading { case: self.case, max_length: self.max_length }
    }
}

/// How a sentence is split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    case: LetterCase,
    /// The maximum number of words; 0 for no limit. Folders of earlier versions call it `most_words`.
    #[serde(alias = "most_words")]
    max_length: usize,
}

impl Reading {
    /// The features of a sentence, and whether it was truncated.
    fn sentence(&self, text: &str, mut id: impl FnMut(&str) -> u32) -> (SentenceFeatures, bool) {
        let most = if self.max_length == 0 { usize::MAX } else { self.max_length };
        let whole = is_within_reach(text);
        let text = within_reach(text);
        let tokens = tokenize(text);
        let ids: Vec<u32> = tokens.iter().take(most).map(|token| id(&spelt(token.text(text), self.case))).collect();
        (SentenceFeatures { length: ids.len(), columns: vec![(WORDS, Column::Ids(ids))] }, !whole || tokens.len() > most)
    }

    fn pair(&self, pair: &Pair<'_>, mut id: impl FnMut(&str) -> u32) -> PairFeatures {
        let (premise, premise_cut) = self.sentence(&pair.premise.text, &mut id);
        let (hypothesis, hypothesis_cut) = self.sentence(&pair.hypothesis.text, &mut id);
        PairFeatures { sentences: vec![Arc::new(premise), Arc::new(hypothesis)], truncated: premise_cut || hypothesis_cut }
    }
}

/// Normalises quotes and letter case.
fn spelt(word: &str, case: LetterCase) -> Cow<'_, str> {
    if word.is_ascii() {
        let plain = case == LetterCase::Kept || !word.bytes().any(|byte| byte.is_ascii_uppercase());
        return if plain { Cow::Borrowed(word) } else { Cow::Owned(word.to_ascii_lowercase()) };
    }
    let word = word.replace(['\u{2018}', '\u{2019}'], "'").replace(['\u{201c}', '\u{201d}'], "\"");
    Cow::Owned(match case {
        LetterCase::Lower => word.to_lowercase(),
        LetterCase::Kept => word,
    })
}

/// The features of a pair given as word ids.
pub fn pair_of_ids(premise: &[u32], hypothesis: &[u32]) -> PairFeatures {
    let sentence = |ids: &[u32]| SentenceFeatures { length: ids.len(), columns: vec![(WORDS, Column::Ids(ids.to_vec()))] };
    PairFeatures { sentences: vec![Arc::new(sentence(premise)), Arc::new(sentence(hypothesis))], truncated: false }
}

struct WordFeaturizer {
    reading: Reading,
    vocabulary: Vocabulary,
}

impl Featurizer for WordFeaturizer {
    fn features(&self, pair: &Pair<'_>) -> PairFeatures {
        self.reading.pair(pair, |word| self.vocabulary.id(word))
    }

    fn features_of_many(&self, pairs: &[Pair<'_>]) -> Vec<PairFeatures> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut texts: Vec<&str> = Vec::new();
        let mut place = |text| {
            *places.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            })
        };
        let wanted: Vec<[usize; 2]> = pairs.iter().map(|pair| [place(&pair.premise.text), place(&pair.hypothesis.text)]).collect();
        let read = |text: &&str| {
            let (sentence, truncated) = self.reading.sentence(text, |word| self.vocabulary.id(word));
            (Arc::new(sentence), truncated)
        };
        let sentences: Vec<(Arc<SentenceFeatures>, bool)> = map(&texts, Grain::AtLeast(1), read);
        let pair = |both: [usize; 2]| PairFeatures {
            sentences: both.iter().map(|&place| Arc::clone(&sentences[place].0)).collect(),
            truncated: both.iter().any(|&place| sentences[place].1),
        };
        wanted.into_iter().map(pair).collect()
    }

    fn sizes(&self) -> Sizes {
        Sizes::new([(WORDS, self.vocabulary.size())])
    }

    fn settings(&self) -> Value {
        serde_json::json!(self.reading)
    }

    fn summary(&self) -> String {
        format!("{} words", self.vocabulary.size())
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![(VOCABULARY_FILE, self.vocabulary.to_text().into_bytes())]
    }
}

struct WordFeaturizerBuilder {
    settings: WordSettings,
    seen: Mutex<SeenWords>,
}

/// The words of the training pairs, numbered by first occurrence, with their frequencies.
#[derive(Debug, Default)]
struct SeenWords {
    ids: HashMap<String, u32>,
    counts: Vec<u32>,
}

impl SeenWords {
    fn id(&mut self, word: &str) -> u32 {
        let id = match self.ids.get(word) {
            Some(&id) => id,
            None => {
                let next = self.counts.len() as u32;
                self.ids.insert(word.to_owned(), next);
                self.counts.push(0);
                next
            }
        };
        self.counts[id as usize] += 1;
        id
    }

    /// Each word with its number and frequency, by descending frequency and then alphabetically, so that the order of examples does not
    /// matter.
    fn by_frequency(&self) -> Vec<(&str, u32, u32)> {
        let mut words: Vec<(&str, u32, u32)> = self.ids.iter().map(|(word, &id)| (word.as_str(), id, self.counts[id as usize])).collect();
        words.sort_unstable_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(b.0)));
        words
    }

    /// The vocabulary of the network, and the final id of each provisional one.
    fn vocabulary(&self, vectors: &KnownVectors, min_count: u32) -> (Vocabulary, Vec<u32>) {
        let has_vector: HashSet<&str> = vectors.words.iter().map(String::as_str).collect();
        let seen = self.by_frequency();
        let known = seen.iter().filter(|(word, _, count)| *count >= min_count || has_vector.contains(word));
        // Words that are only in the embeddings come last, in file order.
        let others = vectors.words.iter().cloned();
        let vocabulary = Vocabulary::new(known.map(|(word, _, _)| word.to_string()).chain(others));
        let mut numbers = vec![UNKNOWN; seen.len()];
        for (word, old, _) in &seen {
            numbers[*old as usize] = vocabulary.id(word);
        }
        (vocabulary, numbers)
    }
}

impl FeaturizerBuilder for WordFeaturizerBuilder {
    fn see(&self, pair: &Pair<'_>) -> PairFeatures {
        // Tokenise before taking the lock.
        let mut words: Vec<String> = Vec::new();
        let mut features = self.settings.reading().pair(pair, |word| {
            words.push(word.to_owned());
            words.len() as u32 - 1
        });
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        each_id(&mut features, |id| *id = seen.id(&words[*id as usize]));
        features
    }

    fn wanted_vectors(&self) -> Option<VectorsWanted> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        Some(VectorsWanted { words: seen.ids.keys().cloned().collect(), first: self.settings.embedding_words })
    }

    fn finish(self: Box<Self>, vectors: &KnownVectors) -> Result<BuiltFeaturizer> {
        let seen = self.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        let asked = self.settings.embedding_dimension;
        let dimension = if vectors.dimension > 0 { vectors.dimension } else { asked };
        if asked != dimension && asked != WordSettings::default().embedding_dimension {
            return Err(NeuralError::Dimension { found: asked, vectors: dimension });
        }
        let (vocabulary, numbers) = seen.vocabulary(vectors, self.settings.min_count);
        let mut embeddings = Embeddings::random(dimension);
        for (word, vector) in vectors.iter() {
            embeddings.insert(vocabulary.id(word), vector)?;
        }
        let sizes = Sizes::new([(WORDS, vocabulary.size()), (DIMENSION, dimension)]);
        Ok(BuiltFeaturizer {
            featurizer: Box::new(WordFeaturizer { reading: self.settings.reading(), vocabulary }),
            sizes,
            settings: serde_json::to_value(WordSettings { embedding_dimension: dimension, ..self.settings })?,
            vectors: Some(embeddings),
            settle: Box::new(move |features| each_id(features, |id| *id = numbers[*id as usize])),
        })
    }
}

/// Applies a change to each word id.
fn each_id(features: &mut PairFeatures, mut change: impl FnMut(&mut u32)) {
    for sentence in &mut features.sentences {
        for (_, column) in &mut Arc::make_mut(sentence).columns {
            if let Column::Ids(ids) = column {
                ids.iter_mut().for_each(&mut change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::ModelFiles;

    fn check(case: LetterCase, max_length: usize, text: &str, expected: &[&str], truncated: bool) {
        let mut words = Vec::new();
        let (sentence, cut) = Reading { case, max_length }.sentence(text, |word| {
            words.push(word.to_owned());
            7
        });
        assert_eq!((words, cut), (expected.iter().map(|word| word.to_string()).collect(), truncated));
        assert_eq!(sentence.length, expected.len());
    }

    #[test]
    fn words_are_tokenised_normalised_and_counted() {
        check(LetterCase::Lower, 0, "She can\u{2019}t go.", &["she", "ca", "n't", "go", "."], false);
        check(LetterCase::Lower, 0, "\u{c9}T\u{c9} \u{201c}Yes\u{201d}", &["\u{e9}t\u{e9}", "\"", "yes", "\""], false);
        check(LetterCase::Kept, 2, "She can't go.", &["She", "ca"], true);
        check(LetterCase::Kept, 5, "She can't go.", &["She", "ca", "n't", "go", "."], false);
        check(LetterCase::Lower, 0, "", &[], false);
    }

    fn built(pairs: &[(&str, &str)], vectors: &KnownVectors) -> (BuiltFeaturizer, Vec<PairFeatures>) {
        let builder = (ENTRY.builder)(&serde_json::json!({"embedding_dimension": vectors.dimension.max(1)})).unwrap();
        let mut seen: Vec<PairFeatures> =
            pairs.iter().map(|(premise, hypothesis)| builder.see(&Pair::plain(premise, hypothesis))).collect();
        let built = builder.finish(vectors).unwrap();
        seen.iter_mut().for_each(|features| (built.settle)(features));
        (built, seen)
    }

    #[test]
    fn rare_words_with_a_vector_are_kept_and_words_only_in_the_embeddings_come_last() {
        let vectors = KnownVectors { dimension: 1, words: vec!["of".into(), "zyx".into()], numbers: vec![1.0, 2.0] };
        let (built, seen) = built(&[("the dog the zyx", "qua dog")], &vectors);
        assert_eq!(built.featurizer.files()[0].1, b"dog\nthe\nzyx\nof\n");
        assert_eq!(seen[0].sentences[0].columns[0].1, Column::Ids(vec![2, 1, 2, 3]));
        assert_eq!(seen[0].sentences[1].columns[0].1, Column::Ids(vec![UNKNOWN, 1]));
        assert_eq!(built.sizes, Sizes::new([(WORDS, 5), (DIMENSION, 1)]));
        assert_eq!(built.featurizer.summary(), "5 words");
    }

    #[test]
    fn settled_features_equal_the_final_ones() {
        let pairs = [("A dog barks.", "A dog sleeps."), ("A dog barks.", "No dog barks."), ("It rains.", "A dog barks.")];
        let (built, seen) = built(&pairs, &KnownVectors::default());
        let pairs: Vec<Pair<'_>> = pairs.iter().map(|(premise, hypothesis)| Pair::plain(premise, hypothesis)).collect();
        let alone: Vec<PairFeatures> = pairs.iter().map(|pair| built.featurizer.features(pair)).collect();
        assert_eq!(seen, alone);
        let many = built.featurizer.features_of_many(&pairs);
        assert_eq!(many, alone);
        assert!(Arc::ptr_eq(&many[0].sentences[0], &many[2].sentences[1]), "one sentence, read once");
    }

    #[test]
    fn the_order_of_examples_does_not_matter() {
        let text = |pairs: &[(&str, &str)]| built(pairs, &KnownVectors::default()).0.featurizer.files();
        assert_eq!(text(&[("a b c", "b a"), ("c b", "d d")]), text(&[("c b", "d d"), ("a b c", "b a")]));
    }

    #[test]
    fn a_saved_featurizer_can_be_loaded() {
        let (built, seen) = built(&[("a b", "b a")], &KnownVectors::default());
        let files = built.featurizer.files();
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        let opened = (ENTRY.open)(&built.featurizer.settings(), &ModelFiles::Embedded("m".as_ref(), &files)).unwrap();
        assert_eq!(opened.features(&Pair::plain("a b", "b a")), seen[0]);
        let refused = (ENTRY.open)(&built.featurizer.settings(), &ModelFiles::Embedded("m".as_ref(), &[])).err().unwrap();
        assert!(refused.to_string().starts_with("m/vocabulary.txt: "), "{refused}");
    }

    #[test]
    fn recorded_settings_have_the_dimension_of_the_vectors() {
        let builder = (ENTRY.builder)(&serde_json::json!({"case": "kept"})).unwrap();
        let vectors = KnownVectors { dimension: 2, words: vec!["a".into()], numbers: vec![1.0, 2.0] };
        let settings = builder.finish(&vectors).unwrap().settings;
        assert_eq!((&settings["embedding_dimension"], &settings["case"]), (&2.into(), &"kept".into()));
    }

    #[test]
    fn a_dimension_other_than_that_of_the_vectors_is_refused() {
        let builder = (ENTRY.builder)(&serde_json::json!({"embedding_dimension": 7})).unwrap();
        let vectors = KnownVectors { dimension: 2, words: vec!["a".into()], numbers: vec![1.0, 2.0] };
        let refused = builder.finish(&vectors).err().unwrap().to_string();
        assert_eq!(refused, "setting `embedding_dimension`: invalid value 7: the embeddings have 2 numbers per word");
    }
}
