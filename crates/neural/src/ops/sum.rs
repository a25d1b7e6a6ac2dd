//! Sums and gates of values, element by element.

use crate::ops::for_rows;
use crate::simd::{self, vectorised};
use crate::tape::{Node, Operation, Pass, Tape};

impl Tape<'_> {
    /// The sum of two values of the same shape.
    pub fn add(&mut self, left: Node, right: Node) -> Node {
        let (rows, columns) = (self.value(left).rows, self.value(left).columns);
        let mut output = self.uninitialised(rows, columns);
        let (a, b) = (self.value(left), self.value(right));
        for_rows(&mut output.data, columns, |row, numbers| {
            numbers.copy_from_slice(a.row(row));
            simd::add(numbers, b.row(row));
        });
        self.record(output, &[left, right], &[], |output| Add { left, right, output })
    }

    /// GELU of the first half of the columns, times the second half (Shazeer 2020).
    pub fn gelu_gate(&mut self, input: Node) -> Node {
        let (rows, columns) = (self.value(input).rows, self.value(input).columns / 2);
        let mut output = self.uninitialised(rows, columns);
        let from = self.value(input);
        for_rows(&mut output.data, columns, |row, numbers| gate(numbers, from.row(row)));
        self.record(output, &[input], &[], |output| Gate { input, output })
    }
}

struct Add {
    left: Node,
    right: Node,
    output: Node,
}

impl Operation for Add {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        if pass.gradients.wants(self.left) {
            let mut copy = pass.gradients.buffers.take(gradient.rows, gradient.columns);
            copy.data.copy_from_slice(&gradient.data);
            pass.gradients.give(self.left, copy);
        }
        pass.gradients.give(self.right, gradient);
    }
}

struct Gate {
    input: Node,
    output: Node,
}

impl Operation for Gate {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let input = &pass.values[self.input];
        let mut to = pass.gradients.buffers.take(input.rows, input.columns);
        for_rows(&mut to.data, input.columns, |row, numbers| gate_gradient(numbers, gradient.row(row), input.row(row)));
        pass.gradients.buffers.give(gradient);
        pass.gradients.give(self.input, to);
    }
}

vectorised! {
    fn gate(output: &mut [f32], input: &[f32]) {
        let (bent, factor) = input.split_at(output.len());
        for ((to, &bent), factor) in output.iter_mut().zip(bent).zip(factor) {
            *to = simd::gelu::<FUSED>(bent) * factor;
        }
    }
}

vectorised! {
    fn gate_gradient(to: &mut [f32], gradient: &[f32], input: &[f32]) {
        let (bent, factor) = input.split_at(gradient.len());
        let (to_bent, to_factor) = to.split_at_mut(gradient.len());
        for place in 0..gradient.len() {
            to_bent[place] = gradient[place] * factor[place] * simd::gelu_derivative::<FUSED>(bent[place]);
            to_factor[place] = gradient[place] * simd::gelu::<FUSED>(bent[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        check(&[(3, 4), (3, 4)], |_| (), |tape, (), nodes| tape.add(nodes[0], nodes[1]));
        check(&[(3, 4)], |_| (), |tape, (), nodes| tape.add(nodes[0], nodes[0]));
        check(&[(3, 8)], |_| (), |tape, (), nodes| tape.gelu_gate(nodes[0]));
    }
}
