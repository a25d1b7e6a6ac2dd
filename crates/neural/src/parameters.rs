//! The parameters of a network, by name, and their gradients.

use crate::matrix::Matrix;
use crate::precision::Reduced;
use crate::product::{Packed, Sum};
use crate::simd;
use acidtest_nli::{Rng, Seed};
use acidtest_threads::{Grain, for_each};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Identifies one parameter of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterId(pub(crate) usize);

/// Whether training changes a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterUpdate {
    /// The optimiser updates all of it at every step.
    Dense,
    /// The optimiser updates the rows that a batch used.
    Rows,
    /// It is frozen.
    Frozen,
}

/// Whether weight decay shrinks a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decay {
    /// It does.
    Applied,
    /// It does not: biases and the gains of norms.
    Skipped,
}

/// How a parameter is initialised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Initial {
    /// A constant.
    Constant(f32),
    /// Uniform between minus and plus this number.
    Uniform(f32),
    /// Glorot uniform (Glorot and Bengio 2010).
    Glorot,
    /// Glorot uniform, where each block of this many rows is a matrix of its own: the gates of an LSTM.
    GlorotBlocks(usize),
    /// Zeros, with ones in the second block of this many elements: LSTM biases with a forget bias of 1.
    ForgetGate(usize),
}

/// One named parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, which is also its name in a weights file.
    pub name: String,
    /// Its value.
    pub value: Matrix,
    /// Whether training changes it.
    pub change: ParameterUpdate,
    /// Whether weight decay shrinks it.
    pub decay: Decay,
    /// The factor of the learning rate.
    pub rate_factor: f32,
    packed: Mutex<Vec<PackedPart>>,
}

#[derive(Debug)]
struct PackedPart {
    form: Form,
    columns: Range<usize>,
    packed: Arc<Packed>,
    age: Age,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Age {
    Fresh,
    Stale,
}

/// The orientation in which a weight is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// As stored, one row per output: for the gradient of the input.
    Plain,
    /// Transposed, one column per output: for the forward pass.
    Transposed,
}

/// The form in which a weight is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The weight itself.
    Plain(Orientation),
    /// Its transpose in fewer bits.
    Reduced(Reduced),
    /// Folded from a weight over `[a, b, a - b, a * b]` to one over `[a, b, a * b]`, one column for each output.
    Folded,
}

impl Parameter {
    /// Every parameter whose name contains "bias" is not decayed: the rule of the `transformers` library.
    fn new(name: &str, value: Matrix, change: ParameterUpdate) -> Self {
        let decay = if name.contains("bias") { Decay::Skipped } else { Decay::Applied };
        Parameter { name: name.to_owned(), value, change, decay, rate_factor: 1.0, packed: Mutex::default() }
    }

    /// Some columns of the parameter, packed for a product. The result is cached until the parameter changes.
    pub fn packed(&self, orientation: Orientation, columns: Range<usize>) -> Arc<Packed> {
        let view = self.value.view().columns(columns.clone());
        self.packed_by(Form::Plain(orientation), columns, |packed| match orientation {
            Orientation::Plain => packed.fill(view),
            Orientation::Transposed => packed.fill(view.transposed()),
        })
    }

    /// The transposed parameter, packed for products in fewer bits.
    pub(crate) fn packed_in(&self, reduced: Reduced) -> Arc<Packed> {
        self.packed_by(Form::Reduced(reduced), 0..self.value.columns, |packed| reduced.pack(self.value.view().transposed(), packed))
    }

    /// Some columns of the parameter as `fill` packs them. The result is cached until the parameter changes.
    pub(crate) fn packed_by(&self, form: Form, columns: Range<usize>, fill: impl FnOnce(&mut Packed)) -> Arc<Packed> {
        // Removed from the cache while it is packed: the lock must not be held during work that may move between threads.
        let lock = || self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        let found = {
            let mut parts = lock();
            let place = parts.iter().position(|part| part.form == form && part.columns == columns);
            match place {
                Some(place) if parts[place].age == Age::Fresh => return Arc::clone(&parts[place].packed),
                Some(place) => parts.swap_remove(place).packed,
                None => Arc::default(),
            }
        };
        let mut packed = Arc::into_inner(found).unwrap_or_default();
        fill(&mut packed);
        let packed = Arc::new(packed);
        let mut parts = lock();
        if let Some(part) = parts.iter().find(|part| part.form == form && part.columns == columns) {
            // Another thread was faster; keeping both would mean packing both again at every step.
            return Arc::clone(&part.packed);
        }
        parts.push(PackedPart { form, columns, packed: Arc::clone(&packed), age: Age::Fresh });
        packed
    }

    /// The value, mutable; drops the packed copies.
    pub fn value_mut(&mut self) -> &mut Matrix {
        for part in self.packed.get_mut().unwrap_or_else(PoisonError::into_inner) {
            part.age = Age::Stale;
        }
        &mut self.value
    }
}

/// All parameters of a network, in the order in which they were declared.
#[derive(Debug)]
pub struct Parameters {
    seed: Seed,
    list: Vec<Parameter>,
    /// Tables given before they are declared.
    provided: Vec<(&'static str, Matrix)>,
    /// What is known of the file, if the values will be loaded from one.
    loading: Option<Loading>,
    /// The first parameter whose shape differs from the file's.
    misfit: Option<Misfit>,
    /// The shapes declared so far, if the values will be loaded.
    declared: Vec<(usize, usize)>,
}

/// What is known of a file before its values are loaded.
#[derive(Debug)]
struct Loading {
    /// The shapes by name.
    shapes: HashMap<String, (usize, usize)>,
    fresh: Option<Fresh>,
    /// The names of the parameters that were initialised, because the file lacks them or has another shape.
    initialised: Vec<String>,
}

/// The parameters of a file that may be missing, such as those of a head, and how they are initialised: weights with normal numbers,
/// biases with 0 and gains with 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Fresh {
    /// How their names begin.
    pub prefixes: Vec<String>,
    /// The standard deviation of weights.
    pub deviation: f32,
    /// The seed of this training.
    pub seed: Seed,
}

/// A parameter that is missing from a file or has another shape there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The name of the parameter.
    pub name: String,
    /// Its shape in the network.
    pub shape: (usize, usize),
}

impl Parameters {
    /// No parameters yet; those declared later are initialised from this seed and their name.
    pub fn new(seed: Seed) -> Self {
        Parameters { seed, list: Vec::new(), provided: Vec::new(), loading: None, misfit: None, declared: Vec::new() }
    }

    /// No parameters yet; those declared later must have these shapes. They are zero until loaded, and a mismatch allocates nothing.
    pub(crate) fn to_load(shapes: HashMap<String, (usize, usize)>) -> Self {
        let loading = Loading { shapes, fresh: None, initialised: Vec::new() };
        Parameters { loading: Some(loading), ..Parameters::new(Seed::new(0).child("weights")) }
    }

    /// The same, but some parameters may be missing.
    pub(crate) fn to_load_with(shapes: HashMap<String, (usize, usize)>, fresh: &Fresh) -> Self {
        let loading = Loading { shapes, fresh: Some(fresh.clone()), initialised: Vec::new() };
        Parameters { loading: Some(loading), ..Parameters::new(fresh.seed.child("weights")) }
    }

    /// The names of the parameters that were initialised, because the file lacks them or has another shape.
    pub fn initialised(&self) -> &[String] {
        self.loading.as_ref().map_or(&[], |loading| &loading.initialised)
    }

    /// The shapes declared so far, if the values will be loaded.
    pub(crate) fn declared(&self) -> &[(usize, usize)] {
        &self.declared
    }

    /// The first parameter whose shape differs from the file's.
    pub(crate) fn misfit(&self) -> Option<&Misfit> {
        self.misfit.as_ref()
    }

    /// Declares a parameter that every step updates. Its value may be loaded later, so a network must not read it while it is being
    /// built.
    pub fn declare(&mut self, name: &str, rows: usize, columns: usize, initial: Initial) -> ParameterId {
        if self.loading.is_some() {
            return self.declare_to_load(name, (rows, columns), ParameterUpdate::Dense, initial);
        }
        let mut rng = self.seed.child(name).rng();
        let limit = |outputs: usize| (6.0 / (outputs + columns) as f32).sqrt();
        let data = match initial {
            Initial::Constant(number) => vec![number; rows * columns],
            Initial::Uniform(limit) => uniform(&mut rng, rows * columns, limit),
            Initial::Glorot => uniform(&mut rng, rows * columns, limit(rows)),
            Initial::GlorotBlocks(block) => uniform(&mut rng, rows * columns, limit(block)),
            Initial::ForgetGate(block) => {
                let mut numbers = vec![0.0; rows * columns];
                numbers[block..2 * block].fill(1.0);
                numbers
            }
        };
        self.insert(name, Matrix::from_vec(rows, columns, data), ParameterUpdate::Dense)
    }

    /// Declares an embedding table, one row per id: the provided one, or normal numbers seeded by name and row.
    pub fn table(&mut self, name: &str, rows: usize, columns: usize, change: ParameterUpdate) -> ParameterId {
        if self.loading.is_some() {
            return self.declare_to_load(name, (rows, columns), change, Initial::Glorot);
        }
        let fits = |(own, matrix): &(&str, Matrix)| *own == name && (matrix.rows, matrix.columns) == (rows, columns);
        let value = match self.provided.iter().position(fits) {
            Some(place) => self.provided.swap_remove(place).1,
            None => crate::embeddings::normal_rows(rows, columns, self.seed.child(name)),
        };
        self.insert(name, value, change)
    }

    fn declare_to_load(&mut self, name: &str, shape: (usize, usize), change: ParameterUpdate, initial: Initial) -> ParameterId {
        self.declared.push(shape);
        let fits = self.loading.as_ref().is_some_and(|loading| loading.shapes.get(name) == Some(&shape));
        if !fits
            && self.misfit.is_none()
            && let Some(value) = self.fresh_value(name, shape, initial)
        {
            return self.insert(name, value, change);
        }
        if !fits && self.misfit.is_none() {
            self.misfit = Some(Misfit { name: name.to_owned(), shape });
        }
        if self.misfit.is_some() {
            // The network will not be used, so the parameter gets no memory.
            self.list.push(Parameter::new(name, Matrix::default(), change));
            return ParameterId(self.list.len() - 1);
        }
        self.insert(name, Matrix::zeros(shape.0, shape.1), change)
    }

    /// The initial value of a parameter that may be missing, of which is taken note.
    fn fresh_value(&mut self, name: &str, (rows, columns): (usize, usize), initial: Initial) -> Option<Matrix> {
        let seed = self.seed.child(name);
        let Loading { fresh, initialised, .. } = self.loading.as_mut()?;
        let fresh = fresh.as_ref().filter(|fresh| fresh.prefixes.iter().any(|prefix| name.starts_with(prefix)))?;
        initialised.push(name.to_owned());
        if let Initial::Constant(number) = initial {
            return Some(Matrix::from_vec(rows, columns, vec![number; rows * columns]));
        }
        let mut value = crate::embeddings::normal_rows(rows, columns, seed);
        simd::scale(&mut value.data, fresh.deviation);
        Some(value)
    }

    /// Provides a [table](Self::table) before it is declared.
    pub(crate) fn provide(&mut self, name: &'static str, value: Matrix) {
        self.provided.push((name, value));
    }

    /// Adds a parameter with this initial value.
    pub fn insert(&mut self, name: &str, value: Matrix, change: ParameterUpdate) -> ParameterId {
        assert!(self.list.iter().all(|parameter| parameter.name != name), "parameter `{name}` is declared twice");
        self.list.push(Parameter::new(name, value, change));
        ParameterId(self.list.len() - 1)
    }

    /// The seed of this network's random numbers.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// One parameter.
    pub fn get(&self, id: ParameterId) -> &Parameter {
        &self.list[id.0]
    }

    /// One parameter, mutable.
    pub fn get_mut(&mut self, id: ParameterId) -> &mut Parameter {
        &mut self.list[id.0]
    }

    /// The parameter of this name.
    pub fn named(&self, name: &str) -> Option<ParameterId> {
        self.list.iter().position(|parameter| parameter.name == name).map(ParameterId)
    }

    /// All parameters.
    pub fn iter(&self) -> impl Iterator<Item = &Parameter> {
        self.list.iter()
    }

    /// All parameters, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Parameter> {
        self.list.iter_mut()
    }
}

fn uniform(rng: &mut Rng, count: usize, limit: f32) -> Vec<f32> {
    (0..count).map(|_| (rng.unit() * 2.0 - 1.0) as f32 * limit).collect()
}

/// The gradient of one parameter.
#[derive(Debug)]
pub enum Gradient {
    /// For a frozen parameter, or one that the batch did not use.
    None,
    /// For the whole parameter.
    Dense(Matrix),
    /// For the rows that the batch used, in ascending order.
    Rows {
        /// The rows.
        ids: Vec<u32>,
        /// Their gradients, one row each.
        values: Matrix,
    },
}

impl Gradient {
    /// The elements of the gradient, without their positions.
    pub fn numbers(&self) -> &[f32] {
        match self {
            Gradient::None => &[],
            Gradient::Dense(values) | Gradient::Rows { values, .. } => &values.data,
        }
    }
}

/// The gradients of all parameters of a network.
#[derive(Debug)]
pub struct Gradients {
    list: Vec<Gradient>,
    /// Dense gradients keep their memory between steps; this says whether it holds values of this step.
    state: Vec<Sum>,
    pending_rows: Vec<Vec<(Arc<Vec<u32>>, Matrix)>>,
}

impl Gradients {
    /// No gradients yet, for these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        let count = parameters.list.len();
        Gradients {
            list: (0..count).map(|_| Gradient::None).collect(),
            state: vec![Sum::Replace; count],
            pending_rows: (0..count).map(|_| Vec::new()).collect(),
        }
    }

    /// Clears all gradients; memory is kept.
    pub fn clear(&mut self) {
        self.state.fill(Sum::Replace);
        self.pending_rows.iter_mut().for_each(Vec::clear);
    }

    /// A dense gradient, and whether to overwrite it or to add to it.
    pub fn dense(&mut self, id: ParameterId, rows: usize, columns: usize) -> (&mut Matrix, Sum) {
        let sum = std::mem::replace(&mut self.state[id.0], Sum::Add);
        if !matches!(&self.list[id.0], Gradient::Dense(_)) {
            self.list[id.0] = Gradient::Dense(Matrix::zeros(rows, columns));
        }
        match &mut self.list[id.0] {
            Gradient::Dense(matrix) => (matrix, sum),
            _ => unreachable!("it has just been made dense"),
        }
    }

    /// A dense gradient, zeroed if this step has not written it yet.
    pub fn zeroed(&mut self, id: ParameterId, rows: usize, columns: usize) -> &mut Matrix {
        let (matrix, sum) = self.dense(id, rows, columns);
        if sum == Sum::Replace {
            // A table of words can have 100 MB.
            for_each(matrix.data.chunks_mut(1 << 20).collect::<Vec<_>>(), Grain::Single, |numbers| numbers.fill(0.0));
        }
        matrix
    }

    /// Takes a dense gradient out, so that several can be written in parallel; [`put`](Self::put) it back.
    pub fn take(&mut self, id: ParameterId, rows: usize, columns: usize) -> (Matrix, Sum) {
        let (matrix, sum) = self.dense(id, rows, columns);
        (std::mem::take(matrix), sum)
    }

    /// Puts back a gradient that was taken out.
    pub fn put(&mut self, id: ParameterId, matrix: Matrix) {
        self.list[id.0] = Gradient::Dense(matrix);
    }

    /// Adds gradients for rows of an embedding table: one row of `values` per id; ids may repeat.
    pub fn add_rows(&mut self, id: ParameterId, ids: Arc<Vec<u32>>, values: Matrix) {
        self.pending_rows[id.0].push((ids, values));
    }

    /// Ends the backward pass of one part of a step: adds the gradients of rows to those of whole tables.
    pub(crate) fn end_part(&mut self, parameters: &Parameters) {
        for (index, parameter) in parameters.list.iter().enumerate() {
            if parameter.change != ParameterUpdate::Dense || self.pending_rows[index].is_empty() {
                continue;
            }
            let pending = std::mem::take(&mut self.pending_rows[index]);
            let to = self.zeroed(ParameterId(index), parameter.value.rows, parameter.value.columns);
            for (ids, values) in &pending {
                ids.iter().enumerate().for_each(|(row, &id)| simd::add(to.row_mut(id as usize), values.row(row)));
            }
        }
    }

    /// Ends the last backward pass of a step: sums the gradients of repeated rows.
    pub fn finish(&mut self, parameters: &Parameters) {
        self.end_part(parameters);
        for (index, parameter) in parameters.list.iter().enumerate() {
            let pending = std::mem::take(&mut self.pending_rows[index]);
            match parameter.change {
                ParameterUpdate::Rows => self.list[index] = summed_rows(&pending, parameter.value.columns),
                ParameterUpdate::Dense if self.state[index] == Sum::Add => {}
                ParameterUpdate::Dense | ParameterUpdate::Frozen => self.list[index] = Gradient::None,
            }
        }
    }

    /// The gradient of one parameter.
    pub fn get(&self, id: ParameterId) -> &Gradient {
        &self.list[id.0]
    }

    /// All gradients, in the order of the parameters.
    pub fn iter(&self) -> impl Iterator<Item = &Gradient> {
        self.list.iter()
    }
}

/// Sums the gradients of each row in the order they were added; rows ascend by id.
fn summed_rows(pending: &[(Arc<Vec<u32>>, Matrix)], columns: usize) -> Gradient {
    let mut order: Vec<(u32, usize, usize)> = Vec::new();
    for (part, (ids, _)) in pending.iter().enumerate() {
        order.extend(ids.iter().enumerate().map(|(row, &id)| (id, part, row)));
    }
    order.sort_unstable();
    let mut ids: Vec<u32> = Vec::with_capacity(order.len());
    let mut data: Vec<f32> = Vec::with_capacity(order.len() * columns);
    for (id, part, row) in order {
        let from = pending[part].1.row(row);
        if ids.last() == Some(&id) {
            let start = data.len() - columns;
            simd::add(&mut data[start..], from);
        } else {
            ids.push(id);
            data.extend_from_slice(from);
        }
    }
    Gradient::Rows { values: Matrix::from_vec(ids.len(), columns, data), ids }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_weights_depend_on_the_name_not_on_the_order() {
        let weight = |names: &[&str]| {
            let mut parameters = Parameters::new(Seed::new(1));
            let ids: Vec<ParameterId> = names.iter().map(|name| parameters.declare(name, 2, 2, Initial::Glorot)).collect();
            parameters.get(ids[ids.len() - 1]).value.clone()
        };
        assert_eq!(weight(&["b"]), weight(&["a", "b"]));
        assert_ne!(weight(&["b"]), weight(&["a"]));
    }

    #[test]
    fn gradients_of_repeated_rows_are_summed() {
        let pending = [(Arc::new(vec![7, 2, 7]), Matrix::from_vec(3, 1, vec![1.0, 2.0, 4.0]))];
        let Gradient::Rows { ids, values } = summed_rows(&pending, 1) else { panic!("rows") };
        assert_eq!((ids, values.data), (vec![2, 7], vec![2.0, 5.0]));
    }

    #[test]
    fn a_dense_table_sums_the_gradients_of_its_rows() {
        let mut parameters = Parameters::new(Seed::new(1));
        let id = parameters.insert("table", Matrix::zeros(3, 1), ParameterUpdate::Dense);
        let mut gradients = Gradients::new(&parameters);
        for _ in 0..2 {
            gradients.clear();
            gradients.add_rows(id, Arc::new(vec![2, 0, 2]), Matrix::from_vec(3, 1, vec![1.0, 2.0, 4.0]));
            gradients.finish(&parameters);
            assert_eq!(gradients.get(id).numbers(), [2.0, 0.0, 5.0]);
        }
    }

    #[test]
    fn a_changed_weight_is_repacked() {
        let mut parameters = Parameters::new(Seed::new(1));
        let id = parameters.declare("w", 2, 2, Initial::Glorot);
        let first = parameters.get(id).packed(Orientation::Plain, 0..2);
        assert!(Arc::ptr_eq(&first, &parameters.get(id).packed(Orientation::Plain, 0..2)));
        parameters.get_mut(id).value_mut().data[0] = 9.0;
        assert!(!Arc::ptr_eq(&first, &parameters.get(id).packed(Orientation::Plain, 0..2)));
    }
}
