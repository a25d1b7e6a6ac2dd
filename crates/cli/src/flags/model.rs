//! Flags for querying models and reading predictions.

use super::DataFlags;
use acidtest_experiment::spec::{ModelSpec, give_setting, give_settings};
use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;

/// How predictions are read.
#[derive(Args)]
pub(crate) struct PredictionFlags {
    /// Order of numbered labels and score lists in the predictions, such as `C,E,N`
    ///
    /// Label names are remapped as well: entailment, neutral and contradiction are read as 0, 1 and 2 of this order. `NAME=ORDER` is for the model of this
    /// name alone; may be repeated.
    #[arg(long, value_name = "[NAME=]ORDER", help_heading = "Predictions")]
    pub labels: Vec<String>,
    /// Column or field of the predictions
    #[arg(long, value_name = "NAME", help_heading = "Predictions")]
    pub prediction_column: Option<String>,
}

/// How models are queried.
#[derive(Args)]
pub(crate) struct ModelFlags {
    #[command(flatten)]
    predictions: PredictionFlags,
    /// Pairs sent to a process model at a time [default: 256]
    #[arg(long, value_name = "N", help_heading = "Models")]
    batch_size: Option<usize>,
    /// Number of processes of a process model to run in parallel [default: 1]
    #[arg(long, value_name = "N", help_heading = "Models")]
    workers: Option<usize>,
    /// Seconds to wait for a prediction of a process model [default: 300]
    #[arg(long, value_name = "SECONDS", help_heading = "Models")]
    timeout: Option<f64>,
    /// Version of a process model, such as a hash of its weights
    ///
    /// Predictions of a version are cached and reused by later runs of the same command with the same version.
    #[arg(long, value_name = "TEXT", help_heading = "Models")]
    model_version: Option<String>,
    /// Precision in which a transformer computes: `f32`, `bf16` or `int8` [default: f32]
    ///
    /// `NAME=TYPE` is for the model of this name alone; may be repeated.
    #[arg(long, value_name = "[NAME=]TYPE", help_heading = "Models")]
    precision: Vec<String>,
}

impl PredictionFlags {
    fn given(&self) -> Vec<(&'static str, Value)> {
        texts("labels", &self.labels).chain(texts("column", &self.prediction_column)).collect()
    }

    /// A file of predictions, read with these flags and the label words of the data flags.
    pub(crate) fn predictions(&self, file: &str, read: &DataFlags) -> Result<ModelSpec> {
        let mut specs = vec![ModelSpec::of_predictions(file)];
        map_labels(&mut specs, read)?;
        give_settings(&mut specs, &self.given())?;
        Ok(specs.remove(0))
    }

    /// Refuses these flags where there is no file of predictions to read.
    pub(crate) fn refuse_without(&self, file: Option<&str>) -> Result<()> {
        let flag = if self.labels.is_empty() { "--prediction-column" } else { "--labels" };
        match file {
            None if !self.given().is_empty() => bail!("{flag}: there are no predictions to read; pass --predictions too"),
            _ => Ok(()),
        }
    }
}

impl ModelFlags {
    /// Parses the models that the user named and applies the flags to those that support them; refuses a flag that no model supports.
    pub(crate) fn specs(&self, models: &[String], read: &DataFlags) -> Result<Vec<ModelSpec>> {
        self.with_settings(models.iter().map(|model| ModelSpec::parse(model)).collect(), read)
    }

    /// A file of predictions, read with these flags.
    pub(crate) fn predictions(&self, file: &str, read: &DataFlags) -> Result<Vec<ModelSpec>> {
        self.with_settings(vec![ModelSpec::of_predictions(file)], read)
    }

    fn with_settings(&self, mut specs: Vec<ModelSpec>, read: &DataFlags) -> Result<Vec<ModelSpec>> {
        map_labels(&mut specs, read)?;
        let mut given = self.predictions.given();
        given.extend(self.batch_size.map(|size| ("batch_size", Value::from(size))));
        given.extend(self.workers.map(|workers| ("workers", Value::from(workers))));
        given.extend(self.timeout.map(|seconds| ("timeout_seconds", Value::from(seconds))));
        given.extend(texts("version", &self.model_version).chain(texts("precision", &self.precision)));
        give_settings(&mut specs, &given)?;
        Ok(specs)
    }
}

fn texts<'t>(setting: &'static str, texts: impl IntoIterator<Item = &'t String>) -> impl Iterator<Item = (&'static str, Value)> {
    texts.into_iter().map(move |text| (setting, Value::from(text.as_str())))
}

/// Label words of the data also apply to predictions.
fn map_labels(specs: &mut [ModelSpec], read: &DataFlags) -> Result<()> {
    let map = read.label_map()?;
    if !map.is_empty() {
        give_setting(specs, "label_map", &serde_json::to_value(&map)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use acidtest_model::ProcessSettings;

    #[test]
    fn the_defaults_that_help_shows_are_those_of_process_models() {
        let ProcessSettings { batch_size, workers, timeout_seconds, .. } = ProcessSettings::default();
        assert_eq!((batch_size, workers, timeout_seconds), (256, 1, 300.0));
    }
}
