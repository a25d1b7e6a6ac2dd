//! The results of entry points: the report, and everything it was made from.

use crate::asking::ModelPredictions;
use crate::error::Error;
use crate::misleading::LexicalWitness;
use crate::page::{PageExamples, PageTarget, seal_page};
use crate::sets::TestSet;
use acidtest_evaluate::analysis::diagnosis::HeuristicErrors;
use acidtest_evaluate::report::{Report, SectionId, json};
use acidtest_evaluate::{Item, Judged, Missing, Scoring};
use acidtest_files::{Sealed, publish_all};
use std::path::Path;

/// The results of a run, an evaluation or a comparison.
pub struct Results<'d> {
    /// The report.
    pub report: Report,
    /// The sets, the original examples first.
    pub sets: Vec<TestSet<'d>>,
    /// Every model's predictions for every set.
    pub predictions: Vec<ModelPredictions>,
    /// Which sections are details.
    pub is_detail: fn(&SectionId) -> bool,
    /// The predictions of a lexical model for the original examples, if one was given.
    pub(crate) lexical: Option<LexicalWitness>,
    /// The original examples on which each reference heuristic is wrong; empty if there is no text.
    pub(crate) heuristic_errors: Vec<HeuristicErrors>,
    pub(crate) missing: Missing,
    pub(crate) scoring: Option<Scoring>,
}

impl Results<'_> {
    /// Writes the report as a page with all examples; the folder appears complete or not at all.
    pub fn write_page(&self, folder: &Path) -> Result<(), Error> {
        Ok(publish_all(vec![self.seal_page(&PageTarget::folder(folder))?])?)
    }

    /// The same, complete but with a temporary name.
    pub(crate) fn seal_page(&self, page: &PageTarget) -> Result<Sealed, Error> {
        self.sealed(page, &[])
    }

    /// The same in a folder that also contains the report as JSON.
    pub(crate) fn seal_page_with_report(&self, page: &PageTarget) -> Result<Sealed, Error> {
        self.sealed(page, &[(REPORT_FILE, json::render(&self.report))])
    }

    fn sealed(&self, page: &PageTarget, beside: &[(&str, String)]) -> Result<Sealed, Error> {
        let items: Vec<Vec<Item<'_>>> = self.sets.iter().map(TestSet::items).collect();
        let judged = judge_all(&self.sets, &items, &self.predictions, (self.missing, self.scoring))?;
        let models = self.predictions.iter().map(|model| model.name.clone()).collect();
        let (lexical, heuristic_errors) = (self.lexical.as_ref(), &self.heuristic_errors[..]);
        let examples = PageExamples { models, sets: &self.sets, judged: &judged, lexical, heuristic_errors };
        seal_page(page, &self.report, &examples, beside)
    }
}

/// The report as JSON in the folder of a page.
const REPORT_FILE: &str = "report.json";

/// Joins and scores every model's predictions for every set; for each model, the sets in order.
///
/// Without a given rule, the gold labels determine how sets are scored; sets that are compared with each other share one rule.
pub(crate) fn judge_all<'a>(
    sets: &[TestSet<'_>],
    items: &'a [Vec<Item<'a>>],
    predictions: &'a [ModelPredictions],
    (missing, scoring): (Missing, Option<Scoring>),
) -> Result<Vec<Vec<Judged<'a>>>, Error> {
    let rules = scoring_rules(sets, scoring);
    let of = |model: &'a ModelPredictions| {
        let sets = sets.iter().zip(items).enumerate();
        sets.map(|(place, (set, items))| model.judged(place, set, items, (missing, Some(rules[place])))).collect()
    };
    predictions.iter().map(of).collect()
}

/// The rule by which each set is scored: the given one, or the one that follows from its gold labels. Sets that are compared share one.
pub(crate) fn scoring_rules(sets: &[TestSet<'_>], given: Option<Scoring>) -> Vec<Scoring> {
    let gold = |set: &TestSet<'_>| Scoring::for_gold(set.examples.iter().filter_map(|example| example.gold));
    let compared = sets.iter().filter(|set| set.is_compared()).flat_map(|set| set.examples.iter());
    let of_compared = Scoring::for_gold(compared.filter_map(|example| example.gold));
    sets.iter().map(|set| given.unwrap_or_else(|| if set.is_compared() { of_compared } else { gold(set) })).collect()
}
