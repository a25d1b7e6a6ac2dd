//! Noise: a sentence in capital letters.

use crate::{Build, Case, ChallengeEntry, Family, LabelEffect, NotApplicable, PairView, Rewrite, Rewritten};
use acidtest_nli::{Rng, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) const SHOUTING: ChallengeEntry = ChallengeEntry {
    name: "shouting",
    summary: "puts the hypothesis in capital letters",
    source: "paper and section",
    family: Family::Noise,
    label: LabelEffect::Keeps,
    in_run: &[],
    needs: &[],
    split_by: &[],
    examples: &[
        Case::changed(Side::Hypothesis, "It rains.", "IT RAINS."),
        Case::not_applicable(Side::Hypothesis, "NO!", "no small letters"),
    ],
    defaults: || json!(Shouting { side: Side::Hypothesis }),
    build: Build::Rewrite(|request| Ok(Box::new(request.settings::<Shouting>()?))),
};

/// The sentence that is put in capitals.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shouting {
    side: Side,
}

impl Rewrite for Shouting {
    fn rewrite(&self, pair: &PairView<'_>, _: &mut Rng) -> Result<Vec<Rewritten>, NotApplicable> {
        let view = pair.side(self.side);
        let mut edit = view.edit();
        let small = view.words().iter().enumerate().filter(|(_, word)| word.form.contains(char::is_lowercase));
        for (place, word) in small {
            edit.replace(place..place + 1, &word.form.to_uppercase());
        }
        let edited = edit.finish()?;
        if edited.changes.is_empty() {
            return Err(NotApplicable("no small letters"));
        }
        Ok(vec![Rewritten::of_side(pair, self.side, edited)])
    }
}
