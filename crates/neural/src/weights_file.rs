//! Safetensors files that are read tensor by tensor, so that hardly any memory is needed besides the weights themselves.

use crate::error::{NeuralError, Result};
use crate::matrix::Matrix;
use crate::weights::{NOTE, TOGETHER};
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Headers are refused from this size on.
const LONGEST_HEADER: u64 = 100_000_000;

/// An open file of 32-bit floats.
pub(crate) struct WeightsFile {
    path: PathBuf,
    file: File,
    header: Metadata,
    /// Where the numbers begin.
    start: u64,
}

impl WeightsFile {
    /// Opens a file and reads its header.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let failed = |source| NeuralError::File { path: path.to_owned(), source };
        let wrong = |source| NeuralError::Format { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut size = [0; 8];
        if length < 8 {
            return Err(wrong(SafeTensorError::HeaderTooSmall));
        }
        file.read_exact(&mut size).map_err(failed)?;
        let size = u64::from_le_bytes(size);
        if size > LONGEST_HEADER {
            return Err(wrong(SafeTensorError::HeaderTooLarge));
        }
        if size + 8 > length {
            return Err(wrong(SafeTensorError::InvalidHeaderLength));
        }
        let mut header = vec![0; size as usize];
        file.read_exact(&mut header).map_err(failed)?;
        let header: Metadata =
            serde_json::from_slice(&header).map_err(|error| wrong(SafeTensorError::InvalidHeaderDeserialization(error)))?;
        let start = 8 + size;
        if start + header.data_len() as u64 != length {
            return Err(wrong(SafeTensorError::MetadataIncompleteBuffer));
        }
        Ok(WeightsFile { path: path.to_owned(), file, header, start })
    }

    /// The note that was written with the tensors.
    pub(crate) fn note(&self) -> Option<&str> {
        self.header.metadata().as_ref()?.get(NOTE).map(String::as_str)
    }

    /// Copies a tensor into a matrix of its shape.
    pub(crate) fn copy(&self, name: &str, to: &mut Matrix) -> Result<()> {
        let mut place = 0;
        self.read(name, (to.rows, to.columns), &mut |numbers| {
            to.data[place..place + numbers.len()].copy_from_slice(numbers);
            place += numbers.len();
        })
    }

    /// Checks that there is a tensor of this shape with finite numbers.
    pub(crate) fn check(&self, name: &str, shape: (usize, usize)) -> Result<()> {
        let mut finite = true;
        self.read(name, shape, &mut |numbers| finite &= numbers.iter().all(|number| number.is_finite()))?;
        match finite {
            true => Ok(()),
            false => Err(NeuralError::NotFinite { path: self.path.clone(), name: name.to_owned() }),
        }
    }

    /// Passes a tensor on in pieces.
    fn read(&self, name: &str, shape: (usize, usize), take: &mut dyn FnMut(&[f32])) -> Result<()> {
        let failed = |source| NeuralError::File { path: self.path.clone(), source };
        let info = self.info(name, shape)?;
        let (from, end) = info.data_offsets;
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.start + from as u64)).map_err(failed)?;
        let mut bytes = vec![0; (end - from).min(4 * TOGETHER)];
        let mut numbers = Vec::with_capacity(bytes.len() / 4);
        let mut left = end - from;
        while left > 0 {
            let piece = &mut bytes[..left.min(4 * TOGETHER)];
            file.read_exact(piece).map_err(failed)?;
            numbers.clear();
            numbers.extend(piece.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)));
            take(&numbers);
            left -= piece.len();
        }
        Ok(())
    }

    /// Where a tensor of this shape is; one of another shape or type is refused.
    fn info(&self, name: &str, (rows, columns): (usize, usize)) -> Result<&TensorInfo> {
        let path = || self.path.clone();
        let missing = || NeuralError::MissingTensor { path: path(), name: name.to_owned() };
        let info = self.header.info(name).ok_or_else(missing)?;
        if info.dtype != Dtype::F32 || info.shape != [rows, columns] {
            let shape: Vec<String> = info.shape.iter().map(usize::to_string).collect();
            let found = format!("{} of type {:?}", shape.join(" x "), info.dtype);
            return Err(NeuralError::TensorShape { path: path(), name: name.to_owned(), found, expected: format!("{rows} x {columns}") });
        }
        Ok(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::{Precision, write};

    fn written(precision: Precision) -> (tempfile::TempDir, PathBuf, Matrix) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        // More than one piece.
        let matrix = Matrix::from_vec(3, TOGETHER / 2, (0..3 * TOGETHER / 2).map(|place| place as f32 / 7.0).collect());
        write(&path, [("x".to_owned(), &matrix)].into_iter(), Some("step 3".to_owned()), precision).unwrap();
        (folder, path, matrix)
    }

    #[test]
    fn a_tensor_is_read_in_pieces() {
        let (_folder, path, matrix) = written(Precision::F32);
        let file = WeightsFile::open(&path).unwrap();
        let mut found = Matrix::zeros(matrix.rows, matrix.columns);
        file.copy("x", &mut found).unwrap();
        assert!(found == matrix && file.note() == Some("step 3"));
    }

    #[test]
    fn other_shapes_types_and_damaged_files_are_refused() {
        let (_folder, path, matrix) = written(Precision::F32);
        let refused =
            |name: &str, rows: usize| WeightsFile::open(&path).unwrap().check(name, (rows, matrix.columns)).unwrap_err().to_string();
        assert!(refused("y", 3).contains("no tensor `y`"));
        assert!(refused("x", 4).contains("tensor `x` is 3 x 131072 of type F32, the network has 4 x 131072"), "{}", refused("x", 4));
        let (_half, half, _) = written(Precision::F16);
        assert!(WeightsFile::open(&half).unwrap().check("x", (3, matrix.columns)).unwrap_err().to_string().contains("of type F16"));
        let bytes = std::fs::read(&path).unwrap();
        for length in [0, 7, 20, 200, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(WeightsFile::open(&path).err().unwrap().to_string().contains("not a safetensors file"), "{length}");
        }
    }
}
