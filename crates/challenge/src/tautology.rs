//! Distraction by a statement that is always true (Naik et al. 2018, section 3.2): `and true is true`, `and false is not true`.

use crate::writing::Writing;
use crate::{
    Build, Case, ChallengeEntry, ChallengeError, Family, LabelEffect, Mode, NotApplicable, Order, PairView, Request, Rewrite, Rewritten,
};
use acidtest_lingua::clause_type::{has_verb, is_question};
use acidtest_lingua::completeness::{Incompleteness, incompleteness};
use acidtest_lingua::edit::{Edited, TextChange};
use acidtest_lingua::last_clause::{OpenClause, open_clause};
use acidtest_lingua::tree::CoordinatedClause;
use acidtest_lingua::{Tree, View};
use acidtest_nli::{Rng, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) const WORD_OVERLAP: ChallengeEntry = ChallengeEntry {
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

pub(crate) const NEGATION: ChallengeEntry = ChallengeEntry {
    name: "negation",
    summary: "adds `and false is not true` to the hypothesis, which does not change the label",
    source: "Naik et al. 2018, section 3.2",
    examples: &[
        Case::changed(
            Side::Hypothesis,
            "The ticket was 3.5 dollars in the U.S.",
            "The ticket was 3.5 dollars in the U.S. and false is not true.",
        ),
        NO_WORDS,
    ],
    defaults: || json!(TautologySettings { statement: "false is not true".into(), ..Default::default() }),
    ..TAUTOLOGY
};

pub(crate) const LENGTH_MISMATCH: ChallengeEntry = ChallengeEntry {
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

pub(crate) const TAUTOLOGY: ChallengeEntry = ChallengeEntry {
    name: "tautology",
    summary: "adds any statement to either side any number of times (settings: statement, conjunction, side, times, parse, questions, verbless, fragments, embedded, writing)",
    source: "Naik et al. 2018, sections 3.2 and 4.6 (`green is not red`)",
    family: Family::Distraction,
    label: LabelEffect::Keeps,
    in_run: &[],
    needs: &[],
    split_by: &[],
    examples: &[
        Case::changed(Side::Hypothesis, "It rained all night!", "It rained all night and green is not red!"),
        Case::not_applicable(Side::Hypothesis, "Is it raining?", "the changed sentence is a question"),
        Case::not_applicable(Side::Hypothesis, "The old clock on the wall.", "the changed sentence has no verb"),
        Case::not_applicable(Side::Hypothesis, "The old clock that stopped.", "the changed sentence has no finite main clause"),
        Case::not_applicable(Side::Hypothesis, "They bought the following:", "the changed sentence is unfinished"),
        Case::not_applicable(
            Side::Hypothesis,
            "It is a clock which strikes.",
            "the changed sentence ends in a relative clause or indirect question",
        ),
        NO_WORDS,
    ],
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
    /// What becomes of examples whose changed sentence is a question: a statement joined to one asks whether it is true.
    questions: UnfitRule,
    /// What becomes of examples whose changed sentence has no verb, so that no clause can be joined to it.
    verbless: UnfitRule,
    /// What becomes of examples whose changed sentence is not a complete statement: noun phrases with a verb inside, orders, speech that breaks off.
    fragments: UnfitRule,
    /// What becomes of examples whose changed sentence ends in a clause inside it that the statement would seem to continue.
    embedded: UnfitRule,
    /// Whether examples are used whose changed sentence has spelling or grammar errors.
    writing: Writing,
}

/// What becomes of sentences that a statement does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum UnfitRule {
    Skip,
    Keep,
}

impl Default for TautologySettings {
    fn default() -> Self {
        TautologySettings {
            statement: "true is true".into(),
            conjunction: "and".into(),
            side: Side::Hypothesis,
            times: 1,
            parse: None,
            questions: UnfitRule::Skip,
            verbless: UnfitRule::Skip,
            fragments: UnfitRule::Skip,
            embedded: UnfitRule::Skip,
            // The errors are those of the original example, which is the baseline.
            writing: Writing::Any,
        }
    }
}

struct Tautology {
    side: Side,
    mode: Mode,
    clause: CoordinatedClause,
    questions: UnfitRule,
    verbless: UnfitRule,
    fragments: UnfitRule,
    embedded: UnfitRule,
    writing: Writing,
}

fn build(request: &Request<'_>) -> Result<Box<dyn Rewrite>, ChallengeError> {
    let settings: TautologySettings = request.settings()?;
    let refused = |message: String| ChallengeError::from(request.refused(message));
    if settings.times == 0 || settings.times > 1000 {
        return Err(refused(format!("times: invalid value {}: expected a number from 1 to 1000", settings.times)));
    }
    if settings.statement.split_whitespace().next().is_none() {
        return Err(refused("statement: expected at least one word".to_string()));
    }
    if settings.conjunction.trim().is_empty() || settings.conjunction.contains(['(', ')']) {
        return Err(refused("conjunction: expected a word such as `and`, without brackets".to_string()));
    }
    let parse = settings.parse.clone().unwrap_or_else(|| copula_parse(&settings.statement));
    let tree = Tree::read(&parse).map_err(|error| refused(format!("parse `{parse}`: {error}")))?;
    let words: Vec<&str> = settings.statement.split_whitespace().collect();
    if tree.leaves().map(|leaf| leaf.word).ne(words.iter().copied()) {
        return Err(refused(format!("the words of the parse `{parse}` are not those of the statement `{}`", settings.statement)));
    }
    let clause = CoordinatedClause::new(&settings.conjunction, &settings.statement, &tree, settings.times);
    let TautologySettings { side, questions, verbless, fragments, embedded, writing, .. } = settings;
    Ok(Box::new(Tautology { side, mode: request.mode, clause, questions, verbless, fragments, embedded, writing }))
}

impl Rewrite for Tautology {
    fn rewrite(&self, pair: &PairView<'_>, _: &mut Rng) -> Result<Vec<Rewritten>, NotApplicable> {
        let view = pair.side(self.side);
        let edited = match self.mode {
            Mode::Clean => {
                self.refuse_unfit(view)?;
                view.edit().join(&self.clause).finish()?
            }
            Mode::AsPublished => before_first_stop(view.text(), self.clause.words()),
        };
        Ok(vec![Rewritten::of_side(pair, self.side, edited)])
    }

    fn parsed_side(&self) -> Option<Side> {
        let looks = self.fragments == UnfitRule::Skip || self.embedded == UnfitRule::Skip || self.writing == Writing::Checked;
        (self.mode == Mode::Clean && looks).then_some(self.side)
    }

    fn order(&self) -> Order {
        match self.mode {
            Mode::Clean => Order::AsRead,
            Mode::AsPublished => Order::ByPremise,
        }
    }
}

impl Tautology {
    /// Whether a statement can be joined to the sentence.
    fn refuse_unfit(&self, view: &View<'_>) -> Result<(), NotApplicable> {
        let asks = is_question(view.text());
        if asks && self.questions == UnfitRule::Skip {
            return Err(QUESTION);
        }
        if !view.text().contains(char::is_alphanumeric) {
            return Ok(());
        }
        let lack = if asks || self.fragments == UnfitRule::Keep { None } else { incompleteness(view) };
        let looks_for_verb = self.verbless == UnfitRule::Skip && (lack.is_some() || asks || self.fragments == UnfitRule::Keep);
        if looks_for_verb && !has_verb(view) {
            return Err(NO_VERB);
        }
        match lack {
            None => Ok(()),
            Some(Incompleteness::Question) if self.questions == UnfitRule::Keep => Ok(()),
            Some(Incompleteness::NoMainClause) if self.verbless == UnfitRule::Keep && !has_verb(view) => Ok(()),
            Some(lack) => Err(reason(lack)),
        }?;
        if self.embedded == UnfitRule::Skip {
            open_clause(view).map_or(Ok(()), |clause| Err(ends_in(clause)))?;
        }
        self.writing.check_text(view)
    }
}

const QUESTION: NotApplicable = NotApplicable("the changed sentence is a question");
const NO_VERB: NotApplicable = NotApplicable("the changed sentence has no verb");

fn reason(lack: Incompleteness) -> NotApplicable {
    match lack {
        Incompleteness::Question => QUESTION,
        Incompleteness::OpenEnd => NotApplicable("the changed sentence is unfinished"),
        Incompleteness::NoMainClause => NotApplicable("the changed sentence has no finite main clause"),
        Incompleteness::Subordinate => NotApplicable("the changed sentence is a subordinate clause"),
        Incompleteness::Order => NotApplicable("the changed sentence is a command"),
        Incompleteness::BrokenOff => NotApplicable("the changed sentence breaks off or restarts"),
    }
}

fn ends_in(clause: OpenClause) -> NotApplicable {
    match clause {
        OpenClause::Relative => NotApplicable("the changed sentence ends in a relative clause or indirect question"),
        OpenClause::Report => NotApplicable("the changed sentence ends in a report of speech"),
    }
}

/// The words go before the first stop of the text, wherever it stands, and what follows it goes.
fn before_first_stop(text: &str, words: &str) -> Edited {
    // The released script also cuts at the dot of "3.5" and drops what follows; the paper does not say so.
    let stop = text.find(['.', '!', '?']);
    let (start, kept) = stop.map_or((text, ""), |stop| {
        let blanks = text[stop + 1..].len() - text[stop + 1..].trim_start().len();
        (&text[..stop], &text[stop..stop + 1 + blanks])
    });
    let at = start.chars().count();
    let change = TextChange { start: at, end: at + 1 + words.chars().count(), before: String::new() };
    // The released parses are cut in the middle of a bracket; a set without them is better than one with broken ones.
    Edited { text: format!("{start} {words}{kept}"), parse: None, binary_parse: None, changes: vec![change] }
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

    #[test]
    fn sentences_with_errors_are_left_out_on_request() {
        let made = |text: &str, writing: &str| {
            let settings = acidtest_nli::Settings::default().with("writing", writing);
            let challenge = crate::Challenge::new(&NEGATION, &settings, Mode::Clean, 1, &crate::Resources::default()).unwrap();
            let pair = acidtest_nli::Pair::plain("Nobody knows.", text);
            let example = acidtest_nli::Example { pair, gold: Some(acidtest_nli::Label::Neutral.into()), ..Default::default() };
            challenge.rows(&example, &mut crate::Coverage::default()).unwrap().len()
        };
        assert_eq!((made("The woman ate a apple.", "checked"), made("The woman ate a apple.", "any")), (0, 1));
        assert_eq!(made("The woman ate an apple.", "checked"), 1);
    }

    #[test]
    fn as_published_cuts_at_the_first_mark() {
        assert_eq!(before_first_stop("It cost 3.5 dollars.", "and true is true").text, "It cost 3 and true is true.");
        assert_eq!(before_first_stop("Yes", "and true is true").text, "Yes and true is true");
    }
}
