//! The output layers of all networks: hidden layers, then logits.

use crate::ops::{Activation, Linear};
use crate::parameters::Parameters;
use crate::tape::{Node, Tape};

pub(super) struct OutputLayers {
    hidden: Vec<Linear>,
    output: Linear,
    dropout: f32,
}

pub(super) struct OutputShape {
    pub inputs: usize,
    pub hidden: usize,
    pub layers: usize,
    pub activation: Activation,
    pub dropout: f32,
    pub classes: usize,
}

impl OutputLayers {
    pub(super) fn new(parameters: &mut Parameters, shape: &OutputShape) -> Self {
        let mut inputs = shape.inputs;
        let mut hidden = Vec::new();
        for layer in 0..shape.layers {
            hidden.push(Linear::new(parameters, &format!("classifier.{layer}"), inputs, shape.hidden, shape.activation));
            inputs = shape.hidden;
        }
        let output = Linear::new(parameters, "classifier.output", inputs, shape.classes, Activation::None);
        OutputLayers { hidden, output, dropout: shape.dropout }
    }

    /// The logits of each row.
    pub(super) fn logits(&self, tape: &mut Tape<'_>, features: Node) -> Node {
        self.layers_from(0, tape, features)
    }

    /// The logits of each row of `[a, b, a - b, a * b]`.
    pub(super) fn logits_of_contrast(&self, tape: &mut Tape<'_>, left: Node, right: Node) -> Node {
        let Some(first) = self.hidden.first() else {
            return tape.linear_of_contrast(&self.output, left, right);
        };
        let features = tape.linear_of_contrast(first, left, right);
        let features = tape.dropout(features, self.dropout);
        self.layers_from(1, tape, features)
    }

    fn layers_from(&self, first: usize, tape: &mut Tape<'_>, features: Node) -> Node {
        let mut features = features;
        for layer in &self.hidden[first..] {
            features = tape.linear(layer, features);
            features = tape.dropout(features, self.dropout);
        }
        tape.linear(&self.output, features)
    }
}
