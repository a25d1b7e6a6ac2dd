//! Linear models over hashed features: for each feature the few classes it speaks for or against, with small weights.
//!
//! A weight is stored as the signed square root of its value in one byte. That keeps the many small weights apart,
//! which plain scaling to a byte would round to nothing; the square is taken while summing.

use crate::hash::KeyIndex;

/// The most classes a model may have.
pub const MOST_CLASSES: usize = 64;

/// A linear model: feature keys, and for each key the weights of some classes.
#[derive(Debug, Clone)]
pub struct LinearModel {
    classes: usize,
    /// Where the row of each key begins.
    index: KeyIndex,
    /// Row after row, each behind its length: one look finds the row, the next its weights.
    weights: Vec<[u8; 2]>,
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
        let (keys, rest) = rest.split_at_checked(rows.checked_mul(4)?)?;
        let (lengths, rest) = rest.split_at_checked(rows)?;
        let total: usize = lengths.iter().map(|&length| usize::from(length)).sum();
        let (body, rest) = rest.split_at_checked(total * 2)?;
        if classes > MOST_CLASSES || body.iter().step_by(2).any(|&class| usize::from(class) >= MOST_CLASSES) {
            return None;
        }
        let mut body = body.as_chunks::<2>().0;
        let mut weights = Vec::with_capacity(total + rows);
        let mut begins = Vec::with_capacity(rows);
        for (key, &length) in keys.as_chunks::<4>().0.iter().zip(lengths) {
            let (row, after) = body.split_at(usize::from(length));
            begins.push((u32::from_le_bytes(*key), weights.len() as u32));
            weights.push([length, 0]);
            weights.extend_from_slice(row);
            body = after;
        }
        Some((LinearModel { classes, index: KeyIndex::with_values(begins.into_iter()), weights }, rest))
    }

    /// Packs rows of real weights into the form that [`LinearModel::from_bytes`] reads; weights below `least` are left out.
    pub fn to_bytes(classes: usize, rows: &[(u32, Vec<f32>)], least: f32) -> Vec<u8> {
        let largest = rows.iter().flat_map(|(_, row)| row).fold(0f32, |most, weight| most.max(weight.abs())).max(f32::MIN_POSITIVE);
        let byte = |weight: f32| ((weight.abs() / largest).sqrt() * 127.0).round().copysign(weight) as i8;
        let packed = rows.iter().map(|(key, row)| {
            let kept = row.iter().enumerate().filter(|(_, weight)| weight.abs() >= least && byte(**weight) != 0);
            (*key, kept.map(|(class, &weight)| [class as u8, byte(weight) as u8]).collect::<Vec<_>>())
        });
        let packed: Vec<(u32, Vec<[u8; 2]>)> = packed.filter(|(_, row)| !row.is_empty()).collect();
        let mut bytes = Vec::new();
        bytes.extend((classes as u32).to_le_bytes());
        bytes.extend((packed.len() as u32).to_le_bytes());
        packed.iter().for_each(|(key, _)| bytes.extend(key.to_le_bytes()));
        packed.iter().for_each(|(_, row)| bytes.push(row.len() as u8));
        packed.iter().for_each(|(_, row)| bytes.extend(row.iter().flatten()));
        bytes
    }

    /// How many classes the model tells apart.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Adds the weights of a feature to the scores; an unknown feature adds nothing.
    #[inline]
    pub fn add(&self, feature: u32, scores: &mut Scores) {
        let Some(begin) = self.index.get(feature) else { return };
        let length = usize::from(self.weights[begin][0]);
        for &[class, weight] in &self.weights[begin + 1..begin + 1 + length] {
            let weight = i16::from(weight as i8);
            // The remainder changes nothing, as reading made sure of, but spares a check.
            scores[usize::from(class) % MOST_CLASSES] += i32::from(weight * weight.abs());
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
        LinearModel::to_bytes(3, &[(5, vec![1.0, -1.0, 0.0]), (9, vec![0.0, 0.25, 0.04])], 0.0)
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
