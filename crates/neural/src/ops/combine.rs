//! Operations that combine matrices: concatenation, stacking, and the features `[a, b, a - b, a * b]`.

use crate::ops::for_rows;
use crate::simd::{self, vectorised};
use crate::tape::{Node, Operation, Pass, Tape};
use std::ops::Range;

/// The difference feature when two vectors are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// `a - b` (Mou et al. 2016, Chen et al. 2017).
    Signed,
    /// `|a - b|` (Conneau et al. 2017).
    Absolute,
}

impl Tape<'_> {
    /// Concatenates the columns of several matrices.
    pub fn concatenate(&mut self, inputs: &[Node]) -> Node {
        let rows = self.value(inputs[0]).rows;
        let columns = inputs.iter().map(|&input| self.value(input).columns).sum();
        let mut output = self.uninitialised(rows, columns);
        let values = &self.values;
        for_rows(&mut output.data, columns, |row, mut numbers| {
            for &input in inputs {
                let from = values[input].row(row);
                let (to, rest) = numbers.split_at_mut(from.len());
                to.copy_from_slice(from);
                numbers = rest;
            }
        });
        self.record(output, inputs, &[], |output| Concatenate { inputs: inputs.to_vec(), output })
    }

    /// A range of rows.
    pub fn rows(&mut self, input: Node, range: Range<usize>) -> Node {
        let mut output = self.uninitialised(range.len(), self.value(input).columns);
        output.data.copy_from_slice(self.value(input).rows(range.clone()));
        self.record(output, &[input], &[], |output| Rows { input, range, output })
    }

    /// A range of columns.
    pub fn columns(&mut self, input: Node, range: Range<usize>) -> Node {
        let mut output = self.uninitialised(self.value(input).rows, range.len());
        let from = self.value(input);
        for_rows(&mut output.data, range.len(), |row, numbers| numbers.copy_from_slice(&from.row(row)[range.clone()]));
        self.record(output, &[input], &[], |output| Columns { input, range, output })
    }

    /// Concatenates the rows of two matrices.
    pub fn stack(&mut self, above: Node, below: Node) -> Node {
        let (first, second) = (self.value(above), self.value(below));
        let (border, rows, columns) = (first.rows, first.rows + second.rows, first.columns);
        let mut output = self.uninitialised(rows, columns);
        output.data[..border * columns].copy_from_slice(&self.value(above).data);
        output.data[border * columns..].copy_from_slice(&self.value(below).data);
        self.record(output, &[above, below], &[], |output| Stack { above, below, output })
    }

    /// `[a, b, a - b, a * b]`, the features with which most models compare two vectors.
    pub fn contrast(&mut self, left: Node, right: Node, difference: Difference) -> Node {
        let (rows, columns) = (self.value(left).rows, self.value(left).columns);
        let mut output = self.uninitialised(rows, 4 * columns);
        let (a, b) = (self.value(left), self.value(right));
        for_rows(&mut output.data, 4 * columns, |row, numbers| contrast_row(numbers, a.row(row), b.row(row), difference));
        self.record(output, &[left, right], &[], |output| Contrast { left, right, difference, output })
    }
}

struct Concatenate {
    inputs: Vec<Node>,
    output: Node,
}

impl Operation for Concatenate {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let mut start = 0;
        for input in self.inputs {
            let columns = pass.values[input].columns;
            if let Some(to) = pass.zeroed(input) {
                for_rows(&mut to.data, columns, |row, numbers| simd::add(numbers, &gradient.row(row)[start..start + columns]));
            }
            start += columns;
        }
        pass.gradients.buffers.give(gradient);
    }
}

struct Rows {
    input: Node,
    range: Range<usize>,
    output: Node,
}

impl Operation for Rows {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        if let Some(to) = pass.zeroed(self.input) {
            let columns = to.columns;
            simd::add(&mut to.data[self.range.start * columns..self.range.end * columns], &gradient.data);
        }
        pass.gradients.buffers.give(gradient);
    }
}

struct Columns {
    input: Node,
    range: Range<usize>,
    output: Node,
}

impl Operation for Columns {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        if let Some(to) = pass.zeroed(self.input) {
            let columns = to.columns;
            for_rows(&mut to.data, columns, |row, numbers| simd::add(&mut numbers[self.range.clone()], gradient.row(row)));
        }
        pass.gradients.buffers.give(gradient);
    }
}

struct Stack {
    above: Node,
    below: Node,
    output: Node,
}

impl Operation for Stack {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let border = pass.values[self.above].data.len();
        for (input, part) in [(self.above, &gradient.data[..border]), (self.below, &gradient.data[border..])] {
            if let Some(to) = pass.zeroed(input) {
                simd::add(&mut to.data, part);
            }
        }
        pass.gradients.buffers.give(gradient);
    }
}

struct Contrast {
    left: Node,
    right: Node,
    difference: Difference,
    output: Node,
}

impl Operation for Contrast {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        for (own, other, sign) in [(self.left, self.right, 1.0), (self.right, self.left, -1.0)] {
            let (mine, theirs) = (&pass.values[own], &pass.values[other]);
            let Some(to) = pass.gradients.zeroed(own, mine.rows, mine.columns) else { continue };
            let columns = mine.columns;
            let first = if own == self.left { 0 } else { columns };
            for_rows(&mut to.data, columns, |row, numbers| {
                let gradient = gradient.row(row);
                let parts = [&gradient[first..first + columns], &gradient[2 * columns..3 * columns], &gradient[3 * columns..]];
                contrast_gradient(numbers, parts, mine.row(row), theirs.row(row), sign, self.difference);
            });
        }
        pass.gradients.buffers.give(gradient);
    }
}

vectorised! {
    fn contrast_row(output: &mut [f32], a: &[f32], b: &[f32], difference: Difference) {
        let size = a.len();
        output[..size].copy_from_slice(a);
        output[size..2 * size].copy_from_slice(b);
        let (differences, products) = output[2 * size..].split_at_mut(size);
        for ((to, a), b) in differences.iter_mut().zip(a).zip(b) {
            *to = a - b;
        }
        if difference == Difference::Absolute {
            differences.iter_mut().for_each(|number| *number = number.abs());
        }
        for ((to, a), b) in products.iter_mut().zip(a).zip(b) {
            *to = a * b;
        }
    }
}

vectorised! {
    /// Adds the gradient of one of the two vectors, from its copy, the difference and the product.
    fn contrast_gradient(to: &mut [f32], parts: [&[f32]; 3], mine: &[f32], theirs: &[f32], sign: f32, difference: Difference) {
        let size = to.len();
        let [copy, gap, product] = [&parts[0][..size], &parts[1][..size], &parts[2][..size]];
        let (mine, theirs) = (&mine[..size], &theirs[..size]);
        match difference {
            Difference::Signed => {
                for index in 0..size {
                    to[index] += copy[index] + sign * gap[index] + theirs[index] * product[index];
                }
            }
            Difference::Absolute => {
                for index in 0..size {
                    let apart = mine[index] - theirs[index];
                    let sign_of_difference = if apart > 0.0 { 1.0 } else if apart < 0.0 { -1.0 } else { 0.0 };
                    to[index] += copy[index] + sign_of_difference * gap[index] + theirs[index] * product[index];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        check(&[(3, 2), (3, 4)], |_| (), |tape, (), inputs| tape.concatenate(&[inputs[0], inputs[1], inputs[0]]));
        check(&[(4, 2)], |_| (), |tape, (), inputs| tape.rows(inputs[0], 1..3));
        check(&[(2, 4)], |_| (), |tape, (), inputs| tape.columns(inputs[0], 1..3));
        check(&[(4, 2), (1, 2)], |_| (), |tape, (), inputs| tape.stack(inputs[0], inputs[1]));
        for difference in [Difference::Signed, Difference::Absolute] {
            check(&[(3, 4), (3, 4)], |_| (), |tape, (), inputs| tape.contrast(inputs[0], inputs[1], difference));
        }
    }
}
