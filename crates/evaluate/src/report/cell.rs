//! The values of tables, charts and matrices.

use crate::statistics::clustered::{ClusteredAccuracy, DifferenceInterval, Trust};
use crate::statistics::{Interval, Proportion};
use serde::{Deserialize, Serialize};

/// A value, with everything needed to show it in any format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Cell {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A count.
    Count {
        /// The count.
        count: u64,
    },
    /// A share of at least one item, with its interval.
    Rate {
        /// The number of items with the property.
        count: u64,
        /// The number of items.
        total: u64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end of the interval.
        high: f64,
        /// A remark on the reliability of the interval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<IntervalMark>,
    },
    /// A difference of two shares in points.
    Difference {
        /// The difference.
        points: f64,
        /// Its interval, which is not adjusted for other tests; `None` if it cannot be estimated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interval: Option<PointsInterval>,
        /// The p value, adjusted for the other tests of the table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        p: Option<f64>,
        /// A remark on the reliability of the interval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<IntervalMark>,
    },
    /// The p value of a test.
    P {
        /// The p value.
        value: f64,
        /// How it is formatted.
        form: PForm,
    },
    /// Any other number.
    Number {
        /// The number.
        value: f64,
        /// The number of significant decimals.
        digits: u8,
    },
    /// No value.
    Empty {},
}

/// The interval of a difference in points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PointsInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether an end of 0 is not part of the interval.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_zero_left_out: bool,
}

impl PointsInterval {
    /// The interval of a difference of shares.
    pub fn of(found: DifferenceInterval) -> Self {
        let Interval { low, high } = found.interval;
        PointsInterval { low: nine_digits(100.0 * low), high: nine_digits(100.0 * high), is_zero_left_out: found.is_zero_left_out }
    }

    /// The interval as text, in which an excluded end of 0 is `> 0` or `< 0`. An end beside 0 has a second decimal.
    pub(crate) fn written(self) -> String {
        let end = |end: f64, left_out: &str| match (self.is_zero_left_out && end == 0.0, format!("{end:.1}")) {
            (true, _) => left_out.to_string(),
            (false, zero) if matches!(zero.as_str(), "0.0" | "-0.0") && end.abs() >= 0.005 => format!("{end:.2}"),
            (false, zero) if zero == "-0.0" => "0.0".to_string(),
            (false, written) => written,
        };
        format!("[{}, {}]", end(self.low, "> 0"), end(self.high, "< 0"))
    }
}

/// The mark of a p value: `*` below 0.05, `**` below 0.01, `***` below 0.001.
pub(crate) fn significance_mark(p: f64) -> &'static str {
    match p {
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        _ => "",
    }
}

/// A remark on the reliability of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalMark {
    /// So few clusters contain errors, or correct predictions, that its coverage may be too low.
    Rough,
    /// It is based on this small number of clusters.
    FewClusters(u64),
    /// All examples are in one cluster, which says nothing about others; this is the interval within it.
    OneCluster(Interval),
    /// A small group, for which only counts are shown.
    CountsOnly,
}

/// How a p value is formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PForm {
    /// With four decimals, or as `< 0.001`.
    Rounded,
    /// In scientific notation, down to 1e-15.
    Exact,
}

impl PForm {
    /// The value as text: `0.0428`, `< 0.001`, `1.9e-9`, `< 1e-15`.
    pub(crate) fn written(self, value: f64) -> String {
        match self {
            _ if value >= 0.001 => format!("{value:.4}"),
            PForm::Rounded => "< 0.001".to_string(),
            PForm::Exact if value < 1e-15 => "< 1e-15".to_string(),
            PForm::Exact => format!("{value:.1e}"),
        }
    }
}

impl Cell {
    pub(crate) fn mark(&self) -> Option<IntervalMark> {
        if let Cell::Rate { mark, .. } | Cell::Difference { mark, .. } = self { *mark } else { None }
    }

    /// Whether the interval of a rate can be drawn.
    pub(crate) fn has_interval(&self) -> bool {
        matches!(self, Cell::Rate { mark: None | Some(IntervalMark::Rough | IntervalMark::FewClusters(_)), .. })
    }

    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text { text: text.into() }
    }

    /// A proportion with its Wilson interval; empty if there are no items.
    pub fn rate(proportion: Proportion) -> Self {
        Cell::rate_within(proportion, proportion.wilson())
    }

    /// The same for one of many groups of items; small groups show counts only.
    pub fn rate_of_group(proportion: Proportion) -> Self {
        let cell = Cell::rate(proportion);
        if proportion.total < FEWEST_EXAMPLES { cell.marked(Some(IntervalMark::CountsOnly)) } else { cell }
    }

    /// A proportion with the given interval; empty if there are no items.
    pub fn rate_within(proportion: Proportion, interval: Interval) -> Self {
        if proportion.total == 0 {
            return Cell::Empty {};
        }
        let Proportion { count, total } = proportion;
        Cell::Rate { count, total, low: rounded(interval.low), high: rounded(interval.high), mark: None }
    }

    /// A clustered share with its clustered Wilson interval, marked if that is unreliable; empty if there are no examples.
    pub fn clustered(share: &ClusteredAccuracy) -> Self {
        let proportion = share.proportion();
        let mark = match share.trust() {
            Trust::Full => None,
            Trust::Rough => Some(IntervalMark::Rough),
            Trust::FewClusters => Some(IntervalMark::FewClusters(share.clusters())),
            Trust::NotEstimable => return Cell::rate_in_one_cluster(proportion, proportion.wilson()),
        };
        Cell::rate_within(proportion, share.interval()).marked(mark)
    }

    /// A share of examples of one cluster, with the interval within it: across clusters it could be anything.
    pub(crate) fn rate_in_one_cluster(proportion: Proportion, Interval { low, high }: Interval) -> Self {
        let within = Interval { low: rounded(low), high: rounded(high) };
        Cell::rate_within(proportion, Interval { low: 0.0, high: 1.0 }).marked(Some(IntervalMark::OneCluster(within)))
    }

    /// The same for one of many groups; small groups show counts only.
    pub fn of_group(share: &ClusteredAccuracy) -> Self {
        let cell = Cell::clustered(share);
        let is_small = share.equal_clusters() < SMALL_GROUP || share.proportion().total < FEWEST_EXAMPLES;
        if is_small { cell.marked(Some(IntervalMark::CountsOnly)) } else { cell }
    }

    /// The same for a whole set, whatever its clusters.
    pub fn of_set(share: &ClusteredAccuracy) -> Self {
        let cell = Cell::clustered(share);
        if share.proportion().total < FEWEST_EXAMPLES { cell.marked(Some(IntervalMark::CountsOnly)) } else { cell }
    }

    /// The same value with another mark; cells without intervals stay as they are.
    pub(crate) fn marked(self, mark: Option<IntervalMark>) -> Self {
        match self {
            Cell::Rate { count, total, low, high, .. } => Cell::Rate { count, total, low, high, mark },
            Cell::Difference { points, interval, p, .. } => Cell::Difference { points, interval, p, mark },
            other => other,
        }
    }

    /// A difference of shares with its interval and its adjusted p value.
    pub fn difference(difference: f64, interval: DifferenceInterval, p: f64) -> Self {
        let points = nine_digits(100.0 * difference);
        Cell::Difference { points, interval: Some(PointsInterval::of(interval)), p: Some(nine_digits(p)), mark: None }
    }

    /// A difference of shares that is not tested, with its interval.
    pub fn excess(difference: f64, interval: DifferenceInterval) -> Self {
        Cell::Difference { points: nine_digits(100.0 * difference), interval: Some(PointsInterval::of(interval)), p: None, mark: None }
    }

    /// The p value of a test.
    pub fn p(value: f64, form: PForm) -> Self {
        Cell::P { value: nine_digits(value), form }
    }

    /// A number with this many decimals; empty for `None`.
    pub fn number(value: Option<f64>, digits: u8) -> Self {
        match value {
            Some(value) if value.is_finite() => Cell::Number { value, digits },
            _ => Cell::Empty {},
        }
    }
}

/// Groups and sets with fewer examples show counts only.
pub(crate) const FEWEST_EXAMPLES: u64 = 30;

/// Groups with a smaller effective number of clusters show counts only.
pub(crate) const SMALL_GROUP: f64 = 10.0;

/// Rounded, so that reports do not depend on the platform's last bits.
fn rounded(share: f64) -> f64 {
    (share * 1e9).round() / 1e9
}

/// The same for numbers of any size.
pub(crate) fn nine_digits(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_beside_zero_keeps_its_sign() {
        let written = |low: f64, high: f64| PointsInterval { low, high, is_zero_left_out: false }.written();
        assert_eq!([written(-0.016, 0.9), written(0.0, 0.04), written(-0.001, 5.0)], ["[-0.02, 0.9]", "[0.0, 0.04]", "[0.0, 5.0]"]);
    }
}
