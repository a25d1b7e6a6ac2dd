//! Flags that say how models are asked, and how predictions are read.

use super::DataFlags;
use acidtest_experiment::spec::ModelSpec;
use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;

/// How predictions are read.
#[derive(Args)]
pub(crate) struct PredictionFlags {
    /// Order of numbered labels and of lists of scores in the predictions, such as `C,E,N`; a name stands for its usual number in it
    #[arg(long, value_name = "ORDER", help_heading = "Predictions")]
    pub labels: Option<String>,
    /// Name of the column or field that holds the answers
    #[arg(long, value_name = "NAME", help_heading = "Predictions")]
    pub prediction_column: Option<String>,
}

/// How models are asked.
#[derive(Args)]
pub(crate) struct ModelFlags {
    #[command(flatten)]
    predictions: PredictionFlags,
    /// Pairs that a process model has in hand at a time [default: 256]
    #[arg(long, value_name = "N", help_heading = "Models")]
    batch: Option<usize>,
    /// Processes of a process model that work side by side [default: 1]
    #[arg(long, value_name = "N", help_heading = "Models")]
    workers: Option<usize>,
    /// Seconds to wait for an answer of a process model [default: 300]
    #[arg(long, value_name = "SECONDS", help_heading = "Models")]
    time_out: Option<f64>,
    /// What tells a process model from others that the same command has run or will run, such as a hash of its weights; predictions of one version are
    /// kept and used again
    #[arg(long, value_name = "TEXT", help_heading = "Models")]
    model_version: Option<String>,
}

/// A flag, the setting of a model that it is, and its value.
type FlagValue = (&'static str, &'static str, Value);

impl PredictionFlags {
    fn given(&self) -> Vec<FlagValue> {
        let labels = self.labels.iter().map(|order| ("--labels", "labels", Value::from(order.as_str())));
        let column = self.prediction_column.iter().map(|name| ("--prediction-column", "column", Value::from(name.as_str())));
        labels.chain(column).collect()
    }

    /// A file of predictions, with these flags and the words of those that say how data is read.
    pub(crate) fn predictions(&self, file: &str, read: &DataFlags) -> Result<ModelSpec> {
        let settings = self.given().into_iter().map(|(_, setting, value)| (setting.to_string(), value)).collect();
        let mut specs = vec![ModelSpec { settings, ..ModelSpec::of_predictions(file) }];
        map_labels(&mut specs, read)?;
        Ok(specs.remove(0))
    }

    /// Refuses these flags where there is no file of predictions to read.
    pub(crate) fn refuse_without(&self, file: Option<&str>) -> Result<()> {
        match self.given().first() {
            Some((flag, ..)) if file.is_none() => bail!("{flag}: there are no predictions to read (expected --predictions too)"),
            _ => Ok(()),
        }
    }
}

impl ModelFlags {
    /// Models as the user names them, each with the flags that its kind takes; a flag that none of them takes is refused.
    pub(crate) fn specs(&self, models: &[String], read: &DataFlags) -> Result<Vec<ModelSpec>> {
        self.with_settings(models.iter().map(|model| ModelSpec::parse(model)).collect(), read)
    }

    /// A file of predictions, with these flags.
    pub(crate) fn predictions(&self, file: &str, read: &DataFlags) -> Result<Vec<ModelSpec>> {
        self.with_settings(vec![ModelSpec::of_predictions(file)], read)
    }

    fn with_settings(&self, mut specs: Vec<ModelSpec>, read: &DataFlags) -> Result<Vec<ModelSpec>> {
        map_labels(&mut specs, read)?;
        let mut given = self.predictions.given();
        given.extend(self.batch.map(|batch| ("--batch", "batch", Value::from(batch))));
        given.extend(self.workers.map(|workers| ("--workers", "workers", Value::from(workers))));
        given.extend(self.time_out.map(|seconds| ("--time-out", "time_out_seconds", Value::from(seconds))));
        given.extend(self.model_version.iter().map(|version| ("--model-version", "version", Value::from(version.as_str()))));
        with_settings(specs, given)
    }
}

/// Words that mean a label in the data mean it in predictions, too.
fn map_labels(specs: &mut [ModelSpec], read: &DataFlags) -> Result<()> {
    let map = read.label_map()?;
    if map.is_empty() {
        return Ok(());
    }
    for spec in specs {
        if spec.kind()?.settings.contains(&"label_map") {
            spec.settings.insert("label_map".to_string(), serde_json::to_value(&map)?);
        }
    }
    Ok(())
}

fn with_settings(mut specs: Vec<ModelSpec>, given: Vec<FlagValue>) -> Result<Vec<ModelSpec>> {
    for (flag, setting, value) in given {
        let mut taken = false;
        for spec in &mut specs {
            if spec.kind()?.settings.contains(&setting) {
                spec.settings.insert(setting.to_string(), value.clone());
                taken = true;
            }
        }
        if !taken {
            bail!("{flag}: none of the models takes it");
        }
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_model::ProcessSettings;
    use serde_json::Map;

    #[test]
    fn the_defaults_that_help_shows_are_those_of_process_models() {
        let ProcessSettings { batch, workers, time_out_seconds, .. } = ProcessSettings::default();
        assert_eq!((batch, workers, time_out_seconds), (256, 1, 300.0));
    }

    #[test]
    fn a_flag_goes_to_the_models_that_take_it_and_is_refused_where_none_does() {
        let models = |names: &[&str]| names.iter().map(|name| ModelSpec::parse(name)).collect::<Vec<_>>();
        let given = || vec![("--workers", "workers", Value::from(2))];
        let specs = with_settings(models(&["process:cat", "overlap"]), given()).unwrap();
        assert_eq!(specs[0].settings, Map::from_iter([("workers".to_string(), Value::from(2))]));
        assert!(specs[1].settings.is_empty());
        let refused = with_settings(models(&["overlap"]), given()).unwrap_err().to_string();
        assert_eq!(refused, "--workers: none of the models takes it");
    }
}
