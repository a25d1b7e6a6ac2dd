//! The Penn Treebank tags, with the additions of newer treebanks (`HYPH`, `NFP`, `ADD`, `AFX`, `GW`).

use std::fmt;

/// A Penn part-of-speech tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(clippy::upper_case_acronyms)] // the tags are written this way everywhere
pub enum Tag {
    /// Coordinating conjunction.
    CC,
    /// Cardinal number.
    CD,
    /// Determiner.
    DT,
    /// Existential *there*.
    EX,
    /// Foreign word.
    FW,
    /// Preposition or subordinating conjunction.
    IN,
    /// Adjective.
    JJ,
    /// Comparative adjective.
    JJR,
    /// Superlative adjective.
    JJS,
    /// List item marker.
    LS,
    /// Modal.
    MD,
    /// Singular or mass noun.
    NN,
    /// Plural noun.
    NNS,
    /// Singular proper noun.
    NNP,
    /// Plural proper noun.
    NNPS,
    /// Predeterminer.
    PDT,
    /// Possessive ending.
    POS,
    /// Personal pronoun.
    PRP,
    /// Possessive pronoun, `PRP$`.
    PRPS,
    /// Adverb.
    RB,
    /// Comparative adverb.
    RBR,
    /// Superlative adverb.
    RBS,
    /// Particle.
    RP,
    /// Symbol.
    SYM,
    /// *to*.
    TO,
    /// Interjection.
    UH,
    /// Verb, base form.
    VB,
    /// Verb, past tense.
    VBD,
    /// Verb, gerund or present participle.
    VBG,
    /// Verb, past participle.
    VBN,
    /// Verb, present but not third person singular.
    VBP,
    /// Verb, third person singular present.
    VBZ,
    /// Wh-determiner.
    WDT,
    /// Wh-pronoun.
    WP,
    /// Possessive wh-pronoun, `WP$`.
    WPS,
    /// Wh-adverb.
    WRB,
    /// Sentence-final punctuation, `.`.
    Stop,
    /// Comma, `,`.
    Comma,
    /// Colon, semicolon, dash or ellipsis, `:`.
    Colon,
    /// Opening quotation mark.
    OpenQuote,
    /// Closing quotation mark, `''`.
    CloseQuote,
    /// Opening bracket, `-LRB-`.
    OpenBracket,
    /// Closing bracket, `-RRB-`.
    CloseBracket,
    /// Currency sign, `$`.
    Currency,
    /// Hyphen between parts of a word, `HYPH`.
    Hyphen,
    /// Superfluous punctuation.
    NFP,
    /// Email or web address.
    ADD,
    /// Affix written separately.
    AFX,
    /// Part of a word that was wrongly split.
    GW,
    /// Number sign, `#`.
    Hash,
}

/// Every tag with its written name, in the order of the enum.
#[rustfmt::skip]
const NAMES: [(Tag, &str); 50] = [
    (Tag::CC, "CC"), (Tag::CD, "CD"), (Tag::DT, "DT"), (Tag::EX, "EX"), (Tag::FW, "FW"), (Tag::IN, "IN"), (Tag::JJ, "JJ"),
    (Tag::JJR, "JJR"), (Tag::JJS, "JJS"), (Tag::LS, "LS"), (Tag::MD, "MD"), (Tag::NN, "NN"), (Tag::NNS, "NNS"), (Tag::NNP, "NNP"),
    (Tag::NNPS, "NNPS"), (Tag::PDT, "PDT"), (Tag::POS, "POS"), (Tag::PRP, "PRP"), (Tag::PRPS, "PRP$"), (Tag::RB, "RB"),
    (Tag::RBR, "RBR"), (Tag::RBS, "RBS"), (Tag::RP, "RP"), (Tag::SYM, "SYM"), (Tag::TO, "TO"), (Tag::UH, "UH"), (Tag::VB, "VB"),
    (Tag::VBD, "VBD"), (Tag::VBG, "VBG"), (Tag::VBN, "VBN"), (Tag::VBP, "VBP"), (Tag::VBZ, "VBZ"), (Tag::WDT, "WDT"),
    (Tag::WP, "WP"), (Tag::WPS, "WP$"), (Tag::WRB, "WRB"), (Tag::Stop, "."), (Tag::Comma, ","), (Tag::Colon, ":"),
    (Tag::OpenQuote, "``"), (Tag::CloseQuote, "''"), (Tag::OpenBracket, "-LRB-"), (Tag::CloseBracket, "-RRB-"),
    (Tag::Currency, "$"), (Tag::Hyphen, "HYPH"), (Tag::NFP, "NFP"), (Tag::ADD, "ADD"), (Tag::AFX, "AFX"), (Tag::GW, "GW"),
    (Tag::Hash, "#"),
];

/// The length and the bytes of a written name in one number, so that the names of many leaves are found quickly.
#[derive(Clone, Copy, PartialEq, Eq)]
struct NameKey(u64);

impl NameKey {
    /// `None` for a text that is longer than any name.
    const fn of(name: &[u8]) -> Option<Self> {
        if name.len() > 7 {
            return None;
        }
        let (mut key, mut at) = (name.len() as u64, 0);
        while at < name.len() {
            key = key << 8 | name[at] as u64;
            at += 1;
        }
        Some(NameKey(key))
    }
}

/// The keys of [`NAMES`].
const KEYS: [NameKey; NAMES.len()] = {
    let (mut keys, mut at) = ([NameKey(0); NAMES.len()], 0);
    while at < keys.len() {
        keys[at] = NameKey::of(NAMES[at].1.as_bytes()).expect("no name is longer than 7 bytes");
        at += 1;
    }
    keys
};

impl Tag {
    /// The number of tags.
    pub const COUNT: usize = NAMES.len();

    /// All tags in order.
    pub fn all() -> impl Iterator<Item = Tag> {
        NAMES.iter().map(|&(tag, _)| tag)
    }

    /// The tag as the treebanks write it: `PRP$`, `-LRB-`, `.`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The tag of a written name.
    ///
    /// ```
    /// use acidtest_lingua::tag::Tag;
    /// assert_eq!(Tag::from_name("PRP$"), Some(Tag::PRPS));
    /// assert_eq!(Tag::from_name("X"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Tag> {
        let key = NameKey::of(name.as_bytes())?;
        KEYS.iter().position(|known| *known == key).and_then(Tag::from_number)
    }

    /// The tag with this number.
    pub fn from_number(number: usize) -> Option<Tag> {
        NAMES.get(number).map(|&(tag, _)| tag)
    }

    /// A common or proper noun.
    pub fn is_noun(self) -> bool {
        matches!(self, Tag::NN | Tag::NNS | Tag::NNP | Tag::NNPS)
    }

    /// A proper noun.
    pub fn is_proper_noun(self) -> bool {
        matches!(self, Tag::NNP | Tag::NNPS)
    }

    /// A verb in any form; modals are not counted.
    pub fn is_verb(self) -> bool {
        matches!(self, Tag::VB | Tag::VBD | Tag::VBG | Tag::VBN | Tag::VBP | Tag::VBZ)
    }

    /// An adjective of any degree.
    pub fn is_adjective(self) -> bool {
        matches!(self, Tag::JJ | Tag::JJR | Tag::JJS)
    }

    /// An adverb of any degree.
    pub fn is_adverb(self) -> bool {
        matches!(self, Tag::RB | Tag::RBR | Tag::RBS | Tag::WRB)
    }

    /// Punctuation: stops, commas, quotes, brackets, dashes.
    pub fn is_punctuation(self) -> bool {
        use Tag::*;
        matches!(self, Stop | Comma | Colon | OpenQuote | CloseQuote | OpenBracket | CloseBracket | Hyphen | NFP)
    }

    /// A content word: noun, verb, adjective or adverb.
    pub fn is_content(self) -> bool {
        self.is_noun() || self.is_verb() || self.is_adjective() || self.is_adverb()
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_survive_a_round_trip_through_name_and_number() {
        for (number, tag) in Tag::all().enumerate() {
            assert_eq!(Tag::from_name(tag.name()), Some(tag));
            assert_eq!(Tag::from_number(number), Some(tag));
            assert_eq!(tag as usize, number);
        }
    }

    #[test]
    fn what_is_no_name_has_no_tag() {
        for name in ["", "V", "vb", "VB\0", "\0VB", "VBZZ", "-LRB-RRB", "PRP$ ", "é"] {
            assert_eq!(Tag::from_name(name), None, "{name:?}");
        }
    }
}
