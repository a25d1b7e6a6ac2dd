//! What scored predictions show beyond accuracy: which model is better, how far accuracy drops under perturbation, which errors a model makes,
//! which shortcuts it uses.
//!
//! Every analysis takes scored predictions and returns plain data, which can be turned into sections of a report: sentences first, then numbers.
//!
//! | question | module |
//! |---|---|
//! | which of several models is better, and where? | [`comparison`] |
//! | which training method is better, by several seeds of each? | [`arms`] |
//! | how far do runs of one model differ? | [`runs`] |
//! | how far does accuracy drop under a challenge, and which predictions change? | [`perturbation`] |
//! | which errors are made? | [`errors`] |
//! | which errors on antonyms and numbers, and which antonym pairs are hard? | [`competence`] |
//! | does accuracy depend on length? | [`lengths`] |
//! | how good is the model where labels are valid? | [`label_noise`] |
//! | how good is it by the labels of judges? | [`corrected`] |
//! | what do judges say of the examples? | [`review`] |
//! | were the labels read in the right order? | [`doctor`] |
//! | which shortcuts does the model use? | [`diagnosis`] |
//! | what is worth knowing about one model? | [`findings`] |
//! | on which examples do words alone mislead? | [`misleading`] |
//! | how accurate is the model there? | [`compositional`] |
//! | how accurate is it on HANS? | [`hans`] |
//! | does that generalise to new templates? | [`templates`] |
//! | does it rely on a shortcut? | [`reliance`] |
//! | is it better than always predicting one label? | [`standing`] |

pub mod arms;
pub mod comparison;
pub mod competence;
pub mod compositional;
pub(crate) mod contrasts;
pub mod controls;
pub mod corrected;
pub mod diagnosis;
pub mod doctor;
mod error;
pub mod errors;
pub mod findings;
pub mod hans;
pub mod label_noise;
pub mod lengths;
pub mod misleading;
mod paired;
pub mod perturbation;
pub mod reliance;
pub mod review;
pub mod runs;
pub(crate) mod slices;
pub mod standing;
pub mod templates;
pub(crate) mod wording;

pub use error::AnalysisError;
pub use paired::{Paired, Testing, adjusted};

use crate::scoring::Judged;

/// A model's scored predictions with its name.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The name in reports.
    pub name: &'a str,
    /// Its scored predictions.
    pub judged: &'a Judged<'a>,
}

/// All candidates must have predictions for the same examples, scored against the same gold labels.
fn require_same_rows(candidates: &[Candidate<'_>]) -> Result<(), AnalysisError> {
    let Some((first, others)) = candidates.split_first() else { return Err(AnalysisError::TooFewModels { found: 0, needed: 1 }) };
    for other in others {
        let names = || (first.name.to_string(), other.name.to_string());
        if first.judged.scoring != other.judged.scoring {
            let (first, second) = names();
            return Err(AnalysisError::DifferentScoring { first, second });
        }
        let (expected, found) = (first.judged.scored().count(), other.judged.scored().count());
        if expected != found {
            let (first, second) = names();
            return Err(AnalysisError::DifferentCounts { first, second, expected, found });
        }
        for ((item, outcome), (other_item, other_outcome)) in first.judged.scored().zip(other.judged.scored()) {
            if item.id != other_item.id || outcome.gold != other_outcome.gold {
                let (first, second) = names();
                return Err(AnalysisError::DifferentRows { first, second, id: item.id.to_string(), other: other_item.id.to_string() });
            }
        }
    }
    Ok(())
}
