//! Challenges that generate their examples.

use acidtest_nli::Example;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::{AddAssign, ControlFlow};

/// A way to make examples without a corpus.
///
/// The examples come in parts, each with random numbers of its own, so that parts can be made in any order and on any thread.
pub trait Generate: Send + Sync {
    /// How many parts there are.
    fn parts(&self) -> usize;

    /// The most examples that a part has; `None` where it may have any number.
    fn most_in_part(&self) -> Option<usize>;

    /// Gives the examples of one part to `take`, in order, with the ids they have in the whole, until it breaks off.
    fn run_part(&self, part: usize, take: &mut dyn FnMut(&dyn GeneratedExample) -> ControlFlow<()>) -> GenerationCounts;

    /// What the set is called in sentences, where that is not the name of the challenge.
    fn title(&self) -> Option<String> {
        None
    }

    /// The name of the corpus format that [`GeneratedExample::write_text`] writes, for a challenge that was published in one of its own.
    fn text_format(&self) -> Option<&'static str> {
        None
    }

    /// The groups of examples that it can make, with the size of each; none where it cannot tell.
    fn inventory(&self) -> Vec<GroupSize> {
        Vec::new()
    }

    /// What is known about a set that was generated, for the file beside it.
    fn describe(&self, counts: &GenerationCounts) -> Map<String, Value> {
        counts.describe()
    }

    /// What came of generating, in one line.
    fn summary(&self, counts: &GenerationCounts) -> String {
        format!("{} pairs{}", counts.examples, counts.draws_summary())
    }
}

impl dyn Generate + '_ {
    /// Gives every example to `take`, in order; stops at its first error.
    pub fn run<E>(&self, mut take: impl FnMut(&dyn GeneratedExample) -> Result<(), E>) -> Result<GenerationCounts, E> {
        let mut counts = GenerationCounts::default();
        for part in 0..self.parts() {
            counts += self.try_part(part, &mut take)?;
        }
        Ok(counts)
    }

    /// Gives the examples of one part to `take`, in order; stops at its first error.
    pub fn try_part<E>(&self, part: usize, mut take: impl FnMut(&dyn GeneratedExample) -> Result<(), E>) -> Result<GenerationCounts, E> {
        let mut failed = None;
        let counts = self.run_part(part, &mut |example| match take(example) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        failed.map_or(Ok(counts), Err)
    }
}

/// An example that was generated. It is built only on request: writing text without building it is several times as fast.
pub trait GeneratedExample {
    /// The example.
    fn example(&self) -> Example<'static>;

    /// Adds it to `out` in the [text format](Generate::text_format) of its generator; adds nothing and returns `false` where there is none.
    fn write_text(&self, _out: &mut Vec<u8>) -> bool {
        false
    }
}

impl GeneratedExample for Example<'static> {
    fn example(&self) -> Example<'static> {
        self.clone()
    }
}

/// What came of generating examples.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GenerationCounts {
    /// Examples made.
    pub examples: u64,
    /// Draws it took; 0 where nothing is drawn.
    pub draws: u64,
    /// Draws that were rejected, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Examples of each group, in the generator's own order.
    pub by_group: Vec<u64>,
}

impl GenerationCounts {
    /// The share of draws that were rejected.
    pub fn rejection_rate(&self) -> f64 {
        if self.draws == 0 { 0.0 } else { self.rejected.values().sum::<u64>() as f64 / self.draws as f64 }
    }

    /// What [`Generate::describe`] says unless a generator adds to it.
    pub fn describe(&self) -> Map<String, Value> {
        let generated = json!({ "rows": self.examples, "draws": self.draws, "rejected": self.rejected });
        Map::from_iter([("generated".to_string(), generated), ("rejection_rate".to_string(), json!(self.rejection_rate()))])
    }

    /// How many draws it took and why some were rejected, to stand at the end of a line; nothing where nothing is drawn.
    pub fn draws_summary(&self) -> String {
        if self.draws == 0 {
            return String::new();
        }
        let reasons: Vec<String> = self.rejected.iter().map(|(reason, count)| format!("{count} {}", reason.replace('_', " "))).collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
        format!("; {} draws, {:.1} % rejected{reasons}", self.draws, 100.0 * self.rejection_rate())
    }
}

impl AddAssign for GenerationCounts {
    fn add_assign(&mut self, other: Self) {
        self.examples += other.examples;
        self.draws += other.draws;
        for (reason, count) in other.rejected {
            *self.rejected.entry(reason).or_default() += count;
        }
        self.by_group.resize(self.by_group.len().max(other.by_group.len()), 0);
        self.by_group.iter_mut().zip(other.by_group).for_each(|(sum, count)| *sum += count);
    }
}

/// A group of examples that a generator can make.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSize {
    /// What its examples share, by name: the same names in the same order for all groups of a generator.
    pub shared: Vec<(&'static str, String)>,
    /// The chance that a draw within its part takes it.
    pub share: f64,
    /// How many different examples it has.
    pub distinct: u128,
}
