//! Features of the tagger, as hashed keys.

use crate::{
    hash::{key, mix},
    words::SurfaceFeatures,
};

/// The tags that treebanks give to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmbiguityClass {
    /// The number of its tag set; 0 if unknown.
    pub class: u8,
}

/// The number of features that do not depend on tags, so they are computed only once per word.
pub const STILL: usize = 32;

/// The number of features that depend on the previous tags.
pub const MOVING: usize = 8;

const BEFORE: u64 = 0xb0;
const AFTER: u64 = 0xaf;

/// The features of the word at `place` that do not depend on tags.
pub fn still(surfaces: &[SurfaceFeatures], ambiguities: &[AmbiguityClass], place: usize) -> [u32; STILL] {
    let here = &surfaces[place];
    let ambiguity = |offset: isize| {
        place.checked_add_signed(offset).and_then(|at| ambiguities.get(at)).map_or(255, |ambiguity| u64::from(ambiguity.class))
    };
    let at = |offset: isize| place.checked_add_signed(offset).and_then(|at| surfaces.get(at));
    let word = |offset: isize, edge: u64| at(offset).map_or(edge, |surface| surface.lower);
    let (before, after) = (word(-1, BEFORE), word(1, AFTER));
    let cluster = |offset: isize| at(offset).map_or(999, |surface| u64::from(surface.cluster));
    let classes = |offset: isize| at(offset).map_or(256, |surface| u64::from(surface.classes));
    let case = mix(here.case as u64, mix(here.mode as u64, u64::from(place == 0)));
    let mut template = 0;
    let mut feature = |value: u64| {
        template += 1;
        key(mix(value, template))
    };
    [
        feature(here.lower),
        feature(mix(here.form, here.mode as u64)),
        feature(mix(here.shape, mix(here.mode as u64, u64::from(place == 0)))),
        feature(here.suffixes[0]),
        feature(here.suffixes[1]),
        feature(here.suffixes[2]),
        feature(here.suffixes[3]),
        feature(here.prefixes[0]),
        feature(here.prefixes[1]),
        feature(here.prefixes[2]),
        feature(mix(here.suffixes[2], case)),
        feature(mix(case, ambiguity(0))),
        feature(mix(case, u64::from(here.cluster))),
        feature(before),
        feature(word(-2, BEFORE)),
        feature(after),
        feature(word(2, AFTER)),
        feature(mix(before, here.lower)),
        feature(mix(here.lower, after)),
        feature(mix(before, after)),
        feature(mix(ambiguity(0), ambiguity(1))),
        feature(mix(mix(ambiguity(0), ambiguity(1)), ambiguity(2))),
        feature(mix(ambiguity(0), after)),
        feature(mix(cluster(0), cluster(1))),
        feature(mix(cluster(-1), mix(cluster(0), 1))),
        feature(at(1).map_or(AFTER, |surface| surface.suffixes[2])),
        feature(at(-1).map_or(BEFORE, |surface| surface.suffixes[2])),
        feature(at(1).map_or(AFTER, |surface| mix(surface.case as u64, mix(case, ambiguity(0))))),
        feature(mix(here.lower, ambiguity(1))),
        feature(mix(classes(0), mix(here.suffixes[1], case))),
        feature(mix(mix(classes(-1), classes(0)), classes(1))),
        feature(mix(mix(classes(0), ambiguity(-1)), ambiguity(1))),
    ]
}

/// The features that depend on the tags of the two previous words (255 before the sentence).
#[inline]
pub fn moving(surfaces: &[SurfaceFeatures], ambiguities: &[AmbiguityClass], place: usize, tags: [u8; 2]) -> [u32; MOVING] {
    let [before, last] = tags.map(u64::from);
    let here = &surfaces[place];
    let next = ambiguities.get(place + 1).map_or(255, |ambiguity| u64::from(ambiguity.class));
    let ambiguity = u64::from(ambiguities[place].class);
    let mut template = 100;
    let mut feature = |value: u64| {
        template += 1;
        key(mix(value, template))
    };
    [
        feature(last),
        feature(mix(before, last)),
        feature(mix(last, here.lower)),
        feature(mix(mix(last, ambiguity), next)),
        feature(mix(mix(before, last), ambiguity)),
        feature(mix(last, here.suffixes[2])),
        feature(mix(mix(before, last), here.lower)),
        feature(mix(last, mix(u64::from(here.classes), here.suffixes[0]))),
    ]
}
