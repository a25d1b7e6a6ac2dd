//! Reverse-mode differentiation: a tape of operations with hand-written backward passes.
//!
//! Each operation is one file in [`crate::ops`], or is in the file of the one network that uses it. Its forward pass is a function of a
//! [`Tape`] that computes a value and [records](Tape::record) it; its backward pass takes the gradient of that value and adds to the
//! gradients of its inputs.

use crate::matrix::{Matrix, MatrixView};
use crate::parameters::{Gradients, Parameter, ParameterId, Parameters};
use crate::precision::Reduced;
use crate::product::{Packed, Sum};
use acidtest_nli::Seed;
use std::ops::Index;

/// A value on a tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node(usize);

/// Whether gradients will be computed.
#[derive(Debug, Clone, Copy)]
pub enum TapeMode {
    /// Only values are computed; dropout is off.
    Inference,
    /// Gradients will be computed; dropout masks are drawn from this seed, which should name the step.
    Training(Seed),
}

/// The backward pass of an operation.
pub trait Operation: Send {
    /// Takes the gradient of the operation's outputs and adds to the gradients of its inputs and parameters.
    fn backward(self: Box<Self>, pass: &mut Pass<'_>);

    /// Returns its buffers if there is no backward pass.
    fn release(self: Box<Self>, _buffers: &mut Buffers) {}
}

/// The operations of one forward pass, with their values.
pub struct Tape<'a> {
    pub(crate) parameters: &'a Parameters,
    pub(crate) mode: TapeMode,
    pub(crate) values: Values,
    pub(crate) buffers: Buffers,
    /// In inference, how products of layers are computed in fewer bits, if they are.
    pub(crate) reduced: Option<Reduced>,
    /// Which values depend on a trainable parameter.
    wanted: Vec<bool>,
    operations: Vec<Box<dyn Operation>>,
    dropouts: usize,
    /// The values that the network calls its hidden states.
    states: Vec<Node>,
}

impl<'a> Tape<'a> {
    /// An empty tape; `buffers` are those of earlier tapes.
    pub fn new(parameters: &'a Parameters, mode: TapeMode, buffers: Buffers) -> Self {
        Tape {
            parameters,
            mode,
            values: Values(Vec::new()),
            buffers,
            reduced: None,
            wanted: Vec::new(),
            operations: Vec::new(),
            dropouts: 0,
            states: Vec::new(),
        }
    }

    /// The value of a node.
    pub fn value(&self, node: Node) -> &Matrix {
        &self.values[node]
    }

    /// A value without a gradient.
    pub fn constant(&mut self, value: Matrix) -> Node {
        self.push(value, false)
    }

    /// A value with a gradient if `wanted`.
    pub(crate) fn push(&mut self, value: Matrix, wanted: bool) -> Node {
        self.values.0.push(value);
        self.wanted.push(wanted && matches!(self.mode, TapeMode::Training(_)));
        Node(self.values.0.len() - 1)
    }

    /// Records a value computed from others and from parameters, with the backward pass that `operation` makes for it. Every operation is
    /// defined this way.
    pub fn record<O: Operation + 'static>(
        &mut self,
        value: Matrix,
        inputs: &[Node],
        own_parameters: &[ParameterId],
        operation: impl FnOnce(Node) -> O,
    ) -> Node {
        let changes = |id: &ParameterId| self.parameters.get(*id).change != crate::parameters::ParameterUpdate::Frozen;
        let wanted = inputs.iter().any(|&input| self.wants(input)) || own_parameters.iter().any(changes);
        let node = self.push(value, wanted);
        self.operations.push(Box::new(operation(node)));
        node
    }

    /// Whether the gradient of a node is needed.
    pub(crate) fn wants(&self, node: Node) -> bool {
        self.wanted[node.0]
    }

    /// A matrix for a result, with arbitrary contents.
    pub fn uninitialised(&mut self, rows: usize, columns: usize) -> Matrix {
        self.buffers.take(rows, columns)
    }

    /// In inference, returns the memory of a value that is not used again; in training, gradients need it.
    pub fn discard(&mut self, node: Node) {
        if matches!(self.mode, TapeMode::Inference) {
            let value = std::mem::take(&mut self.values.0[node.0]);
            self.buffers.give(value);
        }
    }

    /// Says that a value is the next hidden state of the network, for those who look inside.
    pub fn hidden_state(&mut self, node: Node) -> Node {
        self.states.push(node);
        node
    }

    /// The hidden states so far.
    pub fn hidden_states(&self) -> &[Node] {
        &self.states
    }

    /// A parameter of the network.
    pub fn parameter(&self, id: ParameterId) -> &'a Parameter {
        self.parameters.get(id)
    }

    /// The number of dropouts so far, which seeds the next one.
    pub(crate) fn next_dropout(&mut self) -> usize {
        self.dropouts += 1;
        self.dropouts - 1
    }

    /// Runs the backward pass from a single number, fills the parameter gradients and returns the buffers.
    pub fn backward(self, loss: Node, gradients: &mut Gradients) -> Buffers {
        let parameters = self.parameters;
        let buffers = self.backward_of_part(loss, gradients);
        gradients.finish(parameters);
        buffers
    }

    /// The same for one part of a step, whose gradients others are added to.
    pub(crate) fn backward_of_part(self, loss: Node, gradients: &mut Gradients) -> Buffers {
        let Tape { parameters, values, buffers, wanted, operations, .. } = self;
        assert_eq!(values[loss].data.len(), 1, "the gradient is that of one number");
        let slots = (0..values.0.len()).map(|_| None).collect();
        let mut pass = Pass { parameters, values, parameter_gradients: gradients, gradients: NodeGradients { slots, wanted, buffers } };
        if pass.gradients.wants(loss) {
            pass.gradients.slots[loss.0] = Some(Matrix::from_vec(1, 1, vec![1.0]));
        }
        for operation in operations.into_iter().rev() {
            operation.backward(&mut pass);
        }
        pass.parameter_gradients.end_part(parameters);
        let mut buffers = pass.gradients.buffers;
        pass.values.0.into_iter().chain(pass.gradients.slots.into_iter().flatten()).for_each(|matrix| buffers.give(matrix));
        buffers
    }

    /// Ends a tape without a backward pass and returns the buffers.
    pub fn finish(self) -> Buffers {
        let mut buffers = self.buffers;
        self.operations.into_iter().for_each(|operation| operation.release(&mut buffers));
        self.values.0.into_iter().for_each(|matrix| buffers.give(matrix));
        buffers
    }
}

/// The values of the forward pass.
pub struct Values(Vec<Matrix>);

impl Index<Node> for Values {
    type Output = Matrix;
    fn index(&self, node: Node) -> &Matrix {
        &self.0[node.0]
    }
}

/// What a backward pass reads and writes.
pub struct Pass<'a> {
    /// The network's parameters.
    pub parameters: &'a Parameters,
    /// The values of the forward pass.
    pub values: Values,
    /// The gradients of the parameters, which operations add to.
    pub parameter_gradients: &'a mut Gradients,
    /// The gradients of the values, which operations add to.
    pub gradients: NodeGradients,
}

impl Pass<'_> {
    /// Takes the gradient of an operation's output; `None` if nothing later used the output.
    pub fn take(&mut self, output: Node) -> Option<Matrix> {
        self.gradients.slots[output.0].take()
    }

    /// Whether training changes a parameter, so that its gradient is needed.
    pub fn trains(&self, id: ParameterId) -> bool {
        self.parameters.get(id).change != crate::parameters::ParameterUpdate::Frozen
    }

    /// The gradient of a value, zeroed if nothing was added yet; `None` if it is not needed.
    pub fn zeroed(&mut self, node: Node) -> Option<&mut Matrix> {
        let (rows, columns) = (self.values[node].rows, self.values[node].columns);
        self.gradients.zeroed(node, rows, columns)
    }
}

/// The gradients of the values of a tape.
pub struct NodeGradients {
    slots: Vec<Option<Matrix>>,
    wanted: Vec<bool>,
    /// Buffers for reuse.
    pub buffers: Buffers,
}

impl NodeGradients {
    /// Whether the gradient of this node is needed.
    pub fn wants(&self, node: Node) -> bool {
        self.wanted[node.0]
    }

    /// The gradient of a node, and whether to overwrite it or to add to it; `None` if it is not needed.
    pub fn slot(&mut self, node: Node, rows: usize, columns: usize) -> Option<(&mut Matrix, Sum)> {
        if !self.wants(node) {
            return None;
        }
        let slot = &mut self.slots[node.0];
        let sum = if slot.is_some() { Sum::Add } else { Sum::Replace };
        Some((slot.get_or_insert_with(|| self.buffers.take(rows, columns)), sum))
    }

    /// The gradient of a node, zeroed if nothing was added yet; `None` if it is not needed.
    pub fn zeroed(&mut self, node: Node, rows: usize, columns: usize) -> Option<&mut Matrix> {
        let (matrix, sum) = self.slot(node, rows, columns)?;
        if sum == Sum::Replace {
            matrix.data.fill(0.0);
        }
        Some(matrix)
    }

    /// Adds a whole matrix to a gradient, without a copy if it is the first.
    pub fn give(&mut self, node: Node, gradient: Matrix) {
        if !self.wants(node) {
            return self.buffers.give(gradient);
        }
        match &mut self.slots[node.0] {
            Some(sum) => {
                crate::simd::add(&mut sum.data, &gradient.data);
                self.buffers.give(gradient);
            }
            slot => *slot = Some(gradient),
        }
    }
}

/// Buffers that are reused between training steps, so that steps do not allocate.
#[derive(Debug, Default)]
pub struct Buffers {
    free: Vec<Vec<f32>>,
    packed: Vec<Packed>,
}

impl Buffers {
    /// A matrix with arbitrary contents.
    pub fn take(&mut self, rows: usize, columns: usize) -> Matrix {
        let length = rows * columns;
        let fits = |buffer: &Vec<f32>| buffer.capacity() >= length && buffer.capacity() <= 4 * length.max(1024);
        let best = (0..self.free.len()).filter(|&index| fits(&self.free[index])).min_by_key(|&index| self.free[index].capacity());
        // Reserve extra capacity: the next batch may have a few more words.
        let mut data = best.map_or_else(|| Vec::with_capacity(length + length / 4), |index| self.free.swap_remove(index));
        data.resize(length, 0.0);
        Matrix { rows, columns, data }
    }

    /// Returns a matrix's memory.
    pub fn give(&mut self, matrix: Matrix) {
        // A transformer of 24 layers has some 600 values and gradients.
        const KEPT: usize = 1024;
        if matrix.data.capacity() > 0 && self.free.len() < KEPT {
            self.free.push(matrix.data);
        }
    }

    /// Packs a matrix for one product, in a reused buffer; return it with [`give_packed`](Self::give_packed).
    pub fn pack(&mut self, matrix: MatrixView<'_>) -> Packed {
        let mut packed = self.packed.pop().unwrap_or_default();
        packed.fill(matrix);
        packed
    }

    /// Returns the memory of a packed matrix.
    pub fn give_packed(&mut self, packed: Packed) {
        self.packed.push(packed);
    }
}
