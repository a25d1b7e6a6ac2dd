//! Writes numbers.

use super::{
    And, Grouping, Hyphens, Point, Upper, Writing,
    read::{MOST_DIGITS, ONES, ORDINALS, SCALES, TENS},
};
use crate::inflect::like;

/// Writes a number in this notation, without sign and unit; `upper` is the other end of a range.
pub(super) fn body(writing: &Writing, value: f64, upper: Option<f64>) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    match writing {
        Writing::Digits { grouped, decimals, scale, ending, point } => {
            let number = scale.as_ref().map_or(value, |scale| value / scale.factor);
            let digits = digits(number, *decimals, *grouped, *point)?;
            let ending = match ending.as_str() {
                // There are nineties, but no ninety-ones.
                "s" if value <= 0.0 || value % 10.0 != 0.0 => return None,
                "" | "s" => ending.as_str(),
                _ => ordinal_ending(whole(value)?),
            };
            Some(format!("{digits}{ending}{}", scale.as_ref().map_or("", |scale| scale.written.as_str())))
        }
        Writing::Words { hyphens, and, model } => Some(like(model, &in_words(whole(value)?, *hyphens, *and)?)),
        Writing::Dozens { hyphens, model, written } => {
            Some(format!("{}{written}", like(model, &in_words(whole(value / 12.0)?, *hyphens, And::LeftOut)?)))
        }
        Writing::OrdinalWords { hyphens, and, model } => Some(like(model, &ordinal(&in_words(whole(value)?, *hyphens, *and)?))),
        Writing::Fraction { denominator, mixed } => {
            let over = whole((value * *denominator as f64 * 1e6).round() / 1e6)?;
            let (front, rest) = (over / denominator, over % denominator);
            match mixed {
                Some(gap) if front > 0 && rest > 0 => Some(format!("{front}{gap}{rest}/{denominator}")),
                None if front == 0 && rest > 0 => Some(format!("{rest}/{denominator}")),
                _ => None,
            }
        }
        Writing::FractionWords { denominator, model, joint } => {
            let over = whole((value * *denominator as f64 * 1e6).round() / 1e6).filter(|over| (1..20).contains(over))?;
            let name = match denominator {
                2 => "half",
                4 if !model.is_empty() && !joint.contains("fourth") => "quarter",
                other => ORDINALS.get(*other as usize)?,
            };
            let name = match (over, name) {
                (1, name) => name.to_owned(),
                (_, "half") => "halves".to_owned(),
                (_, name) => format!("{name}s"),
            };
            Some(like(model, &format!("{}{joint}{name}", ONES[over as usize])))
        }
        Writing::Range { dash, decimals, grouped, upper: written } => {
            let low = digits(value, *decimals, *grouped, Point::AfterDigit)?;
            let high = digits(upper?, *decimals, *grouped, Point::AfterDigit)?;
            // The last two digits suffice if the first two are those of the lower end.
            let short = *written == Upper::LastTwoDigits && low.len() == 4 && high.len() == 4 && low[..2] == high[..2];
            Some(format!("{low}{dash}{}", if short { &high[2..] } else { &high }))
        }
    }
}

fn whole(value: f64) -> Option<u64> {
    (value >= 0.0 && value.fract() == 0.0 && value < 1e15).then_some(value as u64)
}

fn digits(number: f64, decimals: usize, grouped: Grouping, point: Point) -> Option<String> {
    // Integer notations do not accept fractions: "3 dogs" must not become "2.5 dogs" or be rounded silently.
    if number.abs() >= 1e15 || (decimals == 0 && (number - number.round()).abs() > 1e-9) {
        return None;
    }
    let plain = format!("{:.decimals$}", number.abs());
    let (whole, part) = plain.split_once('.').map_or((plain.as_str(), None), |(whole, part)| (whole, Some(part)));
    let mut text = String::new();
    if number < 0.0 {
        text.push('-');
    }
    if whole != "0" || point == Point::AfterDigit {
        for (place, digit) in whole.chars().enumerate() {
            if grouped == Grouping::Commas && place > 0 && (whole.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
    }
    if let Some(part) = part {
        text.push('.');
        text.push_str(part);
    }
    // No more digits than can be read.
    (text.trim_start_matches('-').len() <= MOST_DIGITS).then_some(text)
}

fn ordinal_ending(number: u64) -> &'static str {
    match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

/// A whole number in words.
fn in_words(number: u64, hyphens: Hyphens, and: And) -> Option<String> {
    if number < 20 {
        return Some(ONES[number as usize].to_owned());
    }
    if number < 100 {
        let tens = TENS[number as usize / 10];
        let joint = if hyphens == Hyphens::Hyphen { "-" } else { " " };
        return Some(if number.is_multiple_of(10) { tens.to_owned() } else { format!("{tens}{joint}{}", ONES[number as usize % 10]) });
    }
    let &(name, factor) = SCALES.iter().find(|(_, factor)| number >= *factor)?;
    let front = in_words(number / factor, hyphens, And::LeftOut)?;
    let rest = number % factor;
    if rest == 0 {
        return Some(format!("{front} {name}"));
    }
    let joint = if and == And::Said && rest < 100 { " and " } else { " " };
    Some(format!("{front} {name}{joint}{}", in_words(rest, hyphens, and)?))
}

/// The ordinal of a number in words: only its last word changes.
fn ordinal(words: &str) -> String {
    let at = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (front, last) = words.split_at(at);
    let changed = match ONES.iter().position(|name| *name == last) {
        Some(place) => ORDINALS[place].to_owned(),
        None => last.strip_suffix('y').map_or_else(|| format!("{last}th"), |stem| format!("{stem}ieth")),
    };
    format!("{front}{changed}")
}
