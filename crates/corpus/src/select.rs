//! Parts of a corpus: samples and splits that do not depend on the order of the rows.

use acidtest_nli::{Example, Seed};
use std::collections::BTreeMap;

/// Draws a sample: the rows with the smallest random numbers, so that 100 rows are the first of 1,000.
pub struct Sampler {
    seed: Seed,
    size: usize,
    /// By random number, then id, then text; equal rows are counted.
    kept: BTreeMap<(u64, String, String), Vec<Example<'static>>>,
    count: usize,
}

impl Sampler {
    /// A sampler of this many rows.
    pub fn new(seed: u64, size: usize) -> Self {
        Sampler { seed: Seed::new(seed).child("sample"), size, kept: BTreeMap::new(), count: 0 }
    }

    /// Adds a row.
    pub fn add(&mut self, example: &Example<'_>) {
        if self.size == 0 {
            return;
        }
        let number = self.seed.child(&example.pair.id).number();
        let last = self.kept.last_key_value().map(|(key, _)| key.0);
        if self.count >= self.size && last.is_some_and(|last| number > last) {
            return;
        }
        let text = format!("{}\0{}", example.pair.premise.text, example.pair.hypothesis.text);
        self.kept.entry((number, example.pair.id.to_string(), text)).or_default().push(example.clone().into_owned());
        self.count += 1;
        if self.count > self.size
            && let Some(mut last) = self.kept.last_entry()
        {
            last.get_mut().pop();
            self.count -= 1;
            if last.get().is_empty() {
                last.remove();
            }
        }
    }

    /// Merges the rows of another sampler with the same seed and size.
    pub fn merge(&mut self, other: Sampler) {
        other.finish().iter().for_each(|example| self.add(example));
    }

    /// The sample, in the order of the random numbers.
    pub fn finish(self) -> Vec<Example<'static>> {
        self.kept.into_values().flatten().collect()
    }
}

/// The parts of a split as the user names them: `train=0.8`, `dev=1000`.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// Names and sizes; a size below or equal to 1 is a share.
    pub parts: Vec<(String, f64)>,
}

/// A split that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SplitError {
    /// Not of the form `name=size`.
    #[error("invalid part `{0}`: expected NAME=SIZE, such as train=0.8 or dev=1000")]
    NotAPart(String),
    /// Two parts with the same name.
    #[error("two parts are named `{0}`; rename one")]
    Double(String),
    /// The parts are larger than the corpus.
    #[error("the parts need {asked} examples, but there are only {there}")]
    TooLarge {
        /// The number of rows requested.
        asked: u64,
        /// The number of rows available.
        there: u64,
    },
}

impl Split {
    /// Reads the parts.
    pub fn parse<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<Self, SplitError> {
        let part = |text: &'a str| {
            let (name, size) = text.split_once('=')?;
            let size: f64 = size.parse().ok().filter(|size: &f64| size.is_finite() && *size > 0.0)?;
            let safe = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            safe.then(|| (name.to_string(), size))
        };
        let parts = parts.into_iter().map(|text| part(text).ok_or_else(|| SplitError::NotAPart(text.to_string())));
        let parts: Vec<(String, f64)> = parts.collect::<Result<_, _>>()?;
        for (n, (name, _)) in parts.iter().enumerate() {
            if parts[..n].iter().any(|(other, _)| other == name) {
                return Err(SplitError::Double(name.clone()));
            }
        }
        Ok(Split { parts })
    }
}

/// Assigns rows to parts by premise, so that no premise is in two parts.
pub struct Splitter {
    seed: Seed,
    /// The part ends before the premise with this random number.
    ends: Vec<u64>,
}

impl Splitter {
    /// The random number of a row's premise.
    pub fn number(seed: u64, example: &Example<'_>) -> u64 {
        Seed::new(seed).child("split").child(&example.pair.premise.text).number()
    }

    /// A splitter from the numbers of all rows' premises.
    pub fn new(seed: u64, split: &Split, mut numbers: Vec<u64>) -> Result<Self, SplitError> {
        numbers.sort_unstable();
        let total = numbers.len();
        let rows = |size: f64| if size <= 1.0 { (size * total as f64).round() as usize } else { size as usize };
        let asked: usize = split.parts.iter().map(|(_, size)| rows(*size)).sum();
        // Rounding of shares may request one row too many.
        if asked > total + split.parts.len() {
            return Err(SplitError::TooLarge { asked: asked as u64, there: total as u64 });
        }
        let mut ends = Vec::new();
        let mut end = 0;
        for (_, size) in &split.parts {
            end += rows(*size);
            // A premise whose rows cross the boundary goes to the earlier part.
            let last = numbers.get(end.saturating_sub(1)).or(numbers.last()).copied().unwrap_or(u64::MAX);
            ends.push(if end >= total { u64::MAX } else { last });
        }
        Ok(Splitter { seed: Seed::new(seed).child("split"), ends })
    }

    /// The index of the part of the row; `None` if it is in no part.
    pub fn part(&self, example: &Example<'_>) -> Option<usize> {
        let number = self.seed.child(&example.pair.premise.text).number();
        self.ends.iter().position(|end| number <= *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Pair;

    fn rows() -> Vec<Example<'static>> {
        let texts: Vec<(String, String)> = (0..300).map(|n| (format!("premise {}", n / 3), format!("hypothesis {n}"))).collect();
        let row = |(premise, hypothesis): &(String, String)| {
            Example { pair: Pair::plain(premise, hypothesis), ..Default::default() }.into_owned()
        };
        texts.iter().map(row).collect()
    }

    fn sample(rows: &[Example<'static>], size: usize) -> Vec<String> {
        let mut sampler = Sampler::new(1, size);
        rows.iter().for_each(|row| sampler.add(row));
        sampler.finish().into_iter().map(|row| row.pair.id.into_owned()).collect()
    }

    #[test]
    fn a_small_sample_begins_a_large_one_and_order_does_not_matter() {
        let mut rows = rows();
        let large = sample(&rows, 100);
        rows.reverse();
        assert_eq!(sample(&rows, 100), large);
        assert_eq!(sample(&rows, 10), large[..10]);
        assert_eq!(sample(&rows, 1000).len(), 300);
    }

    #[test]
    fn no_premise_is_in_two_parts() {
        let rows = rows();
        let split = Split::parse(["train=0.8", "dev=30"]).unwrap();
        let numbers = rows.iter().map(|row| Splitter::number(1, row)).collect();
        let splitter = Splitter::new(1, &split, numbers).unwrap();
        let parts: Vec<Option<usize>> = rows.iter().map(|row| splitter.part(row)).collect();
        assert!(parts.chunks(3).all(|of_one_premise| of_one_premise.iter().all(|part| *part == of_one_premise[0])));
        let size = |part| parts.iter().filter(|other| **other == part).count();
        assert_eq!((size(Some(0)), size(Some(1)), size(None)), (240, 30, 30));
    }

    #[test]
    fn parts_larger_than_the_corpus_are_refused() {
        let split = Split::parse(["dev=500"]).unwrap();
        assert_eq!(Splitter::new(1, &split, vec![1, 2, 3]).err(), Some(SplitError::TooLarge { asked: 500, there: 3 }));
        assert!(Split::parse(["dev"]).is_err());
        assert_eq!(Split::parse(["a=0.5", "a=0.5"]), Err(SplitError::Double("a".to_string())));
        assert!(Split::parse(["../x=3"]).is_err());
    }
}
