//! Numbers in sentences, and cells for sections.

use crate::report::{Cell, PForm, nine_digits};
use crate::statistics::clustered::{ClusteredAccuracy, DifferenceInterval, Trust};
use crate::statistics::{Interval, Proportion};
pub(crate) use acidtest_nli::{counted, grouped};

/// A share or a difference of shares in points, without a sign before zero.
pub(crate) fn points(share: f64) -> String {
    let text = format!("{:.1}", 100.0 * share);
    if text == "-0.0" { "0.0".to_string() } else { text }
}

/// An end of an interval in points: one that is not 0 is not written as 0.
fn end_in_points(share: f64) -> String {
    match points(share) {
        zero if zero == "0.0" && share.abs() >= 0.00005 => format!("{:.2}", 100.0 * share),
        written => written,
    }
}

/// An interval in points.
pub(super) fn bracket(interval: Interval) -> String {
    format!("[{}, {}]", end_in_points(interval.low), end_in_points(interval.high))
}

/// The interval of a difference in points, in which an excluded end of 0 is `> 0` or `< 0`.
pub(super) fn difference_bracket(found: DifferenceInterval) -> String {
    let [low, high] = written_ends(found).map(|(end, left_out)| left_out.map_or_else(|| end_in_points(end), str::to_string));
    format!("[{low}, {high}]")
}

/// The two ends, with the text for an excluded end of 0.
fn written_ends(found: DifferenceInterval) -> [(f64, Option<&'static str>); 2] {
    let Interval { low, high } = found.interval;
    [(low, (found.is_zero_left_out && low == 0.0).then_some("> 0")), (high, (found.is_zero_left_out && high == 0.0).then_some("< 0"))]
}

/// A clustered share with its interval, with a remark if it is unreliable; words if there are no examples.
pub(super) fn clustered_share(found: &ClusteredAccuracy) -> String {
    let Some(rate) = found.proportion().rate() else { return "no examples".to_string() };
    let rate = points(rate);
    match found.trust() {
        Trust::Full | Trust::Rough => format!("{rate} % {}", bracket(found.interval())),
        Trust::FewClusters => format!("{rate} % {} (from {})", bracket(found.interval()), counted(found.clusters() as usize, "cluster")),
        Trust::NotEstimable => format!("{rate} % (one cluster, no interval)"),
    }
}

/// A share with its interval; words if there are no examples.
pub(super) fn share(proportion: Proportion, interval: Interval) -> String {
    match proportion.rate() {
        Some(rate) => format!("{} % {}", points(rate), bracket(interval)),
        None => "no examples".to_string(),
    }
}

/// A p value for a sentence.
pub(crate) fn p_value(p: f64) -> String {
    let written = PForm::Rounded.written(p);
    if written.starts_with('<') { format!("p {written}") } else { format!("p = {written}") }
}

/// Names in a sentence: `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [all @ .., last] => format!("{} and {}", all.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "), last.as_ref()),
    }
}

/// A number cell, rounded so that reports do not depend on the platform's last bits.
pub(super) fn number(value: f64, digits: u8) -> Cell {
    Cell::number(Some(nine_digits(value)), digits)
}

/// A share or a difference of shares as a number cell in points.
pub(super) fn in_points(share: f64) -> Cell {
    number(100.0 * share, 1)
}

/// A standard deviation or a share of variance as a number cell in points; between runs they are often below 0.1, so they have two decimals.
pub(super) fn spread_in_points(share: f64) -> Cell {
    number(100.0 * share, 2)
}

/// An adjusted p value as a cell.
pub(super) fn p_cell(p: f64) -> Cell {
    Cell::p(p, PForm::Rounded)
}

/// A count cell.
pub(super) fn count(count: u64) -> Cell {
    Cell::Count { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_with_commas_and_an_and() {
        assert_eq!(listed(&["a"; 0]), "");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn p_values_are_never_a_string_of_zeros() {
        let exact = |p: f64| PForm::Exact.written(p);
        let written = [1.0, 0.0427739, 0.001, 0.00099, 0.0].map(p_value);
        assert_eq!(written, ["p = 1.0000", "p = 0.0428", "p = 0.0010", "p < 0.001", "p < 0.001"]);
        assert_eq!([0.0427739, 1.8626e-9, 1e-15, 2e-295, 0.0].map(exact), ["0.0428", "1.9e-9", "1.0e-15", "< 1e-15", "< 1e-15"]);
    }

    #[test]
    fn an_excluded_end_of_an_interval_is_marked() {
        let bracket = |low: f64, high: f64, is_zero_left_out: bool| {
            difference_bracket(DifferenceInterval { interval: Interval { low, high }, is_zero_left_out })
        };
        assert_eq!(bracket(0.0, 0.34, true), "[> 0, 34.0]");
        assert_eq!(bracket(-0.34, 0.0, true), "[-34.0, < 0]");
        assert_eq!(bracket(0.0, 0.34, false), "[0.0, 34.0]");
    }

    #[test]
    fn an_end_beside_zero_is_not_written_as_zero() {
        assert_eq!(bracket(Interval { low: -0.00016, high: 0.009 }), "[-0.02, 0.9]");
        assert_eq!(bracket(Interval { low: 0.0, high: 0.0004 }), "[0.0, 0.04]");
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([points(-0.0001), points(-0.001), points(0.976)], ["0.0", "-0.1", "97.6"]);
    }
}
