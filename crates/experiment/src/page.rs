//! Reports as a page with all examples.

use crate::error::Error;
use crate::misleading::{LexicalWitness, with_band};
use crate::sets::{Role, TestSet};
use acidtest_evaluate::analysis::diagnosis::HeuristicErrors;
use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::html::{BrowserExample, BrowserPrediction, PageForm, ReportPage};
use acidtest_evaluate::{Judged, ScoredAnswer};
use acidtest_files::{FileError, Output, OutputFolder, Sealed};
use acidtest_nli::{Judgment, tag};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Where a page is written, and whether its examples are in files beside it or inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTarget {
    /// The folder, or the file of a single-file page if it ends in `.html`.
    pub path: PathBuf,
    /// One file, or a folder.
    pub form: PageForm,
}

impl PageTarget {
    /// A folder with the examples beside the page.
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        PageTarget { path: path.into(), form: PageForm::Folder }
    }

    /// The page itself.
    pub fn index(&self) -> PathBuf {
        if self.is_file() { self.path.clone() } else { self.path.join("index.html") }
    }

    /// Whether the path names the page and not its folder.
    fn is_file(&self) -> bool {
        self.form == PageForm::SingleFile && self.path.extension().is_some_and(|end| end == OsStr::new("html"))
    }

    /// Refuses a path where anything but an older page exists.
    pub fn check(&self) -> Result<(), Error> {
        if !self.path.exists() {
            return Ok(());
        }
        let page = std::fs::read_to_string(self.index()).unwrap_or_default();
        let empty = std::fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none());
        if empty || page.contains(GENERATOR) {
            return Ok(());
        }
        Err(Error::NoReportFolder { path: self.path.display().to_string() })
    }

    /// The same check, which also refuses a path that cannot be written to.
    pub(crate) fn check_writable(&self) -> Result<(), Error> {
        self.check()?;
        if self.is_file() {
            Output::create(&self.path)?;
        } else {
            OutputFolder::create(&self.path)?;
        }
        Ok(())
    }
}

/// All sets with every model's predictions, for the page.
#[derive(Default)]
pub(crate) struct PageExamples<'a, 'd> {
    /// The models.
    pub models: Vec<String>,
    /// The sets, the original examples first.
    pub sets: &'a [TestSet<'d>],
    /// For each model, every scored set.
    pub judged: &'a [Vec<Judged<'a>>],
    /// The predictions of a lexical model for the original examples, if one was given.
    pub lexical: Option<&'a LexicalWitness>,
    /// The original examples on which each reference heuristic is wrong.
    pub heuristic_errors: &'a [HeuristicErrors],
}

/// The marker of our own pages.
const GENERATOR: &str = "name=\"generator\" content=\"acidtest\"";

/// A report with its examples, written completely under a temporary name; it then replaces an older report.
pub(crate) fn seal_page(
    target: &PageTarget,
    report: &Report,
    examples: &PageExamples<'_, '_>,
    beside: &[(&str, String)],
) -> Result<Sealed, Error> {
    seal_filled_beside(target, report, &examples.models, beside, |page| {
        let originals = Originals::of(examples);
        for (place, set) in examples.sets.iter().enumerate() {
            // Only the original examples have lexical scores.
            let lexical = examples.lexical.filter(|_| place == 0);
            for (number, example) in set.examples.iter().enumerate() {
                let misled = lexical.map_or(Ok(None), |lexical| lexical.misled(number, example))?;
                let mut tags = misled.as_ref().map_or_else(|| example.tags.clone(), |misled| with_band(&example.tags, misled));
                for errors in examples.heuristic_errors.iter().filter(|errors| place == 0 && errors.is_wrong[number]) {
                    tags.set(format!("{} heuristic", errors.heuristic), "wrong");
                }
                let parent = example.tags.get(tag::PARENT).filter(|_| set.role == Role::Perturbed);
                let original = parent.and_then(|parent| originals.find(parent, example.gold));
                let predictions: Vec<BrowserPrediction> =
                    examples.judged.iter().map(|judged| prediction(judged, (place, number), original)).collect();
                page(BrowserExample {
                    set: set.name(),
                    id: &example.pair.id,
                    parent,
                    premise: &example.pair.premise.text,
                    hypothesis: &example.pair.hypothesis.text,
                    gold: example.gold,
                    predictions: &predictions,
                    tags: &tags,
                    changes: &example.changes,
                    misled: misled.as_ref(),
                })?;
            }
        }
        Ok(())
    })
}

/// The same with the examples that `fill` supplies.
pub(crate) fn seal_filled(
    target: &PageTarget,
    report: &Report,
    models: &[String],
    fill: impl FnOnce(&mut dyn FnMut(BrowserExample<'_>) -> Result<(), Error>) -> Result<(), Error>,
) -> Result<Sealed, Error> {
    seal_filled_beside(target, report, models, &[], fill)
}

/// The same with these files beside the page, if it has a folder.
fn seal_filled_beside(
    target: &PageTarget,
    report: &Report,
    models: &[String],
    beside: &[(&str, String)],
    fill: impl FnOnce(&mut dyn FnMut(BrowserExample<'_>) -> Result<(), Error>) -> Result<(), Error>,
) -> Result<Sealed, Error> {
    target.check()?;
    if target.is_file() {
        let mut output = Output::create(&target.path)?;
        write_page(target.form, report, models, fill, |_: &str, bytes: &[u8]| output.write(bytes))?;
        return Ok(output.seal()?);
    }
    let output = OutputFolder::create(&target.path)?;
    write_page(target.form, report, models, fill, |name: &str, bytes: &[u8]| output.write(name, bytes))?;
    beside.iter().try_for_each(|(name, text)| output.write(name, text.as_bytes()))?;
    Ok(output.seal()?)
}

fn write_page(
    form: PageForm,
    report: &Report,
    models: &[String],
    fill: impl FnOnce(&mut dyn FnMut(BrowserExample<'_>) -> Result<(), Error>) -> Result<(), Error>,
    sink: impl FnMut(&str, &[u8]) -> Result<(), FileError>,
) -> Result<(), Error> {
    let mut page = ReportPage::new(report, form, sink).of_models(models.iter().cloned());
    fill(&mut |example| Ok(page.add(example)?))?;
    Ok(page.finish()?)
}

/// The indices of the original examples by id: examples of the same text may share an id and have different labels.
struct Originals<'a> {
    places: HashMap<(&'a str, Option<Judgment>), usize>,
}

impl<'a> Originals<'a> {
    fn of(examples: &'a PageExamples<'_, '_>) -> Self {
        let mut places = HashMap::new();
        for (place, example) in examples.sets.first().iter().flat_map(|set| set.examples.iter()).enumerate() {
            for gold in [example.gold, None] {
                places.entry((example.pair.id.as_ref(), gold)).or_insert(place);
            }
        }
        Originals { places }
    }

    fn find(&self, id: &str, gold: Option<Judgment>) -> Option<usize> {
        self.places.get(&(id, gold)).or_else(|| self.places.get(&(id, None))).copied()
    }
}

/// A model's prediction for an example of a set, and whether it differs from that for the original.
fn prediction(judged: &[Judged<'_>], (set, number): (usize, usize), original: Option<usize>) -> BrowserPrediction {
    let own = judged[set].outcomes[number];
    let before = original.and_then(|place| judged[0].outcomes[place]);
    let given = judged[set].joined.predictions[number];
    BrowserPrediction {
        answer: own.map_or(given.map(|given| given.answer), |own| own.answer),
        right: own.map(ScoredAnswer::is_right),
        changed: before.zip(own).map(|(before, own)| before.answer != own.answer),
        scores: given.and_then(|given| given.scores),
    }
}
