//! A fully connected layer over `[a, b, a - b, a * b]` that does not materialise the four blocks.
//!
//! With the layer's weight in four blocks, `W1 a + W2 b + W3 (a - b) + W4 (a * b)` is `(W1 + W3) a + (W2 - W3) b + W4 (a * b)`: three
//! products instead of four, and a narrower matrix to write and to read. The gradient of `W3` is that of `W1` minus that of `W2`.

use crate::matrix::Matrix;
use crate::ops::linear::{FEW_ROWS, Linear, activate, activation_gradient, add_column_sums};
use crate::ops::{Difference, for_rows};
use crate::parameters::{Form, ParameterId};
use crate::product::{Sum, product_parallel};
use crate::simd::{self, vectorised};
use crate::tape::{Buffers, Node, Operation, Pass, Tape, TapeMode};

impl Tape<'_> {
    /// Applies the layer to `[a, b, a - b, a * b]` of each row; the result is that of [`contrast`](Self::contrast) followed by the layer.
    pub fn linear_of_contrast(&mut self, layer: &Linear, left: Node, right: Node) -> Node {
        let (rows, columns) = (self.value(left).rows, self.value(left).columns);
        if rows <= FEW_ROWS && matches!(self.mode, TapeMode::Training(_)) {
            // For few rows, folding the weight and unfolding its gradient would take longer than the fourth product.
            let features = self.contrast(left, right, Difference::Signed);
            return self.linear(layer, features);
        }
        let parameter = self.parameter(layer.weight);
        let weight = &parameter.value;
        let bias = layer.bias.map(|bias| self.parameter(bias).value.data.as_slice());
        let mut features = self.uninitialised(rows, 3 * columns);
        let (a, b) = (self.value(left), self.value(right));
        for_rows(&mut features.data, 3 * columns, |row, numbers| join(numbers, a.row(row), b.row(row)));
        let mut output = self.uninitialised(rows, weight.rows);
        let packed = parameter.packed_by(Form::Folded, 0..weight.columns, |packed| {
            let folded = folded(weight, &mut self.buffers);
            packed.fill(folded.view().transposed());
            self.buffers.give(folded);
        });
        product_parallel(features.view(), &packed, output.view_mut(), Sum::Replace);
        for_rows(&mut output.data, weight.rows, |_, row| {
            if let Some(bias) = bias {
                simd::add(row, bias);
            }
            activate(row, layer.activation);
        });
        let layer = *layer;
        let parameters: Vec<ParameterId> = std::iter::once(layer.weight).chain(layer.bias).collect();
        self.record(output, &[left, right], &parameters, |output| Record { layer, left, right, features, output })
    }
}

struct Record {
    layer: Linear,
    left: Node,
    right: Node,
    /// `[a, b, a * b]`
    features: Matrix,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Record { layer, left, right, mut features, output } = *self;
        let Some(mut gradient) = pass.take(output) else { return };
        let result = &pass.values[output];
        for_rows(&mut gradient.data, result.columns, |row, numbers| activation_gradient(numbers, result.row(row), layer.activation));
        if let Some(bias) = layer.bias {
            add_column_sums(pass.parameter_gradients.zeroed(bias, 1, gradient.columns), &gradient);
        }
        let columns = features.columns / 3;
        let buffers = &mut pass.gradients.buffers;
        let mut folded = folded(&pass.parameters.get(layer.weight).value, buffers);
        let (by_features, by_folded) = (buffers.pack(features.view()), buffers.pack(folded.view()));
        product_parallel(gradient.view().transposed(), &by_features, folded.view_mut(), Sum::Replace);
        product_parallel(gradient.view(), &by_folded, features.view_mut(), Sum::Replace);
        [by_features, by_folded].into_iter().for_each(|packed| buffers.give_packed(packed));
        let weight_gradient = pass.parameter_gradients.zeroed(layer.weight, gradient.columns, 4 * columns);
        for_rows(&mut weight_gradient.data, 4 * columns, |row, numbers| unfold(numbers, folded.row(row)));
        for (own, other, first) in [(left, right, 0), (right, left, columns)] {
            let theirs = &pass.values[other];
            let Some(to) = pass.gradients.zeroed(own, theirs.rows, columns) else { continue };
            for_rows(&mut to.data, columns, |row, numbers| {
                let from = features.row(row);
                add_both(numbers, &from[first..first + columns], &from[2 * columns..], theirs.row(row));
            });
        }
        [gradient, folded, features].into_iter().for_each(|matrix| pass.gradients.buffers.give(matrix));
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        buffers.give(self.features);
    }
}

/// `[W1 + W3, W2 - W3, W4]`
fn folded(weight: &Matrix, buffers: &mut Buffers) -> Matrix {
    let columns = weight.columns / 4 * 3;
    let mut folded = buffers.take(weight.rows, columns);
    for_rows(&mut folded.data, columns, |row, numbers| fold(numbers, weight.row(row)));
    folded
}

vectorised! {
    fn fold(to: &mut [f32], weight: &[f32]) {
        let size = to.len() / 3;
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|part| &weight[part * size..(part + 1) * size]);
        for place in 0..size {
            to[place] = first[place] + third[place];
        }
        for place in 0..size {
            to[size + place] = second[place] - third[place];
        }
        to[2 * size..].copy_from_slice(fourth);
    }
}

vectorised! {
    /// Adds the gradients of the four blocks of the weight, given those of the three.
    fn unfold(to: &mut [f32], folded: &[f32]) {
        let size = to.len() / 4;
        let [first, second, third] = [0, 1, 2].map(|part| &folded[part * size..(part + 1) * size]);
        to[..2 * size].iter_mut().zip(folded).for_each(|(to, from)| *to += from);
        for place in 0..size {
            to[2 * size + place] += first[place] - second[place];
        }
        to[3 * size..].iter_mut().zip(third).for_each(|(to, from)| *to += from);
    }
}

vectorised! {
    fn join(to: &mut [f32], a: &[f32], b: &[f32]) {
        let size = a.len();
        to[..size].copy_from_slice(a);
        to[size..2 * size].copy_from_slice(b);
        to[2 * size..].iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = a * b);
    }
}

vectorised! {
    fn add_both(to: &mut [f32], own: &[f32], product: &[f32], other: &[f32]) {
        to.iter_mut().zip(own).zip(product).zip(other).for_each(|(((to, own), product), other)| *to += own + product * other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::ops::Activation;
    use crate::parameters::Parameters;
    use acidtest_nli::Seed;

    #[test]
    fn gradients_agree_with_finite_differences() {
        // With few rows the weight is not folded.
        let (few, many) = (3, FEW_ROWS + 3);
        for (activation, rows) in [(Activation::None, few), (Activation::Tanh, few), (Activation::None, many), (Activation::Tanh, many)] {
            check(
                &[(rows, 2), (rows, 2)],
                |parameters| Linear::new(parameters, "layer", 8, 5, activation),
                |tape, layer, inputs| tape.linear_of_contrast(layer, inputs[0], inputs[1]),
            );
        }
    }

    #[test]
    fn the_four_parts_give_the_same() {
        let mut parameters = Parameters::new(Seed::new(1));
        let layer = Linear::new(&mut parameters, "layer", 12, 4, Activation::Relu);
        let mut tape = Tape::new(&parameters, TapeMode::Inference, Buffers::default());
        let mut input = |first: f32| tape.constant(Matrix::from_vec(2, 3, (0..6).map(|place| first - place as f32 / 3.0).collect()));
        let (left, right) = (input(1.5), input(0.25));
        let at_once = tape.linear_of_contrast(&layer, left, right);
        let parts = tape.contrast(left, right, Difference::Signed);
        let apart = tape.linear(&layer, parts);
        let (at_once, apart) = (tape.value(at_once), tape.value(apart));
        assert!(at_once.data.iter().zip(&apart.data).all(|(left, right)| (left - right).abs() < 1e-5), "{at_once:?} is not {apart:?}");
    }
}
