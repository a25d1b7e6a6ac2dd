//! Accuracy on valid labels, estimated from a sample of labels that was checked.

use super::AnalysisError;
use super::wording::{bracket, count, in_points, points};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::score::Score;
use crate::scoring::{Judged, ScoredAnswer};
use crate::statistics::judged_labels::{JudgedAccuracy, JudgedExample, accuracy_against_judges};
use crate::statistics::label_noise::LabelNoise;
use crate::statistics::{Interval, Proportion};
use acidtest_nli::Judgment;
use std::collections::{HashMap, HashSet};

/// The group of these accuracies.
pub(super) const AGREEMENT: &str = "agreement with invalid labels";

/// The accuracies on valid labels.
pub fn label_noise_measurements(judged: &Judged<'_>, valid: Proportion, subject: Subject<'_>) -> Result<Vec<Measurement>, AnalysisError> {
    let noise = LabelNoise::of(&Score::of(judged).clustered, valid)?;
    let bounds = noise.bounds();
    let of = |name: &str, accuracy: f64, interval: Option<Interval>| {
        let number = subject.number(Metric::Accuracy, accuracy).of_group([AGREEMENT], &[name.to_string()]);
        match interval {
            Some(interval) => number.within(interval),
            None => number,
        }
    };
    Ok(vec![of("never", bounds.high, noise.interval_if_never_agreeing()), of("always", bounds.low, noise.interval_if_always_agreeing())])
}

/// The accuracy against the true labels, where judges gave those of a random sample of the examples: each label with the id of its example.
///
/// The labels of the set are used for all other examples, and corrected by what the judged ones say.
pub fn accuracy_by_judges<'l>(
    judged: &Judged<'_>,
    labels: impl IntoIterator<Item = (&'l str, Judgment)>,
) -> Result<JudgedAccuracy, AnalysisError> {
    let clusters = judged.clusters();
    // Ids that several examples share are known by no place.
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for (place, (item, _)) in judged.scored().enumerate() {
        places.entry(item.id).and_modify(|known| *known = None).or_insert(Some(place));
    }
    let outcomes: Vec<ScoredAnswer> = judged.scored().map(|(_, outcome)| outcome).collect();
    let (mut sample, mut own, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (id, label) in labels {
        let place = places.get(id).ok_or_else(|| AnalysisError::UnknownJudged { id: id.to_string() })?;
        let place = place.filter(|_| seen.insert(id)).ok_or_else(|| AnalysisError::JudgedTwice { id: id.to_string() })?;
        let truth = judged.scoring.class_of(label).ok_or_else(|| AnalysisError::JudgedTwoWay { id: id.to_string() })?;
        let outcome = outcomes[place];
        sample.push(JudgedExample { agrees_with_set: outcome.is_right(), agrees_with_judge: outcome.answer == Some(truth) });
        own.push(clusters[place]);
    }
    Ok(accuracy_against_judges((&judged.right(), &clusters), (&sample, &own))?)
}

/// The accuracy on valid labels, for a model that agrees with no invalid label and for one that agrees with all.
pub fn label_noise_section(judged: &Judged<'_>, valid: Proportion) -> Result<Section, AnalysisError> {
    let noise = LabelNoise::of(&Score::of(judged).clustered, valid)?;
    let (never, always) = (noise.interval_if_never_agreeing(), noise.interval_if_always_agreeing());
    let bounds = noise.bounds();
    let Proportion { count: right, total } = valid;
    let (note, caption) = (
        format!(
            "With {right} of {total} checked labels valid, accuracy on valid labels is between {} % and {} %, depending on how often the model agrees with invalid \
             labels; it is {} % {} if it never does.",
            points(bounds.low),
            points(bounds.high),
            points(bounds.high),
            never.map_or("(interval not estimable: all examples are in one cluster)".to_string(), bracket)
        ),
        format!(
            "{} MOVER-R intervals from the Wilson intervals of the accuracy and of the share of valid labels; the checked labels must be a random sample.",
            Generalisation::of([judged]).sentence_of_sets()
        ),
    );
    let row = |name: &str, accuracy: f64, interval: Option<Interval>| {
        let end = |end: Option<f64>| end.map_or(Cell::Empty {}, in_points);
        vec![Cell::text(name), in_points(accuracy), end(interval.map(|found| found.low)), end(interval.map(|found| found.high))]
    };
    let rows = vec![row("never", bounds.high, never), row("always", bounds.low, always)];
    let judged_labels =
        ReportBlock::table(&["checked labels"], &["valid", "checked"], vec![vec![Cell::text("all"), count(right), count(total)]]);
    let table = ReportBlock::table(&[AGREEMENT], &["accuracy on valid labels", "from", "to"], rows);
    Ok(Section::new(SectionId::LabelNoise, "Accuracy on valid labels", vec![note], vec![judged_labels, table]).captioned([caption]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction};

    #[test]
    fn judged_labels_find_their_examples_by_id() {
        let ids = ["a", "b", "c", "d", "e", "e"];
        let gold = Some(Label::Neutral.into());
        let items: Vec<Item<'_>> = ids.iter().enumerate().map(|(n, id)| Item { id, gold, cluster: n as u64, ..Item::default() }).collect();
        let given = [Label::Neutral, Label::Neutral, Label::Entailment, Label::Contradiction, Label::Neutral, Label::Neutral];
        let predictions = given.map(Prediction::of);
        let judged = |scoring: Scoring| scoring.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        let three = judged(Scoring::ThreeWay);
        // Four of six agree with the set. Of the judged, `c` is right and `b` is wrong after all; `a` stays right and `d` wrong.
        let truth: [(&str, Judgment); 4] =
            [("c", Label::Entailment.into()), ("b", Label::Entailment.into()), ("a", Label::Neutral.into()), ("d", Label::Neutral.into())];
        let found = accuracy_by_judges(&three, truth).unwrap();
        assert!((found.estimate - 4.0 / 6.0).abs() < 1e-12 && found.shift == 0.0, "{found:?}");
        let moved = accuracy_by_judges(&three, [truth[0], truth[2]]).unwrap();
        assert_eq!((moved.estimate, moved.shift), (1.0, 0.5));
        // Two-way, contradiction and neutral are one class.
        let two_way = accuracy_by_judges(&judged(Scoring::MergedAnswers), [("d", Judgment::NotEntailment), truth[2]]).unwrap();
        assert_eq!(two_way.shift, 0.0);
        let error = |labels: &[(&str, Judgment)]| accuracy_by_judges(&three, labels.iter().copied()).unwrap_err();
        assert_eq!(error(&[("x", truth[0].1)]), AnalysisError::UnknownJudged { id: "x".to_string() });
        assert_eq!(error(&[truth[0], truth[0]]), AnalysisError::JudgedTwice { id: "c".to_string() });
        assert_eq!(error(&[("e", truth[0].1)]), AnalysisError::JudgedTwice { id: "e".to_string() });
        assert_eq!(error(&[("a", Judgment::NotEntailment)]), AnalysisError::JudgedTwoWay { id: "a".to_string() });
    }
}
