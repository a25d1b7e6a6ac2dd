//! `acidtest list`: challenges, models and formats.

use acidtest_experiment::{list_challenges, list_formats, list_models};
use anyhow::Result;
use clap::{Args, ValueEnum};

/// List challenges, models and formats
#[derive(Args)]
#[command(long_about = include_str!("help/list.txt"), after_long_help = include_str!("examples/list.txt"))]
pub(crate) struct List {
    /// What to list [default: all]
    #[arg(value_enum)]
    what: Option<What>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Challenges, with an example and settings
    Challenges,
    /// Models to test and to train
    Models,
    /// Formats to write
    Formats,
}

impl List {
    pub(crate) fn run(self) -> Result<()> {
        let mut text = String::new();
        for (what, list) in
            [(What::Challenges, list_challenges as fn(&mut String) -> _), (What::Models, list_models), (What::Formats, list_formats)]
        {
            if self.what.is_none_or(|only| only == what) {
                list(&mut text)?;
            }
        }
        crate::show::print_all(&format!("{}\n", text.trim_end()))
    }
}
