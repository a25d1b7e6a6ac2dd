//! Training: one entry point for every model that can be trained.

mod summary;

use crate::data::{Data, note_skipped};
use crate::error::Error;
use crate::lexical::{LexicalRequest, train_lexical};
use crate::session::{Event, Progress, Session};
use crate::spec::SpecError;
use crate::trainable::ModelToTrain;
use crate::trained::{is_trained_model, refuse_other_model};
use crate::training::{
    Augmentation, ExampleAmount, FineTuned, FromScratch, Learner, NetworkOutcome, NetworkTraining, TrainingError, TrainingEvent, WordOrder,
    train_network,
};
use acidtest_corpus::InputFile;
use acidtest_model::lexical::{About, LexicalSettings, TrainedLexicalModel, Variant, check_place};
use acidtest_nli::grouped;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A resolved [`TrainSpec`](crate::spec::TrainSpec). Its data may be replaced by examples in memory.
pub struct TrainRequest {
    /// The model with its settings.
    pub model: ModelToTrain,
    /// Training examples.
    pub train: Data,
    /// Corpora from which every epoch samples a share.
    pub mix: Vec<MixedData>,
    /// Development examples, for model selection and early stopping.
    pub dev: Option<Data>,
    /// Challenges whose examples are added.
    pub augment: Vec<Augmentation>,
    /// Initial word vectors.
    pub embeddings: Option<InputFile>,
    /// Whether words are shuffled.
    pub word_order: WordOrder,
    /// The seed of all random choices.
    pub seed: u64,
    /// Time between checkpoints; `None` for three minutes.
    pub checkpoint: Option<Duration>,
    /// The folder of the model.
    pub output: PathBuf,
}

/// Examples from which every epoch samples a share.
#[derive(Clone)]
pub struct MixedData {
    /// The examples.
    pub data: Data,
    /// The share, above 0 and at most 1.
    pub share: f64,
}

/// The default time between checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(180);

/// The outcome of a training run.
pub enum TrainingOutcome {
    /// A lexical model was trained.
    Lexical(Box<LexicalOutcome>),
    /// A network was trained, now or by an earlier run.
    Network(NetworkOutcome),
}

/// A lexical model that was trained and written.
pub struct LexicalOutcome {
    /// The training.
    pub trained: TrainedLexicalModel,
    /// The description in the model folder.
    pub about: About,
}

/// Trains a model and writes it to its folder; resumes the interrupted training run of a network.
pub fn train(request: TrainRequest, session: &Session<'_>) -> Result<TrainingOutcome, Error> {
    request.check()?;
    match request.model.clone() {
        ModelToTrain::Lexical(variant, settings) => lexical(request, variant, settings, session),
        ModelToTrain::Network(settings) => network(request, &mut FromScratch { settings: *settings }, session),
        ModelToTrain::Transformer(folder, settings) => {
            refuse_itself(&folder, &request.output)?;
            let mut learner = FineTuned::open(&folder, *settings, request.seed, &session.threads)?;
            network(request, &mut learner, session)
        }
    }
}

/// Refuses to write a model into the folder that it starts from.
fn refuse_itself(folder: &Path, output: &Path) -> Result<(), Error> {
    let is_same = folder.canonicalize().ok().is_some_and(|folder| output.canonicalize().is_ok_and(|output| output == folder));
    if is_same {
        let expected = "another folder than that of the model, which would be lost";
        return Err(SpecError::new("output", output.display().to_string(), expected).into());
    }
    Ok(())
}

fn network(request: TrainRequest, learner: &mut dyn Learner, session: &Session<'_>) -> Result<TrainingOutcome, Error> {
    let training = NetworkTraining {
        train: request.train,
        mix: request.mix,
        dev: request.dev,
        embeddings: request.embeddings,
        augment: request.augment,
        order: request.word_order,
        seed: request.seed,
        session,
        output: request.output,
        checkpoint: request.checkpoint.unwrap_or(CHECKPOINT),
        command: session.command.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    let trained = train_network(&training, learner, &mut |event| {
        note_data(&training, &event, session);
        session.observer.notice(Event::Training(&event));
    })?;
    Ok(TrainingOutcome::Network(trained))
}

impl TrainRequest {
    /// Refuses options that do not apply to the model.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let variant = match &self.model {
            ModelToTrain::Lexical(variant, _) => variant,
            ModelToTrain::Network(_) => return Ok(()),
            ModelToTrain::Transformer(..) => return self.check_for_transformer(),
        };
        let given = [
            ("mix", !self.mix.is_empty()),
            ("embeddings", self.embeddings.is_some()),
            ("word_order", self.word_order != WordOrder::default()),
            ("augment", !self.augment.is_empty()),
            ("checkpoint_minutes", self.checkpoint.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((field, _)) => Err(Error::ForNetworks { field, model: variant.name() }),
            None => Ok(()),
        }
    }

    fn check_for_transformer(&self) -> Result<(), Error> {
        if let Some(file) = &self.embeddings {
            return Err(TrainingError::NoVectors { path: file.name(), network: self.model.name() }.into());
        }
        match self.word_order {
            WordOrder::Kept => Ok(()),
            // Both sentences and their separators are one sequence of parts of words.
            WordOrder::Shuffled => Err(Error::NoWordOrder { field: "word_order" }),
        }
    }
}

fn lexical(request: TrainRequest, variant: Variant, settings: LexicalSettings, session: &Session<'_>) -> Result<TrainingOutcome, Error> {
    let output = request.output;
    check_place(&output)?;
    refuse_other_model(&output)?;
    let request = LexicalRequest { variant, settings, train: request.train, dev: request.dev, seed: request.seed };
    let observer = |doing: &str| session.progress(Progress { task: doing, unit: "examples", done: 0, total: None });
    let done = train_lexical(request, &observer, session)?;
    if is_trained_model(&output) {
        session.note(&format!("{}: the older model in this folder is replaced", output.display()));
    }
    let about = done.trained.write(&output, &done.sources)?;
    Ok(TrainingOutcome::Lexical(Box::new(LexicalOutcome { trained: done.trained, about })))
}

/// Reports rows that were excluded, and challenges that gave fewer examples than requested.
fn note_data(training: &NetworkTraining<'_>, event: &TrainingEvent<'_>, session: &Session<'_>) {
    let TrainingEvent::Prepared { data, augmented, .. } = event else { return };
    for used in *data {
        if used.unlabelled > 0 {
            session.note(&format!("{}: {} examples have no gold label and are excluded", used.path, grouped(used.unlabelled)));
        }
        note_skipped(used.skipped, session);
    }
    for Augmentation { challenge, examples, .. } in &training.augment {
        let made = augmented.get(challenge).copied().unwrap_or_default();
        if let ExampleAmount::Count(wanted) = examples
            && made < *wanted as u64
        {
            session.note(&format!("{challenge}: only {} of {} examples could be made", grouped(made), grouped(wanted)));
        }
    }
}
