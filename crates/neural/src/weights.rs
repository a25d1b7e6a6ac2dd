//! Named matrices in safetensors files.

use crate::error::{NeuralError, Result};
use crate::matrix::Matrix;
use crate::parameters::Parameter;
use acidtest_files::{FileError, write_pieces_synced};
use half::f16;
use safetensors::tensor::{Dtype, Metadata, SafeTensors, TensorInfo};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The metadata key of the note.
pub(crate) const NOTE: &str = "acidtest";

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
    let tensor = |(name, matrix): (String, &'a Matrix)| NamedTensor { name, shape: vec![matrix.rows, matrix.columns], data: &matrix.data };
    let notes = note.map(|text| (NOTE, text));
    write_pieces_synced(path, |file| write_tensors(file, path, tensors.map(tensor).collect(), notes, precision))
}

/// A tensor that is to be written.
pub struct NamedTensor<'a> {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its elements.
    pub data: &'a [f32],
}

/// Writes a safetensors file piece by piece, so that hardly any memory is needed, with at most one entry of metadata; `path` is for
/// messages.
pub fn write_tensors(
    file: &mut impl Write,
    path: &Path,
    mut tensors: Vec<NamedTensor<'_>>,
    note: Option<(&str, String)>,
    precision: Precision,
) -> Result<()> {
    let wrong = |source| NeuralError::Format { path: path.to_owned(), source };
    let unwritten = |source| FileError::unwritten(path, source);
    let (dtype, size) = match precision {
        Precision::F32 => (Dtype::F32, 4),
        Precision::F16 => (Dtype::F16, 2),
    };
    tensors.sort_by(|one, other| one.name.cmp(&other.name));
    let mut end = 0;
    let place = |tensor: &NamedTensor<'_>| {
        let start = end;
        end += tensor.data.len() * size;
        (tensor.name.clone(), TensorInfo { dtype, shape: tensor.shape.clone(), data_offsets: (start, end) })
    };
    let places = tensors.iter().map(place).collect();
    let notes = note.map(|(key, text)| HashMap::from([(key.to_owned(), text)]));
    let mut header = serde_json::to_vec(&Metadata::new(notes, places).map_err(wrong)?)?;
    header.resize(header.len().next_multiple_of(8), b' ');
    file.write_all(&(header.len() as u64).to_le_bytes()).map_err(unwritten)?;
    file.write_all(&header).map_err(unwritten)?;
    let mut bytes = Vec::with_capacity(TOGETHER * size);
    for tensor in tensors {
        for numbers in tensor.data.chunks(TOGETHER) {
            bytes.clear();
            if !append_bytes(numbers, precision, &mut bytes) {
                return Err(NeuralError::TooLarge { path: path.to_owned(), name: tensor.name });
            }
            file.write_all(&bytes).map_err(unwritten)?;
        }
    }
    Ok(())
}

/// How many numbers are converted at a time.
pub(crate) const TOGETHER: usize = 1 << 18;

/// Appends the bytes of numbers and says whether all have a place in this precision.
fn append_bytes(numbers: &[f32], precision: Precision, bytes: &mut Vec<u8>) -> bool {
    match precision {
        Precision::F32 => {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            true
        }
        Precision::F16 => {
            let half = |&number: &f32| (f16::from_f32(number), number);
            bytes.extend(numbers.iter().flat_map(|number| half(number).0.to_le_bytes()));
            numbers.iter().map(half).all(|(half, whole)| half.is_finite() || !whole.is_finite())
        }
    }
}

/// The matrices of a file.
pub(crate) struct Tensors {
    path: PathBuf,
    matrices: HashMap<String, Matrix>,
}

/// Reads the bytes of a file; `path` is for messages. A tensor with zero or one dimension becomes a single row.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Tensors> {
    let wrong = |source| NeuralError::Format { path: path.to_owned(), source };
    let file = SafeTensors::deserialize(bytes).map_err(wrong)?;
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
            return Err(NeuralError::TensorShape {
                path: path.to_owned(),
                name,
                found,
                expected: "F32 or F16 of at most 2 dimensions".to_owned(),
            });
        };
        let columns = shape.last().copied().unwrap_or(1);
        let rows = if shape.len() == 2 { shape[0] } else { 1 };
        matrices.insert(name, Matrix::from_vec(rows, columns, data));
    }
    Ok(Tensors { path: path.to_owned(), matrices })
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
    use std::fs;

    fn read(path: &Path) -> Result<Tensors> {
        parse(&fs::read(path).unwrap(), path)
    }

    #[test]
    fn tensors_survive_a_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        let matrix = Matrix::from_vec(2, 2, vec![1.0, -0.0, f32::MIN_POSITIVE, 1e30]);
        write(&path, [("x".to_owned(), &matrix)].into_iter(), None, Precision::F32).unwrap();
        assert_eq!(read(&path).unwrap().get("x").unwrap(), &matrix);
    }

    #[test]
    fn a_large_tensor_is_written_in_pieces() {
        struct Largest(usize);
        impl Write for Largest {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0 = self.0.max(bytes.len());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let (mut largest, data) = (Largest(0), vec![1.0; 3 * TOGETHER + 1]);
        let tensor = NamedTensor { name: "x".to_owned(), shape: vec![data.len()], data: &data };
        write_tensors(&mut largest, Path::new("x"), vec![tensor], None, Precision::F32).unwrap();
        assert_eq!(largest.0, 4 * TOGETHER);
    }

    #[test]
    fn files_are_those_of_the_safetensors_library() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        let many = Matrix::from_vec(3, TOGETHER / 2, (0..3 * TOGETHER / 2).map(|place| place as f32 / 7.0).collect());
        let one = Matrix::from_vec(1, 1, vec![0.5]);
        for (note, notes) in [(Some("x"), Some(HashMap::from([(NOTE.to_owned(), "x".to_owned())]))), (None, None)] {
            let tensors = [("many".to_owned(), &many), ("a".to_owned(), &one)];
            write(&path, tensors.into_iter(), note.map(str::to_owned), Precision::F32).unwrap();
            let bytes = [&many, &one].map(|matrix| matrix.data.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
            let view =
                |place: usize, shape: [usize; 2]| safetensors::tensor::TensorView::new(Dtype::F32, shape.to_vec(), &bytes[place]).unwrap();
            let views = [("many", view(0, [3, TOGETHER / 2])), ("a", view(1, [1, 1]))];
            assert!(fs::read(&path).unwrap() == safetensors::serialize(views, notes).unwrap());
        }
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
    }
}
