//! Reports as a page, `index.html`, that opens from disk in any browser.
//!
//! The page itself works without scripts and without other files: it contains all sections, charts and tables. The examples are beside it in
//! `data/`: their filter values (set, gold label, predictions, tags) as bytes, and their texts in chunks that are loaded on demand. Pages opened
//! from disk may not read files but may run scripts, so the data files are scripts. A single-file page contains everything.
//!
//! Nothing here writes files: output goes through a sink, and examples are dropped as soon as their chunk is full.

mod charts;
mod codes;
mod curve;
mod escape;
mod examples;
mod facets;
mod figures;
mod links;
mod measured;
mod overview;
mod own_page;
mod prose;
mod scale;
mod sections;
mod tables;
mod terms;
mod texts;

pub use own_page::OwnPage;

use super::layout::provenance_lines;
use super::{Report, ReportBlock, Section, SectionId};
use acidtest_nli::{Change, Judgment, Label, Scores, Tags};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use escape::escaped;
use examples::{DataFile, Examples};
use facets::Facets;
use links::ExampleLink;
use measured::Measured;
use sections::{Fold, section};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// One example for the example browser.
#[derive(Debug, Clone, Copy)]
pub struct BrowserExample<'a> {
    /// The set that the example belongs to.
    pub set: &'a str,
    /// Its id.
    pub id: &'a str,
    /// The id of the example of the first set that it was made from.
    pub parent: Option<&'a str>,
    /// The premise.
    pub premise: &'a str,
    /// The hypothesis.
    pub hypothesis: &'a str,
    /// The gold label, if there is one.
    pub gold: Option<Judgment>,
    /// The prediction of each model of the page, in their order.
    pub predictions: &'a [BrowserPrediction],
    /// The tags of the example.
    pub tags: &'a Tags<'a>,
    /// What a challenge changed.
    pub changes: &'a [Change],
    /// How the words of the example mislead, if they do and it was computed.
    pub misled: Option<&'a MisleadingWords>,
}

/// A model's prediction for an example.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BrowserPrediction {
    /// The prediction as scored; `None` if it is missing.
    pub answer: Option<Judgment>,
    /// Whether it is correct; `None` for an unlabelled example.
    pub right: Option<bool>,
    /// Whether it differs from the prediction for the original; `None` without an original.
    pub changed: Option<bool>,
    /// The model's scores, if it gives any.
    pub scores: Option<Scores>,
}

/// The files of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageForm {
    /// `index.html` with the examples beside it, in `data/`.
    #[default]
    Folder,
    /// `index.html` alone, with the examples inside.
    SingleFile,
}

/// How the words of an example mislead a lexical model.
#[derive(Debug, Clone, PartialEq)]
pub struct MisleadingWords {
    /// The lexically-misleading score.
    pub score: f64,
    /// The wrong label with the highest probability.
    pub toward: Label,
    /// The probabilities of entailment, neutral and contradiction.
    pub probabilities: [f64; 3],
    /// Words and word pairs, the strongest first, each with its weight for the wrong label minus that for the gold label.
    pub features: Vec<(String, f64)>,
}

/// Writes a page: examples are added one by one, and files are passed to the sink as soon as they are full.
#[derive(Debug)]
pub struct ReportPage<'a, Sink> {
    report: &'a Report,
    form: PageForm,
    sink: Sink,
    examples: Examples,
    /// The examples of a page that is a single file.
    inlined: String,
}

impl<'a, Sink, Failure> ReportPage<'a, Sink>
where
    Sink: FnMut(&str, &[u8]) -> Result<(), Failure>,
{
    /// Begins a page; the sink receives each file once, as path below the folder (with `/`) and content.
    pub fn new(report: &'a Report, form: PageForm, sink: Sink) -> Self {
        ReportPage { report, form, sink, examples: Examples::default(), inlined: String::new() }
    }

    /// The same with the models whose predictions the examples have.
    pub fn of_models(self, models: impl IntoIterator<Item = String>) -> Self {
        ReportPage { examples: Examples::of_models(models.into_iter().collect()), ..self }
    }

    /// Adds an example to the example browser; an example that others are made from comes before them.
    pub fn add(&mut self, example: BrowserExample<'_>) -> Result<(), Failure> {
        let files = self.examples.add(&example);
        self.store(files)
    }

    /// Writes the last examples and the page.
    pub fn finish(mut self) -> Result<(), Failure> {
        let (files, facets) = std::mem::take(&mut self.examples).finish();
        self.store(files)?;
        let page = Page::new(self.report, &facets);
        (self.sink)("index.html", page.html(self.form, &self.inlined).as_bytes())
    }

    fn store(&mut self, files: Vec<DataFile>) -> Result<(), Failure> {
        for DataFile { kind, number, json } in files {
            match self.form {
                PageForm::Folder => {
                    (self.sink)(&format!("data/{kind}-{number}.js"), format!("acidtest.{kind}({number},{json});\n").as_bytes())?
                }
                PageForm::SingleFile => {
                    self.inlined.push_str(&format!("<script type=\"application/json\" id=\"data-{kind}-{number}\">{json}</script>\n"));
                }
            }
        }
        Ok(())
    }
}

/// The inputs of a page.
struct Page<'a> {
    report: &'a Report,
    measured: Measured<'a>,
    facets: &'a Facets,
    /// Phrases of sentences that link to examples.
    links: Vec<ExampleLink>,
    /// The glossary terms that the page links to.
    terms: RefCell<BTreeSet<&'static str>>,
}

const TEMPLATE: &str = include_str!("html/page.html");
const STYLES: [&str; 5] = [
    include_str!("html/style.css"),
    include_str!("html/tables.css"),
    include_str!("html/charts.css"),
    include_str!("html/examples.css"),
    include_str!("html/layout.css"),
];
const SCRIPTS: [&str; 5] = [
    include_str!("html/page.js"),
    include_str!("html/models.js"),
    include_str!("html/tables.js"),
    include_str!("html/figures.js"),
    include_str!("html/save.js"),
];
/// The parts that only a page with examples needs.
const BROWSER: [&str; 5] = [
    include_str!("html/store.js"),
    include_str!("html/card.js"),
    include_str!("html/filters.js"),
    include_str!("html/export.js"),
    include_str!("html/browser.js"),
];
const EXAMPLES: &str = include_str!("html/examples.html");

/// The content security policy: the page's own style and scripts, by their hashes, and the example files. Chromium treats files opened from disk
/// as another origin, so `file:` must be listed.
fn policy(style: &str, scripts: &str, form: PageForm) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let neighbours = match form {
        PageForm::Folder => " 'self' file:",
        PageForm::SingleFile => "",
    };
    format!(
        "default-src 'none'; style-src {}; script-src {}{neighbours}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(scripts)
    )
}

impl<'a> Page<'a> {
    fn new(report: &'a Report, facets: &'a Facets) -> Self {
        Page { report, measured: Measured::of(report), facets, links: ExampleLink::all(report, facets), terms: RefCell::default() }
    }

    fn html(&self, form: PageForm, inlined: &str) -> String {
        let lead = self.lead();
        let (mut contents, body) = self.topics();
        let has_examples = self.facets.examples > 0;
        if has_examples {
            contents.push_str("<li><a href=\"#examples\">Examples</a></li>");
        }
        contents.push_str("<li><a href=\"#provenance\">Provenance</a></li>");
        let glossary = self.glossary();
        if glossary.is_some() {
            contents.push_str("<li><a href=\"#glossary\">Glossary</a></li>");
        }
        let browser = if has_examples { &BROWSER[..] } else { &[] };
        let scripts = format!("\n\"use strict\";\n{}", SCRIPTS.iter().chain(browser).copied().collect::<Vec<_>>().join("\n"));
        let style = format!("\n{}", STYLES.join("\n"));
        filled(TEMPLATE, |name| match name {
            "title" => escaped(&self.report.title),
            "policy" => policy(&style, &scripts, form),
            "style" => style.clone(),
            "contents" => contents.clone(),
            "lead" => lead.clone(),
            "sections" => body.clone(),
            "examples" => if has_examples { EXAMPLES } else { "" }.to_string(),
            "provenance" => section("provenance", "Provenance", Fold::Closed, &self.provenance()),
            "glossary" => glossary.clone().unwrap_or_default(),
            "manifest" => self.facets.manifest(),
            "data" => inlined.to_string(),
            "scripts" => scripts.clone(),
            other => unreachable!("the template has no place `{other}`"),
        })
    }

    /// The first screen: the verdict and the figures of one model, beside one picture.
    fn lead(&self) -> String {
        let sections = self.report.sections.iter().filter(|section| section.id == SectionId::Verdict);
        let said = |section: &'a Section| sentences(section).map(|sentence| self.prose(sentence, section.model.as_deref()));
        let verdict: String = sections.flat_map(said).map(|sentence| format!("<p>{sentence}</p>")).collect();
        let verdict = if verdict.is_empty() { verdict } else { format!("<div class=\"verdict\">{verdict}</div>") };
        let (figures, overview) = (self.figures(), self.overview());
        format!("<div class=\"said\">{verdict}{figures}</div>{overview}")
    }

    fn provenance(&self) -> String {
        let line = |(name, value): (String, String)| format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(&name), escaped(&value));
        let lines: String = provenance_lines(&self.report.provenance).into_iter().map(line).collect();
        format!("<dl class=\"provenance\">{lines}</dl>")
    }
}

fn sentences(section: &Section) -> impl Iterator<Item = &str> {
    let texts = section.blocks.iter().filter_map(|block| match block {
        ReportBlock::Text(text) => Some(text.text.as_str()),
        ReportBlock::Table(_) | ReportBlock::Bars(_) | ReportBlock::Matrix(_) | ReportBlock::Curve(_) => None,
    });
    section.notes.iter().map(String::as_str).chain(texts)
}

/// Anchors that the page itself uses.
const OWN: [&str; 3] = ["overview", "provenance", "glossary"];

/// The name, with a number if it is already on the page.
fn unused(name: String, taken: &mut Vec<String>) -> String {
    let own =
        |name: &String| OWN.contains(&name.as_str()) || [TEMPLATE, EXAMPLES].iter().any(|part| part.contains(&format!("id=\"{name}\"")));
    let free = |name: &String| !own(name) && !taken.contains(name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let name = std::iter::once(name.clone()).chain(numbered).find(free).expect("there are more numbers than sections");
    taken.push(name.clone());
    name
}

/// The template with each `{{name}}` replaced, in one pass: inserted text is never expanded.
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
    fn inserted_text_is_not_expanded() {
        assert_eq!(filled("a {{x}} b {{x}}", |name| format!("{{{{{name}}}}}")), "a {{x}} b {{x}}");
    }

    #[test]
    fn anchors_are_unique() {
        let mut taken = Vec::new();
        let names = ["overall", "overall", "examples", "count"].map(|name| unused(name.to_string(), &mut taken));
        assert_eq!(names, ["overall", "overall-2", "examples-2", "count-2"]);
    }
}
