//! Training: one entry point for every model that can be trained.

use crate::data::note_skipped;
use crate::error::Error;
use crate::lexical::{LexicalRequest, train_lexical};
use crate::network::NETWORKS;
use crate::session::{Event, Progress, Session};
use crate::spec::{SpecError, TrainSpec};
use crate::trained::{lexical_variant, refuse_other_model};
use crate::training::{
    AllSettings, Augmentation, ExampleAmount, NetworkOutcome, TrainingEvent, TrainingRequest, settings_text, train_network,
};
use acidtest_corpus::{InputFile, resolve};
use acidtest_model::lexical::{About, LexicalSettings, TrainedLexicalModel, Variant, check_place};
use acidtest_nli::{Catalog, Named, Settings};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// A model that can be trained.
pub struct Trainable {
    /// The name that users type.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Its settings, with their defaults.
    pub settings: Vec<(String, String)>,
    /// Trains it.
    train: fn(&TrainSpec, &Session<'_>) -> Result<TrainingOutcome, Error>,
}

impl Named for Trainable {
    fn name(&self) -> &str {
        self.name
    }
}

/// Every model that can be trained: the lexical ones, then the networks.
pub static TRAINABLE: LazyLock<Catalog<Trainable>> = LazyLock::new(|| {
    let lexical = Variant::ALL.map(|variant| {
        let about = lexical_entry(variant);
        Trainable {
            name: variant.name(),
            summary: about.0,
            source: about.1,
            settings: settings_text(&LexicalSettings::default()),
            train: lexical,
        }
    });
    let networks = NETWORKS.iter().map(|entry| Trainable {
        name: entry.name,
        summary: entry.summary,
        source: entry.source,
        settings: AllSettings::of(entry.name, &[]).map(|all| settings_text(all.network.values())).unwrap_or_default(),
        train: network,
    });
    Catalog::new("model to train", Vec::leak(lexical.into_iter().chain(networks).collect()))
});

/// The settings of every network's training, with their defaults.
pub fn training_settings() -> Vec<(String, String)> {
    NETWORKS.iter().find_map(|entry| AllSettings::of(entry.name, &[]).ok()).map(|all| all.of_training()).unwrap_or_default()
}

/// What came of a training.
pub enum TrainingOutcome {
    /// A lexical model was trained.
    Lexical(Box<LexicalOutcome>),
    /// A network was trained, or had been already.
    Network(NetworkOutcome),
}

/// A lexical model that was trained and written.
pub struct LexicalOutcome {
    /// The training.
    pub trained: TrainedLexicalModel,
    /// What the folder says of the model.
    pub about: About,
}

/// Trains a model and writes it to its folder; a training of a network that was interrupted goes on.
pub fn train(spec: &TrainSpec, session: &Session<'_>) -> Result<TrainingOutcome, Error> {
    (TRAINABLE.find(&spec.model)?.train)(spec, session)
}

fn lexical_entry(variant: Variant) -> (&'static str, &'static str) {
    const NIE: &str = "Nie et al. 2018, Analyzing Compositionality-Sensitivity of NLI Models, section 5.2";
    match variant {
        Variant::Lexical => ("softmax regression over the words of the premise, those of the hypothesis, and pairs of them", NIE),
        Variant::HypothesisOnly => (
            "softmax regression over the words of the hypothesis; the premise is not looked at",
            "Gururangan et al. 2018 and Poliak et al. 2018, with the words of Nie et al. 2018",
        ),
        Variant::PremiseOnly => ("softmax regression over the words of the premise; the hypothesis is not looked at", NIE),
    }
}

fn lexical(spec: &TrainSpec, session: &Session<'_>) -> Result<TrainingOutcome, Error> {
    refuse_network_fields(spec)?;
    let variant = lexical_variant(&spec.model)?;
    let settings = Settings::from_map(spec.settings.clone()).over(variant.name(), &LexicalSettings::default())?;
    check_place(&spec.output)?;
    refuse_other_model(&spec.output)?;
    let request = LexicalRequest {
        variant,
        settings,
        train: resolve(&spec.train.files)?,
        dev: resolve(&spec.dev.files)?,
        options: spec.train.options()?,
        seed: spec.seed,
        threads: session.threads.clone(),
    };
    let observer = |doing: &str| session.progress(Progress { task: doing, unit: "passes", done: 0, total: None });
    let done = train_lexical(request, &observer)?;
    let about = done.trained.write(&spec.output, &done.sources)?;
    note_skipped(done.skipped, session);
    Ok(TrainingOutcome::Lexical(Box::new(LexicalOutcome { trained: done.trained, about })))
}

/// What only networks take must not be given in vain.
fn refuse_network_fields(spec: &TrainSpec) -> Result<(), SpecError> {
    let given = [
        ("mix", !spec.mix.is_empty()),
        ("embeddings", spec.embeddings.is_some()),
        ("word_order", spec.word_order != TrainSpec::default().word_order),
        ("augment", !spec.augment.is_empty()),
        ("checkpoint_minutes", spec.checkpoint_minutes != TrainSpec::default().checkpoint_minutes),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((field, _)) => Err(SpecError::new(field, "given", format!("nothing: it goes with networks, not with `{}`", spec.model))),
        None => Ok(()),
    }
}

fn network(spec: &TrainSpec, session: &Session<'_>) -> Result<TrainingOutcome, Error> {
    let AllSettings { network, featurizer, training: settings } = AllSettings::of(&spec.model, &as_pairs(&spec.settings))?;
    let minutes = spec.checkpoint_minutes;
    if !(minutes.is_finite() && minutes >= 0.0) {
        return Err(SpecError::new("checkpoint_minutes", minutes.to_string(), "a number of at least 0").into());
    }
    let mut mix = Vec::new();
    for part in &spec.mix {
        mix.extend(resolve(std::slice::from_ref(&part.file))?.into_iter().map(|file| (file, part.share)));
    }
    let mut augment: Vec<Augmentation> = Vec::new();
    for wanted in &spec.augment {
        if augment.iter().any(|known| known.challenge == wanted.challenge) {
            return Err(SpecError::new("augment", wanted.challenge.clone(), "each challenge once").into());
        }
        augment.push(wanted.augmentation());
    }
    let request = TrainingRequest {
        network,
        featurizer,
        settings,
        train: resolve(&spec.train.files)?,
        mix,
        dev: resolve(&spec.dev.files)?,
        embeddings: spec.embeddings.as_ref().map(InputFile::new),
        augment,
        order: spec.word_order,
        seed: spec.seed,
        options: spec.train.options()?,
        threads: session.threads.clone(),
        output: PathBuf::from(&spec.output),
        checkpoint: Duration::from_secs_f64(60.0 * minutes.min(1e6)),
        command: session.command.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    let trained = train_network(&request, &mut |event| {
        note_data(&request, &event, session);
        session.observer.notice(Event::Training(&event));
    })?;
    Ok(TrainingOutcome::Network(trained))
}

/// Settings as `key=value`.
fn as_pairs(settings: &Map<String, Value>) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    settings.iter().map(|(key, value)| format!("{key}={}", text(value))).collect()
}

/// Notes what was left out of the corpora, and challenges that could not give as many examples as were asked for.
fn note_data(request: &TrainingRequest, event: &TrainingEvent<'_>, session: &Session<'_>) {
    let TrainingEvent::Prepared { data, augmented, .. } = event else { return };
    for used in *data {
        if used.unlabelled > 0 {
            session.note(&format!("{}: {} rows have no gold label and are left out", used.path, used.unlabelled));
        }
        note_skipped(used.skipped, session);
    }
    for Augmentation { challenge, examples, .. } in &request.augment {
        let made = augmented.get(challenge).copied().unwrap_or_default();
        if let ExampleAmount::Count(wanted) = examples
            && made < *wanted as u64
        {
            session.note(&format!("{challenge} makes {made} rows of the training rows, {wanted} were asked for"));
        }
    }
}
