//! A fully connected layer: product, bias and activation in one operation.

use crate::matrix::{Matrix, MatrixView, MatrixViewMut};
use crate::ops::{for_rows, for_sums};
use crate::parameters::{Initial, Orientation, ParameterId, ParameterUpdate, Parameters};
use crate::product::{Sum, for_row_blocks, product, product_parallel};
use crate::simd::{self, vectorised};
use crate::tape::{Buffers, Node, Operation, Pass, Tape, TapeMode};
use serde::{Deserialize, Serialize};

/// The activation function of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The identity.
    None,
    /// ReLU.
    Relu,
    /// The hyperbolic tangent.
    Tanh,
    /// GELU.
    Gelu,
    /// The tanh approximation of GELU.
    GeluTanh,
}

impl Activation {
    /// Whether its derivative is a function of its output, so that its input need not be kept.
    fn has_derivative_of_output(self) -> bool {
        !matches!(self, Activation::Gelu | Activation::GeluTanh)
    }
}

/// A fully connected layer.
#[derive(Debug, Clone, Copy)]
pub struct Linear {
    /// The weight matrix, one row per output.
    pub weight: ParameterId,
    /// The bias, one element per output.
    pub bias: Option<ParameterId>,
    /// The activation.
    pub activation: Activation,
}

impl Linear {
    /// Declares a layer's parameters, `NAME.weight` and `NAME.bias`.
    pub fn new(parameters: &mut Parameters, name: &str, inputs: usize, outputs: usize, activation: Activation) -> Self {
        let weight = parameters.declare(&format!("{name}.weight"), outputs, inputs, Initial::Glorot);
        let bias = Some(parameters.declare(&format!("{name}.bias"), 1, outputs, Initial::Constant(0.0)));
        Linear { weight, bias, activation }
    }

    /// Declares a layer without bias or activation.
    pub fn projection(parameters: &mut Parameters, name: &str, inputs: usize, outputs: usize) -> Self {
        let weight = parameters.declare(&format!("{name}.weight"), outputs, inputs, Initial::Glorot);
        Linear { weight, bias: None, activation: Activation::None }
    }
}

/// Up to this many rows, packing the weight for one training step would cost as much as the product, so the weight is read in place.
pub(super) const FEW_ROWS: usize = 48;

impl Tape<'_> {
    /// Applies the layer to each row.
    pub fn linear(&mut self, layer: &Linear, input: Node) -> Node {
        let weight = self.parameter(layer.weight);
        let bias = layer.bias.map(|bias| self.parameter(bias).value.data.as_slice());
        let (outputs, inputs) = (weight.value.rows, weight.value.columns);
        let rows = self.value(input).rows;
        let mut output = self.uninitialised(rows, outputs);
        let training = matches!(self.mode, TapeMode::Training(_));
        // Some derivatives need the input of the activation.
        let keeps_input = training && !layer.activation.has_derivative_of_output();
        let finish = |row: &mut [f32]| {
            add_and_activate(row, bias, if keeps_input { Activation::None } else { layer.activation });
        };
        if training && rows <= FEW_ROWS {
            let mut transposed = self.uninitialised(outputs, rows);
            let packed = self.buffers.pack(self.values[input].view().transposed());
            product_parallel(weight.value.view(), &packed, transposed.view_mut(), Sum::Replace);
            self.buffers.give_packed(packed);
            for row in 0..rows {
                output.row_mut(row).iter_mut().enumerate().for_each(|(column, number)| *number = transposed.data[column * rows + row]);
            }
            self.buffers.give(transposed);
            for_rows(&mut output.data, outputs, |_, row| finish(row));
        } else if let Some(reduced) = self.reduced {
            let packed = weight.packed_in(reduced);
            let product = |left: MatrixView<'_>, block: MatrixViewMut<'_>| reduced.product(left, &packed, block);
            for_row_blocks(self.values[input].view(), output.view_mut(), product, finish);
        } else {
            let packed = weight.packed(Orientation::Transposed, 0..inputs);
            let product = |left: MatrixView<'_>, block: MatrixViewMut<'_>| product(left, &packed, block, Sum::Replace);
            for_row_blocks(self.values[input].view(), output.view_mut(), product, finish);
        }
        let before = keeps_input.then(|| {
            let mut after = self.uninitialised(rows, outputs);
            for_rows(&mut after.data, outputs, |row, numbers| {
                numbers.copy_from_slice(output.row(row));
                activate(numbers, layer.activation);
            });
            std::mem::replace(&mut output, after)
        });
        let layer = *layer;
        let parameters: Vec<ParameterId> = std::iter::once(layer.weight).chain(layer.bias).collect();
        self.record(output, &[input], &parameters, |output| Record { layer, input, output, before })
    }
}

struct Record {
    layer: Linear,
    input: Node,
    output: Node,
    /// The input of the activation, if its derivative needs it.
    before: Option<Matrix>,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(mut gradient) = pass.take(self.output) else { return };
        let weight = pass.parameters.get(self.layer.weight);
        let known = self.before.as_ref().unwrap_or(&pass.values[self.output]);
        for_rows(&mut gradient.data, known.columns, |row, numbers| activation_gradient(numbers, known.row(row), self.layer.activation));
        if let Some(bias) = self.layer.bias.filter(|&bias| pass.trains(bias)) {
            add_column_sums(pass.parameter_gradients.zeroed(bias, 1, gradient.columns), &gradient);
        }
        let input = &pass.values[self.input];
        if weight.change != ParameterUpdate::Frozen {
            let buffers = &mut pass.gradients.buffers;
            let packed = buffers.pack(input.view());
            let (weight_gradient, sum) = pass.parameter_gradients.dense(self.layer.weight, gradient.columns, input.columns);
            product_parallel(gradient.view().transposed(), &packed, weight_gradient.view_mut(), sum);
            buffers.give_packed(packed);
        }
        if let Some((input_gradient, sum)) = pass.gradients.slot(self.input, input.rows, input.columns) {
            let packed = weight.packed(Orientation::Plain, 0..input.columns);
            let to = MatrixViewMut::new(&mut input_gradient.data, input.rows, input.columns);
            product_parallel(gradient.view(), &packed, to, sum);
        }
        pass.gradients.buffers.give(gradient);
        self.before.into_iter().for_each(|matrix| pass.gradients.buffers.give(matrix));
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        self.before.into_iter().for_each(|matrix| buffers.give(matrix));
    }
}

/// Adds the column sums, accumulating the rows in order.
pub(super) fn add_column_sums(sums: &mut Matrix, matrix: &Matrix) {
    for_sums(&mut sums.data, matrix.rows, |columns, sums| {
        (0..matrix.rows).for_each(|row| simd::add(sums, &matrix.row(row)[columns.clone()]));
    });
}

/// Applies the activation to each number.
pub(super) fn activate(row: &mut [f32], activation: Activation) {
    add_and_activate(row, None, activation);
}

vectorised! {
    /// Applies the activation to each number, after the bias is added.
    fn add_and_activate(row: &mut [f32], bias: Option<&[f32]>, activation: Activation) {
        match activation {
            Activation::None => each(row, bias, |number| number),
            Activation::Relu => each(row, bias, |number| number.max(0.0)),
            Activation::Tanh => each(row, bias, simd::tanh::<FUSED>),
            Activation::Gelu => each(row, bias, simd::gelu::<FUSED>),
            Activation::GeluTanh => each(row, bias, simd::gelu_tanh::<FUSED>),
        }
    }
}

#[inline(always)]
fn each(row: &mut [f32], bias: Option<&[f32]>, function: impl Fn(f32) -> f32) {
    match bias {
        Some(bias) => row.iter_mut().zip(bias).for_each(|(number, bias)| *number = function(*number + bias)),
        None => row.iter_mut().for_each(|number| *number = function(*number)),
    }
}

vectorised! {
    /// The gradient before the activation, given the gradient after it and the activation's output, or its input for both kinds of GELU.
    pub(super) fn activation_gradient(gradient: &mut [f32], known: &[f32], activation: Activation) {
        match activation {
            Activation::None => {}
            Activation::Relu => gradient.iter_mut().zip(known).for_each(|(gradient, &output)| *gradient = if output > 0.0 { *gradient } else { 0.0 }),
            Activation::Tanh => gradient.iter_mut().zip(known).for_each(|(gradient, &output)| *gradient *= 1.0 - output * output),
            Activation::Gelu => gradient.iter_mut().zip(known).for_each(|(gradient, &input)| *gradient *= simd::gelu_derivative::<FUSED>(input)),
            Activation::GeluTanh => gradient.iter_mut().zip(known).for_each(|(gradient, &input)| *gradient *= simd::gelu_tanh_derivative::<FUSED>(input)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        // Many rows as well, for which the weight is packed. Not with ReLU, whose kinks break finite differences.
        let (few, many) = (3, FEW_ROWS + 5);
        let cases = [(Activation::None, few), (Activation::Relu, few), (Activation::Tanh, few), (Activation::Tanh, many)];
        for (activation, rows) in cases.into_iter().chain([(Activation::Gelu, few), (Activation::GeluTanh, many)]) {
            check(
                &[(rows, 4)],
                |parameters| Linear::new(parameters, "layer", 4, 5, activation),
                |tape, layer, inputs| tape.linear(layer, inputs[0]),
            );
        }
        check(&[(3, 4)], |parameters| Linear::projection(parameters, "layer", 4, 5), |tape, layer, inputs| tape.linear(layer, inputs[0]));
    }
}
