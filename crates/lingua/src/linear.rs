//! Linear models over hashed features; each feature has small weights for a few classes.
//!
//! A weight is stored as the signed square root of its value in one byte and squared again when summed. This keeps small weights
//! distinct, which linear quantisation to a byte would round to zero.
//!
//! The model is used in its serialised form. Rows are grouped by the first bits of their keys; loading only records the start of each
//! group.

use std::borrow::Cow;

/// The maximum number of classes of a model.
pub const MOST_CLASSES: usize = 64;

/// A linear model: feature keys, and for each key the weights of some classes.
#[derive(Debug, Clone)]
pub struct LinearModel {
    classes: usize,
    /// The start of each group of rows, and the end of the last.
    begins: Vec<u32>,
    /// The number of key bits below those that select the group.
    shift: u32,
    /// The rows: the rest of the key in two bytes, the number of weights, and a class and a byte for each weight.
    rows: Cow<'static, [u8]>,
}

/// The scores of one decision, by class.
pub type ClassScores = [i32; MOST_CLASSES];

/// The minimum length of a row.
const ROW_HEAD: usize = 3;

impl LinearModel {
    /// Reads what [`LinearModel::to_bytes`] wrote; returns the model and the remaining bytes.
    ///
    /// `None` if the bytes are incomplete.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Option<(LinearModel, Cow<'static, [u8]>)> {
        let bytes = bytes.into();
        let (classes, rest) = read_u32(&bytes)?;
        let (bits, rest) = read_u32(rest)?;
        if classes as usize > MOST_CLASSES || !(16..=24).contains(&bits) {
            return None;
        }
        let (counts, rows) = rest.split_at_checked(1 << bits)?;
        let mut begins = Vec::with_capacity(counts.len() + 1);
        let mut at = 0;
        begins.push(0);
        for &count in counts {
            for _ in 0..count {
                at += ROW_HEAD + 2 * usize::from(*rows.get(at + 2)?);
            }
            begins.push(at as u32);
        }
        if at > rows.len() {
            return None;
        }
        let first = bytes.len() - rows.len();
        let (rows, rest) = match bytes {
            Cow::Borrowed(bytes) => (Cow::Borrowed(&bytes[first..first + at]), Cow::Borrowed(&bytes[first + at..])),
            Cow::Owned(bytes) => (Cow::Owned(bytes[first..first + at].to_vec()), Cow::Owned(bytes[first + at..].to_vec())),
        };
        Some((LinearModel { classes: classes as usize, begins, shift: 32 - bits, rows }, rest))
    }

    /// Packs rows of real weights, sorted by key, for [`LinearModel::from_bytes`]; weights below `least` are dropped.
    pub fn to_bytes(classes: usize, rows: &[(u32, Vec<f32>)], least: f32) -> Vec<u8> {
        let largest = rows.iter().flat_map(|(_, row)| row).fold(0f32, |most, weight| most.max(weight.abs())).max(f32::MIN_POSITIVE);
        let byte = |weight: f32| ((weight.abs() / largest).sqrt() * 127.0).round().copysign(weight) as i8;
        let packed = rows.iter().map(|(key, row)| {
            let kept = row.iter().enumerate().filter(|(_, weight)| weight.abs() >= least && byte(**weight) != 0);
            (*key, kept.map(|(class, &weight)| [class as u8, byte(weight) as u8]).collect::<Vec<_>>())
        });
        let packed: Vec<(u32, Vec<[u8; 2]>)> = packed.filter(|(_, row)| !row.is_empty()).collect();
        // Two rows per group: half as many groups as rows, within the two bytes that remain of a key.
        let bits = (packed.len() / 2).max(1).next_power_of_two().trailing_zeros().clamp(16, 20);
        let mut counts = vec![0u8; 1 << bits];
        let mut body = Vec::new();
        for (key, row) in &packed {
            counts[(key >> (32 - bits)) as usize] += 1;
            body.extend((key & ((1 << (32 - bits)) - 1)).to_le_bytes().iter().take(2));
            body.push(row.len() as u8);
            body.extend(row.iter().flatten());
        }
        let mut bytes = Vec::new();
        bytes.extend((classes as u32).to_le_bytes());
        bytes.extend(bits.to_le_bytes());
        bytes.extend(counts);
        bytes.extend(body);
        bytes
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Adds the weights of these features to the scores; an unknown feature adds nothing.
    #[inline]
    pub fn add_all<const COUNT: usize>(&self, features: &[u32; COUNT], scores: &mut ClassScores) {
        // All groups are looked up before the first is read, so that the memory accesses overlap.
        let mut groups = [(0, 0); COUNT];
        for (to, feature) in groups.iter_mut().zip(features) {
            let group = (feature >> self.shift) as usize;
            *to = (self.begins[group] as usize, self.begins[group + 1] as usize);
            ask_for(&self.rows, to.0);
        }
        for (feature, (begin, end)) in features.iter().zip(groups) {
            let rest = (feature & ((1 << self.shift) - 1)) as u16;
            let mut rows = &self.rows[begin..end];
            while let [low, high, length, body @ ..] = rows {
                let (row, others) = body.split_at(2 * usize::from(*length));
                if u16::from_le_bytes([*low, *high]) == rest {
                    for &[class, weight] in row.as_chunks::<2>().0 {
                        let weight = i16::from(weight as i8);
                        // The remainder has no effect for valid models; it avoids a bounds check.
                        scores[usize::from(class) % MOST_CLASSES] += i32::from(weight * weight.abs());
                    }
                    break;
                }
                rows = others;
            }
        }
    }

    /// The class with the highest score; ties go to the first.
    #[inline]
    pub fn best(&self, scores: &ClassScores) -> usize {
        let most = scores[..self.classes].iter().copied().max().unwrap_or(0);
        scores.iter().position(|&score| score == most).unwrap_or(0)
    }
}

/// Prefetches a byte.
#[inline(always)]
fn ask_for(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no visible effect; any address is allowed.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(at).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

/// Reads a little-endian number; returns it with the remaining bytes.
pub(crate) fn read_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (front, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*front), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toy() -> Vec<u8> {
        LinearModel::to_bytes(3, &[(5, vec![1.0, -1.0, 0.0]), (9, vec![0.0, 0.25, 0.04]), (u32::MAX, vec![0.0, 0.0, 0.5])], 0.0)
    }

    #[test]
    fn a_model_survives_a_round_trip() {
        let (model, rest) = LinearModel::from_bytes(toy()).unwrap();
        assert!(rest.is_empty());
        let mut scores = [0; MOST_CLASSES];
        model.add_all(&[9, 77], &mut scores);
        assert_eq!(model.best(&scores), 1);
        model.add_all(&[5], &mut scores);
        assert_eq!(model.best(&scores), 0);
        scores = [0; MOST_CLASSES];
        model.add_all(&[u32::MAX], &mut scores);
        assert_eq!(model.best(&scores), 2);
    }

    #[test]
    fn truncated_bytes_are_refused() {
        let bytes = toy();
        for length in (0..20).chain(bytes.len() - 20..bytes.len()) {
            assert!(LinearModel::from_bytes(bytes[..length].to_vec()).is_none(), "{length} bytes were taken for a model");
        }
    }
}
