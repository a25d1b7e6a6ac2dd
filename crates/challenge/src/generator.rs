//! Challenges that generate their examples.

use acidtest_nli::{Example, counted, grouped};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::{AddAssign, ControlFlow};

/// A generator of examples that needs no corpus.
///
/// Examples come in parts with independent random numbers, so parts can be generated in any order and on any thread.
pub trait Generate: Send + Sync {
    /// The number of parts.
    fn parts(&self) -> usize;

    /// The maximum number of examples in a part; `None` if there is no limit.
    fn most_in_part(&self) -> Option<usize>;

    /// Passes the examples of one part to `take`, in order and with their ids in the whole set, until `take` breaks.
    fn run_part(&self, part: usize, take: &mut dyn FnMut(&dyn GeneratedExample) -> ControlFlow<()>) -> GenerationCounts;

    /// The name of the set in sentences, if it is not that of the challenge.
    fn title(&self) -> Option<String> {
        None
    }

    /// The format that [`GeneratedExample::write_text`] writes, for a challenge that was published in a format of its own.
    fn text_format(&self) -> Option<&'static str> {
        None
    }

    /// The groups of examples that can be generated, with the size of each; empty if unknown.
    fn inventory(&self) -> Vec<GroupSize> {
        Vec::new()
    }

    /// The description of a generated set, for the file beside it.
    fn describe(&self, counts: &GenerationCounts) -> Map<String, Value> {
        counts.describe()
    }

    /// The outcome of generating, in one line.
    fn summary(&self, counts: &GenerationCounts) -> String {
        format!("{} pairs{}", counts.examples, counts.draws_summary())
    }
}

impl dyn Generate + '_ {
    /// Passes every example to `take`, in order; stops at its first error.
    pub fn run<E>(&self, mut take: impl FnMut(&dyn GeneratedExample) -> Result<(), E>) -> Result<GenerationCounts, E> {
        let mut counts = GenerationCounts::default();
        for part in 0..self.parts() {
            counts += self.try_part(part, &mut take)?;
        }
        Ok(counts)
    }

    /// Passes the examples of one part to `take`, in order; stops at its first error.
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

/// A generated example. It is only built on request, because writing text directly is several times as fast.
pub trait GeneratedExample {
    /// The example.
    fn example(&self) -> Example<'static>;

    /// Appends it to `out` in the [text format](Generate::text_format) of its generator; returns `false` without writing if there is
    /// none.
    fn write_text(&self, _out: &mut Vec<u8>) -> bool {
        false
    }
}

impl GeneratedExample for Example<'static> {
    fn example(&self) -> Example<'static> {
        self.clone()
    }
}

/// The outcome of generating examples.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GenerationCounts {
    /// The number of examples.
    pub examples: u64,
    /// The number of random draws; 0 if all examples are enumerated.
    pub draws: u64,
    /// Rejected draws by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// The number of examples in each group, in the generator's order.
    pub by_group: Vec<u64>,
}

impl GenerationCounts {
    /// The proportion of draws that were rejected.
    pub fn rejection_rate(&self) -> f64 {
        if self.draws == 0 { 0.0 } else { self.rejected.values().sum::<u64>() as f64 / self.draws as f64 }
    }

    /// The default of [`Generate::describe`].
    pub fn describe(&self) -> Map<String, Value> {
        let generated = json!({ "rows": self.examples, "draws": self.draws, "rejected": self.rejected });
        Map::from_iter([("generated".to_string(), generated), ("rejection_rate".to_string(), json!(self.rejection_rate()))])
    }

    /// The number of draws and the reasons for rejections, as the end of a line; empty if all examples are enumerated.
    pub fn draws_summary(&self) -> String {
        if self.draws == 0 {
            return String::new();
        }
        let reasons: Vec<String> = self
            .rejected
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(reason, count)| format!("{} ({})", reason.replace('_', " "), grouped(count)))
            .collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
        format!("; {}, {:.1} % rejected{reasons}", counted(self.draws, "draw"), 100.0 * self.rejection_rate())
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

/// A group of examples that a generator can produce.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSize {
    /// What its examples have in common, by name; all groups of a generator have the same names in the same order.
    pub shared: Vec<(&'static str, String)>,
    /// The probability of the group within its part.
    pub share: f64,
    /// The number of distinct examples.
    pub distinct: u128,
}
