//! The examples of an entry point: files to read, or examples in memory.

use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{
    BlockSource, ExampleSource, FileRead, IdPolicy, InputFile, LoopCounts, Passages, ReadOptions, Reader, embedded_sample,
    embedded_sample_hash, plain_pairs, plain_pairs_hash, read_source,
};
use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::report::{ReportInput, grouped};
use acidtest_files::ContentHash;
use acidtest_model::TrainingLabels;
use acidtest_nli::Example;
use std::num::NonZeroUsize;
use std::ops::Range;

/// The name of the set of easy pairs.
pub(crate) const EASY: &str = "easy-pairs";

/// Examples, in files or in memory.
#[derive(Clone)]
pub enum Data {
    /// Corpora on disk.
    Files(Vec<InputFile>, ReadOptions),
    /// Examples in memory, with their provenance.
    Examples(Vec<Example<'static>>, Vec<ReportInput>),
}

/// Examples in memory.
#[derive(Default)]
pub struct LoadedData {
    /// The examples, in order.
    pub examples: Vec<Example<'static>>,
    /// Parts of them that are also scored separately.
    pub parts: Vec<DataPart>,
    /// Their provenance, for reports.
    pub inputs: Vec<ReportInput>,
    /// Whether gold labels are numbers that were read in the usual order, because nothing says otherwise.
    pub assumed_labels: bool,
    /// The indices of skipped rows, from 0; needed for predictions by row number.
    pub gaps: Vec<u64>,
}

/// A named part of the examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPart {
    /// The name.
    pub name: &'static str,
    /// Its range.
    pub range: Range<usize>,
}

impl Data {
    /// Protects the files from being overwritten by an output.
    fn note_read(&self) {
        if let Data::Files(files, _) = self {
            files.iter().for_each(InputFile::note_read);
        }
    }

    /// The same, also accepting texts without hypotheses.
    pub(crate) fn with_passages(mut self) -> Self {
        if let Data::Files(_, options) = &mut self {
            options.passages = Passages::Accept;
        }
        self
    }

    /// The examples in blocks, from the beginning.
    pub fn source(self) -> Box<dyn BlockSource> {
        self.note_read();
        match self {
            Data::Files(files, options) => Box::new(Reader::new(files, options)),
            Data::Examples(examples, inputs) => {
                let names: Vec<&str> = inputs.iter().map(|input| input.path.as_str()).collect();
                let name = if names.is_empty() { "examples in memory".to_string() } else { names.join(", ") };
                Box::new(ExampleSource::new(&name, examples))
            }
        }
    }

    /// How often each label is the gold label; this reads the data, so standard input is refused.
    pub fn label_counts(&self, session: &Session<'_>) -> Result<TrainingLabels, Error> {
        match self {
            Data::Files(files, _) if files.iter().any(InputFile::is_standard_input) => Err(Error::ReadTwice),
            data => Ok(data.clone().load(session)?.label_counts()),
        }
    }

    /// Reads everything into memory, and reports skipped rows.
    pub fn load(self, session: &Session<'_>) -> Result<LoadedData, Error> {
        match self {
            Data::Examples(examples, inputs) => Ok(LoadedData { examples, inputs, ..LoadedData::default() }),
            Data::Files(files, options) => {
                let limit = options.limit.map_or(usize::MAX, NonZeroUsize::get);
                let mut corpus = read_source(&mut Reader::new(files, options), session.loop_options(IdPolicy::Unique))?;
                note_read(&corpus.files, session);
                if corpus.examples.len() > limit {
                    session.note(&format!(
                        "only the first {} of {} examples are used",
                        grouped(limit as u64),
                        grouped(corpus.examples.len() as u64)
                    ));
                    corpus.examples.truncate(limit);
                }
                note_swapped(&corpus.examples, session);
                let assumed_labels = corpus.files.iter().any(|file| file.assumed_labels);
                let inputs = inputs("data", &corpus.files);
                Ok(LoadedData { examples: corpus.examples, parts: Vec::new(), inputs, assumed_labels, gaps: corpus.gaps })
            }
        }
    }
}

impl From<LoadedData> for Data {
    fn from(loaded: LoadedData) -> Self {
        Data::Examples(loaded.examples, loaded.inputs)
    }
}

impl LoadedData {
    /// The corpora in the program: a sample of ten genres, and easy pairs.
    pub fn embedded() -> Self {
        let (mut examples, easy) = (embedded_sample(), plain_pairs());
        let input = |path: &str, rows: usize, hash: ContentHash| ReportInput {
            role: "data".to_string(),
            path: path.to_string(),
            rows: rows as u64,
            hash: hash.to_string(),
            ..ReportInput::default()
        };
        let inputs = vec![
            input("embedded sample", examples.len(), embedded_sample_hash()),
            input("embedded easy pairs", easy.len(), plain_pairs_hash()),
        ];
        let parts = vec![DataPart { name: EASY, range: examples.len()..examples.len() + easy.len() }];
        examples.extend(easy);
        LoadedData { examples, parts, inputs, assumed_labels: false, gaps: Vec::new() }
    }

    /// How often each label is the gold label.
    pub fn label_counts(&self) -> TrainingLabels {
        let mut counts = TrainingLabels::default();
        for label in self.examples.iter().filter_map(|example| example.gold?.label()) {
            counts.0[label.index()] += 1;
        }
        counts
    }

    /// Whether the examples have text, and not only ids and labels.
    pub fn has_text(&self) -> bool {
        self.examples.iter().any(|example| !example.pair.hypothesis.text.is_empty())
    }
}

/// With fewer pairs, the check for swapped columns is skipped.
const TELLING_PAIRS: usize = 30;

/// Notes that premise and hypothesis may be swapped if the hypothesis is the longer text in most pairs, which is rare in NLI corpora.
fn note_swapped(examples: &[Example<'_>], session: &Session<'_>) {
    let longer = examples.iter().filter(|example| example.pair.hypothesis.text.len() > example.pair.premise.text.len()).count();
    if examples.len() >= TELLING_PAIRS && 4 * longer > 3 * examples.len() {
        let share = 100.0 * longer as f64 / examples.len() as f64;
        session.note(&format!("the hypothesis is longer than the premise in {share:.0} % of the pairs: are the two columns swapped?"));
    }
}

/// Reports what was inferred from files or assumed, and how many rows were skipped.
pub(crate) fn note_read(files: &[FileRead], session: &Session<'_>) {
    for file in files {
        file.notes.iter().for_each(|note| session.note(&format!("{}: {note}", file.name)));
    }
    note_skipped(files.iter().map(|file| file.skipped).sum(), session);
}

/// The same for examples that were written, with the number of unlabelled ones.
pub(crate) fn note_written(counts: &LoopCounts, session: &Session<'_>) {
    note_read(&counts.files, session);
    let rows = |count: u64, one: &str, many: &str| {
        if count == 1 { format!("1 example {one}") } else { format!("{} examples {many}", grouped(count)) }
    };
    match counts {
        LoopCounts { left_out: 1.., .. } => {
            session.note(&rows(counts.left_out, "has no gold label and was excluded", "have no gold label and were excluded"));
        }
        LoopCounts { unlabelled: 1.., .. } => session.note(&rows(counts.unlabelled, "has no gold label", "have no gold label")),
        _ => {}
    }
}

/// Reports how many rows were skipped.
pub(crate) fn note_skipped(skipped: u64, session: &Session<'_>) {
    match skipped {
        0 => {}
        1 => session.note("1 row could not be read and was skipped"),
        _ => session.note(&format!("{} rows could not be read and were skipped", grouped(skipped))),
    }
}

/// All examples of the files that were read, as a set of measurements.
pub(crate) fn set_of_files(files: &[FileRead]) -> SetId {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let hashes: Vec<String> = files.iter().map(|file| file.hash.to_string()).collect();
    SetId::of_files(names.join(", "), hashes.iter().map(String::as_str))
}

/// Files that were read, as inputs of a report.
pub(crate) fn inputs(role: &str, files: &[FileRead]) -> Vec<ReportInput> {
    let input = |file: &FileRead| ReportInput {
        role: role.to_string(),
        path: file.name.clone(),
        rows: file.rows,
        hash: file.hash.to_string(),
        skipped: file.skipped,
        notes: file.notes.clone(),
    };
    files.iter().map(input).collect()
}
