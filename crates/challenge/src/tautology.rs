//! Distraction by a statement that is always true (Naik et al. 2018, section 3.2): `and true is true`, `and false is not true`.

use crate::placement::{Placed, SharedStop, before_final_stop, before_first_stop};
use crate::{Build, Case, ChallengeError, Entry, Family, LabelEffect, Mode, NotApplicable, Order, Request, Rewrite, Rewritten, Unit};
use acidtest_lingua::Tree;
use acidtest_lingua::tree::{Clause, TreeError, ends_in_stop};
use acidtest_nli::{Change, Example, Rng, Sentence, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;

pub(crate) const WORD_OVERLAP: Entry = Entry {
    name: "word-overlap",
    summary: "adds `and true is true` to the hypothesis, which lowers its word overlap with the premise",
    source: "Naik et al. 2018, section 3.2",
    examples: &[
        Case::changed(
            Side::Hypothesis,
            "The country's history has been turbulent.",
            "The country's history has been turbulent and true is true.",
        ),
        NO_WORDS,
    ],
    defaults: || json!(TautologySettings::default()),
    ..TAUTOLOGY
};

pub(crate) const NEGATION: Entry = Entry {
    name: "negation",
    summary: "adds `and false is not true` to the hypothesis, a strong negation word that changes nothing",
    source: "Naik et al. 2018, section 3.2",
    examples: &[
        Case::changed(
            Side::Hypothesis,
            "The ticket cost 3.5 dollars in the U.S.",
            "The ticket cost 3.5 dollars in the U.S. and false is not true.",
        ),
        NO_WORDS,
    ],
    defaults: || json!(TautologySettings { statement: "false is not true".into(), ..Default::default() }),
    ..TAUTOLOGY
};

pub(crate) const LENGTH_MISMATCH: Entry = Entry {
    name: "length-mismatch",
    summary: "adds `and true is true` five times to the premise, which makes it much longer than the hypothesis",
    source: "Naik et al. 2018, section 3.2",
    examples: &[
        Case::changed(
            Side::Premise,
            "\"We walked home.\"",
            "\"We walked home and true is true and true is true and true is true and true is true and true is true.\"",
        ),
        Case::not_applicable(Side::Premise, "...", "the sentence has no words"),
    ],
    defaults: || json!(TautologySettings { side: Side::Premise, times: 5, ..Default::default() }),
    ..TAUTOLOGY
};

pub(crate) const TAUTOLOGY: Entry = Entry {
    name: "tautology",
    summary: "adds any statement to either side any number of times (settings: statement, conjunction, side, times, parse)",
    source: "Naik et al. 2018, sections 3.2 and 4.6 (`green is not red`)",
    family: Family::Distraction,
    label: LabelEffect::Keeps,
    unit: Unit::Pair,
    needs: &[],
    split_by: &[],
    examples: &[Case::changed(Side::Hypothesis, "Is it raining?", "Is it raining and green is not red?"), NO_WORDS],
    defaults: || json!(TautologySettings { statement: "green is not red".into(), ..Default::default() }),
    build: Build::Rewrite(build),
};

const NO_WORDS: Case = Case::not_applicable(Side::Hypothesis, "...", "the sentence has no words");

/// What is said, on which side, and how often.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TautologySettings {
    statement: String,
    conjunction: String,
    side: Side,
    times: usize,
    /// The statement's Penn-style parse; without one, it is taken as subject, copula and predicate.
    parse: Option<String>,
}

impl Default for TautologySettings {
    fn default() -> Self {
        TautologySettings { statement: "true is true".into(), conjunction: "and".into(), side: Side::Hypothesis, times: 1, parse: None }
    }
}

struct Tautology {
    side: Side,
    mode: Mode,
    /// All that is added, without the blank before it.
    words: String,
    clause: Clause,
}

fn build(request: &Request<'_>) -> Result<Box<dyn Rewrite>, ChallengeError> {
    let settings: TautologySettings = request.settings()?;
    let refused = |message: String| ChallengeError::from(request.refused(message));
    if settings.times == 0 || settings.times > 1000 {
        return Err(refused(format!("times is {}, expected 1 to 1000", settings.times)));
    }
    if settings.statement.split_whitespace().next().is_none() {
        return Err(refused("the statement is empty".to_string()));
    }
    if settings.conjunction.trim().is_empty() || settings.conjunction.contains(['(', ')']) {
        return Err(refused("the conjunction is empty or has a bracket in it (expected a word such as `and`)".to_string()));
    }
    let parse = settings.parse.unwrap_or_else(|| copula_parse(&settings.statement));
    let tree = Tree::read(&parse).map_err(|error| refused(format!("parse `{parse}`: {error}")))?;
    let words: Vec<&str> = settings.statement.split_whitespace().collect();
    if tree.leaves().map(|leaf| leaf.word).ne(words.iter().copied()) {
        return Err(refused(format!("the words of the parse `{parse}` are not those of the statement `{}`", settings.statement)));
    }
    let clause = Clause::new(&settings.conjunction, &tree, settings.times);
    let words = vec![format!("{} {}", settings.conjunction, settings.statement); settings.times].join(" ");
    Ok(Box::new(Tautology { side: settings.side, mode: request.mode, words, clause }))
}

impl Rewrite for Tautology {
    fn rewrite<'a>(&self, example: &Example<'a>, _: &mut Rng) -> Result<Vec<Rewritten<'a>>, NotApplicable> {
        let sentence = example.pair.side(self.side);
        let (placed, parse, binary_parse) = match self.mode {
            Mode::Clean => self.clean(sentence)?,
            // The released parses are cut in the middle of a bracket; a set without them is better than one with broken ones.
            Mode::AsPublished => (before_first_stop(&sentence.text, &self.words), None, None),
        };
        let change = change_of(self.side, &placed);
        let sentence = Sentence { text: placed.text.into(), parse, binary_parse };
        Ok(vec![Rewritten::of_side(example, self.side, sentence, change)])
    }

    fn order(&self) -> Order {
        match self.mode {
            Mode::Clean => Order::AsRead,
            Mode::AsPublished => Order::ByPremise,
        }
    }
}

type Parse<'a> = Option<Cow<'a, str>>;

impl Tautology {
    fn clean<'a>(&self, sentence: &Sentence<'a>) -> Result<(Placed, Parse<'a>, Parse<'a>), NotApplicable> {
        let parse = sentence.parse.as_deref().map(|parse| self.clause.join_to_parse(parse));
        let binary_parse = sentence.binary_parse.as_deref().map(|parse| self.clause.join_to_binary_parse(parse));
        let (parse, binary_parse) = (joined(parse)?, joined(binary_parse)?);
        let shared = || match sentence.parse.as_deref().or(sentence.binary_parse.as_deref()) {
            Some(parse) if !ends_in_stop(parse) => SharedStop::No,
            _ => SharedStop::Yes,
        };
        let placed = before_final_stop(&sentence.text, &self.words, shared).ok_or(NotApplicable("the sentence has no words"))?;
        Ok((placed, parse, binary_parse))
    }
}

/// The parse that was made, or why there is none.
fn joined<'a>(parse: Option<Result<Option<String>, TreeError>>) -> Result<Parse<'a>, NotApplicable> {
    match parse {
        None => Ok(None),
        Some(Ok(Some(parse))) => Ok(Some(Cow::Owned(parse))),
        Some(Ok(None)) => Err(NotApplicable("the parse has no words")),
        Some(Err(_)) => Err(NotApplicable("the parse is not a bracketed tree")),
    }
}

fn change_of(side: Side, placed: &Placed) -> Change {
    let start = placed.text[..placed.start].chars().count();
    let end = start + placed.text[placed.start..placed.end].chars().count();
    Change { side, start, end, before: String::new() }
}

/// The parse of `green is not red`: subject, copula, predicate; other statements are a fragment.
fn copula_parse(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let leaf = |word: &&str| match *word {
        "not" => format!("(RB {word})"),
        "true" | "false" | "red" | "green" => format!("(JJ {word})"),
        _ => format!("(NN {word})"),
    };
    let leaves = |words: &[&str]| words.iter().map(leaf).collect::<Vec<_>>().join(" ");
    let Some(copula) = words.iter().position(|word| *word == "is").filter(|&at| at > 0 && at + 1 < words.len()) else {
        return format!("(FRAG {})", leaves(&words));
    };
    let negated = usize::from(words[copula + 1] == "not" && copula + 2 < words.len());
    let (negation, predicate) = words[copula + 1..].split_at(negated);
    let negation = if negation.is_empty() { String::new() } else { " (RB not)".to_string() };
    format!("(S (NP {}) (VP (VBZ is){negation} (ADJP {})))", leaves(&words[..copula]), leaves(predicate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_parsed_as_copula_clauses() {
        assert_eq!(copula_parse("false is not true"), "(S (NP (JJ false)) (VP (VBZ is) (RB not) (ADJP (JJ true))))");
        assert_eq!(copula_parse("so be it"), "(FRAG (NN so) (NN be) (NN it))");
    }
}
