//! The rows of a course: corpora and what is made from them, as numbers of words.

use super::augment::{Augmenter, Kept};
use super::words::WordRule;
use super::{CourseError, DataUsed};
use acidtest_corpus::{Examples, IdPolicy, InputFile, LoopOptions, ReadOptions, Reader, for_blocks};
use acidtest_nli::{Example, Judgment, Label};
use acidtest_threads::Threads;
use std::collections::HashMap;

/// A pair as the network sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CourseRow {
    pub premise: Vec<u32>,
    pub hypothesis: Vec<u32>,
    pub label: usize,
}

impl CourseRow {
    /// Words of both sentences.
    pub fn words(&self) -> usize {
        self.premise.len() + self.hypothesis.len()
    }
}

/// A labelled pair in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordedRow {
    pub premise: Vec<String>,
    pub hypothesis: Vec<String>,
    pub label: usize,
}

impl WordedRow {
    /// The words of an example; nothing for one without a gold label.
    pub fn of(example: &Example<'_>, rule: &WordRule) -> Option<Self> {
        let label = class(example.gold?);
        let words = |text: &str| rule.words(text).collect();
        Some(WordedRow { premise: words(&example.pair.premise.text), hypothesis: words(&example.pair.hypothesis.text), label })
    }
}

/// The class that a judgment is learnt as.
pub(crate) fn class(gold: Judgment) -> usize {
    match gold {
        Judgment::Exact(label) => label.index(),
        // Two-way sets do not say which; a pair that is only "not entailment" is mostly one that leaves the hypothesis open.
        Judgment::NotEntailment => Label::Neutral.index(),
    }
}

/// Gives words numbers as they come, and counts them.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    ids: HashMap<String, u32>,
    counts: Vec<u32>,
}

impl Interner {
    /// The row in numbers.
    pub fn row(&mut self, row: WordedRow) -> CourseRow {
        let mut numbers = |words: Vec<String>| words.into_iter().map(|word| self.id(word)).collect();
        CourseRow { premise: numbers(row.premise), hypothesis: numbers(row.hypothesis), label: row.label }
    }

    fn id(&mut self, word: String) -> u32 {
        let next = self.counts.len() as u32;
        let id = *self.ids.entry(word).or_insert(next);
        if id == next {
            self.counts.push(0);
        }
        self.counts[id as usize] += 1;
        id
    }

    /// Every word with its number and how often it came, the most frequent first, then by the alphabet: no order of rows matters.
    pub fn by_frequency(&self) -> Vec<(&str, u32, u32)> {
        let mut words: Vec<(&str, u32, u32)> = self.ids.iter().map(|(word, &id)| (word.as_str(), id, self.counts[id as usize])).collect();
        words.sort_unstable_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(b.0)));
        words
    }
}

/// How corpora are read for a course.
pub(crate) struct Gathering<'g> {
    pub options: &'g ReadOptions,
    pub rule: WordRule,
    pub threads: &'g Threads,
}

/// The rows of one block.
struct Gathered {
    rows: Vec<WordedRow>,
    unlabelled: u64,
    made: Vec<Kept>,
}

impl Gathering<'_> {
    /// Gives every labelled row of a file to `take`, in order; rows for augmentation are made on the way.
    pub fn read(
        &self,
        file: &InputFile,
        augmenter: Option<&mut Augmenter>,
        mut take: impl FnMut(WordedRow) + Send,
    ) -> Result<DataUsed, CourseError> {
        let mut used = DataUsed { path: file.name(), ..DataUsed::default() };
        let (makers, mut keep) = match augmenter {
            Some(augmenter) => augmenter.parts(),
            None => (None, None),
        };
        let counts = for_blocks(
            &mut Reader::new(vec![file.clone()], self.options.clone()),
            // Training and development files may share ids.
            LoopOptions { threads: self.threads, ids: IdPolicy::UniquePerFile },
            |examples| Ok(self.gather(examples, makers)),
            |gathered| {
                used.rows += gathered.rows.len() as u64;
                used.unlabelled += gathered.unlabelled;
                gathered.rows.into_iter().for_each(&mut take);
                if let Some(keep) = &mut keep {
                    gathered.made.into_iter().for_each(|made| keep.add(made));
                }
                Ok::<(), CourseError>(())
            },
        )?;
        used.skipped = counts.skipped;
        if let Some(read) = counts.files.first() {
            used.hash = read.hash.to_string();
        }
        if used.rows == 0 {
            return Err(CourseError::NothingLabelled { path: used.path });
        }
        Ok(used)
    }

    fn gather(&self, examples: &mut Examples<'_>, makers: Option<&super::augment::Makers>) -> Gathered {
        let mut gathered = Gathered { rows: Vec::new(), unlabelled: 0, made: Vec::new() };
        for row in examples {
            let example = row.example;
            match WordedRow::of(&example, &self.rule) {
                Some(row) => gathered.rows.push(row),
                None => {
                    gathered.unlabelled += 1;
                    continue;
                }
            }
            if let Some(makers) = makers {
                gathered.made.extend(makers.make(&example, &self.rule));
            }
        }
        gathered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_ordered_by_frequency_whatever_the_order_of_rows() {
        let row = |premise: &str| WordedRow { premise: premise.split(' ').map(String::from).collect(), hypothesis: Vec::new(), label: 0 };
        let order = |rows: &[&str]| {
            let mut interner = Interner::default();
            rows.iter().for_each(|premise| drop(interner.row(row(premise))));
            interner.by_frequency().into_iter().map(|(word, _, count)| (word.to_string(), count)).collect::<Vec<_>>()
        };
        let expected = [("b", 3), ("a", 2), ("c", 2)].map(|(word, count)| (word.to_string(), count));
        assert_eq!(order(&["a b c", "b a", "c b"]), expected);
        assert_eq!(order(&["c b", "b a", "a b c"]), expected);
    }

    #[test]
    fn not_entailment_is_learnt_as_neutral() {
        assert_eq!(class(Judgment::NotEntailment), class(Label::Neutral.into()));
    }
}
