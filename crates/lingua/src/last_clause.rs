//! What the last words of a sentence belong to: whether a clause that is joined to its end would be read as a part of a clause inside it.
//!
//! `A hill which overlooks the bay and false is not true` seems to say that the hill is not true. After other subordinate clauses (`because it
//! rained and false is not true`) the sentence stays grammatical either way.
//!
//! The structure comes from the corpus's Penn-style parse if there is one, else from our own.

use crate::analyzer::Word;
use crate::completeness;
use crate::lemma::lemma_of;
use crate::parse::Relation;
use crate::tag::Tag;
use crate::tree::scan_leaves;
use crate::view::View;
use memchr::memmem::Finder;
use memchr::{memchr_iter, memchr2, memchr2_iter};
use std::sync::LazyLock;

/// A clause that ends where its sentence ends, and that another clause cannot be joined to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpenClause {
    /// A relative clause or an indirect question: `a hill which overlooks the bay`, `the book he read`, `He knew what it was`.
    Relative,
    /// A report of speech with its verb before its subject: `"It rained," said Tom`.
    Report,
}

/// The clause that the last words of a sentence belong to, if another clause would be read as a part of it; of several sentences the last counts.
///
/// ```
/// use acidtest_lingua::View;
/// use acidtest_lingua::last_clause::{OpenClause, open_clause};
/// assert_eq!(open_clause(&View::plain("There is a hill which overlooks the bay.")), Some(OpenClause::Relative));
/// assert_eq!(open_clause(&View::plain("The hill which overlooks the bay is high.")), None);
/// ```
pub fn open_clause(view: &View<'_>) -> Option<OpenClause> {
    if let Some(parse) = view.parse() {
        return in_brackets(parse);
    }
    if !needs_our_parse(view) {
        return None;
    }
    let sentence = view.document().sentences.iter().rev().find(|sentence| sentence.words.iter().any(is_word))?;
    in_dependencies(&sentence.words)
}

/// Whether [`open_clause`] looks at the structure of a sentence for which the corpus has no parse: then it should be parsed with many others.
pub fn needs_our_parse(view: &View<'_>) -> bool {
    // What is parsed anyway is looked at without a sign.
    view.parse().is_none() && (completeness::needs_our_parse(view) || !is_plain(view.text()))
}

/// Whether no word of a text may begin a clause inside it: a question word or a subject after the first two words.
fn is_plain(text: &str) -> bool {
    let is_one = |word: &str| OPENERS.iter().any(|opener| opener.eq_ignore_ascii_case(word));
    !text.split_whitespace().skip(2).any(|word| is_one(word.trim_matches(|c: char| !c.is_alphabetic())))
}

/// Words that may begin a relative clause, an indirect question or a report of speech, with or without a relative pronoun.
const OPENERS: [&str; 21] = [
    "who", "whom", "whose", "which", "that", "what", "where", "when", "why", "how", "i", "he", "she", "it", "we", "they", "you", "said",
    "says", "asked", "replied",
];

/// The open clause of a Penn-style parse, read from its brackets: most parses have no subordinate clause, and building trees takes much longer.
fn in_brackets(parse: &str) -> Option<OpenClause> {
    if CLAUSE.find_iter(parse.as_bytes()).any(|at| is_open_relative(parse, at)) {
        return Some(OpenClause::Relative);
    }
    if !parse.starts_with("(ROOT (SINV ") {
        return None;
    }
    let leaves: Vec<(&str, Option<Tag>)> = scan_leaves(parse).map(|leaf| (leaf.word, Tag::from_name(leaf.tag))).collect();
    ends_in_report(&leaves).then_some(OpenClause::Report)
}

static CLAUSE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("(SBAR "));

/// Whether the subordinate clause whose bracket opens at a byte is a relative clause or an indirect question that has the last word in it.
fn is_open_relative(parse: &str, at: usize) -> bool {
    let first = &parse[at + "(SBAR ".len()..];
    let question = first.starts_with("(WH");
    // `the book he read` and, as some parsers have it, `the book that was read`, but `the fact that it rained`.
    let bare = first.starts_with("(S ") || first.starts_with("(IN that) (S (VP ");
    if !question && !bare {
        return false;
    }
    let Some(end) = closing(&parse.as_bytes()[at..]) else { return false };
    let mut after = memchr_iter(b'(', &parse.as_bytes()[at + end..]);
    if after
        .any(|open| parse.as_bytes().get(at + end + open + 1).is_some_and(u8::is_ascii_alphabetic) && is_leaf(&parse[at + end + open..]))
    {
        return false;
    }
    let outer = label_around(parse, at);
    let time = || closing(first.as_bytes()).is_some_and(|end| scan_leaves(&first[..end]).any(|leaf| is_time_word(leaf.word)));
    match outer {
        "NP" => true,
        "PP" => question,
        _ => question && !time(),
    }
}

/// The byte after the bracket that closes the first one.
fn closing(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    memchr2_iter(b'(', b')', bytes)
        .find(|&at| {
            depth += if bytes[at] == b'(' { 1 } else { -1 };
            depth == 0
        })
        .map(|at| at + 1)
}

/// Whether a bracket has a word in it and no other bracket.
fn is_leaf(bracket: &str) -> bool {
    memchr2(b'(', b')', &bracket.as_bytes()[1..]).is_some_and(|at| bracket.as_bytes()[at + 1] == b')')
}

/// The label of the phrase that a bracket opens in, without its function.
fn label_around(parse: &str, at: usize) -> &str {
    let mut depth = 0;
    let open = parse[..at].bytes().rposition(|byte| {
        depth += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        depth == 1
    });
    let label = open.map_or("", |open| &parse[open + 1..at]);
    label.split([' ', '-', '=']).next().unwrap_or_default()
}

/// The open clause of our own parse.
fn in_dependencies(words: &[Word]) -> Option<OpenClause> {
    let last = words.iter().rposition(is_word)?;
    let mut at = last;
    // A tree has no path longer than its words.
    for _ in 0..words.len() {
        if is_relative(words, at, last) {
            return Some(OpenClause::Relative);
        }
        let Some(above) = words[at].head.checked_sub(1) else { break };
        at = above;
    }
    let words: Vec<(&str, Option<Tag>)> = words.iter().map(|word| (word.form.as_str(), Some(word.tag))).collect();
    ends_in_report(&words).then_some(OpenClause::Report)
}

/// Whether a word is the head of a relative clause or of an indirect question that begins before the last word.
fn is_relative(words: &[Word], head: usize, last: usize) -> bool {
    use Relation::*;
    // `how` belongs to the clause itself, perhaps through an adverb or a noun: `how well it works`, `how much money it has`.
    let belongs = |word: usize| {
        let mut at = word;
        for _ in 0..words.len() {
            match words[at].head.checked_sub(1) {
                Some(above) if above == head => return true,
                Some(above) if matches!(words[above].relation, Advmod | Amod | Det | Obj | Nsubj | NsubjPass | Obl) => at = above,
                _ => return false,
            }
        }
        false
    };
    let asks = |from: usize| (from..last).any(|word| belongs(word) && is_question_word(&words[word]));
    let copula = || words.iter().position(|word| word.head == head + 1 && word.relation == Cop);
    match words[head].relation {
        AclRelcl | AdvclRelcl => true,
        Ccomp | Csubj | Acl | Obl | Nmod => asks(0),
        Advcl | Xcomp | Obj | Conj => asks(0) && !(0..last).any(|word| belongs(word) && is_time_word(&words[word].form)),
        // `That is how it works.`
        Root => copula().is_some_and(|copula| copula < head && asks(copula)),
        _ => false,
    }
}

/// Whether the last finite verb of a sentence is one of speech between what is said and who says it: `"It rained," said Tom softly.`
fn ends_in_report(words: &[(&str, Option<Tag>)]) -> bool {
    use Tag::*;
    let finite = |&(_, tag): &(&str, Option<Tag>)| matches!(tag, Some(VBD | VBZ | VBP | MD));
    let Some(verb) = words.iter().rposition(finite).filter(|&verb| verb > 0) else { return false };
    let (word, tag) = words[verb];
    let speech = || tag.is_some_and(|tag| SPEECH.contains(&lemma_of(word, tag).as_str()));
    let follows_quote = !words[verb - 1].0.contains(char::is_alphanumeric);
    let speaker = words.get(verb + 1).is_some_and(|&(word, tag)| matches!(tag, Some(NNP | PRP)) || word == "the");
    follows_quote && speaker && speech()
}

/// Verbs of speech whose subject may follow them.
#[rustfmt::skip]
const SPEECH: [&str; 36] = [
    "say", "ask", "reply", "answer", "cry", "add", "explain", "admit", "murmur", "whisper", "mutter", "shout", "exclaim", "remark",
    "observe", "note", "argue", "agree", "continue", "declare", "conclude", "insist", "suggest", "growl", "laugh", "opine", "write",
    "recall", "report", "warn", "demand", "inquire", "enquire", "call", "repeat", "interrupt",
];

fn is_word(word: &Word) -> bool {
    word.form.contains(char::is_alphanumeric)
}

fn is_question_word(word: &Word) -> bool {
    matches!(word.tag, Tag::WP | Tag::WPS | Tag::WDT | Tag::WRB)
}

/// Words that begin clauses of time, too, to which another clause can be joined.
fn is_time_word(word: &str) -> bool {
    ["when", "whenever", "while"].iter().any(|time| time.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use OpenClause::*;

    #[track_caller]
    fn check(text: &str, expected: Option<OpenClause>) {
        assert_eq!(open_clause(&View::plain(text)), expected, "{text}");
    }

    #[test]
    fn relative_clauses_and_indirect_questions_at_the_end_are_open() {
        for text in [
            "There is a hill which overlooks the bay.",
            "Kasich is a populist who draws big crowds",
            "The hall has a shop where you can buy modern works.",
            "Those are the things that the man reads",
            "It was something I heard about.",
            "Kentucky is a place I have been to",
            "They own the land on which the town now stands.",
            "The river dried up, which surprised the farmers.",
            "Susan did not remember what had happened to her.",
            "There is no way to see how reliability is increasing.",
            "Being there is all that it takes to win.",
            "Benefits depend on how well the fund performs.",
            "That is how low his spirits had sunk.",
        ] {
            check(text, Some(Relative));
        }
    }

    #[test]
    fn other_clauses_can_be_continued() {
        for text in [
            "The hill which overlooks the bay is high.",
            "The man who sings told us that he left.",
            "He left because it rained.",
            "He sat down when the music stopped.",
            "He said that it was late.",
            "It was cold when the sun set.",
            "He said that they left when the music stopped.",
            "The houses built in 1920 were sold to the people living there.",
            "The fact that it rained surprised them.",
            "He has a friend who draws, and he paints.",
            "What was supplied to the jury was sufficient.",
            "It rained.",
            "...",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn reports_with_the_verb_first_are_open() {
        check("\"It rained,\" said Tom softly.", Some(Report));
        check("He agreed, said Thorn.", Some(Report));
        check("\"It rained,\" said Tom, and the door closed.", None);
        check("He sat down, said nothing and left.", None);
    }

    #[test]
    fn the_corpus_parse_is_believed() {
        let check = |text: &str, parse: &str, expected| assert_eq!(open_clause(&View::new(text, Some(parse), None)), expected, "{parse}");
        let who = "(NP (NP (DT a) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBZ sings)))))";
        check("This is a man who sings.", &format!("(ROOT (S (NP (DT This)) (VP (VBZ is) {who}) (. .)))"), Some(Relative));
        check("A man who sings.", &format!("(ROOT (S {who} (VP (VBZ smiles)) (. .)))"), None);
        let bare = "(NP (NP (DT the) (NN book)) (SBAR (S (NP (PRP he)) (VP (VBD read)))))";
        check("It is the book he read", &format!("(ROOT (S (NP (PRP It)) (VP (VBZ is) {bare})))"), Some(Relative));
        let fact = "(NP (NP (DT the) (NN fact)) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained)))))";
        check("It is the fact that it rained.", &format!("(ROOT (S (NP (PRP It)) (VP (VBZ is) {fact}) (. .)))"), None);
        let when = "(SBAR (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBD rained))))";
        check("He left when it rained.", &format!("(ROOT (S (NP (PRP He)) (VP (VBD left) {when}) (. .)))"), None);
        check(
            "On the day when it rained",
            &format!("(ROOT (S (NP (PRP He)) (VP (VBD left) (NP (NP (DT the) (NN day)) {when}))))"),
            Some(Relative),
        );
        let said = "(ROOT (SINV (`` ``) (S (NP (PRP It)) (VP (VBD rained))) (, ,) ('' '') (VP (VBD said)) (NP (NNP Tom)) (. .)))";
        check("\"It rained,\" said Tom.", said, Some(Report));
        check("It rained", "(ROOT (S (NP (PRP It)) (VP (VBD rained)) (SBAR))", None);
    }
}
