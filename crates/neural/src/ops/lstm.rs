//! A bidirectional LSTM over sentences of different lengths (Hochreiter and Schmidhuber 1997), without padding.
//!
//! The sentences are sorted by length, so that at each time step the ones that still have a word are the first ones: a step is one product
//! over exactly those. Each direction keeps `[input | state before]` of all words in one matrix in the order of time, which makes the
//! gradient of its weight one product, and runs from beginning to end in one thread: a hand-over inside a time step would cost more than the
//! step.

use crate::batch::Segments;
use crate::matrix::{Matrix, View, ViewMut};
use crate::parameters::{Initial, Parameter, ParameterId, Parameters, Turn};
use crate::product::{Packed, Sum, product, product_parallel};
use crate::simd::{self, vectorised};
use crate::tape::{Buffers, Node, Operation, Pass, Tape};
use rayon::prelude::*;
use std::ops::Range;

/// The parameters of a bidirectional LSTM.
#[derive(Debug, Clone, Copy)]
pub struct BiLstm {
    forward: Cell,
    backward: Cell,
}

/// Which way a run reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// The parameters of one direction.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Rows: input, forget, candidate and output gates. Columns: the input, then the state before.
    weight: ParameterId,
    bias: ParameterId,
    hidden: usize,
}

impl BiLstm {
    /// Declares the parameters of both directions, `NAME.forward.weight` and so on.
    pub fn new(parameters: &mut Parameters, name: &str, inputs: usize, hidden: usize) -> Self {
        let mut cell = |direction: &str| {
            let name = format!("{name}.{direction}");
            let weight = parameters.declare(&format!("{name}.weight"), 4 * hidden, inputs + hidden, Initial::GlorotBlocks(hidden));
            let bias = parameters.declare(&format!("{name}.bias"), 1, 4 * hidden, Initial::Constant(0.0));
            // A forget gate that begins open lets gradients through (Jozefowicz et al. 2015).
            parameters.get_mut(bias).value_mut().data[hidden..2 * hidden].fill(1.0);
            Cell { weight, bias, hidden }
        };
        BiLstm { forward: cell("forward"), backward: cell("backward") }
    }
}

impl Tape<'_> {
    /// The states of both directions at each word, side by side.
    ///
    /// Each part is an LSTM and the segments it reads; together they must cover all segments, and no LSTM may come twice.
    pub fn bilstm(&mut self, parts: &[(BiLstm, Range<usize>)], input: Node, segments: &Segments) -> Node {
        let hidden = parts[0].0.forward.hidden;
        // Both sentences of one direction next to each other: two threads then have the same work.
        let mut runs = Vec::new();
        for direction in [Direction::Forward, Direction::Backward] {
            for (lstm, range) in parts {
                let (cell, first_column) = match direction {
                    Direction::Forward => (lstm.forward, 0),
                    Direction::Backward => (lstm.backward, hidden),
                };
                let order = Order::new(segments, range.clone(), direction);
                let (words, inputs) = (order.words.len(), self.value(input).columns);
                let [joined, gates, cells, squashed, states] =
                    [inputs + hidden, 4 * hidden, hidden, hidden, hidden].map(|columns| self.buffers.take(words, columns));
                runs.push(Run { cell, first_column, order, joined, gates, cells, squashed, states });
            }
        }
        let (parameters, from) = (self.parameters, &self.values[input]);
        let products = products(runs.len());
        runs.par_iter_mut().with_max_len(1).for_each(|run| run.forward(from, parameters, products));
        let mut output = self.buffers.take(from.rows, 2 * hidden);
        for run in &runs {
            for (row, &word) in run.order.words.iter().enumerate() {
                output.row_mut(word as usize)[run.first_column..][..hidden].copy_from_slice(run.states.row(row));
            }
        }
        let all: Vec<ParameterId> = runs.iter().map(|run| run.cell.weight).collect();
        for run in &mut runs {
            self.buffers.give(std::mem::take(&mut run.states));
        }
        self.record(output, &[input], &all, |output| Record { input, output, runs })
    }
}

/// How to multiply within a run: alone if the runs keep all threads busy.
fn products(runs: usize) -> fn(View<'_>, &Packed, ViewMut<'_>, Sum) {
    if rayon::current_num_threads() > runs { product_parallel } else { product }
}

/// The words of some segments in the order of time.
struct Order {
    /// Where each time step begins, and where the last one ends.
    steps: Vec<usize>,
    /// The word of each row.
    words: Vec<u32>,
}

impl Order {
    fn new(segments: &Segments, range: Range<usize>, direction: Direction) -> Self {
        let mut ranges: Vec<Range<usize>> = range.map(|segment| segments.range(segment)).collect();
        ranges.sort_by_key(|range| std::cmp::Reverse(range.len()));
        let (mut steps, mut words) = (vec![0], Vec::new());
        for time in 0..ranges.first().map_or(0, Range::len) {
            let active = ranges.iter().take_while(|range| range.len() > time);
            words.extend(active.map(|range| match direction {
                Direction::Forward => (range.start + time) as u32,
                Direction::Backward => (range.end - 1 - time) as u32,
            }));
            steps.push(words.len());
        }
        Order { steps, words }
    }

    /// The rows of each time step.
    fn steps(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
        self.steps.windows(2).map(|ends| ends[0]..ends[1])
    }
}

/// One direction of one LSTM over its sentences; all matrices have a row for each word, in the order of time.
struct Run {
    cell: Cell,
    /// Where in a row of the output its states begin.
    first_column: usize,
    order: Order,
    /// The input, and the state before it.
    joined: Matrix,
    /// The four gates; in the backward pass, their gradients.
    gates: Matrix,
    /// The memory after each word.
    cells: Matrix,
    /// Its hyperbolic tangent.
    squashed: Matrix,
    states: Matrix,
}

impl Run {
    /// The memory that it holds.
    fn into_matrices(self) -> [Matrix; 4] {
        [self.joined, self.gates, self.cells, self.squashed]
    }

    fn forward(&mut self, input: &Matrix, parameters: &Parameters, multiply: fn(View<'_>, &Packed, ViewMut<'_>, Sum)) {
        let Run { cell, order, joined, gates, cells, squashed, states, .. } = self;
        let (inputs, hidden) = (input.columns, cell.hidden);
        let (weight, bias) = (parameters.get(cell.weight), &parameters.get(cell.bias).value.data);
        for (row, &word) in order.words.iter().enumerate() {
            joined.row_mut(row)[..inputs].copy_from_slice(input.row(word as usize));
        }
        let for_input = weight.packed(Turn::Transposed, 0..inputs);
        multiply(joined.view().columns(0..inputs), &for_input, gates.view_mut(), Sum::Replace);
        let for_state = weight.packed(Turn::Transposed, inputs..inputs + hidden);
        let nothing = vec![0.0; hidden];
        let mut before: Option<Range<usize>> = None;
        let mut steps = order.steps().peekable();
        while let Some(rows) = steps.next() {
            if before.is_none() {
                rows.clone().for_each(|row| joined.row_mut(row)[inputs..].fill(0.0));
            } else {
                let state = joined.view().rows(rows.clone()).columns(inputs..inputs + hidden);
                let to = ViewMut::new(&mut gates.data[rows.start * 4 * hidden..], rows.len(), 4 * hidden);
                product(state, &for_state, to, Sum::Add);
            }
            for (place, row) in rows.clone().enumerate() {
                let (earlier, later) = cells.data.split_at_mut(row * hidden);
                let memory = before.as_ref().map_or(&nothing[..], |before| &earlier[(before.start + place) * hidden..][..hidden]);
                step(gates.row_mut(row), bias, memory, &mut later[..hidden], squashed.row_mut(row), states.row_mut(row));
            }
            // The sentences that go on are the first ones of this step.
            for (place, row) in steps.peek().cloned().into_iter().flatten().enumerate() {
                joined.row_mut(row)[inputs..].copy_from_slice(states.row(rows.start + place));
            }
            before = Some(rows);
        }
    }

    /// Turns the gates into their gradients, and gives the gradient of the input, in the order of time, if it is wanted.
    fn backward(&mut self, weight: &Parameter, gradient: &Matrix, task: &mut Task, multiply: fn(View<'_>, &Packed, ViewMut<'_>, Sum)) {
        let Run { cell, first_column, order, joined, gates, cells, squashed, .. } = self;
        let hidden = cell.hidden;
        let inputs = joined.columns - hidden;
        let widest = order.steps().next().map_or(0, |rows| rows.len());
        // What the later steps say about the state and the memory of each sentence.
        let (mut state_gradient, mut memory_gradient) = (Matrix::zeros(widest, hidden), Matrix::zeros(widest, hidden));
        let for_state = weight.packed(Turn::Plain, inputs..inputs + hidden);
        let nothing = vec![0.0; hidden];
        let mut steps = order.steps().rev().peekable();
        while let Some(rows) = steps.next() {
            let before = steps.peek();
            for (place, row) in rows.clone().enumerate() {
                let from_output = &gradient.row(order.words[row] as usize)[*first_column..][..hidden];
                let memory = before.map_or(&nothing[..], |before| cells.row(before.start + place));
                let (from_state, from_memory) = (state_gradient.row(place), memory_gradient.row_mut(place));
                step_gradient(gates.row_mut(row), squashed.row(row), memory, from_output, from_state, from_memory);
            }
            if before.is_some() {
                let to = ViewMut::new(&mut state_gradient.data, rows.len(), hidden);
                product(gates.view().rows(rows), &for_state, to, Sum::Replace);
            }
        }
        for row in gates.data.chunks_exact(4 * hidden) {
            simd::add(&mut task.bias.data, row);
        }
        task.packed.fill_here(joined.view());
        multiply(gates.view().transposed(), &task.packed, task.weight.view_mut(), task.sum);
        if let Some(input_gradient) = &mut task.input {
            let for_input = weight.packed(Turn::Plain, 0..inputs);
            multiply(gates.view(), &for_input, input_gradient.view_mut(), Sum::Replace);
        }
    }
}

struct Record {
    input: Node,
    output: Node,
    runs: Vec<Run>,
}

/// Where a run puts its gradients.
struct Task {
    weight: Matrix,
    sum: Sum,
    bias: Matrix,
    input: Option<Matrix>,
    packed: Packed,
}

impl Operation for Record {
    fn backward(mut self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let (parameters, inputs) = (pass.parameters, pass.values[self.input].columns);
        let wanted = pass.gradients.wants(self.input);
        let mut tasks: Vec<Task> = Vec::new();
        for run in &self.runs {
            let shape = &parameters.get(run.cell.weight).value;
            let (weight, sum) = pass.parameter_gradients.take(run.cell.weight, shape.rows, shape.columns);
            let bias = std::mem::take(pass.parameter_gradients.zeroed(run.cell.bias, 1, shape.rows));
            let buffers = &mut pass.gradients.buffers;
            let input = wanted.then(|| buffers.take(run.order.words.len(), inputs));
            tasks.push(Task { weight, sum, bias, input, packed: buffers.pack(View::new(&[], 0, 0)) });
        }
        let products = products(self.runs.len());
        self.runs.par_iter_mut().zip(&mut tasks).with_max_len(1).for_each(|(run, task)| {
            run.backward(parameters.get(run.cell.weight), &gradient, task, products);
        });
        for (run, task) in self.runs.into_iter().zip(tasks) {
            pass.parameter_gradients.put(run.cell.weight, task.weight);
            pass.parameter_gradients.put(run.cell.bias, task.bias);
            if let (Some(from), Some(to)) = (&task.input, pass.zeroed(self.input)) {
                run.order.words.iter().enumerate().for_each(|(row, &word)| simd::add(to.row_mut(word as usize), from.row(row)));
            }
            let buffers = &mut pass.gradients.buffers;
            buffers.give_packed(task.packed);
            run.into_matrices().into_iter().chain(task.input).for_each(|matrix| buffers.give(matrix));
        }
        pass.gradients.buffers.give(gradient);
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        self.runs.into_iter().flat_map(Run::into_matrices).for_each(|matrix| buffers.give(matrix));
    }
}

vectorised! {
    /// One word of one sentence: activates the gates in place and gives the new memory, its tangent and the new state.
    fn step(gates: &mut [f32], bias: &[f32], before: &[f32], memory: &mut [f32], squashed: &mut [f32], state: &mut [f32]) {
        let size = memory.len();
        for start in (0..size).step_by(LANES) {
            let mut lanes = [[0.0; LANES]; 4];
            for (gate, lanes) in lanes.iter_mut().enumerate() {
                *lanes = load(&gates[gate * size..][..size], start);
                let bias = load(&bias[gate * size..][..size], start);
                (0..LANES).for_each(|lane| lanes[lane] += bias[lane]);
            }
            let mut cell = load(before, start);
            let (mut tangent, mut result) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                let (input, forget) = (simd::sigmoid(lanes[0][lane]), simd::sigmoid(lanes[1][lane]));
                let (candidate, output) = (simd::tanh(lanes[2][lane]), simd::sigmoid(lanes[3][lane]));
                let now = forget * cell[lane] + input * candidate;
                (lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]) = (input, forget, candidate, output);
                cell[lane] = now;
                tangent[lane] = simd::tanh(now);
                result[lane] = output * tangent[lane];
            }
            for (gate, lanes) in lanes.iter().enumerate() {
                store(&mut gates[gate * size..][..size], start, lanes);
            }
            store(memory, start, &cell);
            store(squashed, start, &tangent);
            store(state, start, &result);
        }
    }
}

vectorised! {
    /// The gradients of the gates in place of the gates; `memory_gradient` is that of the memory after the word, then of the memory before.
    fn step_gradient(
        gates: &mut [f32],
        squashed: &[f32],
        before: &[f32],
        output_gradient: &[f32],
        state_gradient: &[f32],
        memory_gradient: &mut [f32],
    ) {
        let size = squashed.len();
        let (inputs, rest) = gates.split_at_mut(size);
        let (forgets, rest) = rest.split_at_mut(size);
        let (candidates, outputs) = rest.split_at_mut(size);
        let outputs = &mut outputs[..size];
        let (before, from_output) = (&before[..size], &output_gradient[..size]);
        let (from_state, memory_gradient) = (&state_gradient[..size], &mut memory_gradient[..size]);
        for place in 0..size {
            let (input, forget, candidate, output) = (inputs[place], forgets[place], candidates[place], outputs[place]);
            let state = from_output[place] + from_state[place];
            let memory = memory_gradient[place] + state * output * (1.0 - squashed[place] * squashed[place]);
            inputs[place] = memory * candidate * input * (1.0 - input);
            forgets[place] = memory * before[place] * forget * (1.0 - forget);
            candidates[place] = memory * input * (1.0 - candidate * candidate);
            outputs[place] = state * squashed[place] * output * (1.0 - output);
            memory_gradient[place] = memory * forget;
        }
    }
}

/// Numbers computed at a time.
const LANES: usize = 16;

/// The next numbers; after the last one, zeros.
#[inline(always)]
fn load(from: &[f32], start: usize) -> [f32; LANES] {
    let from = &from[start..];
    from.first_chunk().copied().unwrap_or_else(|| {
        // The last few numbers as a whole vector: one by one they would take as long as all the others.
        let mut lanes = [0.0; LANES];
        lanes[..from.len()].copy_from_slice(from);
        lanes
    })
}

/// Puts back what [`load`] has taken.
#[inline(always)]
fn store(to: &mut [f32], start: usize, lanes: &[f32; LANES]) {
    let to = &mut to[start..];
    let length = to.len().min(LANES);
    if length == LANES {
        to[..LANES].copy_from_slice(lanes);
    } else {
        to.copy_from_slice(&lanes[..length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let segments = Segments::of_lengths([2, 4, 0, 1]);
        check(
            &[(7, 3)],
            |parameters| BiLstm::new(parameters, "lstm", 3, 2),
            |tape, lstm, inputs| tape.bilstm(&[(*lstm, 0..4)], inputs[0], &segments),
        );
        check(
            &[(7, 2)],
            |parameters| [BiLstm::new(parameters, "premise", 2, 2), BiLstm::new(parameters, "hypothesis", 2, 2)],
            |tape, lstms, inputs| tape.bilstm(&[(lstms[0], 0..2), (lstms[1], 2..4)], inputs[0], &segments),
        );
    }

    #[test]
    fn time_goes_on_for_the_longer_sentences_only() {
        let order = Order::new(&Segments::of_lengths([1, 3]), 0..2, Direction::Backward);
        assert_eq!((order.words, order.steps), (vec![3, 0, 2, 1], vec![0, 2, 3, 4]));
    }
}
