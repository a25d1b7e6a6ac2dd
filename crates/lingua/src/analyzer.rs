//! The complete analysis of a text: sentences, words, tags, parses, names and numbers.

use crate::{
    lemma::likeliest_lemma,
    names::{Name, NameFinder},
    numbers::{Number, find_numbers},
    parse::{LIKELY, Parser, Relation},
    reach::within_reach,
    tag::{Tag, Tagger},
    tokens::{Token, sentences, tokenize},
    words::{Capitalisation, SentenceMode, SurfaceFeatures, WordList},
};
use std::{borrow::Cow, ops::Range, sync::LazyLock};

/// The built-in models. One analyzer can be used by any number of threads.
///
/// ```
/// use acidtest_lingua::{analyzer::Analyzer, parse::Relation};
/// let document = Analyzer::shared().analyze("The old man saw two dogs.");
/// let words = &document.sentences[0].words;
/// assert_eq!(words[2].relation, Relation::Nsubj);
/// assert_eq!(words[5].lemma(), "dog");
/// assert_eq!(document.numbers[0].value, 2.0);
/// ```
#[derive(Debug, Clone)]
pub struct Analyzer {
    words: WordList,
    tagger: Tagger,
    parser: Parser,
    names: NameFinder,
}

/// The serialised models.
#[derive(Debug, Clone)]
pub struct Models {
    /// The word list.
    pub words: Cow<'static, [u8]>,
    /// The tagger.
    pub tagger: Cow<'static, [u8]>,
    /// The parser.
    pub parser: Cow<'static, [u8]>,
    /// The name tagger.
    pub names: Cow<'static, [u8]>,
}

static SHARED: LazyLock<Analyzer> = LazyLock::new(Analyzer::new);

/// An analysed text.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The text.
    pub text: String,
    /// Its sentences.
    pub sentences: Vec<AnalyzedSentence>,
    /// Its numbers, by byte span.
    pub numbers: Vec<Number>,
}

/// An analysed sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalyzedSentence {
    /// The first byte in the text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// Its words and punctuation marks.
    pub words: Vec<Word>,
    /// The names in it.
    pub names: Vec<Name>,
}

/// An analysed word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word as written.
    pub form: String,
    /// The first byte in the text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The Penn tag.
    pub tag: Tag,
    /// The head in the sentence, from 1; 0 for the root.
    pub head: usize,
    /// The relation to the head.
    pub relation: Relation,
    /// The most probable tags with their weights, best first.
    likely: [(Tag, u8); LIKELY],
}

impl Word {
    /// The lemma: the most probable one over all likely tags of the word.
    pub fn lemma(&self) -> String {
        likeliest_lemma(&self.form, &self.likely)
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        Analyzer::new()
    }
}

impl Analyzer {
    /// Loads the built-in models, which takes a few milliseconds; [`Analyzer::shared`] loads them only once.
    pub fn new() -> Analyzer {
        let models = Models {
            words: include_bytes!("../data/words.bin").as_slice().into(),
            tagger: include_bytes!("../data/tagger.bin").as_slice().into(),
            parser: include_bytes!("../data/parser.bin").as_slice().into(),
            names: include_bytes!("../data/names.bin").as_slice().into(),
        };
        Analyzer::with_models(models).expect("the shipped models are whole, as every test loads them")
    }

    /// An analyzer with the given models; `None` if they are damaged.
    pub fn with_models(models: Models) -> Option<Analyzer> {
        Some(Analyzer {
            words: WordList::from_bytes(models.words)?,
            tagger: Tagger::from_bytes(models.tagger)?,
            parser: Parser::from_bytes(&models.parser)?,
            names: NameFinder::from_bytes(models.names)?,
        })
    }

    /// The shared analyzer of the program.
    pub fn shared() -> &'static Analyzer {
        &SHARED
    }

    /// Analyses a text.
    pub fn analyze(&self, text: &str) -> Document {
        self.analyze_all(&[text]).pop().unwrap_or_else(|| Document { text: text.to_owned(), sentences: Vec::new(), numbers: Vec::new() })
    }

    /// Analyses many texts; faster than one by one, and with the same results. Of a very long text, only the beginning is analysed ([`crate::reach`]).
    pub fn analyze_all(&self, texts: &[&str]) -> Vec<Document> {
        let texts: Vec<&str> = texts.iter().map(|text| within_reach(text)).collect();
        let mut pieces: Vec<(usize, Range<usize>)> = Vec::new();
        let mut forms: Vec<Vec<(Range<usize>, &str)>> = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            for tokens in cut(text) {
                let Some((first, last)) = tokens.first().zip(tokens.last()) else { continue };
                pieces.push((number, first.start..last.end));
                forms.push(tokens.iter().map(|token| (token.range(), token.text(text))).collect());
            }
        }
        let plain: Vec<Vec<&str>> = forms.iter().map(|words| words.iter().map(|(_, form)| *form).collect()).collect();
        let analysed = self.analyze_forms(&plain);
        let mut documents: Vec<Document> =
            texts.iter().map(|text| Document { text: (*text).to_owned(), sentences: Vec::new(), numbers: find_numbers(text) }).collect();
        for (((number, range), forms), mut sentence) in pieces.into_iter().zip(forms).zip(analysed) {
            (sentence.start, sentence.end) = (range.start, range.end);
            for (word, (range, _)) in sentence.words.iter_mut().zip(forms) {
                (word.start, word.end) = (range.start, range.end);
            }
            documents[number].sentences.push(sentence);
        }
        documents
    }

    /// Analyses tokenised sentences; offsets refer to the words joined by single spaces.
    pub fn analyze_forms<S: AsRef<str>>(&self, sentences: &[Vec<S>]) -> Vec<AnalyzedSentence> {
        let surfaces: Vec<Vec<SurfaceFeatures>> = sentences.iter().map(|forms| self.surface(forms.iter().map(AsRef::as_ref))).collect();
        let tags: Vec<Vec<Tag>> = surfaces.iter().map(|surfaces| self.tagger.tag(surfaces)).collect();
        let inputs: Vec<(&[SurfaceFeatures], &[Tag])> =
            surfaces.iter().zip(&tags).map(|(surfaces, tags)| (surfaces.as_slice(), tags.as_slice())).collect();
        let parses = self.parser.parse_all(&self.words, &inputs);
        let mut analysed = Vec::with_capacity(sentences.len());
        for (((forms, surfaces), tags), arcs) in sentences.iter().zip(&surfaces).zip(&tags).zip(parses) {
            let mut at = 0;
            let word = |((form, surface), arc): ((&S, &SurfaceFeatures), crate::parse::Arc)| {
                let likely = common_when_small(surface, arc.likely);
                let start = at;
                at += form.as_ref().len() + 1;
                Word {
                    form: form.as_ref().to_owned(),
                    start,
                    end: at - 1,
                    tag: likely[0].0,
                    likely,
                    head: arc.head,
                    relation: arc.relation,
                }
            };
            let words: Vec<Word> = forms.iter().zip(surfaces).zip(arcs).map(word).collect();
            let end = words.last().map_or(0, |word| word.end);
            analysed.push(AnalyzedSentence { start: 0, end, words, names: self.names.find(surfaces, tags) });
        }
        analysed
    }

    /// The Penn tags of a tokenised sentence; much faster than the complete analysis, whose
    /// tags are more accurate because the parser revises them.
    ///
    /// ```
    /// use acidtest_lingua::{analyzer::Analyzer, tag::Tag};
    /// assert_eq!(Analyzer::shared().tags(["The", "dog", "runs", "."]), [Tag::DT, Tag::NN, Tag::VBZ, Tag::Stop]);
    /// ```
    pub fn tags<'a>(&self, forms: impl IntoIterator<Item = &'a str>) -> Vec<Tag> {
        self.tagger.tag(&self.surface(forms))
    }

    /// The words of a text with their spans and Penn tags, over all sentences; as fast as [`Analyzer::tags`]. Of a very long text, only
    /// the beginning is analysed ([`crate::reach`]).
    ///
    /// ```
    /// use acidtest_lingua::{analyzer::Analyzer, tag::Tag};
    /// let text = "The dog runs.";
    /// let found: Vec<(&str, Tag)> = Analyzer::shared().tag_text(text).iter().map(|(token, tag)| (token.text(text), *tag)).collect();
    /// assert_eq!(found, [("The", Tag::DT), ("dog", Tag::NN), ("runs", Tag::VBZ), (".", Tag::Stop)]);
    /// ```
    pub fn tag_text(&self, text: &str) -> Vec<(Token, Tag)> {
        let text = within_reach(text);
        let mut tagged = Vec::with_capacity(text.len() / 4);
        for tokens in cut(text) {
            let tags = self.tags(tokens.iter().map(|token| token.text(text)));
            tagged.extend(tokens.into_iter().zip(tags));
        }
        tagged
    }

    fn surface<'a>(&self, forms: impl IntoIterator<Item = &'a str>) -> Vec<SurfaceFeatures> {
        let mut surfaces = self.words.surface(forms);
        self.tagger.disguise(&mut surfaces);
        surfaces
    }
}

/// Prefers common-noun tags for a lower-case word that is usually a name, in text with capitals: the fruit `apple` is not the company.
fn common_when_small(surface: &SurfaceFeatures, mut likely: [(Tag, u8); LIKELY]) -> [(Tag, u8); LIKELY] {
    let small = surface.case == Capitalisation::Lower && surface.mode == SentenceMode::Mixed;
    let common = surface.classes & 1 == 1 && surface.classes & 0x80 == 0;
    if small && common && likely[0].0.is_proper_noun() {
        match likely.iter().position(|(tag, weight)| !tag.is_proper_noun() && *weight > 0) {
            Some(place) => likely.swap(0, place),
            None => likely[0].0 = if likely[0].0 == Tag::NNPS { Tag::NNS } else { Tag::NN },
        }
    }
    likely
}

/// The maximum length of a parsed sentence in words. Every pair of words is scored, so a book without full stops would exhaust the
/// memory.
const MOST_WORDS: usize = 256;

/// Tokenises a text into sentences; very long ones are split.
fn cut(text: &str) -> Vec<Vec<Token>> {
    let mut cut = Vec::new();
    for range in sentences(text) {
        let place = |token: Token| Token { start: range.start + token.start, end: range.start + token.end };
        let tokens: Vec<Token> = tokenize(&text[range.clone()]).into_iter().map(place).collect();
        let mut rest = tokens.as_slice();
        while rest.len() > MOST_WORDS {
            // After the last punctuation mark in the second half, if there is one.
            let is_mark = |token: &Token| matches!(token.text(text), "." | "," | ";" | ":" | "!" | "?" | "--" | "...");
            let at = rest[MOST_WORDS / 2..MOST_WORDS].iter().rposition(is_mark).map_or(MOST_WORDS, |mark| MOST_WORDS / 2 + mark + 1);
            let (piece, after) = rest.split_at(at);
            cut.push(piece.to_vec());
            rest = after;
        }
        if rest.len() == tokens.len() && !rest.is_empty() {
            cut.push(tokens);
        } else if !rest.is_empty() {
            cut.push(rest.to_vec());
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::is_tree;
    use proptest::prelude::*;

    #[test]
    fn pieces_of_a_long_sentence_do_not_reserve_extra_memory() {
        let text = "a ".repeat(20 * MOST_WORDS + 3);
        let pieces = cut(&text);
        assert_eq!(pieces.iter().map(Vec::len).sum::<usize>(), 20 * MOST_WORDS + 3);
        assert!(pieces.iter().all(|piece| piece.capacity() <= MOST_WORDS), "{:?}", pieces.iter().map(Vec::capacity).collect::<Vec<_>>());
    }

    #[test]
    fn analysis_is_the_same_alone_and_in_a_batch() {
        let texts = ["A dog runs.", "The old man, who was tired, sat on a chair near the door and slept.", "", "Two!"];
        let together = Analyzer::shared().analyze_all(&texts);
        for (text, document) in texts.iter().zip(together) {
            assert_eq!(Analyzer::shared().analyze(text), document);
        }
    }

    #[test]
    fn a_very_long_sentence_is_split_at_punctuation() {
        let text = format!("{}, {}", "dog ".repeat(200).trim_end(), "cat ".repeat(100));
        let lengths: Vec<usize> = Analyzer::shared().analyze(&text).sentences.iter().map(|sentence| sentence.words.len()).collect();
        assert_eq!(lengths, [201, 100]);
        assert_eq!(Analyzer::shared().tag_text(&text).len(), 301);
        let lengths: Vec<usize> = cut(&"dog ".repeat(600)).iter().map(Vec::len).collect();
        assert_eq!(lengths, [256, 256, 88]);
    }

    #[test]
    fn spoken_text_is_tagged() {
        let tags = Analyzer::shared().tags("uh i do n't know what you 're talking about".split(' '));
        let names: Vec<&str> = tags.iter().map(|tag| tag.name()).collect();
        assert_eq!(names, ["UH", "PRP", "VBP", "RB", "VB", "WP", "PRP", "VBP", "VBG", "IN"]);
    }

    #[test]
    fn a_name_in_lower_case_is_a_common_noun() {
        let document = Analyzer::shared().analyze("He ate an apple. Apple sells phones.");
        assert_eq!(document.sentences[0].words[3].tag, Tag::NN);
        assert_eq!(document.sentences[1].words[0].tag, Tag::NNP);
    }

    #[test]
    fn short_sentences_have_a_verb() {
        for text in ["The dog barks.", "He portrays a king."] {
            let sentence = &Analyzer::shared().analyze(text).sentences[0];
            let root = sentence.words.iter().find(|word| word.relation == Relation::Root).unwrap();
            assert_eq!(root.tag, Tag::VBZ, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_gives_trees_over_its_words(text in "\\PC{0,80}|([a-zA-Z]{1,7}[ ,.?']){0,20}") {
            let document = Analyzer::shared().analyze(&text);
            for sentence in &document.sentences {
                prop_assert!(is_tree(&sentence.words.iter().map(|word| word.head).collect::<Vec<_>>()));
                for word in &sentence.words {
                    prop_assert_eq!(&text[word.start..word.end], word.form.as_str());
                }
            }
        }
    }
}
