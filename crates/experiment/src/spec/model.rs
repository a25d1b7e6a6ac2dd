//! Models as users name them: `esim-small`, `models/mine`, `mine=process:./m.py`, `predictions.csv@bert`.

use super::SpecError;
use crate::data::Data;
use crate::error::Error;
use crate::models::{MODEL_KINDS, ModelKind, NamedModel, OpenRequest, PREDICTIONS, PROCESS_SCHEME, with_column};
use crate::session::Session;
use acidtest_model::TrainingLabels;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

/// A model to test.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSpec {
    /// The name in reports, baselines and caches [default: derived from `model`].
    pub name: Option<String>,
    /// A name of the catalog, the folder of a trained model, a file of predictions, or `SCHEME:` with its argument.
    pub model: String,
    /// The name of its kind in [`MODEL_KINDS`] [default: recognised from `model`].
    pub kind: Option<String>,
    /// Settings of its kind, such as `workers` of a process.
    pub settings: Map<String, Value>,
}

impl ModelSpec {
    /// Reads `MODEL` or `NAME=MODEL`, where a name has only letters, digits, `_`, `.` and `-`.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some((name, model)) if is_name(name) && !model.is_empty() && !Path::new(text).exists() => {
                ModelSpec { name: Some(name.to_string()), model: model.to_string(), ..ModelSpec::default() }
            }
            _ => ModelSpec { model: text.to_string(), ..ModelSpec::default() },
        }
    }

    /// A file of predictions, `FILE` or `FILE@COLUMN`, even if something else has this name.
    pub fn of_predictions(file: &str) -> Self {
        ModelSpec { model: file.to_string(), kind: Some(PREDICTIONS.to_string()), ..ModelSpec::default() }
    }

    /// The kind of this model.
    pub fn kind(&self) -> Result<&'static ModelKind, Error> {
        if let Some(name) = &self.kind {
            let expected = || format!("one of: {}", MODEL_KINDS.names().join(", "));
            return MODEL_KINDS.get(name).ok_or_else(|| SpecError::new("model.kind", name, expected()).into());
        }
        MODEL_KINDS.iter().find(|kind| (kind.recognises)(&self.model)).ok_or_else(|| crate::models::unknown(&self.model))
    }

    /// The name that the opened model will have.
    pub(crate) fn opened_name(&self) -> Result<String, Error> {
        let kind = self.kind()?;
        Ok(match (&self.name, self.settings.get("column").and_then(Value::as_str)) {
            (Some(name), _) => name.clone(),
            (None, Some(column)) if kind.name == PREDICTIONS && with_column(&self.model).1.is_none() => format!("{}@{column}", self.model),
            (None, _) => self.model.strip_prefix(PROCESS_SCHEME).unwrap_or(&self.model).to_string(),
        })
    }

    /// Opens the model. Reference models are fitted to the label counts of the data.
    pub fn resolve(&self, labels: TrainingLabels, session: &Session<'_>) -> Result<NamedModel, Error> {
        let kind = self.kind()?;
        if let Some((key, value)) = self.settings.iter().find(|(key, _)| !kind.settings.contains(&key.as_str())) {
            let expected = match kind.settings {
                [] => format!("no setting, because {} has none", kind.summary),
                known => format!("one of: {}", known.join(", ")),
            };
            return Err(SpecError::new(format!("model.settings.{key}"), value.to_string(), expected).into());
        }
        let mut opened = (kind.open)(&OpenRequest { model: &self.model, settings: &self.settings, labels, session })?;
        if let Some(name) = &self.name {
            if name.trim().is_empty() {
                return Err(SpecError::new("model.name", name, "a name").into());
            }
            opened.name.clone_from(name);
        }
        Ok(opened)
    }
}

impl ModelSpec {
    /// Opens the model for data that is read block by block. If the model needs label counts, the data is first read for these.
    pub fn resolve_for(&self, data: &Data, session: &Session<'_>) -> Result<NamedModel, Error> {
        let labels = if self.kind()?.needs_labels { data.label_counts(session)? } else { TrainingLabels::default() };
        self.resolve(labels, session)
    }
}

/// Settings that can be given to one of several models: `NAME=VALUE`.
const FOR_ONE_MODEL: [&str; 2] = ["labels", "precision"];

/// Sets settings as [`give_setting`] does; refuses one that no model takes.
pub fn give_settings(specs: &mut [ModelSpec], settings: &[(&'static str, Value)]) -> Result<(), Error> {
    for (setting, value) in settings {
        if !give_setting(specs, setting, value)? {
            return Err(Error::UnusedSetting { setting: format!("model.settings.{setting}") });
        }
    }
    Ok(())
}

/// Sets a setting for every model whose kind has it and that does not set it itself; returns whether any did. Some settings may be given
/// to one model, as in `NAME=C,E,N`.
pub fn give_setting(specs: &mut [ModelSpec], setting: &str, value: &Value) -> Result<bool, Error> {
    if let Some((name, own)) = value.as_str().filter(|_| FOR_ONE_MODEL.contains(&setting)).and_then(|text| text.split_once('=')) {
        let wrong = |expected: &str| SpecError::new(format!("model.settings.{setting}"), format!("{name}={own}"), expected);
        let is_named = |spec: &&mut ModelSpec| spec.name.as_deref() == Some(name) || spec.model == name;
        let spec = specs.iter_mut().find(is_named).ok_or_else(|| wrong("the name of one of the models before `=`"))?;
        let kind = spec.kind()?;
        if !kind.settings.contains(&setting) {
            return Err(wrong(&format!("a model that has this setting before `=`, not {}", kind.summary)).into());
        }
        spec.settings.insert(setting.to_string(), Value::from(own));
        return Ok(true);
    }
    let mut taken = false;
    for spec in specs {
        if spec.kind()?.settings.contains(&setting) {
            spec.settings.entry(setting).or_insert_with(|| value.clone());
            taken = true;
        }
    }
    Ok(taken)
}

pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: Option<&str>, model: &str) {
        let spec = ModelSpec::parse(text);
        assert_eq!((spec.name.as_deref(), spec.model.as_str()), (name, model), "{text}");
    }

    #[test]
    fn the_name_precedes_the_first_equals_sign() {
        check("mine=process:./m.py --rate=3", Some("mine"), "process:./m.py --rate=3");
        check("process:./m.py --rate=3", None, "process:./m.py --rate=3");
        check("esim-small", None, "esim-small");
        check("a/b=c.csv", None, "a/b=c.csv");
        check("mine=", None, "mine=");
    }

    #[test]
    fn a_setting_that_the_kind_does_not_have_is_refused() {
        let settings = Map::from_iter([("workers".to_string(), Value::from(4))]);
        let spec = ModelSpec { model: "overlap".to_string(), settings, ..ModelSpec::default() };
        let session = Session::quiet().unwrap();
        let refused = spec.resolve(TrainingLabels::default(), &session).err().unwrap().to_string();
        assert!(refused.starts_with("model.settings.workers: invalid value `4`: expected no setting"), "{refused}");
    }

    #[test]
    fn a_setting_goes_to_the_models_that_take_it_and_is_refused_where_none_does() {
        let models = |names: &[&str]| names.iter().map(|name| ModelSpec::parse(name)).collect::<Vec<_>>();
        let mut specs = models(&["process:cat", "overlap"]);
        give_settings(&mut specs, &[("workers", Value::from(2))]).unwrap();
        assert_eq!(specs[0].settings, Map::from_iter([("workers".to_string(), Value::from(2))]));
        assert!(specs[1].settings.is_empty());
        let refused = give_settings(&mut models(&["overlap"]), &[("workers", Value::from(2))]).unwrap_err().to_string();
        assert_eq!(refused, "model.settings.workers: does not apply to any of the models; leave it out");
    }

    #[test]
    fn a_setting_for_one_model_needs_one_that_takes_it() {
        let given = |value: &str| {
            let mut specs = vec![ModelSpec::parse("a=process:cat"), ModelSpec::parse("b=process:cat"), ModelSpec::parse("c=overlap")];
            let given = give_settings(&mut specs, &[("labels", Value::from(value)), ("labels", Value::from("E,N,C"))]);
            given.map(|()| specs.into_iter().map(|spec| spec.settings.get("labels").cloned()).collect::<Vec<_>>())
        };
        assert_eq!(given("b=C,E,N").unwrap(), [Some(Value::from("E,N,C")), Some(Value::from("C,E,N")), None]);
        let refused = given("c=C,E,N").unwrap_err().to_string();
        assert!(refused.contains("`c=C,E,N`: expected a model that has this setting before `=`, not a built-in rule"), "{refused}");
        assert!(given("d=C,E,N").unwrap_err().to_string().contains("the name of one of the models"));
    }

    fn refused(spec: &ModelSpec) -> String {
        spec.resolve(TrainingLabels::default(), &Session::quiet().unwrap()).err().unwrap().to_string()
    }

    #[test]
    fn the_name_is_known_before_the_model_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.csv").display().to_string();
        std::fs::write(&file, "id,a,b\n1,neutral,neutral\n").unwrap();
        let session = Session::quiet().unwrap();
        let with_setting = |text: &str| {
            let settings = Map::from_iter([("column".to_string(), Value::from("a"))]);
            ModelSpec { settings, ..ModelSpec::parse(text) }
        };
        let specs = ["overlap", "x=overlap", "process:cat", "x=process:cat", &format!("{file}@a"), "esim-small"].map(ModelSpec::parse);
        for spec in specs.into_iter().chain([with_setting(&file), with_setting(&format!("{file}@b")), with_setting(&format!("y={file}"))]) {
            let opened = spec.resolve(TrainingLabels::default(), &session).unwrap();
            assert_eq!(spec.opened_name().unwrap(), opened.name);
        }
    }

    #[test]
    fn a_file_of_predictions_takes_precedence_over_a_model_name() {
        assert_eq!(refused(&ModelSpec::of_predictions("overlap")), "overlap: no such file or folder");
        let spec = ModelSpec { kind: Some("telepathy".to_string()), ..ModelSpec::parse("overlap") };
        assert!(refused(&spec).starts_with("model.kind: invalid value `telepathy`: expected one of: process, "));
    }

    #[test]
    fn an_empty_name_is_refused() {
        let spec = ModelSpec { name: Some(String::new()), ..ModelSpec::parse("overlap") };
        assert_eq!(refused(&spec), "model.name: invalid value ``: expected a name");
    }

    #[test]
    fn an_invalid_setting_is_named() {
        let refused_setting = |model: &str, key: &str, value: Value| {
            refused(&ModelSpec { settings: Map::from_iter([(key.to_string(), value)]), ..ModelSpec::parse(model) })
        };
        let labels = refused_setting("process:cat", "labels", Value::from("X,Y,Z"));
        assert!(labels.starts_with("model.settings.labels: invalid value `X,Y,Z`: expected "), "{labels}");
        let batch = refused_setting("process:cat", "batch_size", Value::from(0));
        assert_eq!(batch, "model.settings.batch_size: invalid value `0`: expected at least 1");
        let workers = refused_setting("process:cat", "workers", Value::from("many"));
        assert!(workers.starts_with("model.settings.workers: invalid value `many`: expected usize"), "{workers}");
    }

    #[test]
    fn unknown_fields_are_refused() {
        assert!(serde_json::from_str::<ModelSpec>(r#"{"model": "overlap", "nmae": "x"}"#).is_err());
    }
}
