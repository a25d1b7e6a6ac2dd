//! Curves as SVG that fill their container; text and lines keep their size.

use super::escape::escaped;
use crate::report::{Curve, Point, ReportBlock};

/// The height of the curve in pixels.
const HEIGHT: f64 = 200.0;
/// The maximum number of ticks on the vertical axis.
const MARKS: usize = 6;

/// The range of the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AcrossRange {
    from: f64,
    to: f64,
}

/// The range shared by all curves of a section with the same horizontal axis, so that their points line up.
pub(super) fn shared_range(blocks: &[ReportBlock], of: &Curve) -> Option<AcrossRange> {
    let curves = blocks.iter().filter_map(|block| match block {
        ReportBlock::Curve(curve) if curve.across == of.across => Some(curve),
        _ => None,
    });
    let places = curves.flat_map(|curve| &curve.points).filter(|point| is_finite(point)).map(|point| point.at);
    let (from, to) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), at| (from.min(at), to.max(at)));
    if from > to {
        return None;
    }
    // A range that begins near 0 begins at 0.
    let from = if from > 0.0 && from < 0.2 * to { 0.0 } else { from };
    Some(AcrossRange { from, to: if to > from { to } else { from + 1.0 } })
}

/// The curve with its scales, as a figure.
pub(super) fn curve(curve: &Curve, range: Option<AcrossRange>) -> String {
    let Some(scale) = range.and_then(|range| AxisScale::of(&curve.points, range)) else { return String::new() };
    let measure = escaped(&curve.measure);
    // A training may diverge; the curve shows only finite values.
    let points: Vec<(usize, &Point)> = curve.points.iter().enumerate().filter(|(_, point)| is_finite(point)).collect();
    let places: Vec<(f64, f64)> = points.iter().map(|(_, point)| scale.place(point)).collect();
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{:.1},{y:.1}", 10.0 * x)).collect();
    let mut shapes = String::new();
    for mark in scale.marks() {
        let (_, y) = scale.place(&Point { at: scale.range.from, value: mark });
        shapes.push_str(&format!(
            "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y + 4.0,
            written(mark, usize::from(curve.digits)),
        ));
    }
    for at in round_numbers(scale.range.from, scale.range.to) {
        let x = scale.across(at);
        let anchor = if x < 2.0 {
            "start"
        } else if x > 98.0 {
            "end"
        } else {
            "middle"
        };
        shapes.push_str(&format!(
            "<line class=\"grid\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"{HEIGHT}\" y2=\"{:.0}\"/><text x=\"{x:.2}%\" y=\"{:.0}\" text-anchor=\"{anchor}\">{}</text>",
            HEIGHT + 4.0,
            HEIGHT + 18.0,
            short(at)
        ));
    }
    shapes.push_str(&format!("<text x=\"50%\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>", HEIGHT + 36.0, escaped(&curve.across)));
    // Only the line is stretched, not its stroke.
    shapes.push_str(&format!(
        "<svg viewBox=\"0 0 1000 {HEIGHT}\" width=\"100%\" height=\"{HEIGHT}\" preserveAspectRatio=\"none\"><polyline class=\"line\" points=\"{}\"/></svg>",
        line.join(" ")
    ));
    // A few points are also drawn as dots; of many, only the marked one.
    for ((number, point), (x, y)) in points.iter().zip(&places) {
        let marked = curve.marked == Some(*number);
        if places.len() <= 30 || marked {
            let value = written(point.value, usize::from(curve.digits));
            let class = if marked { "dot marked" } else { "dot" };
            shapes.push_str(&format!(
                "<circle class=\"{class}\" cx=\"{x:.2}%\" cy=\"{y:.1}\" r=\"{}\"><title>{}: {value}</title></circle>",
                if marked { "5" } else { "3" },
                short(point.at),
            ));
        }
    }
    let last = points.last().map_or(String::new(), |(_, point)| written(point.value, usize::from(curve.digits)));
    let label = format!("{measure}: {} points, the last {last}", points.len());
    format!(
        "<figure class=\"curve picture\"><figcaption>{measure}</figcaption><div><svg role=\"img\" aria-label=\"{label}\" width=\"100%\" height=\"{:.0}\">{shapes}</svg></div></figure>",
        HEIGHT + 42.0
    )
}

/// The ranges of both axes.
struct AxisScale {
    range: AcrossRange,
    low: f64,
    high: f64,
}

impl AxisScale {
    fn of(points: &[Point], range: AcrossRange) -> Option<Self> {
        let values = points.iter().filter(|point| is_finite(point)).map(|point| point.value);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return None;
        }
        let room = if high > low { 0.06 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        Some(AxisScale { range, low: low - room, high: high + room })
    }

    /// The position in per cent from the left.
    fn across(&self, at: f64) -> f64 {
        100.0 * (at - self.range.from) / (self.range.to - self.range.from)
    }

    /// The position of a point: per cent from the left, pixels from the top.
    fn place(&self, point: &Point) -> (f64, f64) {
        (self.across(point.at), HEIGHT * (self.high - point.value) / (self.high - self.low))
    }

    fn marks(&self) -> Vec<f64> {
        round_numbers(self.low, self.high)
    }
}

/// Round numbers between two others.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / MARKS as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil();
    (0..10).map(|number| (first + f64::from(number)) * step).take_while(|mark| *mark <= high).collect()
}

fn is_finite(point: &Point) -> bool {
    point.at.is_finite() && point.value.is_finite()
}

fn written(value: f64, digits: usize) -> String {
    // Rounding may give -0.
    let text = format!("{value:.digits$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_string() } else { text }
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 { acidtest_nli::grouped(value.max(0.0) as u64) } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve_of(values: &[f64]) -> Curve {
        let points = values.iter().zip(1..).map(|(&value, at)| Point { at: f64::from(at), value }).collect();
        Curve { measure: "loss".to_string(), across: "epoch".to_string(), points, digits: 2, marked: Some(1) }
    }

    fn drawn(of: &Curve) -> String {
        curve(of, shared_range(&[ReportBlock::Curve(of.clone())], of))
    }

    #[test]
    fn curves_with_the_same_axis_share_their_range() {
        let mut early = curve_of(&[1.0, 2.0]);
        early.points[0].at = 0.25;
        let late = curve_of(&[1.0, 2.0, 3.0, 4.0]);
        let blocks = [&early, &late].map(|curve| ReportBlock::Curve(curve.clone()));
        let range = Some(AcrossRange { from: 0.0, to: 4.0 });
        assert_eq!((shared_range(&blocks, &early), shared_range(&blocks, &late)), (range, range));
        let steps = Curve { across: "steps".to_string(), ..early };
        assert_eq!(shared_range(&blocks, &steps), None);
    }

    #[test]
    fn a_curve_has_a_dot_for_each_point_and_a_mark() {
        let svg = drawn(&curve_of(&[1.0, 0.5, 0.75]));
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("dot marked").count(), 1);
        assert!(svg.contains("<title>2: 0.50</title>"), "{svg}");
    }

    #[test]
    fn empty_and_single_point_curves_can_be_drawn() {
        assert_eq!(drawn(&curve_of(&[])), "");
        let one = drawn(&curve_of(&[0.5]));
        assert!(!one.contains("NaN") && !one.contains("inf"), "{one}");
    }

    #[test]
    fn values_that_are_not_finite_are_left_out() {
        let svg = drawn(&curve_of(&[1.0, 0.5, f64::NAN, f64::INFINITY]));
        assert_eq!((svg.matches("<circle").count(), svg.matches("dot marked").count()), (2, 1));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(round_numbers(0.41, 1.12).iter().map(|mark| written(*mark, 1)).collect::<Vec<_>>(), ["0.6", "0.8", "1.0"]);
    }
}
