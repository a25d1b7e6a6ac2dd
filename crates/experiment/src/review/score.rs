//! Counts what judges wrote in their sheets.

use super::key::{KEY_FILE, KeySet, ReviewKey};
use super::problem::{ReviewProblem, SheetProblem};
use super::sheet::JudgeSheet;
use super::stored::{StoredReview, beside};
use crate::error::Error;
use crate::session::Session;
use crate::spec::DataSpec;
use acidtest_evaluate::GOLD;
use acidtest_evaluate::analysis::review::{Review, ReviewedItem};
use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::report::{Report, ReportInput};
use acidtest_files::ContentHash;
use acidtest_nli::{LabelNames, UnknownName};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Sheets to count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScoreRequest {
    /// The sheets, one for each judge.
    pub sheets: Vec<PathBuf>,
    /// The key [default: `review.json` beside the first sheet].
    pub key: Option<PathBuf>,
    /// The set beside which the result is stored [default: the set of the key, if it is still there].
    pub store: Option<PathBuf>,
    /// Tags to break the result down by [default: all with a few values, at least two of which have enough items].
    pub by: Vec<String>,
}

/// What the judges said.
pub struct ScoredReview {
    /// The report.
    pub report: Report,
    /// The file beside the set, and its content; nothing where the set is not at hand.
    pub stored: Option<(PathBuf, String)>,
}

/// Counts sheets: validity, agreement, and the items to look at.
pub fn score_review(request: &ScoreRequest, session: &Session<'_>) -> Result<ScoredReview, Error> {
    let first = request.sheets.first().map(PathBuf::as_path).unwrap_or(Path::new(""));
    let key_path = request.key.clone().unwrap_or_else(|| first.with_file_name(KEY_FILE));
    let key = ReviewKey::read(&key_path)?;
    let sheets = read_sheets(&request.sheets, &key)?;
    let review = gathered(&key, sheets);
    let (by, small) = breakdowns(&review, &request.by)?;
    let set = SetId { name: key.set.name.clone(), group: Vec::new(), hash: key.set.hash.clone() };
    let inputs = std::iter::once(input("key", &key_path, key.items.len()))
        .chain(request.sheets.iter().map(|sheet| input("sheet", sheet, key.items.len())))
        .collect::<Result<_, _>>()?;
    let seeds = BTreeMap::from([("review".to_string(), key.seed)]);
    let title = format!("Review of {}", key.set.name);
    let mut report = Report::new(title, session.provenance(inputs, seeds, BTreeMap::new()), review.sections(&by, &small));
    report.measure(review.measurements(&set, &by));
    let stored = place(request, &key, session)?.map(|set| (beside(&set), StoredReview::of(&review, &key).written()));
    Ok(ScoredReview { report, stored })
}

/// All sheets, each of another judge.
fn read_sheets(paths: &[PathBuf], key: &ReviewKey) -> Result<Vec<JudgeSheet>, Error> {
    let mut sheets: Vec<JudgeSheet> = Vec::new();
    for path in paths {
        let sheet = JudgeSheet::read(path, key)?;
        if let Some(same) = sheets.iter().position(|other| other.judge.to_lowercase() == sheet.judge.to_lowercase()) {
            let problem = SheetProblem::SameJudge { judge: sheet.judge, other: paths[same].display().to_string() };
            return Err(Error::Sheet { path: path.display().to_string(), line: 2, problem });
        }
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// The judgements by item.
fn gathered(key: &ReviewKey, sheets: Vec<JudgeSheet>) -> Review {
    let item = |(number, item): (usize, &super::key::KeyItem)| {
        let given = || sheets.iter().map(|sheet| &sheet.answers[number]);
        // The pair itself comes last, after the one that it was made from.
        let texts = given().next().map(|own| own.texts.clone()).unwrap_or_default();
        let [.., premise, hypothesis] = &texts[..] else { unreachable!("the reader has found both sentences") };
        let note = |(sheet, own): (&JudgeSheet, &super::sheet::ItemAnswers)| {
            (!own.note.is_empty()).then(|| format!("{}: {}", sheet.judge, own.note))
        };
        ReviewedItem {
            number: number + 1,
            id: item.id.clone(),
            gold: LabelNames::default().gold(&item.gold).ok().flatten(),
            tags: item.tags.clone(),
            premise: premise.clone(),
            hypothesis: hypothesis.clone(),
            answers: (0..key.questions.len()).map(|question| given().map(|own| own.answers[question]).collect()).collect(),
            notes: sheets.iter().zip(given()).filter_map(note).collect(),
        }
    };
    let items = key.items.iter().enumerate().map(item).collect();
    let judges = sheets.iter().map(|sheet| sheet.judge.clone()).collect();
    Review { set: key.set.name.clone(), questions: key.questions.clone(), judges, scale: key.scale, items }
}

/// The tags of the breakdowns: those that were asked for, or all that part the items into a few large groups; and those whose groups are too small.
fn breakdowns(review: &Review, asked: &[String]) -> Result<(Vec<String>, Vec<String>), UnknownName> {
    if asked.is_empty() {
        let golds: std::collections::BTreeSet<_> = review.items.iter().map(|item| item.gold).collect();
        let gold = (golds.len() > 1).then(|| GOLD.to_string());
        return Ok(gold.into_iter().chain(review.tags()).partition(|tag| review.has_large_groups(tag)));
    }
    let known: std::collections::BTreeSet<&str> =
        review.items.iter().flat_map(|item| item.tags.keys()).map(String::as_str).chain([GOLD]).collect();
    match asked.iter().find(|tag| !known.contains(tag.as_str())) {
        Some(unknown) => Err(UnknownName::among("tag", known, unknown)),
        None => Ok((asked.to_vec(), Vec::new())),
    }
}

fn input(role: &str, path: &Path, rows: usize) -> Result<ReportInput, Error> {
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.display().to_string(), source })?;
    Ok(ReportInput {
        role: role.to_string(),
        path: path.display().to_string(),
        rows: rows as u64,
        hash: ContentHash::of(&bytes).to_string(),
        ..ReportInput::default()
    })
}

/// The set beside which the result is stored: the one that was named, which must be the one that was judged, or the one that the key names.
fn place(request: &ScoreRequest, key: &ReviewKey, session: &Session<'_>) -> Result<Option<PathBuf>, Error> {
    let KeySet { data, hash, .. } = &key.set;
    let found = |files: Vec<PathBuf>| {
        let loaded = DataSpec { files, ..data.clone() }.resolve_text()?.load(session)?;
        Ok::<_, Error>(SetId::of("", Vec::new(), &loaded.examples).hash)
    };
    if let Some(named) = &request.store {
        // Of a set of several files the first is named, beside which the result is looked for.
        let files = if data.files.len() > 1 && data.files.first() == Some(named) { data.files.clone() } else { vec![named.clone()] };
        let found = found(files)?;
        let problem = ReviewProblem::OtherSet { found: found.clone(), expected: hash.clone() };
        return if found == *hash { Ok(Some(named.clone())) } else { Err(Error::Review { path: named.display().to_string(), problem }) };
    }
    let Some(first) = data.files.first().filter(|_| data.files.iter().all(|file| file.is_file())) else { return Ok(None) };
    if found(data.files.clone()).is_ok_and(|found| found == *hash) {
        return Ok(Some(first.clone()));
    }
    session.note(&format!("{}: the set has changed since it was judged; the result is not stored beside it", first.display()));
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::draw::{OldReview, ReviewSpec, draw_review};
    use std::num::NonZeroUsize;

    struct Reviewed {
        folder: tempfile::TempDir,
    }

    impl Reviewed {
        /// Ten items of the sample, judged by three judges: all agree with the set but the last, who always says neutral.
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::copy("../corpus/data/sample.jsonl", folder.path().join("sample.jsonl")).unwrap();
            let spec = ReviewSpec {
                data: DataSpec::of_files([folder.path().join("sample.jsonl")]),
                items: NonZeroUsize::new(10).unwrap(),
                questions: vec!["label".to_string()],
                ..ReviewSpec::default()
            };
            draw_review(&spec, &folder.path().join("review"), OldReview::Refused, &Session::quiet().unwrap()).unwrap();
            let reviewed = Reviewed { folder };
            let key = ReviewKey::read(&reviewed.at("review.json")).unwrap();
            for judge in 1..=3 {
                let sheet = reviewed.at(&format!("judge-{judge}.csv"));
                let answered: Vec<String> = std::fs::read_to_string(&sheet)
                    .unwrap()
                    .lines()
                    .map(|line| match line.split(',').nth(1).and_then(|item| item.parse::<usize>().ok()) {
                        None => line.to_string(),
                        Some(item) => {
                            let label = if judge == 3 { "neutral" } else { &key.items[item - 1].gold };
                            format!("{}{label},", line.strip_suffix(',').unwrap())
                        }
                    })
                    .collect();
                std::fs::write(&sheet, answered.join("\n")).unwrap();
            }
            reviewed
        }

        fn at(&self, name: &str) -> PathBuf {
            self.folder.path().join("review").join(name)
        }

        fn score(&self, change: impl Fn(&mut ScoreRequest)) -> Result<ScoredReview, Error> {
            let sheets = (1..=3).map(|judge| self.at(&format!("judge-{judge}.csv"))).collect();
            let mut request = ScoreRequest { sheets, ..ScoreRequest::default() };
            change(&mut request);
            score_review(&request, &Session::quiet().unwrap())
        }
    }

    #[test]
    fn two_of_three_judges_are_a_majority() {
        let reviewed = Reviewed::new();
        let found = reviewed.score(|_| {}).unwrap();
        assert_eq!(
            found.report.sections[0].notes[0],
            "The majority of the judges agrees with the gold label on 100.0 % [72.2, 100.0] of 10 items."
        );
        let (path, text) = found.stored.unwrap();
        assert_eq!(path, reviewed.folder.path().join("sample.jsonl.review.json"));
        assert!(text.contains("\"validity\""));
    }

    #[test]
    fn the_same_judge_twice_and_an_unknown_tag_are_refused() {
        let reviewed = Reviewed::new();
        let refused = |change: &dyn Fn(&mut ScoreRequest)| reviewed.score(change).err().unwrap().to_string();
        let twice = refused(&|request| request.sheets.push(request.sheets[0].clone()));
        assert!(twice.contains("judge-1.csv:2: the judge `judge-1` has another sheet: "), "{twice}");
        assert!(refused(&|request| request.by = vec!["gnre".to_string()]).starts_with("unknown tag `gnre`; did you mean `genre`?"));
    }

    #[test]
    fn another_set_is_refused_and_a_changed_one_is_not_stored_beside() {
        let reviewed = Reviewed::new();
        let other = reviewed.folder.path().join("other.jsonl");
        let text = std::fs::read_to_string(reviewed.folder.path().join("sample.jsonl")).unwrap();
        std::fs::write(&other, text.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        let refused = reviewed.score(|request| request.store = Some(other.clone())).err().unwrap().to_string();
        assert!(refused.contains("other.jsonl: these are not the examples that were judged"), "{refused}");
        std::fs::rename(&other, reviewed.folder.path().join("sample.jsonl")).unwrap();
        assert!(reviewed.score(|_| {}).unwrap().stored.is_none());
    }

    #[test]
    fn a_damaged_key_is_refused() {
        let reviewed = Reviewed::new();
        let key = reviewed.at("review.json");
        let text = std::fs::read_to_string(&key).unwrap();
        std::fs::write(&key, text.replacen("neutral", "entailment", 1)).unwrap();
        let refused = reviewed.score(|_| {}).err().unwrap().to_string();
        assert!(refused.contains("review.json: not the key of a review (review.json): its content does not match the `hash`"), "{refused}");
        let missing = reviewed.score(|request| request.key = Some(reviewed.at("nowhere.json"))).err().unwrap().to_string();
        assert!(missing.contains("nowhere.json: No such file"), "{missing}");
    }
}
