//! The weights on disk: an open-addressing hash table of features, memory-mapped.
//!
//! After the header of [`packed`](super::packed), `weights.bin` has the number of slots, the number of features and the seed of the keys (eight bytes each), then the
//! scale and three biases (four bytes each), then the slots. A slot has eight bytes: the tag of a feature, 0 if it is empty (four bytes), and the first two
//! weights as 16-bit multiples of the scale; the three weights of a feature sum to 0. The tag is the lower half of a feature's key, the upper half gives its first slot.
//! `folds.bin` has, for each fold model, its scale and biases and then four bytes for each slot.

use super::error::LexicalError;
use super::features::{Keys, Scratch};
use super::packed::{Packed, f32_at, i16_at, packed, u64_at};
use acidtest_files::ContentHash;
use std::path::Path;

const WEIGHTS_MAGIC: &[u8; 8] = b"acidlexw";
const FOLDS_MAGIC: &[u8; 8] = b"acidlexf";
const HEAD: usize = 40;
const PLACE: usize = 8;
const FOLD_HEAD: usize = 16;
const FOLD_PLACE: usize = 4;

/// The quantised weights of a feature for the first two labels.
pub(super) type Steps = [i16; 2];

/// The quantised weights of one model, by feature.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rounded {
    /// The value of one quantisation step.
    pub scale: f32,
    /// The bias of each label.
    pub bias: [f32; 3],
    /// The quantised weights of each feature for the first two labels; those of all three sum to 0.
    pub steps: Vec<Steps>,
}

impl Rounded {
    /// Quantises weights, so that the largest uses the full range.
    pub(super) fn new(bias: [f64; 3], weights: impl Iterator<Item = [f64; 3]> + Clone) -> Self {
        let largest = weights.clone().flatten().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        let scale = if largest > 0.0 { (largest / f64::from(i16::MAX)) as f32 } else { 1.0 };
        let step = |weight: f64| (weight / f64::from(scale)).round().clamp(-f64::from(i16::MAX), f64::from(i16::MAX)) as i16;
        Rounded { scale, bias: bias.map(|bias| bias as f32), steps: weights.map(|[first, second, _]| [first, second].map(step)).collect() }
    }

    /// The logits of a pair with these features.
    pub(super) fn scores(&self, features: &[u32]) -> [f64; 3] {
        let mut sums = [0; 2];
        for feature in features {
            add(&mut sums, self.steps[*feature as usize]);
        }
        scores(self.scale, self.bias, sums)
    }
}

#[inline]
fn add(sums: &mut [i32; 2], steps: Steps) {
    sums[0] += i32::from(steps[0]);
    sums[1] += i32::from(steps[1]);
}

/// The values of all three labels.
pub(super) fn three([first, second]: [i32; 2]) -> [i32; 3] {
    [first, second, -first - second]
}

/// Integers are summed, so the order of features does not matter.
fn scores(scale: f32, bias: [f32; 3], sums: [i32; 2]) -> [f64; 3] {
    let sums = three(sums);
    std::array::from_fn(|label| f64::from(bias[label]) + f64::from(scale) * f64::from(sums[label]))
}

/// The files of a model and its folds, and how many features they hold.
pub(super) struct Files {
    pub weights: Vec<u8>,
    pub folds: Option<Vec<u8>>,
    /// The number of features whose weights are not all rounded to zero.
    pub kept: usize,
}

/// Packs a model and its fold models; features are given as the hashes of their words.
pub(super) fn pack(features: &[(Option<u64>, Option<u64>)], model: &Rounded, folds: &[Rounded]) -> Files {
    let is_zero = |feature: u32| [model].into_iter().chain(folds).all(|model| model.steps[feature as usize] == [0; 2]);
    let kept: Vec<u32> = (0..features.len() as u32).filter(|feature| !is_zero(*feature)).collect();
    let places = kept.len() + kept.len() / 2 + 1;
    // The first seed for which no feature collides with another; nearly always the first of all.
    let mut seed = 0;
    let (keys, placed) = loop {
        match placed(features, &kept, places, Keys(seed)) {
            Some(placed) => break (Keys(seed), placed),
            None => seed += 1,
        }
    };
    let mut content = vec![0; HEAD + places * PLACE];
    content[..8].copy_from_slice(&(places as u64).to_le_bytes());
    content[8..16].copy_from_slice(&(kept.len() as u64).to_le_bytes());
    content[16..24].copy_from_slice(&keys.0.to_le_bytes());
    write_head(model, &mut content[24..40]);
    for (slot, (mark, feature)) in content[HEAD..].chunks_exact_mut(PLACE).zip(&placed) {
        if *mark != 0 {
            slot[..4].copy_from_slice(&mark.to_le_bytes());
            write_steps(model.steps[*feature as usize], &mut slot[4..]);
        }
    }
    let folds = (!folds.is_empty()).then(|| {
        let mut content = vec![0; folds.len() * (FOLD_HEAD + places * FOLD_PLACE)];
        for (fold, content) in folds.iter().zip(content.chunks_exact_mut(FOLD_HEAD + places * FOLD_PLACE)) {
            let (head, slots) = content.split_at_mut(FOLD_HEAD);
            write_head(fold, head);
            for (slot, (mark, feature)) in slots.chunks_exact_mut(FOLD_PLACE).zip(&placed) {
                if *mark != 0 {
                    write_steps(fold.steps[*feature as usize], slot);
                }
            }
        }
        packed(FOLDS_MAGIC, &content)
    });
    Files { weights: packed(WEIGHTS_MAGIC, &content), folds, kept: kept.len() }
}

/// The tag and the feature of each slot, 0 if it is empty; `None` if a feature meets its own tag while probing.
fn placed(features: &[(Option<u64>, Option<u64>)], kept: &[u32], places: usize, keys: Keys) -> Option<Vec<(u32, u32)>> {
    let mut placed = vec![(0, 0); places];
    for feature in kept {
        let key = key(features[*feature as usize], keys);
        let own = mark(key);
        let mut place = home(key, places);
        while placed[place].0 != 0 {
            if placed[place].0 == own {
                return None;
            }
            place = if place + 1 == places { 0 } else { place + 1 };
        }
        placed[place] = (own, *feature);
    }
    Some(placed)
}

fn key(feature: (Option<u64>, Option<u64>), keys: Keys) -> u64 {
    match feature {
        (Some(premise), Some(hypothesis)) => keys.cross(premise, hypothesis),
        (Some(premise), None) => keys.premise(premise),
        (None, hypothesis) => keys.hypothesis(hypothesis.unwrap_or_default()),
    }
}

/// The part of a key that is stored as its tag.
#[inline]
fn mark(key: u64) -> u32 {
    (key as u32).max(1)
}

/// The first slot of a key.
#[inline]
fn home(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}

fn write_head(model: &Rounded, head: &mut [u8]) {
    let numbers = [model.scale, model.bias[0], model.bias[1], model.bias[2]];
    head.chunks_exact_mut(4).zip(numbers).for_each(|(bytes, number)| bytes.copy_from_slice(&number.to_le_bytes()));
}

/// Refuses a scale or bias that is not finite; the weights themselves are integers.
fn check_head(path: &Path, head: &[u8]) -> Result<(), LexicalError> {
    match (0..4).all(|number| f32_at(head, 4 * number).is_finite()) {
        true => Ok(()),
        false => Err(LexicalError::broken(path, "its scale or a bias is NaN or infinite")),
    }
}

fn write_steps(steps: Steps, slot: &mut [u8]) {
    slot.chunks_exact_mut(2).zip(steps).for_each(|(bytes, step)| bytes.copy_from_slice(&step.to_le_bytes()));
}

/// The weights of a stored model.
#[derive(Debug)]
pub(super) struct Table {
    file: Packed,
    places: usize,
    /// How keys are made.
    pub keys: Keys,
}

/// The weights of the fold models.
#[derive(Debug)]
pub(super) struct FoldTables {
    file: Packed,
    places: usize,
    /// How many there are.
    pub folds: usize,
}

/// Which of the stored models is used.
#[derive(Clone, Copy)]
pub(super) enum Part<'m> {
    Whole,
    Fold(&'m FoldTables, usize),
}

impl Table {
    /// Opens `weights.bin`.
    pub(super) fn open(path: &Path) -> Result<Table, LexicalError> {
        let file = Packed::open(path, WEIGHTS_MAGIC)?;
        let bytes = file.bytes();
        let places = if bytes.len() < HEAD { 0 } else { u64_at(bytes, 0) as usize };
        if places == 0 || places.checked_mul(PLACE).and_then(|size| size.checked_add(HEAD)) != Some(bytes.len()) {
            return Err(LexicalError::broken(path, "its size differs from that in its header"));
        }
        let keys = Keys(u64_at(bytes, 16));
        check_head(path, &bytes[24..40])?;
        Ok(Table { places, keys, file })
    }

    /// The hash of the file.
    pub(super) fn hash(&self) -> ContentHash {
        self.file.hash()
    }

    /// How many features it holds.
    pub(super) fn features(&self) -> u64 {
        u64_at(self.file.bytes(), 8)
    }

    /// The quantised weights of a feature in one of the models; `None` if the feature is unknown.
    #[inline]
    pub(super) fn steps(&self, key: u64, part: Part<'_>) -> Option<Steps> {
        let mut place = home(key, self.places);
        // A valid table is never full, but a damaged one might be.
        for _ in 0..self.places {
            let slot = self.place(place);
            if slot as u32 == mark(key) {
                return Some(match part {
                    Part::Whole => steps_of(slot),
                    Part::Fold(folds, fold) => folds.steps(fold, place),
                });
            }
            if slot == 0 {
                return None;
            }
            place = if place + 1 == self.places { 0 } else { place + 1 };
        }
        None
    }

    /// A slot as one number, with the tag in its lower half.
    #[inline]
    fn place(&self, place: usize) -> u64 {
        u64_at(self.file.bytes(), HEAD + place * PLACE)
    }

    /// The sums of the quantised weights of the features whose keys are in the buffer.
    pub(super) fn sums(&self, part: Part<'_>, scratch: &mut Scratch) -> [i32; 2] {
        let mut sums = [0; 2];
        let Scratch { keys, places, .. } = scratch;
        // All first slots are fetched before any is examined, so that the memory accesses overlap.
        places.clear();
        places.extend(keys.iter().map(|key| self.place(home(*key, self.places))));
        for (key, first) in keys.iter().zip(places.iter()) {
            let steps = match part {
                _ if *first == 0 => None,
                Part::Whole if *first as u32 == mark(*key) => Some(steps_of(*first)),
                _ => self.steps(*key, part),
            };
            if let Some(steps) = steps {
                add(&mut sums, steps);
            }
        }
        sums
    }

    /// The logits for these sums.
    pub(super) fn scores(&self, part: Part<'_>, sums: [i32; 2]) -> [f64; 3] {
        scores(self.scale(part), self.bias(part), sums)
    }

    /// The value of one quantisation step.
    pub(super) fn scale(&self, part: Part<'_>) -> f32 {
        f32_at(self.head(part), 0)
    }

    /// The bias of each label.
    pub(super) fn bias(&self, part: Part<'_>) -> [f32; 3] {
        let head = self.head(part);
        [f32_at(head, 4), f32_at(head, 8), f32_at(head, 12)]
    }

    fn head<'t>(&'t self, part: Part<'t>) -> &'t [u8] {
        match part {
            Part::Whole => &self.file.bytes()[24..40],
            Part::Fold(folds, fold) => &folds.model(fold)[..FOLD_HEAD],
        }
    }
}

#[inline]
fn steps_of(slot: u64) -> Steps {
    [(slot >> 32) as i16, (slot >> 48) as i16]
}

impl FoldTables {
    /// Opens `folds.bin`, which goes with a table.
    pub(super) fn open(path: &Path, table: &Table) -> Result<FoldTables, LexicalError> {
        let file = Packed::open(path, FOLDS_MAGIC)?;
        let size = FOLD_HEAD + table.places * FOLD_PLACE;
        let length = file.bytes().len();
        if length == 0 || !length.is_multiple_of(size) {
            return Err(LexicalError::broken(path, "it does not match weights.bin"));
        }
        file.bytes().chunks_exact(size).try_for_each(|model| check_head(path, &model[..FOLD_HEAD]))?;
        Ok(FoldTables { places: table.places, folds: length / size, file })
    }

    /// The hash of the file.
    pub(super) fn hash(&self) -> ContentHash {
        self.file.hash()
    }

    fn model(&self, fold: usize) -> &[u8] {
        let size = FOLD_HEAD + self.places * FOLD_PLACE;
        &self.file.bytes()[fold * size..][..size]
    }

    #[inline]
    fn steps(&self, fold: usize, place: usize) -> Steps {
        let slot = &self.model(fold)[FOLD_HEAD + place * FOLD_PLACE..][..FOLD_PLACE];
        [i16_at(slot, 0), i16_at(slot, 2)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Vec<(Option<u64>, Option<u64>)> {
        let mut features: Vec<(Option<u64>, Option<u64>)> = (1..300u64).map(|word| (Some(word << 40), None)).collect();
        features.extend((1..300u64).map(|word| (None, Some(word << 40))));
        features.extend((1..300u64).map(|word| (Some(word << 40), Some((word + 1) << 40))));
        features
    }

    fn rounded(features: usize, factor: f64) -> Rounded {
        let weights = (0..features).map(move |n| [factor * n as f64, -0.5, 0.5 - factor * n as f64]);
        Rounded::new([0.5, -0.25, 0.0], weights)
    }

    #[test]
    fn what_is_packed_is_found_again() {
        let features = features();
        let (model, fold) = (rounded(features.len(), 0.01), rounded(features.len(), 0.02));
        let files = pack(&features, &model, &[fold.clone(), model.clone()]);
        assert_eq!(files.kept, features.len());
        let folder = tempfile::tempdir().unwrap();
        let (weights, folds) = (folder.path().join("weights.bin"), folder.path().join("folds.bin"));
        std::fs::write(&weights, files.weights).unwrap();
        std::fs::write(&folds, files.folds.unwrap()).unwrap();
        let table = Table::open(&weights).unwrap();
        let folds = FoldTables::open(&folds, &table).unwrap();
        assert_eq!((table.features(), folds.folds), (features.len() as u64, 2));
        for (number, feature) in features.iter().enumerate() {
            let key = key(*feature, table.keys);
            assert_eq!(table.steps(key, Part::Whole), Some(model.steps[number]));
            assert_eq!(table.steps(key, Part::Fold(&folds, 0)), Some(fold.steps[number]));
            assert_eq!(table.steps(key, Part::Fold(&folds, 1)), Some(model.steps[number]));
        }
        assert_eq!(table.steps(77, Part::Whole), None);
        assert_eq!(table.bias(Part::Fold(&folds, 0)), [0.5, -0.25, 0.0]);
    }

    #[test]
    fn a_scale_or_a_bias_that_is_no_number_is_refused() {
        let features = features();
        let folder = tempfile::tempdir().unwrap();
        let (weights, folds) = (folder.path().join("weights.bin"), folder.path().join("folds.bin"));
        let good = rounded(features.len(), 0.01);
        for (scale, bias) in [(f32::NAN, 0.0), (1.0, f32::INFINITY)] {
            let bad = Rounded { scale, bias: [0.0, 0.0, bias], ..good.clone() };
            std::fs::write(&weights, pack(&features, &bad, &[]).weights).unwrap();
            let message = Table::open(&weights).unwrap_err().to_string();
            assert!(message.contains("weights.bin: its scale or a bias is NaN or infinite"), "{message}");
            let files = pack(&features, &good, &[good.clone(), bad]);
            std::fs::write(&weights, files.weights).unwrap();
            std::fs::write(&folds, files.folds.unwrap()).unwrap();
            let message = FoldTables::open(&folds, &Table::open(&weights).unwrap()).unwrap_err().to_string();
            assert!(message.contains("folds.bin: its scale"), "{message}");
        }
    }

    #[test]
    fn features_without_weight_are_left_out() {
        let features = features();
        let model = Rounded::new([0.0; 3], (0..features.len()).map(|n| if n == 5 { [1.0, -1.0, 0.0] } else { [1e-6, 1e-6, -2e-6] }));
        assert_eq!(pack(&features, &model, &[]).kept, 1);
        let nothing = Rounded::new([0.0; 3], (0..features.len()).map(|_| [0.0; 3]));
        assert_eq!(pack(&features, &nothing, &[]).kept, 0);
    }

    #[test]
    fn one_word_twice_needs_no_other_seed_but_one_feature_twice_would() {
        let features = [(Some(1), None), (Some(1), Some(2)), (None, Some(1)), (Some(2), Some(1))];
        assert!(placed(&features, &[0, 1, 2, 3], 7, Keys(0)).is_some());
        assert!(placed(&[(Some(1), None), (Some(1), None)], &[0, 1], 7, Keys(0)).is_none());
    }
}
