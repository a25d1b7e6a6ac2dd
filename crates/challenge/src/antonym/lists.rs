//! The word lists that ship with the program: allowed and blocked pairs, fixed phrases, nouns, cue words.

use super::candidate::forms_of;
use super::filter::FILTERS;
use super::settings::part_of_name;
use acidtest_lingua::wordnet::{PartOfSpeech, SynsetId, WordNet};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists::read().expect("the shipped lists can be read, as a test reads them"));

/// All word lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// The allowed pairs, in the order of the file.
    pub(super) pairs: Vec<ListedPair>,
    by_word: HashMap<&'static str, Vec<usize>>,
    /// The forms of all antonyms of each word, whichever way round they are listed.
    opposed_forms: HashMap<(PartOfSpeech, &'static str), HashSet<String>>,
    blocked: HashSet<(PartOfSpeech, &'static str, &'static str)>,
    phrases: Vec<Vec<PhrasePart>>,
    /// The phrases that each of their words occurs in, with its place there.
    phrases_by_word: HashMap<&'static str, Vec<(usize, usize)>>,
    heads: HashMap<&'static str, HeadList>,
    cues: HashMap<&'static str, HashSet<&'static str>>,
}

/// A change that the list allows.
#[derive(Debug)]
pub(super) struct ListedPair {
    /// The word class.
    pub(super) part: PartOfSpeech,
    /// The word that may be changed.
    pub(super) word: &'static str,
    /// What it is changed to.
    pub(super) antonym: &'static str,
    /// What kind of opposites they are.
    pub(super) kind: AntonymType,
    /// What must hold of the sentence.
    pub(super) conditions: Vec<Condition>,
}

/// What kind of opposites two words are (Naik et al. 2018, section 4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AntonymType {
    /// There is something between them: hot and cold.
    Gradable,
    /// One or the other: dead and alive.
    Complementary,
    /// Two ends of one relation: host and guest.
    Relational,
    /// Not in the list.
    Unknown,
}

impl AntonymType {
    /// The name in tags and in the list.
    pub(super) fn name(self) -> &'static str {
        match self {
            AntonymType::Gradable => "gradable",
            AntonymType::Complementary => "complementary",
            AntonymType::Relational => "relational",
            AntonymType::Unknown => "unknown",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [AntonymType::Gradable, AntonymType::Complementary, AntonymType::Relational].into_iter().find(|kind| kind.name() == name)
    }
}

/// What must hold of a sentence before a pair is used in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    Predicative,
    Attributive,
    Head(&'static str),
    NotHead(&'static str),
    Subject(&'static str),
    Object(&'static str),
    NotNext(Vec<&'static str>),
    Next(Vec<&'static str>),
    After(Vec<&'static str>),
    Definite,
    Determiner,
    NoArticle,
    NoPossessor,
    HasObject,
    NoObject,
    NoParticle,
    Infinitive,
    NoInfinitive,
    /// Not modified by a word of this list.
    NotWith(&'static str),
    Scene,
    Singular,
    SingularNoun,
    Impersonal,
    PlainDegree,
    Past,
    NoClause,
    NoAdjective,
    OutsideSubject,
}

impl Condition {
    fn read(text: &'static str) -> Option<Condition> {
        let words = |words: &'static str| words.split('|').collect();
        Some(match text.split_once(':') {
            Some(("head", list)) => Condition::Head(list),
            Some(("not", list)) => Condition::NotHead(list),
            Some(("subject", list)) => Condition::Subject(list),
            Some(("object", list)) => Condition::Object(list),
            Some(("not-with", list)) => Condition::NotWith(list),
            Some(("no", next)) => Condition::NotNext(words(next)),
            Some(("before", next)) => Condition::Next(words(next)),
            Some(("after", last)) => Condition::After(words(last)),
            Some(_) => return None,
            None => match text {
                "no-clause" => Condition::NoClause,
                "no-adjective" => Condition::NoAdjective,
                "outside-subject" => Condition::OutsideSubject,
                "predicative" => Condition::Predicative,
                "attributive" => Condition::Attributive,
                "definite" => Condition::Definite,
                "determiner" => Condition::Determiner,
                "no-article" => Condition::NoArticle,
                "possessor-free" => Condition::NoPossessor,
                "object" => Condition::HasObject,
                "no-object" => Condition::NoObject,
                "no-particle" => Condition::NoParticle,
                "infinitive" => Condition::Infinitive,
                "no-infinitive" => Condition::NoInfinitive,
                "scene" => Condition::Scene,
                "singular" => Condition::Singular,
                "singular-noun" => Condition::SingularNoun,
                "impersonal" => Condition::Impersonal,
                "plain-degree" => Condition::PlainDegree,
                "past" => Condition::Past,
                _ => return None,
            },
        })
    }

    /// The list of nouns that it names.
    fn list(&self) -> Option<&'static str> {
        match self {
            Condition::Head(list)
            | Condition::NotHead(list)
            | Condition::Subject(list)
            | Condition::Object(list)
            | Condition::NotWith(list) => Some(list),
            _ => None,
        }
    }
}

/// A part of a fixed phrase.
#[derive(Debug)]
pub(super) enum PhrasePart {
    /// One of these words.
    Word(Vec<&'static str>),
    /// Up to three words.
    Gap,
}

/// A list of nouns.
#[derive(Debug, Default)]
struct HeadList {
    words: HashSet<&'static str>,
    left_out: HashSet<&'static str>,
    synsets: Vec<SynsetId>,
}

impl Lists {
    /// The shipped lists; read at the first call.
    pub(super) fn get() -> &'static Lists {
        &LISTS
    }

    /// The allowed changes of a dictionary form.
    pub(super) fn of_word(&'static self, part: PartOfSpeech, word: &str) -> impl Iterator<Item = &'static ListedPair> + use<> {
        let found = self.by_word.get(word).into_iter().flatten();
        found.map(|&place| &self.pairs[place]).filter(move |pair| pair.part == part)
    }

    /// Whether a form, in lower case, is one of an antonym of a word.
    pub(super) fn is_form_of_antonym(&self, part: PartOfSpeech, word: &str, form: &str) -> bool {
        self.opposed_forms.get(&(part, word)).is_some_and(|forms| forms.contains(form))
    }

    /// Whether an antonym of WordNet is never used.
    pub(super) fn is_blocked(&self, part: PartOfSpeech, word: &str, antonym: &str) -> bool {
        self.blocked.contains(&(part, word, antonym))
    }

    /// What kind of opposites two words are, whichever way round they are listed.
    pub(super) fn type_of(&'static self, part: PartOfSpeech, word: &str, antonym: &str) -> AntonymType {
        let listed = |from, to| self.of_word(part, from).find(|pair| pair.antonym == to).map(|pair| pair.kind);
        listed(word, antonym).or_else(|| listed(antonym, word)).unwrap_or(AntonymType::Unknown)
    }

    /// The fixed phrases that a word occurs in, with its place there.
    pub(super) fn phrases_with(&'static self, word: &str) -> impl Iterator<Item = (&'static [PhrasePart], usize)> + use<> {
        self.phrases_by_word.get(word).into_iter().flatten().map(|&(phrase, place)| (self.phrases[phrase].as_slice(), place))
    }

    /// Whether a noun is in a list.
    pub(super) fn is_in(&self, list: &str, lemma: &str) -> bool {
        let Some(list) = self.heads.get(list) else { return false };
        if list.left_out.contains(lemma) {
            return false;
        }
        list.words.contains(lemma) || list.holds_sense_of(lemma)
    }

    /// Whether a word is a cue of a filter.
    pub(super) fn is_cue(&self, filter: &str, word: &str) -> bool {
        self.cues.get(filter).is_some_and(|words| words.contains(word))
    }

    fn read() -> Result<Lists, String> {
        let mut lists = Lists {
            pairs: Vec::new(),
            by_word: HashMap::new(),
            opposed_forms: HashMap::new(),
            blocked: HashSet::new(),
            phrases: Vec::new(),
            phrases_by_word: HashMap::new(),
            heads: HashMap::new(),
            cues: HashMap::new(),
        };
        for line in lines(include_str!("../../data/antonym/heads.tsv")) {
            let (name, words) = line.split_once('\t').ok_or_else(|| format!("heads.tsv: `{line}` has no tab"))?;
            lists.heads.insert(name, HeadList::read(words)?);
        }
        for line in lines(include_str!("../../data/antonym/pairs.tsv")) {
            lists.add_pair(line).ok_or_else(|| format!("pairs.tsv: `{line}` cannot be read"))?;
        }
        for line in lines(include_str!("../../data/antonym/blocked.tsv")) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [part, word, antonym] = fields[..] else { return Err(format!("blocked.tsv: `{line}` does not have three fields")) };
            let part = part_of_name(part).ok_or_else(|| format!("blocked.tsv: `{part}` is not a word class"))?;
            lists.blocked.insert((part, word, antonym));
        }
        for line in lines(include_str!("../../data/antonym/phrases.txt")) {
            lists.add_phrase(line);
        }
        for line in lines(include_str!("../../data/antonym/cues.tsv")) {
            let (filter, words) = line.split_once('\t').ok_or_else(|| format!("cues.tsv: `{line}` has no tab"))?;
            if !FILTERS.iter().any(|entry| entry.name == filter) {
                return Err(format!("cues.tsv: no filter is called `{filter}`"));
            }
            lists.cues.insert(filter, words.split(' ').collect());
        }
        Ok(lists)
    }

    fn add_pair(&mut self, line: &'static str) -> Option<()> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [part, word, antonym, kind, conditions] = fields[..] else { return None };
        let (part, kind) = (part_of_name(part)?, AntonymType::from_name(kind)?);
        let conditions: Vec<Condition> =
            conditions.split(',').filter(|condition| *condition != "-").map(Condition::read).collect::<Option<_>>()?;
        if conditions.iter().filter_map(Condition::list).any(|list| !self.heads.contains_key(list)) {
            return None;
        }
        self.by_word.entry(word).or_default().push(self.pairs.len());
        for (word, other) in [(word, antonym), (antonym, word)] {
            self.opposed_forms.entry((part, word)).or_default().extend(forms_of(other, part));
        }
        self.pairs.push(ListedPair { part, word, antonym, kind, conditions });
        Some(())
    }

    fn add_phrase(&mut self, line: &'static str) {
        let part = |part: &'static str| if part == ".." { PhrasePart::Gap } else { PhrasePart::Word(part.split('|').collect()) };
        let phrase: Vec<PhrasePart> = line.split(' ').map(part).collect();
        for (place, part) in phrase.iter().enumerate() {
            let PhrasePart::Word(words) = part else { continue };
            for word in words {
                self.phrases_by_word.entry(word).or_default().push((self.phrases.len(), place));
            }
        }
        self.phrases.push(phrase);
    }
}

impl HeadList {
    fn read(words: &'static str) -> Result<HeadList, String> {
        let mut list = HeadList::default();
        for word in words.split(' ') {
            if let Some(name) = word.strip_prefix('+') {
                list.synsets.push(synset(name).ok_or_else(|| format!("heads.tsv: no synset `{name}`"))?);
            } else if let Some(word) = word.strip_prefix('-') {
                list.left_out.insert(word);
            } else {
                list.words.insert(word);
            }
        }
        Ok(list)
    }

    /// Whether the most frequent sense of a noun is one of the synsets or below one.
    fn holds_sense_of(&self, lemma: &str) -> bool {
        if self.synsets.is_empty() {
            return false;
        }
        let net = WordNet::get();
        let Some(&(first, _)) = net.senses(lemma, PartOfSpeech::Noun).first() else { return false };
        self.synsets.contains(&first) || net.synset(first).ancestors().iter().any(|above| self.synsets.contains(&above.id()))
    }
}

/// The synset of a name such as `person.n.01`.
fn synset(name: &str) -> Option<SynsetId> {
    let net = WordNet::get();
    let word = name.split('.').next()?;
    net.senses(word, PartOfSpeech::Noun).iter().map(|&(id, _)| id).find(|&id| net.synset(id).name() == name)
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_lists_can_be_read() {
        let lists = Lists::read().unwrap();
        assert!(lists.pairs.len() > 900 && lists.phrases.len() > 300 && lists.blocked.len() > 60);
    }

    #[test]
    fn no_pair_is_listed_twice_or_blocked_or_its_own_antonym() {
        let lists = Lists::get();
        let mut seen = HashSet::new();
        for pair in &lists.pairs {
            let key = format!("{:?} {} {} {:?}", pair.part, pair.word, pair.antonym, pair.conditions);
            assert!(seen.insert(key.clone()), "{key} is listed twice");
            assert!(!lists.is_blocked(pair.part, pair.word, pair.antonym), "{key} is blocked");
            assert_ne!(pair.word, pair.antonym);
        }
    }

    #[test]
    fn a_pair_has_one_type_whichever_way_round() {
        let lists = Lists::get();
        for pair in &lists.pairs {
            for other in lists.of_word(pair.part, pair.word).chain(lists.of_word(pair.part, pair.antonym)) {
                if (other.word, other.antonym) == (pair.word, pair.antonym) || (other.antonym, other.word) == (pair.word, pair.antonym) {
                    assert_eq!(other.kind, pair.kind, "{} and {}", pair.word, pair.antonym);
                }
            }
        }
    }

    #[test]
    fn words_are_written_small_and_in_one_piece() {
        let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(Lists::get().pairs.iter().all(|pair| plain(pair.word) && plain(pair.antonym)));
    }

    #[test]
    fn nouns_are_in_lists_by_word_or_by_sense() {
        let lists = Lists::get();
        assert!(lists.is_in("person", "firefighter") && lists.is_in("person", "man"));
        assert!(!lists.is_in("person", "table") && !lists.is_in("person", "number"));
        assert!(lists.is_in("thing", "bicycle") && !lists.is_in("thing", "year"));
    }
}
