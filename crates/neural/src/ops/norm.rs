//! Layer normalisation (Ba et al. 2016).

use crate::ops::for_rows;
use crate::parameters::{Initial, ParameterId, Parameters};
use crate::tape::{Node, Operation, Pass, Tape};

/// Normalises each row to mean 0 and variance 1, then applies a learned gain and bias.
#[derive(Debug, Clone, Copy)]
pub struct LayerNorm {
    gain: ParameterId,
    bias: ParameterId,
    epsilon: f32,
}

impl LayerNorm {
    /// Declares the layer's parameters, `NAME.weight` and `NAME.bias`.
    pub fn new(parameters: &mut Parameters, name: &str, columns: usize, epsilon: f32) -> Self {
        let gain = parameters.declare(&format!("{name}.weight"), 1, columns, Initial::Constant(1.0));
        let bias = parameters.declare(&format!("{name}.bias"), 1, columns, Initial::Constant(0.0));
        LayerNorm { gain, bias, epsilon }
    }
}

impl Tape<'_> {
    /// Normalises each row.
    pub fn layer_norm(&mut self, layer: &LayerNorm, input: Node) -> Node {
        let (gain, bias) = (&self.parameter(layer.gain).value.data, &self.parameter(layer.bias).value.data);
        let (rows, columns) = (self.value(input).rows, self.value(input).columns);
        let mut output = self.uninitialised(rows, columns);
        let from = self.value(input);
        for_rows(&mut output.data, columns, |row, numbers| {
            let (mean, scale) = mean_and_scale(from.row(row), layer.epsilon);
            for (column, number) in numbers.iter_mut().enumerate() {
                *number = (from.row(row)[column] - mean) * scale * gain[column] + bias[column];
            }
        });
        let layer = *layer;
        self.record(output, &[input], &[layer.gain, layer.bias], |output| Record { layer, input, output })
    }
}

/// The mean of a row and the reciprocal of its standard deviation.
fn mean_and_scale(row: &[f32], epsilon: f32) -> (f32, f32) {
    let count = row.len() as f32;
    let mean = row.iter().sum::<f32>() / count;
    let variance = row.iter().map(|number| (number - mean) * (number - mean)).sum::<f32>() / count;
    (mean, 1.0 / (variance + epsilon).sqrt())
}

struct Record {
    layer: LayerNorm,
    input: Node,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(mut gradient) = pass.take(self.output) else { return };
        let input = &pass.values[self.input];
        let columns = input.columns;
        let gain = &pass.parameters.get(self.layer.gain).value.data;
        super::linear::add_column_sums(pass.parameter_gradients.zeroed(self.layer.bias, 1, columns), &gradient);
        let gain_gradient = pass.parameter_gradients.zeroed(self.layer.gain, 1, columns);
        for row in 0..input.rows {
            let (mean, scale) = mean_and_scale(input.row(row), self.layer.epsilon);
            for column in 0..columns {
                gain_gradient.data[column] += gradient.row(row)[column] * (input.row(row)[column] - mean) * scale;
            }
        }
        for_rows(&mut gradient.data, columns, |row, numbers| {
            let (mean, scale) = mean_and_scale(input.row(row), self.layer.epsilon);
            let normal = |column: usize| (input.row(row)[column] - mean) * scale;
            numbers.iter_mut().zip(gain).for_each(|(number, gain)| *number *= gain);
            let sum: f32 = numbers.iter().sum();
            let along: f32 = numbers.iter().enumerate().map(|(column, number)| number * normal(column)).sum();
            let count = columns as f32;
            for (column, number) in numbers.iter_mut().enumerate() {
                *number = scale * (*number - sum / count - normal(column) * along / count);
            }
        });
        pass.gradients.give(self.input, gradient);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        check(&[(3, 6)], |parameters| LayerNorm::new(parameters, "norm", 6, 1e-5), |tape, layer, inputs| tape.layer_norm(layer, inputs[0]));
    }
}
