//! The analysis of a sentence: words, tags, constituents, clauses, names and numbers, from the corpus's parse if there is one, else from our own tools.
//!
//! A [`View`] is made once per sentence and shared by everything that needs it. Each part of the analysis is computed lazily, on first
//! use, and cached. [`View::edit`] changes the sentence.
//!
//! ```
//! use acidtest_lingua::view::{Origin, View};
//! let view = View::new("The old clock stopped.", Some("(ROOT (S (NP (DT The) (JJ old) (NN clock)) (VP (VBD stopped)) (. .)))"), None);
//! assert_eq!(view.words()[2].form, "clock");
//! assert_eq!(view.tag(2), "NN");
//! assert_eq!(view.tag_origin(), Origin::Corpus);
//! ```

use crate::analysis::Analysis;
use crate::analyzer::{Analyzer, Document};
use crate::edit::Edit;
use crate::lemma::lemma_of;
use crate::names::Name;
use crate::numbers::{Number, find_numbers};
use crate::reach::{is_parse_within_reach, within_reach};
use crate::tag::Tag;
use crate::tokens::{sentences, tokenize};
use crate::tree::{Leaf, Tree, TreeError, scan_leaves};
use crate::{align, inflect};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A sentence with its cached analysis. It is used by one thread and short-lived.
#[derive(Debug)]
pub struct View<'a> {
    text: &'a str,
    parse: Option<&'a str>,
    binary: Option<&'a str>,
    /// Apart, because many sentences are never analysed: their views cost almost nothing. Equal sentences may share it.
    found: OnceCell<Rc<ViewCache<'a>>>,
}

/// The parts of the analysis that have been computed.
#[derive(Debug, Default)]
struct ViewCache<'a> {
    penn_tree: OnceCell<Result<Tree<'a>, TreeError>>,
    binary_tree: OnceCell<Result<Tree<'a>, TreeError>>,
    words: OnceCell<Vec<ViewWord<'a>>>,
    whitespace_words: OnceCell<Vec<Range<usize>>>,
    leaves: OnceCell<Vec<Leaf<'a>>>,
    document: OnceCell<Document>,
    analysis: OnceCell<Analysis>,
    numbers: OnceCell<Vec<Number>>,
}

/// A word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewWord<'a> {
    /// The word as in its tree (`-LRB-` for a bracket), or as in the text if there is no tree.
    pub form: &'a str,
    /// Its byte span in the text; `None` for a word of a tree that is not in the text.
    pub span: Option<Range<usize>>,
}

/// Where an analysis comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The corpus's parse.
    #[default]
    Corpus,
    /// The tagger and parser of this crate.
    Ours,
}

/// What views are prepared for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewNeed {
    /// Clauses, modifiers and constituents: sentences without a Penn-style parse are parsed by our own parser.
    Analysis,
    /// Names, which no corpus annotates.
    Names,
}

impl<'a> View<'a> {
    /// A view of a sentence with its Penn-style and binary parses, if there are any; blank and very long parses are ignored.
    /// Of a very long text, only the beginning is analysed ([`crate::reach`]).
    pub fn new(text: &'a str, parse: Option<&'a str>, binary: Option<&'a str>) -> Self {
        let filled = |parse: &&str| is_parse_within_reach(parse) && !parse.trim_ascii().is_empty();
        View { text, parse: parse.filter(filled), binary: binary.filter(filled), found: OnceCell::new() }
    }

    /// A view of a sentence without parses.
    pub fn plain(text: &'a str) -> Self {
        View::new(text, None, None)
    }

    /// Lets neighbouring views of the same sentence share their analysis, as corpora repeat premises.
    pub fn share<'v>(views: impl IntoIterator<Item = &'v View<'a>>)
    where
        'a: 'v,
    {
        let mut last: Option<&View<'a>> = None;
        for view in views {
            let is_same = |other: &&View<'a>| (view.text, view.parse, view.binary) == (other.text, other.parse, other.binary);
            match last.filter(is_same) {
                Some(other) => {
                    other.found();
                    if let Some(found) = other.found.get() {
                        let _ = view.found.set(Rc::clone(found));
                    }
                }
                None => last = Some(view),
            }
        }
    }

    /// Analyses many sentences at once, which is faster than one by one and gives the same result.
    pub fn prepare<'v>(views: impl IntoIterator<Item = &'v View<'a>>, need: ViewNeed)
    where
        'a: 'v,
    {
        let lacks = |view: &&View<'_>| !view.is_analyzed() && (need == ViewNeed::Names || view.penn_tree().is_none());
        let lacking: Vec<&View<'_>> = views.into_iter().filter(lacks).collect();
        if lacking.is_empty() {
            return;
        }
        // Corpora repeat premises: each text is analysed once.
        let mut places: HashMap<&str, usize> = HashMap::with_capacity(lacking.len());
        let mut texts: Vec<&str> = Vec::with_capacity(lacking.len());
        for view in &lacking {
            places.entry(view.text).or_insert_with(|| {
                texts.push(view.text);
                texts.len() - 1
            });
        }
        let documents = Analyzer::shared().analyze_all(&texts);
        for view in &lacking {
            let _ = view.found().document.set(documents[places[view.text]].clone());
        }
    }

    /// The text as a reader sees it.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The Penn-style parse of the corpus.
    pub fn parse(&self) -> Option<&'a str> {
        self.parse
    }

    /// The binary parse of the corpus.
    pub fn binary_parse(&self) -> Option<&'a str> {
        self.binary
    }

    /// Checks that the parses are well-formed.
    pub fn check_parses(&self) -> Result<(), TreeError> {
        [self.penn(), self.binary()].into_iter().flatten().try_for_each(|tree| tree.map(|_| ()).map_err(Clone::clone))
    }

    /// The Penn-style parse as a tree; `None` if it is malformed.
    pub fn penn_tree(&self) -> Option<&Tree<'a>> {
        self.penn().and_then(Result::ok)
    }

    /// The binary parse as a tree; `None` if it is malformed.
    pub fn binary_tree(&self) -> Option<&Tree<'a>> {
        self.binary().and_then(Result::ok)
    }

    /// The tree of the Penn-style parse, or else of the binary parse; malformed parses are ignored.
    pub fn tree(&self) -> Option<&Tree<'a>> {
        if self.parse.is_some() { self.penn_tree() } else { self.binary_tree() }
    }

    /// The words: those of the Penn-style parse, else of the binary parse, with their spans in the text; else our own tokens.
    pub fn words(&self) -> &[ViewWord<'a>] {
        self.found().words.get_or_init(|| {
            let forms: Vec<&'a str> = match (self.penn_leaves(), self.binary) {
                (Some(leaves), _) => leaves.map(|leaf| leaf.word).collect(),
                (None, Some(binary)) => binary_words(binary).collect(),
                (None, None) => return self.tokens(),
            };
            let spans = align::spans(forms.iter().copied(), self.text);
            forms.into_iter().zip(spans).map(|(form, span)| ViewWord { form, span }).collect()
        })
    }

    /// The words between spaces, without punctuation at both ends.
    pub fn whitespace_words(&self) -> &[Range<usize>] {
        self.found().whitespace_words.get_or_init(|| {
            let start_of = |word: &str| word.as_ptr() as usize - self.text.as_ptr() as usize;
            let trimmed = within_reach(self.text).split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
            trimmed.filter(|word| !word.is_empty()).map(|word| start_of(word)..start_of(word) + word.len()).collect()
        })
    }

    /// The same words with their Penn tags, from the corpus's parse, else from our tagger.
    pub fn leaves(&self) -> &[Leaf<'a>] {
        self.found().leaves.get_or_init(|| match (self.penn_leaves(), self.binary) {
            (Some(leaves), _) => {
                let mut found = Vec::with_capacity(self.text.len() / 4);
                found.extend(leaves);
                found
            }
            (None, Some(binary)) => {
                let words: Vec<&'a str> = binary_words(binary).collect();
                let tags = Analyzer::shared().tags(words.iter().copied());
                words.into_iter().zip(tags).map(|(word, tag)| Leaf { tag: tag.name(), word }).collect()
            }
            (None, None) => {
                let tagged = Analyzer::shared().tag_text(self.text).into_iter();
                tagged.map(|(token, tag)| Leaf { tag: tag.name(), word: token.text(self.text) }).collect()
            }
        })
    }

    /// The Penn tag of a word.
    pub fn tag(&self, word: usize) -> &'a str {
        self.leaves()[word].tag
    }

    /// Where the tags come from.
    pub fn tag_origin(&self) -> Origin {
        if self.penn_leaves().is_some() { Origin::Corpus } else { Origin::Ours }
    }

    /// The dictionary form of a word.
    pub fn lemma(&self, word: usize) -> String {
        let Leaf { tag, word } = self.leaves()[word];
        Tag::from_name(tag).map_or_else(|| word.to_lowercase(), |tag| lemma_of(word, tag))
    }

    /// Clauses, modifiers and constituents, and where they come from; word indices are those of the source.
    pub fn analysis(&self) -> (&Analysis, Origin) {
        if let Some(tree) = self.penn_tree() {
            return (self.found().analysis.get_or_init(|| Analysis::from_tree(tree)), Origin::Corpus);
        }
        let ours = || {
            let sentences = &self.document().sentences;
            sentences.first().map_or_else(Analysis::default, Analysis::from_sentence)
        };
        (self.found().analysis.get_or_init(ours), Origin::Ours)
    }

    /// Our own analysis of the text, even if the corpus has a parse.
    pub fn document(&self) -> &Document {
        self.found().document.get_or_init(|| Analyzer::shared().analyze(self.text))
    }

    /// Whether our own analysis has already been computed.
    pub fn is_analyzed(&self) -> bool {
        self.found.get().is_some_and(|found| found.document.get().is_some())
    }

    /// The names, by the word indices of our own analysis: sentence and name.
    pub fn names(&self) -> impl Iterator<Item = (usize, &Name)> {
        self.document().sentences.iter().enumerate().flat_map(|(place, sentence)| sentence.names.iter().map(move |name| (place, name)))
    }

    /// The numbers, by byte span.
    pub fn numbers(&self) -> &[Number] {
        self.found().numbers.get_or_init(|| find_numbers(within_reach(self.text)))
    }

    /// The indefinite article before a word: `a` or `an`.
    pub fn article_before(&self, word: usize) -> &'static str {
        inflect::indefinite_article(self.words()[word].form)
    }

    /// Starts an edit of the sentence.
    pub fn edit(&self) -> Edit<'_, 'a> {
        Edit::new(self)
    }

    fn found(&self) -> &ViewCache<'a> {
        self.found.get_or_init(Rc::default)
    }

    fn penn(&self) -> Option<Result<&Tree<'a>, &TreeError>> {
        self.parse.map(|parse| self.found().penn_tree.get_or_init(|| Tree::read(parse)).as_ref())
    }

    fn binary(&self) -> Option<Result<&Tree<'a>, &TreeError>> {
        self.binary.map(|parse| self.found().binary_tree.get_or_init(|| Tree::read(parse)).as_ref())
    }

    /// The leaves of the Penn-style parse, even if it is malformed; `None` if it has no leaves.
    fn penn_leaves(&self) -> Option<impl Iterator<Item = Leaf<'a>>> {
        let mut leaves = scan_leaves(self.parse?).peekable();
        leaves.peek()?;
        Some(leaves)
    }

    fn tokens(&self) -> Vec<ViewWord<'a>> {
        let text = within_reach(self.text);
        let mut words = Vec::with_capacity(text.len() / 4);
        for range in sentences(text) {
            for token in tokenize(&text[range.clone()]) {
                let span = range.start + token.start..range.start + token.end;
                words.push(ViewWord { form: &text[span.clone()], span: Some(span) });
            }
        }
        words
    }
}

/// The words of a binary parse, even if its brackets do not balance.
pub fn binary_words(parse: &str) -> impl Iterator<Item = &str> {
    // Only ASCII space: the parser keeps `1 1/2` together with a no-break space.
    parse.split_ascii_whitespace().filter(|token| !matches!(*token, "(" | ")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The old clock didn't stop.";
    const PARSE: &str = "(ROOT (S (NP (DT The) (JJ old) (NN clock)) (VP (VBD did) (RB n't) (VP (VB stop))) (. .)))";
    const BINARY: &str = "( ( The ( old clock ) ) ( ( did n't ) ( stop . ) ) )";

    fn forms<'a>(view: &View<'a>) -> Vec<&'a str> {
        view.words().iter().map(|word| word.form).collect()
    }

    #[test]
    fn words_are_the_same_whether_they_come_from_the_corpus_or_from_us() {
        let views = [View::new(TEXT, Some(PARSE), None), View::new(TEXT, None, Some(BINARY)), View::plain(TEXT)];
        for view in views {
            assert_eq!(forms(&view), ["The", "old", "clock", "did", "n't", "stop", "."]);
            let tags: Vec<&str> = view.leaves().iter().map(|leaf| leaf.tag).collect();
            assert_eq!(tags, ["DT", "JJ", "NN", "VBD", "RB", "VB", "."]);
            assert_eq!(view.words()[4].span, Some(17..20));
            assert_eq!(view.lemma(3), "do");
        }
    }

    #[test]
    fn the_corpus_comes_first() {
        let view = View::new("Old clock", Some("(ROOT (NP (VB Old) (NN clock)))"), None);
        assert_eq!((view.tag(0), view.tag_origin()), ("VB", Origin::Corpus));
        assert_eq!(view.analysis().1, Origin::Corpus);
        assert_eq!(View::plain("Old clock").analysis().1, Origin::Ours);
        for broken in [" ", "(ROOT", "()"] {
            assert_eq!(View::new("Old clock", Some(broken), None).tag_origin(), Origin::Ours);
        }
    }

    #[test]
    fn what_is_prepared_together_is_what_is_worked_out_alone() {
        let texts = ["The man sits on a chair.", "Mary saw two dogs in London.", ""];
        let views: Vec<View<'_>> = texts.iter().map(|text| View::plain(text)).collect();
        View::prepare(&views, ViewNeed::Analysis);
        for (view, text) in views.iter().zip(texts) {
            assert!(view.is_analyzed());
            assert_eq!(view.analysis().0, View::plain(text).analysis().0);
        }
        assert!(views[1].names().next().is_some());
        assert_eq!(views[1].numbers()[0].value, 2.0);
    }

    #[test]
    fn neighbours_with_the_same_sentence_share_their_analysis() {
        let views = [View::plain("A dog barks."), View::plain("A dog barks."), View::plain("A cat sleeps.")];
        View::share(&views);
        views[0].document();
        assert_eq!([views[1].is_analyzed(), views[2].is_analyzed()], [true, false]);
        View::prepare(&views, ViewNeed::Names);
        assert_eq!(views[1].document(), views[0].document());
        assert_eq!(views[2].document().sentences[0].words[1].form, "cat");
    }

    #[test]
    fn a_sentence_with_a_tree_is_not_parsed_again() {
        let views = [View::new(TEXT, Some(PARSE), None)];
        View::prepare(&views, ViewNeed::Analysis);
        assert!(!views[0].is_analyzed());
        View::prepare(&views, ViewNeed::Names);
        assert!(views[0].is_analyzed());
    }

    #[test]
    fn broken_parses_are_told() {
        assert!(View::new("a", Some("(NN a"), None).check_parses().is_err());
        assert!(View::new("a", None, Some("( a ) )")).check_parses().is_err());
        assert!(View::plain("a").check_parses().is_ok());
    }
}
