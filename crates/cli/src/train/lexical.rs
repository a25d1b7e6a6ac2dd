//! `acidtest train --model lexical`, `hypothesis-only`, `premise-only`.

use super::{Train, Trainable};
use crate::lexical::refuse_other;
use crate::options::{files, tell_skipped};
use acidtest_evaluate::statistics::Proportion;
use acidtest_experiment::course::settings_text;
use acidtest_experiment::{LexicalRequest, train_lexical};
use acidtest_model::lexical::{About, LexicalSettings, RowCounts, Trained, Variant, check_place};
use acidtest_nli::Settings;
use anyhow::{Result, bail};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

/// The lexical models.
pub fn trainable() -> Vec<Trainable> {
    const SOURCE: &str = "Nie et al. 2018, Analyzing Compositionality-Sensitivity of NLI Models, section 5.2";
    vec![
        Trainable {
            name: "lexical",
            summary: "softmax regression over the words of the premise, those of the hypothesis, and pairs of them",
            source: SOURCE,
            settings: settings_text(&LexicalSettings::default()),
            train: |train| run(train, Variant::Lexical),
        },
        Trainable {
            name: "hypothesis-only",
            summary: "softmax regression over the words of the hypothesis; the premise is not looked at",
            source: "Gururangan et al. 2018 and Poliak et al. 2018, with the words of Nie et al. 2018",
            settings: settings_text(&LexicalSettings::default()),
            train: |train| run(train, Variant::HypothesisOnly),
        },
        Trainable {
            name: "premise-only",
            summary: "softmax regression over the words of the premise; the hypothesis is not looked at",
            source: SOURCE,
            settings: settings_text(&LexicalSettings::default()),
            train: |train| run(train, Variant::PremiseOnly),
        },
    ]
}

fn run(train: &Train, variant: Variant) -> Result<()> {
    let started = Instant::now();
    if let Some(flag) = train.network.first_given() {
        bail!("{flag} goes with networks, not with `{}`", variant.name());
    }
    let settings = Settings::parse(train.set.iter().map(String::as_str))?.over(variant.name(), &LexicalSettings::default())?;
    check_place(&train.output)?;
    refuse_other(&train.output)?;
    let request = LexicalRequest {
        variant,
        settings,
        train: files(&train.train)?,
        dev: files(&train.dev)?,
        options: train.read.options()?,
        seed: train.seed,
        threads: train.threads.threads()?,
    };
    let on_terminal = std::io::stderr().is_terminal();
    let tell = |doing: &str| {
        if on_terminal {
            eprint!("\r\x1b[K{}: {doing}, {:.1} s", variant.name(), started.elapsed().as_secs_f64());
            let _ = std::io::stderr().flush();
        }
    };
    let result = train_lexical(request, &tell);
    if on_terminal {
        eprint!("\r\x1b[K");
    }
    let done = result?;
    let about = done.trained.write(&train.output, &done.sources)?;
    tell_skipped(done.skipped);
    crate::show::print_all(&summary(&done.trained, &about, &train.output.display().to_string(), started.elapsed())?)
}

fn summary(trained: &Trained, about: &About, folder: &str, time: Duration) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "{} written to {folder}", about.model)?;
    writeln!(text, "  training       {}", rows(&trained.counts))?;
    if trained.dev_counts.taken > 0 {
        writeln!(text, "  dev            {}", rows(&trained.dev_counts))?;
    }
    writeln!(
        text,
        "  features       {}, {} of them in one row alone; {} have a weight",
        trained.features, trained.features_in_one_row, about.features[1]
    )?;
    for tried in &trained.tried {
        let rate = Proportion { count: tried.right, total: trained.dev_counts.taken }.rate().unwrap_or_default();
        writeln!(text, "  tried          penalty {:<7} {:.2} % of dev", tried.penalty, 100.0 * rate)?;
    }
    writeln!(text, "  penalty        {}", trained.penalty)?;
    writeln!(text, "  passes         {}", trained.passes)?;
    writeln!(text, "  loss           {:.3}, at most {:.4} % above the smallest possible", trained.loss, 100.0 * trained.gap)?;
    writeln!(text, "  gradient norm  {:.3e}", trained.gradient_norm)?;
    if trained.dev_counts.taken > 0 {
        let share = Proportion { count: trained.dev_right, total: trained.dev_counts.taken };
        let interval = share.wilson();
        let rate = share.rate().unwrap_or_default();
        writeln!(text, "  dev accuracy   {:.2} % [{:.1}, {:.1}]", 100.0 * rate, 100.0 * interval.low, 100.0 * interval.high)?;
    }
    if about.settings.folds > 0 {
        writeln!(text, "  folds          {}", about.settings.folds)?;
    }
    writeln!(text, "  memory         {:.1} MB of rows, features and weights", trained.bytes as f64 / 1e6)?;
    writeln!(text, "  time           {:.2} s", time.as_secs_f64())?;
    Ok(text)
}

fn rows(counts: &RowCounts) -> String {
    let mut text = format!("{} rows", counts.taken);
    if counts.unlabelled > 0 {
        text.push_str(&format!(", {} without a label left out", counts.unlabelled));
    }
    if counts.tagged > 0 {
        text.push_str(&format!(", {} of them without a parse and so tagged here", counts.tagged));
    }
    text
}
