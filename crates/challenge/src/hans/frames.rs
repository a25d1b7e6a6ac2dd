//! Selectional control (section 3.1 of the paper): the verbs of a grammar, the subcategorisation frames in which its templates use them,
//! and which verbs are frequent enough in a training corpus.
//!
//! The frames of a verb are read from the template trees, premises and hypotheses, by the function that also reads them from the parses
//! of a corpus. A verb is judged separately in each word class: `knew` may be frequent enough with a clause but too rare with an object.

mod placed;

pub(super) use placed::{PlacedVerb, VerbSource, placed_verbs};

use super::expand::expand;
use super::grammar::{Grammar, GrammarError};
use super::render::ClassWord;
use super::set::class_tables;
use crate::Mode;
use acidtest_lingua::frames::{Frame, FrameCounts};
use acidtest_lingua::lemma::lemma_of;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The minimum frequency per frame that the authors of HANS required.
pub const PUBLISHED_THRESHOLD: u64 = 50;

/// The number of examples in MultiNLI's training set, in which they counted.
pub const PUBLISHED_EXAMPLES: u64 = 392_702;

/// The published threshold scaled to a corpus of this size, rounded up; at least 1.
pub fn scaled_threshold(examples: u64) -> u64 {
    (PUBLISHED_THRESHOLD * examples).div_ceil(PUBLISHED_EXAMPLES).max(1)
}

/// A verb of a grammar, with the frames in which templates use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededVerb {
    /// The verb as written in the grammar.
    pub word: String,
    /// The lemma that is counted.
    pub lemma: String,
    /// The frames, without duplicates.
    pub frames: BTreeSet<Frame>,
}

/// The verbs of a word class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerbClass {
    /// The class; `None` for verbs that are written in trees.
    pub name: Option<String>,
    /// Its verbs, in the order of the grammar.
    pub verbs: Vec<NeededVerb>,
    /// The subcases whose templates use verbs of this class, in order.
    pub subcases: Vec<String>,
}

/// All verbs of a grammar.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrammarVerbs {
    /// The classes in the order of the grammar; verbs that are written in trees come last.
    pub classes: Vec<VerbClass>,
}

impl GrammarVerbs {
    /// Every verb once, with its frames in all classes.
    pub fn verbs(&self) -> Vec<NeededVerb> {
        let mut verbs: Vec<NeededVerb> = Vec::new();
        for verb in self.classes.iter().flat_map(|class| &class.verbs) {
            match verbs.iter_mut().find(|known| (&known.word, &known.lemma) == (&verb.word, &verb.lemma)) {
                Some(known) => known.frames.extend(&verb.frames),
                None => verbs.push(verb.clone()),
            }
        }
        verbs
    }

    /// The lemmas of all verbs.
    pub fn lemmas(&self) -> BTreeSet<String> {
        self.classes.iter().flat_map(|class| &class.verbs).map(|verb| verb.lemma.clone()).collect()
    }

    /// Whether the grammar uses no verb in a frame.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
}

impl Grammar {
    /// The verbs of the grammar, with the frames in which its templates use them.
    pub fn verbs(&self, mode: Mode) -> Result<GrammarVerbs, GrammarError> {
        let (tables, _) = class_tables(self, mode)?;
        let entries: Vec<&[ClassWord]> = tables.iter().map(|table| table.entries.as_slice()).collect();
        verbs_of(self, mode, &entries)
    }
}

/// The verbs of a grammar whose classes have these words.
pub(super) fn verbs_of(grammar: &Grammar, mode: Mode, entries: &[&[ClassWord]]) -> Result<GrammarVerbs, GrammarError> {
    let mut needs = Needs::default();
    for subcase in &grammar.subcases {
        for template in &subcase.templates {
            for expansion in expand(grammar, template, mode)? {
                placed_verbs(&expansion, entries).into_iter().for_each(|verb| needs.add(verb, &subcase.name));
            }
        }
    }
    Ok(needs.finish(grammar))
}

/// The verbs that templates need, while they are collected.
#[derive(Default)]
struct Needs {
    /// By index of the class.
    classes: BTreeMap<usize, ClassNeeds>,
    fixed: Vec<NeededVerb>,
    fixed_in: Vec<String>,
}

#[derive(Default)]
struct ClassNeeds {
    /// By index of the verb in the class.
    verbs: BTreeMap<usize, NeededVerb>,
    subcases: Vec<String>,
}

impl Needs {
    fn add(&mut self, verb: PlacedVerb, subcase: &str) {
        let lemma = verb.lemma();
        let PlacedVerb { source, word, frames, .. } = verb;
        let new = || NeededVerb { word: word.clone(), lemma, frames: BTreeSet::new() };
        let (needed, subcases) = match source {
            VerbSource::Entry { class, entry } => {
                let class = self.classes.entry(class).or_default();
                (class.verbs.entry(entry).or_insert_with(new), &mut class.subcases)
            }
            VerbSource::Fixed => {
                let place = self.fixed.iter().position(|known| known.word == word).unwrap_or_else(|| {
                    self.fixed.push(new());
                    self.fixed.len() - 1
                });
                (&mut self.fixed[place], &mut self.fixed_in)
            }
        };
        needed.frames.extend(frames);
        if subcases.last().is_none_or(|last| last != subcase) {
            subcases.push(subcase.to_string());
        }
    }

    fn finish(self, grammar: &Grammar) -> GrammarVerbs {
        let class = |(class, ClassNeeds { verbs, subcases }): (usize, ClassNeeds)| VerbClass {
            name: Some(grammar.classes[class].name.clone()),
            verbs: verbs.into_values().collect(),
            subcases,
        };
        let mut classes: Vec<VerbClass> = self.classes.into_iter().map(class).collect();
        if !self.fixed.is_empty() {
            classes.push(VerbClass { name: None, verbs: self.fixed, subcases: self.fixed_in });
        }
        GrammarVerbs { classes }
    }
}

/// Which frames a verb must be frequent in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FrameStrictness {
    /// Object, clause and intransitive; passives and reduced participles are counted but not required. Passives of HANS such as `thanked`
    /// are far too rare in MultiNLI for its authors to have required them.
    #[default]
    Active,
    /// All of them.
    All,
}

/// The minimum frequency, and the frames it applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRule {
    /// The minimum number of occurrences in a frame.
    pub threshold: u64,
    /// The frames.
    pub strictness: FrameStrictness,
}

impl FrameRule {
    /// Whether a verb must be frequent in this frame.
    pub fn requires(&self, frame: Frame) -> bool {
        self.strictness == FrameStrictness::All || !matches!(frame, Frame::Passive | Frame::Participle)
    }
}

/// The frequencies of verbs in frames in a training corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusFrames {
    /// By lemma.
    pub counts: BTreeMap<String, FrameCounts>,
    /// The number of examples in the corpus.
    pub examples: u64,
    /// The files: path and content hash.
    pub files: Vec<(String, String)>,
    /// The rule for excluding verbs.
    pub rule: FrameRule,
}

impl CorpusFrames {
    /// The frequency of a verb in each frame.
    pub fn of(&self, lemma: &str) -> FrameCounts {
        self.counts.get(lemma).copied().unwrap_or_default()
    }

    /// Whether a verb is frequent enough in a frame, required or not.
    pub fn reaches(&self, lemma: &str, frame: Frame) -> bool {
        self.of(lemma).of(frame) >= self.rule.threshold
    }

    /// Whether a verb is frequent enough in all required frames.
    pub fn keeps(&self, verb: &NeededVerb) -> bool {
        self.allows(&verb.lemma, verb.frames.iter().copied())
    }

    pub(super) fn allows(&self, lemma: &str, mut frames: impl Iterator<Item = Frame>) -> bool {
        frames.all(|frame| !self.rule.requires(frame) || self.reaches(lemma, frame))
    }

    /// The counts of a grammar's verbs and the excluded verbs, for the file beside a set.
    pub fn describe(&self, verbs: &GrammarVerbs) -> Value {
        let names = |frames: &BTreeSet<Frame>| frames.iter().map(|frame| frame.name()).collect::<Vec<_>>();
        let counted = |verb: NeededVerb| {
            let counts = self.of(&verb.lemma);
            let mut about = json!({ "lemma": verb.lemma, "needs": names(&verb.frames), "clause without that": counts.clause_without_that });
            Frame::ALL.into_iter().for_each(|frame| about[frame.name()] = counts.of(frame).into());
            (verb.word, about)
        };
        let excluded = |class: &VerbClass| {
            let words: Vec<&str> = class.verbs.iter().filter(|verb| !self.keeps(verb)).map(|verb| verb.word.as_str()).collect();
            (!words.is_empty()).then(|| (class.name.clone().unwrap_or_else(|| FIXED_VERBS.to_string()), json!(words)))
        };
        let files: Vec<Value> = self.files.iter().map(|(path, hash)| json!({ "path": path, "hash": hash })).collect();
        json!({
            "inputs": files,
            "examples": self.examples,
            "threshold": self.rule.threshold,
            "strict": self.rule.strictness == FrameStrictness::All,
            "verbs": verbs.verbs().into_iter().map(counted).collect::<Map<String, Value>>(),
            "excluded": verbs.classes.iter().filter_map(excluded).collect::<Map<String, Value>>(),
        })
    }
}

/// The name in reports for verbs that are written in trees.
pub const FIXED_VERBS: &str = "(in templates)";

/// The lemma of a verb of a grammar; of several words such as `looked up`, that of the first.
fn verb_lemma(word: &str, tag: acidtest_lingua::tag::Tag) -> String {
    lemma_of(word.split_whitespace().next().unwrap_or(word), tag)
}
