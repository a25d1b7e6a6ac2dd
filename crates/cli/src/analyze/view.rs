//! The analysis of a text as it is shown: words counted from 1, as in CoNLL-U, and places in characters, as in our rows.

use acidtest_lingua::analysis::{Analysis, ModifierKind, Phrase, Voice};
use acidtest_lingua::analyzer::{Document, Sentence};
use acidtest_lingua::conllu::universal_pos;
use acidtest_lingua::numbers::{Kind, Number};
use serde::Serialize;

/// A line or paragraph.
#[derive(Serialize)]
pub struct TextView<'d> {
    pub path: &'d str,
    pub line: u64,
    pub text: &'d str,
    pub sentences: Vec<SentenceView<'d>>,
}

#[derive(Serialize)]
pub struct SentenceView<'d> {
    /// The sentence as it stands in the text.
    #[serde(skip)]
    pub text: &'d str,
    pub start: usize,
    pub end: usize,
    pub words: Vec<WordView<'d>>,
    pub names: Vec<NameView<'d>>,
    pub numbers: Vec<NumberView<'d>>,
    pub clauses: Vec<ClauseView>,
    pub modifiers: Vec<ModifierView>,
    pub constituents: Vec<ConstituentView>,
}

#[derive(Serialize)]
pub struct WordView<'d> {
    pub form: &'d str,
    pub start: usize,
    pub end: usize,
    pub lemma: String,
    pub universal: &'static str,
    pub tag: &'static str,
    pub head: usize,
    pub relation: &'static str,
    /// Whether the next word follows at once.
    #[serde(skip)]
    pub joins: bool,
}

#[derive(Serialize)]
pub struct NameView<'d> {
    pub kind: &'static str,
    pub text: &'d str,
    pub first: usize,
    pub last: usize,
}

#[derive(Serialize)]
pub struct NumberView<'d> {
    pub kind: &'static str,
    pub text: &'d str,
    pub start: usize,
    pub end: usize,
    pub value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

#[derive(Serialize)]
pub struct ClauseView {
    pub verb: usize,
    pub subject: Option<PhraseView>,
    pub object: Option<PhraseView>,
    pub voice: &'static str,
}

/// Words from the first to the last, both counted.
#[derive(Clone, Copy, Serialize)]
pub struct PhraseView {
    pub head: usize,
    pub first: usize,
    pub last: usize,
}

#[derive(Serialize)]
pub struct ModifierView {
    pub word: usize,
    pub head: usize,
    pub kind: &'static str,
}

#[derive(Serialize)]
pub struct ConstituentView {
    pub kind: &'static str,
    #[serde(flatten)]
    pub phrase: PhraseView,
}

impl<'d> TextView<'d> {
    /// The analysis of the text at a line of a file.
    pub fn new(path: &'d str, line: u64, document: &'d Document) -> Self {
        let places = Places::new(&document.text);
        let sentences = document.sentences.iter().map(|sentence| SentenceView::new(document, sentence, &places)).collect();
        TextView { path, line, text: &document.text, sentences }
    }
}

impl<'d> SentenceView<'d> {
    fn new(document: &'d Document, sentence: &'d Sentence, places: &Places) -> Self {
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

    /// The words of a phrase as they stand in the sentence.
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
            Kind::Cardinal => ("cardinal", None, None),
            Kind::Ordinal => ("ordinal", None, None),
            Kind::Percent => ("percent", None, None),
            Kind::Money(unit) => ("money", None, Some(unit.clone())),
            Kind::Fraction => ("fraction", None, None),
            Kind::Year => ("year", None, None),
            Kind::Range { to } => ("range", Some(*to), None),
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

/// From bytes to characters of a text.
enum Places {
    /// They are the same.
    Ascii,
    /// The characters before each byte.
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
        let view = TextView::new("f", 1, &document);
        let letters: Vec<char> = document.text.chars().collect();
        for word in view.sentences.iter().flat_map(|sentence| &sentence.words) {
            assert_eq!(letters[word.start..word.end].iter().collect::<String>(), word.form);
        }
    }

    #[test]
    fn phrases_are_spaced_as_in_the_text() {
        let document = Analyzer::shared().analyze("The man's dog didn't bark.");
        let view = TextView::new("f", 1, &document);
        assert_eq!(view.sentences[0].words_of(PhraseView { head: 4, first: 1, last: 4 }), "The man's dog");
    }
}
