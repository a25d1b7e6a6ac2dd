//! Process models: a command that reads pairs and writes predictions, one line of JSON each.
//!
//! `docs/process-models.md` describes the protocol for authors of such commands.

mod answer;
mod exchange;
mod worker;

pub use worker::kill_running;

use crate::{Calls, Model, ModelError, PredictionTaker};
use acidtest_nli::{Judgment, LabelNames, Pair};
use exchange::{Exchange, Processes};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// More processes than cores only wait for each other.
const MOST_WORKERS: usize = 256;

/// How a process model is run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProcessSettings {
    /// How many pairs a process may have been sent without having answered them. More are sent as soon as there is room.
    pub batch_size: usize,
    /// How many processes run the command in parallel.
    pub workers: usize,
    /// How long a process with unanswered pairs may be silent; start-up counts.
    pub timeout_seconds: f64,
    /// How often, in total, a process that exited is restarted.
    pub restarts: usize,
    /// What happens to the input of a process when there are no more pairs to send.
    pub input: ProcessInput,
    /// The meaning of numbered labels and lists of scores.
    #[serde(deserialize_with = "label_order")]
    pub labels: LabelNames,
    /// The meaning of the user's own label names; the caller adds them to `labels`.
    pub label_map: BTreeMap<String, String>,
    /// Distinguishes this model from others that the same command runs.
    pub version: Option<String>,
}

impl Default for ProcessSettings {
    fn default() -> Self {
        ProcessSettings {
            batch_size: 256,
            workers: 1,
            timeout_seconds: 300.0,
            restarts: 3,
            input: ProcessInput::StaysOpen,
            labels: LabelNames::default(),
            label_map: BTreeMap::new(),
            version: None,
        }
    }
}

/// What happens to the input of a process when there are no more pairs to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessInput {
    /// It stays open for the next call; the process must answer without seeing the end of its input.
    StaysOpen,
    /// It is closed; the process answers what is left and exits, and the next call starts it again.
    EndsWithCall,
}

/// A model that runs as another program.
///
/// Calls from several threads wait for each other; to use several cores, set [`ProcessSettings::workers`].
pub struct ProcessModel {
    command: String,
    settings: ProcessSettings,
    processes: Mutex<Processes>,
}

impl ProcessModel {
    /// Starts the command with `sh -c`.
    pub fn start(command: &str, settings: ProcessSettings) -> Result<Self, ModelError> {
        let refuse = |name, found: String, expected| Err(ModelError::Setting { name, found, expected });
        if settings.batch_size == 0 {
            return refuse("batch_size", "0".to_string(), "at least 1");
        }
        if !(1..=MOST_WORKERS).contains(&settings.workers) {
            return refuse("workers", settings.workers.to_string(), "a number from 1 to 256");
        }
        if !Duration::try_from_secs_f64(settings.timeout_seconds).is_ok_and(|timeout| !timeout.is_zero()) {
            return refuse("timeout_seconds", settings.timeout_seconds.to_string(), "a positive number of seconds");
        }
        let mut processes = Processes::new(settings.workers);
        if settings.input == ProcessInput::StaysOpen {
            // The model loads its weights while the caller reads the corpus.
            processes.start_all(command, &settings)?;
        }
        Ok(ProcessModel { command: command.to_string(), settings, processes: Mutex::new(processes) })
    }
}

impl Model for ProcessModel {
    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        let answered = Exchange::new(&self.command, &self.settings, &mut processes, pairs).run(take);
        if answered.is_err() {
            // Otherwise late answers would be mistaken for answers to the next call.
            processes.kill_all();
        }
        answered
    }

    /// The command and the order of its labels.
    ///
    /// The command may stay the same while the model changes; a caller that knows its version adds it.
    fn identity(&self) -> Option<String> {
        let order: Vec<&str> = self.settings.labels.order().iter().map(|judgment| judgment.name()).collect();
        let version = self.settings.version.as_ref().map(|version| format!(" version:{version}")).unwrap_or_default();
        let word = |(word, meaning): &(String, Option<Judgment>)| format!(" {word}={}", meaning.map_or("-", Judgment::name));
        let words: String = self.settings.labels.words().iter().map(word).collect();
        Some(format!("process:{} labels:{}{words}{version}", self.command, order.join(",")))
    }

    fn calls(&self) -> Calls {
        Calls::OneAtATime
    }

    fn answers_are_clear(&self) -> Result<(), ModelError> {
        let processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        match processes.loose.doubt_of_answers() {
            Some(doubt) => Err(ModelError::DoubtfulAnswers { command: self.command.clone(), doubt }),
            None => Ok(()),
        }
    }
}

fn label_order<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<LabelNames, D::Error> {
    let order = String::deserialize(deserializer)?;
    LabelNames::from_order(&order).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(settings: ProcessSettings, expected: &str) {
        assert_eq!(ProcessModel::start("cat", settings).err().map(|error| error.to_string()).as_deref(), Some(expected));
    }

    #[test]
    fn settings_that_cannot_work_are_refused() {
        let message = "process model: setting `batch_size`: invalid value 0: expected at least 1";
        check_refused(ProcessSettings { batch_size: 0, ..Default::default() }, message);
        let message = "process model: setting `workers`: invalid value 0: expected a number from 1 to 256";
        check_refused(ProcessSettings { workers: 0, ..Default::default() }, message);
        let message = "process model: setting `timeout_seconds`: invalid value NaN: expected a positive number of seconds";
        check_refused(ProcessSettings { timeout_seconds: f64::NAN, ..Default::default() }, message);
    }

    #[test]
    fn settings_are_read_by_name_and_unknown_names_are_refused() {
        let read = serde_json::from_str::<ProcessSettings>(r#"{"workers": 2, "input": "ends-with-call", "labels": "C,E,N"}"#).unwrap();
        let labels = LabelNames::from_order("C,E,N").unwrap();
        assert_eq!(read, ProcessSettings { workers: 2, input: ProcessInput::EndsWithCall, labels, ..Default::default() });
        assert!(serde_json::from_str::<ProcessSettings>(r#"{"worker": 2}"#).is_err());
    }
}
