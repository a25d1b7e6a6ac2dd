//! Saving a folder that this crate and `transformers` open again with equal outputs.

use crate::error::{Result, TransformerError};
use crate::folder::CONFIG_FILE;
use crate::labels::Outputs;
use crate::model::{Origin, Transformer};
use crate::tensors::WEIGHTS_FILE;
use crate::tokens::{OTHER_TOKENIZERS, TOKENIZER_FILES};
use acidtest_files::{FileError, OutputFolder};
use acidtest_neural::parameters::Parameter;
use acidtest_neural::{Classifier, NamedTensor, NeuralError, Precision, write_tensors};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::path::Path;

impl Transformer {
    /// Saves the model to a folder, which appears complete or not at all and replaces one of the same name.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let output = OutputFolder::create(folder).map_err(NeuralError::from)?;
        self.origin.save_into(&output, &self.classifier, &self.outputs)?;
        Ok(output.finish().map_err(NeuralError::from)?)
    }
}

impl Origin {
    /// Writes the files of a model with these weights, which may still be in training: config.json, the files of the tokenizer as they
    /// are, and all weights as 32-bit floats, piece by piece.
    pub fn save_into(&self, output: &OutputFolder, classifier: &Classifier, outputs: &Outputs) -> Result<()> {
        let file = |name: &str| output.file(name).map_err(NeuralError::from);
        let config = serde_json::to_string_pretty(&self.saved_config(outputs)).map_err(NeuralError::from)?;
        output.write(CONFIG_FILE, format!("{config}\n").as_bytes()).map_err(NeuralError::from)?;
        for name in TOKENIZER_FILES.iter().chain(&OTHER_TOKENIZERS).chain(&["added_tokens.json"]) {
            let path = self.folder.path.join(name);
            if path.is_file() {
                let failed = |source| TransformerError::File { path: path.clone(), source };
                let mut from = File::open(&path).map_err(failed)?;
                std::io::copy(&mut from, &mut file(name)?)
                    .map_err(|source| NeuralError::from(FileError::unwritten(Path::new(name), source)))?;
            }
        }
        let initialised = classifier.parameters().initialised();
        let tensors = classifier.parameters().iter().map(|Parameter { name, value, .. }| {
            // The shape that the tensor had in the opened folder, where a single row may have one dimension and a convolution three.
            let shape = self.shapes.get(name).filter(|_| !initialised.contains(name));
            let own = || if value.rows == 1 { vec![value.columns] } else { vec![value.rows, value.columns] };
            NamedTensor { name: name.clone(), shape: shape.cloned().unwrap_or_else(own), data: &value.data }
        });
        // `transformers` refuses files that do not name their format.
        let format = Some(("format", "pt".to_owned()));
        Ok(write_tensors(&mut file(WEIGHTS_FILE)?, Path::new(WEIGHTS_FILE), tensors.collect(), format, Precision::F32)?)
    }

    /// config.json as it was, but for the labels and what depends on the weights.
    fn saved_config(&self, outputs: &Outputs) -> Value {
        let mut config = self.folder.config.clone();
        let Some(keys) = config.as_object_mut() else { return config };
        keys.insert("architectures".to_owned(), json!([format!("{}ForSequenceClassification", self.folder.architecture.class)]));
        // Otherwise weights that were 16-bit floats would be rounded to them again.
        for key in ["dtype", "torch_dtype"] {
            if let Some(own) = keys.get_mut(key) {
                *own = "float32".into();
            }
        }
        if let Some(names) = outputs.names() {
            let numbered = || names.iter().enumerate();
            let of_numbers: Map<String, Value> = numbered().map(|(number, &name)| (number.to_string(), name.into())).collect();
            let of_names: Map<String, Value> = numbered().map(|(number, &name)| (name.to_owned(), number.into())).collect();
            keys.insert("id2label".to_owned(), of_numbers.into());
            keys.insert("label2id".to_owned(), of_names.into());
            keys.insert("problem_type".to_owned(), "single_label_classification".into());
            keys.remove("num_labels");
            keys.remove("_num_labels");
        }
        config
    }
}
