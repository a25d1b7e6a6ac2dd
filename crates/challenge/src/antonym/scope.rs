//! Filters that look at what the sentence asserts: under negation, in a question or a condition, the antonym contradicts nothing.

use super::candidate::Candidate;
use super::lists::Lists;
use super::surroundings::depends_on_path;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;

/// Whether a cue of a filter says something of the clause that the word stands in, or of one above it: from the cue up to what the word depends
/// on, no other clause begins.
pub(super) fn is_cue_in_scope(candidate: &Candidate<'_, '_>, filter: &str) -> bool {
    let sentence = candidate.sentence;
    let path = sentence.path(candidate.at);
    let in_scope = |cue: usize| {
        let below = sentence.path(cue).into_iter().take_while(|at| !path.contains(at));
        below.into_iter().all(|at| !begins_clause(sentence.relation(at)))
    };
    (0..sentence.len()).any(|at| at != candidate.at && Lists::get().is_cue(filter, sentence.lower(at)) && in_scope(at))
}

fn begins_clause(relation: Relation) -> bool {
    matches!(
        relation,
        Relation::AclRelcl
            | Relation::Acl
            | Relation::Advcl
            | Relation::AdvclRelcl
            | Relation::Ccomp
            | Relation::Conj
            | Relation::Parataxis
    )
}

/// The longest sentence that is changed, in words.
pub(super) const MOST_WORDS: usize = 40;

fn is_cue_anywhere(candidate: &Candidate<'_, '_>, filter: &str) -> bool {
    let sentence = candidate.sentence;
    (0..sentence.len()).any(|at| at != candidate.at && Lists::get().is_cue(filter, sentence.lower(at)))
}

/// Whether the sentence has a negation. What is not possible is impossible, though: where a complementary predicate is negated and nothing else
/// is, the change makes a contradiction too.
pub(super) fn is_negated(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    if !is_cue_in_scope(candidate, "negation") {
        return false;
    }
    let cues: Vec<usize> = (0..sentence.len()).filter(|&cue| cue != at && Lists::get().is_cue("negation", sentence.lower(cue))).collect();
    let [only] = cues[..] else { return true };
    let negates_it = matches!(sentence.lower(only), "not" | "n't") && sentence.head(only) == Some(at);
    !(negates_it && sentence.is_predicative(at) && candidate.is_complementary())
}

/// Whether the sentence is a question.
pub(super) fn is_question(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let asks = |at: usize| matches!(sentence.tag(at), Tag::WP | Tag::WPS | Tag::WRB) && sentence.relation(at) != Relation::Mark;
    let asked_for = candidate.at > 0 && sentence.lower(candidate.at - 1) == "how";
    let indirect = |at: usize| asks(at) && sentence.head(at).is_some_and(|head| sentence.relation(head) == Relation::Ccomp);
    const INVERTED: [&str; 18] = [
        "is", "was", "are", "were", "am", "do", "does", "did", "have", "has", "had", "can", "could", "will", "would", "should", "may",
        "might",
    ];
    sentence.all_lower().any(|word| word == "?")
        || asked_for
        || INVERTED.contains(&sentence.lower(0))
        || (0..sentence.len()).any(|at| (at == 0 && asks(at)) || indirect(at))
}

/// Whether a modal governs the word, or the sentence is hedged.
pub(super) fn is_modal(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let modal_above =
        sentence.path(candidate.at).into_iter().any(|above| sentence.children(above).any(|child| sentence.tag(child) == Tag::MD));
    modal_above || is_cue_in_scope(candidate, "modal")
}

/// Whether the word depends on a verb of wanting, trying or believing.
pub(super) fn is_attitude(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    sentence.path(candidate.at).into_iter().skip(1).any(|above| Lists::get().is_cue("attitude", sentence.lower(above)))
}

/// Whether a word makes the whole sentence conditional.
pub(super) fn is_conditional_word(word: &str) -> bool {
    matches!(word, "if" | "whether" | "unless" | "otherwise" | "depending")
}

/// Whether the sentence has a condition, or the word stands in a clause of time.
pub(super) fn is_conditional(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let marked = |above: usize| {
        sentence.children(above).any(|child| {
            matches!(sentence.relation(child), Relation::Mark | Relation::Advmod)
                && Lists::get().is_cue("conditional", sentence.lower(child))
        })
    };
    sentence.all_lower().any(is_conditional_word) || sentence.path(candidate.at).into_iter().any(marked)
}

/// Whether the sentence has an `or`.
pub(super) fn is_disjunctive(candidate: &Candidate<'_, '_>) -> bool {
    is_cue_anywhere(candidate, "disjunction")
}

/// Whether the sentence compares. A comparative with `than` is turned round as a whole, which makes a contradiction.
pub(super) fn is_comparison(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let own_than = |place: usize| {
        matches!(sentence.tag(at), Tag::JJR | Tag::RBR) && sentence.path(place).into_iter().skip(1).take(2).any(|above| above == at)
    };
    let compares = |place: usize| match sentence.lower(place) {
        "than" => !own_than(place),
        "like" => sentence.tag(place) == Tag::IN,
        "unlike" | "compared" => true,
        "as" => (0..place).any(|before| sentence.lower(before) == "as") || sentence.head(place) == Some(at) || place + 1 == at,
        _ => false,
    };
    (0..sentence.len()).any(compares)
}

/// Whether the word stands among examples, of which there are others.
pub(super) fn is_example(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let before = |cue: &str| (0..at).any(|place| sentence.lower(place) == cue);
    let such_as = (1..at).any(|place| sentence.lower(place - 1) == "such" && sentence.lower(place) == "as");
    let listed = sentence.path(at).into_iter().skip(1).any(|above| matches!(sentence.lemma(above), "include" | "range" | "vary"));
    let for_example = sentence.all_lower().any(|word| matches!(word, "e.g." | "example" | "instance" | "i.e." | "etc." | "etc"));
    such_as || before("including") || listed || for_example
}

/// Whether the word stands in an infinitive, whose event may not have happened.
pub(super) fn is_purpose(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let infinitive =
        |above: usize| sentence.children(above).any(|child| sentence.tag(child) == Tag::TO && sentence.relation(child) == Relation::Mark);
    sentence.path(candidate.at).into_iter().any(infinitive)
}

/// Whether an adverb of time or frequency goes with the word or what it depends on.
pub(super) fn has_time(candidate: &Candidate<'_, '_>) -> bool {
    depends_on_path(candidate, "time")
}

/// Whether the sentence has spoken fillers.
pub(super) fn is_spoken(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let pair = |first: &str, second: &str| (1..sentence.len()).any(|at| sentence.lower(at - 1) == first && sentence.lower(at) == second);
    is_cue_anywhere(candidate, "spoken") || pair("you", "know") || pair("i", "mean")
}

/// Whether the sentence is too short to say much, or too long to be parsed well.
pub(super) fn is_wrong_length(candidate: &Candidate<'_, '_>) -> bool {
    let words = candidate.sentence.words().iter().filter(|word| word.form.contains(char::is_alphanumeric)).count();
    !(3..=MOST_WORDS).contains(&words)
}
