//! Accuracy corrected for the label errors of a set, where judges gave the labels of a sample of its examples.

use super::wording::{bracket, count, counted, in_points, points};
use super::{AnalysisError, Candidate};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::score::Score;
use crate::scoring::Judged;
use crate::statistics::judged_labels::{JudgedAccuracy, JudgedExample, accuracy_against_judges};
use crate::statistics::label_noise::LabelNoise;
use crate::statistics::{Interval, Proportion};
use acidtest_nli::Judgment;
use std::collections::BTreeMap;

/// What judges said of a set, as far as scores can be corrected by it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetReview {
    /// Where it was read from.
    pub file: String,
    /// How many judges there were.
    pub judges: usize,
    /// How many examples were drawn.
    pub items: usize,
    /// By id, the label that the majority of the judges gives.
    pub labels: BTreeMap<String, Judgment>,
    /// Where judges were not asked for labels: of how many examples a majority says that a change left the relation as it was.
    pub unchanged: Option<Proportion>,
}

/// What the accuracy of one model becomes.
enum Corrected {
    /// By the labels of judges.
    ByLabels(JudgedAccuracy, Vec<JudgedExample>),
    /// The bounds whatever the model does with invalid labels.
    Bounds(Interval),
}

impl SetReview {
    /// The accuracy of each model beside what judges make of it, and the same as measurements; nothing where too little was judged.
    pub fn correct(&self, candidates: &[Candidate<'_>], set: &SetId) -> Result<Option<(Section, Vec<Measurement>)>, AnalysisError> {
        let found: Vec<Option<Corrected>> = candidates.iter().map(|one| self.corrected(one.judged)).collect::<Result<_, _>>()?;
        let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let measured = candidates.iter().zip(&found).flat_map(|(candidate, found)| measured(candidate, found, set)).collect();
        Ok(Some((self.section(candidates, &found), measured)))
    }

    fn corrected(&self, judged: &Judged<'_>) -> Result<Option<Corrected>, AnalysisError> {
        if self.labels.is_empty() {
            let Some(valid) = self.unchanged.filter(|valid| valid.count > 0) else { return Ok(None) };
            return Ok(Some(Corrected::Bounds(LabelNoise::of(&Score::of(judged).clustered, valid)?.bounds())));
        }
        let (right, clusters) = (judged.right(), judged.clusters());
        let (mut examples, mut own_clusters) = (Vec::new(), Vec::new());
        for ((item, outcome), cluster) in judged.scored().zip(&clusters) {
            if let Some(label) = self.labels.get(item.id) {
                let agrees_with_judge = outcome.answer == Some(judged.scoring.class(*label));
                examples.push(JudgedExample { agrees_with_set: outcome.is_right(), agrees_with_judge });
                own_clusters.push(*cluster);
            }
        }
        let distinct = |clusters: &[u32]| clusters.iter().collect::<std::collections::BTreeSet<_>>().len();
        if distinct(&own_clusters) < 2 {
            return Ok(None);
        }
        let found = accuracy_against_judges((&right, &clusters), (&examples, &own_clusters))?;
        Ok(Some(Corrected::ByLabels(found, examples)))
    }

    fn section(&self, candidates: &[Candidate<'_>], found: &[Corrected]) -> Section {
        let row = |(candidate, found): (&Candidate<'_>, &Corrected)| {
            let mut cells = vec![Cell::text(candidate.name), Cell::clustered(&Score::of(candidate.judged).clustered)];
            match found {
                Corrected::ByLabels(found, examples) => {
                    let Interval { low, high } = found.interval;
                    let differ = examples.iter().filter(|one| one.agrees_with_judge != one.agrees_with_set).count();
                    cells.extend([in_points(found.estimate), in_points(low), in_points(high), count(differ as u64)]);
                }
                Corrected::Bounds(bounds) => cells.extend([in_points(bounds.low), in_points(bounds.high)]),
            }
            cells
        };
        let rows = candidates.iter().zip(found).map(row).collect();
        let unit = Generalisation::of(candidates.iter().map(|candidate| candidate.judged)).sentence_of_sets();
        let judges = counted(self.judges, "judge");
        let (columns, notes, caption): (&[&str], Vec<String>, String) = match self.unchanged.filter(|_| self.labels.is_empty()) {
            None => (
                &["accuracy", "corrected %", "from", "to", "scored differently"],
                self.sentences(candidates, found, &judges),
                "Accuracy against the set's labels, plus the mean difference on the judged examples. 95 % intervals combine the clustered Wilson \
                 interval of the first with the clustered Tango interval of the second (MOVER); the judged examples must be a random sample of the set."
                    .to_string(),
            ),
            Some(valid) => (
                &["accuracy", "at least %", "at most %"],
                vec![format!(
                    "{judges}: the change preserves the relation in {} of {} judged examples ({}). The judges did not label the others, so accuracy on valid labels can only be \
                     bounded: the model may always, or never, agree with an invalid label.",
                    valid.count, valid.total, self.file
                )],
                "The bounds hold however often the model agrees with invalid labels; they ignore the sampling error of both shares.".to_string(),
            ),
        };
        let table = ReportBlock::table(&["model"], columns, rows);
        Section::new(SectionId::CorrectedAccuracy, "Accuracy corrected for label errors", notes, vec![table]).captioned([caption, unit])
    }

    fn sentences(&self, candidates: &[Candidate<'_>], found: &[Corrected], judges: &str) -> Vec<String> {
        let one = |(candidate, found): (&Candidate<'_>, &Corrected)| {
            let Corrected::ByLabels(found, _) = found else { return None };
            let raw = Score::of(candidate.judged).accuracy.rate()?;
            let (estimate, interval) = (points(found.estimate), bracket(found.interval));
            Some(format!(
                "{}: {} % against the set's labels, {estimate} % {interval} against the judges' labels.",
                candidate.name,
                points(raw)
            ))
        };
        let mut sentences: Vec<String> = candidates.iter().zip(found).filter_map(one).collect();
        let undecided = self.items - self.labels.len();
        let left_out = match undecided {
            0 => String::new(),
            count => format!("; {} without a majority excluded", counted(count, "example")),
        };
        sentences.push(format!("{judges} labelled {} ({}){left_out}.", counted(self.labels.len(), "example"), self.file));
        sentences
    }
}

fn measured(candidate: &Candidate<'_>, found: &Corrected, set: &SetId) -> Vec<Measurement> {
    let subject = Subject { model: candidate.name, set, scoring: Some(candidate.judged.scoring) };
    match found {
        Corrected::ByLabels(found, _) => vec![subject.number(Metric::CorrectedAccuracy, found.estimate).within(found.interval)],
        Corrected::Bounds(bounds) => {
            let of = |name: &str, value: f64| subject.number(Metric::CorrectedAccuracy, value).with(super::label_noise::AGREEMENT, name);
            vec![of("always", bounds.low), of("never", bounds.high)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction};

    /// Ten examples of gold contradiction; the model says contradiction for the first six and neutral for the others.
    fn check(review: &SetReview, test: impl Fn(Section, Vec<Measurement>)) {
        let names: Vec<String> = (0..10).map(|number| format!("id-{number}")).collect();
        let item = |(cluster, id): (usize, &'static str)| Item {
            id,
            gold: Some(Label::Contradiction.into()),
            cluster: cluster as u64,
            ..Item::default()
        };
        let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
        let items: Vec<Item<'_>> = names.into_iter().enumerate().map(item).collect();
        let predictions: Vec<Prediction> =
            (0..10).map(|number| Prediction::of(if number < 6 { Label::Contradiction } else { Label::Neutral })).collect();
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        let candidates = [Candidate { name: "m", judged: &judged }];
        let set = SetId { name: "original".to_string(), group: Vec::new(), hash: String::new() };
        let (section, measured) = review.correct(&candidates, &set).unwrap().unwrap();
        test(section, measured);
    }

    #[test]
    fn judges_who_call_examples_neutral_move_the_accuracy_of_a_model_that_does_too() {
        // Judged: ids 0, 1 (contradiction, as the set says), 6 and 7 (neutral, as the model says).
        let labels = [("id-0", Label::Contradiction), ("id-1", Label::Contradiction), ("id-6", Label::Neutral), ("id-7", Label::Neutral)];
        let labels = labels.into_iter().map(|(id, label)| (id.to_string(), label.into())).collect();
        let review = SetReview { file: "set.review.json".to_string(), judges: 3, items: 5, labels, unchanged: None };
        check(&review, |section, measured| {
            // 60 % of all, and the judged ones say that it is off by 2 of 4.
            assert_eq!(measured[0].value, 1.0, "110 % is cut");
            assert_eq!(measured[0].metric, Metric::CorrectedAccuracy);
            assert!(section.notes[0].starts_with("m: 60.0 % against the set's labels, 100.0 % ["), "{:?}", section.notes);
            assert_eq!(section.notes[1], "3 judges labelled 4 examples (set.review.json); 1 example without a majority excluded.");
        });
    }

    #[test]
    fn without_labels_there_are_bounds_alone() {
        let unchanged = Some(Proportion { count: 9, total: 10 });
        let review = SetReview { file: "f".to_string(), judges: 1, items: 10, unchanged, ..SetReview::default() };
        check(&review, |section, measured| {
            let values: Vec<f64> = measured.iter().map(|one| one.value).collect();
            assert!((values[0] - 0.5 / 0.9).abs() < 1e-8 && (values[1] - 0.6 / 0.9).abs() < 1e-8, "{values:?}");
            assert!(section.notes[0].starts_with("1 judge: the change preserves the relation in 9 of 10"), "{:?}", section.notes);
        });
    }
}
