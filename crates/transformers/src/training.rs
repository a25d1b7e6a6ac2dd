//! What fine-tuning needs: a head, layers that learn slower than others, and layers that do not change.

use crate::architectures::Architecture;
use crate::error::Result;
use crate::folder::Folder;
use crate::labels::Outputs;
use crate::model::Transformer;
use crate::tensors::Tensors;
use acidtest_neural::parameters::{Fresh, ParameterUpdate};
use acidtest_neural::{Classifier, NeuralError};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use serde_json::Value;
use std::path::Path;

/// How a folder is opened to train it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainingStart {
    /// The number of labels: two (entailment or not) or three; `None` for those of the folder's own head, or three if it has none.
    pub labels: Option<usize>,
    /// The rate of dropout everywhere, in place of the rates in config.json.
    pub dropout: Option<f32>,
    /// The seed of a new head and of dropout.
    pub seed: Seed,
}

impl TrainingStart {
    /// With the folder's own labels and rates of dropout.
    pub fn new(seed: Seed) -> Self {
        TrainingStart { labels: None, dropout: None, seed }
    }
}

/// The keys of config.json that are rates of dropout.
const DROPOUTS: [&str; 11] = [
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "classifier_dropout",
    "dropout",
    "attention_dropout",
    "activation_dropout",
    "seq_classif_dropout",
    "pooler_dropout",
    "cls_dropout",
    "embedding_dropout",
    "mlp_dropout",
];

/// Which parameters learn, and how fast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FineTuning {
    /// The learning rate of a layer as a share of that of the layer above; 1 for the same everywhere. The head counts as the highest
    /// layer, the embeddings as the lowest.
    pub layer_decay: f32,
    /// The number of layers, from the lowest, that do not change; from 1 on, neither do the embeddings.
    pub frozen_layers: usize,
    /// How the table of words changes.
    pub words: ParameterUpdate,
}

impl Default for FineTuning {
    fn default() -> Self {
        FineTuning { layer_decay: 1.0, frozen_layers: 0, words: ParameterUpdate::Dense }
    }
}

impl Transformer {
    /// Opens a folder to train it; its outputs are put in our order. A missing head, or one whose outputs are not these labels, is
    /// initialised: [`initialised`](Self::initialised) names its tensors.
    pub fn for_training(folder: &Path, start: &TrainingStart, threads: &Threads) -> Result<Self> {
        let TrainingStart { labels, dropout, seed } = *start;
        let folder = Folder::open(folder)?;
        let architecture = folder.architecture;
        let mut tensors = Tensors::open(&folder.path, architecture.prefix)?;
        let found = tensors.shape(architecture.output).map(|(rows, _)| Outputs::of(&folder.config, rows, None, &folder.path));
        let own = found.and_then(std::result::Result::ok).filter(|own| own.count() > 1);
        let classes = labels.or_else(|| own.as_ref().map(Outputs::count)).unwrap_or(3);
        let outputs = Outputs::own_order(classes)?;
        let known = own.filter(|own| own.count() == classes);
        if known.is_none() {
            output_tensors(architecture).iter().for_each(|name| tensors.leave_out(name));
        }
        let deviation = ["initializer_range", "init_std"].iter().find_map(|key| folder.config.get(key).and_then(Value::as_f64));
        let prefixes = architecture.head.iter().map(|&prefix| prefix.to_owned()).collect();
        let fresh = Fresh { prefixes, deviation: deviation.unwrap_or(0.02) as f32, seed };
        let config = dropout.map_or_else(|| folder.config.clone(), |rate| with_dropout(&folder.config, rate));
        let mut model = Transformer::build(folder, &config, tensors, outputs, threads, |definition, tensors| {
            Classifier::from_source_with(definition, tensors, &fresh, threads)
        })?;
        if let Some(known) = known {
            model.reorder_outputs(&known.places());
        }
        Ok(model)
    }

    /// The names of the tensors that were initialised, because the folder lacks them or they have another number of outputs.
    pub fn initialised(&self) -> &[String] {
        self.classifier.parameters().initialised()
    }

    /// Puts the rows of the last layer in this order.
    fn reorder_outputs(&mut self, places: &[usize]) {
        let names = output_tensors(self.origin.folder.architecture);
        let parameters = self.classifier.parameters_mut().iter_mut().filter(|parameter| names.contains(&parameter.name));
        for parameter in parameters {
            let columns = parameter.value.data.len() / places.len();
            let rows = places.iter().flat_map(|&place| parameter.value.data[place * columns..(place + 1) * columns].to_vec());
            let data: Vec<f32> = rows.collect();
            parameter.value_mut().data = data;
        }
    }

    /// Says which parameters learn, and how fast; to be called before training starts.
    pub fn prepare(&mut self, settings: &FineTuning) -> Result<()> {
        let FineTuning { layer_decay, frozen_layers, words } = *settings;
        let depths: Vec<Depth> = self.classifier.parameters().iter().map(|parameter| self.depth(&parameter.name)).collect();
        let layers = depths.iter().map(|depth| depth.layers_up_to()).max().unwrap_or(0);
        if !(0.0 < layer_decay && layer_decay <= 1.0) {
            let found = layer_decay.to_string();
            return Err(NeuralError::Setting { setting: "layer_decay", found, expected: "a number above 0, at most 1" }.into());
        }
        if frozen_layers > layers {
            let found = format!("{frozen_layers} of {layers} layers");
            return Err(NeuralError::Setting { setting: "frozen_layers", found, expected: "at most as many layers as there are" }.into());
        }
        let table = self.origin.folder.architecture.embeddings;
        for (parameter, depth) in self.classifier.parameters_mut().iter_mut().zip(depths) {
            let below_head = match depth {
                Depth::Embeddings => layers + 1,
                Depth::Layer(number) => layers - number,
                Depth::LastNorm => 1,
                Depth::Head => 0,
            };
            parameter.rate_factor = layer_decay.powi(below_head as i32);
            // The highest layer is 1 below the head.
            let frozen = frozen_layers > 0 && below_head > layers - frozen_layers;
            parameter.change = match frozen {
                true => ParameterUpdate::Frozen,
                false if parameter.name == table => words,
                false => ParameterUpdate::Dense,
            };
        }
        Ok(())
    }

    /// Where a parameter is, by the name of its tensor.
    fn depth(&self, name: &str) -> Depth {
        let Folder { architecture, config, .. } = &self.origin.folder;
        if architecture.head.iter().any(|prefix| name.starts_with(prefix)) {
            return Depth::Head;
        }
        match name.split('.').find_map(|part| part.parse::<usize>().ok()) {
            // BART's decoder is above its encoder.
            Some(number) if name.contains(".decoder.") => Depth::Layer(number + crate::architectures::number(config, "encoder_layers", 0)),
            Some(number) => Depth::Layer(number),
            None if name.contains("final_norm") => Depth::LastNorm,
            None => Depth::Embeddings,
        }
    }
}

/// The configuration with this rate of dropout everywhere.
fn with_dropout(config: &Value, rate: f32) -> Value {
    let mut config = config.clone();
    if let Some(keys) = config.as_object_mut() {
        // An older name of `classifier_dropout`.
        keys.remove("classifier_dropout_prob");
        keys.extend(DROPOUTS.map(|key| (key.to_owned(), rate.into())));
    }
    config
}

/// Where a parameter is in its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Embeddings, and what layers share, such as the embeddings of distances.
    Embeddings,
    /// A layer, from 0.
    Layer(usize),
    /// A norm after the last layer.
    LastNorm,
    Head,
}

impl Depth {
    fn layers_up_to(self) -> usize {
        if let Depth::Layer(number) = self { number + 1 } else { 0 }
    }
}

/// The tensors whose rows are the outputs.
fn output_tensors(architecture: &Architecture) -> [String; 2] {
    let stem = architecture.output.trim_end_matches("weight");
    ["weight", "bias"].map(|part| format!("{stem}{part}"))
}
