//! The settings of fine-tuning a transformer.

use super::TrainingError;
use super::settings::as_given;
use acidtest_neural::parameters::ParameterUpdate;
use acidtest_neural::{BiasCorrection, Fall, Optimiser, Schedule, TrainerSettings};
use acidtest_nli::UnknownName;
use acidtest_transformers::FineTuning;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The learning rate schedule, after the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FineTuningSchedule {
    /// Linear decay to 0.
    Linear,
    /// Linear decay on a line that begins at the first step, so that the rate drops a little when the warm-up ends.
    LinearFromStart,
    /// Constant.
    Constant,
}

/// How the table of word embeddings is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordEmbeddings {
    /// All rows, at every step.
    Dense,
    /// The rows of the words in a batch.
    Rows,
    /// Not at all.
    Frozen,
}

/// The settings of fine-tuning; every field is a key of `--set`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FineTuningSettings {
    /// The maximum number of epochs.
    pub epochs: u32,
    /// The number of pairs that are processed together.
    pub batch_size: usize,
    /// The number of batches of an optimiser step, whose gradients are averaged over all their pairs.
    pub gradient_accumulation_steps: usize,
    /// The highest learning rate.
    pub learning_rate: f32,
    /// The share of the steps in which the learning rate rises from 0.
    pub warmup_ratio: f64,
    /// The learning rate schedule after that.
    pub schedule: FineTuningSchedule,
    /// AdamW's weight decay, for all weights but biases and norms.
    pub weight_decay: f32,
    /// AdamW's ε.
    pub epsilon: f32,
    /// Whether AdamW's moments are corrected for starting at 0.
    pub bias_correction: BiasCorrection,
    /// The maximum gradient norm; 0 for no limit.
    pub max_gradient_norm: f32,
    /// The learning rate of a layer as a share of that of the layer above.
    pub layer_decay: f32,
    /// The number of layers, from the lowest, that do not change; from 1 on, neither do the embeddings.
    pub frozen_layers: usize,
    /// How the table of word embeddings is updated.
    pub word_embeddings: WordEmbeddings,
    /// The dropout rate everywhere; that of config.json if unset.
    pub dropout: Option<f32>,
    /// The maximum number of tokens of a training pair; as many as the model reads if unset or larger.
    pub max_length: Option<usize>,
    /// The number of labels, 2 or 3; that of the model's own head if unset, or 3 if it has none.
    pub num_labels: Option<usize>,
    /// Early stopping: the number of epochs without improvement of the development accuracy; 0 to disable.
    pub patience: u32,
}

impl Default for FineTuningSettings {
    fn default() -> Self {
        FineTuningSettings {
            epochs: 3,
            batch_size: 32,
            gradient_accumulation_steps: 1,
            learning_rate: 2e-5,
            warmup_ratio: 0.1,
            schedule: FineTuningSchedule::Linear,
            weight_decay: 0.01,
            epsilon: 1e-8,
            bias_correction: BiasCorrection::On,
            max_gradient_norm: 1.0,
            layer_decay: 1.0,
            frozen_layers: 0,
            word_embeddings: WordEmbeddings::Dense,
            dropout: None,
            max_length: None,
            num_labels: None,
            patience: 0,
        }
    }
}

impl FineTuningSettings {
    /// The given settings; the others have their defaults.
    pub fn of(given: &Map<String, Value>) -> Result<Self, TrainingError> {
        let defaults = serde_json::to_value(FineTuningSettings::default())?;
        let keys: Vec<&str> = defaults.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let read = |given: Map<String, Value>| serde_json::from_value::<FineTuningSettings>(Value::Object(given));
        for (key, value) in given {
            if !keys.contains(&key.as_str()) {
                return Err(UnknownName::among("setting", keys.iter().copied(), key).into());
            }
            // Each setting is tried alone, so that the message can name the invalid one.
            let alone = read(Map::from_iter([(key.clone(), value.clone())]));
            alone.map_err(|error| TrainingError::Setting { key: key.clone(), message: error.to_string() })?;
        }
        let settings = read(given.clone())?;
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), TrainingError> {
        let least_one = "at least 1";
        let rate = "a number from 0 up to, not including, 1";
        let checks = [
            ("epochs", self.epochs > 0, self.epochs.to_string(), least_one),
            ("batch_size", self.batch_size > 0, self.batch_size.to_string(), least_one),
            ("gradient_accumulation_steps", self.gradient_accumulation_steps > 0, self.gradient_accumulation_steps.to_string(), least_one),
            (
                "learning_rate",
                self.learning_rate > 0.0 && self.learning_rate.is_finite(),
                self.learning_rate.to_string(),
                "a number above 0",
            ),
            ("warmup_ratio", (0.0..=1.0).contains(&self.warmup_ratio), self.warmup_ratio.to_string(), "a share from 0 to 1"),
            ("weight_decay", (0.0..1.0).contains(&self.weight_decay), self.weight_decay.to_string(), rate),
            ("epsilon", self.epsilon > 0.0 && self.epsilon < 1.0, self.epsilon.to_string(), "a number between 0 and 1"),
            (
                "max_gradient_norm",
                self.max_gradient_norm >= 0.0 && self.max_gradient_norm.is_finite(),
                self.max_gradient_norm.to_string(),
                "a number above 0, or 0 for no limit",
            ),
            ("layer_decay", self.layer_decay > 0.0 && self.layer_decay <= 1.0, self.layer_decay.to_string(), "a number above 0, at most 1"),
            ("dropout", self.dropout.is_none_or(|own| (0.0..1.0).contains(&own)), self.dropout.unwrap_or_default().to_string(), rate),
            (
                "num_labels",
                self.num_labels.is_none_or(|own| matches!(own, 2 | 3)),
                self.num_labels.unwrap_or_default().to_string(),
                "2 (entailment or not) or 3",
            ),
        ];
        match checks.into_iter().find(|(_, valid, ..)| !valid) {
            Some((key, _, found, expected)) => {
                Err(TrainingError::Setting { key: key.to_owned(), message: format!("invalid value {found}: expected {expected}") })
            }
            None => Ok(()),
        }
    }

    /// The settings for the trainer of a run of this many steps.
    pub(crate) fn trainer(&self, steps: u64) -> TrainerSettings {
        let optimiser = Optimiser::AdamW {
            first_decay: 0.9,
            second_decay: 0.999,
            epsilon: self.epsilon,
            weight_decay: self.weight_decay,
            bias_correction: self.bias_correction,
        };
        let fall = match self.schedule {
            FineTuningSchedule::Linear => Fall::AfterWarmUp,
            FineTuningSchedule::LinearFromStart => Fall::FromTheStart,
            FineTuningSchedule::Constant => Fall::Never,
        };
        let clip = if self.max_gradient_norm == 0.0 { None } else { Some(self.max_gradient_norm) };
        let schedule = Schedule::linear_with(self.warmup_ratio, steps.max(1), fall);
        TrainerSettings { optimiser, learning_rate: self.learning_rate, clip, schedule }
    }

    /// Which parameters learn, and how fast.
    pub(crate) fn layers(&self) -> FineTuning {
        let words = match self.word_embeddings {
            WordEmbeddings::Dense => ParameterUpdate::Dense,
            WordEmbeddings::Rows => ParameterUpdate::Rows,
            WordEmbeddings::Frozen => ParameterUpdate::Frozen,
        };
        FineTuning { layer_decay: self.layer_decay, frozen_layers: self.frozen_layers, words }
    }

    /// All settings as JSON, with as many digits as given.
    pub(crate) fn as_json(&self) -> Value {
        as_given(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Settings;

    fn settings(given: &[&str]) -> Result<FineTuningSettings, String> {
        let given = Settings::parse(given.iter().copied()).map_err(|error| error.to_string())?.as_json();
        FineTuningSettings::of(given.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_become_those_of_the_trainer() {
        assert_eq!(settings(&[]).unwrap(), FineTuningSettings::default());
        let given = settings(&["bias_correction=off", "schedule=linear-from-start", "max_gradient_norm=0", "warmup_ratio=0.2"]).unwrap();
        let TrainerSettings { optimiser, clip, schedule, .. } = given.trainer(10);
        assert!(matches!(optimiser, Optimiser::AdamW { bias_correction: BiasCorrection::Off, .. }));
        assert_eq!((clip, schedule), (None, Schedule::Linear { warm_up: 2, steps: 10, fall: Fall::FromTheStart }));
        let layers = settings(&["word_embeddings=rows", "frozen_layers=2", "layer_decay=0.9"]).unwrap().layers();
        assert_eq!(layers, FineTuning { layer_decay: 0.9, frozen_layers: 2, words: ParameterUpdate::Rows });
    }

    #[test]
    fn invalid_settings_are_named() {
        let check = |pair: &str, message: &str| {
            let refused = settings(&[pair]).unwrap_err();
            assert!(refused.contains(message), "{refused}");
        };
        check("warm_up_ratio=0.1", "unknown setting `warm_up_ratio`; did you mean `warmup_ratio`?");
        check("hidden=300", "unknown setting `hidden`");
        check("epochs=many", "setting `epochs`: invalid type: string \"many\", expected u32");
        check("epochs=0", "setting `epochs`: invalid value 0: expected at least 1");
        check("gradient_accumulation_steps=0", "setting `gradient_accumulation_steps`: invalid value 0: expected at least 1");
        check("learning_rate=0", "setting `learning_rate`: invalid value 0: expected a number above 0");
        check("warmup_ratio=1.5", "setting `warmup_ratio`: invalid value 1.5: expected a share from 0 to 1");
        check("weight_decay=-1", "setting `weight_decay`: invalid value -1: expected a number from 0 up to, not including, 1");
        check("epsilon=0", "setting `epsilon`: invalid value 0");
        check("layer_decay=0", "setting `layer_decay`: invalid value 0: expected a number above 0, at most 1");
        check("dropout=1", "setting `dropout`: invalid value 1: expected a number from 0 up to, not including, 1");
        check("num_labels=4", "setting `num_labels`: invalid value 4: expected 2 (entailment or not) or 3");
        check("word_embeddings=some", "setting `word_embeddings`: unknown variant `some`, expected one of `dense`, `rows`, `frozen`");
        check("bias_correction=no", "setting `bias_correction`: ");
    }
}
