//! The precision in which a network computes.

use crate::bf16::Bf16;
use crate::error::{NeuralError, Result};
use crate::int8::Int8;
use crate::matrix::{MatrixView, MatrixViewMut};
use crate::product::Packed;
use serde::{Deserialize, Serialize};

/// The precision of the products of a network; sums and everything else are always f32.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ComputePrecision {
    /// 32-bit floating point.
    #[default]
    F32,
    /// Factors of linear layers rounded to bfloat16.
    Bf16,
    /// Factors of linear layers rounded to 8-bit integers.
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
            ComputePrecision::Bf16 if Bf16::supported().is_some() => Ok(Bf16::NAME),
            ComputePrecision::Bf16 => refused("f32, because bf16 is not faster than f32 on this processor"),
            ComputePrecision::Int8 if Int8::supported().is_some() => Ok(Int8::NAME),
            ComputePrecision::Int8 => refused("f32, because this processor has no AVX-512 VNNI"),
        }
    }

    /// How products of layers are computed in fewer bits than f32; `None` for f32, and where this machine cannot.
    pub(crate) fn reduced(self) -> Option<Reduced> {
        match self {
            ComputePrecision::F32 => None,
            ComputePrecision::Bf16 => Bf16::supported().map(Reduced::Bf16),
            ComputePrecision::Int8 => Int8::supported().map(Reduced::Int8),
        }
    }
}

/// Products of layers in fewer bits than f32, which this machine supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduced {
    Bf16(Bf16),
    Int8(Int8),
}

impl Reduced {
    /// Packs the right matrix of products, a transposed weight.
    pub(crate) fn pack(self, matrix: MatrixView<'_>, to: &mut Packed) {
        match self {
            Reduced::Bf16(bf16) => bf16.pack(matrix, to),
            Reduced::Int8(int8) => int8.pack(matrix, to),
        }
    }

    /// `left` times `right`, on this thread.
    pub(crate) fn product(self, left: MatrixView<'_>, right: &Packed, output: MatrixViewMut<'_>) {
        match self {
            Reduced::Bf16(bf16) => bf16.product(left, right, output),
            Reduced::Int8(int8) => int8.product(left, right, output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precision_without_a_kernel_is_refused() {
        assert_eq!(ComputePrecision::default().kernel().unwrap(), crate::instructions());
        let bf16 = ComputePrecision::Bf16.kernel();
        assert_eq!(bf16.is_ok(), Bf16::supported().is_some());
        for precision in [ComputePrecision::Bf16, ComputePrecision::Int8].into_iter().filter(|precision| precision.kernel().is_err()) {
            let refused = precision.kernel().unwrap_err().to_string();
            let name = precision.name();
            assert!(refused.starts_with(&format!("setting `precision`: invalid value {name}: expected f32, because")), "{refused}");
        }
    }
}
