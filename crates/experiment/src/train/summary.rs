//! What came of a training, for reading.

use super::TrainingOutcome;
use crate::training::{NetworkOutcome, TrainedNetwork};
use acidtest_evaluate::statistics::Proportion;
use acidtest_model::lexical::{About, RowCounts, TrainedLexicalModel};
use std::fmt::{Result, Write};
use std::time::Duration;

impl TrainingOutcome {
    /// The summary of a training that wrote its model to a folder.
    pub fn summary(&self, folder: &str, time: Duration) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = match self {
            TrainingOutcome::Lexical(done) => lexical(&mut text, &done.trained, &done.about, folder, time),
            TrainingOutcome::Network(NetworkOutcome::Trained(trained)) => writeln!(text, "{folder}: {}", network(trained)),
            TrainingOutcome::Network(NetworkOutcome::AlreadyTrained(trained)) => {
                writeln!(text, "{folder}: trained already by this command, nothing to do; {}", network(trained))
            }
        };
        text
    }
}

fn lexical(text: &mut String, trained: &TrainedLexicalModel, about: &About, folder: &str, time: Duration) -> Result {
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
    writeln!(text, "  time           {:.2} s", time.as_secs_f64())
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

/// A trained network in one line.
fn network(trained: &TrainedNetwork) -> String {
    let epochs = if trained.epochs == 1 { "1 epoch".to_string() } else { format!("{} epochs", trained.epochs) };
    let dev =
        trained.dev_accuracy.map(|accuracy| format!(", {:.1} % on the development rows (epoch {})", 100.0 * accuracy, trained.best_epoch));
    format!("{} after {epochs}, {:.0} s{}", trained.model, trained.seconds, dev.unwrap_or_default())
}
