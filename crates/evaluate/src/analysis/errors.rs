//! Counts the errors of a model by predicted label, gold label and heuristic.

use super::AnalysisError;
use super::slices::slices;
use super::wording::{clustered_share, count, counted, listed};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, Subject};
use crate::report::{Cell, ReportBlock, SMALL_GROUP, Section, SectionId, Table, TableColumn};
use crate::scoring::{Judged, ScoredAnswer};
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, Label, tag};

/// The errors on some examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Errors {
    /// The values of the tags that the examples share; empty for all examples.
    pub values: Vec<String>,
    /// Errors of all examples; missing predictions are errors.
    pub errors: ClusteredAccuracy,
    /// For each class, the share of errors in which it was predicted.
    pub answers: Vec<(Judgment, ClusteredAccuracy)>,
    /// For each gold class and each other predicted class, the share among all errors on the gold class.
    pub kinds: Vec<ErrorKind>,
}

/// Errors from one class to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorKind {
    /// The gold label.
    pub gold: Judgment,
    /// The wrong prediction; `None` if it is missing.
    pub answer: Option<Judgment>,
    /// Their share among the errors on examples of this gold class.
    pub share: ClusteredAccuracy,
}

/// Errors by predicted label and by gold label, on all examples and by tags.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorsBy {
    /// All examples.
    pub overall: Errors,
    /// The tags.
    pub tags: Vec<String>,
    /// The groups of these tags; empty without tags.
    pub groups: Vec<Errors>,
    /// What the intervals generalise to.
    pub generalisation: Generalisation,
}

/// Counts the errors on all examples and, if tags are given, in each group.
pub fn count_errors(judged: &Judged<'_>, tags: &[String]) -> Result<ErrorsBy, AnalysisError> {
    let classes = judged.scoring.classes();
    let outcomes: Vec<(ScoredAnswer, u32)> = judged.scored().map(|(_, outcome)| outcome).zip(judged.clusters()).collect();
    if outcomes.is_empty() {
        return Err(AnalysisError::NoLabelledRows { rows: judged.joined.items.len() });
    }
    let groups = if tags.is_empty() { Vec::new() } else { slices(judged, tags)? };
    let group = |slice: super::slices::Slice| {
        let rows: Vec<(ScoredAnswer, u32)> = slice.rows.iter().map(|&row| outcomes[row]).collect();
        errors(slice.values, &rows, classes)
    };
    Ok(ErrorsBy {
        overall: errors(Vec::new(), &outcomes, classes),
        tags: tags.to_vec(),
        groups: groups.into_iter().map(group).collect(),
        generalisation: Generalisation::of([judged]),
    })
}

fn errors(values: Vec<String>, outcomes: &[(ScoredAnswer, u32)], classes: &[Judgment]) -> Errors {
    let of = |among: &dyn Fn(ScoredAnswer) -> bool, rule: &dyn Fn(ScoredAnswer) -> bool| {
        let (held, clusters): (Vec<bool>, Vec<u32>) =
            outcomes.iter().filter(|(outcome, _)| among(*outcome)).map(|(outcome, cluster)| (rule(*outcome), *cluster)).unzip();
        ClusteredAccuracy::of(&held, &clusters)
    };
    let wrong = |outcome: ScoredAnswer| !outcome.is_right();
    let answers = classes.iter().map(|&class| (class, of(&wrong, &|outcome| outcome.answer == Some(class)))).collect();
    let mut kinds = Vec::new();
    for &gold in classes {
        for answer in classes.iter().copied().map(Some).chain([None]).filter(|&answer| answer != Some(gold)) {
            let share = of(&|outcome| wrong(outcome) && outcome.gold == gold, &|outcome| outcome.answer == answer);
            // Missing predictions are only listed if there are any.
            if answer.is_some() || share.proportion().count > 0 {
                kinds.push(ErrorKind { gold, answer, share });
            }
        }
    }
    Errors { values, errors: of(&|_| true, &wrong), answers, kinds }
}

impl Errors {
    /// The share of false neutrals among the errors; `None` in two-way scoring, which has no neutral.
    pub fn false_neutrals(&self) -> Option<ClusteredAccuracy> {
        let neutral: Judgment = Label::Neutral.into();
        self.answers.iter().find(|(answer, _)| *answer == neutral).map(|(_, share)| *share)
    }
}

impl ErrorsBy {
    /// The findings.
    pub fn sentences(&self) -> Vec<String> {
        let all = self.overall.errors.proportion();
        let mut sentences = Vec::new();
        let favourite = self.overall.answers.iter().max_by_key(|(_, share)| share.proportion().count);
        if let Some((answer, share_of_errors)) = favourite.filter(|(_, share)| share.proportion().count > 0) {
            let errors = counted(all.count as usize, "error");
            sentences.push(format!("The most frequent error is false {answer}: {} of {errors}.", clustered_share(share_of_errors)));
        } else {
            sentences.push(format!("There are no errors on {}.", counted(all.total as usize, "example")));
        }
        let neutral = |errors: &Errors| errors.false_neutrals().filter(|share| share.proportion().total > 0);
        let rate = |share: &ClusteredAccuracy| share.proportion().rate().unwrap_or(0.0);
        // A group with too few examples is not reported.
        let most = self.groups.iter().filter_map(|errors| Some((errors, neutral(errors)?)));
        let most = most.filter(|(_, share)| share.equal_clusters() >= SMALL_GROUP).max_by(|a, b| rate(&a.1).total_cmp(&rate(&b.1)));
        if let (Some((errors, found)), Some(overall)) = (most, neutral(&self.overall)) {
            sentences.push(format!(
                "False neutrals make up {} of the errors overall and are most frequent on {}: {}.",
                clustered_share(&overall),
                errors.values.join(" "),
                clustered_share(&found)
            ));
        }
        sentences
    }

    /// The error rate, the share of each predicted class among the errors, and of each predicted class among the errors on a gold class.
    pub fn measurements(&self, subject: Subject<'_>) -> Vec<Measurement> {
        let of_group = |errors: &Errors| {
            let tags = || self.tags.iter().map(String::as_str);
            let share = |counts: ClusteredAccuracy| {
                let found = subject.clustered(Metric::Errors, &counts);
                found.map(|found| if errors.values.is_empty() { found } else { found.of_group(tags(), &errors.values) })
            };
            // The error rate is a share of all examples.
            let all = share(errors.errors).into_iter();
            let by_answer = errors.answers.iter().filter_map(|(answer, counts)| Some(share(*counts)?.with("prediction", answer.name())));
            let kind = |kind: &ErrorKind| {
                let answer = kind.answer.map_or(MISSING, |answer| answer.name());
                Some(share(kind.share)?.with("gold", kind.gold.name()).with("prediction", answer))
            };
            all.chain(by_answer).chain(errors.kinds.iter().filter_map(kind)).collect::<Vec<_>>()
        };
        [&self.overall].into_iter().chain(&self.groups).flat_map(of_group).collect()
    }

    /// Errors by predicted label, and by gold label and predicted label.
    pub fn sections(&self) -> Vec<Section> {
        let keys: Vec<String> = if self.tags.is_empty() { vec!["examples".to_string()] } else { self.tags.clone() };
        let all = Errors { values: vec!["all".to_string(); keys.len()], ..self.overall.clone() };
        let everything: Vec<&Errors> = [&all].into_iter().chain(&self.groups).collect();
        let by_answer = everything.iter().map(|errors| {
            let names = errors.values.iter().map(Cell::text);
            let shares = errors.answers.iter().map(|(_, share)| Cell::of_group(share));
            names.chain([Cell::of_group(&errors.errors), count(errors.errors.proportion().count)]).chain(shares).collect()
        });
        let named: Vec<String> = self.overall.answers.iter().map(|(answer, _)| format!("false {answer}")).collect();
        let columns: Vec<&str> = ["error rate", "errors"].into_iter().chain(named.iter().map(String::as_str)).collect();
        let answers = ReportBlock::table(&keys, &columns, by_answer.collect());
        let by_kind = everything.iter().flat_map(|errors| errors.kinds.iter().map(move |kind| kind_row(&errors.values, kind))).collect();
        let columns = keys
            .iter()
            .map(TableColumn::left)
            .chain(["gold", "prediction"].map(TableColumn::left))
            .chain(["share of its errors", "errors"].map(TableColumn::right));
        let kinds = ReportBlock::Table(Table::new(keys.len() + 2, columns.collect(), by_kind));
        let note = "Errors on the examples of each gold label, by predicted label.".to_string();
        let unit = self.generalisation.sentence_of_sets();
        vec![
            Section::new(SectionId::Errors, "Errors by prediction", self.sentences(), vec![answers]).captioned([unit.clone()]),
            Section::new(SectionId::ErrorKinds, "Errors by gold label and prediction", Vec::new(), vec![kinds]).captioned([note, unit]),
        ]
    }
}

/// The name of a missing prediction.
const MISSING: &str = "missing";

fn kind_row(values: &[String], kind: &ErrorKind) -> Vec<Cell> {
    let answer = kind.answer.map_or(MISSING, |answer| answer.name());
    let names = values.iter().map(Cell::text).chain([Cell::text(kind.gold.name()), Cell::text(answer)]);
    names.chain([Cell::of_group(&kind.share), count(kind.share.proportion().count)]).collect()
}

/// Accuracy on entailed and non-entailed pairs, for each value of the tag `heuristic` (HANS, table 3).
pub fn by_heuristic(judged: &Judged<'_>) -> Result<Section, AnalysisError> {
    let mut rows: Vec<(String, [ClusteredAccuracy; 2])> = Vec::new();
    let outcomes: Vec<(ScoredAnswer, u32)> = judged.scored().map(|(_, outcome)| outcome).zip(judged.clusters()).collect();
    for slice in slices(judged, &[tag::HEURISTIC])? {
        let accuracy = |entailed: bool| {
            let chosen = slice.rows.iter().map(|&row| outcomes[row]).filter(|(outcome, _)| outcome.gold.is_entailment() == entailed);
            let (right, clusters): (Vec<bool>, Vec<u32>) = chosen.map(|(outcome, cluster)| (outcome.is_right(), cluster)).unzip();
            ClusteredAccuracy::of(&right, &clusters)
        };
        rows.push((slice.values.concat(), [accuracy(true), accuracy(false)]));
    }
    let lopsided =
        |[entailed, not]: &[ClusteredAccuracy; 2]| entailed.interval().low > 0.5 && not.proportion().total > 0 && not.interval().high < 0.5;
    let followed: Vec<&str> = rows.iter().filter(|(_, pair)| lopsided(pair)).map(|(name, _)| name.as_str()).collect();
    let mut notes = Vec::new();
    if !followed.is_empty() {
        notes.push(format!("Accuracy is above chance on entailed pairs and below chance on non-entailed pairs for {}.", listed(&followed)));
    }
    let cells = rows.iter().map(|(name, [entailed, not])| vec![Cell::text(name), Cell::of_group(entailed), Cell::of_group(not)]).collect();
    let caption = Generalisation::of([judged]).sentence_of_sets();
    let block = ReportBlock::table(&[tag::HEURISTIC], &[Label::Entailment.name(), Judgment::NotEntailment.name()], cells);
    Ok(Section::new(SectionId::GoldByHeuristic, "Entailed vs. non-entailed pairs by heuristic", notes, vec![block]).captioned([caption]))
}
