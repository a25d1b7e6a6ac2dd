//! Features of the named entity recogniser.

use crate::{
    hash::{SortedKeys, key, mix},
    tag::Tag,
    words::SurfaceFeatures,
};

/// Gazetteers: for a word, or a hash of two or three consecutive words, one bit per kind of name that it is listed as.
#[derive(Debug, Clone)]
pub struct Gazetteer {
    keys: SortedKeys,
    kinds: Vec<u8>,
}

impl Gazetteer {
    /// Builds the lists from entries sorted by key; `None` if they are not sorted.
    pub fn new(entries: &[(u32, u8)]) -> Option<Gazetteer> {
        let keys = SortedKeys::new(entries.iter().map(|entry| entry.0))?;
        Some(Gazetteer { keys, kinds: entries.iter().map(|entry| entry.1).collect() })
    }

    /// The key of a name, given the hash of each word in lower case.
    pub fn key_of(words: impl ExactSizeIterator<Item = u64>) -> u32 {
        let count = words.len() as u64;
        key(words.fold(count, mix))
    }

    /// For each word, the bits of the longest listed name that contains it, shifted by four for names of several words.
    pub fn look_up(&self, surfaces: &[SurfaceFeatures]) -> Vec<u8> {
        let mut bits = vec![0; surfaces.len()];
        for length in [1, 2, 3] {
            for start in 0..(surfaces.len() + 1).saturating_sub(length) {
                let words = surfaces[start..start + length].iter().map(|surface| surface.lower);
                if let Some(row) = self.keys.find(Gazetteer::key_of(words)) {
                    let kinds = if length > 1 { self.kinds[row] << 4 } else { self.kinds[row] };
                    bits[start..start + length].iter_mut().for_each(|bit| *bit |= kinds);
                }
            }
        }
        bits
    }
}

/// The kind of name that a word's vector suggests, with a confidence: kind in the low bits, confidence above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leaning(pub u8);

impl Leaning {
    /// Computed from the word's probabilities of being a name of each kind.
    pub fn from_shares(shares: &[f64]) -> Leaning {
        let (mut best, mut sum) = (0, 0.0);
        for (kind, share) in shares.iter().enumerate() {
            sum += share;
            if *share > shares[best] {
                best = kind;
            }
        }
        let clearness = [0.1, 0.25, 0.5, 0.75, 0.9].iter().filter(|bound| sum >= **bound).count();
        Leaning(if clearness == 0 { 0 } else { (clearness << 2 | best) as u8 })
    }
}

/// External knowledge of names, besides the model's weights.
#[derive(Debug, Clone)]
pub struct NameKnowledge {
    /// Lists of names.
    pub lists: Gazetteer,
    /// The leaning of each word in the word list.
    pub leanings: Vec<Leaning>,
}

impl NameKnowledge {
    /// The list entries and the leaning of each word.
    pub fn look_up(&self, surfaces: &[SurfaceFeatures]) -> Vec<(u8, Leaning)> {
        let leaning =
            |surface: &SurfaceFeatures| surface.row.and_then(|row| self.leanings.get(row as usize).copied()).unwrap_or(Leaning(255));
        self.lists.look_up(surfaces).into_iter().zip(surfaces).map(|(bits, surface)| (bits, leaning(surface))).collect()
    }
}

/// The number of features of a word.
pub const COUNT: usize = 37;

/// The features of a word, given the classes of the two previous words.
pub fn of_word(surfaces: &[SurfaceFeatures], tags: &[Tag], known: &[(u8, Leaning)], place: usize, history: [usize; 2]) -> [u32; COUNT] {
    let at = |offset: isize| place.checked_add_signed(offset).filter(|&at| at < surfaces.len());
    let word = |offset: isize| at(offset).map_or(offset as u64, |at| surfaces[at].lower);
    let cluster = |offset: isize| at(offset).map_or(999, |at| u64::from(surfaces[at].cluster));
    let tag = |offset: isize| at(offset).map_or(99, |at| tags[at] as u64);
    let listed = |offset: isize| at(offset).map_or(0, |at| u64::from(known[at].0));
    let leaning = |offset: isize| at(offset).map_or(99, |at| u64::from(known[at].1.0));
    let shape = |offset: isize| at(offset).map_or(9, |at| surfaces[at].shape);
    let here = &surfaces[place];
    let case = mix(here.case as u64, mix(here.mode as u64, u64::from(place == 0)));
    let last = history[1] as u64;
    let mut template = 300;
    let mut feature = |value: u64| {
        template += 1;
        key(mix(value, template))
    };
    [
        feature(here.lower),
        feature(mix(here.form, last)),
        feature(mix(here.shape, case)),
        feature(mix(case, tag(0))),
        feature(mix(cluster(0), case)),
        feature(mix(cluster(0), last)),
        feature(mix(listed(0), case)),
        feature(mix(listed(0), mix(tag(0), last))),
        feature(mix(listed(1), listed(0))),
        feature(mix(listed(-1), listed(0))),
        feature(word(-1)),
        feature(word(1)),
        feature(mix(word(-1), case)),
        feature(mix(word(1), case)),
        feature(mix(cluster(-1), mix(case, 1))),
        feature(mix(cluster(1), mix(case, 2))),
        feature(mix(cluster(-1), cluster(0))),
        feature(mix(cluster(0), cluster(1))),
        feature(mix(mix(tag(-1), tag(0)), tag(1))),
        feature(mix(last, mix(tag(0), case))),
        feature(mix(history[0] as u64, last)),
        feature(mix(last, here.lower)),
        feature(mix(last, word(-1))),
        feature(mix(here.suffixes[2], case)),
        feature(mix(here.suffixes[3], here.case as u64)),
        feature(mix(shape(1), mix(case, last))),
        feature(mix(word(-2), case)),
        feature(mix(leaning(0), case)),
        feature(mix(leaning(0), mix(tag(0), last))),
        feature(mix(mix(leaning(-1), leaning(0)), here.case as u64)),
        feature(mix(mix(leaning(0), leaning(1)), here.case as u64)),
        feature(mix(leaning(0), mix(listed(0), last))),
        feature(mix(leaning(0), mix(tag(-1), mix(tag(0), tag(1))))),
        feature(mix(u64::from(here.classes), case)),
        feature(mix(mix(u64::from(here.classes), leaning(0)), mix(here.case as u64, tag(0)))),
        feature(mix(here.prefixes[2], here.case as u64)),
        feature(mix(mix(tag(1), tag(2)), mix(case, last))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaning_has_a_kind_and_a_confidence() {
        assert_eq!(Leaning::from_shares(&[0.01, 0.02, 0.03]), Leaning(0));
        assert_ne!(Leaning::from_shares(&[0.9, 0.05, 0.0]), Leaning::from_shares(&[0.05, 0.9, 0.0]));
        assert_ne!(Leaning::from_shares(&[0.9, 0.05, 0.0]), Leaning::from_shares(&[0.3, 0.05, 0.0]));
    }
}
