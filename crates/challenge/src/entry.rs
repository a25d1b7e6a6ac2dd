//! The catalog entry of a challenge.

use crate::{Case, ChallengeError, FromSentences, Generate, Resources, Rewrite, Select};
use acidtest_nli::{Named, SettingsError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A catalog entry of a challenge.
#[derive(Debug)]
pub struct ChallengeEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// The paper and section.
    pub source: &'static str,
    /// What it tests.
    pub family: Family,
    /// What it does to the gold label.
    pub label: LabelEffect,
    /// Its default settings in a run: enough examples to measure the effect, few enough to be fast.
    pub in_run: &'static [(&'static str, usize)],
    /// The resources it requires.
    pub needs: &'static [Need],
    /// The tags (or `gold`) by which its examples are split into separate sets for scoring.
    pub split_by: &'static [&'static str],
    /// Pairs that it changes and pairs that it does not apply to: documentation and tests at once.
    pub examples: &'static [Case],
    /// Its settings with their defaults; every valid key is included.
    pub defaults: fn() -> Value,
    /// How it is built from its settings.
    pub build: Build,
}

impl Named for ChallengeEntry {
    fn name(&self) -> &str {
        self.name
    }
}

/// How a challenge of each kind is built.
#[derive(Debug, Clone, Copy)]
pub enum Build {
    /// A challenge that rewrites the examples of a corpus.
    Rewrite(fn(&Request<'_>) -> Result<Box<dyn Rewrite>, ChallengeError>),
    /// A challenge that makes pairs from single sentences of a corpus.
    FromSentences(fn(&Request<'_>) -> Result<Box<dyn FromSentences>, ChallengeError>),
    /// A challenge that generates examples.
    Generate {
        /// Builds it.
        build: fn(&Request<'_>) -> Result<Box<dyn Generate>, ChallengeError>,
        /// The setting for the number of examples per part, if there is one.
        per_part: Option<PerPart>,
    },
    /// A challenge that selects examples of a corpus.
    Select(fn(&Request<'_>) -> Result<Box<dyn Select>, ChallengeError>),
}

/// The setting of a generator for the number of examples per part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerPart {
    /// Its key.
    pub setting: &'static str,
    /// The value that stands for all available examples.
    pub all: &'static str,
}

impl ChallengeEntry {
    /// The setting for the number of examples per part, if examples are generated and there is one.
    pub fn per_part(&self) -> Option<PerPart> {
        match self.build {
            Build::Generate { per_part, .. } => per_part,
            Build::Rewrite(_) | Build::FromSentences(_) | Build::Select(_) => None,
        }
    }

    /// Whether its examples are made from a corpus.
    pub fn reads_corpus(&self) -> bool {
        !matches!(self.build, Build::Generate { .. })
    }

    /// Whether its examples are made from single sentences, so that texts without hypotheses and labels can be used.
    pub fn reads_sentences(&self) -> bool {
        matches!(self.build, Build::FromSentences(_))
    }

    /// The required resource that is missing, if any.
    pub fn missing(&self, resources: &Resources) -> Option<Need> {
        self.needs.iter().copied().find(|need| match need {
            Need::LexicalModel => resources.scorer.is_none(),
            Need::WordClasses | Need::Analysis | Need::Names => false,
        })
    }
}

/// What a challenge is built from.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The name of its entry.
    pub name: &'static str,
    /// Its settings: the entry's defaults, overridden by what was given.
    pub settings: &'r Value,
    /// Whether to follow the paper or its authors' scripts.
    pub mode: Mode,
    /// The seed of all random choices.
    pub seed: u64,
    /// The available resources.
    pub resources: &'r Resources,
}

impl Request<'_> {
    /// The settings, deserialised to the challenge's own type.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T, SettingsError> {
        T::deserialize(self.settings).map_err(|error| self.refused(error.to_string()))
    }

    /// The error for an invalid value.
    pub fn refused(&self, message: impl Into<String>) -> SettingsError {
        SettingsError::Refused { component: self.name, message: message.into() }
    }
}

/// What a challenge tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Knowledge and reasoning: antonyms, numbers.
    Competence,
    /// Robustness to additions that do not change the meaning.
    Distraction,
    /// Robustness to spelling errors.
    Noise,
    /// Use of syntax rather than shortcuts.
    Structure,
    /// Understanding of how words combine.
    Composition,
}

impl Family {
    /// The name in lists and reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::Competence => "competence",
            Family::Distraction => "distraction",
            Family::Noise => "noise",
            Family::Structure => "structure",
            Family::Composition => "composition",
        }
    }
}

/// The effect of a challenge on the gold label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelEffect {
    /// The label of the original example is kept.
    Keeps,
    /// The challenge sets the label.
    Sets,
    /// The label of the original example is written, but is not claimed to be valid, so there is nothing to review or correct.
    Unclaimed,
}

/// A resource that a challenge requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Word classes; those of our tagger are used if the corpus has none.
    WordClasses,
    /// A parse; our own is used if the corpus has none, computed for many sentences at once.
    Analysis,
    /// Names and our own parse, even if the corpus has one; computed for many sentences at once.
    Names,
    /// A trained lexical model.
    LexicalModel,
}

impl Need {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Need::WordClasses => "word classes",
            Need::Analysis => "a parse",
            Need::Names => "names and a parse",
            Need::LexicalModel => "a trained lexical model",
        }
    }
}

/// Whether to follow the paper or its authors' scripts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Follows the paper.
    #[default]
    Clean,
    /// Reproduces the released sets with their quirks, so that results can be compared with the published ones.
    AsPublished,
}

impl Mode {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Clean => "clean",
            Mode::AsPublished => "as-published",
        }
    }
}
