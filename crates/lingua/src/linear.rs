//! Linear models over hashed features: a row of small integer weights for each feature, one weight a class.
//!
//! A weight is stored as the signed square root of its value in one byte. That keeps the many small weights apart,
//! which plain scaling to a byte would round to nothing; the square is taken while summing.

use crate::hash::KeyIndex;

/// The lanes a row is padded to, so that sums run over whole vectors.
const LANES: usize = 16;

/// The most classes a model may have.
pub const MOST_CLASSES: usize = 64;

/// A linear model: feature keys, and for each key a row of weights.
#[derive(Debug, Clone)]
pub struct LinearModel {
    classes: usize,
    stride: usize,
    index: KeyIndex,
    weights: Vec<i8>,
}

/// The sums of one decision, one for each class.
pub type Scores = [i32; MOST_CLASSES];

impl LinearModel {
    /// Reads the bytes that [`LinearModel::to_bytes`] wrote, giving the model and the bytes after it.
    ///
    /// None when the bytes are not a whole model.
    pub fn from_bytes(bytes: &[u8]) -> Option<(LinearModel, &[u8])> {
        let (classes, rest) = read_u32(bytes)?;
        let (rows, rest) = read_u32(rest)?;
        let (classes, rows) = (classes as usize, rows as usize);
        if classes > MOST_CLASSES {
            return None;
        }
        let (keys, rest) = rest.split_at_checked(rows.checked_mul(4)?)?;
        let (body, rest) = rest.split_at_checked(rows.checked_mul(classes)?)?;
        let keys: Vec<u32> = keys.chunks_exact(4).map(|key| u32::from_le_bytes([key[0], key[1], key[2], key[3]])).collect();
        let stride = classes.next_multiple_of(LANES);
        let mut weights = vec![0i8; rows * stride];
        for (row, source) in weights.chunks_exact_mut(stride.max(1)).zip(body.chunks_exact(classes.max(1))) {
            for (weight, &byte) in row.iter_mut().zip(source) {
                *weight = byte as i8;
            }
        }
        Some((LinearModel { classes, stride, index: KeyIndex::new(keys.into_iter()), weights }, rest))
    }

    /// Packs rows of real weights into the form that [`LinearModel::from_bytes`] reads.
    pub fn to_bytes(classes: usize, rows: &[(u32, Vec<f32>)]) -> Vec<u8> {
        let largest = rows.iter().flat_map(|(_, row)| row).fold(0f32, |most, weight| most.max(weight.abs())).max(f32::MIN_POSITIVE);
        let mut bytes = Vec::with_capacity(8 + rows.len() * (4 + classes));
        bytes.extend((classes as u32).to_le_bytes());
        bytes.extend((rows.len() as u32).to_le_bytes());
        rows.iter().for_each(|(key, _)| bytes.extend(key.to_le_bytes()));
        for (_, row) in rows {
            bytes.extend(row.iter().map(|weight| ((weight.abs() / largest).sqrt() * 127.0).round().copysign(*weight) as i8 as u8));
        }
        bytes
    }

    /// How many classes the model tells apart.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Adds the weights of a feature to the scores; an unknown feature adds nothing.
    #[inline]
    pub fn add(&self, feature: u32, scores: &mut Scores) {
        let Some(row) = self.index.get(feature) else { return };
        let row = &self.weights[row * self.stride..(row + 1) * self.stride];
        for (lanes, weights) in scores.chunks_exact_mut(LANES).zip(row.chunks_exact(LANES)) {
            for (score, &weight) in lanes.iter_mut().zip(weights) {
                *score += i32::from(i16::from(weight) * i16::from(weight).abs());
            }
        }
    }

    /// The class with the highest score, the first of equals.
    #[inline]
    pub fn best(&self, scores: &Scores) -> usize {
        let mut best = 0;
        for class in 1..self.classes {
            if scores[class] > scores[best] {
                best = class;
            }
        }
        best
    }
}

/// Takes a little-endian number off the front.
pub(crate) fn read_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (front, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*front), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toy() -> Vec<u8> {
        LinearModel::to_bytes(3, &[(5, vec![1.0, -1.0, 0.0]), (9, vec![0.0, 0.25, 0.04])])
    }

    #[test]
    fn a_model_survives_its_bytes() {
        let bytes = toy();
        let (model, rest) = LinearModel::from_bytes(&bytes).unwrap();
        assert!(rest.is_empty());
        let mut scores = [0; MOST_CLASSES];
        model.add(9, &mut scores);
        model.add(77, &mut scores);
        assert_eq!(model.best(&scores), 1);
        model.add(5, &mut scores);
        assert_eq!(model.best(&scores), 0);
    }

    #[test]
    fn cut_bytes_are_no_model() {
        let bytes = toy();
        for length in 0..bytes.len() {
            assert!(LinearModel::from_bytes(&bytes[..length]).is_none(), "{length} bytes were taken for a model");
        }
    }
}
