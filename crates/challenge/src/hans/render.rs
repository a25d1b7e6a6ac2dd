//! Compiles shapes to programs of fixed bytes and forms of drawn words, so that generating a row is copying bytes.

use super::expand::{Flat, Tag, Word};

/// A word of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassWord {
    /// More than one for a word such as `ice+cream`; a leaf may contain a space.
    pub(super) leaves: Vec<String>,
    pub(super) tag: Option<String>,
    /// The same number for all forms of a word.
    pub(super) kind: u32,
}

impl ClassWord {
    pub(super) fn text(&self) -> String {
        self.leaves.join(" ")
    }
}

/// Writes one or more consecutive fields of a row.
pub(super) type Program = Vec<Piece>;

#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    /// These bytes of the store.
    Fixed { start: u32, length: u32 },
    /// The word of this slot in this column's form.
    Drawn { slot: u32, column: u32 },
}

/// The bytes that programs copy.
#[derive(Debug, Clone)]
pub(super) struct Store {
    bytes: Vec<u8>,
    /// For each class and form in use, the position of each word's form.
    columns: Vec<Vec<(u32, u32)>>,
    /// The columns of each class.
    known: Vec<Vec<(Form, u32)>>,
}

impl Store {
    /// An empty store for this number of classes.
    pub(super) fn new(classes: usize) -> Self {
        Store { bytes: Vec::new(), columns: Vec::new(), known: vec![Vec::new(); classes] }
    }

    /// Runs a program with drawn words.
    #[inline]
    pub(super) fn run(&self, program: &[Piece], drawn: &[u16], out: &mut Vec<u8>) {
        for piece in program {
            let (start, length) = match *piece {
                Piece::Fixed { start, length } => (start, length),
                Piece::Drawn { slot, column } => self.columns[column as usize][usize::from(drawn[slot as usize])],
            };
            out.extend_from_slice(&self.bytes[start as usize..(start + length) as usize]);
        }
    }

    /// Compiles a draft.
    pub(super) fn compile(&mut self, draft: &Draft, slots: &[usize], classes: &[Vec<ClassWord>]) -> Program {
        let mut program = Vec::with_capacity(draft.parts.len());
        for part in &draft.parts {
            program.push(match part {
                Part::Text(text) => {
                    let start = self.keep(text);
                    Piece::Fixed { start, length: text.len() as u32 }
                }
                Part::Drawn(slot, form) => Piece::Drawn { slot: *slot as u32, column: self.column(slots[*slot], form, classes) },
            });
        }
        program
    }

    fn column(&mut self, class: usize, form: &Form, classes: &[Vec<ClassWord>]) -> u32 {
        let known = &mut self.known[class];
        if let Some(&(_, column)) = known.iter().find(|(other, _)| other == form) {
            return column;
        }
        let forms: Vec<String> = classes[class].iter().map(|entry| form.of(entry)).collect();
        let spans = forms.iter().map(|text| (self.keep(text), text.len() as u32)).collect();
        self.columns.push(spans);
        let column = self.columns.len() as u32 - 1;
        self.known[class].push((form.clone(), column));
        column
    }

    fn keep(&mut self, text: &str) -> u32 {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(text.as_bytes());
        start
    }
}

/// The form in which a drawn word is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Form {
    kind: FormKind,
    case: WordCase,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum FormKind {
    /// As in the text.
    Text,
    /// As leaves of a Penn parse, with this tag or the word's own.
    Leaves(Option<String>),
    /// As part of a binary parse.
    Binary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum WordCase {
    AsIs,
    Capital,
}

impl WordCase {
    /// Only the first word of a sentence is capitalised.
    fn apply(self, word: &str) -> String {
        let mut letters = word.chars();
        match (self, letters.next()) {
            (WordCase::Capital, Some(first)) => first.to_uppercase().chain(letters).collect(),
            _ => word.to_string(),
        }
    }
}

impl Form {
    fn of(&self, entry: &ClassWord) -> String {
        let text = self.case.apply(&entry.text());
        match &self.kind {
            FormKind::Text => text,
            FormKind::Leaves(tag) => {
                let tag = tag.as_deref().or(entry.tag.as_deref()).unwrap_or_default();
                let case = |n: usize| if n == 0 { self.case } else { WordCase::AsIs };
                let leaves = entry.leaves.iter().enumerate().map(|(n, leaf)| format!("({tag} {})", case(n).apply(leaf)));
                leaves.collect::<Vec<_>>().join(" ")
            }
            FormKind::Binary => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let mut draft = Draft::default();
                branch_right(words.len(), &mut draft, &mut |n, draft| draft.text(words[n]));
                draft.parts.into_iter().map(|part| if let Part::Text(text) = part { text } else { String::new() }).collect()
            }
        }
    }
}

/// A program whose bytes are not in the store yet.
#[derive(Debug, Default)]
pub(super) struct Draft {
    parts: Vec<Part>,
    /// Whether the sentence has begun, so that the next word is not its first.
    begun: bool,
}

#[derive(Debug)]
enum Part {
    Text(String),
    Drawn(usize, Form),
}

impl Draft {
    /// The text of the sentence.
    pub(super) fn sentence(tree: &Flat) -> Self {
        let mut draft = Draft::default();
        draft.add_sentence(tree);
        draft
    }

    /// The Penn-style parse.
    pub(super) fn parse(tree: &Flat) -> Self {
        let mut draft = Draft::default();
        draft.text("(ROOT ");
        draft.add_parse(tree);
        draft.text(")");
        draft
    }

    /// The binary parse.
    pub(super) fn binary(tree: &Flat) -> Self {
        let mut draft = Draft::default();
        draft.add_binary(tree);
        draft
    }

    /// Fixed bytes.
    pub(super) fn text(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.parts.push(Part::Text(text.to_string())),
        }
    }

    /// Appends another draft.
    pub(super) fn append(&mut self, other: &Draft) {
        for part in &other.parts {
            match part {
                Part::Text(text) => self.text(text),
                Part::Drawn(slot, form) => self.parts.push(Part::Drawn(*slot, form.clone())),
            }
        }
    }

    fn case(&mut self) -> WordCase {
        if std::mem::replace(&mut self.begun, true) { WordCase::AsIs } else { WordCase::Capital }
    }

    fn add_sentence(&mut self, tree: &Flat) {
        let words = match tree {
            Flat::Phrase { children, .. } => return children.iter().for_each(|child| self.add_sentence(child)),
            Flat::TextOnly(words) => &Word::Fixed(words.clone()),
            Flat::Leaf { word, .. } => word,
        };
        if self.begun {
            self.text(" ");
        }
        let case = self.case();
        match words {
            Word::Fixed(words) => self.text(&case.apply(words)),
            Word::Slot(slot) => self.parts.push(Part::Drawn(*slot, Form { kind: FormKind::Text, case })),
        }
    }

    fn add_parse(&mut self, tree: &Flat) {
        match tree {
            Flat::TextOnly(_) => {}
            Flat::Phrase { label, children } => {
                self.text("(");
                self.text(label);
                for child in children.iter().filter(|child| !matches!(***child, Flat::TextOnly(_))) {
                    self.text(" ");
                    self.add_parse(child);
                }
                self.text(")");
            }
            Flat::Leaf { tag, word } => {
                let case = self.case();
                match (word, tag) {
                    (Word::Fixed(words), Tag::Fixed(tag)) => self.text(&format!("({tag} {})", case.apply(words))),
                    (Word::Fixed(words), Tag::OfWord) => self.text(&case.apply(words)),
                    (Word::Slot(slot), tag) => {
                        let tag = if let Tag::Fixed(tag) = tag { Some(tag.clone()) } else { None };
                        self.parts.push(Part::Drawn(*slot, Form { kind: FormKind::Leaves(tag), case }));
                    }
                }
            }
        }
    }

    fn add_binary(&mut self, tree: &Flat) {
        match tree {
            Flat::TextOnly(_) => {}
            Flat::Phrase { children, .. } => {
                let children: Vec<&Flat> =
                    children.iter().map(|child| &**child).filter(|child| !matches!(child, Flat::TextOnly(_))).collect();
                branch_right(children.len(), self, &mut |n, draft| draft.add_binary(children[n]));
            }
            Flat::Leaf { word: Word::Fixed(words), .. } => {
                let words: Vec<&str> = words.split_whitespace().collect();
                branch_right(words.len(), self, &mut |n, draft| {
                    let case = draft.case();
                    draft.text(&case.apply(words[n]));
                });
            }
            Flat::Leaf { word: Word::Slot(slot), .. } => {
                let case = self.case();
                self.parts.push(Part::Drawn(*slot, Form { kind: FormKind::Binary, case }));
            }
        }
    }
}

/// Nests parts in right-branching binary brackets; a single part is written without brackets.
fn branch_right(count: usize, draft: &mut Draft, part: &mut dyn FnMut(usize, &mut Draft)) {
    for n in 0..count {
        if n > 0 {
            draft.text(" ");
        }
        if n + 1 < count {
            draft.text("( ");
        }
        part(n, draft);
    }
    for _ in 1..count {
        draft.text(" )");
    }
}
