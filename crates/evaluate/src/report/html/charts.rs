//! Charts as SVG. Lengths along the scale are percentages, so a chart fills its container and its text keeps its size.

use super::escape::escaped;
use super::scale::ShareScale;
use crate::report::{Bars, Cell, FEWEST_EXAMPLES};
use acidtest_nli::grouped;

/// One row per bar: label, bar, value.
pub(super) fn bars(bars: &Bars) -> String {
    let scale = Scale::of(bars);
    let mut rows = String::new();
    for bar in &bars.bars {
        let written = bar.value.written();
        rows.push_str(&format!(
            "<tr{}><th scope=\"row\">{}</th><td class=\"plot\">{}</td><td class=\"value\">{} <span class=\"interval\">{}</span></td></tr>",
            if is_small(&bar.value) { FEW } else { "" },
            escaped(&bar.label),
            scale.bar(&bar.value),
            escaped(&written.head),
            escaped(written.tail.trim()),
        ));
    }
    let measure = escaped(&bars.measure);
    let axis = scale.axis();
    format!(
        "<figure class=\"picture\"><div class=\"scroll\"><table class=\"chart\"><caption>{measure}</caption><tbody>{rows}</tbody>\
         <tfoot aria-hidden=\"true\"><tr><td></td><td class=\"plot\">{axis}</td><td></td></tr></tfoot></table></div></figure>"
    )
}

/// The class of what is greyed.
pub(super) const FEW: &str = " class=\"few\"";

/// Whether a share is based on too few examples to be informative.
pub(super) fn is_small(cell: &Cell) -> bool {
    matches!(cell, Cell::Rate { total, .. } if *total < FEWEST_EXAMPLES)
}

/// The note on greyed rows.
pub(super) const FEW_NOTE: &str = "<p class=\"note few-note\">Grey: fewer than 30 examples.</p>";

/// The range of a chart.
enum Scale {
    Share(ShareScale),
    Between {
        low: f64,
        high: f64,
        /// The number of decimals of the tick labels.
        digits: usize,
    },
}

impl Scale {
    fn of(bars: &Bars) -> Self {
        let values = bars.bars.iter().map(|bar| &bar.value);
        if values.clone().all(|value| matches!(value, Cell::Rate { .. } | Cell::Empty {})) {
            return Scale::Share(ShareScale::of(values));
        }
        let digits = |cell: &Cell| if let Cell::Number { digits, .. } = cell { *digits } else { 0 };
        let digits = values.clone().map(digits).max().unwrap_or(0);
        let numbers = values.filter_map(number);
        let (low, high) = numbers.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        // A chart of zeros still needs a range.
        Scale::Between { low, high: if low == high { low + 1.0 } else { high }, digits: digits.into() }
    }

    fn bar(&self, cell: &Cell) -> String {
        let (low, high) = match (self, cell) {
            (Scale::Share(scale), Cell::Rate { count, total, low, high, .. }) if cell.has_interval() => {
                return scale.interval_bar(*count as f64 / *total as f64, *low, *high);
            }
            (Scale::Share(_), _) => return String::new(),
            (Scale::Between { low, high, .. }, _) => (*low, *high),
        };
        let Some(value) = number(cell) else { return String::new() };
        let place = |value: f64| 100.0 * (value - low) / (high - low);
        let (from, to) = (place(value.min(0.0)), place(value.max(0.0)));
        let sign = if value < 0.0 { "negative" } else { "positive" };
        format!(
            "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"{sign}\" x=\"{from:.2}%\" width=\"{:.2}%\" y=\"3\" height=\"12\" rx=\"1\"/>\
             <line class=\"zero\" x1=\"{zero:.2}%\" x2=\"{zero:.2}%\" y1=\"0\" y2=\"100%\"/></svg>",
            to - from,
            zero = place(0.0),
        )
    }

    fn axis(&self) -> String {
        let mut marks: Vec<(f64, String)> = match self {
            Scale::Share(scale) => {
                let [low, high] = scale.ends();
                vec![(0.0, low), (50.0, format!("{:.0}", 50.0 * (scale.low + scale.high))), (100.0, high)]
            }
            Scale::Between { low, high, digits } => {
                let ends = [*low, 0.0, *high].map(|value| (100.0 * (value - low) / (high - low), short(value, *digits)));
                ends.to_vec()
            }
        };
        // Of tick labels that would touch or repeat, the inner one is dropped.
        marks.dedup_by(|after, before| (after.0 - before.0).abs() < 0.01);
        if let [(_, _), (middle, _), (_, _)] = marks[..]
            && !(15.0..=85.0).contains(&middle)
        {
            marks.remove(1);
        }
        let mark = |(place, text): &(f64, String)| {
            let anchor = match *place {
                0.0 => "start",
                100.0 => "end",
                _ => "middle",
            };
            format!("<text x=\"{place:.2}%\" y=\"13\" text-anchor=\"{anchor}\">{text}</text>")
        };
        format!("<svg class=\"axis\">{}</svg>", marks.iter().map(mark).collect::<String>())
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Count { count } => Some(*count as f64),
        Cell::Number { value, .. } | Cell::Difference { points: value, .. } => Some(*value),
        Cell::Rate { count, total, .. } => Some(*count as f64 / *total as f64),
        _ => None,
    }
}

fn short(value: f64, digits: usize) -> String {
    if value.fract() == 0.0 && value >= 0.0 { grouped(value as u64) } else { format!("{value:.digits$}") }
}

/// The step of a share on the colour scale with eleven steps.
pub(super) fn step(share: f64) -> usize {
    (10.0 * share.clamp(0.0, 1.0)).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Bar;

    fn chart(values: &[f64]) -> String {
        let bar = |value: &f64| Bar { label: "<b>".to_string(), value: Cell::Number { value: *value, digits: 1 } };
        bars(&Bars { measure: "drop".to_string(), bars: values.iter().map(bar).collect() })
    }

    #[test]
    fn negative_bars_end_at_zero() {
        let chart = chart(&[-1.0, 3.0]);
        assert!(chart.contains("class=\"negative\" x=\"0.00%\" width=\"25.00%\""));
        assert!(chart.contains("class=\"positive\" x=\"25.00%\" width=\"75.00%\""));
        assert!(chart.contains("&lt;b&gt;"));
    }

    #[test]
    fn bars_of_zero_have_a_scale() {
        assert!(chart(&[0.0]).contains("width=\"0.00%\""));
    }
}
