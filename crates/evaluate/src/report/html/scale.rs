//! The range of bars: the relevant part of 0 to 100 %, between round numbers.

use crate::report::Cell;

/// The ends of the bars of a table or chart, as shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ShareScale {
    pub low: f64,
    pub high: f64,
}

/// Ends are multiples of this many points.
const ROUND: f64 = 5.0;
/// A shorter range would exaggerate noise.
const SHORTEST: f64 = 20.0;
/// A range longer than this becomes the whole range.
const NEARLY_ALL: f64 = 80.0;

impl ShareScale {
    /// The scale on which all intervals of these cells can be drawn.
    pub(super) fn of<'c>(cells: impl IntoIterator<Item = &'c Cell>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for cell in cells.into_iter().filter(|cell| cell.has_interval()) {
            if let Cell::Rate { count, total, low: from, high: to, .. } = cell {
                let share = *count as f64 / *total as f64;
                (low, high) = (low.min(*from).min(share), high.max(*to).max(share));
            }
        }
        ShareScale::between(low, high)
    }

    /// The scale on which all these shares can be shown.
    pub(super) fn of_shares(shares: impl Iterator<Item = f64>) -> Self {
        let (low, high) = shares.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), share| (low.min(share), high.max(share)));
        ShareScale::between(low, high)
    }

    fn between(low: f64, high: f64) -> Self {
        if low > high {
            return ShareScale { low: 0.0, high: 1.0 };
        }
        let (mut low, mut high) = ((100.0 * low / ROUND).floor() * ROUND, (100.0 * high / ROUND).ceil() * ROUND);
        while high - low < SHORTEST {
            (low, high) = ((low - ROUND).max(0.0), (high + ROUND).min(100.0));
        }
        let (low, high) = if high - low >= NEARLY_ALL { (0.0, 100.0) } else { (low.max(0.0), high.min(100.0)) };
        ShareScale { low: low / 100.0, high: high / 100.0 }
    }

    /// The position of a share in per cent of the bar's length.
    pub(super) fn place(&self, share: f64) -> f64 {
        100.0 * ((share - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The two ends as labels.
    pub(super) fn ends(&self) -> [String; 2] {
        [format!("{:.0}", 100.0 * self.low), format!("{:.0} %", 100.0 * self.high)]
    }

    /// The labelled ends, as wide as the bars.
    pub(super) fn axis(&self) -> String {
        let [low, high] = self.ends();
        format!("<span class=\"ends\" aria-hidden=\"true\"><span>{low}</span><span>{high}</span></span>")
    }

    /// An interval with a dot for the share. The numbers are shown beside it as text.
    pub(super) fn interval_bar(&self, share: f64, low: f64, high: f64) -> String {
        let [share, low, high] = [share, low, high].map(|share| format!("{:.2}%", self.place(share)));
        format!(
            "<svg class=\"bar\" aria-hidden=\"true\"><line class=\"track\" x1=\"0\" x2=\"100%\" y1=\"50%\" y2=\"50%\"/>\
             <line class=\"range\" x1=\"{low}\" x2=\"{high}\" y1=\"50%\" y2=\"50%\"/><circle cx=\"{share}\" cy=\"50%\" r=\"3.5\"/></svg>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(rates: &[(u64, f64, f64)]) -> [String; 2] {
        let rate = |&(count, low, high): &(u64, f64, f64)| Cell::Rate { count, total: 100, low, high, mark: None };
        ShareScale::of(&rates.iter().map(rate).collect::<Vec<_>>()).ends()
    }

    #[test]
    fn bars_are_drawn_between_round_numbers_around_their_intervals() {
        assert_eq!(ends(&[(61, 0.57, 0.66), (72, 0.69, 0.76)]), ["55", "80 %"]);
        // A narrow range is widened, and one that is nearly complete becomes complete.
        assert_eq!(ends(&[(99, 0.985, 1.0)]), ["80", "100 %"]);
        assert_eq!(ends(&[(2, 0.01, 0.05), (90, 0.88, 0.93)]), ["0", "100 %"]);
        assert_eq!(ends(&[]), ["0", "100 %"]);
    }
}
