//! The analysis of a text for output: words counted from 1, as in CoNLL-U, and offsets in characters, as in our examples.

use acidtest_lingua::analysis::{Analysis, ModifierKind, Phrase, Voice};
use acidtest_lingua::analyzer::{AnalyzedSentence, Document};
use acidtest_lingua::conllu::universal_pos;
use acidtest_lingua::numbers::{Number, NumberKind};
use serde::Serialize;

/// A line or paragraph.
#[derive(Serialize)]
pub struct TextView<'d> {
    /// The file.
    pub path: &'d str,
    /// The line that the text begins on, from 1.
    pub line: u64,
    /// Which piece of a very long line or paragraph this is, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<u64>,
    /// The text.
    pub text: &'d str,
    /// The sentences.
    pub sentences: Vec<SentenceView<'d>>,
}

/// A sentence of the text.
#[derive(Serialize)]
pub struct SentenceView<'d> {
    /// The text of the sentence.
    #[serde(skip)]
    pub text: &'d str,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The words.
    pub words: Vec<WordView<'d>>,
    /// The names.
    pub names: Vec<NameView<'d>>,
    /// The numbers.
    pub numbers: Vec<NumberView<'d>>,
    /// The clauses.
    pub clauses: Vec<ClauseView>,
    /// The modifiers.
    pub modifiers: Vec<ModifierView>,
    /// The constituents.
    pub constituents: Vec<ConstituentView>,
}

/// A word.
#[derive(Serialize)]
pub struct WordView<'d> {
    /// The word as written.
    pub form: &'d str,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its dictionary form.
    pub lemma: String,
    /// Its universal part of speech.
    pub universal: &'static str,
    /// Its Penn tag.
    pub tag: &'static str,
    /// The number of its head; 0 for the root.
    pub head: usize,
    /// Its relation to the head.
    pub relation: &'static str,
    /// Whether the next word follows without a space.
    #[serde(skip)]
    pub joins: bool,
}

/// A name.
#[derive(Serialize)]
pub struct NameView<'d> {
    /// Its type.
    pub kind: &'static str,
    /// The text of the name.
    pub text: &'d str,
    /// The number of its first word.
    pub first: usize,
    /// The number of its last word.
    pub last: usize,
}

/// A number.
#[derive(Serialize)]
pub struct NumberView<'d> {
    /// Its type.
    pub kind: &'static str,
    /// The text of the number.
    pub text: &'d str,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its value.
    pub value: f64,
    /// The end of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A clause.
#[derive(Serialize)]
pub struct ClauseView {
    /// The number of its verb.
    pub verb: usize,
    /// Its subject.
    pub subject: Option<PhraseView>,
    /// Its object.
    pub object: Option<PhraseView>,
    /// Active, passive or copular.
    pub voice: &'static str,
}

/// A span of words, from the first to the last, both included.
#[derive(Clone, Copy, Serialize)]
pub struct PhraseView {
    /// The number of its head; 0 for the root.
    pub head: usize,
    /// The number of its first word.
    pub first: usize,
    /// The number of its last word.
    pub last: usize,
}

/// A modifier.
#[derive(Serialize)]
pub struct ModifierView {
    /// The number of the word.
    pub word: usize,
    /// The number of its head; 0 for the root.
    pub head: usize,
    /// What kind it is.
    pub kind: &'static str,
}

/// A constituent.
#[derive(Serialize)]
pub struct ConstituentView {
    /// What kind it is.
    pub kind: &'static str,
    /// Its words.
    #[serde(flatten)]
    pub phrase: PhraseView,
}

impl<'d> TextView<'d> {
    /// The line in ids and headings: `12`, or `12.2` for its second piece.
    pub fn place(&self) -> String {
        self.piece.map_or_else(|| self.line.to_string(), |piece| format!("{}.{piece}", self.line))
    }

    /// The analysis of the text at a line of a file, or of a piece of it.
    pub fn new(path: &'d str, line: u64, piece: Option<u64>, document: &'d Document) -> Self {
        let places = Places::new(&document.text);
        let sentences = document.sentences.iter().map(|sentence| SentenceView::new(document, sentence, &places)).collect();
        TextView { path, line, piece, text: &document.text, sentences }
    }
}

impl<'d> SentenceView<'d> {
    fn new(document: &'d Document, sentence: &'d AnalyzedSentence, places: &Places) -> Self {
        let analysis = Analysis::from_sentence(sentence);
        let text = document.text.as_str();
        let word = |word: &'d acidtest_lingua::analyzer::Word| {
            let lemma = word.lemma();
            WordView {
                form: &word.form,
                start: places.at(word.start),
                end: places.at(word.end),
                universal: universal_pos(word.tag, word.relation, &lemma),
                lemma,
                tag: word.tag.name(),
                head: word.head,
                relation: word.relation.name(),
                joins: text[word.end..].starts_with(|next: char| !next.is_whitespace()),
            }
        };
        let name = |name: &acidtest_lingua::names::Name| NameView {
            kind: name.kind.name(),
            text: &text[sentence.words[name.start].start..sentence.words[name.end - 1].end],
            first: name.start + 1,
            last: name.end,
        };
        let numbers = document.numbers.iter().filter(|number| (sentence.start..sentence.end).contains(&number.start));
        SentenceView {
            text: &text[sentence.start..sentence.end],
            start: places.at(sentence.start),
            end: places.at(sentence.end),
            words: sentence.words.iter().map(word).collect(),
            names: sentence.names.iter().map(name).collect(),
            numbers: numbers.map(|number| NumberView::new(text, number, places)).collect(),
            clauses: analysis
                .clauses
                .iter()
                .map(|clause| ClauseView {
                    verb: clause.verb + 1,
                    subject: clause.subject.map(PhraseView::from),
                    object: clause.object.map(PhraseView::from),
                    voice: voice(clause.voice),
                })
                .collect(),
            modifiers: analysis
                .modifiers
                .iter()
                .map(|modifier| ModifierView { word: modifier.word + 1, head: modifier.head + 1, kind: modifier_kind(modifier.kind) })
                .collect(),
            constituents: analysis
                .constituents
                .iter()
                .map(|constituent| ConstituentView { kind: constituent.kind.label(), phrase: constituent.phrase.into() })
                .collect(),
        }
    }

    /// The text of a phrase.
    pub fn words_of(&self, phrase: PhraseView) -> String {
        let mut text = String::new();
        for number in phrase.first..=phrase.last {
            let word = &self.words[number - 1];
            text.push_str(word.form);
            if !word.joins && number < phrase.last {
                text.push(' ');
            }
        }
        text
    }
}

impl<'d> NumberView<'d> {
    fn new(text: &'d str, number: &Number, places: &Places) -> Self {
        let (kind, to, unit) = match &number.kind {
            NumberKind::Cardinal => ("cardinal", None, None),
            NumberKind::Ordinal => ("ordinal", None, None),
            NumberKind::Percent => ("percent", None, None),
            NumberKind::Money(unit) => ("money", None, Some(unit.clone())),
            NumberKind::Fraction => ("fraction", None, None),
            NumberKind::Year => ("year", None, None),
            NumberKind::Range { to } => ("range", Some(*to), None),
        };
        let (start, end) = (places.at(number.start), places.at(number.end));
        NumberView { kind, text: &text[number.start..number.end], start, end, value: number.value, to, unit }
    }
}

impl From<Phrase> for PhraseView {
    fn from(phrase: Phrase) -> Self {
        PhraseView { head: phrase.head + 1, first: phrase.start + 1, last: phrase.end }
    }
}

fn voice(voice: Voice) -> &'static str {
    match voice {
        Voice::Active => "active",
        Voice::Passive => "passive",
        Voice::Copular => "copular",
    }
}

fn modifier_kind(kind: ModifierKind) -> &'static str {
    match kind {
        ModifierKind::Adjective => "adjective",
        ModifierKind::Adverb => "adverb",
        ModifierKind::Number => "number",
        ModifierKind::Noun => "noun",
    }
}

/// Converts byte offsets to character offsets.
enum Places {
    /// They are the same.
    Ascii,
    /// The number of characters before each byte.
    Counted(Vec<usize>),
}

impl Places {
    fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Places::Ascii;
        }
        let mut counted = Vec::with_capacity(text.len() + 1);
        for (number, letter) in text.chars().enumerate() {
            counted.extend(std::iter::repeat_n(number, letter.len_utf8()));
        }
        counted.push(text.chars().count());
        Places::Counted(counted)
    }

    fn at(&self, byte: usize) -> usize {
        match self {
            Places::Ascii => byte,
            Places::Counted(counted) => counted[byte],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::analyzer::Analyzer;

    #[test]
    fn places_are_in_characters() {
        let document = Analyzer::shared().analyze("“Così” 🙂 said Mary.");
        let view = TextView::new("f", 1, None, &document);
        let letters: Vec<char> = document.text.chars().collect();
        for word in view.sentences.iter().flat_map(|sentence| &sentence.words) {
            assert_eq!(letters[word.start..word.end].iter().collect::<String>(), word.form);
        }
    }

    #[test]
    fn phrases_are_spaced_as_in_the_text() {
        let document = Analyzer::shared().analyze("The man's dog didn't bark.");
        let view = TextView::new("f", 1, None, &document);
        assert_eq!(view.sentences[0].words_of(PhraseView { head: 4, first: 1, last: 4 }), "The man's dog");
    }
}
