//! Reports as a folder with a page and all examples.

use crate::error::Error;
use crate::misleading::{LexicalWitness, with_band};
use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::html::{BrowserRow, ReportFolder};
use acidtest_evaluate::{Judged, ScoredAnswer};
use acidtest_files::{OutputFolder, Sealed};
use acidtest_nli::Example;
use std::path::Path;

/// Examples of one set with one model's predictions, for the page.
pub(crate) struct PageExamples<'a> {
    /// The set, and the model where there are several.
    pub set: String,
    /// The examples.
    pub examples: &'a [Example<'a>],
    /// The same examples, scored.
    pub judged: &'a Judged<'a>,
    /// What words alone say of them, where a lexical model was given.
    pub lexical: Option<&'a LexicalWitness>,
}

/// What our own pages say of themselves.
const GENERATOR: &str = "name=\"generator\" content=\"acidtest\"";

/// A report with its examples in a folder that is complete and not yet in its place, where it replaces an older report.
pub(crate) fn seal_page(folder: &Path, report: &Report, parts: &[PageExamples<'_>]) -> Result<Sealed, Error> {
    seal_folder(folder, report, |page| {
        for part in parts {
            for (place, example) in part.examples.iter().enumerate() {
                let misled = part.lexical.map_or(Ok(None), |lexical| lexical.misled(place, example))?;
                let tags = misled.as_ref().map_or_else(|| example.tags.clone(), |misled| with_band(&example.tags, misled));
                page(BrowserRow { tags: &tags, misled: misled.as_ref(), ..browser_row(part, place, example) })?;
            }
        }
        Ok(())
    })
}

/// The same with the examples that `fill` hands over.
pub(crate) fn seal_folder(
    folder: &Path,
    report: &Report,
    fill: impl FnOnce(&mut dyn FnMut(BrowserRow<'_>) -> Result<(), Error>) -> Result<(), Error>,
) -> Result<Sealed, Error> {
    check_page_folder(folder)?;
    let output = OutputFolder::create(folder)?;
    let mut page = ReportFolder::new(report, |name: &str, bytes: &[u8]| output.write(name, bytes));
    fill(&mut |row| Ok(page.add(row)?))?;
    page.finish()?;
    Ok(output.seal()?)
}

/// Refuses a folder that holds anything but an older report of ours.
pub fn check_page_folder(folder: &Path) -> Result<(), Error> {
    if !folder.exists() {
        return Ok(());
    }
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap_or_default();
    let empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if empty || page.contains(GENERATOR) {
        return Ok(());
    }
    Err(Error::NoReportFolder { path: folder.display().to_string() })
}

fn browser_row<'a>(part: &'a PageExamples<'_>, place: usize, example: &'a Example<'_>) -> BrowserRow<'a> {
    let prediction = part.judged.joined.predictions[place];
    BrowserRow {
        set: &part.set,
        id: &example.pair.id,
        premise: &example.pair.premise.text,
        hypothesis: &example.pair.hypothesis.text,
        gold: example.gold,
        answer: prediction.map(|prediction| prediction.answer),
        right: part.judged.outcomes[place].map(ScoredAnswer::is_right),
        scores: prediction.and_then(|prediction| prediction.scores),
        tags: &example.tags,
        changes: &example.changes,
        misled: None,
    }
}
