//! `acidtest`: stress-tests models of natural language inference.

mod analyze;
mod challenge;
#[cfg(unix)]
mod closed;
mod compare;
mod corpus;
mod doctor;
mod evaluate;
mod exit;
mod flags;
mod gate;
mod glossary;
mod interrupt;
mod lexical;
mod list;
mod options;
mod packaging;
mod page;
mod predict;
mod progress;
mod reference;
mod remedy;
mod renamed;
mod report;
mod run;
mod show;
mod train;

use clap::{CommandFactory, Parser, Subcommand};
use mimalloc::MiMalloc;
use std::process::ExitCode;

// Rows are many small pieces of text; with the system's allocator a fifth of the time went into it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Stress-test natural language inference models and find the shortcuts they take
///
/// A model of natural language inference (NLI) says whether a premise entails, contradicts or leaves open a hypothesis. Acidtest perturbs its test examples,
/// generates pairs such as those of HANS, scores the predictions with exact paired tests, and says in plain sentences where the model breaks. A model is any program,
/// a folder that `acidtest train` wrote, or a file of predictions.
#[derive(Parser)]
#[command(name = "acidtest", version, propagate_version = true, arg_required_else_help = true, after_help = EXIT_CODES, after_long_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str =
    "Exit codes: 0 success, 1 error, 2 usage error, 3 gate failed or labels in the wrong order, 4 gate inconclusive, 130 interrupted";

const EXAMPLES: &str =
    "Exit codes: 0 success, 1 error, 2 usage error, 3 gate failed or labels in the wrong order, 4 gate inconclusive, 130 interrupted

Examples:
  acidtest run
  acidtest run --data dev.jsonl --model 'process:python3 model.py' --report page
  acidtest evaluate --data dev.jsonl --predictions predictions.csv@bert --by genre";

#[derive(Subcommand)]
enum Verb {
    Run(run::Run),
    Evaluate(evaluate::Evaluate),
    Compare(Box<compare::Compare>),
    Gate(Box<gate::Gate>),
    Doctor(doctor::Doctor),
    Predict(predict::Predict),
    Train(train::Train),
    Challenge(challenge::Challenge),
    /// Find examples that words alone get wrong
    ///
    /// You get, from a lexical model that sees words and no structure, the examples that it gets confidently wrong (`score`) and the words to blame (`explain`).
    /// Train the model first: `acidtest train --model lexical`.
    #[command(subcommand, after_long_help = lexical::EXAMPLES)]
    Lexical(lexical::Lexical),
    /// Inspect, convert, split and sample corpora
    ///
    /// You get statistics of a corpus, its annotation artefacts, or the corpus in another format, in parts or as a sample. Formats are recognised by content:
    /// MultiNLI, SNLI, ANLI, HANS, GLUE, SICK, Hugging Face, CSV, Parquet and others, compressed or not.
    #[command(subcommand, after_long_help = corpus::EXAMPLES)]
    Corpus(corpus::Corpus),
    Analyze(analyze::Analyze),
    Report(report::ShowReport),
    List(list::List),
    Glossary(glossary::Glossary),
    #[command(hide = true)]
    Packaging(packaging::Packaging),
    #[command(hide = true)]
    Reference(reference::Reference),
}

impl Verb {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Verb::Run(verb) => verb.run(),
            Verb::Evaluate(verb) => verb.run(),
            Verb::Compare(verb) => verb.run(),
            Verb::Gate(verb) => verb.run(),
            Verb::Doctor(verb) => verb.run(),
            Verb::Predict(verb) => verb.run(),
            Verb::Train(verb) => verb.run(),
            Verb::Challenge(verb) => verb.run(),
            Verb::Lexical(verb) => verb.run(),
            Verb::Corpus(verb) => verb.run(),
            Verb::Analyze(verb) => verb.run(),
            Verb::Report(verb) => verb.run(),
            Verb::List(verb) => verb.run(),
            Verb::Glossary(verb) => verb.run(),
            Verb::Packaging(verb) => verb.run(),
            Verb::Reference(verb) => verb.run(Arguments::command()),
        }
    }

    /// What an interruption keeps, and how to continue.
    fn kept(&self) -> interrupt::Kept {
        match self {
            Verb::Train(_) => interrupt::Kept::Training,
            Verb::Run(_) | Verb::Evaluate(_) | Verb::Compare(_) | Verb::Gate(_) | Verb::Doctor(_) | Verb::Predict(_) => {
                interrupt::Kept::Predictions
            }
            _ => interrupt::Kept::Nothing,
        }
    }
}

/// Keeps quiet about panics that a reader catches and reports as a damaged file.
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
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return renamed::answer(&error).unwrap_or_else(|| error.exit()),
    };
    // Nothing that the command reads is overwritten.
    let _guard = acidtest_files::InputGuard::new();
    interrupt::clean_up_when_interrupted(arguments.verb.kept());
    match arguments.verb.run() {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if show::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => exit::report(&error),
    }
}
