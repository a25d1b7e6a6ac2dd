//! Whether a sentence is complete, so that another clause can be joined to it: `The clock stopped.`, but not `The clock that stopped.`
//!
//! The structure comes from the corpus's Penn-style parse if there is one, else from our own; how the text ends and whether it is broken off is
//! read from its words.

mod cut_off;
mod dependencies;
mod open_end;
mod penn;
mod quick;
mod speech;
mod transcript;

use crate::clause_type::is_question;
use crate::tag::Tag;
use crate::tree::Leaf;
use crate::view::View;
use open_end::{ends_in_stop, has_open_end};

/// What a sentence lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Incompleteness {
    /// It is a question, also one without its mark: `what would you do`.
    Question,
    /// It ends in a colon, a dash, a comma or an ellipsis, or in an abbreviation that a name should follow.
    OpenEnd,
    /// It has no finite verb with a subject at its top: headings and noun phrases, also those with a verb inside (`the woman whose name was Sonya`).
    NoMainClause,
    /// It is a subordinate clause alone: `because it rained`.
    Subordinate,
    /// It is an order: joined to one, a statement becomes what follows from it (`do it and you are late`).
    Order,
    /// It is speech that breaks off or begins again: `i think the basic system is`, `that's that's good`.
    BrokenOff,
}

/// What a sentence lacks that keeps another clause from being joined to its end; `None` for a complete one. Of several sentences the last counts.
///
/// ```
/// use acidtest_lingua::View;
/// use acidtest_lingua::completeness::{Incompleteness, incompleteness};
/// assert_eq!(incompleteness(&View::plain("The clock on the wall stopped.")), None);
/// assert_eq!(incompleteness(&View::plain("The clock that stopped.")), Some(Incompleteness::NoMainClause));
/// assert_eq!(incompleteness(&View::plain("They bought the following:")), Some(Incompleteness::OpenEnd));
/// ```
pub fn incompleteness(view: &View<'_>) -> Option<Incompleteness> {
    if quick::is_complete(view) { None } else { full_rules(view) }
}

/// Whether [`incompleteness`] looks at the structure of a sentence for which the corpus has no parse: then it should be parsed with many others.
pub fn needs_our_parse(view: &View<'_>) -> bool {
    view.parse().is_none() && !quick::is_complete(view) && !is_question(view.text()) && !has_open_end(view.text())
}

fn full_rules(view: &View<'_>) -> Option<Incompleteness> {
    if is_question(view.text()) {
        return Some(Incompleteness::Question);
    }
    if has_open_end(view.text()) {
        return Some(Incompleteness::OpenEnd);
    }
    let by_brackets = view.parse().and_then(quick::main_clause);
    match by_brackets.or_else(|| view.penn_tree().map(|tree| penn::incompleteness(tree).map_or(Ok(()), Err))) {
        Some(Err(lack)) => Some(lack),
        Some(Ok(())) => {
            let leaves: Vec<(&str, Option<Tag>)> = view.leaves().iter().map(|&Leaf { tag, word }| (word, Tag::from_name(tag))).collect();
            speech::incompleteness(view.text(), &leaves)
        }
        None => {
            let has_letters = |word: &str| word.contains(char::is_alphabetic);
            let sentences = &view.document().sentences;
            let Some(sentence) = sentences.iter().rev().find(|sentence| sentence.words.iter().any(|word| has_letters(&word.form))) else {
                return Some(Incompleteness::NoMainClause);
            };
            let words: Vec<(&str, Option<Tag>)> = sentence.words.iter().map(|word| (word.form.as_str(), Some(word.tag))).collect();
            let stop = ends_in_stop(view.text());
            dependencies::incompleteness(&sentence.words, stop).or_else(|| speech::incompleteness(view.text(), &words))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Incompleteness::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Incompleteness>) {
        assert_eq!(incompleteness(&View::plain(text)), expected, "{text}");
    }

    #[test]
    fn sentences_with_a_finite_main_clause_are_complete() {
        for text in [
            "The country's history has been turbulent.",
            "\"We walked home.\"",
            "There is a large park.",
            "It rained all night!",
            "She is a doctor.",
            "What he said is true.",
            "When the rain stopped, we went home.",
            "Coincidences are curious things, he said dryly",
            "I know where it is.",
            "He said no.",
            "He is older than they are.",
            "The Clear Skies Act was introduced in the U.S .",
            "A man dreams.",
            "A young woman smiles",
            "yeah that's true",
            "and uh i run a little business on the side",
            "so i think it makes for a more solid basis for them",
            "Nor did he say that.",
            "The island is smaller than Ibiza.",
            "The house was built in 1920.",
            "A heading. The clock on the wall stopped.",
            "We live in the U.S.",
            "They met Mr. Smith, Mrs. Smith, etc.",
            "he admitted the mistake, and he withdrew from Lebanon",
            "Many towns (such as York) have a wall.",
            "The area looks shabby, but once it was just as fashionable and affluent",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn noun_phrases_with_a_verb_inside_and_headings_have_no_main_clause() {
        for text in [
            "The woman whose name was Sonya.",
            "A practical idea to be implemented",
            "Your personal rating of your level of incompetence in supporting the action.",
            "Shafts as deep as the earth and caverns as large as small towns carved into perfect squares.",
            "A casually elegant hotel set in what was once a pineapple plantation, with seaside freshwater pool",
            "Projects which enliven and enrich the student experience.",
            "The house built in 1920.",
            "The school buses.",
            "A man with dreams.",
            "Making mergers work.",
            "Sorry about that.",
            "3.5 %",
        ] {
            check(text, Some(NoMainClause));
        }
    }

    #[test]
    fn texts_that_announce_more_have_an_open_end() {
        for text in [
            "They asked for scenarios designed to achieve the following caps by the year 2007:",
            "He turned round and -",
            "I had thought...",
            "I had thought . . .",
            "He left,",
            "A court allowed the extradition of Gen.",
            "They may help (e.g.",
            "It was established by the Reform Act of 1986 (IRCA), Pub.",
            "It has a widespread interest in the L.L .",
            "You are.",
            "That could be.",
            "Perhaps they were not.",
            "The organization is no longer.",
            "The rule also asked for additional information on the following",
            "It first used the function in the Docket No .",
            "It's supposed to be no later than Jan .",
            "They aggressively sought other forms of funding (eg",
            "The sham was designed to draw support away from Sen",
            "It is described in the analysis ( U.S .",
        ] {
            check(text, Some(OpenEnd));
        }
    }

    #[test]
    fn subordinate_clauses_do_not_stand_alone() {
        for text in [
            "Although at least one of them has not made a secret of it.",
            "how individual employees can contribute to overall organizational goals",
            "Which isn't an excuse for it.",
            "Not that she was a bad sort really, old Mother Greenbank!",
            "because it rained",
            "because every time i got through i went to Dallas",
        ] {
            check(text, Some(Subordinate));
        }
    }

    #[test]
    fn orders_are_told_from_statements() {
        check("Visit the old church.", Some(Order));
        check("Do not run.", Some(Order));
        check("You visit the old church.", None);
    }

    #[test]
    fn questions_need_no_mark() {
        for text in [
            "yeah did Dana sign you up for this",
            "what area lakes do you like",
            "i don't know do you agree with me",
            "we're supposed to talk what about credit cards",
            "Is it late?",
        ] {
            check(text, Some(Question));
        }
    }

    #[test]
    fn broken_off_speech_is_found() {
        for text in [
            "our children live here and our home will always be here but",
            "i think it's a nice car and i think the system itself is",
            "yeah that's that's my favorite",
            "they've they know it's a scam",
            "i like i mean i like things that are funny",
            "we got the the car",
            "they have better computers here than they than they do there",
            "i'd forgotten all about it and that's but you have to be a member",
            "it was a uh pier and beam house",
            "i'm sorry i dropped the phone yeah",
            "they have insurance and health care is just",
            "i come back up a few pounds which is no big deal i'm not",
            "law enforcement officials throughout the country rely on",
            "Such a sequence could be quite",
            "The participants acknowledged that recent legislative and regulatory",
            "It would be silly and dishonest to insist that",
            "They do not present a significant risk of introducing",
            "The program demonstrated that the product could be efficiently",
            "This is a court that we have often",
            "They raise difficult questions and probe issues related",
            "The Postal Service would undoubtedly begin",
            "There is an increase in variable load time to reflect",
            ", higher taxes are not what they want.",
            "dollars, decline would be steeper due to real postage price increases",
        ] {
            check(text, Some(BrokenOff));
        }
    }

    #[test]
    fn the_corpus_parse_is_believed() {
        let check = |text: &str, parse: &str, expected| {
            assert_eq!(incompleteness(&View::new(text, Some(parse), None)), expected, "{text}");
        };
        check("A dog runs.", "(ROOT (S (NP (DT A) (NN dog)) (VP (VBZ runs)) (. .)))", None);
        check("A dog runs.", "(ROOT (NP (NP (DT A) (NN dog)) (NNS runs) (. .)))", Some(NoMainClause));
        let riding = "(ROOT (NP (NP (DT A) (NN man)) (VP (VBG riding) (NP (DT a) (NN bike))) (. .)))";
        check("A man riding a bike.", riding, Some(NoMainClause));
        let participle = "(ROOT (S (NP (DT A) (NN man)) (VP (VBG riding) (NP (DT a) (NN bike))) (. .)))";
        check("A man riding a bike.", participle, Some(NoMainClause));
        check("Sit down.", "(ROOT (S (VP (VB Sit) (PRT (RP down))) (. .)))", Some(Order));
        let both = "(ROOT (S (S (NP (PRP He)) (VP (VBD sat))) (CC and) (S (NP (PRP she)) (VP (MD will) (VP (VB stand)))) (. .)))";
        check("He sat and she will stand.", both, None);
        let verbs = "(ROOT (S (NP (PRP He)) (VP (VP (VBD sat)) (CC and) (VP (VBD slept))) (. .)))";
        check("He sat and slept.", verbs, None);
        check("because it rained", "(ROOT (SBAR (IN because) (S (NP (PRP it)) (VP (VBD rained)))))", Some(Subordinate));
        check("do they", "(ROOT (SQ (VBP do) (NP (PRP they))))", Some(Question));
        check("he left but", "(ROOT (S (NP (PRP he)) (VP (VBD left)) (CC but)))", Some(BrokenOff));
    }
}
