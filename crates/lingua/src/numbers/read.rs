//! Parses numbers.

use super::{And, Grouping, Hyphens, Point, Upper};

pub(super) const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
pub(super) const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
pub(super) const SCALES: [(&str, u64); 5] =
    [("trillion", 1_000_000_000_000), ("billion", 1_000_000_000), ("million", 1_000_000), ("thousand", 1_000), ("hundred", 100)];
pub(super) const ORDINALS: [&str; 20] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];

/// The maximum length of a number in digits, commas and points, beyond which its value would be inexact.
pub(super) const MOST_DIGITS: usize = 15;

/// A number in digits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Digits {
    pub value: f64,
    pub grouped: Grouping,
    pub decimals: usize,
    pub point: Point,
    /// The ending of an ordinal (`st`, `nd`, `rd`, `th`) or of a decade (`s`).
    pub ending: String,
}

impl Digits {
    pub(super) fn is_plain_integer(&self) -> bool {
        self.decimals == 0 && self.ending.is_empty()
    }

    pub(super) fn looks_like_year(&self) -> bool {
        let ending = self.ending.is_empty() || self.ending == "s";
        self.decimals == 0 && self.grouped == Grouping::None && ending && (1100.0..2100.0).contains(&self.value)
    }
}

/// Reads `1,200`, `3.5`, `.5`, `-4`, `3rd`, `1990s`.
pub(super) fn digits(written: &str) -> Option<Digits> {
    let end = written.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let (number, ending) = written.split_at(end);
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let (whole, part) = unsigned.split_once('.').map_or((unsigned, ""), |(whole, part)| (whole, part));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(part) || (unsigned.contains('.') && part.is_empty()) || unsigned.len() > MOST_DIGITS {
        return None;
    }
    let grouped = if whole.contains(',') { Grouping::Commas } else { Grouping::None };
    if grouped == Grouping::Commas {
        let groups: Vec<&str> = whole.split(',').collect();
        if groups[0].is_empty()
            || groups[0].len() > 3
            || !all_digits(groups[0])
            || groups[1..].iter().any(|group| group.len() != 3 || !all_digits(group))
        {
            return None;
        }
    } else if !all_digits(whole) || (whole.len() > 1 && whole.starts_with('0')) {
        return None;
    }
    let value: f64 = number.replace(',', "").parse().ok()?;
    let fits = match ending {
        "" => true,
        "s" => part.is_empty() && grouped == Grouping::None && value % 10.0 == 0.0 && value > 0.0,
        "st" | "nd" | "rd" | "th" => part.is_empty() && value >= 0.0,
        _ => false,
    };
    let point = if whole.is_empty() { Point::Bare } else { Point::AfterDigit };
    fits.then(|| Digits { value, grouped, decimals: part.len(), point, ending: ending.to_owned() })
}

/// Reads `3/4`.
pub(super) fn fraction(written: &str) -> Option<(u64, u64)> {
    let (over, under) = written.split_once('/')?;
    let plain = |text: &str| !text.is_empty() && text.len() < 5 && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if !plain(over) || !plain(under) {
        return None;
    }
    let (over, under) = (over.parse().ok()?, under.parse().ok()?);
    // Fractions have small parts; 24/7 and 9/11 are not fractions.
    (under > 1 && over < under && under <= 100 && (over, under) != (9, 11)).then_some((over, under))
}

/// The two ends of a range.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub low: Digits,
    pub to: f64,
    pub dash: String,
    pub upper: Upper,
    pub decimals: usize,
}

/// Reads `5-10` and `1925-26` with their dash.
pub(super) fn range(written: &str) -> Option<Span> {
    let at = written.char_indices().skip(1).find(|&(_, letter)| letter == '-' || letter == '–').map(|(at, _)| at)?;
    let dash: String = written[at..].chars().take(1).collect();
    let (low, rest) = (digits(&written[..at])?, &written[at + dash.len()..]);
    if !low.ending.is_empty() || low.value < 0.0 {
        return None;
    }
    if let Some(high) = digits(rest).filter(|high| high.ending.is_empty() && high.value > low.value) {
        let decimals = low.decimals.max(high.decimals);
        return Some(Span { to: high.value, dash, upper: Upper::Whole, decimals, low });
    }
    // The end of a range of years may be its last two digits.
    let years = low.looks_like_year() && rest.len() == 2 && rest.bytes().all(|byte| byte.is_ascii_digit());
    let to = (low.value / 100.0).floor() * 100.0 + rest.parse::<f64>().ok().filter(|_| years)?;
    (to > low.value).then_some(Span { to, dash, upper: Upper::LastTwoDigits, decimals: 0, low })
}

/// The factor of a scale word.
pub(super) fn scale(word: &str) -> Option<f64> {
    let lower = word.to_lowercase();
    if lower == "dozen" {
        return Some(12.0);
    }
    SCALES.iter().find(|(name, _)| *name == lower).map(|&(_, factor)| factor as f64)
}

/// A number in words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    pub value: f64,
    /// The number of tokens.
    pub length: usize,
    pub kind: WordKind,
    pub hyphens: Hyphens,
    pub and: And,
}

/// What kind of number the words are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WordKind {
    Cardinal,
    /// `two dozen`.
    Dozens,
    Ordinal,
    Fraction {
        denominator: u64,
        joint: String,
    },
}

/// The contribution of one word.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece {
    Ones(u64),
    Tens(u64),
    TensAndOnes(u64),
    Scale(u64),
    OrdinalOnes(u64),
    OrdinalTens(u64),
    OrdinalTensAndOnes(u64),
    OrdinalScale(u64),
}

fn piece(word: &str) -> Option<Piece> {
    let find = |table: &[&str]| table.iter().position(|name| !name.is_empty() && *name == word).map(|place| place as u64);
    if let Some(number) = find(&ONES) {
        return Some(Piece::Ones(number));
    }
    if let Some(number) = find(&TENS) {
        return Some(Piece::Tens(number * 10));
    }
    if let Some(&(_, factor)) = SCALES.iter().find(|(name, _)| *name == word) {
        return Some(Piece::Scale(factor));
    }
    if let Some(number) = find(&ORDINALS) {
        return Some(Piece::OrdinalOnes(number));
    }
    if let Some(stem) = word.strip_suffix("ieth") {
        let number = find_tens(&format!("{stem}y"))?;
        return Some(Piece::OrdinalTens(number));
    }
    if let Some(&(_, factor)) = SCALES.iter().find(|(name, _)| word.strip_suffix("th") == Some(name)) {
        return Some(Piece::OrdinalScale(factor));
    }
    let (tens, ones) = word.split_once('-')?;
    match (piece_simple(tens)?, piece_simple(ones)?) {
        (Piece::Tens(tens), Piece::Ones(ones @ 1..=9)) => Some(Piece::TensAndOnes(tens + ones)),
        (Piece::Tens(tens), Piece::OrdinalOnes(ones @ 1..=9)) => Some(Piece::OrdinalTensAndOnes(tens + ones)),
        _ => None,
    }
}

fn piece_simple(word: &str) -> Option<Piece> {
    if word.contains('-') { None } else { piece(word) }
}

fn find_tens(word: &str) -> Option<u64> {
    TENS.iter().position(|name| !name.is_empty() && *name == word).map(|place| place as u64 * 10)
}

/// Reads the longest number at the beginning of the words.
pub(super) fn words(words: &[&str]) -> Option<Words> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    if let Some(found) = fraction_words(&lower) {
        return Some(found);
    }
    let mut sum = Sum::default();
    let mut at = 0;
    while at < lower.len() {
        // "and" belongs to the number only between a hundred or more and a smaller remainder.
        if lower[at] == "and" && sum.takes_and() && at + 1 < lower.len() && sum.clone().add(piece_below_hundred(&lower[at + 1])).is_some() {
            sum.and = And::Said;
            at += 1;
        }
        if lower[at] == "dozen" && at > 0 && sum.total() < 100 && sum.kind == WordKind::Cardinal && sum.count == 1 {
            return Some(Words {
                value: sum.total() as f64 * 12.0,
                length: at + 1,
                kind: WordKind::Dozens,
                hyphens: sum.hyphens,
                and: sum.and,
            });
        }
        let Some(next) = sum.clone().add(piece(&lower[at])) else { break };
        sum = next;
        at += 1;
        if sum.kind == WordKind::Ordinal {
            break;
        }
    }
    // A trailing "and" is not part of the number.
    let length = if at > 0 && lower[at - 1] == "and" { at - 1 } else { at };
    (sum.count > 0).then(|| Words { value: sum.total() as f64, length, kind: sum.kind.clone(), hyphens: sum.hyphens, and: sum.and })
}

fn piece_below_hundred(word: &str) -> Option<Piece> {
    piece(word).filter(|piece| !matches!(piece, Piece::Scale(_) | Piece::OrdinalScale(_)))
}

#[derive(Debug, Clone)]
struct Sum {
    total: u64,
    /// The part below the next scale word.
    part: u64,
    /// The next piece must be smaller than this.
    room: u64,
    last_scale: u64,
    count: usize,
    kind: WordKind,
    hyphens: Hyphens,
    and: And,
}

impl Default for Sum {
    fn default() -> Self {
        let (kind, hyphens, and) = (WordKind::Cardinal, Hyphens::Hyphen, And::LeftOut);
        Sum { total: 0, part: 0, room: 1000, last_scale: u64::MAX, count: 0, kind, hyphens, and }
    }
}

impl Sum {
    fn total(&self) -> u64 {
        self.total + self.part
    }

    fn takes_and(&self) -> bool {
        self.count > 0 && self.total() >= 100 && self.room >= 100 && self.and == And::LeftOut
    }

    /// The sum with another piece, if the piece may follow.
    fn add(mut self, piece: Option<Piece>) -> Option<Sum> {
        let (piece, ordinal) = match piece? {
            Piece::OrdinalOnes(number) => (Piece::Ones(number), true),
            Piece::OrdinalTens(number) => (Piece::Tens(number), true),
            Piece::OrdinalTensAndOnes(number) => (Piece::TensAndOnes(number), true),
            Piece::OrdinalScale(number) => (Piece::Scale(number), true),
            other => (other, false),
        };
        match piece {
            Piece::Ones(number) => {
                let after_tens = self.room == 10;
                if number >= self.room || (number == 0 && self.count > 0) {
                    return None;
                }
                if after_tens {
                    self.hyphens = Hyphens::Space;
                }
                self.part += number;
                self.room = 0;
            }
            Piece::Tens(number) | Piece::TensAndOnes(number) => {
                if self.room < 100 {
                    return None;
                }
                self.part += number;
                self.room = if let Piece::Tens(_) = piece { 10 } else { 0 };
            }
            Piece::Scale(100) => {
                // "two hundred", but not "hundred hundred".
                if self.part == 0 || self.part > 9 || self.room == 100 {
                    return None;
                }
                self.part *= 100;
                self.room = 100;
            }
            Piece::Scale(factor) => {
                if self.part == 0 || factor >= self.last_scale {
                    return None;
                }
                self.total += self.part * factor;
                self.part = 0;
                self.room = 1000;
                self.last_scale = factor;
            }
            _ => return None,
        }
        self.count += 1;
        if ordinal {
            self.kind = WordKind::Ordinal;
        }
        Some(self)
    }
}

/// Reads `two thirds`, `three-quarters`, `one half`.
fn fraction_words(words: &[String]) -> Option<Words> {
    let first = words.first()?;
    let (over, under, joint, length) = match first.split_once('-') {
        Some((over, under)) => (over, under, "-", 1),
        None => (first.as_str(), words.get(1)?.as_str(), " ", 2),
    };
    let over = ONES.iter().position(|name| *name == over).filter(|over| (1..20).contains(over))? as u64;
    let denominator = denominator(under, over)?;
    let kind = WordKind::Fraction { denominator, joint: joint.to_owned() };
    Some(Words { value: over as f64 / denominator as f64, length, kind, hyphens: Hyphens::Hyphen, and: And::LeftOut })
}

fn denominator(word: &str, over: u64) -> Option<u64> {
    let singular = if over == 1 { word } else { if word == "halves" { "half" } else { word.strip_suffix('s')? } };
    match singular {
        "half" => Some(2),
        "quarter" => Some(4),
        "first" | "second" | "zeroth" => None,
        _ => ORDINALS.iter().position(|name| *name == singular).map(|place| place as u64),
    }
}
