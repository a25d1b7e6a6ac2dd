//! Numbers in text: their values, their notation, and writing other values in the same notation.

mod read;
mod write;

use crate::tokens::{Token, tokenize};
use read::{Digits, Span, WordKind};

/// A number found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// The first byte, currency sign included.
    pub start: usize,
    /// The byte after the last one, percent sign included.
    pub end: usize,
    /// The value: 2,500,000 for `$2.5 million`. The lower end of a range.
    pub value: f64,
    /// The kind of number.
    pub kind: NumberKind,
    writing: Writing,
    /// The text before the digits or words within the span, such as a currency sign.
    head: String,
    tail: String,
}

/// The kind of a number.
#[derive(Debug, Clone, PartialEq)]
pub enum NumberKind {
    /// A count or measure.
    Cardinal,
    /// A rank: `third`, `3rd`.
    Ordinal,
    /// A percentage: `5 %`, `five percent`.
    Percent,
    /// An amount of money in a currency: `$`, `dollars`.
    Money(String),
    /// A fraction: `1/2`, `two thirds`.
    Fraction,
    /// A year of four digits, or a decade: `1990`, `1990s`.
    Year,
    /// A range: `5-10`.
    Range {
        /// The upper end.
        to: f64,
    },
}

/// The notation of a number without sign and unit.
#[derive(Debug, Clone, PartialEq)]
enum Writing {
    Digits { grouped: Grouping, decimals: usize, scale: Option<Scale>, ending: String, point: Point },
    Words { hyphens: Hyphens, and: And, model: String },
    Dozens { hyphens: Hyphens, model: String, written: String },
    OrdinalWords { hyphens: Hyphens, and: And, model: String },
    Fraction { denominator: u64, mixed: Option<String> },
    FractionWords { denominator: u64, model: String, joint: String },
    Range { dash: String, decimals: usize, grouped: Grouping, upper: Upper },
}

/// The notation of the upper end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upper {
    Whole,
    /// `26` in `1925-26`.
    LastTwoDigits,
}

/// Whether thousands are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grouping {
    Commas,
    None,
}

/// Whether a number below one has a leading zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Point {
    AfterDigit,
    Bare,
}

/// Whether tens and ones are joined by a hyphen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hyphens {
    Hyphen,
    Space,
}

/// Whether `and` comes before the last two digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum And {
    Said,
    LeftOut,
}

/// A word such as `million` after digits, with the space or hyphen before it.
#[derive(Debug, Clone, PartialEq)]
struct Scale {
    factor: f64,
    written: String,
}

/// Finds the numbers of a text, in order.
///
/// ```
/// use acidtest_lingua::numbers::{NumberKind, find_numbers};
/// let text = "About three hundred people paid $2.5 million, up 12 %.";
/// let found: Vec<(&str, f64)> = find_numbers(text).iter().map(|number| (&text[number.start..number.end], number.value)).collect();
/// assert_eq!(found, [("three hundred", 300.0), ("$2.5 million", 2_500_000.0), ("12 %", 12.0)]);
/// ```
pub fn find_numbers(text: &str) -> Vec<Number> {
    let tokens = tokenize(text);
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match number_at(text, &tokens, at) {
            Some((number, next)) => {
                numbers.push(number);
                at = next;
            }
            None => at += 1,
        }
    }
    numbers
}

impl Number {
    /// Writes another value in the same notation, with the same currency or percent sign; `None` if that is impossible.
    ///
    /// ```
    /// use acidtest_lingua::numbers::find_numbers;
    /// let other = |text: &str, value: f64| find_numbers(text)[0].write(value);
    /// assert_eq!(other("3,600", 4100.0).as_deref(), Some("4,100"));
    /// assert_eq!(other("two", 5.0).as_deref(), Some("five"));
    /// assert_eq!(other("$1.5 million", 2_500_000.0).as_deref(), Some("$2.5 million"));
    /// assert_eq!(other("Third", 22.0).as_deref(), Some("Twenty-second"));
    /// assert_eq!(other("two", 2.5), None);
    /// ```
    pub fn write(&self, value: f64) -> Option<String> {
        let upper = if let NumberKind::Range { to } = self.kind { Some(value + (to - self.value)) } else { None };
        let body = write::body(&self.writing, value, upper)?;
        Some(format!("{}{body}{}", self.head, self.tail))
    }
}

impl Number {
    /// The unit as written: a currency, a percent sign or the word for it.
    ///
    /// ```
    /// use acidtest_lingua::numbers::find_numbers;
    /// assert_eq!(find_numbers("$2.5 million")[0].unit(), Some("$"));
    /// assert_eq!(find_numbers("5 per cent")[0].unit(), Some("per cent"));
    /// assert_eq!(find_numbers("two")[0].unit(), None);
    /// ```
    pub fn unit(&self) -> Option<&str> {
        [self.head.trim(), self.tail.trim()].into_iter().find(|unit| !unit.is_empty())
    }

    /// The notation of the number.
    pub fn style(&self) -> NumberStyle {
        match &self.writing {
            Writing::Digits { scale: Some(_), .. } => NumberStyle::DigitsAndWord,
            Writing::Digits { .. } | Writing::Fraction { .. } | Writing::Range { .. } => NumberStyle::Digits,
            Writing::Words { .. } | Writing::Dozens { .. } | Writing::OrdinalWords { .. } | Writing::FractionWords { .. } => {
                NumberStyle::Words
            }
        }
    }
}

/// The notation of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberStyle {
    /// `1,200`, `3/4`, `5-10`.
    Digits,
    /// `2.5 million`.
    DigitsAndWord,
    /// `three hundred`.
    Words,
}

/// The number that begins at a token, and the index of the token after it.
fn number_at(text: &str, tokens: &[Token], at: usize) -> Option<(Number, usize)> {
    let word = |place: usize| tokens.get(place).map_or("", |token| token.text(text));
    let is_sign = |sign: &str| matches!(sign, "$" | "£" | "€" | "¥" | "US$");
    let signed = is_sign(word(at)) && tokens.get(at + 1).is_some_and(|next| next.start == tokens[at].end);
    let first = at + usize::from(signed);
    if at > 0 && is_reference(word(at - 1)) {
        return None;
    }
    let (mut body, mut next) = body_at(text, tokens, first)?;
    if signed && !matches!(body.writing, Writing::Digits { .. } | Writing::Range { .. }) {
        return None;
    }
    body.start = tokens[at].start;
    body.head = text[tokens[at].start..tokens[first].start].to_owned();
    if signed {
        body.kind = if let NumberKind::Range { .. } = body.kind { body.kind } else { NumberKind::Money(word(at).to_owned()) };
    } else if let Some((unit, length)) =
        unit_at(text, tokens, next).filter(|_| matches!(body.kind, NumberKind::Cardinal | NumberKind::Year))
    {
        next += length;
        body.end = tokens[next - 1].end;
        body.kind = unit;
    }
    let proper_end = body_end(&body, text);
    body.tail = text[proper_end..body.end].to_owned();
    // Numbers that cannot be written back exactly are ignored.
    (body.write(body.value).as_deref() == Some(&text[body.start..body.end])).then_some((body, next))
}

/// Whether a number after this word refers to a part of a text: `Table 4.1` is not more than `Table 4`.
fn is_reference(word: &str) -> bool {
    matches!(word, "Table" | "Figure" | "Fig." | "Section" | "Chapter" | "Appendix" | "Exhibit" | "Equation" | "Article" | "Version")
}

/// The end of the number without its unit; until now, `tail` holds that byte's distance from the start.
fn body_end(number: &Number, text: &str) -> usize {
    number.tail.parse::<usize>().unwrap_or(text.len()).min(number.end)
}

/// The unit after a number: a percent sign or word, or a currency.
fn unit_at(text: &str, tokens: &[Token], at: usize) -> Option<(NumberKind, usize)> {
    let word = |place: usize| tokens.get(place).map_or("", |token| token.text(text)).to_lowercase();
    match word(at).as_str() {
        "%" | "percent" => Some((NumberKind::Percent, 1)),
        "per" if word(at + 1) == "cent" => Some((NumberKind::Percent, 2)),
        name @ ("dollars" | "dollar" | "pounds" | "euros" | "euro" | "cents" | "yen" | "bucks") => {
            Some((NumberKind::Money(name.to_owned()), 1))
        }
        _ => None,
    }
}

/// The number at a token, without sign and unit. Its `tail` is its end in bytes.
fn body_at(text: &str, tokens: &[Token], at: usize) -> Option<(Number, usize)> {
    let token = tokens.get(at)?;
    let written = token.text(text);
    let number = |value: f64, kind: NumberKind, writing: Writing, last: usize| {
        let end = tokens[last].end;
        (Number { start: token.start, end, value, kind, writing, head: String::new(), tail: end.to_string() }, last + 1)
    };
    if written.starts_with(|first: char| first.is_ascii_digit() || first == '.' || first == '-') {
        if let Some((over, under)) = read::fraction(written) {
            return Some(number(
                over as f64 / under as f64,
                NumberKind::Fraction,
                Writing::Fraction { denominator: under, mixed: None },
                at,
            ));
        }
        if let Some(Span { low, to, dash, upper, decimals }) = read::range(written) {
            let writing = Writing::Range { dash, decimals, grouped: low.grouped, upper };
            return Some(number(low.value, NumberKind::Range { to }, writing, at));
        }
        let digits = read::digits(written)?;
        return Some(after_digits(text, tokens, at, digits, number));
    }
    let words: Vec<&str> = tokens[at..].iter().take(16).map(|token| token.text(text)).collect();
    let found = read::words(&words)?;
    let last = at + found.length - 1;
    let model = written.to_owned();
    let (kind, writing) = match found.kind {
        WordKind::Cardinal => (NumberKind::Cardinal, Writing::Words { hyphens: found.hyphens, and: found.and, model }),
        WordKind::Dozens => {
            let written = text[tokens[last - 1].end..tokens[last].end].to_owned();
            (NumberKind::Cardinal, Writing::Dozens { hyphens: found.hyphens, model, written })
        }
        WordKind::Ordinal => (NumberKind::Ordinal, Writing::OrdinalWords { hyphens: found.hyphens, and: found.and, model }),
        WordKind::Fraction { denominator, ref joint } => {
            (NumberKind::Fraction, Writing::FractionWords { denominator, model, joint: joint.clone() })
        }
    };
    // In "no one", "this one" and "each one", the word is a pronoun.
    let before = at.checked_sub(1).map_or("", |before| tokens[before].text(text)).to_lowercase();
    let pronoun = found.value == 1.0
        && found.length == 1
        && ["no", "any", "every", "this", "that", "each", "some", "the", "which"].contains(&before.as_str());
    (!pronoun || kind == NumberKind::Ordinal).then(|| number(found.value, kind, writing, last))
}

/// Digits with what may follow them: a fraction, a scale word, an ordinal or decade ending.
fn after_digits(
    text: &str,
    tokens: &[Token],
    at: usize,
    digits: Digits,
    number: impl Fn(f64, NumberKind, Writing, usize) -> (Number, usize),
) -> (Number, usize) {
    let next = tokens.get(at + 1).map(|token| token.text(text));
    if let Some((over, under)) = next.and_then(read::fraction).filter(|_| digits.is_plain_integer() && over_fits(next)) {
        let value = digits.value + over as f64 / under as f64;
        let gap = text[tokens[at].end..tokens[at + 1].start].to_owned();
        return number(value, NumberKind::Fraction, Writing::Fraction { denominator: under, mixed: Some(gap) }, at + 1);
    }
    let scale = next.and_then(read::scale).filter(|_| digits.ending.is_empty());
    let kind = match digits.ending.as_str() {
        "st" | "nd" | "rd" | "th" => NumberKind::Ordinal,
        _ if scale.is_none() && digits.looks_like_year() => NumberKind::Year,
        _ => NumberKind::Cardinal,
    };
    let (value, last) = scale.map_or((digits.value, at), |factor| (digits.value * factor, at + 1));
    let scale = scale.map(|factor| Scale { factor, written: text[tokens[at].end..tokens[at + 1].end].to_owned() });
    let writing = Writing::Digits { grouped: digits.grouped, decimals: digits.decimals, scale, ending: digits.ending, point: digits.point };
    number(value, kind, writing, last)
}

/// Whether a fraction is below one, so it may follow a whole number.
fn over_fits(written: Option<&str>) -> bool {
    written.and_then(read::fraction).is_some_and(|(over, under)| over < under)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[(&str, f64, NumberKind)]) {
        let found: Vec<(&str, f64, NumberKind)> =
            find_numbers(text).into_iter().map(|number| (&text[number.start..number.end], number.value, number.kind)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn digits_are_read() {
        check("1,200 men and 3.5 cups", &[("1,200", 1200.0, NumberKind::Cardinal), ("3.5", 3.5, NumberKind::Cardinal)]);
        check("in 1990 or the 1980s", &[("1990", 1990.0, NumberKind::Year), ("1980s", 1980.0, NumberKind::Year)]);
        check("the 3rd of 21", &[("3rd", 3.0, NumberKind::Ordinal), ("21", 21.0, NumberKind::Cardinal)]);
    }

    #[test]
    fn money_and_shares_are_read() {
        check(
            "$2.5 million and £30",
            &[("$2.5 million", 2.5e6, NumberKind::Money("$".into())), ("£30", 30.0, NumberKind::Money("£".into()))],
        );
        check("five percent or 12%", &[("five percent", 5.0, NumberKind::Percent), ("12%", 12.0, NumberKind::Percent)]);
        check("20 dollars", &[("20 dollars", 20.0, NumberKind::Money("dollars".into()))]);
    }

    #[test]
    fn words_are_read() {
        check("three hundred and five", &[("three hundred and five", 305.0, NumberKind::Cardinal)]);
        check("twenty-one thousand two hundred", &[("twenty-one thousand two hundred", 21_200.0, NumberKind::Cardinal)]);
        check("two dozen eggs", &[("two dozen", 24.0, NumberKind::Cardinal)]);
        check("the twenty-first time", &[("twenty-first", 21.0, NumberKind::Ordinal)]);
        check("no one saw two and three", &[("two", 2.0, NumberKind::Cardinal), ("three", 3.0, NumberKind::Cardinal)]);
    }

    #[test]
    fn fractions_and_ranges_are_read() {
        check("1/2 or 2 3/4", &[("1/2", 0.5, NumberKind::Fraction), ("2 3/4", 2.75, NumberKind::Fraction)]);
        check("two thirds", &[("two thirds", 2.0 / 3.0, NumberKind::Fraction)]);
        check("5-10 men", &[("5-10", 5.0, NumberKind::Range { to: 10.0 })]);
    }

    #[test]
    fn ranges_of_years_may_be_abbreviated() {
        check("in 1925-26", &[("1925-26", 1925.0, NumberKind::Range { to: 1926.0 })]);
        check("in 2004-05", &[("2004-05", 2004.0, NumberKind::Range { to: 2005.0 })]);
        let other = |value: f64| find_numbers("1925-26")[0].write(value);
        assert_eq!(other(1930.0).as_deref(), Some("1930-31"));
        assert_eq!(other(1999.0).as_deref(), Some("1999-2000"));
        assert_eq!(find_numbers("1925-26")[0].style(), NumberStyle::Digits);
    }

    #[test]
    fn the_numbers_of_tables_and_figures_are_ignored() {
        check("Table 4.1 shows 12 men", &[("12", 12.0, NumberKind::Cardinal)]);
        check("a table 4.1 metres long", &[("4.1", 4.1, NumberKind::Cardinal)]);
    }

    #[test]
    fn notations_are_distinguished() {
        let style = |text: &str| find_numbers(text)[0].style();
        assert_eq!(
            [style("3,600"), style("$2.5 million"), style("two")],
            [NumberStyle::Digits, NumberStyle::DigitsAndWord, NumberStyle::Words]
        );
        assert_eq!([style("3/4"), style("22nd"), style("third")], [NumberStyle::Digits, NumberStyle::Digits, NumberStyle::Words]);
    }

    #[test]
    fn words_that_only_look_like_numbers_are_ignored() {
        check("at 10:30, v3.5.2, a tent, someone, often, B52, 2-year-old", &[]);
    }

    #[test]
    fn other_values_keep_the_notation() {
        let other = |text: &str, value: f64| find_numbers(text)[0].write(value);
        for (text, value, expected) in [
            ("1,200", 950.0, "950"),
            ("1200", 12_500.0, "12500"),
            ("$3.20", 4.5, "$4.50"),
            ("3rd", 22.0, "22nd"),
            ("three hundred and five", 210.0, "two hundred and ten"),
            ("Twenty-one", 45.0, "Forty-five"),
            ("two thirds", 1.0 / 3.0, "one third"),
            ("5-10", 7.0, "7-12"),
            ("12 %", 15.0, "15 %"),
            ("1/2", 0.25, ""),
            ("90s", 80.0, "80s"),
            ("1990s", 1991.0, ""),
            (".77777777700001", 1.777_777_777_000_01, ""),
        ] {
            assert_eq!(other(text, value).unwrap_or_default(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn written_numbers_are_read_back(value in 0u32..2_000_000, style in 0usize..6) {
            let models = ["1,200", "7", "$1,200", "three hundred and five", "twenty-one", "3rd"];
            let written = find_numbers(models[style])[0].write(f64::from(value)).unwrap();
            let read = find_numbers(&written);
            prop_assert_eq!(read.len(), 1, "{}", &written);
            prop_assert_eq!(read[0].value, f64::from(value), "{}", &written);
            prop_assert_eq!((read[0].start, read[0].end), (0, written.len()));
        }

        #[test]
        fn every_number_found_can_be_written_back(text in "([0-9$%.,/ -]|one|two |hundred |and |third|million){0,14}|\\PC{0,40}") {
            for number in find_numbers(&text) {
                prop_assert_eq!(number.write(number.value), Some(text[number.start..number.end].to_owned()));
            }
        }
    }
}
