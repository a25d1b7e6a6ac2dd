//! Composition: the same modifier on different nouns (Nie et al. 2018, section 3.1, ADDAMOD).
//!
//! A modifier that the corpus has with both of two nouns of a sentence is added to the one noun in the premise and to the other in the hypothesis. The two sides
//! have the same words, and neither follows from the other.

mod change;
mod lists;
mod nouns;
mod phrase;
mod sentence;
mod settings;
mod table;

#[cfg(test)]
mod tests;

pub use table::{ModifierCounts, ModifierSlot, ModifierTable};

use crate::composition::analysis::parsed;
use crate::words::Words;
use crate::{
    AnalysisSource, Build, Case, CaseOutcome, CaseSentence, ChallengeEntry, ChallengeError, Family, FromSentences, LabelEffect, Need,
    NotApplicable, PairChoice, Request, SentencePair, SentenceVersion, ShareLimit, Sides, SourceSentence, TEST, Trace, TreeNeed,
};
use acidtest_lingua::View;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::view::ViewNeed;
use acidtest_nli::{Judgment, Label, Rng, Side, Tags, tag};
use lists::{Lists, Modifier, ModifierClass, NounClass};
use phrase::{NounPhrase, Span};
use sentence::{check_text, speaks_of};
use serde_json::json;
use settings::AddedModifierSettings;
use std::collections::BTreeMap;

pub(crate) const ADDED_MODIFIER: ChallengeEntry = ChallengeEntry {
    name: "added-modifier",
    summary: "adds a modifier to one noun of the premise and to another of the hypothesis",
    source: "Nie et al. 2018, section 3.1 (ADDAMOD)",
    family: Family::Composition,
    label: LabelEffect::Sets,
    in_run: &[],
    needs: &[Need::Names],
    split_by: &[tag::PART],
    examples: &[
        Case {
            premise: CaseSentence {
                text: "A man is washing a car.",
                parse: Some("(ROOT (S (NP (DT A) (NN man)) (VP (VBZ is) (VP (VBG washing) (NP (DT a) (NN car)))) (. .)))"),
            },
            outcome: CaseOutcome::Made {
                premise: "A man is washing an old car.",
                hypothesis: "An old man is washing a car.",
                gold: Judgment::Exact(Label::Neutral),
            },
            ..Case::not_applicable(Side::Premise, "", "")
        },
        Case {
            premise: CaseSentence { text: "A man sleeps.", parse: Some("(ROOT (S (NP (DT A) (NN man)) (VP (VBZ sleeps)) (. .)))") },
            ..Case::not_applicable(Side::Premise, "", FEW_NOUNS.0)
        },
    ],
    defaults: || json!(AddedModifierSettings::default()),
    build: Build::FromSentences(build),
};

const FEW_NOUNS: NotApplicable = NotApplicable("fewer than two nouns that can take a modifier");
const NO_PAIR: NotApplicable = NotApplicable("no two nouns that are independent of each other");
const NO_MODIFIER: NotApplicable = NotApplicable("no modifier that was seen often enough with both nouns and fits both");
const TWICE: NotApplicable = NotApplicable("noun that occurs twice in the sentence");
const DISAGREE: NotApplicable = NotApplicable("the corpus's tree and our parse disagree on the noun phrase");
const SAME: NotApplicable = NotApplicable("nouns that may refer to the same thing");
const PART: NotApplicable = NotApplicable("nouns that are part and whole");
const SCOPE: NotApplicable = NotApplicable("modifier that could belong to both nouns");
const PRESENT: NotApplicable = NotApplicable("modifier that is already in the sentence");
const CLASH: NotApplicable = NotApplicable("modifier that clashes with another adjective or with the rest of the sentence");
const UNFIT: NotApplicable = NotApplicable("modifier that does not fit both nouns");
const UNCOUNTED: NotApplicable = NotApplicable("no modifiers were counted");

struct AddedModifiers {
    settings: AddedModifierSettings,
    table: ModifierSlot,
}

fn build(request: &Request<'_>) -> Result<Box<dyn FromSentences>, ChallengeError> {
    let settings = settings::read(request)?;
    Ok(Box::new(AddedModifiers { settings, table: ModifierSlot::new(request.resources.modifiers.clone()) }))
}

impl FromSentences for AddedModifiers {
    fn sides(&self) -> Sides {
        self.settings.sides
    }

    fn trees(&self) -> TreeNeed {
        self.settings.analysis.trees()
    }

    fn screen(&self, source: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        let table = self.table.get().ok_or(UNCOUNTED)?;
        check_text(source.view.text())?;
        if !has_two_nouns(source.view.text(), table) {
            return Err(FEW_NOUNS);
        }
        match self.settings.analysis {
            AnalysisSource::Strict => self.found(table, source.view, AnalysisSource::Tree, &mut Trace::default()).map(|_| ()),
            AnalysisSource::Tree | AnalysisSource::Parse => Ok(()),
        }
    }

    fn view_need(&self) -> Option<ViewNeed> {
        self.settings.analysis.view_need()
    }

    fn pairs(&self, source: &SourceSentence<'_, '_>, rng: &mut Rng, trace: &mut Trace) -> Result<Vec<SentencePair>, NotApplicable> {
        let table = self.table.get().ok_or(UNCOUNTED)?;
        let found = self.found(table, source.view, self.settings.analysis, trace)?;
        let mut made = Vec::new();
        for (modifier, mut pairs) in found.by_modifier {
            let at = rng.below(pairs.len());
            let [mut premise, mut hypothesis] = pairs.swap_remove(at).map(|place| &found.phrases[place]);
            if rng.below(2) == 1 {
                std::mem::swap(&mut premise, &mut hypothesis);
            }
            let modifier = Lists::get().addable(modifier).ok_or(UNFIT)?;
            made.push(pair(source.view, modifier, premise, hypothesis)?);
            trace.made(|| format!("{} on {} > {}", modifier.word, premise.lemma, hypothesis.lemma));
        }
        Ok(made)
    }

    fn modifiers(&self) -> Option<&ModifierSlot> {
        Some(&self.table)
    }

    fn choice(&self) -> PairChoice {
        PairChoice::LeastUsed
    }

    fn limit(&self) -> Option<ShareLimit> {
        Some(ShareLimit { tag: tag::MODIFIER, share: self.settings.most_per_modifier })
    }
}

/// Whether a word in small letters is an adjective of the lists, which may be missing in dictionaries.
pub(crate) fn is_modifier(lower: &str) -> bool {
    Lists::get().class_of(lower).is_some()
}

/// Whether a noun, by its dictionary form, stands for a person or an animal.
pub(crate) fn is_living(noun: &str) -> bool {
    matches!(nouns::class_of(noun), Some(NounClass::Person | NounClass::Animal))
}

/// The noun phrases of a sentence, and the pairs of them that each modifier fits.
struct Found {
    phrases: Vec<NounPhrase>,
    by_modifier: BTreeMap<&'static str, Vec<[usize; 2]>>,
}

impl AddedModifiers {
    fn found(&self, table: &ModifierTable, view: &View<'_>, analysis: AnalysisSource, trace: &mut Trace) -> Result<Found, NotApplicable> {
        let words = match analysis {
            AnalysisSource::Parse => Words::parsed(view, parsed(view)?),
            AnalysisSource::Strict | AnalysisSource::Tree => Words::tagged(view),
        };
        self.settings.writing.check(&words, view.text())?;
        let phrases = self.phrases(view, &words, analysis, trace)?;
        if phrases.len() < 2 {
            return Err(FEW_NOUNS);
        }
        let mut by_modifier: BTreeMap<&'static str, Vec<[usize; 2]>> = BTreeMap::new();
        let mut independent = false;
        for first in 0..phrases.len() {
            for second in first + 1..phrases.len() {
                let nouns = [&phrases[first], &phrases[second]];
                let shared = table.shared([&nouns[0].lemma, &nouns[1].lemma], self.settings.seen_at_least);
                let described = |modifier: &str| format!("{modifier} {} > {}", nouns[0].lemma, nouns[1].lemma);
                if let Err(reason) = check_nouns(&words, nouns) {
                    shared.iter().for_each(|modifier| trace.skipped(|| described(modifier), reason));
                    continue;
                }
                independent = true;
                for modifier in shared {
                    match check_modifier(&words, modifier, nouns) {
                        Ok(()) => by_modifier.entry(modifier).or_default().push([first, second]),
                        Err(reason) => trace.skipped(|| described(modifier), reason),
                    }
                }
            }
        }
        match (independent, by_modifier.is_empty()) {
            (false, _) => Err(NO_PAIR),
            (true, true) => Err(NO_MODIFIER),
            (true, false) => Ok(Found { phrases, by_modifier }),
        }
    }

    /// The noun phrases that can take a modifier, from left to right.
    fn phrases(
        &self,
        view: &View<'_>,
        words: &Words<'_>,
        analysis: AnalysisSource,
        trace: &mut Trace,
    ) -> Result<Vec<NounPhrase>, NotApplicable> {
        let ours = match analysis {
            AnalysisSource::Strict | AnalysisSource::Parse => Some(phrase::of_parse(parsed(view)?)),
            AnalysisSource::Tree => None,
        };
        let spans: Vec<Span> = match (analysis, &ours) {
            (AnalysisSource::Parse, Some(ours)) => ours.clone(),
            _ => phrase::of_tree(view),
        };
        let lemmas: Vec<String> = (0..words.len()).filter(|&at| words.is_common_noun(at)).map(|at| words.lemma(at)).collect();
        let mut phrases = Vec::new();
        for span in spans.into_iter().filter(|(_, head)| words.is_common_noun(*head)) {
            let checked = NounPhrase::read(words, span, self.settings.existing_adjectives).and_then(|phrase| {
                if lemmas.iter().filter(|lemma| **lemma == phrase.lemma).count() > 1 {
                    return Err(TWICE);
                }
                if ours.as_ref().is_some_and(|ours| !ours.contains(&span)) {
                    return Err(DISAGREE);
                }
                Ok(phrase)
            });
            match checked {
                Ok(phrase) => phrases.push(phrase),
                Err(reason) => trace.skipped(|| words.lower(span.1).to_string(), reason),
            }
        }
        Ok(phrases)
    }
}

/// Whether a text has two words that can be nouns of the table.
fn has_two_nouns(text: &str, table: &ModifierTable) -> bool {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter(|word| table.has_form(&word.to_lowercase())).take(2).count() == 2
}

/// Whether two nouns stand for things that have nothing to do with each other, as far as words tell.
fn check_nouns(words: &Words<'_>, [first, second]: [&NounPhrase; 2]) -> Result<(), NotApplicable> {
    let both = |class: NounClass| first.class == class && second.class == class;
    // `A man helps the worker`: the second may be the first again.
    let taken_up = second.is_definite(words) && !first.is_definite(words) && (both(NounClass::Person) || both(NounClass::Animal));
    if taken_up || nouns::may_corefer(&first.lemma, &second.lemma) {
        return Err(SAME);
    }
    if nouns::are_part_and_whole(&first.lemma, &second.lemma) {
        return Err(PART);
    }
    // `men and women`: what stands before the first may belong to both.
    let joined = second.is_bare() && second.start == first.head + 2 && matches!(words.lower(first.head + 1), "and" | "or" | "," | "&");
    if joined {
        return Err(SCOPE);
    }
    Ok(())
}

/// Whether a modifier fits both nouns and the rest of the sentence.
fn check_modifier(words: &Words<'_>, modifier: &str, nouns: [&NounPhrase; 2]) -> Result<(), NotApplicable> {
    let modifier = Lists::get().addable(modifier).ok_or(UNFIT)?;
    if !nouns.iter().all(|noun| modifier.fits(&noun.lemma, noun.class)) {
        return Err(UNFIT);
    }
    if words.all().any(|word| word.split('-').any(|part| part == modifier.word)) {
        return Err(PRESENT);
    }
    let clashes = nouns.iter().any(|noun| noun.place_for(modifier.class).is_none())
        || modifier.class == ModifierClass::Feeling && speaks_of(words, "feelings")
        || modifier.class == ModifierClass::Condition && speaks_of(words, "dirtiness")
        // A toy horse is not angry, and a leather jacket is not of plastic.
        || matches!(modifier.class, ModifierClass::Material | ModifierClass::Feeling) && nouns.iter().any(|noun| !noun.compound().is_empty())
        || (0..words.len()).any(|at| is_predicate_of(words, at, modifier));
    if clashes { Err(CLASH) } else { Ok(()) }
}

/// Whether a word is an adjective of a class that clashes and stands on no noun: `the dog is black`.
fn is_predicate_of(words: &Words<'_>, at: usize, modifier: &Modifier) -> bool {
    let on_noun = words.tag(at + 1).is_some_and(|tag| tag.is_noun() || tag.is_adjective() || tag == Tag::CC || tag == Tag::Comma);
    !on_noun
        && Lists::get().class_of(words.lower(at)).is_some_and(|class| class.clashes(modifier.class))
        && words.tag(at).is_some_and(Tag::is_adjective)
}

/// The pair with a modifier on one noun in the premise and on the other in the hypothesis.
fn pair(view: &View<'_>, modifier: &Modifier, premise: &NounPhrase, hypothesis: &NounPhrase) -> Result<SentencePair, NotApplicable> {
    let mut tags = Tags::default();
    tags.set(tag::PART, TEST);
    tags.set(tag::MODIFIER, modifier.word);
    tags.set(tag::MODIFIER_CLASS, modifier.class.name());
    tags.set(tag::MODIFIED, format!("{}>{}", premise.lemma, hypothesis.lemma));
    let changed =
        |phrases: &[&NounPhrase]| Ok::<_, NotApplicable>(SentenceVersion::Changed(change::with_modifier(view, modifier, phrases)?));
    Ok(SentencePair {
        premise: changed(&[premise])?,
        hypothesis: changed(&[hypothesis])?,
        gold: Judgment::Exact(Label::Neutral),
        tags,
        control: Some(change::with_modifier(view, modifier, &[premise, hypothesis])?),
    })
}
