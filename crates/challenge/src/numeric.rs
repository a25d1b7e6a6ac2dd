//! Numerical reasoning (Naik et al. 2018, section 3.1): a sentence and a copy of it with another number, `more than` or `less than`.
//!
//! A sentence gives three pairs: one that follows, one that contradicts, and the first one reversed, which is neutral. What is left alone is
//! said by named rules ([`rules`]).

mod candidate;
mod draw;
mod lists;
mod place;
mod problem;
mod published;
mod rules;
mod settings;
mod triple;

#[cfg(test)]
mod tests;

use crate::{
    Build, Case, CaseOutcome, CaseSentence, ChallengeEntry, ChallengeError, Family, FromSentences, LabelEffect, Mode, Need, NotApplicable,
    Request, SentencePair, SourceSentence, Trace,
};
use acidtest_lingua::numbers::{Number, NumberKind, NumberStyle};
use acidtest_lingua::view::{View, ViewNeed};
use acidtest_nli::{Judgment, Label, Rng, Side};
use candidate::Candidate;
use rules::{Rule, Stops, Words};
use settings::{Entity, Kind, NumericSettings};

pub(crate) const NUMERIC: ChallengeEntry = ChallengeEntry {
    name: "numeric",
    summary: "changes a number in a sentence, or puts `more than` or `less than` before it",
    source: "Naik et al. 2018, section 3.1",
    family: Family::Competence,
    label: LabelEffect::Sets,
    in_run: &[],
    needs: &[Need::Names],
    split_by: &[],
    examples: &[
        Case {
            premise: CaseSentence::plain("Tim has 350 pounds of cement."),
            hypothesis: CaseSentence::plain("Nobody knows."),
            gold: Judgment::Exact(Label::Neutral),
            probabilities: None,
            outcome: CaseOutcome::Made {
                premise: "Tim has 350 pounds of cement.",
                hypothesis: "Tim has less than 450 pounds of cement.",
                gold: Judgment::Exact(Label::Entailment),
            },
        },
        Case::not_applicable(Side::Premise, "Tim has cement.", NO_NUMBER.0),
    ],
    defaults: settings::defaults,
    build: Build::FromSentences(build),
};

pub(super) const NO_NUMBER: NotApplicable = NotApplicable("no number");
const NO_NAME: NotApplicable = NotApplicable("no name of a person, place or organisation");
const NONE_LEFT: NotApplicable = NotApplicable("no number that can be changed");
const TOO_LONG: NotApplicable = NotApplicable("a long sentence");

struct Numeric {
    settings: NumericSettings,
    rules: Vec<&'static Rule>,
    mode: Mode,
}

fn build(request: &Request<'_>) -> Result<Box<dyn FromSentences>, ChallengeError> {
    let (settings, rules) = settings::read(request)?;
    Ok(Box::new(Numeric { settings, rules, mode: request.mode }))
}

impl FromSentences for Numeric {
    fn view_need(&self) -> Option<ViewNeed> {
        // The released script looks at names alone.
        let unparsed = self.mode == Mode::AsPublished && self.settings.entity == Entity::Any;
        (!unparsed).then_some(ViewNeed::Names)
    }

    fn screen(&self, sentence: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        problem::check(sentence.tags, &self.settings)?;
        let view = sentence.view;
        if self.mode == Mode::AsPublished {
            return published::whole_number(view.text()).map(|_| ()).ok_or(NO_NUMBER);
        }
        if view.numbers().is_empty() {
            return Err(NO_NUMBER);
        }
        let words = Words::of(view);
        if words.lower.len() > self.settings.longest {
            return Err(TOO_LONG);
        }
        let stopped = self.rules.iter().find(|rule| matches!(rule.stops, Stops::Sentence(stops) if stops(&words)));
        stopped.map_or(Ok(()), |rule| Err(NotApplicable(rule.reason)))
    }

    fn pairs(&self, sentence: &SourceSentence<'_, '_>, rng: &mut Rng, trace: &mut Trace) -> Result<Vec<SentencePair>, NotApplicable> {
        let view = sentence.view;
        if self.settings.entity == Entity::Required && view.names().next().is_none() {
            return Err(NO_NAME);
        }
        if self.mode == Mode::AsPublished {
            return published::pairs(view, rng);
        }
        let candidates = self.candidates(view, trace);
        let candidate = rng.choose(&candidates).ok_or(NONE_LEFT)?;
        self.settings.writing.check_text(view)?;
        let pairs = triple::make(view, candidate, self.settings.reading, rng)?;
        trace.made(|| written(view, candidate.number));
        Ok(pairs)
    }
}

impl Numeric {
    /// The numbers that no rule stops.
    fn candidates<'v>(&self, view: &'v View<'_>, trace: &mut Trace) -> Vec<Candidate<'v>> {
        let mut kept = Vec::new();
        for candidate in Candidate::all(view) {
            match self.check(&candidate) {
                Ok(()) => kept.push(candidate),
                Err(reason) => trace.skipped(|| written(view, candidate.number), reason),
            }
        }
        kept
    }

    fn check(&self, candidate: &Candidate<'_>) -> Result<(), NotApplicable> {
        self.check_kind(candidate.number)?;
        let stopped = self.rules.iter().find(|rule| matches!(rule.stops, Stops::Number(stops) if stops(candidate)));
        if let Some(rule) = stopped {
            return Err(NotApplicable(rule.reason));
        }
        if !triple::can_be_made(candidate, self.settings.reading) {
            return Err(NotApplicable("no other number far enough away"));
        }
        Ok(())
    }

    /// Whether numbers of this kind and size are changed.
    fn check_kind(&self, number: &Number) -> Result<(), NotApplicable> {
        let settings = &self.settings;
        let scaled = number.style() == NumberStyle::DigitsAndWord;
        match number.kind {
            NumberKind::Ordinal => return Err(NotApplicable("an ordinal")),
            NumberKind::Fraction => return Err(NotApplicable("a fraction")),
            NumberKind::Range { .. } => return Err(NotApplicable("a range")),
            NumberKind::Percent if settings.percent == Kind::Leave => return Err(NotApplicable("a per cent figure")),
            _ => {}
        }
        if scaled && settings.scales == Kind::Leave {
            return Err(NotApplicable("a number with a word such as `million`"));
        }
        let whole = number.value.fract() == 0.0 && number.write(number.value).is_none_or(|written| !written.contains('.'));
        if !whole && !scaled && settings.decimals == Kind::Leave {
            return Err(NotApplicable("a number with decimals"));
        }
        if number.value < f64::from(settings.smallest) || (!scaled && number.value > f64::from(settings.largest)) {
            return Err(NotApplicable("a number that is too small or too large"));
        }
        Ok(())
    }
}

fn written(view: &View<'_>, number: &Number) -> String {
    format!("`{}`", &view.text()[number.start..number.end])
}
