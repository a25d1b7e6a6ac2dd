//! Numbers in sentences, and the pieces that sections are made of.

use crate::report::Cell;
use crate::statistics::{Interval, Proportion};

/// A count with a comma before every three digits.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let head = digits.len() % 3;
    let mut parts: Vec<&str> = if head > 0 { vec![&digits[..head]] } else { Vec::new() };
    parts.extend((head..digits.len()).step_by(3).map(|start| &digits[start..start + 3]));
    parts.join(",")
}

/// So many of a thing: `1 row`, `2,000 rows`.
pub(super) fn counted(count: usize, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A share or a difference of shares in points, without a sign before zero.
pub(super) fn points(share: f64) -> String {
    let text = format!("{:.1}", 100.0 * share);
    if text == "-0.0" { "0.0".to_string() } else { text }
}

/// An interval in points.
pub(super) fn bracket(interval: Interval) -> String {
    format!("[{}, {}]", points(interval.low), points(interval.high))
}

/// A share with its interval; words where there is nothing to take a share of.
pub(super) fn share(proportion: Proportion, interval: Interval) -> String {
    match proportion.rate() {
        Some(rate) => format!("{} % {}", points(rate), bracket(interval)),
        None => "no rows".to_string(),
    }
}

/// A p value as a sentence has it.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_string() } else { format!("p = {p:.4}") }
}

/// Names in a sentence: `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [all @ .., last] => format!("{} and {}", all.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "), last.as_ref()),
    }
}

/// A number cell; values may differ in their last bits between platforms, and a report must not.
pub(super) fn number(value: f64, digits: u8) -> Cell {
    Cell::number(Some(nine_digits(value)), digits)
}

/// A share as a number cell in points.
pub(super) fn in_points(share: f64) -> Cell {
    number(100.0 * share, 2)
}

/// The two ends of an interval in points.
pub(super) fn ends(interval: Interval) -> [Cell; 2] {
    [in_points(interval.low), in_points(interval.high)]
}

fn nine_digits(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

/// A count cell.
pub(super) fn count(count: u64) -> Cell {
    Cell::Count { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 30_000, 1_234_567].map(grouped), ["0", "999", "1,000", "30,000", "1,234,567"]);
    }

    #[test]
    fn names_are_listed_as_in_speech() {
        assert_eq!(listed(&["a"; 0]), "");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([points(-0.0001), points(-0.001), points(0.976)], ["0.0", "-0.1", "97.6"]);
    }
}
