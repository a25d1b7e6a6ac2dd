//! From corpora to a lexical model: rows are read block by block, and only their features are kept.

use acidtest_corpus::{BadRows, Block, CorpusError, FileRead, InputFile, ReadOptions, Reader, SeenIds, in_order};
use acidtest_model::lexical::{Batch, LexicalError, LexicalSettings, SourceFile, Sources, Tell, Trained, Trainer, Variant};
use acidtest_nli::Seed;

/// What to train, and on what.
pub struct LexicalRequest {
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
    /// How many threads work on it.
    pub threads: usize,
}

/// A model that was trained, and where its rows came from.
pub struct LexicalTraining {
    /// The model, not written yet.
    pub trained: Trained,
    /// The files.
    pub sources: Sources,
    /// Rows left out because they could not be read.
    pub skipped: u64,
}

/// A training that could not be done.
#[derive(Debug, thiserror::Error)]
pub enum LexicalTrainingError {
    /// A corpus could not be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The training failed.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
}

/// Reads the corpora and trains the model; `tell` hears what is being done.
pub fn train_lexical(request: LexicalRequest, tell: Tell<'_>) -> Result<LexicalTraining, LexicalTrainingError> {
    let LexicalRequest { variant, settings, train, dev, options, seed, threads } = request;
    let mut trainer = Trainer::new(variant, settings, Seed::new(seed))?;
    let empty = trainer.batch();
    tell("reading");
    let (train, mut skipped) = read(Reader::new(train, options.clone()), threads, &empty, |batch| trainer.learn(&batch))?;
    let mut sources = Sources { seed, train, dev: Vec::new() };
    if !dev.is_empty() {
        let (dev, skipped_of_dev) = read(Reader::new(dev, options), threads, &empty, |batch| trainer.hold_out(batch))?;
        sources.dev = dev;
        skipped += skipped_of_dev;
    }
    let trained = trainer.train(threads, tell)?;
    Ok(LexicalTraining { trained, sources, skipped })
}

/// A block that was read: its rows as features, and the lines and ids by which double rows are found.
struct ReadBlock {
    block: Block,
    ids: Vec<(u64, Option<u64>)>,
    batch: Batch,
    skipped: u64,
}

/// Hands over the rows of all files in their order; gives the files and the number of rows that could not be read.
fn read(
    mut reader: Reader,
    threads: usize,
    empty: &Batch,
    mut take: impl FnMut(Batch) + Send,
) -> Result<(Vec<SourceFile>, u64), CorpusError> {
    let mut seen = SeenIds::default();
    let mut skipped = 0;
    in_order(
        threads,
        || reader.next_block(),
        |block| read_block(block, empty.clone()),
        |done: ReadBlock| {
            seen.check(&done.block, &done.ids)?;
            skipped += done.skipped;
            take(done.batch);
            Ok(())
        },
    )?;
    let file = |file: &FileRead| SourceFile { path: file.name.clone(), hash: file.hash.to_string(), rows: file.rows };
    Ok((reader.finished().iter().map(file).collect(), skipped))
}

fn read_block(block: Block, mut batch: Batch) -> Result<ReadBlock, CorpusError> {
    let (mut ids, mut skipped) = (Vec::new(), 0);
    for row in block.rows() {
        match row {
            Ok(row) => {
                ids.push((row.line, SeenIds::hash(&row.example.pair.id)));
                batch.add(&row.example.pair, row.example.gold.and_then(|gold| gold.label()));
            }
            Err(_) if block.bad_rows() == BadRows::Skip => skipped += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(ReadBlock { block, ids, batch, skipped })
}
