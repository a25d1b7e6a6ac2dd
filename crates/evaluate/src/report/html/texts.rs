//! The texts of examples, in chunks that the page loads on demand.

use super::codes::Codes;
use super::facets::{Facet, PARENT};
use super::{BrowserExample, BrowserPrediction, MisleadingWords};
use crate::report::layout::one_line;
use acidtest_nli::{Change, Label, Side};
use serde::Serialize;
use std::collections::BTreeMap;

/// The texts of the examples of one chunk, column by column, one line per example.
#[derive(Debug, Default)]
pub(super) struct Texts {
    examples: usize,
    ids: String,
    premises: String,
    hypotheses: String,
    scores: String,
    has_scores: bool,
    /// Values in order of first occurrence, and the code of every example so far.
    tags: BTreeMap<String, (Facet, Vec<u16>)>,
    changes: Vec<(usize, Side, usize, usize, String)>,
    misled: Vec<MisledExample>,
}

/// How the words of an example of the chunk mislead.
#[derive(Debug, Serialize)]
struct MisledExample {
    example: usize,
    score: f64,
    toward: Label,
    probabilities: [f64; 3],
    features: Vec<(String, f64)>,
}

impl MisledExample {
    fn new(example: usize, misled: &MisleadingWords) -> Self {
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        MisledExample {
            example,
            score: rounded(misled.score),
            toward: misled.toward,
            probabilities: misled.probabilities.map(rounded),
            features: misled.features.iter().map(|(feature, push)| (one_line(feature), rounded(*push))).collect(),
        }
    }
}

impl Texts {
    pub(super) fn add(&mut self, example: &BrowserExample<'_>) {
        let columns = [(&mut self.ids, example.id), (&mut self.premises, example.premise), (&mut self.hypotheses, example.hypothesis)];
        for (column, text) in columns {
            if self.examples > 0 {
                column.push('\n');
            }
            // Offsets of changes stay valid: every letter is replaced by one letter.
            column.push_str(&one_line(text));
        }
        self.add_scores(example.predictions);
        // The original is shown beside the example, so its id is not repeated.
        for (name, value) in example.tags.iter().filter(|(name, value)| !(*name == PARENT && example.parent == Some(*value))) {
            let (facet, codes) = self.tags.entry(one_line(name)).or_insert_with(|| (Facet::new(name), Vec::new()));
            codes.resize(self.examples, 0);
            // A chunk has fewer examples than there are codes.
            codes.push(facet.code(&one_line(value), usize::from(u16::MAX)).unwrap_or(0));
        }
        self.changes.extend(example.changes.iter().filter_map(|change| placed(self.examples, example, change)));
        self.misled.extend(example.misled.map(|misled| MisledExample::new(self.examples, misled)));
        self.examples += 1;
    }

    /// The scores of all models on one line: numbers between blanks, models between bars.
    fn add_scores(&mut self, predictions: &[BrowserPrediction]) {
        if self.examples > 0 {
            self.scores.push('\n');
        }
        let written = |prediction: &BrowserPrediction| {
            let scores = prediction.scores.map(|scores| scores.values().iter().copied().map(short_number).collect::<Vec<_>>());
            scores.map(|scores| scores.join(" ")).unwrap_or_default()
        };
        if predictions.iter().any(|prediction| prediction.scores.is_some()) {
            self.has_scores = true;
            self.scores.push_str(&predictions.iter().map(written).collect::<Vec<_>>().join("|"));
        }
    }

    /// The chunk as JSON.
    pub(super) fn columns(self) -> impl Serialize {
        #[derive(Serialize)]
        struct Tag {
            name: String,
            values: Vec<String>,
            codes: Codes,
        }
        #[derive(Serialize)]
        struct Columns {
            examples: usize,
            id: String,
            premise: String,
            hypothesis: String,
            scores: String,
            tags: Vec<Tag>,
            changes: Vec<(usize, Side, usize, usize, String)>,
            misled: Vec<MisledExample>,
        }
        let Texts { examples, ids: id, premises: premise, hypotheses: hypothesis, scores, has_scores, tags, changes, misled } = self;
        let tag = |(name, (facet, mut codes)): (String, (Facet, Vec<u16>))| {
            codes.resize(examples, 0);
            Tag { name, values: facet.values, codes: Codes::of(&codes) }
        };
        let scores = if has_scores { scores } else { String::new() };
        Columns { examples, id, premise, hypothesis, scores, tags: tags.into_iter().map(tag).collect(), changes, misled }
    }
}

/// A change with its ends in the units of a browser's strings (UTF-16); `None` if it lies outside its sentence.
fn placed(number: usize, of: &BrowserExample<'_>, change: &Change) -> Option<(usize, Side, usize, usize, String)> {
    let text = match change.side {
        Side::Premise => of.premise,
        Side::Hypothesis => of.hypothesis,
    };
    if change.start > change.end || change.end > text.chars().count() {
        return None;
    }
    let units = |letters: usize| text.chars().take(letters).map(char::len_utf16).sum();
    Some((number, change.side, units(change.start), units(change.end), one_line(&change.before)))
}

/// Rounds to three decimals.
fn short_number(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        assert_eq!([0.5, 1.0, 0.0, -0.0001, 10.0, 2.3456].map(short_number), ["0.5", "1", "0", "0", "10", "2.346"]);
    }
}
