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
mod renamed;
mod report;
mod review;
mod run;
mod show;
mod train;

use clap::{Parser, Subcommand};
use mimalloc::MiMalloc;
use std::process::ExitCode;

// Reading corpora allocates many small strings; the system's allocator took a fifth of the time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Stress-test natural language inference models and find the shortcuts they take
#[derive(Parser)]
#[command(name = "acidtest", version, propagate_version = true, arg_required_else_help = true, max_term_width = 80, after_help = EXIT_CODES, long_about = include_str!("help/acidtest.txt"), after_long_help = include_str!("examples/acidtest.txt"))]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 error, 2 usage error, 3 gate failed (in other verbs: labels seem to be in the wrong order), 4 gate inconclusive, 5 gate stopped: labels seem to be in the wrong order, 130 interrupted";

#[derive(Subcommand)]
enum Verb {
    Run(run::Run),
    Evaluate(evaluate::Evaluate),
    Compare(Box<compare::Compare>),
    Gate(Box<gate::Gate>),
    Doctor(doctor::Doctor),
    Predict(predict::Predict),
    Train(train::Train),
    Challenge(challenge::MakeSets),
    Review(Box<review::Review>),
    /// Find examples that words alone get wrong
    #[command(subcommand, long_about = include_str!("help/lexical.txt"), after_long_help = include_str!("examples/lexical.txt"))]
    Lexical(lexical::Lexical),
    /// Inspect, convert, split and sample corpora
    #[command(subcommand, long_about = include_str!("help/corpus.txt"), after_long_help = include_str!("examples/corpus.txt"))]
    Corpus(corpus::CorpusVerb),
    Analyze(analyze::Analyze),
    Report(report::ShowReport),
    List(list::List),
    Glossary(glossary::Glossary),
    #[command(hide = true)]
    Packaging(packaging::Packaging),
    #[command(hide = true)]
    Reference(packaging::Reference),
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
            Verb::Review(verb) => verb.run(),
            Verb::Lexical(verb) => verb.run(),
            Verb::Corpus(verb) => verb.run(),
            Verb::Analyze(verb) => verb.run(),
            Verb::Report(verb) => verb.run(),
            Verb::List(verb) => verb.run(),
            Verb::Glossary(verb) => verb.run(),
            Verb::Packaging(verb) => verb.run(),
            Verb::Reference(verb) => verb.run(),
        }
    }

    /// What is kept after an interruption, and how to continue.
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

/// Prints nothing for panics of a decoder that are caught and reported as a damaged file.
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
    // No input is overwritten.
    let _guard = acidtest_files::InputGuard::new();
    interrupt::clean_up_when_interrupted(arguments.verb.kept());
    match arguments.verb.run() {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe (`| head`) is not an error.
        Err(error) if show::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => exit::report(&error),
    }
}
