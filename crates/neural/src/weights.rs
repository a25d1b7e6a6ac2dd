//! Named matrices in safetensors files.

use crate::error::{Error, Result};
use crate::matrix::Matrix;
use crate::parameters::Parameter;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The key under which a text may be kept beside the tensors.
const NOTE: &str = "acidtest";

/// Writes a file: beside its place first, then moved there, so that it appears whole or not at all.
pub(crate) fn write<'a>(path: &Path, tensors: impl Iterator<Item = (String, &'a Matrix)>, note: Option<String>) -> Result<()> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let wrong = |source| Error::Format { path: path.to_owned(), source };
    let bytes: Vec<(String, [usize; 2], Vec<u8>)> = tensors
        .map(|(name, matrix)| {
            let bytes = matrix.data.iter().flat_map(|number| number.to_le_bytes()).collect();
            (name, [matrix.rows, matrix.columns], bytes)
        })
        .collect();
    let mut views = Vec::with_capacity(bytes.len());
    for (name, shape, bytes) in &bytes {
        views.push((name, TensorView::new(Dtype::F32, shape.to_vec(), bytes).map_err(wrong)?));
    }
    let note = note.map(|text| HashMap::from([(NOTE.to_owned(), text)]));
    let file = safetensors::serialize(views, note).map_err(wrong)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    beside.write_all(&file).map_err(failed)?;
    beside.as_file().sync_all().map_err(failed)?;
    beside.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The matrices of a file.
pub(crate) struct Tensors {
    path: PathBuf,
    matrices: HashMap<String, Matrix>,
    /// The text kept beside them.
    pub note: Option<String>,
}

/// Reads a file; a tensor with one or no dimension is a single row.
pub(crate) fn read(path: &Path) -> Result<Tensors> {
    let bytes = fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let wrong = |source| Error::Format { path: path.to_owned(), source };
    let file = SafeTensors::deserialize(&bytes).map_err(wrong)?;
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(wrong)?;
    let note = header.metadata().as_ref().and_then(|notes| notes.get(NOTE).cloned());
    let mut matrices = HashMap::new();
    for (name, tensor) in file.tensors() {
        let shape = tensor.shape();
        if tensor.dtype() != Dtype::F32 || shape.len() > 2 {
            let found = format!("{:?} of {} dimensions", tensor.dtype(), shape.len());
            return Err(Error::TensorShape { path: path.to_owned(), name, found, expected: "at most 2 of F32".to_owned() });
        }
        let columns = shape.last().copied().unwrap_or(1);
        let rows = if shape.len() == 2 { shape[0] } else { 1 };
        let (numbers, _) = tensor.data().as_chunks::<4>();
        let data = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
        matrices.insert(name, Matrix::from_vec(rows, columns, data));
    }
    Ok(Tensors { path: path.to_owned(), matrices, note })
}

impl Tensors {
    /// The matrix of this name.
    pub fn get(&self, name: &str) -> Result<&Matrix> {
        self.matrices.get(name).ok_or_else(|| Error::MissingTensor { path: self.path.clone(), name: name.to_owned() })
    }

    /// Copies the matrix of this name into one of the same shape.
    pub fn copy(&self, name: &str, to: &mut Matrix) -> Result<()> {
        let from = self.get(name)?;
        if (from.rows, from.columns) != (to.rows, to.columns) {
            let shape = |matrix: &Matrix| format!("{} x {}", matrix.rows, matrix.columns);
            return Err(Error::TensorShape { path: self.path.clone(), name: name.to_owned(), found: shape(from), expected: shape(to) });
        }
        to.data.copy_from_slice(&from.data);
        Ok(())
    }

    /// Copies the matrix of each parameter's name.
    pub fn fill<'a>(&self, parameters: impl Iterator<Item = &'a mut Parameter>) -> Result<()> {
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
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        let matrix = Matrix::from_vec(2, 2, vec![1.0, -0.0, f32::MIN_POSITIVE, 1e30]);
        write(&path, [("x".to_owned(), &matrix)].into_iter(), Some("step 3".to_owned())).unwrap();
        let tensors = read(&path).unwrap();
        assert_eq!(tensors.get("x").unwrap(), &matrix);
        assert_eq!(tensors.note.as_deref(), Some("step 3"));
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "not tensors").unwrap();
        assert!(read(&path).err().unwrap().to_string().contains("not a safetensors file"));
        assert!(read(&folder.path().join("none")).is_err());
    }
}
