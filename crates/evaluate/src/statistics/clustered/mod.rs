//! Statistics of dependent examples: those of one premise, parent or template form a cluster.
//!
//! The test is the exact sign-flip test of the clusters, the intervals are Wilson's and Tango's with a design effect. With one example in every
//! cluster they are the exact McNemar test and the intervals of Wilson (1927) and Tango (1998). Nothing is sampled at random.

mod accuracy;
mod difference;
mod flip;
mod scan;

pub use accuracy::{ClusteredAccuracy, FEW_EQUAL, Trust};
pub use difference::{ClusteredDifference, DifferenceInterval, LEAST_DIFFERING};

/// The effective number of clusters: Kish's `N² / Σm²`.
fn equal_clusters(rows: f64, squared_rows: f64) -> f64 {
    if squared_rows > 0.0 { rows * rows / squared_rows } else { 0.0 }
}
