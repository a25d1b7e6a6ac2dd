//! Noise: one misspelt word in the hypothesis (Naik et al. 2018, section 3.3 and appendix C).

use crate::{
    Build, Case, ChallengeError, Entry, Family, Given, LabelEffect, Mode, Need, NotApplicable, Request, Rewrite, Rewritten, Unit,
    WordClassSource,
};
use acidtest_lingua::{Tree, align, analyzer::Analyzer};
use acidtest_nli::{Change, Example, Rng, Sentence, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;
use std::ops::Range;

pub(crate) const SWAP: Entry = Entry {
    name: "spelling-swap",
    summary: "swaps two adjacent letters of one word of the hypothesis",
    source: "Naik et al. 2018, section 3.3 (AdjSWAP)",
    family: Family::Noise,
    label: LabelEffect::Keeps,
    unit: Unit::Pair,
    needs: &[],
    split_by: &[],
    examples: &[
        Case::changed(Side::Hypothesis, "I saw Tipper with him at the movie.", "I swa Tipper with him at the movie."),
        Case::not_applicable(Side::Hypothesis, "I 3.5 aa", "no word that can be misspelt"),
    ],
    defaults: || json!(SpellingSettings { side: Side::Hypothesis }),
    build: Build::Rewrite(|request| build(Typo::Swap, WordClass::Any, request)),
};

pub(crate) const KEYBOARD: Entry = Entry {
    name: "spelling-keyboard",
    summary: "replaces one letter of one word of the hypothesis by its neighbour on the keyboard",
    source: "Naik et al. 2018, section 3.3 (KBSWAP)",
    examples: &[
        Case::changed(
            Side::Hypothesis,
            "Agencies have less choice in contracting methods.",
            "Agencies have less choice in contractong methods.",
        ),
        Case::not_applicable(Side::Hypothesis, "I 3.5", "no word that can be misspelt"),
    ],
    build: Build::Rewrite(|request| build(Typo::Keyboard, WordClass::Any, request)),
    ..SWAP
};

pub(crate) const SWAP_CONTENT: Entry = Entry {
    name: "spelling-swap-content",
    summary: "swaps two adjacent letters of one noun or adjective of the hypothesis",
    source: "Naik et al. 2018, appendix C (the spelling column of table 3)",
    needs: &[Need::Analysis],
    examples: &[
        Case::changed_parsed(Side::Hypothesis, OLD_CLOCK, "The odl clock stopped."),
        Case::not_applicable(Side::Hypothesis, "They left.", "no word that can be misspelt"),
    ],
    build: Build::Rewrite(|request| build(Typo::Swap, WordClass::Content, request)),
    ..SWAP
};

pub(crate) const SWAP_FUNCTION: Entry = Entry {
    name: "spelling-swap-function",
    summary: "swaps two adjacent letters of one conjunction, pronoun or article of the hypothesis",
    source: "Naik et al. 2018, appendix C",
    needs: &[Need::Analysis],
    examples: &[
        Case::changed_parsed(Side::Hypothesis, OLD_CLOCK, "Hte old clock stopped."),
        Case::not_applicable(Side::Hypothesis, "Dogs bark.", "no word that can be misspelt"),
    ],
    build: Build::Rewrite(|request| build(Typo::Swap, WordClass::Function, request)),
    ..SWAP
};

const OLD_CLOCK: Given =
    Given { text: "The old clock stopped.", parse: Some("(ROOT (S (NP (DT The) (JJ old) (NN clock)) (VP (VBD stopped)) (. .)))") };

/// What goes wrong in a word.
#[derive(Debug, Clone, Copy)]
enum Typo {
    Swap,
    Keyboard,
}

/// Which words may be misspelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordClass {
    Any,
    Content,
    Function,
}

/// The sentence that is misspelt.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpellingSettings {
    side: Side,
}

struct Spelling {
    typo: Typo,
    class: WordClass,
    side: Side,
    mode: Mode,
}

fn build(typo: Typo, class: WordClass, request: &Request<'_>) -> Result<Box<dyn Rewrite>, ChallengeError> {
    let SpellingSettings { side } = request.settings()?;
    Ok(Box::new(Spelling { typo, class, side, mode: request.mode }))
}

impl Rewrite for Spelling {
    fn rewrite<'a>(&self, example: &Example<'a>, rng: &mut Rng) -> Result<Vec<Rewritten<'a>>, NotApplicable> {
        let sentence = example.pair.side(self.side);
        let (misspelt, change) = match self.mode {
            Mode::Clean => self.clean(sentence, rng)?,
            Mode::AsPublished => self.as_published(sentence, rng)?,
        };
        Ok(vec![Rewritten::of_side(example, self.side, misspelt, change)])
    }

    fn word_classes(&self, example: &Example<'_>) -> Option<WordClassSource> {
        let source = if example.pair.side(self.side).parse.is_some() { WordClassSource::CorpusParse } else { WordClassSource::OurTagger };
        (self.class != WordClass::Any).then_some(source)
    }
}

impl Spelling {
    fn clean<'a>(&self, sentence: &Sentence<'a>, rng: &mut Rng) -> Result<(Sentence<'a>, Change), NotApplicable> {
        let trees = Trees::read(sentence)?;
        let words = trees.words(&sentence.text, self.class);
        let candidates: Vec<(Range<usize>, Vec<usize>)> = words
            .into_iter()
            .map(|span| (span.clone(), self.typo.places(&sentence.text[span])))
            .filter(|(span, places)| !places.is_empty() && sentence.text[span.clone()].chars().count() > 1)
            .collect();
        let (span, places) = rng.choose(&candidates).ok_or(NotApplicable("no word that can be misspelt"))?;
        let place = *rng.choose(places).ok_or(NotApplicable("no word that can be misspelt"))?;
        let misspelt = self.typo.at(&sentence.text[span.clone()], place, rng);
        Ok(trees.replace(sentence, self.side, span.clone(), &misspelt))
    }

    /// The released script: a lower-cased token of the binary parse, replaced at its first occurrence as a substring.
    fn as_published<'a>(&self, sentence: &Sentence<'a>, rng: &mut Rng) -> Result<(Sentence<'a>, Change), NotApplicable> {
        let binary = sentence.binary_parse.as_deref().ok_or(NotApplicable("no binary parse"))?;
        let tokens: Vec<&str> = binary.split_whitespace().filter(|token| !matches!(*token, "(" | ")")).collect();
        let tags = tags_of(sentence, self.class, &tokens)?;
        // The script loops for ever where no token qualifies; here the row is not applicable.
        let qualifies = |token: &String| token.chars().count() > 1 && token.chars().any(|c| neighbours(c).is_some());
        let in_class = |at: usize, word: &str| tags.as_ref().is_none_or(|tags| tags.get(at).is_some_and(|tag| self.class.holds(tag, word)));
        let tokens: Vec<String> = tokens
            .into_iter()
            .enumerate()
            .filter(|(at, token)| in_class(*at, token))
            .map(|(_, token)| token.to_lowercase())
            .filter(qualifies)
            .collect();
        let word = rng.choose(&tokens).ok_or(NotApplicable("no word that can be misspelt"))?;
        let letters: Vec<char> = word.chars().collect();
        let misspelt = match self.typo {
            // Equal letters are swapped too, which changes nothing.
            Typo::Swap => self.typo.at(word, rng.below(letters.len() - 1), rng),
            Typo::Keyboard => {
                let places: Vec<usize> = (0..letters.len()).filter(|&at| neighbours(letters[at]).is_some()).collect();
                let place = *rng.choose(&places).ok_or(NotApplicable("no word that can be misspelt"))?;
                self.typo.at(word, place, rng)
            }
        };
        let (old, new) = match capitalised(word) {
            form if sentence.text.contains(&form) => (form, capitalised(&misspelt)),
            _ => (word.clone(), misspelt),
        };
        let at = sentence.text.find(&old).ok_or(NotApplicable("the token is not in the text"))?;
        let text = sentence.text.replacen(&old, &new, 1);
        let start = text[..at].chars().count();
        let change = Change { side: self.side, start, end: start + new.chars().count(), before: old };
        Ok((Sentence { text: text.into(), parse: None, binary_parse: None }, change))
    }
}

impl Typo {
    /// The letters of a word at which this can go wrong, counted in characters.
    fn places(self, word: &str) -> Vec<usize> {
        let letters: Vec<char> = word.chars().collect();
        let differ = |a: char, b: char| a.is_alphabetic() && b.is_alphabetic() && !a.to_lowercase().eq(b.to_lowercase());
        match self {
            Typo::Swap => (1..letters.len()).filter(|&at| differ(letters[at - 1], letters[at])).map(|at| at - 1).collect(),
            Typo::Keyboard => (0..letters.len()).filter(|&at| neighbours(letters[at]).is_some()).collect(),
        }
    }

    /// The word gone wrong at a place; upper case stays where it was.
    fn at(self, word: &str, place: usize, rng: &mut Rng) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        match self {
            Typo::Swap => {
                let (first, second) = (letters[place], letters[place + 1]);
                letters[place] = with_case_of(second, first);
                letters[place + 1] = with_case_of(first, second);
            }
            Typo::Keyboard => {
                let keys = neighbours(letters[place]).unwrap_or_default();
                let key = rng.choose(keys.as_bytes()).map_or(letters[place], |&key| char::from(key));
                letters[place] = with_case_of(key, letters[place]);
            }
        }
        letters.into_iter().collect()
    }
}

impl WordClass {
    fn holds(self, tag: &str, word: &str) -> bool {
        match self {
            WordClass::Any => true,
            WordClass::Content => tag.starts_with("NN") || tag.starts_with("JJ"),
            WordClass::Function => {
                let article = tag == "DT" && ["a", "an", "the"].iter().any(|article| article.eq_ignore_ascii_case(word));
                article || matches!(tag, "CC" | "PRP" | "PRP$" | "WP" | "WP$")
            }
        }
    }
}

/// The trees of a sentence, as far as it has any.
struct Trees<'t> {
    parse: Option<Tree<'t>>,
    binary: Option<Tree<'t>>,
}

impl<'t> Trees<'t> {
    fn read(sentence: &'t Sentence<'_>) -> Result<Self, NotApplicable> {
        let read = |parse: &'t Option<Cow<'_, str>>| parse.as_deref().map(Tree::read).transpose();
        match (read(&sentence.parse), read(&sentence.binary_parse)) {
            (Ok(parse), Ok(binary)) => Ok(Trees { parse, binary }),
            _ => Err(NotApplicable("the parse is not a bracketed tree")),
        }
    }

    /// The words of the class in the text: those of the parse; without one, those that our tagger puts in the class, or simply those between
    /// blanks where any will do.
    fn words(&self, text: &str, class: WordClass) -> Vec<Range<usize>> {
        let Some(tree) = &self.parse else {
            return if class == WordClass::Any { self.untagged_words(text) } else { self.tagged_words(text, class) };
        };
        let spans = align::spans(tree.leaves().map(|leaf| leaf.word), text);
        let words = tree.leaves().zip(spans).filter(|(leaf, _)| class.holds(leaf.tag, leaf.word));
        words.filter_map(|(_, span)| span).collect()
    }

    /// The words of the class by our tagger; of a binary parse its leaves, so that text and tree are changed alike.
    fn tagged_words(&self, text: &str, class: WordClass) -> Vec<Range<usize>> {
        let Some(tree) = &self.binary else {
            let tagged = Analyzer::shared().tag_text(text);
            return tagged
                .iter()
                .filter(|(token, tag)| class.holds(tag.name(), token.text(text)))
                .map(|(token, _)| token.range())
                .collect();
        };
        let tags = Analyzer::shared().tags(tree.leaves().map(|leaf| leaf.word));
        let spans = align::spans(tree.leaves().map(|leaf| leaf.word), text);
        let words = tree.leaves().zip(tags).zip(spans).filter(|((leaf, tag), _)| class.holds(tag.name(), leaf.word));
        words.filter_map(|(_, span)| span).collect()
    }

    fn untagged_words(&self, text: &str) -> Vec<Range<usize>> {
        if let Some(tree) = &self.binary {
            return align::spans(tree.leaves().map(|leaf| leaf.word), text).into_iter().flatten().collect();
        }
        let start_of = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        trimmed.filter(|word| !word.is_empty()).map(|word| start_of(word)..start_of(word) + word.len()).collect()
    }

    /// The sentence with another word at a span of its text, in the text and in the trees.
    fn replace<'a>(self, sentence: &Sentence<'a>, side: Side, span: Range<usize>, word: &str) -> (Sentence<'a>, Change) {
        let in_tree = |tree: Option<Tree<'_>>| {
            tree.map(|tree| {
                let spans = align::spans(tree.leaves().map(|leaf| leaf.word), &sentence.text);
                let leaf = spans.iter().position(|other| other.as_ref() == Some(&span));
                let tree = if let Some(leaf) = leaf { tree.with_word(leaf, word.to_string()) } else { tree };
                Cow::Owned(tree.to_string())
            })
        };
        let mut text = sentence.text.clone().into_owned();
        text.replace_range(span.clone(), word);
        let start = sentence.text[..span.start].chars().count();
        let change = Change { side, start, end: start + word.chars().count(), before: sentence.text[span.clone()].to_string() };
        (Sentence { text: text.into(), parse: in_tree(self.parse), binary_parse: in_tree(self.binary) }, change)
    }
}

/// The tags of the tokens of the binary parse where the class asks for them: those of the parse, or our tagger's.
fn tags_of(sentence: &Sentence<'_>, class: WordClass, tokens: &[&str]) -> Result<Option<Vec<String>>, NotApplicable> {
    if class == WordClass::Any {
        return Ok(None);
    }
    let Some(parse) = &sentence.parse else {
        return Ok(Some(Analyzer::shared().tags(tokens.iter().copied()).iter().map(|tag| tag.name().to_string()).collect()));
    };
    let tree = Tree::read(parse).map_err(|_| NotApplicable("no parse that gives parts of speech"))?;
    Ok(Some(tree.leaves().map(|leaf| leaf.tag.to_string()).collect()))
}

/// The keys beside a letter on its row of the keyboard.
fn neighbours(letter: char) -> Option<&'static str> {
    const KEYS: [&str; 26] = [
        "s", "vn", "xv", "sf", "rw", "gd", "fh", "gj", "uo", "hk", "jl", "k", "n", "mb", "ip", "o", "w", "te", "da", "ry", "yi", "cb",
        "eq", "zc", "tu", "x",
    ];
    letter.is_ascii_alphabetic().then(|| KEYS[usize::from(letter.to_ascii_lowercase() as u8 - b'a')])
}

fn with_case_of(letter: char, other: char) -> char {
    // A letter whose other case is two letters keeps its own.
    let single = |mut letters: Box<dyn Iterator<Item = char>>| letters.next().filter(|_| letters.next().is_none());
    let changed = if other.is_uppercase() {
        single(Box::new(letter.to_uppercase()))
    } else if other.is_lowercase() {
        single(Box::new(letter.to_lowercase()))
    } else {
        None
    };
    changed.unwrap_or(letter)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Seed;

    #[test]
    fn case_stays_where_it_was() {
        let mut rng = Seed::new(1).rng();
        assert_eq!(Typo::Swap.at("The", 0, &mut rng), "Hte");
        assert_eq!(Typo::Keyboard.at("Apple", 0, &mut rng), "Spple");
    }

    #[test]
    fn equal_letters_are_not_swapped() {
        assert_eq!(Typo::Swap.places("aab"), [1]);
        assert_eq!(Typo::Swap.places("3.5"), [0; 0]);
        assert_eq!(Typo::Swap.places("n't"), [0; 0]);
    }

    #[track_caller]
    fn check_class(class: WordClass, sentence: &Sentence<'_>, expected: &[&str]) {
        let words = Trees::read(sentence).unwrap().words(&sentence.text, class);
        assert_eq!(words.into_iter().map(|span| &sentence.text[span]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn without_a_parse_the_tagger_tells_classes() {
        let plain = Sentence::plain("The old clock didn't stop.");
        check_class(WordClass::Content, &plain, &["old", "clock"]);
        check_class(WordClass::Function, &plain, &["The"]);
        let binary = Sentence { binary_parse: Some("( ( The ( old clock ) ) ( ( did n't ) ( stop . ) ) )".into()), ..plain };
        check_class(WordClass::Content, &binary, &["old", "clock"]);
        check_class(WordClass::Content, &Sentence::plain(""), &[]);
    }

    #[test]
    fn a_parse_is_believed_even_where_the_tagger_knows_better() {
        let parse = Some("(ROOT (NP (VB Old) (NN clock)))".into());
        check_class(WordClass::Content, &Sentence { text: "Old clock".into(), parse, binary_parse: None }, &["clock"]);
    }

    #[test]
    fn a_keyboard_typo_is_a_neighbour() {
        assert_eq!(neighbours('a'), Some("s"));
        assert_eq!(neighbours('Q'), Some("w"));
        assert_eq!(neighbours('é'), None);
    }
}
