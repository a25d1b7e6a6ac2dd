//! Other numbers: how far they are from the number of the sentence, and which of them look as natural.

use acidtest_lingua::numbers::{Number, NumberKind};
use acidtest_nli::Rng;

/// On which side of a number another one lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Below,
    Above,
}

/// The least distance: `fewer than four` all but says three, which would make the neutral pair doubtful.
const LEAST_GAP: f64 = 2.0;
const LEAST_SHARE: f64 = 0.2;

/// A number of which there is more than one, so that the noun stays a plural.
const LEAST_VALUE: f64 = 2.0;

/// Another value that can be written as the number is, at least 2 and 20 % away; none where there is none.
pub(super) fn other(number: &Number, direction: Direction, rng: &mut Rng) -> Option<f64> {
    let values = values(number, direction);
    let value = rng.choose(&values).copied()?;
    Some(value)
}

/// Whether there is another value on a side.
pub(super) fn has_other(number: &Number, direction: Direction) -> bool {
    !values(number, direction).is_empty()
}

/// The values on a side, as round as the number itself.
fn values(number: &Number, direction: Direction) -> Vec<f64> {
    let value = number.value;
    let Some(unit) = unit(number) else { return Vec::new() };
    let (low, high) = match direction {
        Direction::Below => ((0.3 * value).max(LEAST_VALUE), (value - LEAST_GAP).min(value * (1.0 - LEAST_SHARE))),
        Direction::Above => ((value + LEAST_GAP).max(value * (1.0 + LEAST_SHARE)), (2.0 * value).max(value + LEAST_GAP + 3.0)),
    };
    let high = if number.kind == NumberKind::Percent { high.min(99.0) } else { high };
    for step in steps(value, unit) {
        let multiple = |times: i64| (times as f64 * step / unit).round() * unit;
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        if last < first {
            continue;
        }
        let fits = |value: &f64| number.write(*value).is_some();
        // A wide range is thinned out; all of it is as likely.
        let every = ((last - first) / MOST_VALUES + 1) as usize;
        let found: Vec<f64> = (first..=last).step_by(every).map(multiple).filter(fits).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

const MOST_VALUES: i64 = 200;

/// The smallest difference that can be written: one, a dozen, a million.
fn unit(number: &Number) -> Option<f64> {
    const UNITS: [f64; 8] = [0.01, 0.1, 1.0, 12.0, 1e3, 1e6, 1e9, 1e12];
    let written = number.write(number.value);
    UNITS.into_iter().find(|unit| number.write(number.value + unit).is_some_and(|other| Some(other) != written))
}

/// The steps in which other numbers go, the roundest first: a round number is replaced by a round one.
fn steps(value: f64, unit: f64) -> impl Iterator<Item = f64> {
    let units = (value / unit).round();
    let powers = (0..12).rev().flat_map(|power| [5.0, 1.0].map(|times| times * 10f64.powi(power)));
    powers.filter(move |step| units % step == 0.0 && step * 4.0 <= units || *step == 1.0).map(move |step| step * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::numbers::find_numbers;
    use acidtest_nli::Seed;

    #[track_caller]
    fn check(written: &str, below: &[f64], above: &[f64]) {
        let number = &find_numbers(written)[0];
        assert_eq!(values(number, Direction::Below), below, "below {written}");
        assert_eq!(values(number, Direction::Above), above, "above {written}");
    }

    #[test]
    fn other_numbers_keep_their_distance_and_their_roundness() {
        check("three", &[], &[5.0, 6.0, 7.0, 8.0]);
        check("4", &[2.0], &[6.0, 7.0, 8.0, 9.0]);
        check("60", &[20.0, 30.0, 40.0], &[80.0, 90.0, 100.0, 110.0, 120.0]);
        check("350", &[150.0, 200.0, 250.0], &[450.0, 500.0, 550.0, 600.0, 650.0, 700.0]);
        check("25", &[10.0, 15.0, 20.0], &[30.0, 35.0, 40.0, 45.0, 50.0]);
        check("two dozen", &[12.0], &[36.0, 48.0]);
        check("$5 million", &[2e6, 3e6, 4e6], &[6e6, 7e6, 8e6, 9e6, 10e6]);
        check("350 pounds", &[150.0, 200.0, 250.0], &[450.0, 500.0, 550.0, 600.0, 650.0, 700.0]);
        check("90%", &[30.0, 40.0, 50.0, 60.0, 70.0], &[]);
    }

    #[test]
    fn decimals_are_drawn_in_their_own_steps() {
        let number = &find_numbers("3.5")[0];
        let found = values(number, Direction::Above);
        assert!(found.iter().all(|value| *value >= 5.5 && number.write(*value).is_some()), "{found:?}");
    }

    #[test]
    fn every_gap_is_two_and_a_fifth_at_least() {
        let mut rng = Seed::new(1).rng();
        for value in 2..3000 {
            let number = &find_numbers(&value.to_string())[0];
            for direction in [Direction::Below, Direction::Above] {
                let Some(other) = other(number, direction, &mut rng) else { continue };
                let gap = (other - number.value).abs();
                assert!(gap >= 2.0 && gap >= 0.2 * number.value && other >= 2.0, "{value} {other}");
                assert_eq!(other > number.value, direction == Direction::Above);
            }
        }
    }
}
