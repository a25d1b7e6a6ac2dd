//! The precision in which a network computes.

use crate::error::{NeuralError, Result};
use serde::{Deserialize, Serialize};

/// The precision of the products of a network; sums and everything else are always f32.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ComputePrecision {
    /// 32-bit floating point.
    #[default]
    F32,
    /// Factors rounded to bfloat16.
    Bf16,
    /// Factors rounded to 8-bit whole numbers.
    Int8,
}

impl ComputePrecision {
    /// The name that users type and reports show.
    pub fn name(self) -> &'static str {
        match self {
            ComputePrecision::F32 => "f32",
            ComputePrecision::Bf16 => "bf16",
            ComputePrecision::Int8 => "int8",
        }
    }

    /// The kernel that computes in this precision on this machine, for reports; an error where there is none. No other precision is ever
    /// used in its place.
    pub fn kernel(self) -> Result<&'static str> {
        let refused = |expected| Err(NeuralError::Setting { setting: "precision", found: self.name().to_owned(), expected });
        match self {
            ComputePrecision::F32 => Ok(crate::simd::instructions()),
            ComputePrecision::Bf16 => refused("f32, because this version does not compute in bf16"),
            ComputePrecision::Int8 => refused("f32, because this version does not compute in int8"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precision_without_a_kernel_is_refused() {
        assert_eq!(ComputePrecision::default().kernel().unwrap(), crate::instructions());
        for precision in [ComputePrecision::Bf16, ComputePrecision::Int8] {
            let refused = precision.kernel().unwrap_err().to_string();
            let name = precision.name();
            assert!(refused.starts_with(&format!("setting `precision`: invalid value {name}: expected f32, because")), "{refused}");
        }
    }
}
