//! Trains lexical models from corpora: examples are read block by block, and only their features are kept.

use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{CorpusError, FileRead, IdPolicy, for_blocks};
use acidtest_model::lexical::{
    LexicalBatch, LexicalSettings, LexicalTrainer, SourceFile, Sources, TrainedLexicalModel, TrainingObserver, Variant,
};
use acidtest_nli::Seed;

/// What to train, and on which data.
pub(crate) struct LexicalRequest {
    /// Which model.
    pub variant: Variant,
    /// How it is trained.
    pub settings: LexicalSettings,
    /// The training examples.
    pub train: Data,
    /// The development examples.
    pub dev: Option<Data>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// A trained model with its data sources.
pub(crate) struct LexicalTraining {
    /// The model, which has not been written yet.
    pub trained: TrainedLexicalModel,
    /// The files.
    pub sources: Sources,
}

/// Reads the corpora and trains the model; `observer` receives progress messages.
pub(crate) fn train_lexical(
    request: LexicalRequest,
    observer: TrainingObserver<'_>,
    session: &Session<'_>,
) -> Result<LexicalTraining, Error> {
    let LexicalRequest { variant, settings, train, dev, seed } = request;
    let mut trainer = LexicalTrainer::new(variant, settings, Seed::new(seed))?;
    let empty = trainer.batch();
    observer("reading");
    let train = read(train, session, &empty, |batch| trainer.learn(&batch))?;
    let mut sources = Sources { seed, train, dev: Vec::new() };
    if let Some(dev) = dev {
        // Read separately, so that training and development examples may share ids.
        let dev = read(dev, session, &empty, |batch| trainer.hold_out(batch))?;
        sources.dev = dev;
    }
    let trained = trainer.train(&session.threads, observer, &|| session.check_cancelled().is_err())?;
    Ok(LexicalTraining { trained, sources })
}

/// Passes the examples of all files to `take` in order; returns the files, and reports rows that could not be read.
fn read(
    data: Data,
    session: &Session<'_>,
    empty: &LexicalBatch,
    mut take: impl FnMut(LexicalBatch) + Send,
) -> Result<Vec<SourceFile>, CorpusError> {
    let counts = for_blocks(
        &mut *data.source(),
        session.loop_options(IdPolicy::Unique),
        |examples| {
            let mut batch = empty.clone();
            examples.for_each(|row| batch.add(&row.example.pair, row.example.gold.and_then(|gold| gold.label())));
            Ok(batch)
        },
        |batch| {
            take(batch);
            Ok::<(), CorpusError>(())
        },
    )?;
    let file = |file: &FileRead| SourceFile { path: file.name.clone(), hash: file.hash.to_string(), rows: file.rows };
    note_read(&counts.files, session);
    Ok(counts.files.iter().map(file).collect())
}
