//! What the finder of names looks at.

use crate::{
    hash::{KeyIndex, key, mix},
    tag::Tag,
    words::WordSight,
};

/// Lists of known names: for a word, or the hash of two or three in a row, a bit for each kind of name it is listed as.
#[derive(Debug, Clone)]
pub struct Lists {
    index: KeyIndex,
    kinds: Vec<u8>,
}

impl Lists {
    /// Lists from keys and bits.
    pub fn new(entries: &[(u32, u8)]) -> Lists {
        Lists {
            index: KeyIndex::new(entries.iter().map(|entry| entry.0).collect::<Vec<_>>().into_iter()),
            kinds: entries.iter().map(|entry| entry.1).collect(),
        }
    }

    /// The key of a name of one or more words, given the hash of each word in small letters.
    pub fn key_of(words: &[u64]) -> u32 {
        key(words.iter().fold(words.len() as u64, |hash, &word| mix(hash, word)))
    }

    /// For each word the bits of the longest listed name that it is part of, shifted by four where the name has several words.
    pub fn look_up(&self, sights: &[WordSight]) -> Vec<u8> {
        let mut bits = vec![0; sights.len()];
        for length in [1, 2, 3] {
            for start in 0..(sights.len() + 1).saturating_sub(length) {
                let words: Vec<u64> = sights[start..start + length].iter().map(|sight| sight.lower).collect();
                if let Some(row) = self.index.get(Lists::key_of(&words)) {
                    let kinds = if length > 1 { self.kinds[row] << 4 } else { self.kinds[row] };
                    bits[start..start + length].iter_mut().for_each(|bit| *bit |= kinds);
                }
            }
        }
        bits
    }
}

/// How many features a word has.
pub const COUNT: usize = 27;

/// The features of a word, given the classes of the two words before it.
pub fn of_word(sights: &[WordSight], tags: &[Tag], known: &[u8], place: usize, history: [usize; 2]) -> [u32; COUNT] {
    let at = |offset: isize| place.checked_add_signed(offset).filter(|&at| at < sights.len());
    let word = |offset: isize| at(offset).map_or(offset as u64, |at| sights[at].lower);
    let cluster = |offset: isize| at(offset).map_or(999, |at| u64::from(sights[at].cluster));
    let tag = |offset: isize| at(offset).map_or(99, |at| tags[at] as u64);
    let listed = |offset: isize| at(offset).map_or(0, |at| u64::from(known[at]));
    let shape = |offset: isize| at(offset).map_or(9, |at| sights[at].shape);
    let here = &sights[place];
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
    ]
}
