//! Layer normalisation (Ba et al. 2016), alone or of a residual connection. Sums are in a fixed order of partial sums.

use crate::matrix::Matrix;
use crate::ops::{for_rows, for_sums};
use crate::parameters::{Decay, Initial, ParameterId, Parameters};
use crate::simd::{LANES, sum_of_lanes, vectorised};
use crate::tape::{Buffers, Node, Operation, Pass, Tape, TapeMode};
use acidtest_threads::{Grain, for_each};

/// Normalises each row to mean 0 and variance 1, then applies a learned gain and bias.
#[derive(Debug, Clone, Copy)]
pub struct LayerNorm {
    gain: ParameterId,
    bias: Option<ParameterId>,
    epsilon: f32,
}

impl LayerNorm {
    /// Declares the layer's parameters, `NAME.weight` and `NAME.bias`.
    pub fn new(parameters: &mut Parameters, name: &str, columns: usize, epsilon: f32) -> Self {
        let bias = Some(parameters.declare(&format!("{name}.bias"), 1, columns, Initial::Constant(0.0)));
        LayerNorm { bias, ..LayerNorm::without_bias(parameters, name, columns, epsilon) }
    }

    /// Declares a layer without a bias.
    pub fn without_bias(parameters: &mut Parameters, name: &str, columns: usize, epsilon: f32) -> Self {
        let gain = parameters.declare(&format!("{name}.weight"), 1, columns, Initial::Constant(1.0));
        parameters.get_mut(gain).decay = Decay::Skipped;
        LayerNorm { gain, bias: None, epsilon }
    }
}

impl Tape<'_> {
    /// Normalises each row.
    pub fn layer_norm(&mut self, layer: &LayerNorm, input: Node) -> Node {
        self.norm(layer, input, None)
    }

    /// Normalises each row of the sum of two values: a layer's output and its residual connection.
    pub fn add_norm(&mut self, layer: &LayerNorm, input: Node, residual: Node) -> Node {
        self.norm(layer, input, Some(residual))
    }

    fn norm(&mut self, layer: &LayerNorm, input: Node, residual: Option<Node>) -> Node {
        let gain = &self.parameter(layer.gain).value.data;
        let bias = layer.bias.map(|bias| self.parameter(bias).value.data.as_slice());
        let (rows, columns) = (self.value(input).rows, self.value(input).columns);
        let mut output = self.uninitialised(rows, columns);
        // The sum is only needed again for gradients.
        let kept = residual.filter(|_| matches!(self.mode, TapeMode::Training(_)));
        let mut sum = kept.map(|_| self.uninitialised(rows, columns));
        let (from, added) = (self.value(input), residual.map(|residual| self.value(residual)));
        if let (Some(sum), Some(added)) = (&mut sum, added) {
            for_rows(&mut sum.data, columns, |row, numbers| {
                add_rows(numbers, from.row(row), Some(added.row(row)));
            });
        }
        for_rows(&mut output.data, columns, |row, numbers| {
            norm_row(numbers, from.row(row), added.map(|added| added.row(row)), layer.epsilon, (gain, bias));
        });
        let layer = *layer;
        let inputs: Vec<Node> = std::iter::once(input).chain(residual).collect();
        let parameters: Vec<ParameterId> = std::iter::once(layer.gain).chain(layer.bias).collect();
        self.record(output, &inputs, &parameters, |output| Record { layer, input, residual, sum, output })
    }
}

vectorised! {
    /// Normalises the sum of one or two rows.
    fn norm_row(to: &mut [f32], row: &[f32], other: Option<&[f32]>, epsilon: f32, gain_and_bias: (&[f32], Option<&[f32]>)) {
        sum_of_rows(to, row, other);
        let (mean, scale) = moments(to, epsilon);
        let (gain, bias) = gain_and_bias;
        match bias {
            Some(bias) => {
                for ((number, gain), bias) in to.iter_mut().zip(gain).zip(bias) {
                    *number = (*number - mean) * scale * gain + bias;
                }
            }
            None => to.iter_mut().zip(gain).for_each(|(number, gain)| *number = (*number - mean) * scale * gain),
        }
    }
}

vectorised! {
    /// Writes the sum of one or two rows.
    fn add_rows(to: &mut [f32], row: &[f32], other: Option<&[f32]>) {
        sum_of_rows(to, row, other);
    }
}

vectorised! {
    /// The mean of a row and the reciprocal of its standard deviation.
    fn mean_and_scale(row: &[f32], epsilon: f32) -> (f32, f32) {
        moments(row, epsilon)
    }
}

#[inline(always)]
fn sum_of_rows(to: &mut [f32], row: &[f32], other: Option<&[f32]>) {
    match other {
        Some(other) => to.iter_mut().zip(row).zip(other).for_each(|((to, one), other)| *to = one + other),
        None => to.copy_from_slice(row),
    }
}

#[inline(always)]
fn moments(row: &[f32], epsilon: f32) -> (f32, f32) {
    let count = row.len() as f32;
    let (blocks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for block in blocks {
        (0..LANES).for_each(|lane| lanes[lane] += block[lane]);
    }
    rest.iter().zip(&mut lanes).for_each(|(number, lane)| *lane += number);
    let mean = sum_of_lanes(lanes) / count;
    lanes = [0.0; LANES];
    for block in blocks {
        (0..LANES).for_each(|lane| lanes[lane] += (block[lane] - mean) * (block[lane] - mean));
    }
    rest.iter().zip(&mut lanes).for_each(|(number, lane)| *lane += (number - mean) * (number - mean));
    (mean, 1.0 / (sum_of_lanes(lanes) / count + epsilon).sqrt())
}

/// The number of rows whose moments one thread computes at a time.
const ROWS_TOGETHER: usize = 32;

struct Record {
    layer: LayerNorm,
    input: Node,
    residual: Option<Node>,
    /// The sum of both inputs, if there are two.
    sum: Option<Matrix>,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(mut gradient) = pass.take(self.output) else { return };
        let input = self.sum.as_ref().unwrap_or(&pass.values[self.input]);
        let columns = input.columns;
        let gain = &pass.parameters.get(self.layer.gain).value.data;
        if let Some(bias) = self.layer.bias.filter(|&bias| pass.trains(bias)) {
            super::linear::add_column_sums(pass.parameter_gradients.zeroed(bias, 1, columns), &gradient);
        }
        let mut moments = vec![(0.0, 0.0); input.rows];
        let parts: Vec<_> = moments.chunks_mut(ROWS_TOGETHER).enumerate().collect();
        for_each(parts, Grain::AtLeast(4), |(part, moments)| {
            for (place, moments) in moments.iter_mut().enumerate() {
                *moments = mean_and_scale(input.row(part * ROWS_TOGETHER + place), self.layer.epsilon);
            }
        });
        if pass.trains(self.layer.gain) {
            let gain_gradient = pass.parameter_gradients.zeroed(self.layer.gain, 1, columns);
            for_sums(&mut gain_gradient.data, input.rows, |columns, sums| {
                for (row, &(mean, scale)) in moments.iter().enumerate() {
                    add_gain_gradient(sums, &gradient.row(row)[columns.clone()], &input.row(row)[columns.clone()], mean, scale);
                }
            });
        }
        for_rows(&mut gradient.data, columns, |row, numbers| {
            let (mean, scale) = moments[row];
            norm_gradient(numbers, input.row(row), gain, mean, scale);
        });
        if let Some(residual) = self.residual
            && pass.gradients.wants(residual)
        {
            let mut copy = pass.gradients.buffers.take(gradient.rows, columns);
            copy.data.copy_from_slice(&gradient.data);
            pass.gradients.give(residual, copy);
        }
        pass.gradients.give(self.input, gradient);
        self.sum.into_iter().for_each(|matrix| pass.gradients.buffers.give(matrix));
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        self.sum.into_iter().for_each(|matrix| buffers.give(matrix));
    }
}

vectorised! {
    fn add_gain_gradient(to: &mut [f32], gradient: &[f32], input: &[f32], mean: f32, scale: f32) {
        for ((to, gradient), input) in to.iter_mut().zip(gradient).zip(input) {
            *to += gradient * (input - mean) * scale;
        }
    }
}

vectorised! {
    /// Converts the gradient of a normalised row to that of the row, in place.
    fn norm_gradient(gradient: &mut [f32], input: &[f32], gain: &[f32], mean: f32, scale: f32) {
        let (mut sums, mut along) = ([0.0; LANES], [0.0; LANES]);
        for ((numbers, gain), input) in gradient.chunks_mut(LANES).zip(gain.chunks(LANES)).zip(input.chunks(LANES)) {
            for lane in 0..numbers.len() {
                numbers[lane] *= gain[lane];
                sums[lane] += numbers[lane];
                along[lane] += numbers[lane] * (input[lane] - mean) * scale;
            }
        }
        let count = gradient.len() as f32;
        let (sum, along) = (sum_of_lanes(sums) / count, sum_of_lanes(along) / count);
        for (number, input) in gradient.iter_mut().zip(input) {
            *number = scale * (*number - sum - (input - mean) * scale * along);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        for columns in [6, 19] {
            let layer = |parameters: &mut Parameters| LayerNorm::new(parameters, "norm", columns, 1e-5);
            check(&[(3, columns)], layer, |tape, layer, inputs| tape.layer_norm(layer, inputs[0]));
            check(&[(3, columns), (3, columns)], layer, |tape, layer, inputs| tape.add_norm(layer, inputs[0], inputs[1]));
        }
        let bare = |parameters: &mut Parameters| LayerNorm::without_bias(parameters, "norm", 6, 1e-5);
        check(&[(3, 6)], bare, |tape, layer, inputs| tape.layer_norm(layer, inputs[0]));
    }

    #[test]
    fn a_row_is_normalised() {
        let row: Vec<f32> = (0..37).map(|place| (place * place) as f32).collect();
        let (mean, scale) = mean_and_scale(&row, 0.0);
        let exact = row.iter().sum::<f32>() / 37.0;
        let variance = row.iter().map(|number| (number - exact).powi(2)).sum::<f32>() / 37.0;
        assert!((mean - exact).abs() < 1e-3 && (scale * variance.sqrt() - 1.0).abs() < 1e-5);
    }
}
