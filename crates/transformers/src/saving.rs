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

/// Writes a file of this name: it is given a function that writes the content piece by piece.
pub type WriteFile<'w> = dyn FnMut(&str, &mut dyn FnMut(&mut File) -> Result<()>) -> Result<()> + 'w;

impl Transformer {
    /// Saves the model to a folder, which appears complete or not at all and replaces one of the same name.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let output = OutputFolder::create(folder)?;
        self.origin.save_weights(&self.classifier, &mut |name, fill| fill(&mut output.file(name)?))?;
        output.write(CONFIG_FILE, self.origin.config_text(&self.outputs)?.as_bytes())?;
        Ok(output.finish()?)
    }
}

impl Origin {
    /// Writes all files of a model with these weights, which may still be in training, but config.json: the files of the tokenizer as they
    /// are, and all weights as 32-bit floats.
    pub fn save_weights(&self, classifier: &Classifier, write: &mut WriteFile<'_>) -> Result<()> {
        for name in TOKENIZER_FILES.iter().chain(&OTHER_TOKENIZERS).chain(&["added_tokens.json"]) {
            let path = self.folder.path.join(name);
            if path.is_file() {
                write(name, &mut |file| {
                    let failed = |source| TransformerError::File { path: path.clone(), source };
                    let mut from = File::open(&path).map_err(failed)?;
                    std::io::copy(&mut from, file).map_err(|source| FileError::unwritten(Path::new(name), source))?;
                    Ok(())
                })?;
            }
        }
        write(WEIGHTS_FILE, &mut |file| {
            let initialised = classifier.parameters().initialised();
            let tensors = classifier.parameters().iter().map(|Parameter { name, value, .. }| {
                // The shape that the tensor had in the opened folder, where a single row may have one dimension and a convolution three.
                let shape = self.shapes.get(name).filter(|_| !initialised.contains(name));
                let own = || if value.rows == 1 { vec![value.columns] } else { vec![value.rows, value.columns] };
                NamedTensor { name: name.clone(), shape: shape.cloned().unwrap_or_else(own), data: &value.data }
            });
            // `transformers` refuses files that do not name their format.
            let format = Some(("format", "pt".to_owned()));
            Ok(write_tensors(file, Path::new(WEIGHTS_FILE), tensors.collect(), format, Precision::F32)?)
        })
    }

    /// The text of config.json for these outputs. The file makes a folder a model, so it is to be written last.
    pub fn config_text(&self, outputs: &Outputs) -> Result<String> {
        let config = serde_json::to_string_pretty(&self.saved_config(outputs)).map_err(NeuralError::from)?;
        Ok(format!("{config}\n"))
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
