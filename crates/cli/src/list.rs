//! `acidtest list`: what there is.

use acidtest_challenge::{Build, CATALOG};
use acidtest_corpus::FORMATS;
use acidtest_experiment::{TRAINABLE, training_settings};
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::fmt::Write;

/// List challenges, models and formats
#[derive(Args)]
pub(crate) struct List {
    /// What to list [default: all]
    #[arg(value_enum)]
    what: Option<What>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Challenges,
    Models,
    Formats,
}

impl List {
    /// Prints the list.
    pub(crate) fn run(self) -> Result<()> {
        let wanted = |what| self.what.is_none_or(|only| only == what);
        let mut text = String::new();
        if wanted(What::Challenges) {
            challenges(&mut text)?;
        }
        if wanted(What::Models) {
            models(&mut text)?;
        }
        if wanted(What::Formats) {
            formats(&mut text)?;
        }
        crate::show::print_all(&format!("{}\n", text.trim_end()))
    }
}

fn challenges(text: &mut String) -> Result<()> {
    writeln!(text, "Challenges (acidtest challenge NAME --from FILE -o OUT)\n")?;
    for entry in CATALOG.iter().filter(|entry| matches!(entry.build, Build::Rewrite(_))) {
        writeln!(text, "  {}\n      {}\n      {}", entry.name, entry.summary, entry.source)?;
        let shown = entry.examples.iter().find_map(|case| case.differences().into_iter().next());
        if let Some((_, before, after)) = shown {
            writeln!(text, "      - {before}\n      + {after}\n")?;
        }
    }
    writeln!(text, "Challenges that need no corpus (acidtest challenge hans -o OUT)\n")?;
    for entry in CATALOG.iter().filter(|entry| matches!(entry.build, Build::Generate(_))) {
        writeln!(text, "  {}\n      {}\n      {}\n", entry.name, entry.summary, entry.source)?;
    }
    writeln!(text, "Challenges that need a trained model (acidtest challenge compositional --model FOLDER --from FILE -o OUT)\n")?;
    for entry in CATALOG.iter().filter(|entry| matches!(entry.build, Build::Select(_))) {
        writeln!(text, "  {}\n      {}\n      {}\n", entry.name, entry.summary, entry.source)?;
    }
    Ok(())
}

fn models(text: &mut String) -> Result<()> {
    writeln!(text, "Models (acidtest run --model NAME)\n")?;
    for entry in &acidtest_experiment::EMBEDDED {
        writeln!(text, "  {}\n      {}\n      {}\n", entry.name, entry.summary, entry.source)?;
    }
    for entry in &acidtest_model::CATALOG {
        writeln!(text, "  {}\n      {}\n      {}\n", entry.name, entry.summary, entry.source)?;
    }
    writeln!(
        text,
        "Models to train (acidtest train --model NAME --train FILE -o FOLDER), with their settings (--set KEY=VALUE) and defaults\n"
    )?;
    for entry in TRAINABLE.iter() {
        writeln!(text, "  {}\n      {}\n      {}", entry.name, entry.summary, entry.source)?;
        writeln!(text, "      {}\n", settings(&entry.settings))?;
    }
    writeln!(text, "  Every network\n      {}\n", settings(&training_settings()))?;
    Ok(())
}

/// Keys and defaults, a few on a line.
fn settings(settings: &[(String, String)]) -> String {
    let line = |settings: &[(String, String)]| settings.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ");
    settings.chunks(6).map(line).collect::<Vec<_>>().join(",\n      ")
}

fn formats(text: &mut String) -> Result<()> {
    writeln!(text, "Formats to write (--to FORMAT); reading tells formats by content\n")?;
    for format in &FORMATS {
        writeln!(text, "  {:<14} {}", format.name(), format.summary())?;
    }
    Ok(())
}
