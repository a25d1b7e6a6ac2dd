//! Networks as files: with all bits of their weights, or with half of them.

use crate::classifier::{Classifier, Definition};
use crate::error::{NeuralError, Result};
use crate::networks::EMBEDDINGS;
use crate::parameters::Parameters;
use crate::weights::{self, Precision};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use std::path::Path;

impl Classifier {
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
    pub fn load(definition: &Definition, path: &Path, threads: &Threads) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| NeuralError::File { path: path.to_owned(), source })?;
        Classifier::from_bytes(definition, &bytes, path, threads)
    }

    /// A network with the weights of the bytes of a file, of any precision; `name` is for messages.
    pub fn from_bytes(definition: &Definition, bytes: &[u8], name: &Path, threads: &Threads) -> Result<Self> {
        let tensors = weights::parse(bytes, name)?;
        let mut parameters = Parameters::new(Seed::new(0).child("weights"));
        // Random numbers in its place would cost most of the time that loading takes.
        if let Ok(table) = tensors.get(EMBEDDINGS) {
            parameters.provide(EMBEDDINGS, table.clone());
        }
        let mut classifier = Classifier::with(definition, parameters, threads)?;
        tensors.fill(classifier.parameters_mut().iter_mut())?;
        Ok(classifier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::CATALOG;
    use crate::test_networks::{batch, definition, small, threads};

    #[test]
    fn half_of_the_bits_give_nearly_the_same_scores() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        let (batch, threads) = (batch(&[(vec![1, 2, 3], vec![4, 5])], &[]), threads(2));
        for entry in &CATALOG {
            let network = small(entry.name, &threads);
            let scores = |precision| {
                network.save_as(&path, precision).unwrap();
                let loaded = Classifier::load(network.definition(), &path, &threads).unwrap();
                (loaded.scores_of_batch(&batch).unwrap().data, std::fs::metadata(&path).unwrap().len())
            };
            let (whole, size) = scores(Precision::F32);
            assert_eq!(whole, network.scores_of_batch(&batch).unwrap().data, "{}", entry.name);
            let (half, half_size) = scores(Precision::F16);
            assert!(whole.iter().zip(&half).all(|(whole, half)| (whole - half).abs() < 1e-2), "{}: {whole:?} {half:?}", entry.name);
            assert_ne!(whole, half, "{}", entry.name);
            assert!(half_size < size);
        }
    }

    #[test]
    fn weights_of_other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        small("cbow", &threads(1)).save(&path).unwrap();
        let refused = |name: &str, sizes: (usize, usize)| {
            let definition = definition(name, serde_json::json!({}), sizes);
            Classifier::load(&definition, &path, &threads(1)).err().unwrap().to_string()
        };
        let other = "the network has 300 x 16; was the file made with other settings?";
        let message = refused("cbow", (10, 4));
        assert!(message.ends_with(&format!("tensor `classifier.0.weight` is 5 x 16, {other}")), "{message}");
        let message = refused("cbow", (11, 4));
        assert!(message.contains("tensor `embeddings` is 10 x 4, the network has 11 x 4"), "{message}");
        let message = refused("esim", (10, 4));
        assert!(message.contains("no tensor `projection.weight`"), "{message}");
    }
}
