//! A generated pair before it is written.

use super::CATEGORY;
use super::render::Program;
use super::set::{Category, CategoryOf, Shape, Subcase, Template, TemplateSet};
use acidtest_nli::{Example, Judgment, Pair, Sentence, Side, Tags, tag};
use std::io::Write;

/// The maximum number of words that a template may draw.
pub(super) const MOST_SLOTS: usize = 16;

/// The header line of the HANS text format, including the line break.
pub const HANS_TEXT_HEADER: &str = "gold_label\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tpairID\theuristic\tsubcase\ttemplate\n";

/// A pair: a shape, the words in its slots, and its number in the set.
#[derive(Debug, Clone, Copy)]
pub struct HansRow<'s> {
    pub(super) set: &'s TemplateSet,
    pub(super) shape: u32,
    pub(super) drawn: [u16; MOST_SLOTS],
    pub(super) number: u64,
}

impl<'s> HansRow<'s> {
    /// `ex` and the row's number in its set.
    pub fn id(&self) -> String {
        format!("ex{}", self.number)
    }

    /// The gold label.
    pub fn gold(&self) -> Judgment {
        self.subcase().gold
    }

    /// The subcase.
    pub fn subcase(&self) -> &'s Subcase {
        &self.set.subcases()[self.shape().subcase]
    }

    /// The template.
    pub fn template(&self) -> &'s Template {
        &self.set.templates()[self.shape().template]
    }

    /// The human category.
    pub fn category(&self) -> &'s Category {
        let place = match &self.shape().category {
            CategoryOf::One(place) => *place,
            CategoryOf::BySlot(slot, places) => places[usize::from(self.drawn[*slot])],
        };
        &self.set.categories()[place]
    }

    /// The slots by name with their words, in the order of drawing.
    pub fn slots(&self) -> impl Iterator<Item = (&'s str, String)> + use<'s, '_> {
        let shape = self.shape();
        let word = |slot: usize| self.set.classes[shape.classes[slot]].entries[usize::from(self.drawn[slot])].text();
        shape.slots.iter().enumerate().map(move |(slot, name)| (name.as_str(), word(slot)))
    }

    /// The text of a side.
    pub fn text(&self, side: Side) -> String {
        self.field(&self.shape().fields.text[side as usize])
    }

    /// The Penn-style parse of a side.
    pub fn parse(&self, side: Side) -> String {
        self.field(&self.shape().fields.parse[side as usize])
    }

    /// The binary parse of a side.
    pub fn binary_parse(&self, side: Side) -> String {
        self.field(&self.shape().fields.binary[side as usize])
    }

    /// The row as an example, with its parses and its tags.
    pub fn example(&self) -> Example<'static> {
        let sentence = |side| Sentence {
            text: self.text(side).into(),
            parse: Some(self.parse(side).into()),
            binary_parse: Some(self.binary_parse(side).into()),
        };
        let mut tags = Tags::default();
        tags.set(tag::HEURISTIC, self.subcase().heuristic.clone());
        tags.set(tag::SUBCASE, self.subcase().name.clone());
        tags.set(tag::TEMPLATE, self.template().id.clone());
        tags.set(CATEGORY, self.category().name.clone());
        let pair = Pair { id: self.id().into(), premise: sentence(Side::Premise), hypothesis: sentence(Side::Hypothesis) };
        Example { pair, gold: Some(self.gold()), tags, ..Example::default() }
    }

    /// Writes the row as a line of HANS text, with columns and spacing as published.
    #[inline]
    pub fn write_hans_text(&self, out: &mut Vec<u8>) {
        let shape = self.shape();
        self.set.store.run(&shape.before_id, &self.drawn, out);
        write!(out, "{}", self.number).expect("a vector takes all bytes");
        self.set.store.run(&shape.after_id, &self.drawn, out);
    }

    fn field(&self, program: &Program) -> String {
        let mut out = Vec::with_capacity(128);
        self.set.store.run(program, &self.drawn, &mut out);
        String::from_utf8(out).expect("programs copy whole strings")
    }

    pub(super) fn shape(&self) -> &'s Shape {
        &self.set.shapes[self.shape as usize]
    }

    /// A key that is unique among the pairs of its shape.
    pub(super) fn key(&self) -> u128 {
        key(self.set, self.shape, &self.drawn)
    }

    /// Whether no drawn word repeats another word of the premise; forms of one word count as equal.
    pub(super) fn words_differ(&self) -> bool {
        words_differ(self.set, self.shape(), &self.drawn)
    }
}

pub(super) fn key(set: &TemplateSet, shape: u32, drawn: &[u16; MOST_SLOTS]) -> u128 {
    let classes = &set.shapes[shape as usize].classes;
    let index =
        classes.iter().zip(drawn).fold(0u128, |index, (&class, &entry)| index * set.classes[class].kinds.len() as u128 + u128::from(entry));
    u128::from(shape) << 112 | index
}

#[inline]
pub(super) fn words_differ(set: &TemplateSet, shape: &Shape, drawn: &[u16; MOST_SLOTS]) -> bool {
    let mut kinds = [0u32; MOST_SLOTS];
    for (slot, &class) in shape.classes.iter().enumerate() {
        let kind = set.classes[class].kinds[usize::from(drawn[slot])];
        if kinds[..slot].contains(&kind) || shape.fixed_kinds.contains(&kind) {
            return false;
        }
        kinds[slot] = kind;
    }
    true
}
