//! `acidtest train` for neural networks.

use super::progress::TrainingProgress;
use super::{Train, Trainable};
use crate::options::{files, tell_skipped};
use crate::show::{command, print_all};
use acidtest_corpus::InputFile;
use acidtest_experiment::NETWORKS;
use acidtest_experiment::course::{
    AllSettings, Amount, Augmentation, CourseRequest, DataUsed, Event, Outcome, TrainedNetwork, WordOrder, settings_text, train_network,
};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How often a state is written where nothing else is asked for.
const CHECKPOINT_MINUTES: f64 = 3.0;

/// What only networks take.
#[derive(Args)]
pub struct NetworkFlags {
    /// Corpus of which every epoch draws a share anew, such as `snli.jsonl=0.15`
    #[arg(long, value_name = "FILE=SHARE", help_heading = "Networks")]
    mix: Vec<String>,
    /// Word vectors to begin with, in GloVe's text form; only those of known words are kept
    #[arg(long, value_name = "FILE", help_heading = "Networks")]
    embeddings: Option<PathBuf>,
    /// Put the words of every sentence in random order while the network learns
    #[arg(long, help_heading = "Networks")]
    shuffle_words: bool,
    /// Rows of a challenge to add, made from the training rows, such as `negation=5000`; `hans=30000` adds pairs of HANS' grammar
    #[arg(long, value_name = "CHALLENGE=ROWS", help_heading = "Networks")]
    augment: Vec<String>,
    /// Minutes between two states from which a training that was killed goes on [default: 3]
    #[arg(long, value_name = "MINUTES", allow_negative_numbers = true, help_heading = "Networks")]
    checkpoint_minutes: Option<f64>,
}

impl NetworkFlags {
    /// The first flag that was given, for models that take none of them.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            (!self.mix.is_empty(), "--mix"),
            (self.embeddings.is_some(), "--embeddings"),
            (self.shuffle_words, "--shuffle-words"),
            (!self.augment.is_empty(), "--augment"),
            (self.checkpoint_minutes.is_some(), "--checkpoint-minutes"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }

    fn mixed_in(&self) -> Result<Vec<(InputFile, f64)>> {
        let mut mixed_in = Vec::new();
        for mix in &self.mix {
            let wrong = || format!("--mix: `{mix}` is no share of a file (expected FILE=SHARE with a share above 0, at most 1)");
            let (file, share) = mix.rsplit_once('=').filter(|(file, _)| !file.is_empty()).with_context(wrong)?;
            let share: f64 = share.trim().parse().ok().filter(|share| *share > 0.0 && *share <= 1.0).with_context(wrong)?;
            mixed_in.extend(files(&[PathBuf::from(file)])?.into_iter().map(|file| (file, share)));
        }
        Ok(mixed_in)
    }

    fn augmented(&self) -> Result<Vec<Augmentation>> {
        let mut augmented: Vec<Augmentation> = Vec::new();
        for augment in &self.augment {
            let wrong = || format!("--augment: `{augment}` says nothing (expected CHALLENGE=ROWS, such as negation=5000)");
            let (name, rows) = augment.split_once('=').with_context(wrong)?;
            let rows: usize = rows.trim().parse().ok().filter(|rows| *rows > 0).with_context(wrong)?;
            if augmented.iter().any(|known| known.challenge == name) {
                bail!("--augment: `{name}` is given twice");
            }
            augmented.push(Augmentation::of(name, rows));
        }
        Ok(augmented)
    }
}

/// All networks.
pub fn trainable() -> impl Iterator<Item = Trainable> {
    NETWORKS.iter().map(|entry| Trainable {
        name: entry.name,
        summary: entry.summary,
        source: entry.source,
        settings: AllSettings::of(entry.name, &[]).map(|all| settings_text(all.network.values())).unwrap_or_default(),
        train,
    })
}

/// The settings of every network's training, with their defaults.
pub fn training_settings() -> Vec<(String, String)> {
    NETWORKS.iter().find_map(|entry| AllSettings::of(entry.name, &[]).ok()).map(|all| all.of_training()).unwrap_or_default()
}

fn train(flags: &Train) -> Result<()> {
    let AllSettings { network, featurizer, training: settings } = AllSettings::of(&flags.model, &flags.set)?;
    let minutes = flags.network.checkpoint_minutes.unwrap_or(CHECKPOINT_MINUTES);
    if !(minutes.is_finite() && minutes >= 0.0) {
        bail!("--checkpoint-minutes: {minutes} will not do (expected a number of at least 0)");
    }
    let request = CourseRequest {
        network,
        featurizer,
        settings,
        train: files(&flags.train)?,
        mix: flags.network.mixed_in()?,
        dev: files(&flags.dev)?,
        embeddings: flags.network.embeddings.as_ref().map(InputFile::new),
        augment: flags.network.augmented()?,
        order: if flags.network.shuffle_words { WordOrder::Shuffled } else { WordOrder::Kept },
        seed: flags.seed,
        options: flags.read.options()?,
        threads: flags.threads.threads()?,
        output: flags.output.clone(),
        checkpoint: Duration::from_secs_f64(60.0 * minutes.min(1e6)),
        command: command(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    let mut progress = TrainingProgress::new(&flags.model);
    let outcome = train_network(&request, &mut |event| {
        if let Event::Prepared { data, augmented, .. } = &event {
            tell_data(data);
            tell_too_few(&request.augment, augmented);
        }
        progress.tell(&event);
    })?;
    drop(progress);
    let folder = flags.output.display();
    print_all(&match outcome {
        Outcome::Trained(trained) => format!("{folder}: {}\n", told(&trained)),
        Outcome::AlreadyTrained(trained) => format!("{folder}: trained already by this command, nothing to do; {}\n", told(&trained)),
    })
}

fn tell_data(data: &[DataUsed]) {
    for used in data {
        if used.unlabelled > 0 {
            eprintln!("{}: {} rows have no gold label and are left out", used.path, used.unlabelled);
        }
        tell_skipped(used.skipped);
    }
}

/// Says which challenges could not make as many rows as were asked for.
fn tell_too_few(wanted: &[Augmentation], made: &BTreeMap<String, u64>) {
    for Augmentation { challenge: name, examples, .. } in wanted {
        let made = made.get(name).copied().unwrap_or_default();
        if let Amount::Count(rows) = examples
            && made < *rows as u64
        {
            eprintln!("--augment: {name} makes {made} rows of the training rows, {rows} were asked for");
        }
    }
}

/// What came of it, in one line.
fn told(trained: &TrainedNetwork) -> String {
    let epochs = if trained.epochs == 1 { "1 epoch".to_string() } else { format!("{} epochs", trained.epochs) };
    let dev =
        trained.dev_accuracy.map(|accuracy| format!(", {:.1} % on the development rows (epoch {})", 100.0 * accuracy, trained.best_epoch));
    format!("{} after {epochs}, {:.0} s{}", trained.model, trained.seconds, dev.unwrap_or_default())
}
