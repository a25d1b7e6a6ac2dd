//! Named matrices in safetensors files.

use crate::error::{NeuralError, Result};
use crate::matrix::Matrix;
use crate::parameters::Parameter;
use acidtest_files::write_file_synced;
use half::f16;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The metadata key of the note.
const NOTE: &str = "acidtest";

/// The floating-point precision of weights in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floats.
    #[default]
    F32,
    /// 16-bit floats, rounded to nearest; this does not visibly change accuracy.
    F16,
}

/// Writes a file; it appears complete or not at all.
pub(crate) fn write<'a>(
    path: &Path,
    tensors: impl Iterator<Item = (String, &'a Matrix)>,
    note: Option<String>,
    precision: Precision,
) -> Result<()> {
    let wrong = |source| NeuralError::Format { path: path.to_owned(), source };
    let mut bytes: Vec<(String, [usize; 2], Vec<u8>)> = Vec::new();
    for (name, matrix) in tensors {
        let shape = [matrix.rows, matrix.columns];
        let Some(numbers) = bytes_of(matrix, precision) else {
            return Err(NeuralError::TooLarge { path: path.to_owned(), name });
        };
        bytes.push((name, shape, numbers));
    }
    let kind = match precision {
        Precision::F32 => Dtype::F32,
        Precision::F16 => Dtype::F16,
    };
    let mut views = Vec::with_capacity(bytes.len());
    for (name, shape, bytes) in &bytes {
        views.push((name, TensorView::new(kind, shape.to_vec(), bytes).map_err(wrong)?));
    }
    let note = note.map(|text| HashMap::from([(NOTE.to_owned(), text)]));
    let file = safetensors::serialize(views, note).map_err(wrong)?;
    Ok(write_file_synced(path, &file)?)
}

/// The elements of a matrix as bytes; `None` if one is too large for this precision.
fn bytes_of(matrix: &Matrix, precision: Precision) -> Option<Vec<u8>> {
    match precision {
        Precision::F32 => Some(matrix.data.iter().flat_map(|number| number.to_le_bytes()).collect()),
        Precision::F16 => {
            let halves: Vec<f16> = matrix.data.iter().map(|&number| f16::from_f32(number)).collect();
            let held = halves.iter().zip(&matrix.data).all(|(half, whole)| half.is_finite() || !whole.is_finite());
            held.then(|| halves.iter().flat_map(|half| half.to_le_bytes()).collect())
        }
    }
}

/// The matrices of a file.
pub(crate) struct Tensors {
    path: PathBuf,
    matrices: HashMap<String, Matrix>,
    /// The note.
    pub note: Option<String>,
}

/// Reads a file; a tensor with zero or one dimension becomes a single row.
pub(crate) fn read(path: &Path) -> Result<Tensors> {
    let bytes = fs::read(path).map_err(|source| NeuralError::File { path: path.to_owned(), source })?;
    parse(&bytes, path)
}

/// Reads the bytes of a file; `path` is for messages.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Tensors> {
    let wrong = |source| NeuralError::Format { path: path.to_owned(), source };
    let file = SafeTensors::deserialize(bytes).map_err(wrong)?;
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(wrong)?;
    let note = header.metadata().as_ref().and_then(|notes| notes.get(NOTE).cloned());
    let mut matrices = HashMap::new();
    for (name, tensor) in file.tensors() {
        let shape = tensor.shape();
        let data: Option<Vec<f32>> = match tensor.dtype() {
            Dtype::F32 => Some(tensor.data().as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect()),
            Dtype::F16 => Some(tensor.data().as_chunks::<2>().0.iter().map(|&number| f16::from_le_bytes(number).to_f32()).collect()),
            _ => None,
        };
        let Some(data) = data.filter(|_| shape.len() <= 2) else {
            let found = format!("{:?} of {} dimensions", tensor.dtype(), shape.len());
            return Err(NeuralError::TensorShape { path: path.to_owned(), name, found, expected: "at most 2 of F32 or F16".to_owned() });
        };
        let columns = shape.last().copied().unwrap_or(1);
        let rows = if shape.len() == 2 { shape[0] } else { 1 };
        matrices.insert(name, Matrix::from_vec(rows, columns, data));
    }
    Ok(Tensors { path: path.to_owned(), matrices, note })
}

impl Tensors {
    /// The matrix of this name.
    pub(crate) fn get(&self, name: &str) -> Result<&Matrix> {
        self.matrices.get(name).ok_or_else(|| NeuralError::MissingTensor { path: self.path.clone(), name: name.to_owned() })
    }

    /// The shapes of all matrices.
    pub(crate) fn shapes(&self) -> HashMap<String, (usize, usize)> {
        self.matrices.iter().map(|(name, matrix)| (name.clone(), (matrix.rows, matrix.columns))).collect()
    }

    /// The error for a matrix that is missing or has another shape.
    pub(crate) fn unlike(&self, name: &str, (rows, columns): (usize, usize)) -> NeuralError {
        match self.get(name) {
            Ok(found) => NeuralError::TensorShape {
                path: self.path.clone(),
                name: name.to_owned(),
                found: format!("{} x {}", found.rows, found.columns),
                expected: format!("{rows} x {columns}"),
            },
            Err(error) => error,
        }
    }

    /// Refuses infinite values and NaN.
    pub(crate) fn check_finite(&self) -> Result<()> {
        let broken = self.matrices.iter().filter(|(_, matrix)| !matrix.data.iter().all(|number| number.is_finite()));
        match broken.map(|(name, _)| name).min() {
            Some(name) => Err(NeuralError::NotFinite { path: self.path.clone(), name: name.clone() }),
            None => Ok(()),
        }
    }

    /// Copies the matrix of this name into one of the same shape.
    pub(crate) fn copy(&self, name: &str, to: &mut Matrix) -> Result<()> {
        let from = self.get(name)?;
        if (from.rows, from.columns) != (to.rows, to.columns) {
            return Err(self.unlike(name, (to.rows, to.columns)));
        }
        to.data.copy_from_slice(&from.data);
        Ok(())
    }

    /// Loads the value of each parameter.
    pub(crate) fn fill<'a>(&self, parameters: impl Iterator<Item = &'a mut Parameter>) -> Result<()> {
        for parameter in parameters {
            let name = parameter.name.clone();
            self.copy(&name, parameter.value_mut())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_survive_a_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        let matrix = Matrix::from_vec(2, 2, vec![1.0, -0.0, f32::MIN_POSITIVE, 1e30]);
        write(&path, [("x".to_owned(), &matrix)].into_iter(), Some("step 3".to_owned()), Precision::F32).unwrap();
        let tensors = read(&path).unwrap();
        assert_eq!(tensors.get("x").unwrap(), &matrix);
        assert_eq!(tensors.note.as_deref(), Some("step 3"));
    }

    #[test]
    fn half_precision_rounds_to_nearest_and_refuses_overflow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        let write = |number: f32| {
            let matrix = Matrix::from_vec(1, 2, vec![0.1, number]);
            write(&path, [("x".to_owned(), &matrix)].into_iter(), None, Precision::F16)
        };
        write(-3.0).unwrap();
        assert_eq!(read(&path).unwrap().get("x").unwrap().data, [0.099_975_586, -3.0]);
        assert!(write(1e6).unwrap_err().to_string().contains("too large for 16 bits"));
    }

    #[test]
    fn a_file_of_another_format_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "not tensors").unwrap();
        assert!(read(&path).err().unwrap().to_string().contains("not a safetensors file"));
        assert!(read(&folder.path().join("none")).is_err());
    }
}
