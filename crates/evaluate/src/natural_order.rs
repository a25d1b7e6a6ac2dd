//! Natural order of names with numbers: `temp2` before `temp10`.

use std::cmp::Ordering;

/// Compares runs of digits as numbers and everything else by character; different texts are never equal.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    while let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) {
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number_a, number_b) = (leading_digits(a), leading_digits(b));
            let ordering = by_value(number_a, number_b);
            if ordering.is_ne() {
                return ordering;
            }
            (a, b) = (&a[number_a.len()..], &b[number_b.len()..]);
        } else if x != y {
            return x.cmp(&y);
        } else {
            (a, b) = (&a[x.len_utf8()..], &b[y.len_utf8()..]);
        }
    }
    a.len().cmp(&b.len()).then_with(|| left.cmp(right))
}

fn leading_digits(text: &str) -> &str {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

fn by_value(left: &str, right: &str) -> Ordering {
    let (left, right) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sorted: &[&str]) {
        for pair in sorted.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(compare(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        check(&["temp", "temp2", "temp2b", "temp10", "temp10a2", "temp10a10", "tempo"]);
        check(&["9", "10", "99999999999999999999999998", "99999999999999999999999999"]);
    }

    #[test]
    fn leading_zeros_do_not_make_texts_equal() {
        check(&["007", "07", "7", "08"]);
        assert_eq!(compare("07", "07"), Ordering::Equal);
    }
}
