//! A model's predictions for every example of a corpus: in memory, or streamed to a file.

use crate::asking::{AskRules, COMPARED, ModelPredictions, OrderCheck, PartCounts, ask, described};
use crate::data::{Data, LoadedData, note_read};
use crate::error::Error;
use crate::evaluate::original;
use crate::models::{ModelSource, NamedModel};
use crate::notes::long_notes;
use crate::session::{Progress, Session};
use crate::spec::SurplusRule;
use acidtest_corpus::{BlocksAtOnce, Examples, IdPolicy, LoopCounts, LoopOptions, PredictionForm, for_blocks};
use acidtest_files::{InputGuard, Output};
use acidtest_model::lexical::wants_tagger;
use acidtest_model::{Calls, Model};
use acidtest_nli::{Pair, grouped};
use std::path::Path;

/// A model's predictions for examples in memory.
pub fn predict(data: &LoadedData, model: &NamedModel, session: &Session<'_>) -> Result<ModelPredictions, Error> {
    let predictions = ask(
        model,
        &[original(data)],
        AskRules { order: OrderCheck::Skip, surplus: SurplusRule::Refuse, assumed_labels: false, gaps: &[] },
        session,
    )?;
    model.finished()?;
    Ok(predictions)
}

/// Writes a model's predictions for every example of the corpora, in order; the file appears complete or not at all.
pub fn write_predictions(data: Data, model: &NamedModel, output: &Path, session: &Session<'_>) -> Result<LoopCounts, Error> {
    let ModelSource::Model(asked) = &model.source else { return Err(Error::Recorded { model: model.name.clone() }) };
    let at_once = match asked.calls() {
        Calls::OneAtATime => BlocksAtOnce::One,
        Calls::Parallel | Calls::OneForAll => BlocksAtOnce::OnePerThread,
    };
    let compares = asked.agreement(&[])?.is_some();
    let job = Job { model: asked.as_ref(), form: PredictionForm::of_path(output)?, output, first: if compares { COMPARED } else { 0 } };
    let _guard = InputGuard::new();
    let mut source = data.source();
    let mut file = Output::create(output)?;
    file.write(job.form.header().as_bytes())?;
    let (mut rows, mut notes, mut first) = (0, Notes::default(), Vec::<[String; 2]>::new());
    let counts = for_blocks(
        &mut *source,
        LoopOptions { at_once, ..session.loop_options(IdPolicy::Unique) },
        |examples| job.predict(examples),
        |predicted: PredictedBlock| {
            rows += predicted.rows;
            first.extend(predicted.first.into_iter().take(COMPARED - first.len()));
            notes.tagged += predicted.notes.tagged;
            notes.truncated += predicted.notes.truncated;
            notes.parts.inputs += predicted.notes.parts.inputs;
            notes.parts.parts += predicted.notes.parts.parts;
            session.progress(Progress { task: &model.name, unit: "pairs", done: rows as u64, total: None });
            Ok::<(), Error>(file.write(&predicted.lines)?)
        },
    )?;
    asked.answers_are_clear()?;
    file.finish()?;
    if let Some((used, cache)) = asked.cached().filter(|(used, _)| *used > 0) {
        let folder = cache.parent().unwrap_or(&cache).display();
        session.note(&format!("{}: {} of {} predictions from the cache ({folder})", model.name, grouped(used), grouped(rows)));
    }
    model.finished()?;
    note_read(&counts.files, session);
    if notes.tagged > 0 {
        let (tagged, read) = (grouped(notes.tagged), grouped(counts.read));
        session.note(&format!("{tagged} of {read} examples have no parse; their parts of speech come from Acidtest's own tagger"));
    }
    let first: Vec<Pair<'_>> = first.iter().map(|[premise, hypothesis]| Pair::plain(premise, hypothesis)).collect();
    let described = described(asked.as_ref(), &first)?.map(|text| format!("{}: {text}.", model.name));
    for note in described.into_iter().chain(long_notes(&model.name, notes.truncated, notes.parts).into_iter().flatten()) {
        session.note(&note);
    }
    Ok(counts)
}

struct Job<'m> {
    model: &'m dyn Model,
    form: PredictionForm,
    output: &'m Path,
    /// How many texts of a block are kept, in case they are the first ones.
    first: usize,
}

/// What to report about the examples.
#[derive(Default)]
struct Notes {
    tagged: u64,
    truncated: usize,
    parts: PartCounts,
}

/// The predictions for a block.
struct PredictedBlock {
    rows: usize,
    lines: Vec<u8>,
    notes: Notes,
    /// The texts of the first pairs.
    first: Vec<[String; 2]>,
}

impl Job<'_> {
    fn predict(&self, examples: &mut Examples<'_>) -> Result<PredictedBlock, Error> {
        let pairs: Vec<Pair<'_>> = examples.map(|row| row.example.pair).collect();
        let predictions = self.model.predictions(&pairs)?;
        let tagged = if self.model.reads_word_classes() { pairs.iter().filter(|pair| wants_tagger(pair)).count() as u64 } else { 0 };
        let lines = self.form.encode(pairs.iter().zip(&predictions), self.output)?;
        let truncated = predictions.iter().filter(|prediction| prediction.truncated).count();
        let mut parts = PartCounts::default();
        predictions.iter().for_each(|prediction| parts.add(prediction));
        let texts = |pair: &Pair<'_>| [&pair.premise, &pair.hypothesis].map(|sentence| sentence.text.to_string());
        let first = pairs.iter().take(self.first).map(texts).collect();
        Ok(PredictedBlock { rows: pairs.len(), lines, notes: Notes { tagged, truncated, parts }, first })
    }
}
