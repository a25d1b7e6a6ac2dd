//! The smallest and largest value for which a condition holds.

use crate::statistics::Interval;

/// The number of grid steps. The set of values may have gaps, at which bisection alone would stop.
const STEPS: usize = 2000;

/// Bisections of a step: beyond the precision of an `f64`.
const HALVINGS: usize = 60;

/// The smallest and the largest value of the range for which the condition holds; the estimate, for which it holds, is included.
pub(super) fn outermost(range: Interval, estimate: f64, holds: impl Fn(f64) -> bool) -> Interval {
    let step = |n: usize| range.low + range.width() * n as f64 / STEPS as f64;
    let mut values: Vec<f64> = (0..=STEPS).map(step).collect();
    let place = values.partition_point(|&value| value < estimate);
    values.insert(place, estimate);
    let first = values.iter().position(|&value| holds(value)).unwrap_or(place);
    let last = values.iter().rposition(|&value| holds(value)).unwrap_or(place);
    let low = if first == 0 { values[0] } else { border(values[first - 1], values[first], &holds) };
    let high = if last + 1 == values.len() { values[last] } else { border(values[last + 1], values[last], &holds) };
    Interval { low, high }
}

/// The boundary next to `inside` from which the condition holds.
fn border(mut outside: f64, mut inside: f64, holds: &impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = outside + (inside - outside) / 2.0;
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_does_not_end_the_search() {
        let unit = Interval { low: 0.0, high: 1.0 };
        let found = outermost(unit, 0.5, |value| (0.2..=0.3).contains(&value) || (0.45..=0.7).contains(&value));
        assert!((found.low - 0.2).abs() < 1e-12 && (found.high - 0.7).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_narrow_set_between_two_steps_is_found_by_the_estimate() {
        let found = outermost(Interval { low: -1.0, high: 1.0 }, 0.50021, |value| (value - 0.50021).abs() <= 1e-5);
        assert!((found.low - 0.50020).abs() < 1e-12 && (found.high - 0.50022).abs() < 1e-12, "{found:?}");
    }
}
