//! The printed summary of a training run.

use super::TrainingOutcome;
use crate::training::{NetworkOutcome, TrainedNetwork};
use acidtest_evaluate::statistics::Proportion;
use acidtest_model::lexical::{About, RowCounts, TrainedLexicalModel};
use acidtest_nli::{counted, grouped};
use std::fmt::{Result, Write};
use std::time::Duration;

impl TrainingOutcome {
    /// The summary of a training run whose model is in this folder.
    pub fn summary(&self, folder: &str, time: Duration) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = match self {
            TrainingOutcome::Lexical(done) => lexical(&mut text, &done.trained, &done.about, folder, time),
            TrainingOutcome::Network(NetworkOutcome::Trained(trained)) => writeln!(text, "{folder}: {}", network(trained)),
            TrainingOutcome::Network(NetworkOutcome::AlreadyTrained(trained)) => {
                writeln!(text, "{folder}: already trained by this command, nothing to do; {}", network(trained))
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
        "  features       {}, {} of them in one example only; {} with a weight",
        grouped(trained.features),
        grouped(trained.features_in_one_row),
        grouped(about.features[1])
    )?;
    for tried in &trained.tried {
        let rate = Proportion { count: tried.right, total: trained.dev_counts.taken }.rate().unwrap_or_default();
        writeln!(text, "  tried          penalty {:<7} {:.1} % dev accuracy", tried.penalty, 100.0 * rate)?;
    }
    writeln!(text, "  penalty        {}", trained.penalty)?;
    writeln!(text, "  epochs         {}", trained.passes)?;
    writeln!(text, "  loss           {:.3}, at most {:.4} % above the optimum", trained.loss, 100.0 * trained.gap)?;
    writeln!(text, "  gradient norm  {:.3}", trained.gradient_norm)?;
    if trained.dev_counts.taken > 0 {
        let share = Proportion { count: trained.dev_right, total: trained.dev_counts.taken };
        let interval = share.wilson();
        let rate = share.rate().unwrap_or_default();
        writeln!(text, "  dev accuracy   {:.1} % [{:.1}, {:.1}]", 100.0 * rate, 100.0 * interval.low, 100.0 * interval.high)?;
    }
    if trained.dev_counts.taken == 0 {
        writeln!(text, "  dev accuracy   not measured: there are no development examples")?;
    }
    if about.settings.folds > 0 {
        writeln!(text, "  folds          {}", about.settings.folds)?;
    }
    writeln!(text, "  memory         {:.1} MB of examples, features and weights", trained.bytes as f64 / 1e6)?;
    writeln!(text, "  time           {:.2} s", time.as_secs_f64())?;
    writeln!(text, "score it with: acidtest evaluate --model {folder} --data FILE")?;
    writeln!(text, "to find the examples that this model misclassifies: acidtest lexical score --model {folder} FILE")
}

fn rows(counts: &RowCounts) -> String {
    let mut text = counted(counts.taken, "example");
    if counts.unlabelled > 0 {
        text.push_str(&format!(", {} without a label excluded", grouped(counts.unlabelled)));
    }
    if counts.tagged > 0 {
        text.push_str(&format!(", {} of them without a parse and tagged by Acidtest", grouped(counts.tagged)));
    }
    text
}

/// A trained network in one line.
fn network(trained: &TrainedNetwork) -> String {
    let epochs = counted(trained.epochs, "epoch");
    let dev = trained.dev_accuracy.map(|accuracy| format!(", {:.1} % dev accuracy (epoch {})", 100.0 * accuracy, trained.best_epoch));
    format!("{} trained for {epochs} in {:.0} s{}", trained.model, trained.seconds, dev.unwrap_or_default())
}
