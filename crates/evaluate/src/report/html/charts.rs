//! Charts as SVG. Lengths along the scale are percentages, so that a chart is as wide as its place and its letters keep their size.

use super::escape::escaped;
use crate::report::layout::grouped;
use crate::report::{Bars, Cell};

/// An interval on a scale from 0 to 100 %, with a dot for the share itself. The numbers stand beside it as text.
pub(super) fn interval_bar(share: f64, low: f64, high: f64) -> String {
    let [share, low, high] = [share, low, high].map(|share| format!("{:.2}%", 100.0 * share.clamp(0.0, 1.0)));
    format!(
        "<svg class=\"bar\" aria-hidden=\"true\"><line class=\"track\" x1=\"0\" x2=\"100%\" y1=\"50%\" y2=\"50%\"/>\
         <line class=\"range\" x1=\"{low}\" x2=\"{high}\" y1=\"50%\" y2=\"50%\"/><circle cx=\"{share}\" cy=\"50%\" r=\"3.5\"/></svg>"
    )
}

/// A row for each bar: its label, the bar, its value.
pub(super) fn bars(bars: &Bars) -> String {
    let scale = Scale::of(bars);
    let mut rows = String::new();
    for bar in &bars.bars {
        let written = bar.value.written();
        rows.push_str(&format!(
            "<tr><th scope=\"row\">{}</th><td class=\"plot\">{}</td><td class=\"value\">{} <span class=\"interval\">{}</span></td></tr>",
            escaped(&bar.label),
            scale.bar(&bar.value),
            escaped(&written.head),
            escaped(written.tail.trim()),
        ));
    }
    let measure = escaped(&bars.measure);
    let axis = scale.axis();
    format!(
        "<div class=\"scroll\"><table class=\"chart\"><caption>{measure}</caption><tbody>{rows}</tbody>\
         <tfoot aria-hidden=\"true\"><tr><td></td><td class=\"plot\">{axis}</td><td></td></tr></tfoot></table></div>"
    )
}

/// What the two ends of a chart stand for.
enum Scale {
    Share,
    Between {
        low: f64,
        high: f64,
        /// How many digits after the point the marks have.
        digits: usize,
    },
}

impl Scale {
    fn of(bars: &Bars) -> Self {
        let values = bars.bars.iter().map(|bar| &bar.value);
        if values.clone().all(|value| matches!(value, Cell::Rate { .. } | Cell::Empty {})) {
            return Scale::Share;
        }
        let digits = |cell: &Cell| if let Cell::Number { digits, .. } = cell { *digits } else { 0 };
        let digits = values.clone().map(digits).max().unwrap_or(0);
        let numbers = values.filter_map(number);
        let (low, high) = numbers.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        // A chart of nothing but zeros still needs two ends.
        Scale::Between { low, high: if low == high { low + 1.0 } else { high }, digits: digits.into() }
    }

    fn bar(&self, cell: &Cell) -> String {
        let (low, high) = match (self, cell) {
            (Scale::Share, Cell::Rate { count, total, low, high, .. }) if cell.has_interval() => {
                return interval_bar(*count as f64 / *total as f64, *low, *high);
            }
            (Scale::Share, _) => return String::new(),
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
            Scale::Share => vec![(0.0, "0".to_string()), (50.0, "50".to_string()), (100.0, "100 %".to_string())],
            Scale::Between { low, high, digits } => {
                let ends = [*low, 0.0, *high].map(|value| (100.0 * (value - low) / (high - low), short(value, *digits)));
                ends.to_vec()
            }
        };
        // Marks that would touch: the inner one gives way, or the one that stands there twice.
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

/// A tile of a heat map.
pub(super) struct Tile<'a> {
    pub label: &'a str,
    pub share: f64,
    /// Where a reader can look at the rows behind it.
    pub address: Option<String>,
}

/// A column of tiles below each other: the name at the left, the coloured share at the right.
pub(super) fn heat_column(title: &str, tiles: &[Tile]) -> String {
    const ROW: usize = 26;
    let mut shapes = String::new();
    for (at, tile) in tiles.iter().enumerate() {
        let (top, middle) = (at * ROW, at * ROW + 17);
        let percent = format!("{:.1} %", 100.0 * tile.share);
        let shape = format!(
            "<text x=\"0\" y=\"{middle}\">{}</text><rect class=\"h{}\" x=\"78%\" y=\"{top}\" width=\"22%\" height=\"{}\" rx=\"2\"/>\
             <text class=\"share\" x=\"89%\" y=\"{middle}\" text-anchor=\"middle\">{percent}</text><title>{}: {percent}</title>",
            escaped(&cut(tile.label)),
            step(tile.share),
            ROW - 2,
            escaped(tile.label),
        );
        shapes.push_str(&match &tile.address {
            Some(address) => format!("<a href=\"{address}\" tabindex=\"-1\">{shape}</a>"),
            None => format!("<g>{shape}</g>"),
        });
    }
    let head = if title.is_empty() { String::new() } else { format!("<h4>{}</h4>", escaped(title)) };
    format!("<div>{head}<svg class=\"heat\" height=\"{}\">{shapes}</svg></div>", tiles.len() * ROW)
}

/// The step of a share on the colour scale of eleven.
pub(super) fn step(share: f64) -> usize {
    (10.0 * share.clamp(0.0, 1.0)).round() as usize
}

/// A label that is not wider than its place; the whole stands in the table below.
fn cut(label: &str) -> String {
    const MOST: usize = 30;
    if label.chars().count() <= MOST {
        return label.to_string();
    }
    label.chars().take(MOST - 1).chain(['…']).collect()
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
