//! Transcripts of speech: words without stops, where nothing marks a question, a restart or an end.
//!
//! The rules are strict: a transcript that may be broken counts as broken, because a wrong exclusion costs one example and a broken sentence misleads.

use super::speech::{Spoken, is_hesitation, is_one};
use super::{Incompleteness, ends_in_stop};
use crate::tag::Tag;

/// Whether a text looks like a transcript: it has no stops or commas, and small letters where writing has capitals.
pub(super) fn is_transcript(text: &str) -> bool {
    let starts_small = text.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
    let small_i = || text.split([' ', '\'', '’']).any(|word| word == "i");
    !ends_in_stop(text) && !text.contains([',', ';', ':', '"', '(', '“']) && (starts_small || small_i())
}

/// What the words of a transcript lack.
pub(super) fn incompleteness(text: &str, words: &[Spoken<'_>]) -> Option<Incompleteness> {
    let said = &words[opening(words)..];
    let rejected = |broken: bool, lack: Incompleteness| broken.then_some(lack);
    rejected(asks(said), Incompleteness::Question)
        .or_else(|| rejected(begins_subordinate(said), Incompleteness::Subordinate))
        .or_else(|| rejected(is_broken(text, said), Incompleteness::BrokenOff))
}

fn is_broken(text: &str, said: &[Spoken<'_>]) -> bool {
    said.len() > LONGEST
        || text.trim().contains("  ")
        || !(0..said.len()).any(|at| is_finite(said.get(at)))
        || interrupts(said)
        || repeats_a_word(said)
        || repeats_two_words(said)
        || (0..said.len()).any(|at| lacks_its_verb(said, at) || lacks_its_noun(said, at) || starts_over(said, at))
        || ends_open(said)
}

/// How many words there are before what is said: `oh yeah well you know`.
fn opening(words: &[Spoken<'_>]) -> usize {
    let mut at = 0;
    while at < words.len() {
        let (word, tag) = words[at];
        let phrase = words.get(at + 1).is_some_and(|(next, _)| is_filler(word, next));
        match phrase {
            true => at += 2,
            false if tag == Some(Tag::UH) || is_hesitation(word) || is_one(word, &OPENINGS) => at += 1,
            false => break,
        }
    }
    at
}

fn is_filler(word: &str, next: &str) -> bool {
    is_one(word, &["you"]) && is_one(next, &["know"]) || is_one(word, &["i"]) && is_one(next, &["mean"])
}

/// Whether something is asked: an auxiliary or a question word at the beginning, a question at the end (`isn't it`).
fn asks(said: &[Spoken<'_>]) -> bool {
    let first = said.first().is_some_and(|(word, _)| is_one(word, &AUXILIARIES));
    let question_word = said.first().is_some_and(|(word, _)| is_one(word, &QUESTION_WORDS))
        && said.get(1).is_some_and(|(word, _)| is_one(word, &AUXILIARIES) || word.starts_with(['\'', '’']));
    let subjects = ["i", "you", "he", "she", "it", "we", "they", "there", "y'all"];
    let in_the_middle = said.windows(3).any(|three| {
        let [(word, _), (not, _), (subject, _)] = three else { return false };
        is_one(not, &["n't", "n’t", "not"]) && is_one(word, &AUXILIARIES) && is_one(subject, &subjects)
    });
    // `how'd you do that`, `what is it`
    let after_question_word = said.windows(3).any(|three| {
        let [(word, _), (verb, _), (subject, _)] = three else { return false };
        let shortened = || verb.starts_with(['\'', '’']);
        is_one(word, &QUESTION_WORDS) && (shortened() || is_one(verb, &AUXILIARIES)) && is_one(subject, &subjects)
    });
    let is_it = (0..said.len().saturating_sub(1)).any(|at| {
        let inverted = is_one(said[at].0, &["is", "was", "are", "were"]) && is_one(said[at + 1].0, &["it", "you", "there"]);
        inverted && !is_finite(said.get(at + 2))
    });
    let at_the_end = match said {
        [.., (word, _), (subject, _)] => is_one(word, &AUXILIARIES) && is_one(subject, &subjects),
        _ => false,
    };
    first || question_word || in_the_middle || after_question_word || is_it || at_the_end
}

fn begins_subordinate(said: &[Spoken<'_>]) -> bool {
    let [(first, _), (second, tag), ..] = said else { return false };
    is_one(first, &SUBORDINATORS)
        || is_one(first, &["even"]) && is_one(second, &["if", "though", "when"])
        || is_one(first, &["as"]) && *tag != Some(Tag::DT)
        || is_one(first, &["that"]) && *tag == Some(Tag::PRP)
}

/// Whether there is an interjection or a filler inside: `sixty five oh yes well`.
fn interrupts(said: &[Spoken<'_>]) -> bool {
    let interjection = said.iter().any(|(word, tag)| *tag == Some(Tag::UH) || is_one(word, &INTERJECTIONS));
    interjection || said.windows(2).any(|two| is_filler(two[0].0, two[1].0))
}

/// Whether a word is said again at once or after the next one: `that that`, `makes those makes`; not `day by day`.
fn repeats_a_word(said: &[Spoken<'_>]) -> bool {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b) && !is_one(a, &["very", "really", "so", "had"]);
    let joins = |tag: Option<Tag>| matches!(tag, Some(Tag::IN | Tag::CC | Tag::TO));
    let may_return = |(word, tag): Spoken<'_>| matches!(tag, Some(Tag::IN | Tag::CC | Tag::TO | Tag::DT)) && !is_one(word, &["that"]);
    let at_once = said.windows(2).any(|two| same(two[0].0, two[1].0));
    at_once || said.windows(3).any(|three| same(three[0].0, three[2].0) && !joins(three[1].1) && !may_return(three[0]))
}

/// Whether two words are said again soon after: `when our dogs now our dogs`.
fn repeats_two_words(said: &[Spoken<'_>]) -> bool {
    let pairs: Vec<[&str; 2]> = said.windows(2).map(|two| [two[0].0, two[1].0]).collect();
    let equal = |a: [&str; 2], b: [&str; 2]| a[0].eq_ignore_ascii_case(b[0]) && a[1].eq_ignore_ascii_case(b[1]);
    (0..pairs.len()).any(|at| pairs[at + 1..].iter().take(8).any(|&later| equal(pairs[at], later)))
}

/// Whether a pronoun that can only be a subject has no verb: `i when i watched it`.
fn lacks_its_verb(said: &[Spoken<'_>], at: usize) -> bool {
    let may_stand_between =
        |&(word, tag): &Spoken<'_>| matches!(tag, Some(Tag::RB)) || is_one(word, &["both", "all", "each", "just", "myself", "ourselves"]);
    let next = || said[at + 1..].iter().find(|word| !may_stand_between(word));
    let is_verb = |&(word, tag): &Spoken<'_>| {
        matches!(tag, Some(Tag::VB | Tag::VBP | Tag::VBZ | Tag::VBD | Tag::VBN | Tag::MD)) || is_one(word, &["like"])
    };
    is_one(said[at].0, &ONLY_SUBJECTS) && !next().is_some_and(is_verb)
}

/// Whether an article has no noun: `in the it was`, `the you know`.
fn lacks_its_noun(said: &[Spoken<'_>], at: usize) -> bool {
    use Tag::*;
    let article = is_one(said[at].0, &["a", "an", "the", "no", "every", "my", "your", "our", "their"]);
    let adverb = |(_, tag): &&Spoken<'_>| matches!(tag, Some(RB | RBR | RBS));
    let no_longer = || said.get(at + 1).is_some_and(|(word, _)| is_one(word, &["longer", "more"]));
    let next = || said[at + 1..].iter().find(|word| !adverb(word)).and_then(|(_, tag)| *tag);
    article && !no_longer() && matches!(next(), None | Some(PRP | PRPS | MD | VBD | VBZ | VBP | IN | CC | DT | TO | WP | WRB | WDT))
}

/// Whether a clause begins where something else must follow: `it was it's`, `i used to that's`, `for i`, `and but`.
fn starts_over(said: &[Spoken<'_>], at: usize) -> bool {
    let (word, tag) = said[at];
    let Some(&(next, next_tag)) = said.get(at + 1) else { return false };
    let subject_next = || is_one(next, &ONLY_SUBJECTS) || is_one(next, &["it", "that", "you"]) && is_finite(said.get(at + 2));
    let joins = ["and", "but", "or", "so"];
    let it_that = at == 0 && is_one(word, &["it"]) && is_one(next, &["that"]);
    let there_again = next_tag == Some(Tag::EX) && tag == Some(Tag::RB) && !is_one(word, &["so", "then", "now"]);
    let is_be = is_one(word, &BE);
    let needs_more = is_be || tag == Some(Tag::VBG) || is_one(word, &["n't", "n’t", "not"]);
    let before_infinitive =
        is_one(word, &["to"]) && at > 0 && is_one(said[at - 1].0, &["used", "going", "want", "wants", "have", "has", "had"]);
    let before_noun =
        || is_one(next, &ONLY_SUBJECTS) && is_one(word, &["of", "in", "on", "at", "with", "by", "from", "into", "about", "for", "to"]);
    let no_participle = is_be && next_tag == Some(Tag::VB);
    needs_more && subject_next()
        || no_participle
        || before_infinitive && is_one(next, &["that", "it"])
        || before_infinitive && !matches!(next_tag, Some(Tag::VB | Tag::RB | Tag::DT | Tag::PRPS | Tag::NNP | Tag::NN | Tag::NNS))
        || before_noun()
        || it_that
        || there_again
        || is_one(word, &joins) && is_one(next, &["and", "but", "or"])
}

fn is_finite(word: Option<&Spoken<'_>>) -> bool {
    word.is_some_and(|(_, tag)| matches!(tag, Some(Tag::VBD | Tag::VBZ | Tag::VBP | Tag::MD)))
}

/// Whether something should follow the last word.
fn ends_open(said: &[Spoken<'_>]) -> bool {
    let [.., (before, tag), (last, _)] = said else { return true };
    let object = matches!(tag, Some(Tag::IN | Tag::TO | Tag::VB | Tag::VBD | Tag::VBP | Tag::VBZ | Tag::VBG | Tag::VBN | Tag::CC));
    let asked = matches!(tag, Some(Tag::WP | Tag::WDT | Tag::WRB)) && !is_one(before, &["how"]);
    is_one(last, &OPEN_ENDS)
        || asked
        || is_one(last, &["you"]) && (!object || is_one(before, &BE))
        || is_one(last, &["right"]) && !is_one(before, &BE) && !is_one(before, &["all", "that", "exactly"])
}

/// The most words that a transcript has after its opening; longer ones are seldom free of restarts.
const LONGEST: usize = 20;

const OPENINGS: [&str; 17] =
    ["and", "but", "so", "well", "oh", "yeah", "yes", "no", "okay", "right", "or", "now", "nope", "hi", "hello", "gosh", "exactly"];
const INTERJECTIONS: [&str; 14] = ["yeah", "yep", "nope", "okay", "ok", "oh", "gee", "gosh", "hey", "huh", "bye", "hum", "wow", "uh"];
const AUXILIARIES: [&str; 22] = [
    "do", "does", "did", "is", "are", "was", "were", "am", "have", "has", "had", "can", "could", "will", "would", "should", "shall", "may",
    "might", "ca", "wo", "ai",
];
const QUESTION_WORDS: [&str; 7] = ["what", "where", "how", "why", "who", "which", "when"];
const SUBORDINATORS: [&str; 14] =
    ["if", "because", "'cause", "cause", "when", "while", "since", "although", "though", "unless", "until", "whereas", "which", "where"];
const ONLY_SUBJECTS: [&str; 5] = ["i", "we", "they", "he", "she"];
const BE: [&str; 10] = ["is", "are", "was", "were", "am", "'s", "'re", "'m", "’s", "’re"];
const OPEN_ENDS: [&str; 37] = [
    "more",
    "most",
    "really",
    "getting",
    "having",
    "being",
    "no",
    "what",
    "who",
    "which",
    "where",
    "when",
    "how",
    "why",
    "they",
    "he",
    "she",
    "we",
    "some",
    "said",
    "say",
    "mean",
    "pretty",
    "very",
    "quite",
    "kind",
    "sort",
    "even",
    "only",
    "almost",
    "maybe",
    "basically",
    "another",
    "than",
    "as",
    "such",
    "sorry",
];

#[cfg(test)]
mod tests {
    use crate::View;
    use crate::completeness::Incompleteness::{self, *};
    use crate::completeness::incompleteness;

    #[track_caller]
    fn check(expected: Option<Incompleteness>, texts: &[&str]) {
        for text in texts {
            assert_eq!(incompleteness(&View::plain(text)), expected, "{text}");
        }
    }

    #[test]
    fn whole_spoken_clauses_are_complete() {
        check(
            None,
            &[
                "for crappie they use shiners",
                "oh yeah they 've got a nice one",
                "you know we worked something out",
                "so i think it makes for a more solid basis for them",
                "well i 'm sure everybody that saw it was believing it right along with them",
                "i like your idea of education",
                "as a matter of fact i prefer public television",
                "but i'm plagued with those",
                "yeah that 's what i 've heard",
                "and now i really like it too",
                "i think you're right",
                "okay i enjoyed talking to you",
                "i have to go to the store",
                "my husband no longer works for the phone company",
            ],
        );
    }

    #[test]
    fn restarts_are_broken() {
        check(
            Some(BrokenOff),
            &[
                "yeah i when i watched it i thought it was just a movie",
                "i love it in the it was a lot nicer than i expected",
                "it was it 's so easy to entertain them",
                "we when we left we moved from New Hampshire",
                "oh i used to that 's a very good show",
                "yeah you know they but it's electronic",
                "and the it really pays for itself",
                "so you find yourself you find yourself in the rough a lot",
                "well i guess mine is about they say six months",
                "they were taken over years ago and but he worked for them",
                "man i worked as a welder and i was you do n't even get paid that much",
                "yeah they probably hey i ought to go",
                "we drive sixty five oh yes well we do",
                "but there 's no you know nothing else to keep it going",
                "that 's right that that would be the problem",
                "i like to see where the company makes those makes benefits available",
                "that would be political suicide for anybody to i would think",
                "it that can help but you get to a point where they 're not productive",
                "um-hum oh you are constantly there 's always something going wrong",
                "oh yeah we 're in the pretty much wherever you want to sit",
                "you know the same as a nursing home type of thing",
            ],
        );
    }

    #[test]
    fn open_ends_are_broken() {
        check(
            Some(BrokenOff),
            &[
                "and they end up getting",
                "the kids love all kinds of pets and i know some kinds of pets are more",
                "i think it was no",
                "and really huge sharks are down there i mean",
                "that 's the hard part right",
                "and other ones wear a suit so that 's just you",
                "oh i didn't realize that actually that",
                "huh she painted the insides dark blue and then the trim what color",
                "oh yeah you said yours is eighteen feet long what",
            ],
        );
    }

    #[test]
    fn spoken_questions_and_subordinate_clauses_are_found() {
        check(
            Some(Question),
            &[
                "hum-um how 's that",
                "is that still on",
                "was that on the radio every week",
                "um-hum that 's too much is n't it",
                "what is their major industry",
            ],
        );
        check(
            Some(Question),
            &[
                "that makes my foot how'd you do that",
                "really is it like Olympic size",
                "we still look pretty good don't we",
                "uh-huh oh is there anything else",
            ],
        );
        check(Some(Subordinate), &["even if it 's in a genre", "that you didn't apply for it's yours", "if you 're not going to try to"]);
    }

    #[test]
    fn long_transcripts_are_broken() {
        let long = "i went to the store and bought a book and then i drove to the lake and swam and we had a good time there all day";
        check(Some(BrokenOff), &[long]);
        check(
            None,
            &["I went to the store and bought a book, and then I drove to the lake and swam, and we had a good time there all day."],
        );
    }
}
