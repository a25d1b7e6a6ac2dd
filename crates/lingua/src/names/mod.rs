//! Named entity recognition for people, places and organisations: a perceptron over words, shapes, clusters and gazetteers.

pub mod features;

use crate::{
    linear::{LinearModel, MOST_CLASSES, read_u32},
    tag::Tag,
    words::SurfaceFeatures,
};
pub use features::Leaning;
use features::{Gazetteer, NameKnowledge};
use std::borrow::Cow;

/// The type of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum NameKind {
    /// A person.
    Person,
    /// A place.
    Location,
    /// An organisation.
    Organization,
}

impl NameKind {
    /// All kinds in order.
    pub const ALL: [NameKind; 3] = [NameKind::Person, NameKind::Location, NameKind::Organization];

    /// The type as corpora write it: `PERSON`.
    pub fn name(self) -> &'static str {
        ["PERSON", "LOCATION", "ORGANIZATION"][self as usize]
    }
}

/// A name, as a span of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// Its type.
    pub kind: NameKind,
    /// The first word, from 0.
    pub start: usize,
    /// The word after the last one.
    pub end: usize,
}

/// The class of words outside names; the first word of a name has class `1 + 2 * kind`, its other words one more.
pub const OUTSIDE: usize = 0;
/// The number of word classes.
pub const CLASSES: usize = 7;

/// Finds names in tagged sentences.
#[derive(Debug, Clone)]
pub struct NameFinder {
    model: LinearModel,
    known: NameKnowledge,
    /// Subtracted from the score of being outside a name, to increase recall.
    eagerness: i32,
}

impl NameFinder {
    /// Loads a model; `None` if the bytes are incomplete.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Option<NameFinder> {
        let (model, rest) = LinearModel::from_bytes(bytes)?;
        let (eagerness, rest) = read_u32(&rest)?;
        let (count, rest) = read_u32(rest)?;
        let (entries, leanings) = rest.split_at_checked((count as usize).checked_mul(5)?)?;
        if model.classes() != CLASSES {
            return None;
        }
        let entry = |entry: &[u8; 5]| (u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]), entry[4]);
        let entries: Vec<(u32, u8)> = entries.as_chunks::<5>().0.iter().map(entry).collect();
        let known = NameKnowledge { lists: Gazetteer::new(&entries)?, leanings: leanings.iter().map(|&byte| Leaning(byte)).collect() };
        Some(NameFinder { model, known, eagerness: i32::try_from(eagerness).ok()? })
    }

    /// Packs a model with its gazetteers for [`NameFinder::from_bytes`]; weights below `least` are dropped. `eagerness` is in units of
    /// the model's weights.
    pub fn to_bytes(rows: &[(u32, Vec<f32>)], least: f32, eagerness: f32, (lists, leanings): (&[(u32, u8)], &[Leaning])) -> Vec<u8> {
        let mut bytes = LinearModel::to_bytes(CLASSES, rows, least);
        let largest = rows.iter().flat_map(|(_, row)| row).fold(0f32, |most, weight| most.max(weight.abs())).max(f32::MIN_POSITIVE);
        // Weights are stored as square roots in 127 steps and squared when summed.
        let steps = (eagerness / largest * 127.0 * 127.0).round() as u32;
        bytes.extend(steps.to_le_bytes());
        bytes.extend((lists.len() as u32).to_le_bytes());
        for &(key, kinds) in lists {
            bytes.extend(key.to_le_bytes());
            bytes.push(kinds);
        }
        bytes.extend(leanings.iter().map(|leaning| leaning.0));
        bytes
    }

    /// The names of a sentence, in order.
    pub fn find(&self, surfaces: &[SurfaceFeatures], tags: &[Tag]) -> Vec<Name> {
        let known = self.known.look_up(surfaces);
        let mut names: Vec<Name> = Vec::new();
        let mut history = [OUTSIDE; 2];
        for place in 0..surfaces.len() {
            let mut scores = [0; MOST_CLASSES];
            self.model.add_all(&features::of_word(surfaces, tags, &known, place, history), &mut scores);
            scores[OUTSIDE] -= self.eagerness;
            let class = self.best(&scores, history[1]);
            history = [history[1], class];
            match class {
                OUTSIDE => {}
                class if class % 2 == 1 => names.push(Name { kind: NameKind::ALL[(class - 1) / 2], start: place, end: place + 1 }),
                _ => names.last_mut().expect("a name goes on only after it began").end = place + 1,
            }
        }
        names
    }

    /// The best class that may follow the previous one: a name continues only with its own type.
    fn best(&self, scores: &[i32; MOST_CLASSES], last: usize) -> usize {
        let allowed = |class: usize| class == OUTSIDE || class % 2 == 1 || last == class || last + 1 == class;
        let mut best = OUTSIDE;
        for class in (1..CLASSES).filter(|&class| allowed(class)) {
            if scores[class] > scores[best] {
                best = class;
            }
        }
        best
    }
}
