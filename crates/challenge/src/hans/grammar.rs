//! Grammars as their authors write them: classes, phrases, subcases, templates.

mod error;
mod read;
mod tree;

pub use error::{GrammarError, GrammarProblem};
pub(super) use read::{nearest, unknown};
pub(super) use tree::{Bracket, Item, Slot, Source};

use super::frames::CorpusFrames;
use super::set::TemplateSet;
use crate::Mode;
use acidtest_nli::{Judgment, Named, UnknownName, find};

const BUILT_IN: &str = include_str!("../../data/hans/grammar.txt");

/// Word classes, phrases, subcases and templates, read from a file in the format of `docs/grammar.md`.
#[derive(Debug, Clone)]
pub struct Grammar {
    pub(super) path: String,
    pub(super) quirks: Vec<Quirk>,
    pub(super) classes: Vec<Class>,
    pub(super) phrases: Vec<Phrase>,
    pub(super) subcases: Vec<SubcaseEntry>,
}

/// A difference between a published set and its paper: reproduced in [`Mode::AsPublished`], corrected in [`Mode::Clean`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quirk {
    /// The name that lines of the grammar refer to.
    pub name: String,
    /// The difference.
    pub summary: String,
}

/// When a line applies: always, or with or without a quirk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum When {
    Always,
    With(String),
    Without(String),
}

impl When {
    pub(super) fn holds(&self, mode: Mode) -> bool {
        match self {
            When::Always => true,
            When::With(_) => mode == Mode::AsPublished,
            When::Without(_) => mode == Mode::Clean,
        }
    }
}

/// A part of the grammar, with its line and the mode in which it applies.
#[derive(Debug, Clone)]
pub(super) struct Line<T> {
    pub(super) number: usize,
    pub(super) when: When,
    pub(super) content: T,
}

#[derive(Debug, Clone)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) words: ClassWords,
}

#[derive(Debug, Clone)]
pub(super) enum ClassWords {
    Listed {
        tag: Option<String>,
        /// The class whose words these are inflected forms of, in the same order.
        forms_of: Option<String>,
        /// Each word is a list of leaves; a leaf may contain a space.
        words: Vec<Line<Vec<String>>>,
    },
    Union(Vec<String>),
}

#[derive(Debug, Clone)]
pub(super) struct Phrase {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) alternatives: Vec<Line<(f64, Bracket)>>,
}

#[derive(Debug, Clone)]
pub(super) struct SubcaseEntry {
    pub(super) name: String,
    pub(super) heuristic: String,
    pub(super) gold: Judgment,
    pub(super) line: usize,
    pub(super) templates: Vec<TemplateEntry>,
}

impl Named for SubcaseEntry {
    fn name(&self) -> &str {
        &self.name
    }
}

#[derive(Debug, Clone)]
pub(super) struct TemplateEntry {
    pub(super) id: String,
    pub(super) line: usize,
    pub(super) weight: f64,
    pub(super) variant: Option<String>,
    pub(super) pivot: Option<Pivot>,
    pub(super) premises: Vec<Line<Bracket>>,
    pub(super) hypotheses: Vec<Line<Bracket>>,
}

/// The word that a template is built around.
#[derive(Debug, Clone)]
pub(super) enum Pivot {
    Slot(String),
    Words(String),
}

impl Grammar {
    /// The names of the subcases, in order.
    pub fn subcase_names(&self) -> impl Iterator<Item = &str> {
        self.subcases.iter().map(|subcase| subcase.name.as_str())
    }

    /// The built-in grammar of HANS.
    pub fn built_in() -> Self {
        read::read(BUILT_IN, "the built-in grammar").expect("the built-in grammar is read by the tests")
    }

    /// Reads a grammar; `path` is its name in errors. Errors in either mode are detected.
    pub fn read(text: &str, path: &str) -> Result<Self, GrammarError> {
        let grammar = read::read(text, path)?;
        for mode in [Mode::Clean, Mode::AsPublished] {
            grammar.set_up(mode)?;
        }
        Ok(grammar)
    }

    /// The built-in grammar as text, as a starting point for users.
    pub fn built_in_text() -> &'static str {
        BUILT_IN
    }

    /// Prepares the grammar for generating and identifying pairs in a mode.
    pub fn set_up(&self, mode: Mode) -> Result<TemplateSet, GrammarError> {
        TemplateSet::new(self, mode, None)
    }

    /// The same without verbs that are too rare in a corpus in the frames that templates use. Phrases and templates keep their weights;
    /// those with such a verb in their trees are dropped. An empty class or subcase is an error.
    pub fn set_up_with_frames(&self, mode: Mode, frames: &CorpusFrames) -> Result<TemplateSet, GrammarError> {
        TemplateSet::new(self, mode, Some(frames))
    }

    /// The grammar with only these subcases (all if none is given), without the withheld ones.
    pub fn with_subcases(&self, names: &[String], withhold: &[String]) -> Result<Self, UnknownName> {
        for name in names.iter().chain(withhold) {
            find("subcase", &self.subcases, name)?;
        }
        let is_made = |subcase: &SubcaseEntry| (names.is_empty() || names.contains(&subcase.name)) && !withhold.contains(&subcase.name);
        let subcases = self.subcases.iter().filter(|subcase| is_made(subcase)).cloned().collect();
        Ok(Grammar { subcases, ..self.clone() })
    }

    /// The file, or its name in errors.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The differences between the published set and its paper.
    pub fn quirks(&self) -> &[Quirk] {
        &self.quirks
    }

    /// Whether every word of a class has a tag.
    pub(super) fn tags_all_words(&self, class: &Class) -> bool {
        match &class.words {
            ClassWords::Listed { tag, .. } => tag.is_some(),
            ClassWords::Union(parts) => {
                self.classes.iter().filter(|other| parts.contains(&other.name)).all(|part| self.tags_all_words(part))
            }
        }
    }

    pub(super) fn error(&self, line: usize, problem: GrammarProblem) -> GrammarError {
        GrammarError { path: self.path.clone(), line, problem }
    }
}
