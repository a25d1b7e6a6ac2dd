//! Shares as counts.

use serde::Serialize;

/// A count out of a total, from which an interval can be computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many have the property.
    pub count: u64,
    /// How many were examined.
    pub total: u64,
}

impl Share {
    /// Counts one more case, with or without the property.
    pub fn add(&mut self, has_property: bool) {
        self.count += u64::from(has_property);
        self.total += 1;
    }

    /// Adds the counts of another share of the same property.
    pub fn merge(&mut self, other: Share) {
        self.count += other.count;
        self.total += other.total;
    }

    /// The share from 0 to 1; `None` if the total is 0.
    pub fn ratio(self) -> Option<f64> {
        (self.total > 0).then(|| self.count as f64 / self.total as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_share_has_no_value() {
        assert_eq!(Share::default().ratio(), None);
        assert_eq!(Share { count: 1, total: 4 }.ratio(), Some(0.25));
    }
}
