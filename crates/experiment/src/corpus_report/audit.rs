//! Artefacts of a corpus that a model could exploit.

mod measured;
mod sections;

use super::{long_examples, reach_note};
use crate::corpus_tools::lost_tags;
use crate::data::{Data, inputs, note_read, set_of_files};
use crate::error::Error;
use crate::identify::listed_text;
use crate::session::Session;
use acidtest_corpus::{CorpusError, EncodedRows, Encoder, Examples, Format, IdPolicy, Writer, for_blocks};
use acidtest_evaluate::measurement::Subject;
use acidtest_evaluate::report::Report;
use acidtest_files::InputGuard;
use acidtest_lingua::overlap::Matching;
use acidtest_nli::Example;
use acidtest_survey::audit::{Audit, AuditSettings, HeuristicFinding, OverlapHeuristic, Stance};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The tag of an example that contradicts heuristics: their names, separated by bars.
const CONTRADICTS: &str = "contradicts";

/// The audit to make.
#[derive(Debug, Clone)]
pub struct AuditRequest {
    /// How sentences are compared.
    pub matching: Matching,
    /// File for the examples that contradict a heuristic.
    pub contradicting: Option<PathBuf>,
    /// The number of them that the report lists.
    pub list: usize,
    /// The number of label-indicative words shown per label.
    pub words: usize,
    /// Smoothing: added to every count of a word and a label.
    pub smoothing: f64,
}

/// An example that contradicts a heuristic.
struct Contradiction {
    id: String,
    gold: &'static str,
    /// The narrowest heuristic that it contradicts.
    heuristic: OverlapHeuristic,
    premise: String,
    hypothesis: String,
}

/// The results of one block.
struct AuditedBlock {
    audit: Audit,
    listed: Vec<Contradiction>,
    rows: EncodedRows,
    /// The number of examples that were too long and were only searched in part.
    long: usize,
}

/// Looks for artefacts that give labels away: overlap heuristics, label-indicative words, negation and lengths.
pub fn audit(data: Data, spec: &AuditRequest, session: &Session<'_>) -> Result<Report, Error> {
    let settings = AuditSettings { matching: spec.matching, kept_ids: 0, smoothing: spec.smoothing, words_per_label: spec.words };
    let _guard = InputGuard::new();
    let mut source = data.source();
    let mut writer = spec.contradicting.as_ref().map(|path| Writer::create(path, Format::of_path(path)?)).transpose()?;
    let encoder = writer.as_ref().map(Writer::encoder);
    let (mut audit, mut listed, mut long): (_, Vec<Contradiction>, usize) = (Audit::new(settings.clone()), Vec::new(), 0);
    let counts = for_blocks(
        &mut *source,
        session.loop_options(IdPolicy::Unique),
        |examples| audited(examples, spec, settings.clone(), encoder.as_ref()),
        |done| {
            audit.merge(done.audit);
            long += done.long;
            let room = spec.list - listed.len();
            listed.extend(done.listed.into_iter().take(room));
            writer.as_mut().map_or(Ok(()), |writer| writer.write_rows(&done.rows))
        },
    )?;
    if let Some(writer) = writer {
        lost_tags(&writer).iter().for_each(|note| session.note(note));
        writer.finish()?;
    }
    note_read(&counts.files, session);
    let mode = if spec.matching == Matching::AsPublished { "as-published" } else { "clean" };
    let options = [("mode", mode.to_string()), ("smoothing", spec.smoothing.to_string())];
    let options: BTreeMap<String, String> = options.map(|(name, value)| (name.to_string(), value)).into();
    let names: Vec<&str> = counts.files.iter().map(|file| file.name.as_str()).collect();
    let found = audit.finish();
    let mut report = Report::new(
        format!("Audit of {}", names.join(", ")),
        session.provenance(inputs("data", &counts.files), BTreeMap::new(), options),
        sections::sections(&found, &listed),
    );
    if let Some(first) = report.sections.first_mut() {
        first.notes.extend(reach_note(long));
    }
    report.measure(measured::measured(&found, Subject::corpus(&set_of_files(&counts.files))));
    Ok(report)
}

fn audited(
    examples: &mut Examples<'_>,
    spec: &AuditRequest,
    settings: AuditSettings,
    encoder: Option<&Encoder>,
) -> Result<AuditedBlock, CorpusError> {
    let mut done = AuditedBlock { audit: Audit::new(settings), listed: Vec::new(), rows: EncodedRows::default(), long: 0 };
    let examples: Vec<Example<'_>> = examples.map(|row| row.example).collect();
    done.long = long_examples(&examples);
    let findings = done.audit.add_all(&examples);
    for (mut example, finding) in examples.into_iter().zip(findings) {
        let contradicted = contradicted(finding);
        let Some(narrowest) = contradicted.last() else { continue };
        if done.listed.len() < spec.list {
            done.listed.push(Contradiction::of(&example, *narrowest));
        }
        if let Some(encoder) = encoder {
            example.tags.set(CONTRADICTS, contradicted.iter().map(|heuristic| heuristic.name()).collect::<Vec<_>>().join(" | "));
            encoder.add(&example, &mut done.rows)?;
        }
    }
    Ok(done)
}

impl Contradiction {
    fn of(example: &Example<'_>, narrowest: OverlapHeuristic) -> Self {
        Contradiction {
            id: example.pair.id.to_string(),
            gold: example.gold.map_or("-", |gold| gold.name()),
            heuristic: narrowest,
            premise: listed_text(&example.pair.premise.text),
            hypothesis: listed_text(&example.pair.hypothesis.text),
        }
    }
}

/// The heuristics that an example contradicts, the narrowest last.
fn contradicted(finding: HeuristicFinding) -> Vec<OverlapHeuristic> {
    OverlapHeuristic::ALL.into_iter().filter(|heuristic| finding.stance(*heuristic) == Stance::Contradicts).collect()
}
