//! Challenges that are ready to make examples. Ids, tags and random numbers are assigned here, in the same way for all challenges.

use crate::hans::{GeneratorError, GrammarError};
use crate::{
    Build, ChallengeEntry, ChallengeKind, Coverage, FromSentences, Generate, Made, Mode, ModifierSlot, NotApplicable, Order, PairView,
    Request, Resources, Rewrite, Rewritten, ScorerError, Select, Selection, SentencePair, SentenceVersion, SourceSentence, Trace, TreeNeed,
};
use acidtest_lingua::edit::{Edited, TextChange};
use acidtest_lingua::reach::{is_parse_within_reach, is_within_reach};
use acidtest_nli::{Change, Example, Label, Pair, Seed, Sentence, Settings, SettingsError, Side, Tags, tag};
use serde_json::Value;
use std::borrow::Cow;

/// A named challenge with its settings, ready to make examples.
pub struct Challenge {
    entry: &'static ChallengeEntry,
    kind: ChallengeKind,
    settings: Value,
    mode: Mode,
    seed_number: u64,
    seed_text: String,
    seed: Seed,
}

/// An error in setting up a challenge or in making an example.
#[derive(Debug, thiserror::Error)]
pub enum ChallengeError {
    /// An unknown or invalid setting.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A required resource is missing.
    #[error("challenge `{name}` needs a lexical model")]
    NoLexicalModel {
        /// The challenge.
        name: &'static str,
    },
    /// A grammar file cannot be read.
    #[error("{path}: cannot be read: {reason}")]
    GrammarFile {
        /// The file.
        path: String,
        /// The error of the system.
        reason: String,
    },
    /// The grammar is invalid.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// The grammar cannot generate the requested examples.
    #[error(transparent)]
    Generator(#[from] GeneratorError),
    /// The lexical model failed.
    #[error("challenge `{name}`: {source}")]
    Scorer {
        /// The challenge.
        name: &'static str,
        /// The error of the model.
        source: ScorerError,
    },
    /// A sentence has no parse in the corpus, and the challenge is set to use it.
    #[error("challenge `{name}` needs a Penn-style parse of every sentence, and example `{id}` has none")]
    NoTree {
        /// The challenge.
        name: &'static str,
        /// The example.
        id: String,
    },
    /// The challenge generates its own examples and cannot use those of a corpus.
    #[error("challenge `{name}` generates its examples and takes no corpus")]
    MakesItsOwn {
        /// The challenge.
        name: &'static str,
    },
}

impl Challenge {
    /// Sets up an entry of the catalog.
    pub fn new(
        entry: &'static ChallengeEntry,
        settings: &Settings,
        mode: Mode,
        seed: u64,
        resources: &Resources,
    ) -> Result<Self, ChallengeError> {
        let settings = settings.over_json(entry.name, (entry.defaults)())?;
        let request = Request { name: entry.name, settings: &settings, mode, seed, resources };
        let kind = match entry.build {
            Build::Rewrite(build) => ChallengeKind::Rewrite(build(&request)?),
            Build::FromSentences(build) => ChallengeKind::FromSentences(build(&request)?),
            Build::Generate { build, .. } => ChallengeKind::Generate(build(&request)?),
            Build::Select(build) => ChallengeKind::Select(build(&request)?),
        };
        let (seed_text, own_seed) = (seed.to_string(), Seed::new(seed).child(entry.name));
        Ok(Challenge { entry, kind, settings, mode, seed_number: seed, seed_text, seed: own_seed })
    }

    /// The challenge's name.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Its entry in the catalog.
    pub fn entry(&self) -> &'static ChallengeEntry {
        self.entry
    }

    /// All settings, including defaults.
    pub fn settings(&self) -> &Value {
        &self.settings
    }

    /// The mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed_number
    }

    /// How it makes examples.
    pub fn kind(&self) -> &ChallengeKind {
        &self.kind
    }

    /// The generator, for a challenge that generates its examples.
    pub fn generator(&self) -> Option<&dyn Generate> {
        match &self.kind {
            ChallengeKind::Generate(generator) => Some(generator.as_ref()),
            ChallengeKind::Rewrite(_) | ChallengeKind::FromSentences(_) | ChallengeKind::Select(_) => None,
        }
    }

    /// Whether its examples are tagged with counts of the training data, if there are any.
    pub fn counts_training(&self) -> bool {
        matches!(&self.kind, ChallengeKind::FromSentences(from) if from.counts_training())
    }

    /// Where to put the modifier counts, for a challenge that needs them before examples are made.
    pub fn modifiers(&self) -> Option<&ModifierSlot> {
        match &self.kind {
            ChallengeKind::FromSentences(from) => from.modifiers(),
            ChallengeKind::Rewrite(_) | ChallengeKind::Generate(_) | ChallengeKind::Select(_) => None,
        }
    }

    /// Whether an example lacks a Penn-style parse that the challenge is set to use.
    pub fn lacks_tree(&self, example: &Example<'_>) -> bool {
        let ChallengeKind::FromSentences(from) = &self.kind else { return false };
        let lacks = |side: Side| from.sides().include(side) && example.pair.side(side).parse.is_none();
        from.trees() == TreeNeed::Required && [Side::Premise, Side::Hypothesis].into_iter().any(lacks)
    }

    /// The name of the set in sentences: that of the challenge, unless the generator has another.
    pub fn title(&self) -> String {
        self.generator().and_then(Generate::title).unwrap_or_else(|| self.entry.name.to_string())
    }

    /// The order in which the examples are written.
    pub fn order(&self) -> Order {
        match &self.kind {
            ChallengeKind::Rewrite(rewrite) => rewrite.order(),
            ChallengeKind::FromSentences(_) | ChallengeKind::Generate(_) | ChallengeKind::Select(_) => Order::AsRead,
        }
    }

    /// The examples made from one example of a corpus; the outcome is counted in the coverage.
    pub fn rows<'e>(&'e self, example: &'e Example<'_>, coverage: &mut Coverage) -> Result<Vec<Example<'e>>, ChallengeError> {
        self.rows_of(&PairView::new(example), coverage)
    }

    /// The same with views that other challenges share.
    pub fn rows_of<'o, 'e: 'o>(&'o self, pair: &PairView<'e>, coverage: &mut Coverage) -> Result<Vec<Example<'o>>, ChallengeError> {
        let mut rows = Vec::new();
        self.each_row_of(pair, coverage, |row| {
            rows.push(row);
            Ok::<(), ChallengeError>(())
        })?;
        Ok(rows)
    }

    /// Passes the same examples to `take` one at a time as they are made.
    pub fn each_row_of<'o, 'e: 'o, E: From<ChallengeError>>(
        &'o self,
        pair: &PairView<'e>,
        coverage: &mut Coverage,
        mut take: impl FnMut(Example<'o>) -> Result<(), E>,
    ) -> Result<(), E> {
        let example = pair.example();
        match &self.kind {
            ChallengeKind::Rewrite(rewrite) => {
                let rewritten = self.rewritten(rewrite.as_ref(), pair, coverage);
                rewritten.into_iter().enumerate().try_for_each(|(n, rewritten)| take(self.example(n, rewritten, example)))
            }
            ChallengeKind::FromSentences(from) => {
                let pairs = self.sentence_pairs(from.as_ref(), pair, coverage)?;
                pairs.into_iter().enumerate().try_for_each(|(n, (source, mut made))| {
                    let control = made.control.take().map(|premise| control_of(&made, premise));
                    take(self.pair_of_sentence(n, Part::Test, made, &source, example))?;
                    control.map_or(Ok(()), |control| take(self.pair_of_sentence(n, Part::Control, control, &source, example)))
                })
            }
            ChallengeKind::Select(select) => self.selected(select.as_ref(), example, coverage)?.map_or(Ok(()), take),
            ChallengeKind::Generate(_) => Err(ChallengeError::MakesItsOwn { name: self.entry.name }.into()),
        }
    }

    fn rewritten(&self, rewrite: &dyn Rewrite, pair: &PairView<'_>, coverage: &mut Coverage) -> Vec<Rewritten> {
        let example = pair.example();
        let mut rng = self.seed.child(&example.pair.id).rng();
        let found = if is_short(&example.pair) { rewrite.rewrite(pair, &mut rng) } else { Err(LONG) };
        let rewritten = match found {
            Ok(rewritten) => rewritten,
            Err(reason) => {
                coverage.not_applicable(reason);
                return Vec::new();
            }
        };
        coverage.made(rewritten.len());
        if let Some(origin) = rewrite.word_classes(pair) {
            coverage.word_classes_from(origin);
        }
        rewritten
    }

    /// A rewritten pair with its id, tags and changes.
    fn example<'e>(&'e self, n: usize, rewritten: Rewritten, example: &'e Example<'e>) -> Example<'e> {
        let mut changes = Vec::with_capacity(1);
        let premise = sentence(example, Side::Premise, rewritten.premise, &mut changes);
        let hypothesis = sentence(example, Side::Hypothesis, rewritten.hypothesis, &mut changes);
        let tags = self.tags(&rewritten.tags, example);
        let pair = Pair { id: self.id(&example.pair.id, n).into(), premise, hypothesis };
        Example { pair, gold: rewritten.gold, votes: example.votes.clone(), tags, changes }
    }

    /// The pairs made from each sentence of an example, with the sentence.
    fn sentence_pairs<'e>(
        &self,
        from: &dyn FromSentences,
        pair: &PairView<'e>,
        coverage: &mut Coverage,
    ) -> Result<Vec<SourcedPair<'e>>, ChallengeError> {
        let mut all = Vec::new();
        for source in pair.sentences().into_iter().filter(|source| from.sides().include(source.side)) {
            if from.trees() == TreeNeed::Required && source.view.parse().is_none() {
                return Err(ChallengeError::NoTree { name: self.entry.name, id: pair.example().pair.id.to_string() });
            }
            let mut trace = Trace::default();
            match self.pairs_of(from, &source, &mut trace) {
                Ok(pairs) => {
                    coverage.made(pairs.len());
                    coverage.controls(pairs.iter().filter(|pair| pair.control.is_some()).count());
                    all.extend(pairs.into_iter().map(|pair| ((source.side, source_sentence(&source)), pair)));
                }
                Err(reason) => coverage.not_applicable(reason),
            }
            coverage.skipped(trace.counts());
        }
        Ok(all)
    }

    /// The pairs made from a sentence. Random choices depend only on its text, so the same sentence gives the same pairs everywhere.
    pub(crate) fn pairs_of(
        &self,
        from: &dyn FromSentences,
        source: &SourceSentence<'_, '_>,
        trace: &mut Trace,
    ) -> Result<Vec<SentencePair>, NotApplicable> {
        if !is_text_short(source.view.text(), [source.view.parse(), source.view.binary_parse()]) {
            return Err(LONG);
        }
        from.screen(source)?;
        from.pairs(source, &mut self.seed.child(source.view.text()).rng(), trace)
    }

    /// A pair made from a sentence, with its id, tags and changes.
    fn pair_of_sentence<'e>(
        &'e self,
        n: usize,
        part: Part,
        made: SentencePair,
        source: &(Side, Sentence<'e>),
        example: &'e Example<'e>,
    ) -> Example<'e> {
        let (from, sentence) = source;
        let mut changes = Vec::with_capacity(1);
        let mut version = |side, version| match version {
            SentenceVersion::Original => sentence.clone(),
            SentenceVersion::Changed(edited) => edited_sentence(side, Some(*from).filter(|from| *from != side), edited, &mut changes),
        };
        let SentencePair { premise, hypothesis, gold, tags: own, .. } = made;
        let (premise, hypothesis) = (version(Side::Premise, premise), version(Side::Hypothesis, hypothesis));
        let mut tags = self.tags(&own, example);
        let mut id = self.id(&example.pair.id, n);
        if part == Part::Control {
            tags.set(tag::CONTROL_OF, id.clone());
            id.push_str("/control");
        }
        let pair = Pair { id: id.into(), premise, hypothesis };
        // The annotators' votes for the original pair do not apply to the new one.
        Example { pair, gold: Some(gold), votes: Default::default(), tags, changes }
    }

    /// The tags of a new example: those of the original, its own, and its origin.
    fn tags<'e>(&'e self, own: &Tags<'_>, example: &'e Example<'e>) -> Tags<'e> {
        let mut tags = example.tags.borrowed(3);
        for (name, value) in own.iter() {
            tags.set(name.to_string(), value.to_string());
        }
        tags.set(tag::CHALLENGE, self.entry.name);
        tags.set(tag::PARENT, &*example.pair.id);
        tags.set(tag::SEED, self.seed_text.as_str());
        tags
    }

    fn selected<'e>(
        &self,
        select: &dyn Select,
        example: &'e Example<'e>,
        coverage: &mut Coverage,
    ) -> Result<Option<Example<'e>>, ChallengeError> {
        let found = select.select(example).map_err(|source| ChallengeError::Scorer { name: self.entry.name, source })?;
        match found {
            Selection::No(reason) => {
                coverage.not_applicable(reason);
                Ok(None)
            }
            Selection::Yes(tags) => {
                coverage.made(1);
                let mut row = example.clone();
                tags.iter().for_each(|(name, value)| row.tags.set(name.to_string(), value.to_string()));
                Ok(Some(row))
            }
        }
    }

    fn id(&self, parent: &str, n: usize) -> String {
        let name = self.entry.name;
        let mut id = String::with_capacity(parent.len() + name.len() + 4);
        id.push_str(parent);
        id.push('/');
        id.push_str(name);
        if n > 0 {
            id.push_str(&format!("/{}", n + 1));
        }
        id
    }
}

/// A pair with the sentence it was made from and its side.
type SourcedPair<'e> = ((Side, Sentence<'e>), SentencePair);

/// Which example of a pair made from a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Test,
    Control,
}

/// The matched control of a pair, with this premise.
fn control_of(made: &SentencePair, premise: Edited) -> SentencePair {
    let mut tags = made.tags.clone();
    tags.set(tag::PART, CONTROL);
    let (premise, hypothesis) = (SentenceVersion::Changed(premise), made.hypothesis.clone());
    SentencePair { premise, hypothesis, gold: Label::Entailment.into(), tags, control: None }
}

/// The value of the tag [`tag::PART`] of an example that may have a matched control.
pub const TEST: &str = "test";
/// The value of the tag [`tag::PART`] of a matched control.
pub const CONTROL: &str = "control";

/// An insertion may be anywhere in a sentence, so a sentence that was not analysed completely is not changed.
const LONG: NotApplicable = NotApplicable("a sentence of more than 1 MB");

fn is_short(pair: &Pair<'_>) -> bool {
    let mut sentences = [&pair.premise, &pair.hypothesis].into_iter();
    sentences.all(|sentence| is_text_short(&sentence.text, [sentence.parse.as_deref(), sentence.binary_parse.as_deref()]))
}

fn is_text_short(text: &str, parses: [Option<&str>; 2]) -> bool {
    is_within_reach(text) && parses.into_iter().flatten().all(is_parse_within_reach)
}

/// The sentence that pairs were made from.
fn source_sentence<'e>(source: &SourceSentence<'_, 'e>) -> Sentence<'e> {
    let view = source.view;
    Sentence { text: view.text().into(), parse: view.parse().map(Cow::Borrowed), binary_parse: view.binary_parse().map(Cow::Borrowed) }
}

/// The sentence of a new example; its changes are added to `changes`.
fn sentence<'e>(example: &'e Example<'e>, side: Side, made: Made, changes: &mut Vec<Change>) -> Sentence<'e> {
    match made {
        Made::Kept(from) => {
            let old = example.pair.side(from);
            Sentence {
                text: Cow::Borrowed(&old.text),
                parse: old.parse.as_deref().map(Cow::Borrowed),
                binary_parse: old.binary_parse.as_deref().map(Cow::Borrowed),
            }
        }
        Made::Edited(source, edited) => edited_sentence(side, Some(source).filter(|source| *source != side), edited, changes),
    }
}

/// A changed sentence; each change records its side, and the side of the original sentence if that is the other one.
fn edited_sentence(side: Side, from: Option<Side>, edited: Edited, changes: &mut Vec<Change>) -> Sentence<'static> {
    let change = |TextChange { start, end, before }| Change { side, start, end, before, from };
    changes.extend(edited.changes.into_iter().map(change));
    let Edited { text, parse, binary_parse, .. } = edited;
    Sentence { text: text.into(), parse: parse.map(Cow::Owned), binary_parse: binary_parse.map(Cow::Owned) }
}
