//! One direction of an LSTM layer: forward pass, which keeps what the backward pass needs, and backward pass.

use acidtest_lingua::parse::{
    batch::SentenceBatch,
    kernel::{PackedMatrix, sigmoid, tanh},
};

/// The weights of a direction, packed for both passes.
pub(super) struct Direction {
    input: PackedMatrix,
    input_back: PackedMatrix,
    state: PackedMatrix,
    state_back: PackedMatrix,
    bias: Vec<f32>,
    hidden: usize,
}

/// The values that the forward pass keeps.
pub(super) struct Trace {
    inputs: Vec<f32>,
    gates: Vec<f32>,
    cells: Vec<f32>,
    /// The state at the start of each row, after dropout.
    before: Vec<f32>,
    /// The state at the end of each row.
    pub states: Vec<f32>,
}

/// The gradients of a direction's weights.
pub(super) struct Gradients<'a> {
    pub input: &'a mut [f32],
    pub state: &'a mut [f32],
    pub bias: &'a mut [f32],
}

impl Direction {
    pub(super) fn new(input: &[f32], state: &[f32], bias: &[f32]) -> Direction {
        let gates = bias.len();
        let (inputs, hidden) = (input.len() / gates, gates / 4);
        Direction {
            input: PackedMatrix::new(inputs, gates, input),
            input_back: PackedMatrix::transposed(gates, inputs, input),
            state: PackedMatrix::new(hidden, gates, state),
            state_back: PackedMatrix::transposed(gates, hidden, state),
            bias: bias.to_vec(),
            hidden,
        }
    }

    /// Runs over the rows; `thin` is a dropout mask over the states of each sentence, `1 / keep` or 0.
    pub(super) fn forward(&self, batch: &SentenceBatch, inputs: Vec<f32>, thin: &[f32]) -> Trace {
        let hidden = self.hidden;
        let rows = batch.rows();
        let mut gates: Vec<f32> = self.bias.iter().copied().cycle().take(rows * 4 * hidden).collect();
        self.input.multiply_add(&inputs, &mut gates);
        let (mut states, mut cells, mut before) = (vec![0f32; rows * hidden], vec![0f32; rows * hidden], vec![0f32; rows * hidden]);
        for time_step in 0..batch.time_steps() {
            let (begin, end) = (batch.begins[time_step], batch.begins[time_step + 1]);
            if time_step > 0 {
                let last = batch.begins[time_step - 1];
                for at in 0..(end - begin) * hidden {
                    before[begin * hidden + at] = states[last * hidden + at] * thin[at];
                }
                self.state.multiply_add(&before[begin * hidden..end * hidden], &mut gates[begin * 4 * hidden..end * 4 * hidden]);
            }
            for row in begin..end {
                let gates = &mut gates[row * 4 * hidden..(row + 1) * 4 * hidden];
                for at in 0..hidden {
                    gates[at] = sigmoid(gates[at]);
                    gates[hidden + at] = sigmoid(gates[hidden + at]);
                    gates[2 * hidden + at] = tanh(gates[2 * hidden + at]);
                    gates[3 * hidden + at] = sigmoid(gates[3 * hidden + at]);
                }
                let last = if time_step > 0 { Some(batch.begins[time_step - 1] + row - begin) } else { None };
                for at in 0..hidden {
                    let old = last.map_or(0.0, |last| cells[last * hidden + at]);
                    cells[row * hidden + at] = gates[hidden + at] * old + gates[at] * gates[2 * hidden + at];
                    states[row * hidden + at] = gates[3 * hidden + at] * tanh(cells[row * hidden + at]);
                }
            }
        }
        Trace { inputs, gates, cells, before, states }
    }

    /// Computes the gradients of weights and inputs from those of the states.
    pub(super) fn backward(
        &self,
        batch: &SentenceBatch,
        trace: &Trace,
        mut states: Vec<f32>,
        thin: &[f32],
        gradients: Gradients,
    ) -> Vec<f32> {
        let hidden = self.hidden;
        let rows = batch.rows();
        let mut gates = vec![0f32; rows * 4 * hidden];
        let mut cells = vec![0f32; rows * hidden];
        for time_step in (0..batch.time_steps()).rev() {
            let (begin, end) = (batch.begins[time_step], batch.begins[time_step + 1]);
            let last = time_step.checked_sub(1).map(|time_step| batch.begins[time_step]);
            for row in begin..end {
                let acts = &trace.gates[row * 4 * hidden..(row + 1) * 4 * hidden];
                let to = &mut gates[row * 4 * hidden..(row + 1) * 4 * hidden];
                for at in 0..hidden {
                    let (input, forget) = (acts[at], acts[hidden + at]);
                    let (candidate, output) = (acts[2 * hidden + at], acts[3 * hidden + at]);
                    let curve = tanh(trace.cells[row * hidden + at]);
                    let state = states[row * hidden + at];
                    let cell = cells[row * hidden + at] + state * output * (1.0 - curve * curve);
                    to[3 * hidden + at] = state * curve * output * (1.0 - output);
                    to[at] = cell * candidate * input * (1.0 - input);
                    to[2 * hidden + at] = cell * input * (1.0 - candidate * candidate);
                    if let Some(last) = last {
                        let before = (last + row - begin) * hidden + at;
                        to[hidden + at] = cell * trace.cells[before] * forget * (1.0 - forget);
                        cells[before] += cell * forget;
                    }
                }
            }
            if let Some(last) = last {
                let mut back = vec![0f32; (end - begin) * hidden];
                self.state_back.multiply_add(&gates[begin * 4 * hidden..end * 4 * hidden], &mut back);
                for (at, number) in back.iter().enumerate() {
                    states[last * hidden + at] += number * thin[at];
                }
            }
        }
        add_product(&trace.inputs, &gates, rows, gradients.input);
        add_product(&trace.before, &gates, rows, gradients.state);
        for row in gates.chunks_exact(4 * hidden) {
            gradients.bias.iter_mut().zip(row).for_each(|(gradient, number)| *gradient += number);
        }
        let mut inputs = vec![0f32; trace.inputs.len()];
        self.input_back.multiply_add(&gates, &mut inputs);
        inputs
    }
}

/// Adds the product of the transposed left matrix and the right one; both have `rows` rows.
pub(super) fn add_product(left: &[f32], right: &[f32], rows: usize, sums: &mut [f32]) {
    if rows == 0 {
        return;
    }
    let (width, outputs) = (left.len() / rows, right.len() / rows);
    let mut transposed = vec![0f32; left.len()];
    for row in 0..rows {
        for column in 0..width {
            transposed[column * rows + row] = left[row * width + column];
        }
    }
    PackedMatrix::new(rows, outputs, right).multiply_add(&transposed, sums);
}
