//! Competence: one word of a sentence becomes its antonym (Naik et al. 2018, section 3.1).
//!
//! In clean mode a word is changed if it is in the list of pairs and no filter leaves it alone; its sense comes from Lesk's method and decides between
//! several antonyms. As published, every noun whose sense has an antonym in WordNet is changed.

mod candidate;
mod change;
mod complement;
mod condition;
mod filter;
mod gender;
mod lists;
mod published;
mod reference;
mod scope;
mod screen;
mod sentence;
mod settings;
mod surroundings;
mod tags;
mod training;

#[cfg(test)]
mod tests;

pub use training::TrainingCounts;

use crate::writing::Writing;
use crate::{
    Build, Case, CaseOutcome, ChallengeEntry, ChallengeError, Family, FromSentences, LabelEffect, Mode, Need, NotApplicable, Request,
    SentencePair, SentenceVersion, ShareLimit, SourceSentence, Trace,
};
use acidtest_lingua::tag::Tag;
use acidtest_lingua::view::{Origin, ViewNeed};
use acidtest_lingua::wordnet::{PartOfSpeech, SynsetId, WordNet, WordNetRelation, lesk};
use acidtest_nli::{Judgment, Label, Rng, Side, Tags, tag};
use candidate::{Candidate, Forms};
use filter::{FILTERS, Filter, SwitchedOff, reason};
use gender::{Agreement, Swap, agreement};
use lists::Lists;
use screen::NO_WORD;
use sentence::Sentence;
use settings::{AntonymSettings, Direction, Pronouns};
use std::sync::Arc;

pub(crate) const ANTONYM: ChallengeEntry = ChallengeEntry {
    name: "antonym",
    summary: "replaces one word of a sentence by its antonym, which contradicts the sentence",
    source: "Naik et al. 2018, section 3.1",
    family: Family::Competence,
    label: LabelEffect::Sets,
    in_run: &[],
    needs: &[Need::Names],
    split_by: &[],
    examples: &[
        Case {
            outcome: CaseOutcome::Made {
                premise: "The new bridge is expensive.",
                hypothesis: "The old bridge is expensive.",
                gold: Judgment::Exact(Label::Contradiction),
            },
            ..Case::not_applicable(Side::Premise, "The new bridge is expensive.", "")
        },
        Case::not_applicable(Side::Premise, "Dogs bark.", NO_WORD.0),
    ],
    defaults: settings::defaults,
    build: Build::FromSentences(build),
};

const ALL_SKIPPED: NotApplicable = NotApplicable("every word with an antonym was excluded by a filter");
const OTHER_CLASS: NotApplicable = NotApplicable("the word class differs from that in the corpus's parse");

/// The rarest sense that is taken, counted from 1.
const RAREST_SENSE: usize = 3;

struct Antonyms {
    mode: Mode,
    forms: Forms,
    off: SwitchedOff,
    direction: Direction,
    pronouns: Pronouns,
    most_per_pair: f64,
    writing: Writing,
    training: Option<Arc<TrainingCounts>>,
}

fn build(request: &Request<'_>) -> Result<Box<dyn FromSentences>, ChallengeError> {
    let (settings, parts, off) = settings::read(request)?;
    let forms = if off.uses(Filter::Pairs) { Forms::listed(&parts) } else { Forms::of_wordnet(&parts) };
    let AntonymSettings { direction, pronouns, most_per_pair, writing, .. } = settings;
    Ok(Box::new(Antonyms {
        mode: request.mode,
        forms,
        off,
        direction,
        pronouns,
        most_per_pair,
        writing,
        training: request.resources.training.clone(),
    }))
}

impl FromSentences for Antonyms {
    fn screen(&self, source: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        if self.mode == Mode::AsPublished {
            return Ok(());
        }
        screen::screen(source.view.text(), &self.forms, &self.off)
    }

    fn counts_training(&self) -> bool {
        true
    }

    fn view_need(&self) -> Option<ViewNeed> {
        (self.mode == Mode::Clean).then_some(ViewNeed::Names)
    }

    fn pairs(&self, source: &SourceSentence<'_, '_>, rng: &mut Rng, trace: &mut Trace) -> Result<Vec<SentencePair>, NotApplicable> {
        let training = self.training.as_deref();
        if self.mode == Mode::AsPublished {
            return published::pairs(source, |word, antonym| tags::of_change(PartOfSpeech::Noun, word, antonym, training));
        }
        let text: Vec<Sentence<'_>> = source.view.document().sentences.iter().map(Sentence::new).collect();
        let mut candidates = 0;
        let mut made = Vec::new();
        for sentence in &text {
            for at in 0..sentence.len() {
                for (part, lemma) in self.forms.find(sentence.lower(at), sentence.tag(at)) {
                    candidates += 1;
                    let candidate = Candidate { sentence, text: &text, source: source.view.text(), at, part, lemma };
                    match self.change(source, &candidate, rng) {
                        Ok((antonym, mut pairs)) => {
                            if made.is_empty() {
                                self.writing.check_text(source.view)?;
                            }
                            trace.made(|| format!("{lemma} > {antonym}"));
                            made.append(&mut pairs);
                        }
                        Err(reason) => trace.skipped(|| format!("{} ({})", sentence.lower(at), settings::part_name(part)), reason),
                    }
                }
            }
        }
        match (candidates, made.is_empty()) {
            (0, _) => Err(NO_WORD),
            (_, true) => Err(ALL_SKIPPED),
            (_, false) => Ok(made),
        }
    }

    fn limit(&self) -> Option<ShareLimit> {
        (self.mode == Mode::Clean && self.most_per_pair < 1.0).then_some(ShareLimit { tag: tag::ANTONYM_PAIR, share: self.most_per_pair })
    }
}

impl Antonyms {
    /// The pairs of one change, with the antonym, or why the word is left alone.
    fn change(
        &self,
        source: &SourceSentence<'_, '_>,
        candidate: &Candidate<'_, '_>,
        rng: &mut Rng,
    ) -> Result<(&'static str, Vec<SentencePair>), NotApplicable> {
        let view = source.view;
        let place = change::place_of(view, candidate.sentence, candidate.at)?;
        if view.tag_origin() == Origin::Corpus && Tag::from_name(view.tag(place)).and_then(PartOfSpeech::of_tag) != Some(candidate.part) {
            return Err(OTHER_CLASS);
        }
        if let Some(entry) = FILTERS.iter().find(|entry| self.off.uses(entry.filter) && stops(entry.filter, candidate)) {
            return Err(entry.reason);
        }
        let swaps = self.swaps(candidate)?;
        let antonym = self.antonym(candidate, rng)?;
        let edited = change::changed(view, candidate, antonym, &swaps)?;
        let tags = || -> Tags<'static> { tags::of_change(candidate.part, candidate.lemma, antonym, self.training.as_deref()) };
        let pair = |&place| tags::pair(place, SentenceVersion::Changed(edited.clone()), tags());
        Ok((antonym, self.direction.places(rng).iter().map(pair).collect()))
    }

    /// The pronouns that change with a noun.
    fn swaps(&self, candidate: &Candidate<'_, '_>) -> Result<Vec<Swap>, NotApplicable> {
        match agreement(candidate) {
            Agreement::Nothing => Ok(Vec::new()),
            Agreement::Swaps(swaps) if self.pronouns == Pronouns::Swap => Ok(swaps),
            Agreement::Swaps(_) | Agreement::Unclear if self.off.uses(Filter::Gender) => Err(reason(Filter::Gender)),
            Agreement::Swaps(_) | Agreement::Unclear => Ok(Vec::new()),
        }
    }

    /// An antonym: one that WordNet gives to the sense that is meant, if there is any, else any that may be taken.
    fn antonym(&self, candidate: &Candidate<'_, '_>, rng: &mut Rng) -> Result<&'static str, NotApplicable> {
        let (part, lemma) = (candidate.part, candidate.lemma);
        if !self.off.uses(Filter::Pairs) {
            let of_sense = self.sense(candidate)?.map_or_else(Vec::new, antonyms_of_synset);
            let usable = |antonym: &&str| !antonym.contains('_') && !Lists::get().is_blocked(part, lemma, antonym);
            let allowed: Vec<&'static str> = of_sense.into_iter().filter(usable).collect();
            return rng.choose(&allowed).copied().ok_or(reason(Filter::Pairs));
        }
        let mut allowed: Vec<&'static str> = Vec::new();
        for pair in Lists::get().of_word(part, lemma) {
            let holds = !self.off.uses(Filter::Conditions) || condition::hold(&pair.conditions, candidate);
            if holds && !allowed.contains(&pair.antonym) {
                allowed.push(pair.antonym);
            }
        }
        if allowed.is_empty() {
            return Err(reason(Filter::Conditions));
        }
        if self.off.uses(Filter::Complement) {
            allowed.retain(|antonym| complement::fits(candidate, antonym));
        }
        let senses = WordNet::get().senses(lemma, part).len();
        let meant: Vec<&'static str> = match allowed.len() {
            0 => return Err(reason(Filter::Complement)),
            // The sense decides nothing, so that it need not be found.
            1 if senses <= RAREST_SENSE || !self.off.uses(Filter::Senses) => Vec::new(),
            _ => {
                let of_sense = self.sense(candidate)?.map_or_else(Vec::new, antonyms_of_synset);
                allowed.iter().copied().filter(|antonym| of_sense.contains(antonym)).collect()
            }
        };
        rng.choose(if meant.is_empty() { &allowed } else { &meant }).copied().ok_or(reason(Filter::Conditions))
    }

    /// The sense of the word by Lesk's method; none of a word that the dictionary does not have.
    fn sense(&self, candidate: &Candidate<'_, '_>) -> Result<Option<SynsetId>, NotApplicable> {
        let words = candidate.sentence.words();
        let tagged: Vec<(&str, Tag)> = words.iter().map(|word| (word.form.as_str(), word.tag)).collect();
        let Some(sense) = lesk(&tagged, candidate.at).map(|found| found.synset) else { return Ok(None) };
        let senses = WordNet::get().senses(candidate.lemma, candidate.part);
        let rank = senses.iter().position(|&(id, _)| id == sense).map_or(usize::MAX, |place| place + 1);
        if self.off.uses(Filter::Senses) && rank > RAREST_SENSE {
            return Err(reason(Filter::Senses));
        }
        Ok(Some(sense))
    }
}

/// The antonyms that WordNet gives to the words of a synset.
fn antonyms_of_synset(id: SynsetId) -> Vec<&'static str> {
    let synset = WordNet::get().synset(id);
    let of_word = |word| synset.related_words(word, WordNetRelation::Antonym).into_iter().map(|(antonym, _)| antonym);
    synset.words().flat_map(of_word).collect()
}

/// Whether a filter leaves a word alone. Those that depend on the antonym are asked where it is chosen.
fn stops(filter: Filter, candidate: &Candidate<'_, '_>) -> bool {
    match filter {
        Filter::Names => surroundings::is_name(candidate),
        Filter::Compounds => surroundings::is_compound(candidate),
        Filter::Phrases => surroundings::is_in_phrase(candidate),
        Filter::Present => surroundings::is_antonym_present(candidate),
        Filter::Others => surroundings::has_others(candidate),
        Filter::Repeated => surroundings::is_repeated(candidate),
        Filter::Kinship => surroundings::is_kin_of_somebody(candidate),
        Filter::Focus => surroundings::has_focus(candidate),
        Filter::Negation => scope::is_negated(candidate),
        Filter::Questions => scope::is_question(candidate),
        Filter::Modals => scope::is_modal(candidate),
        Filter::Attitudes => scope::is_attitude(candidate),
        Filter::Conditionals => scope::is_conditional(candidate),
        Filter::Disjunction => scope::is_disjunctive(candidate),
        Filter::Comparisons => scope::is_comparison(candidate),
        Filter::Examples => scope::is_example(candidate),
        Filter::Purpose => scope::is_purpose(candidate),
        Filter::Time => scope::has_time(candidate),
        Filter::Spoken => scope::is_spoken(candidate),
        Filter::Length => scope::is_wrong_length(candidate),
        Filter::Generic => reference::is_generic(candidate),
        Filter::Quantifiers => reference::is_quantified(candidate),
        Filter::Existential => reference::is_existential(candidate),
        Filter::Subject => reference::lacks_subject(candidate),
        Filter::Postposed => complement::is_postposed(candidate),
        Filter::Complement | Filter::Gender | Filter::Conditions | Filter::Senses | Filter::Pairs => false,
    }
}
