//! Edits a sentence: text, Penn-style parse and binary parse together, with a list of the changes.
//!
//! An [`Edit`] collects changes of words and phrases, by index into [`View::words`], and applies them all at once. Texts and trees are
//! not rebuilt: unchanged parts are copied. Capitals and spacing are adjusted: the first word of the sentence is capitalised, and a word that
//! is no longer the first loses its capital.
//!
//! ```
//! use acidtest_lingua::view::View;
//! let view = View::plain("The dog chased a young man.");
//! let mut edit = view.edit();
//! edit.swap(0..2, 3..6).replace(2..3, "chases");
//! let edited = edit.finish()?;
//! assert_eq!(edited.text, "A young man chases the dog.");
//! assert_eq!(acidtest_lingua::edit::undo(&edited.text, &edited.changes).as_deref(), Some("The dog chased a young man."));
//! # Ok::<(), acidtest_lingua::edit::EditError>(())
//! ```

mod change;
mod text;
mod trees;
mod write_out;

pub use change::{TextChange, undo};

use crate::inflect::capitalised;
use crate::stop::{SharedStop, final_stop};
use crate::tree::{CoordinatedClause, Tree, TreeError, ends_in_stop};
use crate::view::View;
use std::collections::BTreeMap;
use std::ops::Range;

/// Changes of a sentence that are applied together.
#[derive(Debug)]
pub struct Edit<'v, 'a> {
    view: &'v View<'a>,
    holes: Vec<Hole>,
    respelled: BTreeMap<usize, Respelling>,
    /// Byte spans of the text with their replacements; for sentences without trees.
    spans: Vec<(Range<usize>, String)>,
    clause: Option<&'v CoordinatedClause>,
    is_written_out: bool,
}

/// An edited sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The new text.
    pub text: String,
    /// The new Penn-style parse, if the sentence had one.
    pub parse: Option<String>,
    /// The new binary parse, if the sentence had one.
    pub binary_parse: Option<String>,
    /// The changes, from left to right.
    pub changes: Vec<TextChange>,
}

/// Changes that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A parse is not a tree.
    #[error("the parse is not a bracketed tree: {0}")]
    Tree(#[from] TreeError),
    /// The sentence is empty, so a clause cannot be joined to it.
    #[error("the sentence has no words")]
    NoWords,
    /// The parse is empty.
    #[error("the parse has no words")]
    ParseWithoutWords,
    /// The two parses have different words, or the text does not contain those of the parse.
    #[error("text and parses have different words")]
    WordsDiffer,
    /// Two changes overlap.
    #[error("two changes affect word {0}")]
    Overlap(usize),
    /// A change refers to words that the sentence does not have.
    #[error("the sentence has no words {0} to {1}")]
    OutOfRange(usize, usize),
    /// The edit would delete the whole sentence.
    #[error("no word would be left")]
    NothingLeft,
}

/// A span of words and its replacement; an empty span for an insertion.
#[derive(Debug, Clone)]
struct Hole {
    words: Range<usize>,
    fill: Vec<Fill>,
}

/// A replacement.
#[derive(Debug, Clone)]
enum Fill {
    /// New words with their Penn tags.
    New(Vec<(String, String)>),
    /// Words of the sentence.
    Moved(Range<usize>),
}

/// How the letters of a word change, wherever it is moved.
#[derive(Debug, Clone)]
enum Respelling {
    As(String),
    Capital,
    Small,
}

impl Respelling {
    fn of(&self, word: &str) -> String {
        let mut letters = word.chars();
        match self {
            Respelling::As(form) => form.clone(),
            Respelling::Capital => capitalised(word),
            Respelling::Small => letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect()),
        }
    }
}

/// All changes of a sentence, in order and without overlap.
struct Plan {
    holes: Vec<Hole>,
    respelled: BTreeMap<usize, Respelling>,
}

impl<'v, 'a> Edit<'v, 'a> {
    pub(crate) fn new(view: &'v View<'a>) -> Self {
        Edit { view, holes: Vec::new(), respelled: BTreeMap::new(), spans: Vec::new(), clause: None, is_written_out: false }
    }

    /// Replaces words. With the same number of words, they keep their positions in the trees; an empty replacement is a deletion.
    pub fn replace(&mut self, words: Range<usize>, with: &str) -> &mut Self {
        let forms: Vec<&str> = with.split_whitespace().collect();
        if forms.len() == words.len() {
            words.zip(forms).for_each(|(word, form)| _ = self.respelled.insert(word, Respelling::As(form.to_string())));
            return self;
        }
        let tag_of = |place: usize| {
            let word = (words.start + place).min(words.end.saturating_sub(1));
            self.view.leaves().get(word).map_or("NN", |leaf| leaf.tag)
        };
        let new = forms.iter().enumerate().map(|(place, form)| (form.to_string(), tag_of(place).to_string())).collect();
        self.hole(words, if forms.is_empty() { Vec::new() } else { vec![Fill::New(new)] })
    }

    /// Replaces a byte span: that of one word, if the sentence has trees.
    pub fn replace_span(&mut self, span: Range<usize>, with: &str) -> &mut Self {
        if self.view.parse().or(self.view.binary_parse()).is_none() {
            self.spans.push((span, with.to_string()));
            return self;
        }
        match self.view.words().iter().position(|word| word.span.as_ref() == Some(&span)) {
            Some(word) => self.replace(word..word + 1, with),
            // Reported when the edit is finished.
            None => self.hole(usize::MAX..usize::MAX, Vec::new()),
        }
    }

    /// Inserts words with their Penn tags before a word, or at the end for the number of words.
    pub fn insert(&mut self, at: usize, words: &[(&str, &str)]) -> &mut Self {
        let new = words.iter().map(|(form, tag)| (form.to_string(), tag.to_string())).collect();
        self.hole(at..at, vec![Fill::New(new)])
    }

    /// Deletes words.
    pub fn delete(&mut self, words: Range<usize>) -> &mut Self {
        self.hole(words, Vec::new())
    }

    /// Moves words before another word, or to the end for the number of words.
    pub fn move_to(&mut self, words: Range<usize>, before: usize) -> &mut Self {
        self.hole(words.clone(), Vec::new()).hole(before..before, vec![Fill::Moved(words)])
    }

    /// Swaps two phrases.
    pub fn swap(&mut self, a: Range<usize>, b: Range<usize>) -> &mut Self {
        self.permute(&[a, b], &[1, 0])
    }

    /// Permutes phrases: the phrase `order[n]` moves to position `n`.
    pub fn permute(&mut self, phrases: &[Range<usize>], order: &[usize]) -> &mut Self {
        for (phrase, &from) in phrases.iter().zip(order) {
            self.hole(phrase.clone(), vec![Fill::Moved(phrases.get(from).cloned().unwrap_or(usize::MAX..usize::MAX))]);
        }
        self
    }

    /// Joins a clause to the sentence, before its final punctuation, after all other changes.
    pub fn join(&mut self, clause: &'v CoordinatedClause) -> &mut Self {
        self.clause = Some(clause);
        self
    }

    /// Applies the changes.
    pub fn finish(&mut self) -> Result<Edited, EditError> {
        let is_about_words = self.is_written_out || !self.holes.is_empty() || !self.respelled.is_empty();
        let edited = if is_about_words { self.with_words()? } else { self.with_spans()? };
        let edited = match edited {
            Some(edited) if self.is_written_out => Some(write_out::with_final_stop(edited)?),
            other => other,
        };
        match self.clause {
            Some(clause) => self.joined(edited, clause),
            None => Ok(edited.unwrap_or_else(|| self.unchanged())),
        }
    }

    fn hole(&mut self, words: Range<usize>, fill: Vec<Fill>) -> &mut Self {
        self.holes.push(Hole { words, fill });
        self
    }

    fn unchanged(&self) -> Edited {
        Edited {
            text: self.view.text().to_string(),
            parse: self.view.parse().map(str::to_string),
            binary_parse: self.view.binary_parse().map(str::to_string),
            changes: Vec::new(),
        }
    }

    /// The sentence with changes of byte spans only; `None` if there are none.
    fn with_spans(&mut self) -> Result<Option<Edited>, EditError> {
        if self.spans.is_empty() {
            return Ok(None);
        }
        let (text, changes) = text::spliced(self.view.text(), std::mem::take(&mut self.spans))?;
        Ok(Some(Edited { text, changes, ..self.unchanged() }))
    }

    fn with_words(&mut self) -> Result<Option<Edited>, EditError> {
        let mut plan = Plan::new(self.view, std::mem::take(&mut self.holes), std::mem::take(&mut self.respelled))?;
        if self.is_written_out {
            plan.begin_with_capital(self.view)?;
        }
        let mut splices = plan.splices(self.view)?;
        splices.append(&mut self.spans);
        let (text, changes) = text::spliced(self.view.text(), splices)?;
        self.view.check_parses()?;
        let rendered = |tree: Option<(&Tree<'_>, &str)>| tree.map(|(tree, text)| trees::render(tree, text, &plan, self.view)).transpose();
        let parse = rendered(self.view.penn_tree().zip(self.view.parse()))?;
        let binary_parse = rendered(self.view.binary_tree().zip(self.view.binary_parse()))?;
        Ok(Some(Edited { text, parse, binary_parse, changes }))
    }

    /// The sentence with a clause before its final punctuation.
    fn joined(&self, edited: Option<Edited>, clause: &CoordinatedClause) -> Result<Edited, EditError> {
        let (old_text, old_parse, old_binary, mut changes) = match &edited {
            Some(edited) => (edited.text.as_str(), edited.parse.as_deref(), edited.binary_parse.as_deref(), edited.changes.clone()),
            None => (self.view.text(), self.view.parse(), self.view.binary_parse(), Vec::with_capacity(1)),
        };
        let parse = old_parse.map(|parse| clause.join_to_parse(parse)).transpose()?;
        let binary_parse = old_binary.map(|parse| clause.join_to_binary_parse(parse)).transpose()?;
        let with_words = |parse: Option<Option<String>>| parse.map(|parse| parse.ok_or(EditError::ParseWithoutWords)).transpose();
        let (parse, binary_parse) = (with_words(parse)?, with_words(binary_parse)?);
        let shared = || match old_parse.or(old_binary) {
            Some(parse) if !ends_in_stop(parse) => SharedStop::No,
            _ => SharedStop::Yes,
        };
        let place = final_stop(old_text, shared).ok_or(EditError::NoWords)?;
        let (text, change) = place.insert(old_text, clause.words());
        change::insert(&mut changes, change)?;
        Ok(Edited { text, parse, binary_parse, changes })
    }
}

impl Plan {
    fn new(view: &View<'_>, holes: Vec<Hole>, respelled: BTreeMap<usize, Respelling>) -> Result<Self, EditError> {
        let count = view.words().len();
        let out = |words: &Range<usize>| words.start > words.end || words.end > count;
        for hole in &holes {
            let moved = hole.fill.iter().filter_map(|fill| match fill {
                Fill::Moved(words) => Some(words),
                Fill::New(_) => None,
            });
            if let Some(words) = moved.chain([&hole.words]).find(|words| out(words)) {
                return Err(EditError::OutOfRange(words.start, words.end));
            }
        }
        if let Some((&word, _)) = respelled.range(count..).next() {
            return Err(EditError::OutOfRange(word, word + 1));
        }
        let mut plan = Plan { holes, respelled };
        plan.keep_respelled()?;
        plan.put_in_order()?;
        plan.keep_capital(view)?;
        if plan.sequence(count).is_empty() {
            return Err(EditError::NothingLeft);
        }
        Ok(plan)
    }

    /// A respelled word that is not moved is replaced in place.
    fn keep_respelled(&mut self) -> Result<(), EditError> {
        for &word in self.respelled.keys() {
            let moved = |fill: &Fill| matches!(fill, Fill::Moved(words) if words.contains(&word));
            if !self.holes.iter().any(|hole| hole.fill.iter().any(moved)) {
                self.holes.push(Hole { words: word..word + 1, fill: vec![Fill::Moved(word..word + 1)] });
            }
        }
        Ok(())
    }

    /// Sorts the changes, refuses overlapping ones, and merges adjacent deletions, so that spaces are removed once.
    fn put_in_order(&mut self) -> Result<(), EditError> {
        self.holes.sort_by_key(|hole| (hole.words.start, hole.words.end));
        let mut joined: Vec<Hole> = Vec::with_capacity(self.holes.len());
        for hole in self.holes.drain(..) {
            let Some(last) = joined.last_mut() else {
                joined.push(hole);
                continue;
            };
            if hole.words.start < last.words.end || hole.words == last.words {
                return Err(EditError::Overlap(hole.words.start));
            }
            if hole.words.start == last.words.end && (hole.fill.is_empty() || last.fill.is_empty()) {
                last.words.end = hole.words.end;
                last.fill.extend(hole.fill);
            } else {
                joined.push(hole);
            }
        }
        self.holes = joined;
        Ok(())
    }

    /// Capitalises the word that is now the first of the sentence.
    fn keep_capital(&mut self, view: &View<'_>) -> Result<(), EditError> {
        let has_letter = |form: &str| form.contains(char::is_alphabetic);
        let Some(old) = view.words().iter().position(|word| has_letter(word.form)) else { return Ok(()) };
        if !view.words()[old].form.starts_with(char::is_uppercase) {
            return Ok(());
        }
        let sequence = self.sequence(view.words().len());
        let form = |item: &Item| match *item {
            Item::Old(word) => view.words()[word].form.to_string(),
            Item::New(hole, fill, word) => self.new_word(hole, fill, word).unwrap_or_default(),
        };
        // Behind a number at the beginning no capital stands.
        let Some(first) = sequence.iter().find(|item| form(item).contains(char::is_alphanumeric)) else { return Ok(()) };
        if *first == Item::Old(old) {
            return Ok(());
        }
        let first_form = form(first);
        match *first {
            Item::Old(word) if first_form.starts_with(char::is_lowercase) => _ = self.respelled.entry(word).or_insert(Respelling::Capital),
            Item::New(hole, fill, word) => {
                if let Fill::New(words) = &mut self.holes[hole].fill[fill] {
                    words[word].0 = capitalised(&first_form);
                }
            }
            Item::Old(_) => {}
        }
        if sequence.contains(&Item::Old(old)) && !keeps_capital(view, old) {
            self.respelled.entry(old).or_insert(Respelling::Small);
        }
        self.keep_respelled()?;
        self.put_in_order()
    }

    fn new_word(&self, hole: usize, fill: usize, word: usize) -> Option<String> {
        match &self.holes[hole].fill[fill] {
            Fill::New(words) => words.get(word).map(|(form, _)| form.clone()),
            Fill::Moved(_) => None,
        }
    }

    /// The words of the new sentence.
    fn sequence(&self, count: usize) -> Vec<Item> {
        let mut items = Vec::with_capacity(count);
        let mut at = 0;
        for (place, hole) in self.holes.iter().enumerate() {
            items.extend((at..hole.words.start).map(Item::Old));
            for (number, fill) in hole.fill.iter().enumerate() {
                match fill {
                    Fill::New(words) => items.extend((0..words.len()).map(|word| Item::New(place, number, word))),
                    Fill::Moved(words) => items.extend(words.clone().map(Item::Old)),
                }
            }
            at = hole.words.end;
        }
        items.extend((at..count).map(Item::Old));
        items
    }
}

/// A word of the new sentence: an old one, or a new one by change, replacement and index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Old(usize),
    New(usize, usize, usize),
}

/// Whether a word is capitalised in any position, not only at the start of a sentence.
fn keeps_capital(view: &View<'_>, word: usize) -> bool {
    let form = view.words()[word].form;
    let capitals = form.chars().filter(|letter| letter.is_uppercase()).count();
    form == "I" || capitals > 1 || view.tag(word).starts_with("NNP")
}

#[cfg(test)]
mod tests;
