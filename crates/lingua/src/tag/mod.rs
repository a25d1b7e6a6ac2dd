//! Penn part-of-speech tags: a greedy averaged perceptron over hashed features.

pub mod features;
mod tagset;

use crate::{
    hash::KeyIndex,
    linear::{LinearModel, MOST_CLASSES, read_u32},
    words::WordSight,
};
use features::Habit;
pub use tagset::Tag;

/// Marks a word in the tag lexicon whose tag must be decided from its context.
pub const UNSURE: u8 = 255;

/// Tags the words of a sentence, left to right, each decision seeing the two before it.
#[derive(Debug, Clone)]
pub struct Tagger {
    model: LinearModel,
    lexicon: TagLexicon,
}

/// What the treebanks say of frequent words: the class of tags they take, and the tag of those that take only one.
#[derive(Debug, Clone)]
pub struct TagLexicon {
    index: KeyIndex,
    entries: Vec<(u8, u8)>,
}

impl TagLexicon {
    /// A lexicon of `(key, class, sure tag or [`UNSURE`])`.
    pub fn new(entries: &[(u32, u8, u8)]) -> Self {
        TagLexicon {
            index: KeyIndex::new(entries.iter().map(|entry| entry.0).collect::<Vec<_>>().into_iter()),
            entries: entries.iter().map(|&(_, class, sure)| (class, sure)).collect(),
        }
    }

    /// The class of a word, and its tag if it takes only one.
    pub fn look_up(&self, sight: &WordSight) -> (Habit, Option<Tag>) {
        let entry = self.index.get(crate::hash::key(sight.lower)).map(|row| self.entries[row]);
        let (class, sure) = entry.unwrap_or((0, UNSURE));
        (Habit { class }, Tag::from_number(usize::from(sure)))
    }
}

impl Tagger {
    /// A tagger from its parts, as training makes it.
    pub fn new(model: LinearModel, lexicon: TagLexicon) -> Self {
        Tagger { model, lexicon }
    }

    /// Reads the bytes of a tagger; none when they are not whole.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tagger> {
        let (model, rest) = LinearModel::from_bytes(bytes)?;
        let (count, rest) = read_u32(rest)?;
        if rest.len() != count as usize * 6 {
            return None;
        }
        let entry = |bytes: &[u8]| (u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]), bytes[4], bytes[5]);
        let entries: Vec<_> = rest.chunks_exact(6).map(entry).collect();
        Some(Tagger { model, lexicon: TagLexicon::new(&entries) })
    }

    /// Packs a model and a lexicon into the form that [`Tagger::from_bytes`] reads, weights below `least` left out.
    pub fn to_bytes(rows: &[(u32, Vec<f32>)], least: f32, lexicon: &[(u32, u8, u8)]) -> Vec<u8> {
        let mut bytes = LinearModel::to_bytes(Tag::COUNT, rows, least);
        bytes.extend((lexicon.len() as u32).to_le_bytes());
        for &(key, class, sure) in lexicon {
            bytes.extend(key.to_le_bytes());
            bytes.extend([class, sure]);
        }
        bytes
    }

    /// The tags of a sentence.
    pub fn tag(&self, sights: &[WordSight]) -> Vec<Tag> {
        let known: Vec<(Habit, Option<Tag>)> = sights.iter().map(|sight| self.lexicon.look_up(sight)).collect();
        let habits: Vec<Habit> = known.iter().map(|&(habit, _)| habit).collect();
        let mut tags = Vec::with_capacity(sights.len());
        let mut history = [UNSURE; 2];
        for (place, &(_, sure)) in known.iter().enumerate() {
            let tag = sure.unwrap_or_else(|| self.decide(sights, &habits, place, history));
            history = [history[1], tag as u8];
            tags.push(tag);
        }
        tags
    }

    fn decide(&self, sights: &[WordSight], habits: &[Habit], place: usize, history: [u8; 2]) -> Tag {
        let mut scores = [0; MOST_CLASSES];
        for feature in features::still(sights, habits, place) {
            self.model.add(feature, &mut scores);
        }
        for feature in features::moving(sights, habits, place, history) {
            self.model.add(feature, &mut scores);
        }
        Tag::from_number(self.model.best(&scores)).unwrap_or(Tag::NN)
    }
}
