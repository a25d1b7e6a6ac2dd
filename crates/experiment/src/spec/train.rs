//! A training: which model, on what, and where it is written.

use super::{DataSpec, SpecError};
use crate::training::{Augmentation, ExampleAmount, Redraw, WordOrder};
use acidtest_nli::{Label, Settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// A model to train.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainSpec {
    /// The name of the model.
    pub model: String,
    /// Settings of the model and of its training.
    pub settings: Map<String, Value>,
    /// Examples to learn from.
    pub train: DataSpec,
    /// Corpora of which every epoch draws a share.
    pub mix: Vec<MixSpec>,
    /// Examples to choose settings by, and to know when to stop.
    pub dev: DataSpec,
    /// Challenge examples to add.
    pub augment: Vec<AugmentSpec>,
    /// Word vectors to begin with.
    pub embeddings: Option<PathBuf>,
    /// Whether the words of every sentence are put in random order.
    pub word_order: WordOrder,
    /// The seed of all random choices.
    pub seed: u64,
    /// Minutes between checkpoints.
    pub checkpoint_minutes: f64,
    /// The folder of the model.
    pub output: PathBuf,
}

impl Default for TrainSpec {
    fn default() -> Self {
        TrainSpec {
            model: String::new(),
            settings: Map::new(),
            train: DataSpec::default(),
            mix: Vec::new(),
            dev: DataSpec::default(),
            augment: Vec::new(),
            embeddings: None,
            word_order: WordOrder::default(),
            seed: 1,
            checkpoint_minutes: 3.0,
            output: PathBuf::new(),
        }
    }
}

/// A corpus of which every epoch draws a share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixSpec {
    /// The file.
    pub file: PathBuf,
    /// The share, above 0 and at most 1.
    pub share: f64,
}

impl MixSpec {
    /// Reads `FILE=SHARE`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let wrong = || SpecError::new("mix", text, "FILE=SHARE with a share above 0, at most 1");
        let (file, share) = text.rsplit_once('=').filter(|(file, _)| !file.is_empty()).ok_or_else(wrong)?;
        let share: f64 = share.trim().parse().ok().filter(|share| *share > 0.0 && *share <= 1.0).ok_or_else(wrong)?;
        Ok(MixSpec { file: PathBuf::from(file), share })
    }
}

/// Challenge examples that are added to the training examples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AugmentSpec {
    /// The challenge.
    pub challenge: String,
    /// Its settings, on top of its defaults.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// How many examples.
    pub examples: ExampleAmount,
    /// When they are drawn.
    #[serde(default)]
    pub redraw: Redraw,
    /// What a pair of a two-way challenge is learned as that is not entailed.
    #[serde(default = "neutral")]
    pub not_entailed: Label,
}

fn neutral() -> Label {
    Label::Neutral
}

impl AugmentSpec {
    /// Reads `CHALLENGE=EXAMPLES`, where the examples are a number, a share such as `0.5`, or `all`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let wrong = || SpecError::new("augment", text, "CHALLENGE=EXAMPLES, such as negation=5000, negation=0.5 or negation=all");
        let (challenge, examples) = text.split_once('=').ok_or_else(wrong)?;
        let examples = match examples.trim() {
            "all" => ExampleAmount::All,
            number => match (number.parse::<usize>(), number.parse::<f64>()) {
                (Ok(count), _) if count > 0 => ExampleAmount::Count(count),
                (Err(_), Ok(share)) if share > 0.0 && share <= 1.0 => ExampleAmount::Share(share),
                _ => return Err(wrong()),
            },
        };
        let challenge = challenge.to_string();
        Ok(AugmentSpec { challenge, settings: Map::new(), examples, redraw: Redraw::Once, not_entailed: neutral() })
    }

    /// What the training does with it.
    pub(crate) fn augmentation(&self) -> Augmentation {
        Augmentation {
            challenge: self.challenge.clone(),
            settings: Settings::from_map(self.settings.clone()),
            examples: self.examples,
            redraw: self.redraw,
            not_entailed: self.not_entailed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_numbers_shares_or_all() {
        let amount = |text: &str| AugmentSpec::parse(text).map(|spec| spec.examples).map_err(|error| error.field);
        assert_eq!(amount("negation=5000"), Ok(ExampleAmount::Count(5000)));
        assert_eq!(amount("negation=0.5"), Ok(ExampleAmount::Share(0.5)));
        assert_eq!(amount("negation=all"), Ok(ExampleAmount::All));
        for wrong in ["negation", "negation=0", "negation=-1", "negation=1.5", "negation=some"] {
            assert_eq!(amount(wrong), Err("augment".to_string()), "{wrong}");
        }
    }
}
