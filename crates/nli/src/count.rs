//! Counts in the style of running text.

use std::fmt::Display;

/// A whole number with a comma before every three digits, such as `9,815`.
pub fn grouped(count: impl Display) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 example`, `2,000 examples`.
pub fn counted(count: impl Display, one: &str) -> String {
    let count = grouped(count);
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {one}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 30_000, 1_234_567].map(grouped), ["0", "999", "1,000", "30,000", "1,234,567"]);
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([0, 1, 2000].map(|count| counted(count, "example")), ["0 examples", "1 example", "2,000 examples"]);
    }
}
