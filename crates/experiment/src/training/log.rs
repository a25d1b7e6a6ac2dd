//! The training log: one JSON line per group of steps and per epoch.

use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum LogLine {
    /// A group of steps.
    Steps {
        /// The epoch, from 1.
        epoch: u32,
        /// The step, counted over the whole run.
        step: u64,
        /// The number of training pairs processed so far.
        examples: u64,
        /// The mean loss of these steps.
        loss: f64,
        /// The learning rate.
        learning_rate: f32,
        /// Seconds of training so far, without interruptions.
        seconds: f64,
    },
    /// A completed epoch.
    Epoch {
        /// The epoch, from 1.
        epoch: u32,
        /// The step, counted over the whole run.
        step: u64,
        /// The number of training pairs processed so far.
        examples: u64,
        /// The mean loss of the epoch.
        loss: f64,
        /// The accuracy on the development examples.
        dev_accuracy: Option<f64>,
        /// Whether these are the best weights so far.
        best: bool,
        /// Training pairs per second in this epoch.
        examples_per_second: f64,
        /// Seconds of training so far.
        seconds: f64,
    },
}

/// The text of the log file.
pub(crate) fn log_text(lines: &[LogLine]) -> String {
    let line = |line: &LogLine| serde_json::to_string(line).unwrap_or_default() + "\n";
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_kind_it_is() {
        let line = LogLine::Steps { epoch: 1, step: 2, examples: 64, loss: 1.5, learning_rate: 0.5, seconds: 0.25 };
        let text = log_text(std::slice::from_ref(&line));
        assert_eq!(
            text,
            "{\"kind\":\"steps\",\"epoch\":1,\"step\":2,\"examples\":64,\"loss\":1.5,\"learning_rate\":0.5,\"seconds\":0.25}\n"
        );
        assert_eq!(serde_json::from_str::<LogLine>(text.trim()).unwrap(), line);
    }
}
