//! Accuracy where words alone mislead, as in table 5 of Nie et al. 2018: on the whole set and on CS_λ for increasing λ, beside the majority
//! baseline and human annotators.

use super::misleading::subset_name;
use super::slices::pick;
use super::wording::{clustered_share, counted, points};
use super::{AnalysisError, Candidate, require_same_rows};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::scoring::{ScoredAnswer, Scoring};
use crate::statistics::clustered::ClusteredAccuracy;
use crate::statistics::{Interval, Proportion};
use acidtest_nli::{Judgment, Votes};
use std::collections::BTreeMap;

/// The λ of the paper's table.
pub const TABLE_LAMBDAS: [f64; 3] = [0.5, 0.6, 0.7];

/// The analysis to make.
#[derive(Debug, Clone, Copy)]
pub struct Compositional<'a> {
    /// The models, with the same examples.
    pub candidates: &'a [Candidate<'a>],
    /// Whether the models are runs of one model, so that their mean is meaningful.
    pub together: RunGrouping,
    /// The lexically-misleading score of every example, labelled or not; one without a score is in no CS_λ.
    pub scores: &'a [Option<f64>],
    /// The votes of the annotators of every example.
    pub votes: &'a [Votes],
}

/// How several models are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunGrouping {
    /// They are different models.
    Apart,
    /// They are runs of one model: their mean is shown as well.
    Runs,
}

/// The result of the analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct CompositionalResult {
    /// The names of the sets.
    pub sets: Vec<String>,
    /// The number of labelled examples of each set.
    pub sizes: Vec<usize>,
    /// Each model or annotator, with the accuracy in each set; `None` if a set is empty.
    pub answerers: Vec<(String, Vec<Option<PooledAccuracy>>)>,
    /// The number of labelled examples without a score.
    pub unscored: usize,
    /// How the predictions were scored.
    pub scoring: Scoring,
    /// What the intervals generalise to.
    pub generalisation: Generalisation,
}

/// An accuracy with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PooledAccuracy {
    /// Correct predictions of all; those of runs and annotators are summed.
    pub share: Proportion,
    /// Its interval.
    pub interval: Interval,
    /// The counts by cluster.
    pub clustered: ClusteredAccuracy,
}

impl Compositional<'_> {
    /// Scores every model on the whole set and on the subsets.
    pub fn look(&self) -> Result<CompositionalResult, AnalysisError> {
        require_same_rows(self.candidates)?;
        let judged = self.candidates[0].judged;
        for (what, found) in [("lexically-misleading scores", self.scores.len()), ("lists of votes", self.votes.len())] {
            if found != judged.outcomes.len() {
                return Err(AnalysisError::NotBesideRows { what: what.to_string(), expected: judged.outcomes.len(), found });
            }
        }
        let labelled: Vec<(usize, ScoredAnswer)> =
            judged.outcomes.iter().enumerate().filter_map(|(row, outcome)| outcome.map(|outcome| (row, outcome))).collect();
        if labelled.is_empty() {
            return Err(AnalysisError::NoLabelledRows { rows: judged.outcomes.len() });
        }
        let subset = |lambda: f64| -> Vec<usize> {
            (0..labelled.len()).filter(|&at| self.scores[labelled[at].0].is_some_and(|score| score >= lambda)).collect()
        };
        let mut sets = vec![("all".to_string(), (0..labelled.len()).collect())];
        sets.extend(TABLE_LAMBDAS.map(|lambda| (subset_name(lambda), subset(lambda))));
        let clusters = judged.clusters();
        let right: Vec<Vec<bool>> = self.candidates.iter().map(|candidate| candidate.judged.right()).collect();
        let mut answerers = Vec::new();
        for (candidate, right) in self.candidates.iter().zip(&right) {
            let of = |rows: &Vec<usize>| self.accuracy(&pick(right, rows), &pick(&clusters, rows));
            answerers.push((candidate.name.to_string(), over(&sets, of)));
        }
        if self.together == RunGrouping::Runs && right.len() > 1 {
            let sums: Vec<u64> = (0..labelled.len()).map(|row| right.iter().map(|run| u64::from(run[row])).sum()).collect();
            let of = |rows: &Vec<usize>| self.mean(&pick(&sums, rows), right.len() as u64, &pick(&clusters, rows));
            answerers.push((format!("mean of {} runs", right.len()), over(&sets, of)));
        }
        let gold: Vec<Judgment> = labelled.iter().map(|(_, outcome)| outcome.gold).collect();
        let most = |rows: &Vec<usize>| {
            let gold = pick(&gold, rows);
            let commonest = judged.scoring.classes().iter().max_by_key(|class| gold.iter().filter(|gold| gold == class).count());
            let right: Vec<bool> = gold.iter().map(|gold| Some(gold) == commonest).collect();
            self.accuracy(&right, &pick(&clusters, rows))
        };
        answerers.push(("majority".to_string(), over(&sets, most)));
        if judged.scoring == Scoring::ThreeWay {
            let votes: Vec<&Votes> = labelled.iter().map(|(row, _)| &self.votes[*row]).collect();
            let people = over(&sets, |rows| self.people(&pick(&votes, rows), &pick(&gold, rows), &pick(&clusters, rows)));
            if people[0].is_some() {
                answerers.push(("one annotator".to_string(), people));
            }
        }
        let unscored = labelled.iter().filter(|(row, _)| self.scores[*row].is_none()).count();
        let sizes = sets.iter().map(|(_, rows)| rows.len()).collect();
        Ok(CompositionalResult {
            sets: sets.into_iter().map(|(name, _)| name).collect(),
            sizes,
            answerers,
            unscored,
            scoring: judged.scoring,
            generalisation: Generalisation::of([judged]),
        })
    }

    /// The accuracy with the clustered Wilson interval.
    fn accuracy(&self, right: &[bool], clusters: &[u32]) -> Option<PooledAccuracy> {
        self.mean(&right.iter().map(|&right| u64::from(right)).collect::<Vec<u64>>(), 1, clusters)
    }

    /// The mean of integers, each out of `of`. Several predictions for one example are not several examples: they are in one cluster.
    fn mean(&self, values: &[u64], of: u64, clusters: &[u32]) -> Option<PooledAccuracy> {
        let mut counts: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (value, cluster) in values.iter().zip(clusters) {
            let (count, total) = counts.entry(*cluster).or_default();
            *count += value;
            *total += of;
        }
        let found = ClusteredAccuracy::of_counts(counts.into_values());
        (!values.is_empty()).then(|| PooledAccuracy { share: found.proportion(), interval: found.interval(), clustered: found })
    }

    /// One annotator against gold: the mean over the annotators of an example, which is the expectation of drawing one at random. If only the author
    /// labelled an example, that label is gold, so the example is skipped.
    fn people(&self, votes: &[&Votes], gold: &[Judgment], clusters: &[u32]) -> Option<PooledAccuracy> {
        let rows: Vec<usize> = (0..votes.len()).filter(|&row| votes[row].validated()).collect();
        // Examples are weighted equally, however many annotators they have.
        let unit = rows.iter().map(|&row| votes[row].0.len() as u64).fold(1, common_multiple);
        let agreeing = |row: usize| {
            let agree = votes[row].0.iter().filter(|vote| gold[row] == vote.judgment).count() as u64;
            (unit as f64 * agree as f64 / votes[row].0.len() as f64).round() as u64
        };
        let values: Vec<u64> = rows.iter().map(|&row| agreeing(row)).collect();
        self.mean(&values, unit, &pick(clusters, &rows))
    }
}

/// The value for each set.
fn over<T>(sets: &[(String, Vec<usize>)], of: impl Fn(&Vec<usize>) -> Option<T>) -> Vec<Option<T>> {
    sets.iter().map(|(_, rows)| of(rows)).collect()
}

/// The finest unit in which annotators' shares are counted.
const FINEST: u64 = 1_000_000;

fn common_multiple(a: u64, b: u64) -> u64 {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).saturating_mul(b).min(FINEST)
}

impl CompositionalResult {
    /// The accuracy of these models where words mislead, by subset.
    pub fn measurements(&self, models: &[&str], set: &SetId) -> Vec<Measurement> {
        let mut all = Vec::new();
        for (model, found) in self.answerers.iter().filter(|(answerer, _)| models.contains(&answerer.as_str())) {
            let subject = Subject { model, set, scoring: Some(self.scoring) };
            // The whole set is measured elsewhere, with its own interval.
            for (part, accuracy) in self.sets.iter().zip(found).skip(1) {
                let share = accuracy.and_then(|found| subject.clustered(Metric::Accuracy, &found.clustered));
                all.extend(share.map(|share| share.of_group(["part"], std::slice::from_ref(part))));
            }
        }
        all
    }

    /// How far each model's accuracy drops where words mislead most, in one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let (Some(&size), Some(name)) = (self.sizes.last(), self.sets.last()) else { return Vec::new() };
        let answerers = self.answerers.iter().filter(|(answerer, _)| answerer != "majority");
        let mut sentences: Vec<String> = answerers
            .filter_map(|(answerer, found)| {
                let (whole, hardest) = (found.first().copied()??, found.last().copied()??);
                let fall = whole.share.rate()? - hardest.share.rate()?;
                let way = if fall < 0.0 { "higher" } else { "lower" };
                let examples = counted(size, "example");
                let (all, there) = (clustered_share(&whole.clustered), clustered_share(&hardest.clustered));
                Some(format!(
                    "{answerer}: {all} on all examples, {there} on the {examples} of {name}, {} points {way}.",
                    points(fall.abs())
                ))
            })
            .collect();
        if size == 0 {
            sentences.push(format!("{name} has no examples."));
        }
        sentences
    }

    /// The table.
    pub fn section(&self) -> Section {
        let mut notes = self.sentences();
        if self.unscored > 0 {
            notes.push(format!("Excluded from every CS_λ: {} without a score.", counted(self.unscored, "labelled example")));
        }
        let caption = [
            "CS_λ: examples for which the lexical model gives a wrong label a probability of at least λ. Majority: the most frequent label of each set. One \
             annotator: a single annotator's label, scored against gold. The interval of a mean over runs generalises to new examples, \
             not to new runs."
                .to_string(),
            self.generalisation.sentence_of_sets(),
        ];
        let cell = |found: &Option<PooledAccuracy>| found.map_or(Cell::Empty {}, |found| Cell::clustered(&found.clustered));
        let sizes = self.sizes.iter().map(|size| Cell::Count { count: *size as u64 });
        let mut rows: Vec<Vec<Cell>> = vec![[Cell::text("n")].into_iter().chain(sizes).collect()];
        rows.extend(self.answerers.iter().map(|(name, found)| [Cell::text(name)].into_iter().chain(found.iter().map(cell)).collect()));
        let sets: Vec<&str> = self.sets.iter().map(String::as_str).collect();
        Section::new(SectionId::Compositional, "Where words mislead", notes, vec![ReportBlock::table(&["model"], &sets, rows)])
            .captioned(caption)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use Label::*;
    use acidtest_nli::{Label, Prediction};

    /// Gold label, score, prediction and votes of an example.
    type Case = (Label, Option<f64>, Label, &'static [Label]);

    fn found(rows: &[Case], together: RunGrouping) -> CompositionalResult {
        let item = |(n, row): (usize, &Case)| Item { gold: Some(row.0.into()), cluster: n as u64, ..Item::default() };
        let items: Vec<Item<'_>> = rows.iter().enumerate().map(item).collect();
        let predictions: Vec<Prediction> = rows.iter().map(|row| Prediction::of(row.2)).collect();
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        let candidates = [Candidate { name: "a", judged: &judged }, Candidate { name: "b", judged: &judged }];
        let scores: Vec<Option<f64>> = rows.iter().map(|row| row.1).collect();
        let votes: Vec<Votes> = rows.iter().map(|row| row.3.iter().copied().collect()).collect();
        let many = if together == RunGrouping::Runs { 2 } else { 1 };
        Compositional { candidates: &candidates[..many], together, scores: &scores, votes: &votes }.look().unwrap()
    }

    const ROWS: [Case; 5] = [
        (Entailment, Some(0.1), Entailment, &[Entailment, Entailment, Entailment, Neutral, Entailment]),
        (Entailment, Some(0.2), Entailment, &[Entailment]),
        (Neutral, Some(0.5), Neutral, &[Neutral, Neutral]),
        (Contradiction, Some(0.6999), Neutral, &[Contradiction, Contradiction, Contradiction, Neutral]),
        (Neutral, Some(0.7), Entailment, &[Neutral, Entailment, Neutral, Neutral]),
    ];

    fn counts(found: &CompositionalResult, name: &str) -> Vec<Option<(u64, u64)>> {
        let (_, accuracies) = found.answerers.iter().find(|(answerer, _)| answerer == name).unwrap();
        accuracies.iter().map(|found| found.map(|found| (found.share.count, found.share.total))).collect()
    }

    #[test]
    fn subsets_shrink_with_lambda_and_include_their_bound() {
        let found = found(&ROWS, RunGrouping::Apart);
        assert_eq!((found.sets.join(" "), &found.sizes[..]), ("all CS_0.5 CS_0.6 CS_0.7".to_string(), &[5, 3, 2, 1][..]));
        assert_eq!(counts(&found, "a"), [Some((3, 5)), Some((1, 3)), Some((0, 2)), Some((0, 1))]);
        assert_eq!(counts(&found, "majority"), [Some((2, 5)), Some((2, 3)), Some((1, 2)), Some((1, 1))]);
    }

    #[test]
    fn an_annotator_is_the_mean_over_the_annotators_of_an_example() {
        // Shares 4/5, 1, 3/4 and 3/4 in twentieths; the example that only its author labelled does not count.
        assert_eq!(counts(&found(&ROWS, RunGrouping::Apart), "one annotator")[0], Some((16 + 20 + 15 + 15, 80)));
    }

    #[test]
    fn a_rise_is_not_reported_as_a_negative_drop() {
        let rows = [(Entailment, Some(0.1), Neutral, &[][..]), (Neutral, Some(0.8), Neutral, &[])];
        let sentence = found(&rows, RunGrouping::Apart).sentences().join(" ");
        assert!(sentence.contains("50.0 points higher") && !sentence.contains('-'), "{sentence}");
        let fall = found(&ROWS, RunGrouping::Apart).sentences().join(" ");
        assert!(fall.contains("60.0 points lower"), "{fall}");
    }

    #[test]
    fn runs_have_a_mean() {
        let found = found(&ROWS, RunGrouping::Runs);
        assert_eq!(counts(&found, "mean of 2 runs")[..2], [Some((6, 10)), Some((2, 6))]);
        let [all, none] = [0, 2].map(|set: usize| found.answerers[2].1[set].unwrap());
        assert!(all.interval.low < 0.6 && 0.6 < all.interval.high && all.interval.high <= 1.0);
        assert_eq!((none.share.count, none.interval), (0, Proportion { count: 0, total: 2 }.wilson()));
    }

    #[test]
    fn runs_on_a_single_premise_are_as_uncertain_as_its_examples() {
        let found = found(&ROWS[..1], RunGrouping::Runs);
        assert_eq!(counts(&found, "mean of 2 runs")[0], Some((2, 2)));
        let (found, expected) = (found.answerers[2].1[0].unwrap().interval, Proportion { count: 1, total: 1 }.wilson());
        assert!((found.low - expected.low).abs() < 1e-12 && found.high == 1.0, "{found:?}");
    }

    #[test]
    fn empty_sets_and_examples_without_a_score_are_reported() {
        let rows = [(Entailment, None, Entailment, &[][..]), (Neutral, Some(0.4), Neutral, &[])];
        let found = found(&rows, RunGrouping::Apart);
        assert_eq!((counts(&found, "a"), found.unscored), (vec![Some((2, 2)), None, None, None], 1));
        let notes = found.section().notes.join(" ");
        assert!(notes.contains("CS_0.7 has no examples") && notes.contains("1 labelled example without a score"), "{notes}");
        assert!(!found.answerers.iter().any(|(name, _)| name == "one annotator"));
    }
}
