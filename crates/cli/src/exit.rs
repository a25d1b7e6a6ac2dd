//! How the program ends: exit codes, and what is said.

use crate::show;
use acidtest_experiment::Error;
use acidtest_remedy as remedy;
use std::process::ExitCode;

/// The exit code of a gate that failed; 1 is for errors, 2 for usage errors.
const CHECK_FAILED: u8 = 3;

/// The exit code of a gate whose examples do not say whether it passes.
const INCONCLUSIVE: u8 = 4;

/// The exit code of a gate that ends before its checks, because labels seem to be in another order.
const STOPPED: u8 = 5;

/// The exit code of a usage error, as clap has it.
pub(crate) const USAGE: u8 = 2;

/// An ending that is not success and has an exit code of its own.
#[derive(Debug)]
pub(crate) enum Ending {
    /// A check that failed: the work was done, and its result is not good enough.
    Failed(String),
    /// A gate whose examples do not say whether it passes.
    Inconclusive(String),
    /// A gate that says nothing of its checks, because labels seem to be in another order.
    Stopped(String),
    /// A command that was refused before any work.
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

/// Labels in the wrong order are a finding, not a failure of the work; of several models, the one is named that the order is for.
pub(crate) fn failed(error: Error, models: usize) -> anyhow::Error {
    match &error {
        Error::WrongOrder { model, better, better_data, .. } => {
            let of_model = better.as_ref().map(|order| match models {
                1 => format!("--labels {order}"),
                _ => format!("--labels {}", show::visible(&format!("{model}={order}"))),
            });
            let of_data = better_data.as_ref().map(|order| format!("--data-labels {order} if the numbers in the data mean that"));
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
    // A reader wants to know which outputs are there.
    let finished = acidtest_files::finished_note(&acidtest_files::finished());
    (format!("{}{finished}", remedy::one_line(error)), ExitCode::FAILURE)
}
