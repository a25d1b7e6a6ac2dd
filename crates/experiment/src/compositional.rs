//! CS_λ: the rows of a corpus whose words mislead, by the lexically-misleading score (Nie et al. 2018, section 5.4).

use crate::set::{MakesRows, SetError};
use acidtest_challenge::{Coverage, NotApplicable};
use acidtest_evaluate::analysis::misleading::Misleading;
use acidtest_model::LexicalModel;
use acidtest_nli::{Example, tag};

/// Takes the rows of CS_λ out of a corpus.
///
/// The rows are not changed and keep their ids, so that predictions for the whole corpus are predictions for the subset.
pub struct CompositionalRows<'m> {
    /// The model that sees nothing but words.
    pub model: &'m LexicalModel,
    /// The least score.
    pub lambda: f64,
}

impl MakesRows for CompositionalRows<'_> {
    fn rows_of<'a>(&'a self, example: &Example<'a>, coverage: &mut Coverage) -> Result<Vec<Example<'a>>, SetError> {
        let Some(gold) = example.gold.and_then(|gold| gold.label()) else {
            coverage.not_applicable(NotApplicable("no exact gold label"));
            return Ok(Vec::new());
        };
        let found = Misleading::of(self.model.unseen_probabilities(&example.pair)?, gold);
        if !found.is_in(self.lambda) {
            coverage.not_applicable(NotApplicable("the words mislead less than lambda"));
            return Ok(Vec::new());
        }
        coverage.made(1);
        let mut row = example.clone();
        row.tags.set(tag::LMS, format!("{:.4}", found.score));
        row.tags.set(tag::LAMBDA, self.lambda.to_string());
        Ok(vec![row])
    }
}
