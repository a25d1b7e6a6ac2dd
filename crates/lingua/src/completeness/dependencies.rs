//! The main clause in our own parse.

use super::Incompleteness;
use crate::analyzer::Word;
use crate::lemma::lemma_of;
use crate::parse::Relation;
use crate::tag::Tag;
use crate::wordnet::{PartOfSpeech, WordNet};

/// What the main clause of a parsed sentence lacks.
pub(super) fn incompleteness(words: &[Word], stop: bool) -> Option<Incompleteness> {
    let Some(root) = words.iter().position(|word| word.relation == Relation::Root) else {
        return Some(Incompleteness::NoMainClause);
    };
    if is_taken_for_a_plural(words) {
        return None;
    }
    let children = |head: usize| words.iter().enumerate().filter(move |(_, word)| word.head == head + 1);
    let subject = children(root).find(|(_, word)| is_subject(word.relation));
    let finite = children(root).find(|(_, word)| is_auxiliary(word.relation) && is_finite(word.tag));
    let Some((subject, subject_word)) = subject else {
        let order = matches!(words[root].tag, Tag::VB | Tag::VBP)
            || children(root).any(|(_, word)| word.tag == Tag::VB && is_auxiliary(word.relation));
        return Some(if order { Incompleteness::Order } else { Incompleteness::NoMainClause });
    };
    // A passive needs its auxiliary: `the house built in 1920` has none.
    let passive = matches!(subject_word.relation, Relation::NsubjPass | Relation::CsubjPass);
    if finite.is_none() && (passive || !is_finite(words[root].tag)) {
        return Some(Incompleteness::NoMainClause);
    }
    // In texts with stops, a verb before its subject follows a negation: `nor did he say so`.
    let inverted =
        finite.is_some_and(|(at, word)| at < subject && subject_word.relation != Relation::Expl && word.relation != Relation::Cop);
    if !stop && inverted {
        return Some(Incompleteness::Question);
    }
    let marked = children(root).any(|(at, word)| word.relation == Relation::Mark && at < root);
    let introduced = (0..root).any(|at| is_question_word(words[at].tag) && belongs_to(words, at, root));
    // `Not that she was a bad sort`: it comments on what was said before.
    let not_that = |words: &[Word]| words[0].form.eq_ignore_ascii_case("not") && words[1].form == "that";
    let comments = words.windows(2).take(1).any(not_that);
    (marked || introduced || comments).then_some(Incompleteness::Subordinate)
}

/// Whether a short sentence ends in a verb that was taken for a plural noun: `A man dreams.` Its article allows only one man.
fn is_taken_for_a_plural(words: &[Word]) -> bool {
    let words: Vec<&Word> = words.iter().filter(|word| word.form.contains(char::is_alphanumeric)).collect();
    let [article, adjectives @ .., noun, verb] = words.as_slice() else { return false };
    let one = ["a", "an", "this", "every", "each", "another"].iter().any(|one| article.form.eq_ignore_ascii_case(one));
    let is_verb = || WordNet::get().has(&lemma_of(&verb.form.to_lowercase(), Tag::VBZ), PartOfSpeech::Verb);
    one && noun.tag == Tag::NN && verb.tag == Tag::NNS && adjectives.iter().all(|word| word.tag == Tag::JJ) && is_verb()
}

/// Whether a question word belongs to the clause of the root and to none inside it: in `when it rained, we left` and `what he said is true` it does not.
fn belongs_to(words: &[Word], question_word: usize, root: usize) -> bool {
    use Relation::*;
    let mut at = question_word;
    // A tree has no path longer than its words.
    for _ in 0..words.len() {
        let opens_clause =
            matches!(words[at].relation, Advcl | AdvclRelcl | Csubj | CsubjOuter | CsubjPass | Ccomp | Acl | AclRelcl | Conj | Parataxis);
        let free_relative = words.iter().any(|word| word.head == at + 1 && word.relation == AclRelcl);
        if opens_clause || free_relative || words[at].head == 0 {
            return false;
        }
        at = words[at].head - 1;
        if at == root {
            return true;
        }
    }
    false
}

fn is_subject(relation: Relation) -> bool {
    use Relation::*;
    matches!(relation, Nsubj | NsubjOuter | NsubjPass | Csubj | CsubjOuter | CsubjPass | Expl)
}

fn is_auxiliary(relation: Relation) -> bool {
    matches!(relation, Relation::Aux | Relation::AuxPass | Relation::Cop)
}

fn is_finite(tag: Tag) -> bool {
    matches!(tag, Tag::VBD | Tag::VBZ | Tag::VBP | Tag::MD)
}

fn is_question_word(tag: Tag) -> bool {
    matches!(tag, Tag::WP | Tag::WPS | Tag::WDT | Tag::WRB)
}
