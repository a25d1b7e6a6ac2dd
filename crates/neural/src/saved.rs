//! Saving and loading networks, in full or half precision.

use crate::classifier::{Classifier, Definition};
use crate::error::{NeuralError, Result};
use crate::parameters::{Fresh, Parameter, Parameters};
use crate::weights::{self, Precision};
use crate::weights_file::WeightsFile;
use acidtest_threads::{Grain, Threads, map};
use std::collections::HashMap;
use std::path::Path;

/// Where the weights of a network come from, such as a folder in another format. Tensors of one dimension are single rows, and those of
/// more than two have all dimensions after the first in their columns.
pub trait TensorSource: Sync {
    /// The shapes of all tensors, by the names that the network gives them.
    fn shapes(&self) -> HashMap<String, (usize, usize)>;

    /// Reads a tensor of this shape.
    fn read(&self, name: &str, to: &mut [f32]) -> Result<()>;

    /// The error for a tensor that is missing or has another shape.
    fn unlike(&self, name: &str, shape: (usize, usize)) -> NeuralError;
}

impl Classifier {
    /// Saves all weights to a safetensors file in full precision; the file appears complete or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.save_as(path, Precision::F32)
    }

    /// Saves all weights to a safetensors file in this precision; the file appears complete or not at all.
    pub fn save_as(&self, path: &Path, precision: Precision) -> Result<()> {
        let tensors = self.parameters().iter().map(|parameter| (parameter.name.clone(), &parameter.value));
        weights::write(path, tensors, None, precision)
    }

    /// Loads a network from a weights file of any precision.
    pub fn load(definition: &Definition, path: &Path, threads: &Threads) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| NeuralError::File { path: path.to_owned(), source })?;
        Classifier::from_bytes(definition, &bytes, path, threads)
    }

    /// Loads a network from the bytes of a weights file of any precision; `name` is for messages.
    pub fn from_bytes(definition: &Definition, bytes: &[u8], name: &Path, threads: &Threads) -> Result<Self> {
        let tensors = weights::parse(bytes, name)?;
        // No layer is larger than the file. Check this first: an absurd size would allocate memory or overflow before it is compared.
        if let Some((size_name, size)) = definition.sizes.iter().find(|(_, size)| *size > bytes.len()) {
            return Err(NeuralError::SizeBeyondFile { path: name.to_owned(), name: size_name.to_owned(), size, bytes: bytes.len() });
        }
        let parameters = Parameters::to_load(tensors.shapes());
        let mut classifier = Classifier::with(definition, parameters, threads)?;
        if let Some(misfit) = classifier.parameters().misfit() {
            return Err(tensors.unlike(&misfit.name, misfit.shape));
        }
        tensors.check_finite()?;
        tensors.fill(classifier.parameters_mut().iter_mut())?;
        Ok(classifier)
    }

    /// Replaces the weights by those of a file in full precision, piece by piece, so that hardly any memory is needed.
    pub fn load_weights(&mut self, path: &Path) -> Result<()> {
        self.check_weights(path)?;
        let file = WeightsFile::open(path)?;
        self.parameters_mut().iter_mut().try_for_each(|parameter| {
            let name = parameter.name.clone();
            file.copy(&name, parameter.value_mut())
        })
    }

    /// Checks that a file has finite weights for this network, as [`load_weights`](Self::load_weights) would find them.
    pub fn check_weights(&self, path: &Path) -> Result<()> {
        let file = WeightsFile::open(path)?;
        self.parameters().iter().try_for_each(|parameter| file.check(&parameter.name, (parameter.value.rows, parameter.value.columns)))
    }

    /// Loads a network from tensors that are read one by one, in parallel.
    pub fn from_source(definition: &Definition, source: &dyn TensorSource, threads: &Threads) -> Result<Self> {
        Classifier::with_source(definition, source, Parameters::to_load(source.shapes()), threads)
    }

    /// Loads a network for training from tensors that are read one by one, in parallel; those of a head may be missing or have another
    /// shape ([`Parameters::initialised`] says which had to be initialised).
    pub fn from_source_with(definition: &Definition, source: &dyn TensorSource, fresh: &Fresh, threads: &Threads) -> Result<Self> {
        Classifier::with_source(definition, source, Parameters::to_load_with(source.shapes(), fresh), threads)
    }

    fn with_source(definition: &Definition, source: &dyn TensorSource, parameters: Parameters, threads: &Threads) -> Result<Self> {
        let mut classifier = Classifier::with(definition, parameters, threads)?;
        if let Some(misfit) = classifier.parameters().misfit() {
            return Err(source.unlike(&misfit.name, misfit.shape));
        }
        let initialised = classifier.parameters().initialised().to_vec();
        let parameters: Vec<_> =
            classifier.parameters_mut().iter_mut().filter(|parameter| !initialised.contains(&parameter.name)).collect();
        let read = |parameter: &mut Parameter| source.read(&parameter.name.clone(), &mut parameter.value_mut().data);
        threads.run(|| map(parameters, Grain::Single, read)).into_iter().collect::<Result<()>>()?;
        Ok(classifier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::CATALOG;
    use crate::test_networks::{batch, definition, small, threads};

    #[test]
    fn half_precision_gives_nearly_the_same_scores() {
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
    fn the_weights_of_a_network_can_be_replaced_by_those_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        let (mut network, inputs) = (small("esim", &threads(1)), batch(&[(vec![1, 2, 3], vec![4, 5])], &[]));
        let scores = network.scores_of_batch(&inputs).unwrap().data;
        network.save(&path).unwrap();
        network.check_weights(&path).unwrap();
        network.parameters_mut().iter_mut().for_each(|parameter| parameter.value_mut().data.fill(0.0));
        network.load_weights(&path).unwrap();
        assert_eq!(network.scores_of_batch(&inputs).unwrap().data, scores);
        let other = small("cbow", &threads(1)).check_weights(&path).unwrap_err().to_string();
        assert!(other.contains("weights.safetensors: tensor `classifier.0.weight` is 5 x 40"), "{other}");
        let id = network.parameters().named("projection.weight").unwrap();
        network.parameters_mut().get_mut(id).value_mut().data[1] = f32::NAN;
        network.save(&path).unwrap();
        for refused in [network.check_weights(&path), network.load_weights(&path)] {
            assert!(refused.unwrap_err().to_string().contains("tensor `projection.weight` has numbers that are NaN or infinite"));
        }
    }

    #[test]
    fn weights_that_are_not_finite_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        let mut network = small("esim", &threads(1));
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let id = network.parameters().named("projection.weight").unwrap();
            network.parameters_mut().get_mut(id).value_mut().data[1] = number;
            network.save(&path).unwrap();
            let message = Classifier::load(network.definition(), &path, &threads(1)).err().unwrap().to_string();
            assert!(message.contains("weights.safetensors: tensor `projection.weight` has numbers that are NaN or infinite"), "{message}");
        }
    }

    #[test]
    fn impossible_sizes_are_refused_before_memory_is_allocated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        for entry in &CATALOG {
            small(entry.name, &threads(1)).save(&path).unwrap();
            let refused = |settings: serde_json::Value, sizes: (usize, usize)| {
                let definition = definition(entry.name, settings, sizes);
                Classifier::load(&definition, &path, &threads(1)).err().unwrap().to_string()
            };
            // A layer of this size would take 115 GB.
            let message = refused(serde_json::json!({"hidden": 60_000}), (10, 4));
            assert!(message.contains("the network has "), "{}: {message}", entry.name);
            for sizes in [(10, 1 << 60), (usize::MAX, 4), (10, usize::MAX)] {
                let message = refused(serde_json::json!({}), sizes);
                assert!(message.contains("are too few for a network whose size"), "{}: {message}", entry.name);
            }
            assert!(refused(serde_json::json!({}), (100, 90)).contains("tensor `embeddings`"));
        }
        small("cbow", &threads(1)).save(&path).unwrap();
        let deep = definition("cbow", serde_json::json!({"hidden": 5, "layers": 65_536}), (10, 4));
        assert!(Classifier::load(&deep, &path, &threads(1)).is_err());
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
