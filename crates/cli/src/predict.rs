//! `acidtest predict`: a model's answers to every row of a corpus, in a file.

use crate::options::{ReadFlags, ThreadFlags, cut_short, files, refuse_same, tell_skipped};
use crate::predictions::{AnswerFlags, ModelFlags};
use crate::progress::Progress;
use acidtest_corpus::{Examples, IdPolicy, InputFile, LoopCounts, LoopOptions, Reader, RowProblem, for_blocks, read_all};
use acidtest_experiment::Source;
use acidtest_files::Output;
use acidtest_model::lexical::wants_tagger;
use acidtest_model::{CATALOG, LexicalModel, Model};
use acidtest_nli::{Pair, Prediction, Scores};
use acidtest_threads::Threads;
use anyhow::{Result, bail};
use clap::Args;
use std::fmt::Write as _;
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
        let job = Job { model: &*asked, form: Form::of_path(&self.output), words: if lexical { Words::Classed } else { Words::AsTheyAre } };
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

/// How answers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    JsonLines,
    Csv,
}

impl Form {
    fn of_path(path: &Path) -> Form {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        if name.ends_with(".csv") { Form::Csv } else { Form::JsonLines }
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
    form: Form,
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
    lines: String,
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
        if self.form == Form::Csv {
            output.write(b"id,label,entailment,neutral,contradiction\n")?;
        }
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
                Ok::<(), anyhow::Error>(output.write(answered.lines.as_bytes())?)
            },
        )?;
        Ok((counts, notes))
    }

    fn answer(&self, examples: &mut Examples<'_>) -> Result<Answered> {
        let (places, pairs): (Vec<u64>, Vec<Pair<'_>>) = examples.map(|row| (row.line, row.example.pair)).unzip();
        let predictions = self.model.predictions(&pairs)?;
        let tagged = match self.words {
            Words::Classed => pairs.iter().filter(|pair| wants_tagger(pair)).count() as u64,
            Words::AsTheyAre => 0,
        };
        let mut lines = String::with_capacity(pairs.len() * 110);
        for ((pair, prediction), line) in pairs.iter().zip(&predictions).zip(&places) {
            let problem = |problem: String| examples.error(*line, RowProblem::Prediction(problem));
            match self.form {
                Form::JsonLines => json_line(&pair.id, prediction, &mut lines)?,
                Form::Csv => csv_line(&pair.id, prediction, &mut lines).map_err(problem)?,
            }
        }
        let cut_short = predictions.iter().filter(|prediction| prediction.truncated).count();
        Ok(Answered { rows: pairs.len(), lines, notes: Notes { tagged, cut_short } })
    }
}

fn json_line(id: &str, prediction: &Prediction, lines: &mut String) -> Result<()> {
    write!(lines, "{{\"id\": {}, \"label\": \"{}\"", serde_json::to_string(id)?, prediction.answer)?;
    match prediction.scores {
        Some(Scores::Three([entailment, neutral, contradiction])) => {
            write!(lines, ", \"scores\": [{entailment}, {neutral}, {contradiction}]")?;
        }
        // By name, because a list of numbers is in the order of three labels unless one says otherwise.
        Some(Scores::Two([entailment, not])) => write!(lines, ", \"scores\": {{\"entailment\": {entailment}, \"non-entailment\": {not}}}")?,
        None => {}
    }
    if prediction.truncated {
        lines.push_str(", \"truncated\": true");
    }
    lines.push_str("}\n");
    Ok(())
}

fn csv_line(id: &str, prediction: &Prediction, lines: &mut String) -> Result<(), String> {
    if id.contains([',', '"', '\n', '\r']) {
        return Err(format!("the id `{id}` has a comma or a quotation mark, which the columns cannot hold (write .jsonl instead)"));
    }
    let Some(Scores::Three([entailment, neutral, contradiction])) = prediction.scores else {
        return Err("the model does not give the three scores that the columns hold (write .jsonl instead)".to_string());
    };
    let _ = writeln!(lines, "{id},{},{entailment},{neutral},{contradiction}", prediction.answer);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

    #[test]
    fn the_form_is_told_by_the_name() {
        let form = |name: &str| Form::of_path(Path::new(name));
        assert!(form("out.csv") == Form::Csv && form("a/out.CSV.gz") == Form::Csv);
        assert!(form("-") == Form::JsonLines && form("out.jsonl") == Form::JsonLines && form("csv") == Form::JsonLines);
    }

    #[test]
    fn lines_hold_id_label_and_scores() {
        let mut lines = String::new();
        json_line("a\"b", &Prediction::from_scores([0.5, 0.25, 0.25]), &mut lines).unwrap();
        json_line("c", &Prediction::of(Label::Neutral), &mut lines).unwrap();
        csv_line("d", &Prediction::from_scores([0.25, 0.25, 0.5]), &mut lines).unwrap();
        json_line("e", &Prediction::from_scores([0.25, 0.75]), &mut lines).unwrap();
        let expected = "{\"id\": \"a\\\"b\", \"label\": \"entailment\", \"scores\": [0.5, 0.25, 0.25]}\n{\"id\": \"c\", \"label\": \"neutral\"}\n\
                        d,contradiction,0.25,0.25,0.5\n\
                        {\"id\": \"e\", \"label\": \"non-entailment\", \"scores\": {\"entailment\": 0.25, \"non-entailment\": 0.75}}\n";
        assert_eq!(lines, expected);
        assert!(csv_line("e", &Prediction::from_scores([0.25, 0.75]), &mut lines).is_err());
        assert!(csv_line("a,b", &Prediction::from_scores([0.25, 0.25, 0.5]), &mut lines).is_err());
    }
}
