//! Writes challenge sets: reads, perturbs and writes block by block, or generates; a description is written beside each set.

mod explained;
mod files;
mod generated;
mod modifiers;
mod trees;

pub use explained::explain_example;
pub use files::set_files;
pub use generated::count_examples;
pub use modifiers::modifier_table;
pub(crate) use modifiers::{count_in, count_of};
pub use trees::{fit_to_standard_input, use_own_parse};

use crate::corpus_tools::{Destination, lost_tags};
use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use crate::sets::PREPARED_TOGETHER;
use crate::spec::UnlabelledRule;
use acidtest_challenge::{
    Challenge, Coverage, GenerationCounts, LabelEffect, Need, NotApplicable, Order, PairView, Resources, Selected, SetSelection,
};
use acidtest_corpus::{CorpusError, EncodedRows, Encoder, ExampleSpool, Examples, IdPolicy, LoopCounts, Row, Writer, for_blocks};
use acidtest_files::{FileError, Output, Sealed, publish_all};
use acidtest_nli::Example;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt;
use std::path::Path;

/// A set to write.
pub struct SetToWrite<'s> {
    /// The challenge.
    pub challenge: &'s Challenge,
    /// Where the set is written.
    pub to: Destination<'s>,
    /// How unlabelled examples are handled: nothing can be scored on what is made from them.
    pub unlabelled: UnlabelledRule,
}

/// A set that was written.
pub struct WrittenSet {
    /// The challenge.
    pub name: &'static str,
    /// The outcome.
    pub outcome: SetOutcome,
}

/// The outcome of a set.
pub enum SetOutcome {
    /// It was made from examples of corpora.
    Made(Coverage),
    /// It was generated.
    Generated {
        /// The number of examples and attempts.
        counts: GenerationCounts,
        /// The same in one line.
        summary: String,
    },
}

impl fmt::Display for SetOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetOutcome::Made(coverage) => coverage.fmt(f),
            SetOutcome::Generated { summary, .. } => summary.fmt(f),
        }
    }
}

/// Makes sets and writes them, each with `NAME.about.json` beside it; all of them appear, or none. The corpora are read once for all sets.
pub fn write_sets(
    data: Option<&Data>,
    sets: &[SetToWrite<'_>],
    resources: &Resources,
    session: &Session<'_>,
) -> Result<Vec<WrittenSet>, Error> {
    let of_corpus: Vec<&SetToWrite<'_>> = sets.iter().filter(|set| set.challenge.entry().reads_corpus()).collect();
    if let Some(data) = data {
        count_in::<Error>(data, of_corpus.iter().map(|set| set.challenge), session)?;
    }
    let mut made = match (of_corpus.first(), data) {
        (None, _) => None,
        (Some(_), Some(data)) => Some(made_from(&of_corpus, read_for(data, of_corpus.iter().map(|set| set.challenge)), session)?),
        (Some(set), None) => return Err(Error::NoCorpus { challenge: set.challenge.name() }),
    };
    let (mut sealed, mut written) = (Vec::new(), Vec::new());
    for set in sets {
        let mut about = about(set, resources);
        let outcome = match (set.challenge.generator(), &mut made) {
            (Some(generator), _) => {
                let (counts, file) = generated::write(generator, set.to, session)?;
                sealed.push(file);
                generator.describe(&counts).into_iter().for_each(|(key, value)| about[key] = value);
                SetOutcome::Generated { summary: generator.summary(&counts), counts }
            }
            (None, Some((made, counts))) => {
                let MadeSet { coverage, file } = made.pop_front().expect("a set was made for each challenge that reads a corpus");
                sealed.push(file);
                describe(&mut about, &coverage, counts);
                SetOutcome::Made(coverage)
            }
            (None, None) => return Err(Error::NoCorpus { challenge: set.challenge.name() }),
        };
        sealed.extend(seal_about(set.to.path, &about)?);
        written.push(WrittenSet { name: set.challenge.name(), outcome });
    }
    publish_all(sealed)?;
    Ok(written)
}

/// The data as challenges read it: texts without hypotheses are accepted if all challenges make pairs from single sentences.
fn read_for<'c>(data: &Data, mut challenges: impl Iterator<Item = &'c Challenge>) -> Data {
    let data = data.clone();
    if challenges.all(|challenge| challenge.entry().reads_sentences()) { data.with_passages() } else { data }
}

/// The description of a set, before it is made.
fn about(set: &SetToWrite<'_>, resources: &Resources) -> Value {
    let mut about = json!({
        "tool_version": env!("CARGO_PKG_VERSION"),
        "challenge": set.challenge.name(),
        "source": set.challenge.entry().source,
        "mode": set.challenge.mode().name(),
        "seed": set.challenge.seed(),
        "settings": set.challenge.settings(),
    });
    let entry = set.challenge.entry();
    if let Some(scorer) = resources.scorer.as_ref().filter(|_| entry.needs.contains(&Need::LexicalModel)) {
        about["model"] = json!(scorer.identity());
    }
    if let Some(table) = set.challenge.modifiers().and_then(|slot| slot.get()) {
        about["modifiers"] = json!({ "sentences": table.sentences(), "pairs": table.pairs(1) });
    }
    if !entry.reads_corpus() && !resources.exclude.is_empty() {
        about["excluded_pairs"] = json!(resources.exclude.len());
    }
    about
}

/// A finished set; its file is complete but has a temporary name.
struct MadeSet {
    coverage: Coverage,
    file: Sealed,
}

/// Examples of one block, made and encoded.
#[derive(Default)]
struct MadeBlock {
    rows: EncodedRows,
    /// Examples that wait until all are made.
    waiting: Vec<Example<'static>>,
    coverage: Coverage,
}

/// A set that is being made.
struct SetWriter {
    writer: Writer,
    waiting: Waiting,
    coverage: Coverage,
}

/// Examples that are not written immediately.
enum Waiting {
    /// None: each is written as soon as it is made.
    None,
    /// They are first sorted by premise.
    ToBeSorted(Vec<Example<'static>>),
    /// The selection needs all of them before it can decide which belong to the set.
    ToBeChosen(Box<SetSelection>, ExampleSpool),
}

impl Waiting {
    fn of(set: &SetToWrite<'_>) -> Self {
        match (SetSelection::of(set.challenge), set.challenge.order()) {
            (Some(selection), _) => Waiting::ToBeChosen(Box::new(selection), ExampleSpool::new(set.to.path)),
            (None, Order::ByPremise) => Waiting::ToBeSorted(Vec::new()),
            (None, Order::AsRead) => Waiting::None,
        }
    }
}

impl SetWriter {
    fn create(set: &SetToWrite<'_>) -> Result<Self, Error> {
        let writer = Writer::create(set.to.path, set.to.format)?;
        Ok(SetWriter { writer, waiting: Waiting::of(set), coverage: Coverage::default() })
    }

    fn add(&mut self, made: MadeBlock) -> Result<(), Error> {
        self.coverage.add(&made.coverage);
        match &mut self.waiting {
            Waiting::None => {}
            Waiting::ToBeSorted(examples) => examples.extend(made.waiting),
            Waiting::ToBeChosen(selection, examples) => {
                for example in made.waiting.iter().filter(|example| selection.add(example)) {
                    examples.add(example)?;
                }
            }
        }
        Ok(self.writer.write_rows(&made.rows)?)
    }

    fn finish(mut self, session: &Session<'_>) -> Result<MadeSet, Error> {
        match self.waiting {
            Waiting::None => {}
            Waiting::ToBeSorted(mut examples) => {
                examples.sort_by(|a, b| a.pair.premise.text.cmp(&b.pair.premise.text));
                examples.iter().try_for_each(|example| self.writer.write(example))?;
            }
            Waiting::ToBeChosen(selection, examples) => {
                let Selected { kept, note } = selection.finish(&mut self.coverage);
                note.iter().for_each(|note| session.note(note));
                let mut kept = kept.into_iter();
                examples.for_each(|example| if kept.next() == Some(true) { self.writer.write(example) } else { Ok(()) })?;
            }
        }
        lost_tags(&self.writer).iter().for_each(|note| session.note(note));
        Ok(MadeSet { coverage: self.coverage, file: self.writer.seal()? })
    }
}

/// Makes sets from corpora, all of them in one pass.
fn made_from(sets: &[&SetToWrite<'_>], data: Data, session: &Session<'_>) -> Result<(VecDeque<MadeSet>, LoopCounts), Error> {
    let mut writers = sets.iter().map(|set| SetWriter::create(set)).collect::<Result<Vec<_>, _>>()?;
    let encoders = writers.iter().map(|made| made.writer.encoder());
    let makers: Vec<Maker<'_>> =
        sets.iter().zip(encoders).map(|(set, encoder)| Maker { challenge: set.challenge, encoder, unlabelled: set.unlabelled }).collect();
    let counts = for_blocks(
        data.source().as_mut(),
        session.loop_options(IdPolicy::Unique),
        |examples| made_of(&makers, examples),
        |made| writers.iter_mut().zip(made).try_for_each(|(writer, made)| writer.add(made)),
    )?;
    note_read(&counts.files, session);
    if let Some(file) = counts.files.first().filter(|_| counts.read > 0 && counts.unlabelled == counts.read)
        && sets.iter().all(|set| needs_gold(set.challenge, set.unlabelled))
    {
        return Err(CorpusError::NoneLabelled { path: file.name.clone(), rows: counts.unlabelled }.into());
    }
    refuse_empty(sets, &writers, &counts)?;
    Ok((writers.into_iter().map(|writer| writer.finish(session)).collect::<Result<_, _>>()?, counts))
}

/// How many reasons an error names.
const MOST_REASONS: usize = 3;

/// Refuses sets from single sentences if none of them has an example.
fn refuse_empty(sets: &[&SetToWrite<'_>], writers: &[SetWriter], counts: &LoopCounts) -> Result<(), Error> {
    let empty = |(set, writer): (&&SetToWrite<'_>, &SetWriter)| set.challenge.entry().reads_sentences() && writer.coverage.made == 0;
    let (Some(file), Some(set)) = (counts.files.first(), sets.first()) else { return Ok(()) };
    if !sets.iter().zip(writers).all(empty) {
        return Ok(());
    }
    let mut reasons: Vec<(&str, u64)> = writers[0].coverage.not_applicable.iter().map(|(reason, count)| (*reason, *count)).collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let reasons: Vec<String> = reasons.iter().take(MOST_REASONS).map(|(reason, count)| format!("{count}: {reason}")).collect();
    Err(Error::NothingMade { path: file.name.clone(), challenge: set.challenge.name(), reasons: reasons.join("; ") })
}

/// A challenge, and how its examples are encoded.
struct Maker<'s> {
    challenge: &'s Challenge,
    encoder: Encoder,
    unlabelled: UnlabelledRule,
}

/// The reason for excluding unlabelled examples.
const NO_GOLD: NotApplicable = NotApplicable("no gold label");

/// Whether examples without a gold label are excluded. A challenge that sets the label itself does not need it.
fn needs_gold(challenge: &Challenge, unlabelled: UnlabelledRule) -> bool {
    unlabelled == UnlabelledRule::Drop && challenge.entry().label != LabelEffect::Sets
}

impl Maker<'_> {
    fn add(&self, pair: &PairView<'_>, made: &mut MadeBlock) -> Result<(), Error> {
        if pair.example().gold.is_none() && needs_gold(self.challenge, self.unlabelled) {
            made.coverage.not_applicable(NO_GOLD);
            return Ok(());
        }
        let MadeBlock { rows, waiting, coverage } = made;
        let waits = self.challenge.order() == Order::ByPremise || self.challenge.entry().reads_sentences();
        self.challenge.each_row_of(pair, coverage, |example| {
            if waits {
                waiting.push(example.into_owned());
                return Ok(());
            }
            Ok(self.encoder.add(&example, rows)?)
        })
    }
}

/// The examples that all challenges make from a block; they share the analysis of each sentence.
fn made_of(makers: &[Maker<'_>], examples: &mut Examples<'_>) -> Result<Vec<MadeBlock>, Error> {
    let begun = |maker: &Maker<'_>| MadeBlock { rows: maker.encoder.rows_of_block(), ..MadeBlock::default() };
    let mut made: Vec<MadeBlock> = makers.iter().map(begun).collect();
    let mut add = |pair: &PairView<'_>| makers.iter().zip(&mut made).try_for_each(|(maker, made)| maker.add(pair, made));
    let needs = || makers.iter().flat_map(|maker| maker.challenge.entry().needs);
    if !needs().any(|need| matches!(need, Need::Analysis | Need::Names)) {
        examples.try_for_each(|row| add(&PairView::new(&row.example)))?;
        return Ok(made);
    }
    loop {
        let rows: Vec<Row<'_>> = examples.take(PREPARED_TOGETHER).collect();
        if rows.is_empty() {
            return Ok(made);
        }
        let pairs: Vec<PairView<'_>> = rows.iter().map(|row| PairView::new(&row.example)).collect();
        PairView::prepare(&pairs, makers.iter().map(|maker| maker.challenge));
        pairs.iter().try_for_each(&mut add)?;
    }
}

/// Adds the outcome to the description of a set.
fn describe(about: &mut Value, coverage: &Coverage, counts: &LoopCounts) {
    let inputs: Vec<Value> = counts.files.iter().map(|file| json!({ "path": file.name, "hash": file.hash, "rows": file.rows })).collect();
    about["inputs"] = Value::Array(inputs);
    about["coverage"] = json!(coverage);
    about["skipped"] = json!(counts.skipped);
}

/// The description of a set, in a file beside it; `None` for a set on standard output.
fn seal_about(output: &Path, about: &Value) -> Result<Option<Sealed>, FileError> {
    if output.as_os_str() == "-" {
        return Ok(None);
    }
    let mut name = output.as_os_str().to_owned();
    name.push(".about.json");
    let mut file = Output::create(Path::new(&name))?;
    file.write(format!("{about:#}\n").as_bytes())?;
    file.seal().map(Some)
}
