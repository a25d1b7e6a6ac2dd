//! Everything before the first step: rows, vocabulary, word vectors.

use super::augment::Augmenter;
use super::embeddings::WordVectors;
use super::epoch::{Epochs, MixedIn};
use super::rows::{CourseRow, Gathering, Interner};
use super::words::WordRule;
use super::{CourseError, CourseRequest, CourseSettings, DataUsed};
use acidtest_neural::{Embeddings, UNKNOWN, Vocabulary};
use acidtest_nli::Seed;
use std::collections::{BTreeMap, HashSet};

/// What a course is made of.
pub(crate) struct Prepared {
    pub epochs: Epochs,
    pub dev: Vec<CourseRow>,
    pub vocabulary: Vocabulary,
    pub embeddings: Embeddings,
    pub words: WordRule,
    pub data: Vec<DataUsed>,
    /// Rows that were added, by challenge.
    pub augmented: BTreeMap<String, u64>,
    /// What tells this course from every other.
    pub identity: String,
}

/// Reads and makes everything.
pub(crate) fn prepare(request: &CourseRequest) -> Result<Prepared, CourseError> {
    let words = WordRule::of(&request.settings);
    let gathering = Gathering { options: &request.options, rule: words, threads: &request.threads };
    let mut interner = Interner::default();
    let mut data = Vec::new();
    let mut augmenter = Augmenter::new(&request.augment, request.seed)?;
    let mut rows = Vec::new();
    for file in &request.train {
        let used = gathering.read(file, Some(&mut augmenter), |row| rows.push(interner.row(row)))?;
        data.push(DataUsed { role: "train".to_string(), ..used });
    }
    let mut mixed_in = Vec::new();
    for (file, share) in &request.mix {
        let mut rows = Vec::new();
        let used = gathering.read(file, None, |row| rows.push(interner.row(row)))?;
        data.push(DataUsed { role: "mix".to_string(), share: Some(share.to_string()), ..used });
        mixed_in.push(MixedIn { rows, share: *share });
    }
    let (made, augmented) = augmenter.finish(&words, request.seed)?;
    rows.extend(made.into_iter().map(|row| interner.row(row)));
    let vectors = match &request.embeddings {
        Some(file) => {
            let wanted: HashSet<&str> = interner.by_frequency().into_iter().map(|(word, _, _)| word).collect();
            let vectors = WordVectors::read(file, &wanted, request.settings.embedding_words)?;
            let (path, hash) = (file.name(), vectors.hash.to_string());
            let kept = vectors.words.len() as u64;
            data.push(DataUsed { role: "embeddings".to_string(), path, hash, rows: kept, ..DataUsed::default() });
            vectors
        }
        None => WordVectors { dimension: request.settings.dimension, ..WordVectors::default() },
    };
    let asked = request.settings.dimension;
    if asked != vectors.dimension && asked != CourseSettings::default().dimension {
        let message = format!("{asked} will not do (the embeddings have {} numbers a word)", vectors.dimension);
        return Err(CourseError::Setting { key: "dimension".to_string(), message });
    }
    let (vocabulary, numbers) = vocabulary_of(&interner, &vectors, request.settings.least_count);
    let renumber = |row: &mut CourseRow| {
        row.premise.iter_mut().chain(&mut row.hypothesis).for_each(|word| *word = numbers[*word as usize]);
    };
    rows.iter_mut().for_each(renumber);
    mixed_in.iter_mut().flat_map(|mixed_in| &mut mixed_in.rows).for_each(renumber);
    let mut embeddings = Embeddings::random(vectors.dimension);
    for (word, vector) in vectors.iter() {
        embeddings.insert(vocabulary.id(word), vector)?;
    }
    let mut dev = Vec::new();
    for file in &request.dev {
        let known = |words: Vec<String>| words.iter().map(|word| vocabulary.id(word)).collect();
        let used = gathering.read(file, None, |row| {
            dev.push(CourseRow { premise: known(row.premise), hypothesis: known(row.hypothesis), label: row.label });
        })?;
        data.push(DataUsed { role: "dev".to_string(), ..used });
    }
    let seed = Seed::new(request.seed).child("course");
    let epochs = Epochs { rows, mixed_in, order: request.order, batch: request.settings.batch, seed };
    let identity = identity(request, &data)?;
    Ok(Prepared { epochs, dev, vocabulary, embeddings, words, data, augmented, identity })
}

/// The words that the network will know, and the new number of each number that the interner gave.
fn vocabulary_of(interner: &Interner, vectors: &WordVectors, least_count: u32) -> (Vocabulary, Vec<u32>) {
    let has_vector: HashSet<&str> = vectors.words.iter().map(String::as_str).collect();
    let seen = interner.by_frequency();
    let known = seen.iter().filter(|(word, _, count)| *count >= least_count || has_vector.contains(word));
    // Words that only the embeddings have come last, in their order there.
    let others = vectors.words.iter().cloned();
    let vocabulary = Vocabulary::new(known.map(|(word, _, _)| word.to_string()).chain(others));
    let mut numbers = vec![UNKNOWN; seen.len()];
    for (word, old, _) in &seen {
        numbers[*old as usize] = vocabulary.id(word);
    }
    (vocabulary, numbers)
}

/// A hash of everything that bears on the weights.
fn identity(request: &CourseRequest, data: &[DataUsed]) -> Result<String, CourseError> {
    let data: Vec<_> = data.iter().map(|used| (&used.role, &used.hash, used.rows, &used.share)).collect();
    let all = serde_json::json!({
        "network": request.network,
        "settings": request.settings,
        "data": data,
        "augment": request.augment,
        "order": request.order,
        "seed": request.seed,
        // The same bytes are other rows where columns or labels are read otherwise.
        "read": format!("{:?}", request.options),
        "version": request.version,
    });
    Ok(acidtest_files::ContentHash::of(serde_json::to_string(&all)?.as_bytes()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::rows::WordedRow;

    #[test]
    fn rare_words_are_known_if_they_have_a_vector_and_words_of_the_embeddings_alone_come_last() {
        let mut interner = Interner::default();
        let words = |text: &str| text.split(' ').map(String::from).collect();
        let row = interner.row(WordedRow { premise: words("the dog the zyx"), hypothesis: words("qua dog"), label: 0 });
        let vectors = WordVectors { dimension: 1, words: words("of zyx"), numbers: vec![1.0, 2.0], ..WordVectors::default() };
        let (vocabulary, numbers) = vocabulary_of(&interner, &vectors, 2);
        assert_eq!(vocabulary.words(), ["dog", "the", "zyx", "of"]);
        let premise: Vec<u32> = row.premise.iter().map(|word| numbers[*word as usize]).collect();
        assert_eq!(premise, [2, 1, 2, 3]);
        assert_eq!(numbers[row.hypothesis[0] as usize], UNKNOWN);
    }
}
