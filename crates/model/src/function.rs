//! A function of one pair as a model: rules, and closures of library users.

use crate::{Model, ModelError, PredictionTaker};
use acidtest_nli::{Pair, Prediction};

/// A model that predicts one pair at a time.
///
/// ```
/// use acidtest_model::{FunctionModel, Model};
/// use acidtest_nli::{Label, Pair, Prediction};
/// let optimist = FunctionModel::new(|_: &Pair<'_>| Prediction::of(Label::Entailment));
/// assert_eq!(optimist.predictions(&[Pair::plain("It rains.", "It is wet.")])?, [Prediction::of(Label::Entailment)]);
/// # Ok::<(), acidtest_model::ModelError>(())
/// ```
pub struct FunctionModel<F> {
    function: F,
}

impl<F: Fn(&Pair<'_>) -> Prediction + Send + Sync> FunctionModel<F> {
    /// The model of this function.
    pub fn new(function: F) -> Self {
        FunctionModel { function }
    }
}

impl<F: Fn(&Pair<'_>) -> Prediction + Send + Sync> Model for FunctionModel<F> {
    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        pairs.iter().enumerate().try_for_each(|(place, pair)| take(place, (self.function)(pair)))
    }
}
