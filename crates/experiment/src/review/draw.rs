//! Draws a sample of a set and writes what judges need.

use super::key::{KEY_FILE, KeyItem, KeySet, ReviewKey, texts_hash};
use super::page::review_page;
use super::problem::ReviewProblem;
use super::sheet::{ItemTexts, empty_sheet};
use crate::error::Error;
use crate::session::Session;
use crate::spec::{DataSpec, SpecError};
use acidtest_evaluate::analysis::review::{LabelScale, Question};
use acidtest_evaluate::measurement::SetId;
use acidtest_files::{ContentHash, FileHashes, OutputFolder};
use acidtest_nli::{Example, Judgment, Seed, Side, UnknownName, grouped};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// A review to draw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewSpec {
    /// The set.
    pub data: DataSpec,
    /// How many items are drawn.
    pub items: NonZeroUsize,
    /// What is asked: `label`, `relation`, `grammar`, `difficulty`.
    pub questions: Vec<String>,
    /// How many sheets are written.
    pub judges: NonZeroUsize,
    /// The seed of the sample and of the order in which each judge sees it.
    pub seed: u64,
}

impl Default for ReviewSpec {
    fn default() -> Self {
        let many = |number: usize| NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN);
        let questions = [Question::Label, Question::Grammar, Question::Difficulty].map(|question| question.name().to_string()).to_vec();
        ReviewSpec { data: DataSpec::default(), items: many(100), questions, judges: many(3), seed: 1 }
    }
}

/// What becomes of an earlier review in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldReview {
    /// The folder must be new or empty.
    Refused,
    /// It is replaced if all its files are as they were written; one that was filled in, or any other file, is refused.
    Replaced,
}

/// A review that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnReview {
    /// How many items were drawn.
    pub items: usize,
    /// How many examples they were drawn from.
    pub from: usize,
    /// The sheets, by name.
    pub sheets: Vec<String>,
}

/// The name of the page in the folder of a review.
const PAGE_FILE: &str = "review.html";

/// Draws items from a set and writes one sheet for each judge, a page, and the key; the folder appears complete or not at all.
pub fn draw_review(spec: &ReviewSpec, folder: &Path, old: OldReview, session: &Session<'_>) -> Result<DrawnReview, Error> {
    let questions = questions(&spec.questions)?;
    refuse_used(folder, old)?;
    let loaded = spec.data.resolve_text()?.load(session)?;
    ReviewProblem::of_labels(&loaded.examples).map_err(|problem| Error::Review { path: files(&spec.data.files), problem })?;
    let set = KeySet {
        name: set_name(&spec.data.files),
        hash: SetId::of("", Vec::new(), &loaded.examples).hash,
        examples: loaded.examples.len() as u64,
        data: spec.data.clone(),
    };
    let drawable = drawable(&loaded.examples, &questions).map_err(|problem| Error::Review { path: files(&spec.data.files), problem })?;
    let drawn = draw(&drawable, spec.seed, spec.items.get());
    if drawn.len() < spec.items.get() {
        session.note(&format!("only {} examples to draw from, so the review contains all of them", grouped(drawn.len())));
    }
    let texts: Vec<ItemTexts> = drawn.iter().map(|example| shown(example, &questions)).collect();
    let mut files: Vec<(String, String)> = (1..=spec.judges.get())
        .map(|judge| format!("judge-{judge}"))
        .map(|judge| (format!("{judge}.csv"), empty_sheet(&judge, &questions, &texts, &order(spec.seed, &judge, drawn.len()))))
        .collect();
    let sheets: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    files.push((PAGE_FILE.to_string(), review_page(&questions, &texts, spec.seed)));
    let hashes: FileHashes = files.iter().map(|(name, text)| (name.clone(), ContentHash::of(text.as_bytes()))).collect();
    let two_way = loaded.examples.iter().any(|example| example.gold == Some(Judgment::NotEntailment));
    let scale = if two_way { LabelScale::TwoWay } else { LabelScale::ThreeWay };
    let items = drawn.iter().zip(&texts).map(|(example, texts)| key_item(example, texts)).collect();
    let key = ReviewKey::new(set, spec.seed, (questions, scale), items, hashes);
    let output = OutputFolder::create(folder)?;
    for (name, text) in &files {
        output.write(name, text.as_bytes())?;
    }
    output.write(KEY_FILE, key.written().as_bytes())?;
    output.finish()?;
    Ok(DrawnReview { items: drawn.len(), from: drawable.len(), sheets })
}

/// The questions of these names, each once, in the order of the columns.
fn questions(names: &[String]) -> Result<Vec<Question>, Error> {
    let find = |name: &String| {
        let found = Question::ALL.into_iter().find(|question| question.name() == name.trim());
        found.ok_or_else(|| UnknownName::among("question", Question::ALL.iter().map(|question| question.name()), name.trim()))
    };
    let mut found = names.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    let refuse = |expected: &str| Err(SpecError::new("review.questions", names.join(","), expected).into());
    if found.is_empty() || found.windows(2).any(|two| two[0] == two[1]) {
        return refuse("at least one question, each once");
    }
    if found.contains(&Question::Label) && found.contains(&Question::Relation) {
        return refuse("label or relation, not both: judges who see the original pair do not judge the changed one independently");
    }
    Ok(found)
}

/// Refuses a folder whose content would be lost.
fn refuse_used(folder: &Path, old: OldReview) -> Result<(), Error> {
    let refuse = |problem| Err(Error::Review { path: folder.display().to_string(), problem });
    let Ok(entries) = std::fs::read_dir(folder) else {
        return if folder.exists() { refuse(ReviewProblem::UsedFolder) } else { Ok(()) };
    };
    let mut names: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    names.sort();
    if names.is_empty() {
        return Ok(());
    }
    if old == OldReview::Refused {
        return refuse(ReviewProblem::UsedFolder);
    }
    let key = ReviewKey::read(&folder.join(KEY_FILE)).ok();
    for path in names {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let written = key.as_ref().and_then(|key| key.files.get(&name));
        let is_key = name == KEY_FILE && key.is_some();
        if !is_key && !std::fs::read(&path).is_ok_and(|bytes| Some(&ContentHash::of(&bytes)) == written) {
            return refuse(ReviewProblem::Judged { name });
        }
    }
    Ok(())
}

/// The examples that judges can be asked about, each id once.
fn drawable<'e>(examples: &'e [Example<'static>], questions: &[Question]) -> Result<Vec<&'e Example<'static>>, ReviewProblem> {
    let (is_drawable, what): (fn(&Example<'_>) -> bool, _) = match questions {
        [Question::Label, ..] => (|example| example.gold.is_some(), "has a gold label"),
        [Question::Relation, ..] => {
            let has_original =
                |example: &Example<'_>| !example.changes.is_empty() && example.changes.iter().all(|change| change.from.is_none());
            (has_original, "records the pair that it was made from; ask for the label")
        }
        _ => (|_| true, "is there"),
    };
    let mut ids = HashSet::new();
    let found: Vec<&Example<'static>> =
        examples.iter().filter(|example| is_drawable(example) && ids.insert(example.pair.id.as_ref())).collect();
    if found.is_empty() {
        return Err(ReviewProblem::NothingToDraw { examples: examples.len() as u64, what });
    }
    Ok(found)
}

/// A random sample, in random order; it depends on the seed and the ids alone.
fn draw<'e>(examples: &[&'e Example<'static>], seed: u64, size: usize) -> Vec<&'e Example<'static>> {
    let seed = Seed::new(seed).child("review").child("items");
    let mut numbered: Vec<(u64, &'e Example<'static>)> =
        examples.iter().map(|example| (seed.child(&example.pair.id).number(), *example)).collect();
    numbered.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.pair.id.cmp(&other.1.pair.id)));
    numbered.truncate(size);
    numbered.into_iter().map(|(_, example)| example).collect()
}

/// The order in which a judge sees the items.
fn order(seed: u64, judge: &str, items: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    Seed::new(seed).child("review").child(judge).rng().shuffle(&mut order);
    order
}

/// The sentences that judges see: those of the pair, after those that they were made from if that is the question.
fn shown(example: &Example<'_>, questions: &[Question]) -> ItemTexts {
    let pair = [&example.pair.premise.text, &example.pair.hypothesis.text].map(|text| text.to_string());
    match questions.contains(&Question::Relation) {
        true => [Side::Premise, Side::Hypothesis].map(|side| example.unchanged(side).into_owned()).into_iter().chain(pair).collect(),
        false => pair.to_vec(),
    }
}

fn key_item(example: &Example<'_>, texts: &ItemTexts) -> KeyItem {
    KeyItem {
        id: example.pair.id.to_string(),
        gold: example.gold.map_or("-", Judgment::name).to_string(),
        texts: texts_hash(texts.iter().map(String::as_str)),
        tags: example.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
    }
}

/// What reports call a set: the name of its first file without endings.
fn set_name(files: &[PathBuf]) -> String {
    let name = files.first().and_then(|file| file.file_name()).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(&name).to_string()
}

fn files(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::key::ReviewKey;

    fn spec(questions: &[&str]) -> ReviewSpec {
        let data = DataSpec::of_files(["../corpus/data/sample.jsonl"]);
        let questions = questions.iter().map(|name| name.to_string()).collect();
        ReviewSpec { data, questions, items: NonZeroUsize::new(20).unwrap(), ..ReviewSpec::default() }
    }

    fn drawn(spec: &ReviewSpec, folder: &Path, old: OldReview) -> Result<DrawnReview, Error> {
        draw_review(spec, folder, old, &Session::quiet().unwrap())
    }

    #[test]
    fn a_folder_has_a_sheet_for_each_judge_a_page_and_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let review = folder.path().join("review");
        let found = drawn(&spec(&["label", "grammar"]), &review, OldReview::Refused).unwrap();
        assert_eq!((found.items, found.from), (20, 278));
        let mut names: Vec<String> =
            std::fs::read_dir(&review).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["judge-1.csv", "judge-2.csv", "judge-3.csv", "review.html", "review.json"]);
        let read = |name: &str| std::fs::read_to_string(review.join(name)).unwrap();
        let items =
            |name: &str| read(name).lines().skip(1).filter_map(|line| line.split(',').nth(1).map(str::to_string)).collect::<Vec<_>>();
        assert_ne!(items("judge-1.csv"), items("judge-2.csv"), "each judge has an order of their own");
        let key = ReviewKey::read(&review.join(KEY_FILE)).unwrap();
        assert!(key.items.iter().all(|item| item.tags.contains_key("genre")));
        // Nothing that judges see says what the set thinks.
        for name in ["judge-1.csv", "review.html"] {
            let text = read(name);
            assert!(key.items.iter().all(|item| !text.contains(&item.id)), "{name} holds an id");
            assert!(!text.contains("genre"), "{name} holds a tag");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_seed_another_sample() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, seed: u64| {
            let path = folder.path().join(name);
            drawn(&ReviewSpec { seed, ..spec(&["label"]) }, &path, OldReview::Refused).unwrap();
            ["judge-1.csv", "review.html", "review.json"].map(|file| std::fs::read(path.join(file)).unwrap())
        };
        let (one, same, other) = (write("a", 1), write("b", 1), write("c", 2));
        assert!(one == same && one[0] != other[0]);
    }

    #[test]
    fn a_used_folder_is_replaced_only_if_nobody_judged_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let review = folder.path().join("review");
        drawn(&spec(&["label"]), &review, OldReview::Refused).unwrap();
        let refused = |old| drawn(&spec(&["grammar"]), &review, old).unwrap_err().to_string();
        assert!(refused(OldReview::Refused).ends_with("exists and is not empty; choose a new or empty folder"));
        drawn(&spec(&["label"]), &review, OldReview::Replaced).unwrap();
        let sheet = review.join("judge-2.csv");
        let text = std::fs::read_to_string(&sheet).unwrap();
        std::fs::write(&sheet, text.replacen(",,\n", ",neutral,\n", 1)).unwrap();
        assert!(refused(OldReview::Replaced).contains("`judge-2.csv` in it has changed since an earlier review wrote it"));
    }

    #[test]
    fn questions_are_known_and_fit_together() {
        let refused = |names: &[&str]| drawn(&spec(names), Path::new("nowhere/review"), OldReview::Refused).unwrap_err().to_string();
        assert!(refused(&["labels"]).starts_with("unknown question `labels`; did you mean `label`?"));
        assert!(refused(&["label", "label"]).contains("at least one question, each once"));
        assert!(refused(&["relation", "label"]).contains("label or relation, not both"));
        assert!(refused(&["relation"]).ends_with("none of 282 examples records the pair that it was made from; ask for the label"));
    }

    #[test]
    fn labels_that_nobody_claims_valid_are_not_reviewed() {
        let folder = tempfile::tempdir().unwrap();
        let set = folder.path().join("shuffled.jsonl");
        let line = r#"{"id":"1","sentence1":"Dogs the bark.","sentence2":"Bark animals.","gold_label":"entailment","tags":{"challenge":"word-shuffle"}}"#;
        std::fs::write(&set, format!("{line}\n")).unwrap();
        let spec = ReviewSpec { data: DataSpec::of_files([set.to_str().unwrap()]), ..ReviewSpec::default() };
        let refused = drawn(&spec, &folder.path().join("review"), OldReview::Refused).unwrap_err().to_string();
        assert!(
            refused.ends_with("the labels of `word-shuffle` are not claimed to be valid, so there is nothing to review or correct"),
            "{refused}"
        );
        assert!(!folder.path().join("review").exists());
    }
}
