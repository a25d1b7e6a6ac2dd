//! A bidirectional LSTM over sentences of different lengths (Hochreiter and Schmidhuber 1997), without padding.
//!
//! Sentences are sorted by length, so at each time step the ones that still have words come first: a step is one product over exactly
//! those, and their previous states are the first rows of the step before. The input's contribution to the gates is one product for all
//! words beforehand, over distinct words only if the input shares rows; in the backward pass the gate gradients of equal words are summed
//! first, so that the gradient of that weight is a product over distinct words too. The time steps of a direction run on one thread:
//! switching threads within a step would cost more than the step.

use crate::matrix::{Matrix, MatrixView, MatrixViewMut};
use crate::ops::{WordRows, for_rows};
use crate::parameters::{Initial, Orientation, Parameter, ParameterId, Parameters};
use crate::product::{Packed, Sum, product, product_parallel};
use crate::segments::Segments;
use crate::simd::{self, vectorised};
use crate::tape::{Buffers, Node, Operation, Pass, Tape, TapeMode};
use acidtest_threads::{Grain, count_here, for_each};
use std::ops::Range;

/// The parameters of a bidirectional LSTM.
#[derive(Debug, Clone, Copy)]
pub struct BiLstm {
    forward: Cell,
    backward: Cell,
}

/// The direction of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// The parameters of one direction.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Rows: input, forget, candidate and output gates. Columns: the input, then the previous state.
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
            // A positive initial forget bias lets gradients through (Jozefowicz et al. 2015).
            let bias = parameters.declare(&format!("{name}.bias"), 1, 4 * hidden, Initial::ForgetGate(hidden));
            Cell { weight, bias, hidden }
        };
        BiLstm { forward: cell("forward"), backward: cell("backward") }
    }
}

impl Tape<'_> {
    /// The hidden states of both directions at each word, concatenated.
    ///
    /// Each part is an LSTM and the segments it processes; together they must cover all segments, and no LSTM may occur twice.
    pub fn bilstm(&mut self, parts: &[(BiLstm, Range<usize>)], input: impl Into<WordRows>, segments: &Segments) -> Node {
        let input: WordRows = input.into();
        let hidden = parts[0].0.forward.hidden;
        // Premises and hypotheses of one direction are adjacent, so two threads get equal work.
        let mut runs = Vec::new();
        for direction in [Direction::Forward, Direction::Backward] {
            for (lstm, range) in parts {
                let (cell, first_column) = match direction {
                    Direction::Forward => (lstm.forward, 0),
                    Direction::Backward => (lstm.backward, hidden),
                };
                let order = Order::new(segments, range.clone(), direction, &input);
                runs.push(self.run(cell, first_column, order, self.value(input.rows).columns));
            }
        }
        let (parameters, from) = (self.parameters, &self.values[input.rows]);
        let products = products(runs.len());
        for_each(&mut runs, Grain::Single, |run| run.forward(from, parameters, products));
        let mut output = self.buffers.take(segments.rows(), 2 * hidden);
        for_rows(&mut output.data, 2 * hidden, |word, numbers| {
            for run in runs.iter().filter(|run| run.order.covers.contains(&word)) {
                let row = run.order.rows[word - run.order.covers.start] as usize;
                numbers[run.first_column..][..hidden].copy_from_slice(run.states.row(row));
            }
        });
        let all: Vec<ParameterId> = runs.iter().map(|run| run.cell.weight).collect();
        self.record(output, &[input.rows], &all, |output| Record { input: input.rows, output, runs })
    }

    /// Allocates one run; what only the backward pass reads is omitted in inference.
    fn run(&mut self, cell: Cell, first_column: usize, order: Order, inputs: usize) -> Run {
        let hidden = cell.hidden;
        let (words, widest) = (order.words.len(), order.widest());
        let kept = if matches!(self.mode, TapeMode::Training(_)) { words } else { 0 };
        let gate_rows = if kept == 0 && order.shared.is_some() { widest } else { words };
        let projected_rows = if order.shared.is_some() { order.inputs.len() } else { 0 };
        let mut take = |rows: usize, columns: usize| self.buffers.take(rows, columns);
        Run {
            cell,
            first_column,
            projected: take(projected_rows, 4 * hidden),
            gates: take(gate_rows, 4 * hidden),
            memory: take(widest, hidden),
            cells: take(kept, hidden),
            squashed: take(kept, hidden),
            states: take(words, hidden),
            input: take(order.inputs.len(), inputs),
            order,
        }
    }
}

/// The matrix product used within a run.
type Multiply = fn(MatrixView<'_>, &Packed, MatrixViewMut<'_>, Sum);

/// Chooses the product for a run: single-threaded if there are enough runs to keep all threads busy.
fn products(runs: usize) -> Multiply {
    if count_here() > runs { product_parallel } else { product }
}

/// The words of some segments in time order.
struct Order {
    /// The words that are processed, as rows of the output.
    covers: Range<usize>,
    /// The start of each time step, and the end of the last.
    steps: Vec<usize>,
    /// The word of each row.
    words: Vec<u32>,
    /// The row of each word, starting with the first processed word.
    rows: Vec<u32>,
    /// The input rows to read: each once if words share rows, else in time order.
    inputs: Vec<u32>,
    /// The index into `inputs` of each row, if words share rows.
    shared: Option<Vec<u32>>,
}

impl Order {
    fn new(segments: &Segments, range: Range<usize>, direction: Direction, input: &WordRows) -> Self {
        let mut ranges: Vec<Range<usize>> = range.map(|segment| segments.range(segment)).collect();
        let covers = ranges.first().map_or(0, |range| range.start)..ranges.last().map_or(0, |range| range.end);
        ranges.sort_by_key(|range| std::cmp::Reverse(range.len()));
        let (mut steps, mut words, mut rows) = (vec![0], Vec::with_capacity(covers.len()), vec![0; covers.len()]);
        for time in 0..ranges.first().map_or(0, Range::len) {
            for range in ranges.iter().take_while(|range| range.len() > time) {
                let word = match direction {
                    Direction::Forward => range.start + time,
                    Direction::Backward => range.end - 1 - time,
                };
                rows[word - covers.start] = words.len() as u32;
                words.push(word as u32);
            }
            steps.push(words.len());
        }
        let Some(places) = &input.places else {
            return Order { covers, steps, inputs: words.clone(), words, rows, shared: None };
        };
        const NEVER: u32 = u32::MAX;
        let (mut inputs, mut numbers) = (Vec::new(), vec![NEVER; places.iter().max().map_or(0, |&most| most as usize + 1)]);
        let number = |word: &u32| {
            let place = places[*word as usize];
            if numbers[place as usize] == NEVER {
                numbers[place as usize] = inputs.len() as u32;
                inputs.push(place);
            }
            numbers[place as usize]
        };
        let shared = words.iter().map(number).collect();
        Order { covers, steps, words, rows, inputs, shared: Some(shared) }
    }

    /// The rows of each time step.
    fn steps(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
        self.steps.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// Replaces the states after each word by the states before it, from the second time step on.
    fn keep_states_before(&self, states: &mut Matrix) {
        let columns = states.columns;
        for (before, rows) in self.steps().zip(self.steps().skip(1)) {
            // No step has more words than the first, so unread rows lie behind the written ones.
            let from = before.start * columns..(before.start + rows.len()) * columns;
            states.data.copy_within(from, (rows.start - self.widest()) * columns);
        }
    }

    /// The number of sentences with at least one word.
    fn widest(&self) -> usize {
        self.steps.get(1).copied().unwrap_or(0)
    }
}

/// One direction of one LSTM over its sentences; matrices have one row per word in time order unless stated otherwise.
struct Run {
    cell: Cell,
    /// The first column of its states in the output.
    first_column: usize,
    order: Order,
    /// The input rows that it reads.
    input: Matrix,
    /// The contribution of these rows and the bias to the gates, if words share rows.
    projected: Matrix,
    /// The four gates; in the backward pass, their gradients. Inference keeps only one time step.
    gates: Matrix,
    /// The cell state of each sentence.
    memory: Matrix,
    /// The cell state after each word, in training.
    cells: Matrix,
    /// Its tanh, in training.
    squashed: Matrix,
    states: Matrix,
}

impl Run {
    /// Releases its buffers.
    fn into_matrices(self) -> [Matrix; 7] {
        [self.input, self.projected, self.gates, self.memory, self.cells, self.squashed, self.states]
    }

    fn forward(&mut self, from: &Matrix, parameters: &Parameters, multiply: Multiply) {
        let Run { cell, order, input, projected, gates, memory, cells, squashed, states, .. } = self;
        let (inputs, hidden) = (from.columns, cell.hidden);
        let (weight, bias) = (parameters.get(cell.weight), &parameters.get(cell.bias).value.data);
        order.inputs.iter().enumerate().for_each(|(to, &row)| input.row_mut(to).copy_from_slice(from.row(row as usize)));
        let for_input = weight.packed(Orientation::Transposed, 0..inputs);
        if order.shared.is_some() {
            multiply(input.view(), &for_input, projected.view_mut(), Sum::Replace);
            projected.data.chunks_exact_mut(4 * hidden).for_each(|row| simd::add(row, bias));
        } else {
            multiply(input.view(), &for_input, gates.view_mut(), Sum::Replace);
        }
        let for_state = weight.packed(Orientation::Transposed, inputs..inputs + hidden);
        let gates_are_kept = gates.rows == order.words.len();
        memory.data.fill(0.0);
        let mut before: Option<Range<usize>> = None;
        for rows in order.steps() {
            let first_gates = if gates_are_kept { rows.start } else { 0 };
            let step_gates = &mut gates.data[first_gates * 4 * hidden..][..rows.len() * 4 * hidden];
            let sum = if order.shared.is_some() { Sum::Replace } else { Sum::Add };
            if let Some(before) = before {
                // The sentences that continue are the first ones of the step before.
                let state = states.view().rows(before.start..before.start + rows.len());
                product(state, &for_state, MatrixViewMut::new(step_gates, rows.len(), 4 * hidden), sum);
            } else if sum == Sum::Replace {
                step_gates.fill(0.0);
            }
            for (place, (row, gates)) in rows.clone().zip(step_gates.chunks_exact_mut(4 * hidden)).enumerate() {
                let added = order.shared.as_ref().map_or(&bias[..], |shared| projected.row(shared[row] as usize));
                if cells.rows == 0 {
                    advance(gates, added, memory.row_mut(place), states.row_mut(row));
                    continue;
                }
                step(gates, added, memory.row_mut(place), squashed.row_mut(row), states.row_mut(row));
                cells.row_mut(row).copy_from_slice(memory.row(place));
            }
            before = Some(rows);
        }
    }

    /// Replaces the gates by their gradients, and computes the gradients of the weight and, if needed, of the input rows.
    fn backward(&mut self, weight: &Parameter, gradient: &Matrix, task: &mut Task, multiply: Multiply) {
        let Run { cell, first_column, order, input, projected, gates, memory, cells, squashed, states } = self;
        let (inputs, hidden) = (input.columns, cell.hidden);
        // The gradients that flow back from later steps into the hidden and cell state of each sentence.
        let (mut state_gradient, memory_gradient) = (Matrix::zeros(order.widest(), hidden), memory);
        memory_gradient.data.fill(0.0);
        let for_state = weight.packed(Orientation::Plain, inputs..inputs + hidden);
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
                let to = MatrixViewMut::new(&mut state_gradient.data, rows.len(), hidden);
                product(gates.view().rows(rows), &for_state, to, Sum::Replace);
            }
        }
        order.keep_states_before(states);
        task.packed.fill_here(states.view().rows(0..gates.rows - order.widest()));
        let later_gates = gates.view().rows(order.widest()..gates.rows);
        multiply(later_gates.transposed(), &task.packed, task.weight.view_mut().columns(inputs..inputs + hidden), task.sum);
        let by_input = match &order.shared {
            None => &*gates,
            Some(shared) => {
                projected.data.fill(0.0);
                shared.iter().enumerate().for_each(|(row, &input)| simd::add(projected.row_mut(input as usize), gates.row(row)));
                &*projected
            }
        };
        by_input.data.chunks_exact(4 * hidden).for_each(|row| simd::add(&mut task.bias.data, row));
        task.packed.fill_here(input.view());
        multiply(by_input.view().transposed(), &task.packed, task.weight.view_mut().columns(0..inputs), task.sum);
        if task.input == Wanted::Yes {
            let for_input = weight.packed(Orientation::Plain, 0..inputs);
            multiply(by_input.view(), &for_input, input.view_mut(), Sum::Replace);
        }
    }
}

struct Record {
    input: Node,
    output: Node,
    runs: Vec<Run>,
}

/// Whether the gradient of the input is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Yes,
    No,
}

/// Where a run puts its gradients; that of its input replaces the input.
struct Task {
    weight: Matrix,
    sum: Sum,
    bias: Matrix,
    input: Wanted,
    packed: Packed,
}

impl Operation for Record {
    fn backward(mut self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let parameters = pass.parameters;
        let input = if pass.gradients.wants(self.input) { Wanted::Yes } else { Wanted::No };
        let mut tasks: Vec<Task> = Vec::new();
        for run in &self.runs {
            let shape = &parameters.get(run.cell.weight).value;
            let (weight, sum) = pass.parameter_gradients.take(run.cell.weight, shape.rows, shape.columns);
            let bias = std::mem::take(pass.parameter_gradients.zeroed(run.cell.bias, 1, shape.rows));
            tasks.push(Task { weight, sum, bias, input, packed: pass.gradients.buffers.pack(MatrixView::new(&[], 0, 0)) });
        }
        let products = products(self.runs.len());
        let both: Vec<_> = self.runs.iter_mut().zip(&mut tasks).collect();
        for_each(both, Grain::Single, |(run, task)| {
            run.backward(parameters.get(run.cell.weight), &gradient, task, products);
        });
        for (run, task) in self.runs.into_iter().zip(tasks) {
            pass.parameter_gradients.put(run.cell.weight, task.weight);
            pass.parameter_gradients.put(run.cell.bias, task.bias);
            if let Some(to) = pass.zeroed(self.input) {
                let rows = run.order.inputs.iter().zip(0..);
                rows.for_each(|(&to_row, row)| simd::add(to.row_mut(to_row as usize), run.input.row(row)));
            }
            let buffers = &mut pass.gradients.buffers;
            buffers.give_packed(task.packed);
            run.into_matrices().into_iter().for_each(|matrix| buffers.give(matrix));
        }
        pass.gradients.buffers.give(gradient);
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        self.runs.into_iter().flat_map(Run::into_matrices).for_each(|matrix| buffers.give(matrix));
    }
}

vectorised! {
    /// One word of one sentence: completes and activates the gates in place, updates the cell state, and writes its tanh and the new
    /// hidden state.
    fn step(gates: &mut [f32], added: &[f32], memory: &mut [f32], squashed: &mut [f32], state: &mut [f32]) {
        let size = memory.len();
        for start in (0..size).step_by(LANES) {
            let mut lanes = completed(gates, added, start);
            let mut cell = load(memory, start);
            let (mut tangent, mut result) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                let (input, forget) = (simd::sigmoid::<FUSED>(lanes[0][lane]), simd::sigmoid::<FUSED>(lanes[1][lane]));
                let (candidate, output) = (simd::tanh::<FUSED>(lanes[2][lane]), simd::sigmoid::<FUSED>(lanes[3][lane]));
                let now = forget * cell[lane] + input * candidate;
                (lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]) = (input, forget, candidate, output);
                cell[lane] = now;
                tangent[lane] = simd::tanh::<FUSED>(now);
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
    /// The same for inference: factors are combined before dividing, three divisions instead of five.
    fn advance(gates: &[f32], added: &[f32], memory: &mut [f32], state: &mut [f32]) {
        // Beyond this, tanh is 1 in f32, and no product below overflows.
        const FLAT: f32 = 20.0;
        let size = memory.len();
        for start in (0..size).step_by(LANES) {
            let lanes = completed(gates, added, start);
            let (mut cell, mut result) = (load(memory, start), [0.0; LANES]);
            for lane in 0..LANES {
                // The reciprocal of each gate, and for each tanh the exponential it is computed from.
                let (input, forget) = (1.0 + simd::exp::<FUSED>(-lanes[0][lane]), 1.0 + simd::exp::<FUSED>(-lanes[1][lane]));
                let candidate = simd::exp::<FUSED>(2.0 * lanes[2][lane].clamp(-FLAT, FLAT));
                let output = 1.0 + simd::exp::<FUSED>(-lanes[3][lane]);
                let now = cell[lane] / forget + (candidate - 1.0) / (input * (candidate + 1.0));
                let squashed = simd::exp::<FUSED>(2.0 * now.clamp(-FLAT, FLAT));
                cell[lane] = now;
                result[lane] = (squashed - 1.0) / (output * (squashed + 1.0));
            }
            store(memory, start, &cell);
            store(state, start, &result);
        }
    }
}

vectorised! {
    /// Replaces the gates by their gradients; `memory_gradient` is the gradient of the cell state after the word and becomes that before
    /// it.
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

/// The number of elements processed at a time.
const LANES: usize = 16;

/// The next elements of the four gates, with the input's contribution added.
#[inline(always)]
fn completed(gates: &[f32], added: &[f32], start: usize) -> [[f32; LANES]; 4] {
    let size = gates.len() / 4;
    let mut lanes = [[0.0; LANES]; 4];
    for (gate, lanes) in lanes.iter_mut().enumerate() {
        *lanes = load(&gates[gate * size..][..size], start);
        let added = load(&added[gate * size..][..size], start);
        (0..LANES).for_each(|lane| lanes[lane] += added[lane]);
    }
    lanes
}

/// The next elements, padded with zeros.
#[inline(always)]
fn load(from: &[f32], start: usize) -> [f32; LANES] {
    let from = &from[start..];
    from.first_chunk().copied().unwrap_or_else(|| {
        // The tail is processed as a whole vector too: one by one, its few elements would take as long as all the others.
        let mut lanes = [0.0; LANES];
        lanes[..from.len()].copy_from_slice(from);
        lanes
    })
}

/// Writes back what [`load`] has read.
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
    use acidtest_nli::Seed;
    use std::sync::Arc;

    #[test]
    fn gradients_agree_with_finite_differences() {
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
        // Several words share a row.
        check(
            &[(4, 3)],
            |parameters| BiLstm::new(parameters, "lstm", 3, 2),
            |tape, lstm, inputs| {
                let words = WordRows { rows: inputs[0], places: Some(Arc::new(vec![3, 0, 1, 3, 3, 0, 2])) };
                tape.bilstm(&[(*lstm, 0..4)], words, &segments)
            },
        );
    }

    #[test]
    fn later_time_steps_have_only_the_longer_sentences() {
        let places = Some(Arc::new(vec![5, 6, 5, 7]));
        let words = WordRows {
            places,
            ..WordRows::from(Tape::new(&Parameters::new(Seed::new(1)), TapeMode::Inference, Buffers::default()).constant(Matrix::default()))
        };
        let order = Order::new(&Segments::of_lengths([1, 3]), 0..2, Direction::Backward, &words);
        assert_eq!((order.words, order.steps, order.rows), (vec![3, 0, 2, 1], vec![0, 2, 3, 4], vec![1, 3, 2, 0]));
        // Equal words read the same row.
        assert_eq!((order.inputs, order.shared), (vec![7, 5, 6], Some(vec![0, 1, 1, 2])));
    }

    #[test]
    fn the_inference_step_gives_the_same_state_even_for_large_gates() {
        let numbers = [-200.0, -30.0, -1.5, -1e-3, 0.0, 0.7, 8.0, 90.0f32];
        let size = numbers.len();
        for shift in 0..size {
            let mut gates: Vec<f32> = (0..4 * size).map(|place| numbers[(place * (place / size + 1) + shift) % size]).collect();
            let added = vec![0.25; 4 * size];
            let mut memory = numbers.map(|number| number / 10.0);
            let (mut memory_only, mut state_only) = (memory, [0.0; 8]);
            advance(&gates, &added, &mut memory_only, &mut state_only);
            let (mut squashed, mut state) = ([0.0; 8], [0.0; 8]);
            step(&mut gates, &added, &mut memory, &mut squashed, &mut state);
            let close =
                |found: &[f32], expected: &[f32]| found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
            assert!(close(&memory_only, &memory) && close(&state_only, &state), "{memory_only:?} {state_only:?}, not {memory:?} {state:?}");
        }
    }
}
