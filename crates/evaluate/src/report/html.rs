//! Reports as a folder whose `index.html` opens from disk in any browser.
//!
//! The page itself is whole without scripts and without its neighbours: sections, charts and tables are written into it. Beside it, in
//! `data/`, lie the rows for the example browser: their small facts (set, gold, answer, tags) as bytes, and their texts in chunks that
//! are fetched as they are looked at. Pages opened from disk may not read files but may run scripts, so the data are scripts too.
//!
//! Nothing here writes files: everything goes through a sink, and rows are let go of as soon as their chunk is full.

mod blocks;
mod charts;
mod curve;
mod escape;
mod facets;
mod measured;
mod rows;

use super::layout::provenance_lines;
use super::{Report, ReportBlock, Section, SectionId};
use acidtest_nli::{Change, Judgment, Label, Scores, Tags};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blocks::Page;
use escape::{escaped, slug};
use measured::Measured;
use rows::Rows;
use sha2::{Digest, Sha256};

/// One row for the example browser.
#[derive(Debug, Clone, Copy)]
pub struct BrowserRow<'a> {
    /// The set that the row belongs to.
    pub set: &'a str,
    /// The name of the row.
    pub id: &'a str,
    /// The sentence that is given as true.
    pub premise: &'a str,
    /// The sentence that is judged.
    pub hypothesis: &'a str,
    /// The right answer; `None` where there is none.
    pub gold: Option<Judgment>,
    /// The model's answer; `None` where it is missing.
    pub answer: Option<Judgment>,
    /// Whether the answer is right; `None` for a row without a gold label.
    pub right: Option<bool>,
    /// The model's scores, where it gives any.
    pub scores: Option<Scores>,
    /// Named facts about the row.
    pub tags: &'a Tags<'a>,
    /// What a challenge changed.
    pub changes: &'a [Change],
    /// How the words of the row mislead; `None` where they do not, or nobody looked.
    pub misled: Option<&'a MisleadingWords>,
}

/// How the words of a row mislead a model that sees nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct MisleadingWords {
    /// The lexically-misleading score.
    pub score: f64,
    /// The wrong label that the words speak for most.
    pub toward: Label,
    /// What the words make probable: entailment, neutral and contradiction.
    pub probabilities: [f64; 3],
    /// Words and pairs of words, the strongest first, each with how much more it speaks for the wrong label than for gold.
    pub features: Vec<(String, f64)>,
}

/// A report folder in the making: rows come one by one, files go to the sink as soon as they are full.
#[derive(Debug)]
pub struct ReportFolder<'a, Sink> {
    report: &'a Report,
    sink: Sink,
    rows: Rows,
}

impl<'a, Sink, Failure> ReportFolder<'a, Sink>
where
    Sink: FnMut(&str, &[u8]) -> Result<(), Failure>,
{
    /// Begins a folder; the sink takes each file's path below the folder (with `/`) and content, once.
    pub fn new(report: &'a Report, sink: Sink) -> Self {
        ReportFolder { report, sink, rows: Rows::default() }
    }

    /// Adds a row to the example browser.
    pub fn add(&mut self, row: BrowserRow<'_>) -> Result<(), Failure> {
        self.rows.add(row, &mut self.sink)
    }

    /// Gives out the last rows and the page; a report without rows is the page alone.
    pub fn finish(mut self) -> Result<(), Failure> {
        let facets = self.rows.finish(&mut self.sink)?;
        let page = Page { report: self.report, measured: Measured::of(self.report), facets: &facets };
        (self.sink)("index.html", page.html().as_bytes())
    }
}

const TEMPLATE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPTS: [&str; 4] =
    [include_str!("html/page.js"), include_str!("html/store.js"), include_str!("html/card.js"), include_str!("html/browser.js")];
const EXAMPLES: &str = include_str!("html/examples.html");

/// What the page may load: its own style and scripts, by their hashes, and the rows beside it. Chromium takes files that are opened from disk for
/// other places than the page, so that `file:` must be named.
fn policy(style: &str, scripts: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {} 'self' file:; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(scripts)
    )
}

impl Page<'_> {
    fn html(&self) -> String {
        let (mut contents, mut body, mut slugs) = (String::new(), String::new(), Vec::new());
        for section in self.report.sections.iter().filter(|section| section.id != SectionId::Verdict) {
            let anchor = unused(slug(&section.key()), &mut slugs);
            contents.push_str(&format!("<li><a href=\"#{anchor}\">{}</a></li>", escaped(&section.title)));
            body.push_str(&self.section(section, &anchor));
        }
        let rows = self.facets.rows > 0;
        if rows {
            contents.push_str("<li><a href=\"#examples\">Examples</a></li>");
        }
        contents.push_str("<li><a href=\"#provenance\">Provenance</a></li>");
        let manifest = self.facets.manifest();
        let scripts = format!("\n\"use strict\";\n{}", SCRIPTS[..if rows { SCRIPTS.len() } else { 1 }].join("\n"));
        let style = format!("\n{STYLE}");
        filled(TEMPLATE, |name| match name {
            "title" => escaped(&self.report.title),
            "policy" => policy(&style, &scripts),
            "style" => style.clone(),
            "contents" => contents.clone(),
            "verdict" => self.verdict(),
            "sections" => body.clone(),
            "examples" => if rows { EXAMPLES } else { "" }.to_string(),
            "provenance" => self.provenance(),
            "manifest" => manifest.clone(),
            "scripts" => scripts.clone(),
            other => unreachable!("the template has no place `{other}`"),
        })
    }

    /// What a reader should take away: the sentences of the section that is named so, and the figures of a first table of one row.
    fn verdict(&self) -> String {
        let sentences = self.report.sections.iter().filter(|section| section.id == SectionId::Verdict).flat_map(sentences);
        let mut lead: String = sentences.map(|sentence| format!("<p>{}</p>", escaped(sentence))).collect();
        if !lead.is_empty() {
            lead = format!("<div class=\"verdict\">{lead}</div>");
        }
        lead + &self.figures()
    }

    fn provenance(&self) -> String {
        let line = |(name, value): (String, String)| format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(&name), escaped(&value));
        provenance_lines(&self.report.provenance).into_iter().map(line).collect()
    }
}

fn sentences(section: &Section) -> impl Iterator<Item = &str> {
    let texts = section.blocks.iter().filter_map(|block| match block {
        ReportBlock::Text(text) => Some(text.text.as_str()),
        ReportBlock::Table(_) | ReportBlock::Bars(_) | ReportBlock::Matrix(_) | ReportBlock::Curve(_) => None,
    });
    section.notes.iter().map(String::as_str).chain(texts)
}

/// The name, or the name with a number where it stands on the page already.
fn unused(name: String, taken: &mut Vec<String>) -> String {
    let own = |name: &String| [TEMPLATE, EXAMPLES].iter().any(|part| part.contains(&format!("id=\"{name}\"")));
    let free = |name: &String| !own(name) && !taken.contains(name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let name = std::iter::once(name.clone()).chain(numbered).find(free).expect("there are more numbers than sections");
    taken.push(name.clone());
    name
}

/// The template with each `{{name}}` replaced, in one pass: what is put in is never looked at again.
fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("the template closes what it opens");
        page.push_str(before);
        page.push_str(&value(name));
        rest = after;
    }
    page + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(filled("a {{x}} b {{x}}", |name| format!("{{{{{name}}}}}")), "a {{x}} b {{x}}");
    }

    #[test]
    fn anchors_are_unique() {
        let mut taken = Vec::new();
        let names = ["overall", "overall", "examples", "count"].map(|name| unused(name.to_string(), &mut taken));
        assert_eq!(names, ["overall", "overall-2", "examples-2", "count-2"]);
    }
}
