//! Counts how often a training corpus has the verbs of a grammar in the frames that its templates need.

use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use crate::sets::PREPARED_TOGETHER;
use crate::spec::ChallengeSpec;
use acidtest_challenge::hans::{CorpusFrames, FrameRule, FrameStrictness, Grammar, GrammarVerbs, HansSettings, scaled_threshold};
use acidtest_corpus::{CorpusError, Examples, FileRead, IdPolicy, Row, for_blocks};
use acidtest_lingua::frames::{FrameCounts, verb_uses};
use acidtest_lingua::lemma::lemma_of;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::view::{View, ViewNeed};
use acidtest_nli::{Sentence, Settings};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The challenge that is generated from a grammar, and the name of its grammar.
const HANS: &str = "hans";

/// The threshold for frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameOptions {
    /// The minimum number of occurrences in a frame [default: that of HANS, scaled to the size of the corpus].
    pub threshold: Option<u64>,
    /// Which rare frames exclude a verb.
    pub strictness: FrameStrictness,
}

/// The result of counting.
pub(crate) struct CountedFrames {
    pub(crate) frames: CorpusFrames,
    pub(crate) files: Vec<FileRead>,
    /// Sentences that have a Penn-style parse.
    pub(crate) parsed: u64,
    /// Sentences that have none.
    pub(crate) unparsed: u64,
}

/// The grammar of this name, or in this file.
pub fn grammar_named(name: &Path) -> Result<Grammar, Error> {
    let grammar = if name.as_os_str() == HANS { None } else { Some(name.to_path_buf()) };
    grammar.iter().for_each(|path| acidtest_files::note_read(path));
    Ok(HansSettings { grammar, ..HansSettings::default() }.read_grammar()?)
}

/// Counts the verbs in the grammar of these challenges; `None` if none of them has a grammar.
pub fn frames_for(
    specs: &[ChallengeSpec],
    data: Data,
    options: FrameOptions,
    session: &Session<'_>,
) -> Result<Option<CorpusFrames>, Error> {
    let Some(spec) = specs.iter().find(|spec| spec.name == HANS) else { return Ok(None) };
    let settings: HansSettings = Settings::from_map(spec.settings.clone()).over(HANS, &HansSettings::default())?;
    let verbs = verbs_of(&settings.read_grammar()?, spec.mode)?;
    Ok(Some(count(data, &verbs, options, session)?.frames))
}

/// The verbs of a grammar, which must have some.
pub(crate) fn verbs_of(grammar: &Grammar, mode: acidtest_challenge::Mode) -> Result<GrammarVerbs, Error> {
    let verbs = grammar.verbs(mode).map_err(acidtest_challenge::ChallengeError::from)?;
    if verbs.is_empty() { Err(Error::NoVerbs { grammar: grammar.path().to_string() }) } else { Ok(verbs) }
}

/// Counts verbs in frames.
pub(crate) fn count(data: Data, verbs: &GrammarVerbs, options: FrameOptions, session: &Session<'_>) -> Result<CountedFrames, Error> {
    let lemmas = verbs.lemmas();
    let mut all = BlockFrames::default();
    let counts = for_blocks(
        &mut *data.source(),
        session.loop_options(IdPolicy::Unchecked),
        |examples| Ok(BlockFrames::of(examples, &lemmas)),
        |block| {
            all.merge(block);
            Ok::<(), CorpusError>(())
        },
    )?;
    note_read(&counts.files, session);
    let threshold = options.threshold.unwrap_or_else(|| scaled_threshold(counts.read));
    let frames = CorpusFrames {
        counts: all.counts,
        examples: counts.read,
        files: counts.files.iter().map(|file| (file.name.clone(), file.hash.to_string())).collect(),
        rule: FrameRule { threshold, strictness: options.strictness },
    };
    Ok(CountedFrames { frames, files: counts.files, parsed: all.parsed, unparsed: all.unparsed })
}

/// What was counted in one block of examples.
#[derive(Default)]
struct BlockFrames {
    counts: BTreeMap<String, FrameCounts>,
    parsed: u64,
    unparsed: u64,
}

impl BlockFrames {
    fn of(examples: &mut Examples<'_>, lemmas: &BTreeSet<String>) -> Self {
        let mut block = BlockFrames::default();
        let mut wanted = WantedWords { lemmas, known: HashMap::new() };
        loop {
            let rows: Vec<Row<'_>> = examples.take(PREPARED_TOGETHER).collect();
            if rows.is_empty() {
                return block;
            }
            let sentences = rows.iter().flat_map(|row| [&row.example.pair.premise, &row.example.pair.hypothesis]);
            let views: Vec<View<'_>> = sentences.filter_map(|sentence| block.view(sentence, &mut wanted)).collect();
            View::prepare(&views, ViewNeed::Analysis);
            for found in views.iter().flat_map(verb_uses) {
                let lemma = found.lemma();
                if lemmas.contains(&lemma) {
                    block.counts.entry(lemma).or_default().add(&found);
                }
            }
        }
    }

    /// The view of a sentence; `None` if it has no form of a counted verb, and so need not be parsed.
    fn view<'s>(&mut self, sentence: &'s Sentence<'_>, wanted: &mut WantedWords<'_>) -> Option<View<'s>> {
        if sentence.text.trim_ascii().is_empty() {
            return None;
        }
        let view = View::new(&sentence.text, sentence.parse.as_deref(), None);
        if view.penn_tree().is_some() {
            self.parsed += 1;
            return Some(view);
        }
        self.unparsed += 1;
        let view = View::plain(&sentence.text);
        view.words().iter().any(|word| wanted.contains(word.form)).then_some(view)
    }

    fn merge(&mut self, other: Self) {
        for (lemma, counts) in other.counts {
            *self.counts.entry(lemma).or_default() += counts;
        }
        self.parsed += other.parsed;
        self.unparsed += other.unparsed;
    }
}

/// Words that may be forms of counted verbs.
struct WantedWords<'l> {
    lemmas: &'l BTreeSet<String>,
    known: HashMap<String, bool>,
}

impl WantedWords<'_> {
    fn contains(&mut self, form: &str) -> bool {
        if let Some(known) = self.known.get(form) {
            return *known;
        }
        let is_wanted = Tag::all().filter(|tag| tag.is_verb()).any(|tag| self.lemmas.contains(&lemma_of(form, tag)));
        self.known.insert(form.to_string(), is_wanted);
        is_wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Example, Pair};

    fn counted(sentences: &[(&str, Option<&str>)]) -> CountedFrames {
        let sentence = |(text, parse): &(&str, Option<&str>)| Sentence {
            text: text.to_string().into(),
            parse: parse.map(|parse| parse.to_string().into()),
            binary_parse: None,
        };
        let example = |(n, found): (usize, &(&str, Option<&str>))| {
            let pair = Pair { id: n.to_string().into(), premise: sentence(found), hypothesis: Sentence::plain("It rained.") };
            Example { pair, ..Example::default() }
        };
        let examples = sentences.iter().enumerate().map(example).collect();
        let verbs = verbs_of(&Grammar::built_in(), acidtest_challenge::Mode::Clean).unwrap();
        count(Data::Examples(examples, Vec::new()), &verbs, FrameOptions::default(), &Session::quiet().unwrap()).unwrap()
    }

    #[test]
    fn verbs_are_counted_by_lemma_with_and_without_parses() {
        let tree = "(ROOT (S (NP (PRP She)) (VP (VBZ believes) (SBAR (IN that) (S (NP (PRP he)) (VP (VBZ runs))))) (. .)))";
        let found = counted(&[
            ("She believes that he runs.", Some(tree)),
            ("She believed he ran.", None),
            ("She is believing him.", None),
            ("Nobody noticed it.", None),
        ]);
        let expected = FrameCounts { object: 1, clause: 2, clause_without_that: 1, ..FrameCounts::default() };
        assert_eq!(found.frames.of("believe"), expected);
        assert_eq!(found.frames.of("run").no_object, 2);
        assert_eq!(found.frames.counts.keys().map(String::as_str).collect::<Vec<_>>(), ["believe", "run"]);
        assert_eq!((found.parsed, found.unparsed, found.frames.examples), (1, 7, 4));
    }

    #[test]
    fn the_threshold_of_hans_is_scaled_to_the_corpus() {
        assert_eq!([392_702, 68_000, 1, 0].map(scaled_threshold), [50, 9, 1, 1]);
        assert_eq!(counted(&[("He ran.", None)]).frames.rule.threshold, 1);
    }

    #[test]
    fn only_sentences_with_a_counted_verb_are_parsed() {
        let lemmas = BTreeSet::from(["see".to_string(), "leave".to_string()]);
        let mut wanted = WantedWords { lemmas: &lemmas, known: HashMap::new() };
        assert_eq!(["saw", "Sees", "left", "leaves", "table"].map(|form| wanted.contains(form)), [true, true, true, true, false]);
    }
}
