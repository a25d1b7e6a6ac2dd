//! Which shortcuts a model uses: how often it follows reference heuristics, above all where they are wrong.
//!
//! Every good model follows a heuristic where it is right, so agreement alone says little. Two figures are informative: agreement beyond chance over all
//! examples (Cohen's kappa), and how often the model predicts the heuristic's label where that is wrong, compared with how often it makes the same
//! error where the heuristic does not apply. The verdict follows the rule of [`reliance`](super::reliance).

mod sections;

use super::reliance::Reliance;
use super::slices::{pick, slices};
use super::standing::{Informative, Standing};
use super::{AnalysisError, Candidate, Testing, require_same_rows};
use crate::generalisation::Generalisation;
use crate::scoring::{ScoredAnswer, Scoring};
use crate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference};
use crate::statistics::kappa::{self, Kappa};
use acidtest_nli::Judgment;

/// A heuristic and its labels for the examples.
#[derive(Debug, Clone, PartialEq)]
pub struct HeuristicAnswers<'a> {
    /// The name in reports.
    pub name: &'a str,
    /// What it assumes, in one line.
    pub description: &'a str,
    /// The pairs on which it is wrong, in the plural: `non-entailed pairs with full overlap`.
    pub wrong_where: &'a str,
    /// Its labels.
    pub answers: Availability,
}

/// Whether a heuristic could be applied.
#[derive(Debug, Clone, PartialEq)]
pub enum Availability {
    /// One label per example, labelled or not; `None` where the heuristic does not apply.
    Given(Vec<Option<Judgment>>),
    /// Something that it needs is missing.
    Skipped {
        /// What is missing, and what to do.
        reason: String,
    },
}

/// The diagnosis to make.
#[derive(Debug, Clone, Copy)]
pub struct Diagnosis<'a> {
    /// The models, with the same examples.
    pub candidates: &'a [Candidate<'a>],
    /// The heuristics.
    pub heuristics: &'a [HeuristicAnswers<'a>],
    /// Tags to break the followed errors down by, if any.
    pub by: &'a [String],
}

/// The result of a diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosisResult {
    /// The names of the models.
    pub models: Vec<String>,
    /// How the predictions were scored.
    pub scoring: Scoring,
    /// The heuristics that could be applied, in the order given.
    pub heuristics: Vec<HeuristicResult>,
    /// The names of the skipped heuristics, with the reason.
    pub skipped: Vec<(String, String)>,
    /// The tags of the breakdown.
    pub by: Vec<String>,
    /// How the heuristics got their labels, as far as readers should know, in sentences.
    pub notes: Vec<String>,
    /// What the intervals generalise to.
    pub generalisation: Generalisation,
    /// Whether verdicts use templates as clusters, so that they generalise to new templates.
    pub over_templates: bool,
}

/// One heuristic, and how often each model follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct HeuristicResult {
    /// Its name.
    pub name: String,
    /// What it assumes.
    pub description: String,
    /// The pairs on which it is wrong.
    pub wrong_where: String,
    /// Its only label, if it has only one.
    pub only_answer: Option<Judgment>,
    /// Examples that it applies to, of all labelled examples.
    pub applies: ClusteredAccuracy,
    /// Its accuracy on the examples that it applies to.
    pub accuracy: ClusteredAccuracy,
    /// For each example of the data, whether the heuristic predicts another label than gold.
    pub is_wrong: Vec<bool>,
    /// One entry per model.
    pub models: Vec<Following>,
}

/// The examples on which a heuristic is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeuristicErrors {
    /// The name of the heuristic.
    pub heuristic: String,
    /// For each example of the data, whether the heuristic predicts another label than gold.
    pub is_wrong: Vec<bool>,
}

/// How often a model follows a heuristic.
#[derive(Debug, Clone, PartialEq)]
pub struct Following {
    /// Agreement beyond chance; `None` if the heuristic gives all examples the same label.
    pub kappa: Option<Kappa>,
    /// The share of the heuristic's label among the model's predictions, where the heuristic is right.
    pub where_right: ClusteredAccuracy,
    /// The same where the heuristic is wrong.
    pub where_wrong: ClusteredAccuracy,
    /// How often the model wrongly predicts the heuristic's only label where the heuristic does not apply; `None` for a heuristic with several labels.
    pub elsewhere: Option<ClusteredAccuracy>,
    /// The share of the heuristic's label among the model's errors where the heuristic is wrong too; chance is one half. `None` in two-way
    /// scoring, which has only one wrong label.
    pub errors_toward: Option<ClusteredAccuracy>,
    /// Whether the model relies on the heuristic; with templates as clusters if examples are generated from them.
    pub reliance: Reliance,
    /// How often it is followed where it is wrong, by the values of the tags.
    pub groups: Vec<(Vec<String>, ClusteredAccuracy)>,
}

impl DiagnosisResult {
    /// The heuristics with the examples on which each is wrong.
    pub fn heuristic_errors(self) -> Vec<HeuristicErrors> {
        self.heuristics.into_iter().map(|one| HeuristicErrors { heuristic: one.name, is_wrong: one.is_wrong }).collect()
    }
}

impl Diagnosis<'_> {
    /// Compares every model with every heuristic.
    pub fn diagnose(&self) -> Result<DiagnosisResult, AnalysisError> {
        require_same_rows(self.candidates)?;
        let judged = self.candidates[0].judged;
        if judged.scored().next().is_none() {
            return Err(AnalysisError::NoLabelledRows { rows: judged.outcomes.len() });
        }
        let standing = |candidate: &Candidate<'_>| {
            let found = Standing::of(candidate.judged, &Testing::default())?;
            Ok::<_, AnalysisError>(found.map_or(Informative::Yes, |found| found.informative()))
        };
        let informative: Vec<Informative> = self.candidates.iter().map(standing).collect::<Result<_, _>>()?;
        let (mut heuristics, mut skipped) = (Vec::new(), Vec::new());
        for heuristic in self.heuristics {
            match &heuristic.answers {
                Availability::Skipped { reason } => skipped.push((heuristic.name.to_string(), reason.clone())),
                Availability::Given(answers) => heuristics.push(self.found(heuristic, answers, &informative)?),
            }
        }
        let models = self.candidates.iter().map(|candidate| candidate.name.to_string()).collect();
        Ok(DiagnosisResult {
            models,
            scoring: self.candidates[0].judged.scoring,
            heuristics,
            skipped,
            by: self.by.to_vec(),
            notes: Vec::new(),
            generalisation: Generalisation::of([judged]),
            over_templates: judged.templates().is_some(),
        })
    }

    fn found(
        &self,
        heuristic: &HeuristicAnswers<'_>,
        answers: &[Option<Judgment>],
        informative: &[Informative],
    ) -> Result<HeuristicResult, AnalysisError> {
        let judged = self.candidates[0].judged;
        if answers.len() != judged.outcomes.len() {
            let what = format!("answers of the heuristic `{}`", heuristic.name);
            return Err(AnalysisError::NotBesideRows { what, expected: judged.outcomes.len(), found: answers.len() });
        }
        let labelled = answers.iter().zip(&judged.outcomes).filter_map(|(answer, outcome)| outcome.map(|outcome| (*answer, outcome)));
        let said: Vec<Option<Judgment>> =
            labelled.clone().map(|(answer, _)| answer.map(|answer| as_class(answer, judged.scoring))).collect();
        let gold: Vec<Judgment> = labelled.map(|(_, outcome)| outcome.gold).collect();
        let mut different: Vec<Judgment> = said.iter().copied().flatten().collect();
        different.sort_unstable();
        different.dedup();
        let only_answer = if let [only] = different[..] { Some(only) } else { None };
        let clusters = judged.clusters();
        let applies: Vec<bool> = said.iter().map(Option::is_some).collect();
        let (right, of_right): (Vec<bool>, Vec<u32>) =
            said.iter().zip(&gold).zip(&clusters).filter_map(|((said, gold), &cluster)| said.map(|said| (said == *gold, cluster))).unzip();
        let mut models = Vec::new();
        for (candidate, informative) in self.candidates.iter().zip(informative) {
            models.push(self.following(candidate, &said, (&gold, only_answer), *informative)?);
        }
        Ok(HeuristicResult {
            name: heuristic.name.to_string(),
            description: heuristic.description.to_string(),
            wrong_where: heuristic.wrong_where.to_string(),
            only_answer,
            applies: ClusteredAccuracy::of(&applies, &clusters),
            accuracy: ClusteredAccuracy::of(&right, &of_right),
            is_wrong: answers.iter().zip(&judged.outcomes).map(|(answer, outcome)| is_error(*answer, *outcome, judged.scoring)).collect(),
            models,
        })
    }

    fn following(
        &self,
        candidate: &Candidate<'_>,
        said: &[Option<Judgment>],
        (gold, only): (&[Judgment], Option<Judgment>),
        informative: Informative,
    ) -> Result<Following, AnalysisError> {
        let judged = candidate.judged;
        let outcomes: Vec<ScoredAnswer> = judged.scored().map(|(_, outcome)| outcome).collect();
        let follows = |row: usize| outcomes[row].answer == said[row];
        let rows = |wanted: &dyn Fn(usize) -> bool| (0..said.len()).filter(|&row| wanted(row)).collect::<Vec<usize>>();
        let clusters = judged.clusters();
        // Only new templates say something about a shortcut in general.
        let general = judged.templates();
        let general = general.as_deref().unwrap_or(&clusters);
        let share = |clusters: &[u32], rows: &[usize], rule: &dyn Fn(usize) -> bool| {
            ClusteredAccuracy::of(&rows.iter().map(|&row| rule(row)).collect::<Vec<bool>>(), &pick(clusters, rows))
        };
        let rate = |rows: &[usize], rule: &dyn Fn(usize) -> bool| share(&clusters, rows, rule);
        let wrong = rows(&|row| said[row].is_some_and(|said| said != gold[row]));
        let right = rows(&|row| said[row] == Some(gold[row]));
        let elsewhere = only.map(|only| (only, rows(&|row| said[row].is_none() && gold[row] != only)));
        let errs = |row: usize| !outcomes[row].is_right();
        let reliance = match &elsewhere {
            Some((only, elsewhere)) => {
                let without = share(general, elsewhere, &|row| outcomes[row].answer == Some(*only));
                Reliance::of_shares(&share(general, &wrong, &follows), &without)
            }
            None if judged.scoring == Scoring::ThreeWay => {
                let of = |rule: &dyn Fn(usize) -> bool| wrong.iter().map(|&row| rule(row)).collect::<Vec<bool>>();
                let other = |row: usize| outcomes[row].answer.is_some() && errs(row) && !follows(row);
                Reliance::of_wrong_answers(&ClusteredDifference::of(&of(&follows), &of(&other), &pick(general, &wrong))?)
            }
            None => Reliance::of_shares(&share(general, &wrong, &follows), &share(general, &right, &errs)),
        };
        let reliance = reliance.given(informative);
        let elsewhere = elsewhere.map(|(only, rows)| rate(&rows, &|row| outcomes[row].answer == Some(only)));
        let errors_toward = (judged.scoring == Scoring::ThreeWay).then(|| {
            let errors: Vec<usize> =
                wrong.iter().copied().filter(|&row| outcomes[row].answer.is_some_and(|answer| answer != gold[row])).collect();
            rate(&errors, &follows)
        });
        let mut groups = Vec::new();
        if !self.by.is_empty() {
            for slice in slices(judged, self.by)? {
                let part: Vec<usize> = slice.rows.into_iter().filter(|row| wrong.binary_search(row).is_ok()).collect();
                groups.push((slice.values, rate(&part, &follows)));
            }
        }
        Ok(Following {
            kappa: beyond_chance(&outcomes, said, only, judged.scoring)?,
            where_right: rate(&right, &follows),
            where_wrong: rate(&wrong, &follows),
            elsewhere,
            errors_toward,
            reliance,
            groups,
        })
    }
}

/// A heuristic's label as a class of the scoring rule.
fn as_class(answer: Judgment, scoring: Scoring) -> Judgment {
    match scoring {
        Scoring::ThreeWay => answer,
        Scoring::MergedAnswers | Scoring::SummedScores if answer.is_entailment() => answer,
        Scoring::MergedAnswers | Scoring::SummedScores => Judgment::NotEntailment,
    }
}

/// Whether a heuristic's label, if it has one for this example, is not the gold label.
fn is_error(answer: Option<Judgment>, outcome: Option<ScoredAnswer>, scoring: Scoring) -> bool {
    answer.zip(outcome).is_some_and(|(answer, outcome)| as_class(answer, scoring) != outcome.gold)
}

/// Kappa of model and heuristic. A heuristic with a single label counts as "not this label" wherever it does not apply; otherwise, examples that it does
/// not apply to are excluded. Examples without a prediction are excluded.
fn beyond_chance(
    outcomes: &[ScoredAnswer],
    said: &[Option<Judgment>],
    only: Option<Judgment>,
    scoring: Scoring,
) -> Result<Option<Kappa>, AnalysisError> {
    let mut table = [[0u64; 3]; 3];
    let classes = scoring.classes();
    let place = |judgment: Judgment| classes.iter().position(|class| *class == judgment);
    for (outcome, said) in outcomes.iter().zip(said) {
        let Some(answer) = outcome.answer else { continue };
        let cell = match only {
            Some(only) => Some((usize::from(*said != Some(only)), usize::from(answer != only))),
            None => said.and_then(|said| Some((place(said)?, place(answer)?))),
        };
        if let Some((said, answered)) = cell {
            table[said][answered] += 1;
        }
    }
    let used = table.iter().filter(|row| row.iter().any(|&count| count > 0)).count();
    // A rater who always gives the same label agrees exactly as often as by chance.
    if used < 2 {
        return Ok(None);
    }
    Ok(Some(kappa::cohen(&table)?))
}
