//! How the program ends: exit codes and final messages.

use crate::show;
use acidtest_experiment::Error;
use acidtest_remedy as remedy;
use std::process::ExitCode;

/// The exit code of a gate that failed; 1 is for errors, 2 for usage errors.
const CHECK_FAILED: u8 = 3;

/// The exit code of an inconclusive gate.
const INCONCLUSIVE: u8 = 4;

/// The exit code of a gate that stops before its checks because labels seem to be in the wrong order.
const STOPPED: u8 = 5;

/// The exit code of a usage error, the same as clap's.
pub(crate) const USAGE: u8 = 2;

/// An unsuccessful end with its own exit code.
#[derive(Debug)]
pub(crate) enum Ending {
    /// A check that failed: the command finished, but its result is not good enough.
    Failed(String),
    /// A gate that is inconclusive.
    Inconclusive(String),
    /// A gate that stopped before its checks because labels seem to be in the wrong order.
    Stopped(String),
    /// A command that was refused before it did any work.
    Refused(anyhow::Error),
}

pub(crate) use Ending::{Failed, Inconclusive, Refused, Stopped};

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failed(message) | Inconclusive(message) | Stopped(message) => f.write_str(message),
            Refused(error) => f.write_str(&remedy::one_line(error)),
        }
    }
}

impl std::error::Error for Ending {}

/// Labels in the wrong order are a finding, not an error; with several models, the message names the one concerned.
pub(crate) fn failed(error: Error, models: usize) -> anyhow::Error {
    match &error {
        Error::WrongOrder { model, better, better_data, .. } => {
            let of_model = better.as_ref().map(|order| match models {
                1 => format!("--labels {order}"),
                _ => format!("--labels {}", show::visible(&format!("{model}={order}"))),
            });
            let of_data = better_data.as_ref().map(|order| format!("--data-labels {order} if the numbers in the data have this order"));
            let flags: Vec<String> = of_model.into_iter().chain(of_data).collect();
            Failed(format!("{error} Pass {}, or --no-doctor to continue anyway", flags.join(", "))).into()
        }
        _ => error.into(),
    }
}

/// Prints the error and gives its exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let (message, code) = ending(error);
    eprintln!("acidtest: {}", show::visible(&message));
    code
}

fn ending(error: &anyhow::Error) -> (String, ExitCode) {
    if let Some(ending) = error.downcast_ref::<Ending>() {
        let code = match ending {
            Failed(_) => CHECK_FAILED,
            Inconclusive(_) => INCONCLUSIVE,
            Stopped(_) => STOPPED,
            Refused(_) => USAGE,
        };
        return (ending.to_string(), ExitCode::from(code));
    }
    // Say which outputs were written.
    let finished = acidtest_files::finished_note(&acidtest_files::finished());
    (format!("{}{finished}", remedy::one_line(error)), ExitCode::FAILURE)
}
