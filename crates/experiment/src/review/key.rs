//! The key of a review: what judges must not see, by which their sheets are read.

use super::problem::ReviewProblem;
use crate::error::Error;
use crate::spec::DataSpec;
use acidtest_evaluate::analysis::review::{LabelScale, Question};
use acidtest_files::{ContentHash, FileHashes, check_seal, note_read, seal_json};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the key in the folder of a review.
pub const KEY_FILE: &str = "review.json";

/// The version of the form.
const VERSION: u32 = 1;

/// The largest key that is read.
const LARGEST_MB: u64 = 256;

/// Everything that is known of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewKey {
    /// The version of the form.
    pub review: u32,
    /// The set that the items were drawn from.
    pub set: KeySet,
    /// The seed.
    pub seed: u64,
    /// What is asked.
    pub questions: Vec<Question>,
    /// How finely the set tells labels apart.
    pub scale: LabelScale,
    /// The items in the order of their numbers, from 1.
    pub items: Vec<KeyItem>,
    /// The sheets and the page, as they were written.
    pub files: FileHashes,
    #[serde(default, skip_serializing)]
    hash: Option<ContentHash>,
}

/// The set that items were drawn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeySet {
    /// What reports call it.
    pub name: String,
    /// The hash of its content: ids, labels and texts.
    pub hash: String,
    /// How many examples it has.
    pub examples: u64,
    /// Its files and how they are read.
    pub data: DataSpec,
}

/// An item that judges see without its label and tags.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyItem {
    /// The id of the example.
    pub id: String,
    /// Its label in the set; `-` if it has none.
    pub gold: String,
    /// A hash of the sentences that judges see.
    pub texts: ContentHash,
    /// Its tags.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

impl ReviewKey {
    pub(super) fn new(
        set: KeySet,
        seed: u64,
        (questions, scale): (Vec<Question>, LabelScale),
        items: Vec<KeyItem>,
        files: FileHashes,
    ) -> Self {
        ReviewKey { review: VERSION, set, seed, questions, scale, items, files, hash: None }
    }

    /// The columns of the sheets.
    pub(super) fn columns(&self) -> Vec<&'static str> {
        columns(&self.questions)
    }

    /// The text of the file.
    pub(super) fn written(&self) -> String {
        seal_json(&serde_json::to_string_pretty(self).expect("a key is JSON"))
    }

    /// Reads a key to the last bit as it was written.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let key: ReviewKey = read_sealed(path, "the key of a review (review.json)")?;
        if key.review != VERSION {
            let detail = format!("it has format version {}, but only version {VERSION} can be read", key.review);
            return Err(unreadable(path, "the key of a review (review.json)", detail));
        }
        Ok(key)
    }
}

/// The columns of the sheets: who judges, what is judged, one for each question, and a note.
pub(super) fn columns(questions: &[Question]) -> Vec<&'static str> {
    let original: &[&str] = if questions.contains(&Question::Relation) { &["original premise", "original hypothesis"] } else { &[] };
    let shown = ["judge", "item"].into_iter().chain(original.iter().copied()).chain(["premise", "hypothesis"]);
    shown.chain(questions.iter().map(|question| question.name())).chain(["note"]).collect()
}

/// A hash of the sentences of an item, however their line endings are written.
pub(super) fn texts_hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> ContentHash {
    let mut content = Vec::new();
    for text in texts {
        content.extend_from_slice(one_line_ending(text).as_bytes());
        // No text holds this byte, so that the borders between the texts count.
        content.push(0xff);
    }
    ContentHash::of(&content)
}

fn one_line_ending(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Reads a JSON file that ends in its own hash.
pub(super) fn read_sealed<T: serde::de::DeserializeOwned>(path: &Path, what: &'static str) -> Result<T, Error> {
    note_read(path);
    let bytes = read_bounded(path, LARGEST_MB)?;
    check_seal(&bytes).map_err(|detail| unreadable(path, what, detail))?;
    serde_json::from_slice(&bytes).map_err(|error| unreadable(path, what, error.to_string()))
}

fn unreadable(path: &Path, what: &'static str, detail: String) -> Error {
    Error::Review { path: path.display().to_string(), problem: ReviewProblem::Unreadable { what, detail } }
}

/// All bytes of a file that is not larger than this.
pub(super) fn read_bounded(path: &Path, megabytes: u64) -> Result<Vec<u8>, Error> {
    use std::io::Read;
    let failed = |source| Error::File { path: path.display().to_string(), source };
    if path.is_dir() {
        return Err(failed(std::io::Error::other("this is a folder (expected a file)")));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take((megabytes << 20) + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > megabytes << 20 {
        return Err(failed(std::io::Error::other(format!("the file is larger than {megabytes} MB (is this a review file?)"))));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_are_shown_originals_come_first() {
        assert_eq!(columns(&[Question::Label, Question::Grammar]), ["judge", "item", "premise", "hypothesis", "label", "grammar", "note"]);
        let relation = columns(&[Question::Relation]);
        assert_eq!(relation[2..6], ["original premise", "original hypothesis", "premise", "hypothesis"]);
    }

    #[test]
    fn line_endings_and_borders_of_texts() {
        assert_eq!(texts_hash(["a\r\nb", "c"]), texts_hash(["a\nb", "c"]));
        assert_ne!(texts_hash(["ab", "c"]), texts_hash(["a", "bc"]));
    }
}
