//! The log of a training: a line of JSON for each stretch of steps and for each epoch.

use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum LogLine {
    /// Some steps.
    Steps {
        /// The epoch, from 1.
        epoch: u32,
        /// Steps from the beginning.
        step: u64,
        /// Pairs learnt from, from the beginning.
        examples: u64,
        /// The mean loss of these steps.
        loss: f64,
        /// The learning rate.
        learning_rate: f32,
        /// Seconds from the beginning, time between a kill and going on left out.
        seconds: f64,
    },
    /// An epoch that has ended.
    Epoch {
        /// The epoch, from 1.
        epoch: u32,
        /// Steps from the beginning.
        step: u64,
        /// Pairs learnt from, from the beginning.
        examples: u64,
        /// The mean loss of the epoch.
        loss: f64,
        /// The share of development rows that are answered rightly.
        dev_accuracy: Option<f64>,
        /// Whether these are the weights to be kept so far.
        best: bool,
        /// Pairs learnt from in a second, in this epoch.
        examples_per_second: f64,
        /// Seconds from the beginning.
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
