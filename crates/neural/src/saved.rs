//! Networks as files: with all bits of their weights, or with half of them.

use crate::embeddings::Embeddings;
use crate::error::{Error, Result};
use crate::models::Settings;
use crate::network::Network;
use crate::weights::{self, Precision};
use acidtest_nli::Seed;
use std::path::Path;

impl Network {
    /// Writes all weights to a safetensors file with all their bits; the file appears whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.save_as(path, Precision::F32)
    }

    /// Writes all weights to a safetensors file with this many bits a number; the file appears whole or not at all.
    pub fn save_as(&self, path: &Path, precision: Precision) -> Result<()> {
        let tensors = self.parameters().iter().map(|parameter| (parameter.name.clone(), &parameter.value));
        weights::write(path, tensors, None, precision)
    }

    /// A network with the weights of a file, of any precision.
    pub fn load(settings: &Settings, path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Network::from_bytes(settings, &bytes, path)
    }

    /// A network with the weights of the bytes of a file, of any precision; `name` is for messages.
    pub fn from_bytes(settings: &Settings, bytes: &[u8], name: &Path) -> Result<Self> {
        let tensors = weights::parse(bytes, name)?;
        let table = tensors.get("embeddings")?;
        let mut embeddings = Embeddings::random(table.columns);
        for word in 0..table.rows {
            embeddings.insert(word as u32, table.row(word))?;
        }
        let mut network = Network::new(settings, table.rows, &embeddings, Seed::new(0))?;
        tensors.fill(network.parameters_mut().iter_mut())?;
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Batch;
    use crate::models::CATALOG;

    #[test]
    fn half_of_the_bits_give_nearly_the_same_scores() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        let batch = Batch::unlabelled(&[vec![1, 2, 3]], &[vec![4, 5]]).unwrap();
        for entry in CATALOG {
            let mut settings = serde_json::to_value(Settings::of(entry.name).unwrap()).unwrap();
            settings["hidden"] = 5.into();
            let settings: Settings = serde_json::from_value(settings).unwrap();
            let network = Network::new(&settings, 10, &Embeddings::random(4), Seed::new(1)).unwrap();
            let scores = |precision| {
                network.save_as(&path, precision).unwrap();
                let bytes = std::fs::read(&path).unwrap();
                (Network::from_bytes(&settings, &bytes, &path).unwrap().scores(&batch).unwrap()[0], bytes.len())
            };
            let (whole, size) = scores(Precision::F32);
            assert_eq!(whole, network.scores(&batch).unwrap()[0], "{}", entry.name);
            let (half, half_size) = scores(Precision::F16);
            assert!(whole.iter().zip(&half).all(|(whole, half)| (whole - half).abs() < 1e-2), "{}: {whole:?} {half:?}", entry.name);
            assert_ne!(whole, half, "{}", entry.name);
            assert!(half_size < size);
        }
    }
}
