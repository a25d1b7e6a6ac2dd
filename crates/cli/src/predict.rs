//! `acidtest predict`: a model's answers to every row of a corpus, in a file.

use crate::options::{ReadFlags, ThreadFlags, cut_short, files, refuse_same, tell_skipped};
use crate::predictions::{AnswerFlags, ModelFlags};
use crate::progress::Progress;
use acidtest_corpus::{Examples, IdPolicy, InputFile, LoopCounts, LoopOptions, PredictionForm, Reader, for_blocks, read_all};
use acidtest_experiment::Source;
use acidtest_files::Output;
use acidtest_model::lexical::wants_tagger;
use acidtest_model::{CATALOG, LexicalModel, Model};
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use anyhow::{Result, bail};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Write a model's answers to every row of a corpus
///
/// One line a row: id, label, and scores where the model has them. `evaluate`, `compare` and `run` read the file with --predictions or --model. Rows need
/// no labels.
#[derive(Args)]
pub struct Predict {
    /// Model to ask: the folder of a trained model, a name of `acidtest list models`, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: String,
    /// Corpora to answer
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Where the answers go: JSON lines, or comma separated values for a name that ends in `.csv` [default: standard output]
    #[arg(short, long, value_name = "OUT", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    answers: AnswerFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: ReadFlags,
}

impl Predict {
    /// Asks and writes.
    pub fn run(self) -> Result<()> {
        refuse_same(&self.data, &self.output)?;
        refuse_same(&[PathBuf::from(&self.model)], &self.output)?;
        let inputs = files(&self.data)?;
        let (options, threads) = (self.read.options()?, self.threads.threads()?);
        // Reference models are made from the labels of the rows that they are asked about.
        let training = match CATALOG.iter().any(|entry| entry.name == self.model) {
            true if inputs.iter().any(InputFile::is_standard_input) => {
                bail!("--data -: `{}` reads the rows twice, which standard input does not allow (expected files)", self.model)
            }
            true => read_all(inputs.clone(), options.clone(), &threads)?.examples,
            false => Vec::new(),
        };
        let model = self.models.model(&self.model, &self.answers, &training, &threads)?;
        let Source::Model(asked) = model.source else {
            bail!("{}: these answers are there already (expected a model: a folder, a name, or `process:COMMAND`)", self.model);
        };
        // One process answers one call at a time.
        let threads = if self.model.starts_with("process:") { Threads::new(NonZeroUsize::MIN)? } else { threads };
        let lexical = LexicalModel::load(Path::new(&self.model)).is_ok();
        let job = Job {
            model: &*asked,
            form: PredictionForm::of_path(&self.output),
            output: &self.output,
            words: if lexical { Words::Classed } else { Words::AsTheyAre },
        };
        let mut output = Output::create(&self.output)?;
        let mut progress = Progress::new();
        let (counts, notes) =
            job.write(Reader::new(inputs, options), &threads, &mut output, &mut |rows| progress.count(&model.name, rows))?;
        drop(progress);
        output.finish()?;
        tell_skipped(counts.skipped);
        if notes.tagged > 0 {
            eprintln!("{} of {} rows have no parse, so that the tagger told the classes of their words", notes.tagged, counts.read);
        }
        if let Some(note) = cut_short(&model.name, notes.cut_short) {
            eprintln!("{note}");
        }
        eprintln!("{} rows answered by {}", counts.read, model.name);
        Ok(())
    }
}

/// Whether the model needs to know the classes of words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Classed,
    AsTheyAre,
}

struct Job<'m> {
    model: &'m dyn Model,
    form: PredictionForm,
    output: &'m Path,
    words: Words,
}

/// What is worth a note about rows.
#[derive(Default)]
struct Notes {
    tagged: u64,
    cut_short: usize,
}

/// The answers to a block.
struct Answered {
    rows: usize,
    lines: Vec<u8>,
    notes: Notes,
}

impl Job<'_> {
    fn write(
        &self,
        mut reader: Reader,
        threads: &Threads,
        output: &mut Output,
        tell: &mut (dyn FnMut(usize) + Send),
    ) -> Result<(LoopCounts, Notes)> {
        output.write(self.form.header().as_bytes())?;
        let (mut rows, mut notes) = (0, Notes::default());
        let counts = for_blocks(
            &mut reader,
            LoopOptions { threads, ids: IdPolicy::Unique },
            |examples| self.answer(examples),
            |answered: Answered| {
                rows += answered.rows;
                notes.tagged += answered.notes.tagged;
                notes.cut_short += answered.notes.cut_short;
                tell(rows);
                Ok::<(), anyhow::Error>(output.write(&answered.lines)?)
            },
        )?;
        Ok((counts, notes))
    }

    fn answer(&self, examples: &mut Examples<'_>) -> Result<Answered> {
        let pairs: Vec<Pair<'_>> = examples.map(|row| row.example.pair).collect();
        let predictions = self.model.predictions(&pairs)?;
        let tagged = match self.words {
            Words::Classed => pairs.iter().filter(|pair| wants_tagger(pair)).count() as u64,
            Words::AsTheyAre => 0,
        };
        let lines = self.form.encode(pairs.iter().map(|pair| pair.id.as_ref()).zip(&predictions), self.output)?;
        let cut_short = predictions.iter().filter(|prediction| prediction.truncated).count();
        Ok(Answered { rows: pairs.len(), lines, notes: Notes { tagged, cut_short } })
    }
}
