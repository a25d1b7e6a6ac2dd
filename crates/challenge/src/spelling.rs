//! Noise: one misspelt word in the hypothesis (Naik et al. 2018, section 3.3 and appendix C).

use crate::{
    Build, Case, CaseSentence, ChallengeEntry, ChallengeError, Family, LabelEffect, Mode, Need, NotApplicable, PairView, Request, Rewrite,
    Rewritten,
};
use acidtest_lingua::analyzer::Analyzer;
use acidtest_lingua::dictionary::is_english_word;
use acidtest_lingua::edit::{EditError, Edited};
use acidtest_lingua::inflect::capitalised;
use acidtest_lingua::negation::is_negation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::view::{Origin, View};
use acidtest_nli::{Rng, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::Range;

pub(crate) const SWAP: ChallengeEntry = ChallengeEntry {
    name: "spelling-swap",
    summary: "swaps two adjacent letters of one word of the hypothesis",
    source: "Naik et al. 2018, section 3.3 (AdjSWAP)",
    family: Family::Noise,
    label: LabelEffect::Keeps,
    in_run: &[],
    needs: &[],
    split_by: &[],
    examples: &[
        Case::changed(Side::Hypothesis, "I saw Tipper with him at the movie.", "I swa Tipper with him at the movie."),
        Case::not_applicable(Side::Hypothesis, "I 3.5 aa GAO", "no word that can be misspelt"),
        Case::not_applicable(Side::Hypothesis, "We do not add 3.", "every misspelling is another English word"),
    ],
    defaults: || json!(SpellingSettings { side: Side::Hypothesis }),
    build: Build::Rewrite(|request| build(Typo::Swap, WordClass::Any, request)),
};

pub(crate) const KEYBOARD: ChallengeEntry = ChallengeEntry {
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

pub(crate) const SWAP_CONTENT: ChallengeEntry = ChallengeEntry {
    name: "spelling-swap-content",
    summary: "swaps two adjacent letters of one noun or adjective of the hypothesis",
    source: "Naik et al. 2018, appendix C (the spelling column of table 3)",
    in_run: &[],
    needs: &[Need::WordClasses],
    examples: &[
        Case::changed_parsed(Side::Hypothesis, OLD_CLOCK, "The odl clock stopped."),
        Case::not_applicable(Side::Hypothesis, "They left.", "no word that can be misspelt"),
    ],
    build: Build::Rewrite(|request| build(Typo::Swap, WordClass::Content, request)),
    ..SWAP
};

pub(crate) const SWAP_FUNCTION: ChallengeEntry = ChallengeEntry {
    name: "spelling-swap-function",
    summary: "swaps two adjacent letters of one conjunction, pronoun or article of the hypothesis",
    source: "Naik et al. 2018, appendix C",
    in_run: &[],
    needs: &[Need::WordClasses],
    examples: &[
        Case::changed_parsed(Side::Hypothesis, OLD_CLOCK, "Hte old clock stopped."),
        Case::not_applicable(Side::Hypothesis, "Dogs bark.", "no word that can be misspelt"),
    ],
    build: Build::Rewrite(|request| build(Typo::Swap, WordClass::Function, request)),
    ..SWAP
};

const OLD_CLOCK: CaseSentence =
    CaseSentence { text: "The old clock stopped.", parse: Some("(ROOT (S (NP (DT The) (JJ old) (NN clock)) (VP (VBD stopped)) (. .)))") };

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
    fn rewrite(&self, pair: &PairView<'_>, rng: &mut Rng) -> Result<Vec<Rewritten>, NotApplicable> {
        let view = pair.side(self.side);
        let misspelt = match self.mode {
            Mode::Clean => self.clean(view, rng)?,
            Mode::AsPublished => self.as_published(view, rng)?,
        };
        Ok(vec![Rewritten::of_side(pair, self.side, misspelt)])
    }

    fn word_classes(&self, pair: &PairView<'_>) -> Option<Origin> {
        (self.class != WordClass::Any).then(|| pair.side(self.side).tag_origin())
    }
}

const NO_WORD: NotApplicable = NotApplicable("no word that can be misspelt");
const ONLY_WORDS: NotApplicable = NotApplicable("every misspelling is another English word");

/// Whether a typo can happen in a word. Words in capitals are left alone: they are abbreviations, which a changed letter turns into others. So are
/// negations, without which the label would change, and words that nothing is left of: of two letters, a swap leaves neither in its place (`We`, `Ew`).
fn can_be_misspelt(word: &str, typo: Typo) -> bool {
    let fewest = match typo {
        Typo::Swap => 3,
        Typo::Keyboard => 2,
    };
    // `it's` is a word of two letters and one of one.
    let longest_part = word.split(['\'', '’']).map(|part| part.chars().filter(|letter| letter.is_alphabetic()).count()).max().unwrap_or(0);
    let in_capitals = word.chars().filter(|letter| letter.is_alphabetic()).all(char::is_uppercase);
    let is_negation = || is_negation(&word.to_lowercase().replace('’', "'"));
    longest_part >= fewest && !in_capitals && !is_negation() && !typo.places(word).is_empty()
}

impl Spelling {
    fn clean(&self, view: &View<'_>, rng: &mut Rng) -> Result<Edited, NotApplicable> {
        view.check_parses().map_err(EditError::from)?;
        let mut words = words_of_class(view, self.class);
        words.retain(|span| can_be_misspelt(&view.text()[span.clone()], self.typo));
        if words.is_empty() {
            return Err(NO_WORD);
        }
        while !words.is_empty() {
            let span = words.remove(rng.below(words.len()));
            if let Some(misspelt) = self.typo.not_a_word(&view.text()[span.clone()], rng) {
                return Ok(view.edit().replace_span(span, &misspelt).finish()?);
            }
        }
        Err(ONLY_WORDS)
    }

    /// The released script: a lower-cased token of the binary parse, replaced at its first occurrence as a substring.
    fn as_published(&self, view: &View<'_>, rng: &mut Rng) -> Result<Edited, NotApplicable> {
        let binary = view.binary_parse().ok_or(NotApplicable("no binary parse"))?;
        let tokens: Vec<&str> = binary.split_whitespace().filter(|token| !matches!(*token, "(" | ")")).collect();
        let tags = self.published_tags(view, &tokens)?;
        // The script loops for ever where no token qualifies; here the example is not applicable.
        let qualifies = |token: &String| token.chars().count() > 1 && token.chars().any(|c| neighbours(c).is_some());
        let in_class = |at: usize, word: &str| tags.as_ref().is_none_or(|tags| tags.get(at).is_some_and(|tag| self.class.holds(tag, word)));
        let tokens: Vec<String> = tokens
            .into_iter()
            .enumerate()
            .filter(|(at, token)| in_class(*at, token))
            .map(|(_, token)| token.to_lowercase())
            .filter(qualifies)
            .collect();
        let word = rng.choose(&tokens).ok_or(NO_WORD)?;
        let misspelt = match self.typo {
            // Equal letters are swapped too, which changes nothing.
            Typo::Swap => self.typo.at(word, rng.below(word.chars().count() - 1), rng),
            Typo::Keyboard => self.typo.at(word, *rng.choose(&self.typo.places(word)).ok_or(NO_WORD)?, rng),
        };
        let (old, new) = match capitalised(word) {
            form if view.text().contains(&form) => (form, capitalised(&misspelt)),
            _ => (word.clone(), misspelt),
        };
        let at = view.text().find(&old).ok_or(NotApplicable("the token is not in the text"))?;
        let edited = View::plain(view.text()).edit().replace_span(at..at + old.len(), &new).finish()?;
        Ok(edited)
    }

    /// The tags of the tokens where the class asks for them: those of the parse, or our tagger's.
    fn published_tags<'t>(&self, view: &View<'t>, tokens: &[&str]) -> Result<Option<Vec<&'t str>>, NotApplicable> {
        if self.class == WordClass::Any {
            return Ok(None);
        }
        if view.parse().is_none() {
            return Ok(Some(Analyzer::shared().tags(tokens.iter().copied()).into_iter().map(Tag::name).collect()));
        }
        let tree = view.penn_tree().ok_or(NotApplicable("no parse that gives parts of speech"))?;
        Ok(Some(tree.leaves().map(|leaf| leaf.tag).collect()))
    }
}

/// The words of a class: those of a parse; without one, our own, or simply what stands between blanks where any will do.
fn words_of_class(view: &View<'_>, class: WordClass) -> Vec<Range<usize>> {
    if class == WordClass::Any {
        return match view.parse().or(view.binary_parse()) {
            Some(_) => view.words().iter().filter_map(|word| word.span.clone()).collect(),
            None => view.whitespace_words().to_vec(),
        };
    }
    let tagged = view.words().iter().zip(view.leaves());
    tagged.filter(|(_, leaf)| class.holds(leaf.tag, leaf.word)).filter_map(|(word, _)| word.span.clone()).collect()
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

    /// The word with a typo that makes no other English word and no negation; letters are drawn again until one fits.
    fn not_a_word(self, word: &str, rng: &mut Rng) -> Option<String> {
        let mut places = self.places(word);
        while !places.is_empty() {
            let drawn = rng.below(places.len());
            let mut ways = self.ways(word, places[drawn]);
            while !ways.is_empty() {
                let misspelt = ways.remove(rng.below(ways.len()));
                let lower = misspelt.to_lowercase();
                if !is_english_word(&lower) && !is_negation(&lower) {
                    return Some(misspelt);
                }
            }
            places.remove(drawn);
        }
        None
    }

    /// The word with one of the typos that can happen at a place.
    fn at(self, word: &str, place: usize, rng: &mut Rng) -> String {
        rng.choose(&self.ways(word, place)).map_or_else(|| word.to_string(), String::clone)
    }

    /// The word with each typo that can happen at a place; upper case stays where it was.
    fn ways(self, word: &str, place: usize) -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        match self {
            Typo::Swap => {
                let mut swapped = letters.clone();
                swapped[place] = with_case_of(letters[place + 1], letters[place]);
                swapped[place + 1] = with_case_of(letters[place], letters[place + 1]);
                vec![swapped.into_iter().collect()]
            }
            Typo::Keyboard => {
                let with_key = |key: char| {
                    let mut changed = letters.clone();
                    changed[place] = with_case_of(key, letters[place]);
                    changed.into_iter().collect()
                };
                neighbours(letters[place]).unwrap_or_default().chars().map(with_key).collect()
            }
        }
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
    fn no_typo_makes_another_word_or_a_negation() {
        for seed in 0..200 {
            let rng = || Seed::new(seed).rng();
            for word in ["on", "Three", "There", "two", "form", "not", "saw", "it", "was"] {
                for typo in [Typo::Swap, Typo::Keyboard] {
                    let misspelt = typo.not_a_word(word, &mut rng());
                    let is_word = |misspelt: &String| is_english_word(&misspelt.to_lowercase()) || is_negation(&misspelt.to_lowercase());
                    assert!(!misspelt.as_ref().is_some_and(is_word), "{word} {misspelt:?}");
                }
            }
        }
        assert_eq!(Typo::Swap.not_a_word("on", &mut Seed::new(1).rng()), None);
        assert_eq!(Typo::Swap.not_a_word("from", &mut Seed::new(1).rng()).map(|word| word == "form"), Some(false));
    }

    #[test]
    fn words_in_capitals_are_left_alone() {
        assert!(!can_be_misspelt("GAO", Typo::Swap) && !can_be_misspelt("U.S.", Typo::Keyboard) && can_be_misspelt("Gao", Typo::Swap));
    }

    #[test]
    fn negations_are_never_misspelt() {
        for negation in ["No", "not", "never", "Nothing", "n't", "don't", "don’t", "cannot", "nobody"] {
            assert!(!can_be_misspelt(negation, Typo::Swap) && !can_be_misspelt(negation, Typo::Keyboard), "{negation}");
        }
        assert!(can_be_misspelt("knot", Typo::Swap) && can_be_misspelt("north", Typo::Keyboard));
    }

    #[test]
    fn a_word_of_two_letters_is_not_swapped() {
        assert!(!can_be_misspelt("We", Typo::Swap) && !can_be_misspelt("or", Typo::Swap) && !can_be_misspelt("it's", Typo::Swap));
        assert!(can_be_misspelt("We", Typo::Keyboard) && can_be_misspelt("our", Typo::Swap));
    }

    #[test]
    fn equal_letters_are_not_swapped() {
        assert_eq!(Typo::Swap.places("aab"), [1]);
        assert_eq!(Typo::Swap.places("3.5"), [0; 0]);
        assert_eq!(Typo::Swap.places("n't"), [0; 0]);
    }

    #[track_caller]
    fn check_class(class: WordClass, view: &View<'_>, expected: &[&str]) {
        let words = words_of_class(view, class);
        assert_eq!(words.into_iter().map(|span| &view.text()[span]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn without_a_parse_the_tagger_tells_classes() {
        let text = "The old clock didn't stop.";
        let plain = View::plain(text);
        check_class(WordClass::Content, &plain, &["old", "clock"]);
        check_class(WordClass::Function, &plain, &["The"]);
        let binary = View::new(text, None, Some("( ( The ( old clock ) ) ( ( did n't ) ( stop . ) ) )"));
        check_class(WordClass::Content, &binary, &["old", "clock"]);
        check_class(WordClass::Content, &View::plain(""), &[]);
    }

    #[test]
    fn a_parse_is_believed_even_where_the_tagger_knows_better() {
        let view = View::new("Old clock", Some("(ROOT (NP (VB Old) (NN clock)))"), None);
        check_class(WordClass::Content, &view, &["clock"]);
    }

    #[test]
    fn a_keyboard_typo_is_a_neighbour() {
        assert_eq!(neighbours('a'), Some("s"));
        assert_eq!(neighbours('Q'), Some("w"));
        assert_eq!(neighbours('é'), None);
    }
}
