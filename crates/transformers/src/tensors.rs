//! Weights in safetensors files, whole or in parts, read tensor by tensor.

use crate::error::{Result, TransformerError};
use crate::folder::file;
use acidtest_neural::{NeuralError, TensorSource};
use acidtest_threads::{Grain, map_with};
use half::{bf16, f16};
use safetensors::tensor::{Dtype, TensorInfo};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The file of all weights.
pub(crate) const WEIGHTS_FILE: &str = "model.safetensors";
/// The file that names the parts of the weights.
pub(crate) const INDEX_FILE: &str = "model.safetensors.index.json";
/// Weights that are not read: their formats can run code, or need another library.
const OTHER_WEIGHTS: [&str; 5] = ["pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "flax_model.msgpack", "model.onnx"];
/// Headers are refused from this size on.
const LONGEST_HEADER: u64 = 100_000_000;

/// The tensors of a folder.
pub(crate) struct Tensors {
    files: Vec<TensorFile>,
    /// The file and the tensor of each name.
    places: HashMap<String, Place>,
    /// The prefix that our names have and those of the files may lack.
    prefix: &'static str,
}

struct TensorFile {
    path: PathBuf,
    file: File,
    /// Where the numbers begin.
    start: u64,
}

struct Place {
    file: usize,
    info: TensorInfo,
}

/// model.safetensors.index.json.
#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

/// The header of a safetensors file.
#[derive(Deserialize)]
struct Header {
    #[serde(rename = "__metadata__")]
    _notes: Option<IgnoredAny>,
    #[serde(flatten)]
    tensors: HashMap<String, TensorInfo>,
}

impl Tensors {
    /// Opens the weights of a folder and reads their headers; `prefix` may be missing in the names of the files.
    pub(crate) fn open(folder: &Path, prefix: &'static str) -> Result<Self> {
        let mut tensors = Tensors { files: Vec::new(), places: HashMap::new(), prefix };
        for path in weight_files(folder)? {
            tensors.add(&path)?;
        }
        Ok(tensors)
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        let (file, start, header) = read_header(path)?;
        let number = self.files.len();
        self.places.extend(header.tensors.into_iter().map(|(name, info)| (name, Place { file: number, info })));
        self.files.push(TensorFile { path: path.to_owned(), file, start });
        Ok(())
    }

    /// The tensor that the network calls `name`: files may lack the prefix, and old ones have `gamma` and `beta`.
    fn place(&self, name: &str) -> Option<&Place> {
        let bare = name.strip_prefix(self.prefix).unwrap_or(name);
        [name, bare].into_iter().find_map(|name| {
            let old = |new: &str, old: &str| name.strip_suffix(new).map(|stem| format!("{stem}{old}"));
            let found = self.places.get(name);
            found.or_else(|| self.places.get(&old(".weight", ".gamma")?)).or_else(|| self.places.get(&old(".bias", ".beta")?))
        })
    }

    /// The shape of a tensor by the network's name.
    pub(crate) fn shape(&self, name: &str) -> Option<(usize, usize)> {
        self.place(name).map(|place| flat_shape(&place.info.shape))
    }

    /// The shape of a tensor in its file, by the network's name.
    pub(crate) fn shape_in_file(&self, name: &str) -> Option<&[usize]> {
        self.place(name).map(|place| place.info.shape.as_slice())
    }

    /// Treats a tensor as missing.
    pub(crate) fn leave_out(&mut self, name: &str) {
        self.places.remove(name);
        self.places.remove(name.strip_prefix(self.prefix).unwrap_or(name));
    }

    /// The names of all tensors in the files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The first file.
    pub(crate) fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(WEIGHTS_FILE), |file| &file.path)
    }
}

impl TensorSource for Tensors {
    fn shapes(&self) -> HashMap<String, (usize, usize)> {
        let mut shapes = HashMap::new();
        for (name, place) in &self.places {
            let shape = flat_shape(&place.info.shape);
            let new = |old: &str, new: &str| name.strip_suffix(old).map(|stem| format!("{stem}{new}"));
            for name in [Some(name.clone()), new(".gamma", ".weight"), new(".beta", ".bias")].into_iter().flatten() {
                shapes.insert(format!("{}{name}", self.prefix), shape);
                shapes.insert(name, shape);
            }
        }
        shapes
    }

    fn read(&self, name: &str, to: &mut [f32]) -> acidtest_neural::Result<()> {
        let Some(place) = self.place(name) else { return Err(self.unlike(name, (0, 0))) };
        let TensorFile { path, file, start } = &self.files[place.file];
        let failed = |source| NeuralError::File { path: path.clone(), source };
        let (from, end) = place.info.data_offsets;
        let numbers = Numbers { file, from: start + from as u64, bytes: end - from };
        let finite = match place.info.dtype {
            Dtype::F32 => numbers.read::<4>(to, f32::from_le_bytes),
            Dtype::F16 => numbers.read::<2>(to, |bytes| f16::from_le_bytes(bytes).to_f32()),
            Dtype::BF16 => numbers.read::<2>(to, |bytes| bf16::from_le_bytes(bytes).to_f32()),
            other => {
                let (found, expected) = (format!("of type {other}"), "F32, F16 or BF16".to_owned());
                return Err(NeuralError::TensorShape { path: path.clone(), name: name.to_owned(), found, expected });
            }
        };
        match finite.map_err(failed)? {
            true => Ok(()),
            false => Err(NeuralError::NotFinite { path: path.clone(), name: name.to_owned() }),
        }
    }

    fn unlike(&self, name: &str, (rows, columns): (usize, usize)) -> NeuralError {
        match self.place(name) {
            Some(place) => NeuralError::TensorShape {
                path: self.files[place.file].path.clone(),
                name: name.to_owned(),
                found: shape_text(&place.info.shape),
                expected: if rows == 1 { columns.to_string() } else { format!("{rows} x {columns}") },
            },
            None => NeuralError::MissingTensor { path: self.path().to_owned(), name: name.to_owned() },
        }
    }
}

/// The bytes of a tensor in a file.
struct Numbers<'f> {
    file: &'f File,
    from: u64,
    bytes: usize,
}

impl Numbers<'_> {
    /// Reads all numbers, and says whether all are finite.
    fn read<const SIZE: usize>(&self, to: &mut [f32], convert: impl Fn([u8; SIZE]) -> f32 + Send + Sync) -> std::io::Result<bool> {
        const TOGETHER: usize = 1 << 16;
        if self.bytes != to.len() * SIZE {
            return Err(std::io::Error::other("a tensor's bytes do not match its shape"));
        }
        let length = to.len().min(TOGETHER) * SIZE;
        let read = |buffer: &mut Vec<u8>, (place, part): (usize, &mut [f32])| {
            let bytes = &mut buffer[..part.len() * SIZE];
            self.file.read_exact_at(bytes, self.from + (place * TOGETHER * SIZE) as u64)?;
            let mut finite = true;
            for (number, bytes) in part.iter_mut().zip(bytes.as_chunks::<SIZE>().0) {
                *number = convert(*bytes);
                finite &= number.is_finite();
            }
            Ok(finite)
        };
        // A table of words is half of a small model, so its parts are shared out.
        let parts: Vec<(usize, &mut [f32])> = to.chunks_mut(TOGETHER).enumerate().collect();
        let finite = map_with(parts, Grain::AtLeast(16), || vec![0; length], read).into_iter().collect::<std::io::Result<Vec<bool>>>()?;
        Ok(finite.into_iter().all(|finite| finite))
    }
}

/// The files that hold the weights of a folder.
pub(crate) fn weight_files(folder: &Path) -> Result<Vec<PathBuf>> {
    if let Some(whole) = file(folder, WEIGHTS_FILE)? {
        return Ok(vec![whole]);
    }
    let Some(path) = file(folder, INDEX_FILE)? else {
        let folder = folder.to_owned();
        return Err(match OTHER_WEIGHTS.into_iter().find(|name| folder.join(name).exists()) {
            Some(found) => TransformerError::OtherWeights { folder, found },
            None => TransformerError::NoWeights { folder },
        });
    };
    let wrong = |problem: String| TransformerError::Index { path: path.clone(), problem };
    let index: Index = serde_json::from_value(crate::folder::read_json(&path)?).map_err(|error| wrong(error.to_string()))?;
    let mut names: Vec<&String> = index.weight_map.values().collect();
    names.sort();
    names.dedup();
    if names.is_empty() {
        return Err(wrong("its weight_map is empty".to_owned()));
    }
    let outside = |name: &&&String| Path::new(name.as_str()).file_name().is_none_or(|own| own != name.as_str());
    if let Some(name) = names.iter().find(outside) {
        return Err(wrong(format!("`{name}` is not the name of a file in this folder")));
    }
    let part = |name: &String| file(folder, name)?.ok_or_else(|| wrong(format!("the part `{name}` is missing")));
    names.into_iter().map(part).collect()
}

/// Opens a safetensors file and reads where its tensors are; the header is checked against the file's length before it is read.
fn read_header(path: &Path) -> Result<(File, u64, Header)> {
    let failed = |source| TransformerError::File { path: path.to_owned(), source };
    let wrong = |message: &str| TransformerError::Weights { path: path.to_owned(), message: message.to_owned() };
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut size = [0; 8];
    if length < 8 {
        return Err(wrong("it is shorter than its header"));
    }
    file.read_exact_at(&mut size, 0).map_err(failed)?;
    let header = u64::from_le_bytes(size);
    if header > LONGEST_HEADER || header + 8 > length {
        return Err(wrong("it is shorter than its header says"));
    }
    let mut bytes = vec![0; header as usize];
    file.read_exact_at(&mut bytes, 8).map_err(failed)?;
    let tensors: Header = serde_json::from_slice(&bytes).map_err(|error| wrong(&error.to_string()))?;
    check_places(&tensors, length - 8 - header).map_err(|problem| wrong(&problem))?;
    Ok((file, 8 + header, tensors))
}

/// Refuses tensors that do not follow each other from the first byte of the numbers to the last, each as long as its shape says. Nothing
/// that is read is then larger than the file.
fn check_places(header: &Header, numbers: u64) -> std::result::Result<(), String> {
    let mut places = Vec::new();
    for (name, info) in &header.tensors {
        let (from, to) = info.data_offsets;
        let count = info.shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        let bits = count.and_then(|count| count.checked_mul(info.dtype.bitsize()));
        if from > to || to as u64 > numbers {
            return Err(format!("tensor `{name}` extends beyond the end of the file"));
        }
        if bits.map(|bits| bits.div_ceil(8)) != Some(to - from) {
            return Err(format!("tensor `{name}` is not as long as its shape says"));
        }
        places.push((from, to, name));
    }
    places.sort();
    let mut end = 0;
    for (from, to, name) in places {
        if from != end {
            return Err(format!("tensor `{name}` does not begin where the one before it ends"));
        }
        end = to;
    }
    if end as u64 == numbers { Ok(()) } else { Err("it is longer than its tensors".to_owned()) }
}

/// A tensor as a matrix: one dimension is a row, and all after the first are columns.
fn flat_shape(shape: &[usize]) -> (usize, usize) {
    match shape {
        [] => (1, 1),
        [columns] => (1, *columns),
        [rows, columns @ ..] => (*rows, columns.iter().product()),
    }
}

fn shape_text(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}
