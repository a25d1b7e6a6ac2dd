//! The result of a review, kept beside the set that was judged.

use super::key::{ReviewKey, read_sealed};
use super::problem::ReviewProblem;
use crate::data::LoadedData;
use crate::error::Error;
use crate::session::Session;
use acidtest_evaluate::analysis::corrected::SetReview;
use acidtest_evaluate::analysis::review::{Majority, Question, Review};
use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::statistics::Proportion;
use acidtest_files::{ContentHash, seal_json};
use acidtest_nli::{Judgment, LabelNames};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version of the form.
const VERSION: u32 = 1;

const WHAT: &str = "the stored result of a review";

/// What the judges said, item by item and counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredReview {
    /// The version of the form.
    stored_review: u32,
    /// The name of the set.
    set: String,
    /// The hash of its content: ids, labels and texts.
    set_hash: String,
    /// How many judges there were.
    judges: usize,
    /// By question, how many of the judged items are as they should be.
    validity: BTreeMap<Question, Proportion>,
    /// What the majority says of each item.
    items: Vec<StoredItem>,
    #[serde(default, skip_serializing)]
    hash: Option<ContentHash>,
}

/// What the majority says of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredItem {
    id: String,
    gold: String,
    /// By question; nothing where there is no majority or no answer.
    majority: BTreeMap<Question, String>,
}

impl StoredReview {
    pub(super) fn of(review: &Review, key: &ReviewKey) -> Self {
        let item = |item: &acidtest_evaluate::analysis::review::ReviewedItem| {
            let said = |(number, question): (usize, &Question)| {
                let Majority::Answer(answer) = review.majority(item, number) else { return None };
                let label = review.label(item).filter(|_| *question == Question::Label).map(|label| label.name());
                Some((*question, label.unwrap_or_else(|| question.choices()[answer].value).to_string()))
            };
            StoredItem {
                id: item.id.clone(),
                gold: item.gold.map_or("-", Judgment::name).to_string(),
                majority: review.questions.iter().enumerate().filter_map(said).collect(),
            }
        };
        let validity = |question: &Question| Some((*question, review.validity(*question)?));
        StoredReview {
            stored_review: VERSION,
            set: key.set.name.clone(),
            set_hash: key.set.hash.clone(),
            judges: review.judges.len(),
            validity: review.questions.iter().filter_map(validity).collect(),
            items: review.items.iter().map(item).collect(),
            hash: None,
        }
    }

    /// The text of the file.
    pub(super) fn written(&self) -> String {
        seal_json(&serde_json::to_string_pretty(self).expect("a stored review is JSON"))
    }

    fn read(path: &Path) -> Result<Self, Error> {
        read_sealed(path, WHAT)
    }

    fn of_set(&self, file: &Path) -> SetReview {
        let label = |item: &StoredItem| {
            let label = item.majority.get(&Question::Label)?;
            Some((item.id.clone(), LabelNames::default().gold(label).ok().flatten()?))
        };
        SetReview {
            file: file.display().to_string(),
            judges: self.judges,
            items: self.items.len(),
            labels: self.items.iter().filter_map(label).collect(),
            unchanged: self.validity.get(&Question::Relation).copied(),
        }
    }
}

/// The file beside a set that holds the result of its review.
pub(super) fn beside(set: &Path) -> PathBuf {
    let mut name = set.as_os_str().to_os_string();
    name.push(".review.json");
    PathBuf::from(name)
}

/// The stored review of exactly these examples; one of other examples is noted and ignored.
pub(crate) fn stored_review(data: &LoadedData, set: &SetId, session: &Session<'_>) -> Result<Option<SetReview>, Error> {
    let mut found = None;
    for input in data.inputs.iter().filter(|input| input.role == "data") {
        let path = beside(Path::new(&input.path));
        if !path.is_file() {
            continue;
        }
        let stored = StoredReview::read(&path)?;
        ReviewProblem::of_labels(&data.examples).map_err(|problem| Error::Review { path: path.display().to_string(), problem })?;
        if stored.set_hash == set.hash {
            found.get_or_insert(stored.of_set(&path));
        } else {
            session.note(&format!("{}: this review is of other examples and is not used", path.display()));
        }
    }
    Ok(found)
}
