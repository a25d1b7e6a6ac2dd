//! Inflects lemmas: number, tense, person, degree; also `a` or `an`, and capitals.

use crate::{
    tag::Tag,
    wordnet::{PartOfSpeech, exceptions},
};
use std::{collections::HashMap, sync::LazyLock};

/// The form of a lemma for a Penn tag; `None` if the tag has no inflected forms.
///
/// ```
/// use acidtest_lingua::{inflect::inflect, tag::Tag};
/// assert_eq!(inflect("knife", Tag::NNS).as_deref(), Some("knives"));
/// assert_eq!(inflect("stop", Tag::VBG).as_deref(), Some("stopping"));
/// assert_eq!(inflect("go", Tag::VBD).as_deref(), Some("went"));
/// assert_eq!(inflect("big", Tag::JJS).as_deref(), Some("biggest"));
/// assert_eq!(inflect("the", Tag::DT), None);
/// ```
pub fn inflect(lemma: &str, tag: Tag) -> Option<String> {
    match tag {
        Tag::NN | Tag::NNP | Tag::VB | Tag::JJ | Tag::RB => Some(lemma.to_owned()),
        Tag::VBP => Some(if lemma == "be" { "are" } else { lemma }.to_owned()),
        Tag::NNS | Tag::NNPS => Some(plural(lemma)),
        Tag::VBZ => Some(third_person(lemma)),
        Tag::VBG => Some(gerund(lemma)),
        Tag::VBD => Some(past(lemma)),
        Tag::VBN => Some(participle(lemma)),
        Tag::JJR | Tag::RBR => Some(comparative(lemma)),
        Tag::JJS | Tag::RBS => Some(superlative(lemma)),
        _ => None,
    }
}

struct Irregular {
    past: HashMap<&'static str, &'static str>,
    participle: HashMap<&'static str, &'static str>,
    plural: HashMap<String, String>,
}

/// Plurals that WordNet's list lacks, or has beside rarer ones.
#[rustfmt::skip]
const PLURALS: &[(&str, &str)] = &[
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"), ("foot", "feet"), ("tooth", "teeth"),
    ("goose", "geese"), ("mouse", "mice"), ("ox", "oxen"), ("knife", "knives"), ("wife", "wives"), ("life", "lives"),
    ("leaf", "leaves"), ("half", "halves"), ("shelf", "shelves"), ("self", "selves"), ("wolf", "wolves"), ("calf", "calves"),
    ("loaf", "loaves"), ("thief", "thieves"), ("potato", "potatoes"), ("tomato", "tomatoes"), ("hero", "heroes"), ("echo", "echoes"),
    ("sheep", "sheep"), ("deer", "deer"), ("fish", "fish"), ("species", "species"), ("series", "series"), ("aircraft", "aircraft"),
    ("means", "means"), ("offspring", "offspring"), ("crisis", "crises"), ("analysis", "analyses"), ("thesis", "theses"), ("basis", "bases"),
    ("phenomenon", "phenomena"), ("criterion", "criteria"), ("datum", "data"), ("medium", "media"), ("bacterium", "bacteria"),
    ("stimulus", "stimuli"), ("fungus", "fungi"), ("alumnus", "alumni"), ("index", "indices"), ("appendix", "appendices"), ("matrix", "matrices"),
    ("scarf", "scarves"), ("elf", "elves"), ("louse", "lice"), ("die", "dice"), ("penny", "pennies"), ("passer-by", "passers-by"),
];

/// Nouns with a regular plural for which WordNet lists only a rare irregular one.
const REGULAR: &[&str] = &[
    "cow", "brother", "bus", "gas", "money", "roof", "house", "staff", "cherub", "virus", "campus", "stadium", "museum", "album", "forum",
    "cactus",
];

static IRREGULAR: LazyLock<Irregular> = LazyLock::new(|| {
    let (mut pasts, mut participles) = (HashMap::new(), HashMap::new());
    for line in include_str!("../data/irregular_verbs.txt").lines() {
        let mut fields = line.split(' ');
        if let (Some(base), Some(past), Some(participle)) = (fields.next(), fields.next(), fields.next()) {
            pasts.insert(base, past);
            participles.insert(base, participle);
        }
    }
    // Of several irregular plurals, the alphabetically first is used, so that the choice is deterministic.
    let mut pairs: Vec<(&str, &str)> = exceptions().pairs(PartOfSpeech::Noun).map(|(form, base)| (base, form)).collect();
    pairs.sort_unstable_by(|left, right| right.cmp(left));
    let mut plurals: HashMap<String, String> =
        pairs.into_iter().filter(|(base, _)| !REGULAR.contains(base)).map(|(base, form)| (base.to_owned(), form.to_owned())).collect();
    plurals.extend(PLURALS.iter().map(|&(base, form)| (base.to_owned(), form.to_owned())));
    Irregular { past: pasts, participle: participles, plural: plurals }
});

/// The plural of a noun; of several words, the last is inflected.
pub fn plural(noun: &str) -> String {
    if let Some((front, last)) = noun.rsplit_once([' ', '_']) {
        return format!("{front}{}{}", &noun[front.len()..front.len() + 1], plural(last));
    }
    let lower = noun.to_lowercase();
    if let Some(form) = IRREGULAR.plural.get(&lower) {
        return like(noun, form);
    }
    // Compounds are inflected like their last part: policeman, grandchild, housewife.
    for (base, form) in PLURALS {
        if base.len() > 2
            && lower.len() > base.len() + 2
            && ["man", "woman", "child", "wife", "foot", "tooth", "life", "self", "person"].contains(base)
        {
            if lower.ends_with("human") || lower.ends_with("german") || lower.ends_with("roman") {
                continue;
            }
            if let Some(front) = noun.strip_suffix(base) {
                return format!("{front}{form}");
            }
        }
    }
    format!("{}{}", stem_before_s(noun), s_ending(noun))
}

/// The third person singular of a verb: `goes`.
pub fn third_person(verb: &str) -> String {
    match verb {
        "be" => "is".to_owned(),
        "have" => "has".to_owned(),
        "do" | "go" => format!("{verb}es"),
        _ => on_first_word(verb, |verb| format!("{}{}", stem_before_s(verb), s_ending(verb))),
    }
}

/// The past tense of a verb: `went`, `stopped`.
pub fn past(verb: &str) -> String {
    on_first_word(verb, |verb| irregular_verb(verb, &IRREGULAR.past).unwrap_or_else(|| with_ed(verb)))
}

/// The past participle of a verb: `gone`, `stopped`.
pub fn participle(verb: &str) -> String {
    on_first_word(verb, |verb| irregular_verb(verb, &IRREGULAR.participle).unwrap_or_else(|| with_ed(verb)))
}

/// The gerund and present participle: `going`, `lying`.
pub fn gerund(verb: &str) -> String {
    on_first_word(verb, |verb| {
        if let Some(front) = verb.strip_suffix("ie") {
            return format!("{front}ying");
        }
        let keeps_e = ["ee", "oe", "ye"].iter().any(|ending| verb.ends_with(ending)) || verb == "be" || verb == "singe";
        let stem = verb.strip_suffix('e').filter(|_| !keeps_e).map_or_else(|| doubled(verb), str::to_owned);
        format!("{stem}ing")
    })
}

/// The comparative: `bigger`, `more beautiful`.
pub fn comparative(word: &str) -> String {
    degree(
        word,
        "er",
        "more",
        &[
            ("good", "better"),
            ("well", "better"),
            ("bad", "worse"),
            ("badly", "worse"),
            ("far", "further"),
            ("little", "less"),
            ("many", "more"),
            ("much", "more"),
        ],
    )
}

/// The superlative: `biggest`, `most beautiful`.
pub fn superlative(word: &str) -> String {
    degree(
        word,
        "est",
        "most",
        &[
            ("good", "best"),
            ("well", "best"),
            ("bad", "worst"),
            ("badly", "worst"),
            ("far", "furthest"),
            ("little", "least"),
            ("many", "most"),
            ("much", "most"),
        ],
    )
}

fn degree(word: &str, ending: &str, particle: &str, irregular: &[(&str, &str)]) -> String {
    if let Some((_, form)) = irregular.iter().find(|(base, _)| *base == word) {
        return (*form).to_owned();
    }
    let beats = syllables(word);
    let takes_ending =
        beats <= 1 || (beats == 2 && ["y", "ow", "le", "er"].iter().any(|last| word.ends_with(last)) && !word.ends_with("ly"));
    if !takes_ending || word.contains('-') || ["real", "right", "wrong", "fun"].contains(&word) {
        return format!("{particle} {word}");
    }
    if let Some(front) = word.strip_suffix('y').filter(|front| !front.ends_with(is_vowel)) {
        return format!("{front}i{ending}");
    }
    let stem = word.strip_suffix('e').map_or_else(|| if beats == 1 { doubled(word) } else { word.to_owned() }, str::to_owned);
    format!("{stem}{ending}")
}

/// `a` or `an`, by the sound of the next word.
///
/// ```
/// use acidtest_lingua::inflect::indefinite_article;
/// assert_eq!(["apple", "dog", "hour", "university", "FBI", "8"].map(indefinite_article), ["an", "a", "an", "a", "an", "an"]);
/// ```
pub fn indefinite_article(next: &str) -> &'static str {
    let lower = next.to_lowercase();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| lower.starts_with(prefix));
    let Some(first) = next.chars().find(|letter| letter.is_alphanumeric()) else { return "a" };
    if first.is_ascii_digit() {
        return if lower.starts_with('8') || ["11", "18"].contains(&lower.as_str()) { "an" } else { "a" };
    }
    let capitals = next.len() > 1 && next.chars().all(|letter| letter.is_ascii_uppercase());
    let spelled = capitals && (next.len() <= 3 || !next.chars().skip(1).any(|letter| "AEIOU".contains(letter)));
    if spelled || (next.chars().count() == 1 && first.is_alphabetic()) {
        return if "AEFHILMNORSX".contains(first.to_ascii_uppercase()) { "an" } else { "a" };
    }
    if starts(&["hour", "honest", "honor", "honour", "heir"]) {
        return "an";
    }
    if starts(&["uni", "use", "usu", "util", "eu", "ewe", "one", "once", "ubiq", "ura"]) && !starts(&["unin", "unim", "unid"]) {
        return "a";
    }
    if is_vowel(first.to_ascii_lowercase()) { "an" } else { "a" }
}

/// The word with a capital first letter.
pub fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Gives a word the capitals of another word: none, the first letter, or all.
///
/// ```
/// use acidtest_lingua::inflect::like;
/// assert_eq!((like("Dog", "cat"), like("DOG", "cat"), like("dog", "cat")), ("Cat".into(), "CAT".into(), "cat".into()));
/// ```
pub fn like(model: &str, word: &str) -> String {
    let letters: Vec<char> = model.chars().filter(|letter| letter.is_alphabetic()).collect();
    if letters.len() > 1 && letters.iter().all(|letter| letter.is_uppercase()) {
        word.to_uppercase()
    } else if model.starts_with(char::is_uppercase) {
        capitalised(word)
    } else {
        word.to_owned()
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// Inflects the first word of a phrasal verb: `give up` to `gave up`.
fn on_first_word(verb: &str, change: impl Fn(&str) -> String) -> String {
    match verb.find([' ', '_']) {
        Some(end) => format!("{}{}", change(&verb[..end]), &verb[end..]),
        None => change(verb),
    }
}

/// The irregular form of a verb, possibly with a prefix: `overtake`, `rebuild`.
fn irregular_verb(verb: &str, table: &HashMap<&str, &str>) -> Option<String> {
    if let Some(form) = table.get(verb) {
        return Some((*form).to_owned());
    }
    ["over", "under", "out", "re", "un", "mis", "up", "fore", "with", "inter", "be"].iter().find_map(|prefix| {
        let rest = verb.strip_prefix(prefix).filter(|rest| rest.len() > 2)?;
        // Not every be- or re- is a prefix: "relight" has one, "behave" and "reset" do not.
        let genuine = match *prefix {
            "be" => matches!(rest, "hold" | "set" | "fall"),
            "re" => !matches!(rest, "lay" | "lie" | "present" | "fit" | "bind" | "cast"),
            "with" => matches!(rest, "stand" | "hold" | "draw"),
            "inter" => rest == "weave",
            _ => true,
        };
        genuine.then(|| table.get(rest)).flatten().map(|form| format!("{prefix}{form}"))
    })
}

fn with_ed(verb: &str) -> String {
    if verb.ends_with('e') {
        return format!("{verb}d");
    }
    if let Some(front) = verb.strip_suffix('y').filter(|front| !front.ends_with(is_vowel)) {
        return format!("{front}ied");
    }
    format!("{}ed", doubled(verb))
}

fn stem_before_s(word: &str) -> &str {
    word.strip_suffix('y')
        .filter(|front| !front.ends_with(is_vowel) && !front.is_empty() && !word.starts_with(char::is_uppercase))
        .unwrap_or(word)
}

fn s_ending(word: &str) -> &'static str {
    if stem_before_s(word).len() < word.len() {
        "ies"
    } else if ["s", "x", "z", "ch", "sh"].iter().any(|ending| word.ends_with(ending)) && !word.ends_with("arch") {
        "es"
    } else {
        "s"
    }
}

/// The stem with its last consonant doubled if the spelling rules require it: one short stressed vowel before one consonant.
fn doubled(word: &str) -> String {
    let letters: Vec<char> = word.chars().rev().take(3).collect();
    let [last, vowel, before] = letters.as_slice() else { return word.to_owned() };
    let doubles = !is_vowel(*last) && !matches!(last, 'w' | 'x' | 'y' | 'h') && last.is_alphabetic();
    let short = is_vowel(*vowel) && (!is_vowel(*before) || word.ends_with("quit") || word.ends_with("quip"));
    let stressed = syllables(word) == 1 || LAST_STRESSED.iter().any(|ending| word.ends_with(ending));
    if doubles && short && stressed { format!("{word}{last}") } else { word.to_owned() }
}

/// Endings of verbs with several syllables that stress the last one.
#[rustfmt::skip]
const LAST_STRESSED: &[&str] = &[
    "mit", "fer", "cur", "pel", "begin", "forget", "regret", "control", "prefer", "permit", "equip", "rebel", "abet", "upset", "patrol",
    "occur", "deter", "admit", "commit", "submit", "kidnap", "program", "format", "handicap", "unzip", "unplug", "overlap", "outrun",
];

fn syllables(word: &str) -> usize {
    let mut count = 0;
    let mut in_vowel = false;
    for letter in word.chars() {
        let vowel = is_vowel(letter) || letter == 'y';
        count += usize::from(vowel && !in_vowel);
        in_vowel = vowel;
    }
    let silent = word.ends_with('e') && !word.ends_with("le") && count > 1;
    (count - usize::from(silent)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lemma::lemma_of;

    fn check(tag: Tag, pairs: &[(&str, &str)]) {
        for (lemma, form) in pairs {
            assert_eq!(inflect(lemma, tag).as_deref(), Some(*form), "{lemma} {tag}");
        }
    }

    #[test]
    fn plurals_are_formed() {
        check(
            Tag::NNS,
            &[("dog", "dogs"), ("box", "boxes"), ("city", "cities"), ("boy", "boys"), ("policeman", "policemen"), ("human", "humans")],
        );
        check(Tag::NNS, &[("Child", "Children"), ("ice cream", "ice creams"), ("church", "churches"), ("cow", "cows"), ("bus", "buses")]);
    }

    #[test]
    fn verbs_are_formed() {
        check(
            Tag::VBD,
            &[
                ("walk", "walked"),
                ("stop", "stopped"),
                ("try", "tried"),
                ("visit", "visited"),
                ("give up", "gave up"),
                ("overtake", "overtook"),
            ],
        );
        check(Tag::VBN, &[("write", "written"), ("admit", "admitted"), ("play", "played"), ("rebuild", "rebuilt")]);
        check(
            Tag::VBG,
            &[("lie", "lying"), ("make", "making"), ("see", "seeing"), ("run", "running"), ("open", "opening"), ("fix", "fixing")],
        );
        check(Tag::VBZ, &[("go", "goes"), ("cry", "cries"), ("be", "is"), ("watch", "watches")]);
    }

    #[test]
    fn degrees_are_formed() {
        check(Tag::JJR, &[("big", "bigger"), ("happy", "happier"), ("nice", "nicer"), ("beautiful", "more beautiful"), ("good", "better")]);
        check(Tag::JJS, &[("simple", "simplest"), ("narrow", "narrowest"), ("careful", "most careful")]);
    }

    #[test]
    fn inflected_forms_are_lemmatised_back() {
        for noun in ["dog", "city", "box", "wolf", "child", "church", "movie", "hero"] {
            assert_eq!(lemma_of(&plural(noun), Tag::NNS), noun);
        }
        for verb in ["hope", "hop", "try", "stop", "give", "lie", "agree", "play", "control", "take", "make", "use"] {
            assert_eq!(lemma_of(&past(verb), Tag::VBD), verb);
            assert_eq!(lemma_of(&gerund(verb), Tag::VBG), verb);
            assert_eq!(lemma_of(&third_person(verb), Tag::VBZ), verb);
        }
    }
}
