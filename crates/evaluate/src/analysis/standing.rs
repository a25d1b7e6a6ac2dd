//! Where a model stands beside the majority baseline, which always predicts the most frequent gold label.

use super::AnalysisError;
use super::paired::{Paired, Testing};
use super::wording::{p_value, points};
use crate::score::Score;
use crate::scoring::Judged;
use acidtest_nli::Judgment;

/// A model beside the majority baseline on the same examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The most frequent gold label.
    pub label: Judgment,
    /// The accuracy of always predicting it.
    pub baseline: f64,
    /// The accuracy of the model less that of the baseline.
    pub paired: Paired,
    /// What the test comes to.
    pub place: Place,
    /// Whether more than half of the labelled examples have no prediction.
    pub coverage: Coverage,
}

/// Whether a model is better than the majority baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Significantly better.
    Above,
    /// Neither.
    NotDifferent,
    /// Significantly worse.
    Below,
    /// All examples have the same gold label, so that nothing can be better than the baseline.
    OneLabel,
}

impl Place {
    /// Whether the model could be better than the baseline and is not.
    pub fn is_not_above(self) -> bool {
        matches!(self, Place::NotDifferent | Place::Below)
    }
}

/// How many of the labelled examples have a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// At least half.
    Enough,
    /// Fewer.
    MostlyMissing,
}

/// What "does not rely on" would be worth for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Informative {
    /// The model is better than the majority baseline, or there is no such baseline to beat.
    Yes,
    /// Its predictions say so little about the gold labels that not following a shortcut means nothing.
    NotAboveMajority,
    /// Most predictions are missing.
    MostlyMissing,
}

impl Standing {
    /// Tests a model against the majority baseline; nothing without labelled examples.
    pub fn of(judged: &Judged<'_>, testing: &Testing) -> Result<Option<Self>, AnalysisError> {
        let score = Score::of(judged);
        let Some((label, share)) = score.majority() else { return Ok(None) };
        let majority: Vec<bool> = judged.scored().map(|(_, outcome)| outcome.gold == label).collect();
        let paired = Paired::of(&judged.right(), &majority, &judged.clusters(), testing)?;
        let place = match paired.p < testing.plan.alpha {
            _ if share.count == share.total => Place::OneLabel,
            true if paired.difference() > 0.0 => Place::Above,
            true => Place::Below,
            false => Place::NotDifferent,
        };
        let coverage = if 2 * score.missing > score.accuracy.total { Coverage::MostlyMissing } else { Coverage::Enough };
        Ok(Some(Standing { label, baseline: share.rate().unwrap_or(0.0), paired, place, coverage }))
    }

    /// Where the model stands: `significantly above the majority baseline (always entailment: 35.4 %)`; nothing where all gold labels are the same.
    pub fn clause(&self) -> Option<String> {
        let baseline = format!("always {}: {} %", self.label, points(self.baseline));
        let p = p_value(self.paired.p);
        Some(match self.place {
            Place::Above => format!("significantly above the majority baseline ({baseline})"),
            Place::NotDifferent => format!("not significantly different from the majority baseline ({baseline}, {p})"),
            Place::Below => format!("significantly below the majority baseline ({baseline}, {p})"),
            Place::OneLabel => return None,
        })
    }

    /// What it would mean that such a model does not follow a shortcut.
    pub fn informative(&self) -> Informative {
        match (self.coverage, self.place) {
            (Coverage::MostlyMissing, _) => Informative::MostlyMissing,
            (Coverage::Enough, Place::Above | Place::OneLabel) => Informative::Yes,
            (Coverage::Enough, Place::NotDifferent | Place::Below) => Informative::NotAboveMajority,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction};

    /// A model that is right on so many of 40 entailed and of 60 neutral pairs, and wrong on the others.
    fn standing(entailed: usize, neutral: usize) -> Standing {
        let gold = |row: usize| if row < 40 { Label::Entailment } else { Label::Neutral };
        let right = |row: usize| if row < 40 { row < entailed } else { row - 40 < neutral };
        let items: Vec<Item<'_>> =
            (0..100).map(|row| Item { gold: Some(gold(row).into()), cluster: row as u64, ..Item::default() }).collect();
        let answers: Vec<Prediction> =
            (0..100).map(|row| Prediction::of(if right(row) { gold(row) } else { Label::Contradiction })).collect();
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &answers).unwrap()).unwrap();
        Standing::of(&judged, &Testing::default()).unwrap().unwrap()
    }

    #[test]
    fn a_model_below_the_baseline_is_not_called_not_above_it() {
        assert_eq!(standing(0, 5).clause().unwrap(), "significantly below the majority baseline (always neutral: 60.0 %, p < 0.001)");
        assert_eq!(
            standing(0, 57).clause().unwrap(),
            "not significantly different from the majority baseline (always neutral: 60.0 %, p = 0.2500)"
        );
        assert_eq!(standing(40, 60).clause().unwrap(), "significantly above the majority baseline (always neutral: 60.0 %)");
    }

    #[test]
    fn examples_of_one_gold_label_have_no_baseline_to_beat() {
        let items: Vec<Item<'_>> =
            (0..50).map(|row| Item { gold: Some(Label::Contradiction.into()), cluster: row as u64, ..Item::default() }).collect();
        let answers: Vec<Prediction> =
            (0..50).map(|row| Prediction::of(if row < 20 { Label::Contradiction } else { Label::Neutral })).collect();
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &answers).unwrap()).unwrap();
        let found = Standing::of(&judged, &Testing::default()).unwrap().unwrap();
        assert_eq!((found.place, found.clause(), found.informative()), (Place::OneLabel, None, Informative::Yes));
    }

    #[test]
    fn only_a_model_above_the_baseline_says_something_by_not_following() {
        let told = [standing(40, 60), standing(0, 57), standing(0, 5)].map(|one| one.informative());
        assert_eq!(told, [Informative::Yes, Informative::NotAboveMajority, Informative::NotAboveMajority]);
    }
}
