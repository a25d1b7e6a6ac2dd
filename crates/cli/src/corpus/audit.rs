//! `acidtest corpus audit`: what a model could exploit in a corpus.

mod sections;

use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_corpus::{CorpusError, EncodedRows, Encoder, Examples, Format, IdPolicy, LoopOptions, Reader, Writer, for_blocks};
use acidtest_evaluate::report::Report;
use acidtest_lingua::overlap::Matching;
use acidtest_nli::Example;
use acidtest_survey::audit::{Audit, AuditSettings, Finding, Heuristic, Stance};
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The tag of a row that contradicts heuristics: their names, with bars between.
const CONTRADICTS: &str = "contradicts";

/// What a model could exploit: overlap heuristics, telling words, negation, length
///
/// Rows support a heuristic of HANS if they are entailed as it says, and contradict it if they are not. Words are compared as words, and
/// phrases are those of the premise's parse or, where it has none, of our own parser; --as-published compares as the authors of HANS did.
#[derive(Args)]
pub struct AuditRows {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compare as the authors' script does: tokens with their punctuation, runs of letters, binary parses
    #[arg(long)]
    as_published: bool,
    /// Where the rows go that contradict a heuristic, with its name in the tag `contradicts`
    #[arg(long, value_name = "OUT")]
    contradicting: Option<PathBuf>,
    /// How many contradicting rows the report lists
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
    /// How many telling words are shown for each label
    #[arg(long, value_name = "N", default_value_t = 10)]
    words: usize,
    /// What is added to every count of a word and a label
    #[arg(long, value_name = "NUMBER", default_value_t = 100.0, value_parser = smoothing)]
    smoothing: f64,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

fn smoothing(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

/// A row that contradicts a heuristic.
struct Contradiction {
    id: String,
    gold: &'static str,
    /// The narrowest heuristic that it contradicts.
    heuristic: Heuristic,
    premise: String,
    hypothesis: String,
}

/// What came of one block.
struct Done {
    audit: Audit,
    listed: Vec<Contradiction>,
    rows: EncodedRows,
}

impl AuditRows {
    /// Audits and shows.
    pub fn run(self) -> Result<()> {
        let matching = if self.as_published { Matching::AsPublished } else { Matching::Words };
        let settings = AuditSettings { matching, kept_ids: 0, smoothing: self.smoothing, words_per_label: self.words };
        let mut writer = self.contradicting.as_ref().map(|path| Writer::create(path, Format::of_path(path))).transpose()?;
        let mut audit = Audit::new(settings.clone());
        let mut listed: Vec<Contradiction> = Vec::new();
        let encoder = writer.as_ref().map(Writer::encoder);
        let counts = for_blocks(
            &mut Reader::new(files(&self.files)?, self.read.options()?),
            LoopOptions { threads: &self.threads.threads()?, ids: IdPolicy::Unique },
            |examples| self.audited(examples, settings.clone(), encoder.as_ref()),
            |done| {
                audit.merge(done.audit);
                let room = self.list - listed.len();
                listed.extend(done.listed.into_iter().take(room));
                writer.as_mut().map_or(Ok(()), |writer| writer.write_rows(&done.rows))
            },
        )?;
        if let Some(writer) = writer {
            writer.finish()?;
        }
        tell_skipped(counts.skipped);
        let mode = if self.as_published { "as-published" } else { "clean" };
        let options = [("mode", mode.to_string()), ("smoothing", self.smoothing.to_string())];
        let options: BTreeMap<String, String> = options.map(|(name, value)| (name.to_string(), value)).into();
        let names: Vec<&str> = counts.files.iter().map(|file| file.name.as_str()).collect();
        let report = Report::new(
            format!("Audit of {}", names.join(", ")),
            provenance(inputs("data", &counts.files), BTreeMap::new(), options),
            sections::sections(&audit.finish(), &listed),
        );
        self.show.show(&report)
    }

    fn audited(&self, examples: &mut Examples<'_>, settings: AuditSettings, encoder: Option<&Encoder>) -> Result<Done, CorpusError> {
        let mut done = Done { audit: Audit::new(settings), listed: Vec::new(), rows: EncodedRows::default() };
        let examples: Vec<Example<'_>> = examples.map(|row| row.example).collect();
        let findings = done.audit.add_all(&examples);
        for (mut example, finding) in examples.into_iter().zip(findings) {
            let contradicted = contradicted(finding);
            let Some(narrowest) = contradicted.last() else { continue };
            if done.listed.len() < self.list {
                done.listed.push(Contradiction::of(&example, *narrowest));
            }
            if let Some(encoder) = encoder {
                example.tags.set(CONTRADICTS, contradicted.iter().map(|heuristic| heuristic.name()).collect::<Vec<_>>().join(" | "));
                encoder.add(&example, &mut done.rows)?;
            }
        }
        Ok(done)
    }
}

impl Contradiction {
    fn of(example: &Example<'_>, narrowest: Heuristic) -> Self {
        Contradiction {
            id: example.pair.id.to_string(),
            gold: example.gold.map_or("-", |gold| gold.name()),
            heuristic: narrowest,
            premise: example.pair.premise.text.to_string(),
            hypothesis: example.pair.hypothesis.text.to_string(),
        }
    }
}

/// The heuristics that a row contradicts, the narrowest last.
fn contradicted(finding: Finding) -> Vec<Heuristic> {
    Heuristic::ALL.into_iter().filter(|heuristic| finding.stance(*heuristic) == Stance::Contradicts).collect()
}
