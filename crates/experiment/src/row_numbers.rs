//! Predictions by row number, for data with skipped rows.
//!
//! A row number may count all rows of the file, or only the readable ones. It is accepted if both agree, or if only the first is
//! possible.

use crate::error::Error;
use acidtest_nli::{Answer, Key};
use std::borrow::Cow;

/// Predictions, and the hash of the pair that each was made for.
type Recorded<'a> = (Cow<'a, [Answer]>, Cow<'a, [Option<u64>]>);

/// Converts row numbers of predictions to indices of the `kept` examples. `gaps` are the indices of skipped rows, whose predictions are
/// dropped. Numbers that may count only the readable rows are refused.
pub(crate) fn placed<'a>(
    (answers, pairs): (&'a [Answer], &'a [Option<u64>]),
    gaps: &[u64],
    kept: usize,
    model: &str,
) -> Result<Recorded<'a>, Error> {
    if gaps.is_empty() || answers.iter().all(|answer| answer.key.place().is_none()) {
        return Ok((answers.into(), pairs.into()));
    }
    let rows = kept + gaps.len();
    let numbered = answers.iter().all(|answer| matches!(answer.key, Key::Index(_)));
    let highest = answers.iter().filter_map(|answer| answer.key.place()).max().unwrap_or(0);
    // A number beyond the last example must count all rows; numbers before the first gap are the same either way.
    let is_clear = highest >= kept || gaps.iter().all(|gap| *gap > highest as u64);
    if !numbered || !is_clear {
        return Err(Error::ShiftedRows { model: model.to_string(), gaps: gaps.len(), rows });
    }
    let (mut moved, mut hashes) = (Vec::with_capacity(answers.len()), Vec::with_capacity(answers.len()));
    for (answer, pair) in answers.iter().zip(pairs) {
        let Key::Index(number) = answer.key else { continue };
        if let Err(before) = gaps.binary_search(&(number as u64)) {
            moved.push(Answer { key: Key::Index(number - before), ..answer.clone() });
            hashes.push(*pair);
        }
    }
    Ok((moved.into(), hashes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Label, Prediction};

    /// The converted indices of predictions with these numbers, for ten rows of which those at the gaps were skipped; `None` if they are
    /// refused.
    fn places(numbers: &[usize], gaps: &[u64], key: fn(usize) -> Key) -> Option<Vec<usize>> {
        let prediction = Prediction::of(Label::Neutral);
        let answers: Vec<Answer> =
            numbers.iter().map(|number| Answer { key: key(*number), prediction: prediction.clone(), line: 1 }).collect();
        let pairs = vec![None; answers.len()];
        let (moved, hashes) = placed((&answers, &pairs), gaps, 10 - gaps.len(), "m").ok()?;
        assert_eq!(moved.len(), hashes.len());
        Some(moved.iter().filter_map(|answer| answer.key.place()).collect())
    }

    #[test]
    fn row_numbers_are_shifted_and_skipped_rows_dropped() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(places(&all, &[2, 5], Key::Index), Some((0..8).collect()));
        assert_eq!(places(&[9, 0, 3], &[2, 5], Key::Index), Some(vec![7, 0, 2]));
        assert_eq!(places(&all, &[], Key::Row), Some(all.clone()));
    }

    #[test]
    fn ambiguous_row_numbers_are_refused() {
        let kept: Vec<usize> = (0..8).collect();
        assert_eq!(places(&kept, &[2, 5], Key::Index), None);
        // Skipped rows at the end shift nothing.
        assert_eq!(places(&kept, &[8, 9], Key::Index), Some(kept.clone()));
        // A row of the file is not an index of the readable rows.
        assert_eq!(places(&(0..10).collect::<Vec<_>>(), &[2, 5], Key::Row), None);
    }
}
