//! From corpora to a lexical model: rows are read block by block, and only their features are kept.

use acidtest_corpus::{CorpusError, FileRead, IdPolicy, InputFile, LoopOptions, ReadOptions, Reader, for_blocks};
use acidtest_model::lexical::{
    LexicalBatch, LexicalError, LexicalSettings, LexicalTrainer, SourceFile, Sources, TrainedLexicalModel, TrainingObserver, Variant,
};
use acidtest_nli::Seed;
use acidtest_threads::Threads;

/// What to train, and on what.
pub(crate) struct LexicalRequest {
    /// Which model.
    pub variant: Variant,
    /// How it is trained.
    pub settings: LexicalSettings,
    /// The corpora to learn from.
    pub train: Vec<InputFile>,
    /// The corpora to choose settings by.
    pub dev: Vec<InputFile>,
    /// How to read them.
    pub options: ReadOptions,
    /// The seed of all random choices.
    pub seed: u64,
    /// The threads that work on it.
    pub threads: Threads,
}

/// A model that was trained, and where its rows came from.
pub(crate) struct LexicalTraining {
    /// The model, not written yet.
    pub trained: TrainedLexicalModel,
    /// The files.
    pub sources: Sources,
    /// Rows left out because they could not be read.
    pub skipped: u64,
}

/// A training that could not be done.
#[derive(Debug, thiserror::Error)]
pub enum LexicalTrainingError {
    /// A corpus could not be read.
    #[error("{0}")]
    Corpus(#[from] CorpusError),
    /// The training failed.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
}

/// Reads the corpora and trains the model; `observer` is told what is being done.
pub(crate) fn train_lexical(request: LexicalRequest, observer: TrainingObserver<'_>) -> Result<LexicalTraining, LexicalTrainingError> {
    let LexicalRequest { variant, settings, train, dev, options, seed, threads } = request;
    let mut trainer = LexicalTrainer::new(variant, settings, Seed::new(seed))?;
    let empty = trainer.batch();
    observer("reading");
    let (train, mut skipped) = read(Reader::new(train, options.clone()), &threads, &empty, |batch| trainer.learn(&batch))?;
    let mut sources = Sources { seed, train, dev: Vec::new() };
    if !dev.is_empty() {
        let (dev, skipped_of_dev) = read(Reader::new(dev, options), &threads, &empty, |batch| trainer.hold_out(batch))?;
        sources.dev = dev;
        skipped += skipped_of_dev;
    }
    let trained = trainer.train(&threads, observer)?;
    Ok(LexicalTraining { trained, sources, skipped })
}

/// Hands over the rows of all files in their order; gives the files and the number of rows that could not be read.
fn read(
    mut reader: Reader,
    threads: &Threads,
    empty: &LexicalBatch,
    mut take: impl FnMut(LexicalBatch) + Send,
) -> Result<(Vec<SourceFile>, u64), CorpusError> {
    let counts = for_blocks(
        &mut reader,
        // Training and development files are read one after the other, so that they may share ids.
        LoopOptions::new(threads, IdPolicy::Unique),
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
    Ok((counts.files.iter().map(file).collect(), counts.skipped))
}
