//! Penn part-of-speech tagging: a greedy averaged perceptron over hashed features.

pub mod features;
mod tagset;

use crate::{
    hash::SortedKeys,
    linear::{LinearModel, MOST_CLASSES, read_u32},
    words::{Capitalisation, SentenceMode, SurfaceFeatures},
};
use features::AmbiguityClass;
use std::borrow::Cow;
pub use tagset::Tag;

/// Marks a word in the tag lexicon whose tag depends on its context.
pub const UNSURE: u8 = 255;

/// Marks a word in the tag lexicon that treebanks have only as a name.
pub const NAME_ONLY: u8 = 254;

/// Replaces the hash of a word that is known only as a name but is in lower case here.
const DISGUISED: u64 = 0xd15;

/// Tags the words of a sentence from left to right, using the two previous tags.
#[derive(Debug, Clone)]
pub struct Tagger {
    model: LinearModel,
    lexicon: TagLexicon,
}

/// What treebanks say about frequent words: their tag set, and the tag of those with only one.
#[derive(Debug, Clone)]
pub struct TagLexicon {
    keys: SortedKeys,
    entries: Vec<(u8, u8)>,
}

impl TagLexicon {
    /// A lexicon of `(key, class, sure tag, [`UNSURE`] or [`NAME_ONLY`])`, sorted by key; `None` if it is not sorted.
    pub fn new(entries: &[(u32, u8, u8)]) -> Option<Self> {
        Some(TagLexicon {
            keys: SortedKeys::new(entries.iter().map(|entry| entry.0))?,
            entries: entries.iter().map(|&(_, class, sure)| (class, sure)).collect(),
        })
    }

    /// The tag set of a word, and its tag if it has only one.
    pub fn look_up(&self, surface: &SurfaceFeatures) -> (AmbiguityClass, Option<Tag>) {
        let entry = self.keys.find(crate::hash::key(surface.lower)).map(|row| self.entries[row]);
        let (class, sure) = entry.unwrap_or((0, UNSURE));
        (AmbiguityClass { class }, Tag::from_number(usize::from(sure)))
    }

    /// Hides the treebank knowledge about a word known only as a name if it is in lower case, in a sentence with capitals: the fruit
    /// `apple` is not the company.
    pub fn disguise(&self, surfaces: &mut [SurfaceFeatures]) {
        const ALWAYS_CAPITAL: u8 = 0x80;
        for surface in surfaces.iter_mut().filter(|surface| surface.case == Capitalisation::Lower && surface.mode == SentenceMode::Mixed) {
            let common = surface.classes != 0 && surface.classes & ALWAYS_CAPITAL == 0;
            if common && self.is_name_only(surface) {
                surface.lower = DISGUISED;
            }
        }
    }

    fn is_name_only(&self, surface: &SurfaceFeatures) -> bool {
        let sure = self.keys.find(crate::hash::key(surface.lower)).map(|row| self.entries[row].1);
        sure.is_some_and(|sure| sure == NAME_ONLY || sure == Tag::NNP as u8 || sure == Tag::NNPS as u8)
    }
}

impl Tagger {
    /// A tagger from its parts.
    pub fn new(model: LinearModel, lexicon: TagLexicon) -> Self {
        Tagger { model, lexicon }
    }

    /// Loads a tagger; `None` if the bytes are incomplete.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Option<Tagger> {
        let (model, rest) = LinearModel::from_bytes(bytes)?;
        let (count, rest) = read_u32(&rest)?;
        if rest.len() != count as usize * 6 {
            return None;
        }
        let entry = |bytes: &[u8; 6]| (u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]), bytes[4], bytes[5]);
        let entries: Vec<_> = rest.as_chunks::<6>().0.iter().map(entry).collect();
        Some(Tagger { model, lexicon: TagLexicon::new(&entries)? })
    }

    /// Packs a model and a lexicon for [`Tagger::from_bytes`]; weights below `least` are dropped.
    pub fn to_bytes(rows: &[(u32, Vec<f32>)], least: f32, lexicon: &[(u32, u8, u8)]) -> Vec<u8> {
        let mut bytes = LinearModel::to_bytes(Tag::COUNT, rows, least);
        bytes.extend((lexicon.len() as u32).to_le_bytes());
        for &(key, class, sure) in lexicon {
            bytes.extend(key.to_le_bytes());
            bytes.extend([class, sure]);
        }
        bytes
    }

    /// Applies [`TagLexicon::disguise`]; call it before [`Tagger::tag`].
    pub fn disguise(&self, surfaces: &mut [SurfaceFeatures]) {
        self.lexicon.disguise(surfaces);
    }

    /// The tags of a sentence.
    pub fn tag(&self, surfaces: &[SurfaceFeatures]) -> Vec<Tag> {
        let known: Vec<(AmbiguityClass, Option<Tag>)> = surfaces.iter().map(|surface| self.lexicon.look_up(surface)).collect();
        let ambiguities: Vec<AmbiguityClass> = known.iter().map(|&(ambiguity, _)| ambiguity).collect();
        let mut tags = Vec::with_capacity(surfaces.len());
        let mut history = [UNSURE; 2];
        for (place, &(_, sure)) in known.iter().enumerate() {
            let tag = sure.unwrap_or_else(|| self.decide(surfaces, &ambiguities, place, history));
            history = [history[1], tag as u8];
            tags.push(tag);
        }
        tags
    }

    fn decide(&self, surfaces: &[SurfaceFeatures], ambiguities: &[AmbiguityClass], place: usize, history: [u8; 2]) -> Tag {
        let mut scores = [0; MOST_CLASSES];
        self.model.add_all(&features::still(surfaces, ambiguities, place), &mut scores);
        self.model.add_all(&features::moving(surfaces, ambiguities, place, history), &mut scores);
        Tag::from_number(self.model.best(&scores)).unwrap_or(Tag::NN)
    }
}
