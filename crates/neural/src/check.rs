//! The gradient check that the tests of every operation use: compares analytic gradients with finite differences.

use crate::matrix::Matrix;
use crate::parameters::{Gradient, Gradients, ParameterId, ParameterUpdate, Parameters};
use crate::tape::{Buffers, Node, Operation, Pass, Tape, TapeMode};
use acidtest_nli::{Rng, Seed};

/// Compares the gradients of all inputs, given by their shapes, and of all parameters that `declare` makes with finite differences;
/// panics if they differ.
pub fn check<L>(inputs: &[(usize, usize)], declare: impl Fn(&mut Parameters) -> L, build: impl Fn(&mut Tape<'_>, &L, &[Node]) -> Node) {
    let mut parameters = Parameters::new(Seed::new(5));
    let layer = declare(&mut parameters);
    let mut rng = Seed::new(3).rng();
    for (index, &(rows, columns)) in inputs.iter().enumerate() {
        parameters.insert(&format!("input {index}"), random(&mut rng, rows, columns), ParameterUpdate::Dense);
    }
    let ids: Vec<ParameterId> = (0..inputs.len()).filter_map(|index| parameters.named(&format!("input {index}"))).collect();
    let run = |parameters: &Parameters| {
        let mut tape = Tape::new(parameters, TapeMode::Training(Seed::new(2)), Buffers::default());
        let nodes: Vec<Node> = ids.iter().map(|&id| leaf(&mut tape, id)).collect();
        let output = build(&mut tape, &layer, &nodes);
        let loss = weighed(&mut tape, output);
        let mut gradients = Gradients::new(parameters);
        let value = tape.value(loss).data[0];
        tape.backward(loss, &mut gradients);
        (value, gradients)
    };
    // Biases and gains start out uniform; random values expose more mistakes.
    for parameter in parameters.iter_mut() {
        let noise = random(&mut rng, parameter.value.rows, parameter.value.columns);
        parameter.value_mut().data.iter_mut().zip(&noise.data).for_each(|(number, noise)| *number += 0.3 * noise);
    }
    let (_, gradients) = run(&parameters);
    let count = parameters.iter().count();
    for index in 0..count {
        let id = ParameterId(index);
        let length = parameters.get(id).value.data.len();
        let found = full(gradients.get(id), &parameters.get(id).value);
        for (place, found) in found.iter().enumerate().take(length) {
            const STEP: f32 = 5e-3;
            let before = parameters.get(id).value.data[place];
            let mut at = |number: f32| {
                parameters.get_mut(id).value_mut().data[place] = number;
                run(&parameters).0
            };
            let expected = (at(before + STEP) - at(before - STEP)) / (2.0 * STEP);
            at(before);
            let name = &parameters.get(id).name;
            assert!((found - expected).abs() < 2e-3 * (1.0 + expected.abs()), "`{name}` {place}: {found}, difference {expected}");
        }
    }
}

fn random(rng: &mut Rng, rows: usize, columns: usize) -> Matrix {
    Matrix::from_vec(rows, columns, (0..rows * columns).map(|_| (rng.unit() * 2.0 - 1.0) as f32).collect())
}

fn full(gradient: &Gradient, value: &Matrix) -> Vec<f32> {
    match gradient {
        Gradient::None => vec![0.0; value.data.len()],
        Gradient::Dense(matrix) => matrix.data.clone(),
        Gradient::Rows { ids, values } => {
            let mut full = Matrix::zeros(value.rows, value.columns);
            ids.iter().enumerate().for_each(|(row, &id)| full.row_mut(id as usize).copy_from_slice(values.row(row)));
            full.data
        }
    }
}

/// Records a parameter as a node, so that operations can take it as an input.
fn leaf(tape: &mut Tape<'_>, id: ParameterId) -> Node {
    let value = tape.parameter(id).value.clone();
    tape.record(value, &[], &[id], |output| Leaf { id, output })
}

struct Leaf {
    id: ParameterId,
    output: Node,
}

impl Operation for Leaf {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        if let Some(gradient) = pass.take(self.output) {
            let to = pass.parameter_gradients.zeroed(self.id, gradient.rows, gradient.columns);
            crate::simd::add(&mut to.data, &gradient.data);
        }
    }
}

/// Reduces a matrix to one number: a sum with a different weight per element, so that errors cannot cancel out.
fn weighed(tape: &mut Tape<'_>, input: Node) -> Node {
    let value = tape.value(input);
    let weights = random(&mut Seed::new(9).rng(), value.rows, value.columns);
    let sum: f64 = value.data.iter().zip(&weights.data).map(|(number, weight)| f64::from(*number) * f64::from(*weight)).sum();
    tape.record(Matrix::from_vec(1, 1, vec![sum as f32]), &[input], &[], |output| Weighed { input, output, weights })
}

struct Weighed {
    input: Node,
    output: Node,
    weights: Matrix,
}

impl Operation for Weighed {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        if pass.take(self.output).is_some() {
            pass.gradients.give(self.input, self.weights);
        }
    }
}
