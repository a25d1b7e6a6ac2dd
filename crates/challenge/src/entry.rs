//! What the catalog says of a challenge.

use crate::{Case, ChallengeError, FromSentences, Generate, Resources, Rewrite, Select};
use acidtest_nli::{Named, SettingsError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A challenge as the catalog lists it.
#[derive(Debug)]
pub struct ChallengeEntry {
    /// The name that users type.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// What it tests.
    pub family: Family,
    /// What it does to the gold label.
    pub label: LabelEffect,
    /// Settings for a run that says nothing else: enough examples to see what it shows, few enough to be quick.
    pub in_run: &'static [(&'static str, usize)],
    /// What must be at hand before it can be made.
    pub needs: &'static [Need],
    /// The tags (or `gold`) by which its examples are split into sets of their own where sets are scored.
    pub split_by: &'static [&'static str],
    /// What it makes and what it leaves alone: documentation and tests at once.
    pub examples: &'static [Case],
    /// Its settings with their defaults; every key that can be set is there.
    pub defaults: fn() -> Value,
    /// Makes it from its settings.
    pub build: Build,
}

impl Named for ChallengeEntry {
    fn name(&self) -> &str {
        self.name
    }
}

/// Makes a challenge of one kind from what it is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Build {
    /// One that rewrites the examples of a corpus.
    Rewrite(fn(&Request<'_>) -> Result<Box<dyn Rewrite>, ChallengeError>),
    /// One that makes pairs from the single sentences of a corpus.
    FromSentences(fn(&Request<'_>) -> Result<Box<dyn FromSentences>, ChallengeError>),
    /// One that generates examples.
    Generate {
        /// Makes it.
        build: fn(&Request<'_>) -> Result<Box<dyn Generate>, ChallengeError>,
        /// The setting for the number of examples of each of its parts, where there is one.
        per_part: Option<PerPart>,
    },
    /// One that selects examples of a corpus.
    Select(fn(&Request<'_>) -> Result<Box<dyn Select>, ChallengeError>),
}

/// The setting of a generator for the number of examples of each of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerPart {
    /// Its key.
    pub setting: &'static str,
    /// Its value for all the examples there are.
    pub all: &'static str,
}

impl ChallengeEntry {
    /// The setting for the number of examples of each part, where the examples are generated and there is one.
    pub fn per_part(&self) -> Option<PerPart> {
        match self.build {
            Build::Generate { per_part, .. } => per_part,
            Build::Rewrite(_) | Build::FromSentences(_) | Build::Select(_) => None,
        }
    }

    /// Whether it makes its examples from those of a corpus.
    pub fn reads_corpus(&self) -> bool {
        !matches!(self.build, Build::Generate { .. })
    }

    /// Whether it makes its examples from single sentences, so that texts without hypotheses and labels will serve.
    pub fn reads_sentences(&self) -> bool {
        matches!(self.build, Build::FromSentences(_))
    }

    /// What it needs and is not at hand, if anything.
    pub fn missing(&self, resources: &Resources) -> Option<Need> {
        self.needs.iter().copied().find(|need| match need {
            Need::LexicalModel => resources.scorer.is_none(),
            Need::WordClasses | Need::Analysis | Need::Names => false,
        })
    }
}

/// What a challenge is made from.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The name of its entry.
    pub name: &'static str,
    /// Its settings: the entry's defaults, overridden by what was given.
    pub settings: &'r Value,
    /// What the paper means, or what its authors did.
    pub mode: Mode,
    /// The seed of all random choices.
    pub seed: u64,
    /// What else is at hand.
    pub resources: &'r Resources,
}

impl Request<'_> {
    /// The settings as the challenge's own type.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T, SettingsError> {
        T::deserialize(self.settings).map_err(|error| self.refused(error.to_string()))
    }

    /// The error of a value that the challenge cannot take.
    pub fn refused(&self, message: impl Into<String>) -> SettingsError {
        SettingsError::Refused { component: self.name, message: message.into() }
    }
}

/// What a challenge tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Knowledge and reasoning: antonyms, numbers.
    Competence,
    /// Whether something that changes nothing leads a model astray.
    Distraction,
    /// Whether a model reads through errors.
    Noise,
    /// Whether a model reads syntax or takes shortcuts.
    Structure,
    /// Whether a model reads how words are put together.
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

/// What a challenge does to the gold label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelEffect {
    /// The label of the example it was made from holds.
    Keeps,
    /// The challenge says what the label is.
    Sets,
    /// The label of the example it was made from is written, and nobody claims that it holds: there is nothing to review or to correct.
    Unclaimed,
}

/// What must be at hand before a challenge can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Word classes; ours are used where the corpus has none.
    WordClasses,
    /// A parse; ours is used where the corpus has none, made for many sentences at once.
    Analysis,
    /// Names and our own parse, whatever parse the corpus has; made for many sentences at once.
    Names,
    /// A trained lexical model.
    LexicalModel,
}

impl Need {
    /// What it is, in messages.
    pub fn name(self) -> &'static str {
        match self {
            Need::WordClasses => "word classes",
            Need::Analysis => "a parse",
            Need::Names => "names and a parse",
            Need::LexicalModel => "a trained lexical model",
        }
    }
}

/// What the paper means, or what its authors' scripts did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// What the paper means.
    #[default]
    Clean,
    /// The released sets with their quirks, so that numbers can be compared with the paper's.
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
