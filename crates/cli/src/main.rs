//! `acidtest`: finds out whether a language-inference model understands, or only looks as if it did.

mod analyze;
mod challenge;
#[cfg(unix)]
mod closed;
mod compare;
mod corpus;
mod doctor;
mod evaluate;
mod explain;
mod flags;
mod gate;
mod list;
mod lms;
mod options;
mod page;
mod predict;
mod progress;
mod remedy;
mod report;
mod run;
mod runs;
mod show;
mod stop;
mod train;

use clap::{Parser, Subcommand};
use mimalloc::MiMalloc;
use std::process::ExitCode;

// Rows are many small pieces of text; with the system's allocator a fifth of the time went into it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Finds out whether a language-inference model understands, or only looks as if it did.
///
/// Acidtest puts models that judge whether a premise entails, contradicts or leaves open a hypothesis through stress tests, and says
/// which shortcuts they take. `acidtest run` shows it on a small network and pairs that the program carries.
#[derive(Parser)]
#[command(name = "acidtest", version, propagate_version = true, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 something went wrong, said in one line; 2 arguments that make no sense; 3 a gate failed, or labels are in the \
                          wrong order; 4 a gate is inconclusive; 130 told to stop";

#[derive(Subcommand)]
enum Verb {
    Run(run::Run),
    Gate(Box<gate::Gate>),
    Challenge(challenge::MakeSets),
    Train(train::Train),
    Predict(predict::Predict),
    Evaluate(evaluate::Evaluate),
    Compare(compare::Compare),
    Lms(lms::Lms),
    Explain(explain::Explain),
    Runs(runs::ShowRuns),
    Doctor(doctor::Doctor),
    Report(report::ShowReport),
    /// Look into corpora, convert, split and sample them
    #[command(subcommand)]
    Corpus(corpus::CorpusVerb),
    Analyze(analyze::Analyze),
    List(list::List),
}

/// The exit code of a gate that failed; 1 is for everything that went wrong, 2 for arguments that make no sense.
const CHECK_FAILED: u8 = 3;

/// The exit code of a gate whose examples do not say whether it passes.
const INCONCLUSIVE: u8 = 4;

/// The exit code of a command that cannot work, as clap has it.
const REFUSED: u8 = 2;

/// An ending of its own exit code, as an error.
#[derive(Debug)]
enum Ending {
    /// A check failed: the work was done, and its result is not good enough.
    Failed(String),
    /// The examples of a gate do not say whether it passes.
    Inconclusive(String),
    /// The command was refused before any work.
    Refused(anyhow::Error),
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::Failed(message) | Ending::Inconclusive(message) => f.write_str(message),
            Ending::Refused(error) => f.write_str(&remedy::one_line(error)),
        }
    }
}

impl std::error::Error for Ending {}

/// Labels in the wrong order are a finding, not a failure of the work.
fn failed(error: acidtest_experiment::Error) -> anyhow::Error {
    match &error {
        acidtest_experiment::Error::WrongOrder { better, better_data, .. } => {
            let of_model = better.as_ref().map(|order| format!("--labels {order}"));
            let of_data = better_data.as_ref().map(|order| format!("--data-labels {order} if the numbers in the data mean that"));
            let flags: Vec<String> = of_model.into_iter().chain(of_data).collect();
            Ending::Failed(format!("{error} Pass {}, or --no-doctor to go on all the same", flags.join(", "))).into()
        }
        _ => error.into(),
    }
}

/// Prints no panic that a reader catches and tells as a damaged file.
fn print_no_caught_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !acidtest_corpus::panics_are_caught() {
            print(panic);
        }
    }));
}

fn main() -> ExitCode {
    print_no_caught_panics();
    let arguments = Arguments::parse();
    // Nothing that the command reads is written over.
    let _guard = acidtest_files::InputGuard::new();
    stop::clean_up_when_stopped(match arguments.verb {
        Verb::Train(_) => "the same command trains on, networks from their last state",
        _ => "no unfinished file is left behind",
    });
    let result = match arguments.verb {
        Verb::Run(verb) => verb.run(),
        Verb::Gate(verb) => verb.run(),
        Verb::Challenge(verb) => verb.run(),
        Verb::Train(verb) => verb.run(),
        Verb::Predict(verb) => verb.run(),
        Verb::Evaluate(verb) => verb.run(),
        Verb::Compare(verb) => verb.run(),
        Verb::Lms(verb) => verb.run(),
        Verb::Explain(verb) => verb.run(),
        Verb::Runs(verb) => verb.run(),
        Verb::Doctor(verb) => verb.run(),
        Verb::Report(verb) => verb.run(),
        Verb::Corpus(verb) => verb.run(),
        Verb::Analyze(verb) => verb.run(),
        Verb::List(verb) => verb.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if show::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let (message, code) = ending(&error);
            eprintln!("acidtest: {}", show::visible(&message));
            code
        }
    }
}

/// What is said of an error, and the exit code.
fn ending(error: &anyhow::Error) -> (String, ExitCode) {
    if let Some(ending) = error.downcast_ref::<Ending>() {
        let code = match ending {
            Ending::Failed(_) => CHECK_FAILED,
            Ending::Inconclusive(_) => INCONCLUSIVE,
            Ending::Refused(_) => REFUSED,
        };
        return (ending.to_string(), ExitCode::from(code));
    }
    // A reader wants to know which outputs are there.
    let finished = stop::finished_note(&acidtest_files::finished());
    (format!("{}{finished}", remedy::one_line(error)), ExitCode::FAILURE)
}
