//! Presets: the settings of published training recipes, by name.

use super::TrainingError;
use acidtest_nli::{Catalog, Named, Settings};
use serde_json::{Map, Value};

/// The models that a recipe is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetModels {
    /// Transformers that are fine-tuned.
    Transformers,
    /// A network or another trainable model, by its name.
    Named(&'static str),
}

/// A published training recipe.
#[derive(Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// For each kind of models, the settings that differ from the defaults or are part of the recipe, as `KEY=VALUE`.
    pub recipes: &'static [(PresetModels, &'static [&'static str])],
}

impl Named for Preset {
    fn name(&self) -> &str {
        self.name
    }
}

/// All presets.
pub static PRESETS: Catalog<Preset> = Catalog::new("preset", &[HANS]);

/// BERT as in the HANS paper, which used the code released with BERT; the settings are those that the authors name in later work.
const HANS: Preset = Preset {
    name: "hans",
    summary: "BERT as in the HANS paper: Adam without bias correction, at most 128 tokens",
    source: "McCoy et al. 2019; Devlin et al. 2019 (google-research/bert)",
    recipes: &[(
        PresetModels::Transformers,
        &[
            "epochs=3",
            "batch_size=32",
            "learning_rate=2e-5",
            "warmup_ratio=0.1",
            // The released code computes the line of the decay from the first step on.
            "schedule=linear-from-start",
            "weight_decay=0.01",
            "epsilon=1e-6",
            "bias_correction=off",
            "max_gradient_norm=1",
            "dropout=0.1",
            "max_length=128",
        ],
    )],
};

impl Preset {
    /// Its settings for these models, with the given ones on top; refused if it has no recipe for them.
    pub(crate) fn with(&self, models: PresetModels, given: &Map<String, Value>) -> Result<Map<String, Value>, TrainingError> {
        let Some((_, recipe)) = self.recipes.iter().find(|(own, _)| *own == models) else {
            return Err(TrainingError::OtherPreset { preset: self.name, models: self.models() });
        };
        let settings = Settings::parse(recipe.iter().copied())
            .map_err(|error| TrainingError::Setting { key: "preset".to_owned(), message: error.to_string() })?;
        let mut settings = settings.as_json().as_object().cloned().unwrap_or_default();
        settings.extend(given.clone());
        Ok(settings)
    }

    /// What it is for, in words.
    fn models(&self) -> String {
        let name = |(models, _): &(PresetModels, _)| match models {
            PresetModels::Transformers => "transformers".to_owned(),
            PresetModels::Named(name) => format!("`{name}`"),
        };
        self.recipes.iter().map(name).collect::<Vec<_>>().join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::FineTuningSettings;
    use acidtest_neural::BiasCorrection;

    #[test]
    fn every_recipe_is_accepted_by_its_models() {
        for preset in &PRESETS {
            for (models, recipe) in preset.recipes {
                let settings = preset.with(*models, &Map::new()).unwrap();
                assert_eq!(settings.len(), recipe.len(), "{}", preset.name);
                match models {
                    PresetModels::Transformers => drop(FineTuningSettings::of(&settings).unwrap()),
                    PresetModels::Named(name) => drop(crate::TRAINABLE.find(name).unwrap().with(&settings).unwrap()),
                }
            }
        }
    }

    #[test]
    fn given_settings_go_before_those_of_the_preset() {
        let given = Map::from_iter([("epochs".to_owned(), 1.into())]);
        let settings = FineTuningSettings::of(&HANS.with(PresetModels::Transformers, &given).unwrap()).unwrap();
        assert_eq!((settings.epochs, settings.bias_correction, settings.epsilon), (1, BiasCorrection::Off, 1e-6));
        let refused = HANS.with(PresetModels::Named("esim"), &Map::new()).unwrap_err().to_string();
        assert_eq!(refused, "the preset `hans` is for transformers; leave it out, or choose such a model");
    }
}
