//! Reports as a page, `index.html`, that opens from disk in any browser.
//!
//! The page itself is complete without scripts and without its neighbours: sections, charts and tables are written into it. The examples lie
//! beside it in `data/`: their small facts (set, gold label, predictions, tags) as bytes, and their texts in chunks that are fetched as they
//! are looked at. Pages opened from disk may not read files but may run scripts, so the data are scripts too. A page of a single file has all of
//! it inside.
//!
//! Nothing here writes files: everything goes through a sink, and examples are let go of as soon as their chunk is full.

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
    /// The sentence that is given as true.
    pub premise: &'a str,
    /// The sentence that is judged.
    pub hypothesis: &'a str,
    /// The gold label; `None` where there is none.
    pub gold: Option<Judgment>,
    /// The prediction of each model of the page, in their order.
    pub predictions: &'a [BrowserPrediction],
    /// Named facts about the example.
    pub tags: &'a Tags<'a>,
    /// What a challenge changed.
    pub changes: &'a [Change],
    /// How the words of the example mislead; `None` where they do not, or nobody looked.
    pub misled: Option<&'a MisleadingWords>,
}

/// A model's prediction for an example.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BrowserPrediction {
    /// The prediction as it is scored; `None` where it is missing.
    pub answer: Option<Judgment>,
    /// Whether it is right; `None` for an example without a gold label.
    pub right: Option<bool>,
    /// Whether it is another one than that for the original; `None` where there is no original.
    pub changed: Option<bool>,
    /// The model's scores, where it gives any.
    pub scores: Option<Scores>,
}

/// How a page lies on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageForm {
    /// `index.html` with the examples beside it, in `data/`.
    #[default]
    Folder,
    /// `index.html` alone, with the examples inside.
    SingleFile,
}

/// How the words of an example mislead a model that sees nothing else.
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

/// A page in the making: examples come one by one, files go to the sink as soon as they are full.
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
    /// Begins a page; the sink takes each file's path below the folder (with `/`) and content, once.
    pub fn new(report: &'a Report, form: PageForm, sink: Sink) -> Self {
        ReportPage { report, form, sink, examples: Examples::default(), inlined: String::new() }
    }

    /// The same with the models whose predictions the examples come with.
    pub fn of_models(self, models: impl IntoIterator<Item = String>) -> Self {
        ReportPage { examples: Examples::of_models(models.into_iter().collect()), ..self }
    }

    /// Adds an example to the example browser; an example that others are made from comes before them.
    pub fn add(&mut self, example: BrowserExample<'_>) -> Result<(), Failure> {
        let files = self.examples.add(&example);
        self.store(files)
    }

    /// Gives out the last examples and the page.
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

/// What a page is made from.
struct Page<'a> {
    report: &'a Report,
    measured: Measured<'a>,
    facets: &'a Facets,
    /// Phrases of sentences that link to examples.
    links: Vec<ExampleLink>,
    /// The terms of the glossary that the page has links to.
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
/// What only a page with examples needs.
const BROWSER: [&str; 5] = [
    include_str!("html/store.js"),
    include_str!("html/card.js"),
    include_str!("html/filters.js"),
    include_str!("html/export.js"),
    include_str!("html/browser.js"),
];
const EXAMPLES: &str = include_str!("html/examples.html");

/// What the page may load: its own style and scripts, by their hashes, and the examples beside it. Chromium takes files that are opened from disk
/// for other places than the page, so that `file:` must be named.
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

    /// What a reader should take away: the sentences of the verdict and the figures of one model, beside one picture.
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

/// Anchors that the page gives to parts of its own.
const OWN: [&str; 3] = ["overview", "provenance", "glossary"];

/// The name, or the name with a number where it stands on the page already.
fn unused(name: String, taken: &mut Vec<String>) -> String {
    let own =
        |name: &String| OWN.contains(&name.as_str()) || [TEMPLATE, EXAMPLES].iter().any(|part| part.contains(&format!("id=\"{name}\"")));
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
