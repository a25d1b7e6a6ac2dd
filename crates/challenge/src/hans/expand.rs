//! Expands a template into shapes: each choice of phrases gives a pair of trees in which only words remain to be drawn.

use super::grammar::{Bracket, Grammar, GrammarError, GrammarProblem, Item, Line, Pivot, Slot, Source, TemplateEntry, nearest, unknown};
use crate::Mode;
use std::rc::Rc;

/// A template with more shapes is considered a mistake.
const MOST_SHAPES: usize = 10_000;
const TOO_MANY: &str = "its phrases combine in more than 10,000 ways";
/// Phrases nested more deeply than this are considered recursive.
const DEEPEST: usize = 24;

/// A template with its phrases chosen.
#[derive(Debug, Clone)]
pub(super) struct Expansion {
    /// The probability of this choice within the template.
    pub(super) share: f64,
    pub(super) slots: Vec<DrawnSlot>,
    pub(super) premise: Rc<Flat>,
    pub(super) hypothesis: Rc<Flat>,
    pub(super) pivot: Option<Word>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnSlot {
    pub(super) name: Rc<str>,
    /// The index of its class in the grammar.
    pub(super) class: usize,
}

/// A tree in which only words remain to be drawn.
#[derive(Debug, Clone)]
pub(super) enum Flat {
    Phrase {
        label: String,
        children: Vec<Rc<Flat>>,
    },
    Leaf {
        tag: Tag,
        word: Word,
    },
    /// Words that are in the text but not in the parses.
    TextOnly(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tag {
    Fixed(String),
    OfWord,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    Fixed(String),
    Slot(usize),
}

/// All shapes of a template in a mode.
pub(super) fn expand(grammar: &Grammar, template: &TemplateEntry, mode: Mode) -> Result<Vec<Expansion>, GrammarError> {
    let premise = only(grammar, template, &template.premises, "premise", mode)?;
    let hypothesis = only(grammar, template, &template.hypotheses, "hypothesis", mode)?;
    let too_large = || grammar.error(template.line, GrammarProblem::TooLarge { template: template.id.clone(), what: TOO_MANY });
    let expander = Expander { grammar, template: &template.id, mode };
    let start = State { share: 1.0, slots: Vec::new(), bound: Vec::new() };
    for tree in [premise, hypothesis] {
        if matches!(tree.content.label.as_str(), "TEXT" | "*") {
            let message = "the outermost bracket needs a phrase label, such as S".to_string();
            return Err(grammar.error(tree.number, GrammarProblem::Tree { column: 1, message }));
        }
    }
    let mut shapes = Vec::new();
    for (state, premise_tree) in expander.bracket(&premise.content, Place { prefix: "", line: premise.number, depth: 0 }, start)? {
        let mut once = Vec::new();
        slots_of(&premise_tree, &mut once);
        once.sort_unstable();
        if let Some(pair) = once.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(grammar.error(premise.number, GrammarProblem::SlotRepeated(state.slots[pair[0]].name.to_string())));
        }
        for (state, hypothesis_tree) in
            expander.bracket(&hypothesis.content, Place { prefix: "", line: hypothesis.number, depth: 0 }, state)?
        {
            let pivot = match &template.pivot {
                None => None,
                Some(Pivot::Words(words)) => Some(Word::Fixed(words.clone())),
                Some(Pivot::Slot(path)) => match state.find(path) {
                    Some(Bound::Slot(slot)) => Some(Word::Slot(*slot)),
                    Some(Bound::Words(words)) => Some(Word::Fixed(words.clone())),
                    _ => return Err(grammar.error(template.line, state.unknown_slot(path))),
                },
            };
            let State { share, slots, .. } = state;
            shapes.push(Expansion { share, slots, premise: premise_tree.clone(), hypothesis: hypothesis_tree, pivot });
            if shapes.len() > MOST_SHAPES {
                return Err(too_large());
            }
        }
    }
    Ok(shapes)
}

fn only<'g>(
    grammar: &Grammar,
    template: &TemplateEntry,
    trees: &'g [Line<Bracket>],
    side: &'static str,
    mode: Mode,
) -> Result<&'g Line<Bracket>, GrammarError> {
    let mut active = trees.iter().filter(|tree| tree.when.holds(mode));
    match (active.next(), active.count()) {
        (Some(tree), 0) => Ok(tree),
        (first, more) => {
            let found = usize::from(first.is_some()) + more;
            let mode = if mode == Mode::Clean { "in the clean mode" } else { "as published" };
            Err(grammar.error(template.line, GrammarProblem::Sides { template: template.id.clone(), side, found, mode }))
        }
    }
}

pub(super) fn slots_of(tree: &Flat, slots: &mut Vec<usize>) {
    match tree {
        Flat::Phrase { children, .. } => children.iter().for_each(|child| slots_of(child, slots)),
        Flat::Leaf { word: Word::Slot(slot), .. } => slots.push(*slot),
        Flat::Leaf { .. } | Flat::TextOnly(_) => {}
    }
}

/// The choices made so far.
#[derive(Debug, Clone)]
struct State {
    share: f64,
    slots: Vec<DrawnSlot>,
    bound: Vec<(Rc<str>, Bound)>,
}

#[derive(Debug, Clone)]
enum Bound {
    Tree(Rc<Flat>),
    Slot(usize),
    Words(String),
}

impl State {
    fn find(&self, path: &str) -> Option<&Bound> {
        self.bound.iter().find(|(name, _)| **name == *path).map(|(_, bound)| bound)
    }

    fn unknown_slot(&self, path: &str) -> GrammarProblem {
        GrammarProblem::UnknownSlot { slot: path.to_string(), nearest: nearest(path, self.bound.iter().map(|(name, _)| &**name)) }
    }
}

/// The position of a bracket in the grammar.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The names of the enclosing phrases, each followed by a dot.
    prefix: &'a str,
    line: usize,
    depth: usize,
}

struct Expander<'g> {
    grammar: &'g Grammar,
    template: &'g str,
    mode: Mode,
}

impl Expander<'_> {
    fn bracket(&self, bracket: &Bracket, place: Place<'_>, state: State) -> Result<Vec<(State, Rc<Flat>)>, GrammarError> {
        let fail = |problem| self.grammar.error(place.line, problem);
        let malformed =
            |message: &str| fail(GrammarProblem::Tree { column: 1, message: format!("in `({} ...)`: {message}", bracket.label) });
        let words: Vec<&str> =
            bracket.items.iter().filter_map(|item| if let Item::Word(word) = item { Some(word.as_str()) } else { None }).collect();
        if words.len() == bracket.items.len() {
            let words = words.join(" ");
            let leaf = match bracket.label.as_str() {
                "TEXT" => Flat::TextOnly(words),
                "*" => return Err(malformed("only a slot can take its tag from its class")),
                label => Flat::Leaf { tag: Tag::Fixed(label.to_string()), word: Word::Fixed(words) },
            };
            return Ok(vec![(state, Rc::new(leaf))]);
        }
        if !words.is_empty() {
            return Err(malformed("a word next to a phrase needs its own bracket with a tag, such as (DT the)"));
        }
        if let [Item::Slot(slot)] = bracket.items.as_slice() {
            let resolved = self.slot(slot, place, state)?;
            return resolved.into_iter().map(|(state, bound)| self.leaf(bracket, slot, place, state, bound)).collect();
        }
        if matches!(bracket.label.as_str(), "*" | "TEXT") {
            return Err(malformed("expected one word"));
        }
        let mut partial = vec![(state, Vec::new())];
        for item in &bracket.items {
            let mut longer = Vec::with_capacity(partial.len());
            for (state, children) in partial {
                let choices = match item {
                    Item::Bracket(inner) => self.bracket(inner, place, state)?,
                    Item::Slot(slot) => self.phrase_slot(slot, place, state)?,
                    Item::Word(_) => Vec::new(),
                };
                for (state, child) in choices {
                    let mut children: Vec<Rc<Flat>> = children.clone();
                    children.push(child);
                    longer.push((state, children));
                }
            }
            if longer.len() > MOST_SHAPES {
                return Err(fail(GrammarProblem::TooLarge { template: self.template.to_string(), what: TOO_MANY }));
            }
            partial = longer;
        }
        if partial.iter().any(|(_, children)| !children.iter().any(|child| !matches!(**child, Flat::TextOnly(_)))) {
            return Err(malformed("this bracket would be empty in the parses"));
        }
        Ok(partial.into_iter().map(|(state, children)| (state, Rc::new(Flat::Phrase { label: bracket.label.clone(), children }))).collect())
    }

    /// A bracket with only a slot: a leaf if the slot is a word, otherwise a phrase around a phrase.
    fn leaf(
        &self,
        bracket: &Bracket,
        slot: &Slot,
        place: Place<'_>,
        state: State,
        bound: Bound,
    ) -> Result<(State, Rc<Flat>), GrammarError> {
        let tag = if bracket.label == "*" { Tag::OfWord } else { Tag::Fixed(bracket.label.clone()) };
        let word = match bound {
            Bound::Tree(_) if tag == Tag::OfWord => {
                let message = format!("${} is a phrase, and `*` stands for the tag of a word", slot.path);
                return Err(self.grammar.error(place.line, GrammarProblem::Tree { column: 1, message }));
            }
            Bound::Tree(tree) => return Ok((state, Rc::new(Flat::Phrase { label: bracket.label.clone(), children: vec![tree] }))),
            Bound::Words(words) => Word::Fixed(words),
            Bound::Slot(slot) => Word::Slot(slot),
        };
        if tag == Tag::OfWord && matches!(word, Word::Fixed(_)) {
            let problem = GrammarProblem::NoTag { slot: slot.path.clone(), class: "(fixed words)".into() };
            return Err(self.grammar.error(place.line, problem));
        }
        if let (Tag::OfWord, Word::Slot(n)) = (&tag, &word)
            && let class = &self.grammar.classes[state.slots[*n].class]
            && !self.grammar.tags_all_words(class)
        {
            let problem = GrammarProblem::NoTag { slot: slot.path.clone(), class: class.name.clone() };
            return Err(self.grammar.error(place.line, problem));
        }
        Ok((state, Rc::new(Flat::Leaf { tag, word })))
    }

    fn phrase_slot(&self, slot: &Slot, place: Place<'_>, state: State) -> Result<Vec<(State, Rc<Flat>)>, GrammarError> {
        let needs_tag = || self.grammar.error(place.line, GrammarProblem::SlotNeedsTag(slot.path.clone()));
        let tree = |(state, bound)| match bound {
            Bound::Tree(tree) => Ok((state, tree)),
            _ => Err(needs_tag()),
        };
        self.slot(slot, place, state)?.into_iter().map(tree).collect()
    }

    fn slot(&self, slot: &Slot, place: Place<'_>, mut state: State) -> Result<Vec<(State, Bound)>, GrammarError> {
        let path: Rc<str> = format!("{}{}", place.prefix, slot.path).into();
        let fail = |problem| self.grammar.error(place.line, problem);
        let found = state.find(&path).cloned();
        let source = match (&slot.source, found) {
            (Source::Drawn, Some(bound)) => return Ok(vec![(state, bound)]),
            (Source::Drawn, None) => return Err(fail(state.unknown_slot(&path))),
            (_, Some(_)) => return Err(fail(GrammarProblem::SlotTwice(path.to_string()))),
            (Source::Words(words), None) => {
                let bound = Bound::Words(words.clone());
                state.bound.push((path, bound.clone()));
                return Ok(vec![(state, bound)]);
            }
            (Source::From(source), None) => source,
        };
        if let Some(class) = self.grammar.classes.iter().position(|class| class.name == *source) {
            let bound = Bound::Slot(state.slots.len());
            state.slots.push(DrawnSlot { name: path.clone(), class });
            state.bound.push((path, bound.clone()));
            return Ok(vec![(state, bound)]);
        }
        let Some(phrase) = self.grammar.phrases.iter().find(|phrase| phrase.name == *source) else {
            let classes = self.grammar.classes.iter().map(|class| class.name.as_str());
            return Err(fail(unknown(
                "class or phrase",
                source,
                classes.chain(self.grammar.phrases.iter().map(|phrase| phrase.name.as_str())),
            )));
        };
        if place.depth > DEEPEST {
            return Err(self.grammar.error(phrase.line, GrammarProblem::Recursion(phrase.name.clone())));
        }
        let active: Vec<_> = phrase.alternatives.iter().filter(|line| line.when.holds(self.mode)).collect();
        if active.is_empty() {
            return Err(self.grammar.error(phrase.line, GrammarProblem::Empty(phrase.name.clone())));
        }
        let total: f64 = active.iter().map(|line| line.content.0).sum();
        let prefix = format!("{path}.");
        let mut choices = Vec::new();
        for line in active {
            let (weight, tree) = &line.content;
            let state = State { share: state.share * weight / total, ..state.clone() };
            for (mut state, tree) in self.bracket(tree, Place { prefix: &prefix, line: line.number, depth: place.depth + 1 }, state)? {
                state.bound.push((path.clone(), Bound::Tree(tree.clone())));
                choices.push((state, Bound::Tree(tree)));
            }
        }
        Ok(choices)
    }
}
