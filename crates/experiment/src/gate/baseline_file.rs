//! Baseline files: one JSON object that ends with a hash of itself.

use super::GateProblem;
use crate::error::Error;
use crate::results::{Results, judge_all};
use crate::sets::TestSet;
use acidtest_evaluate::Item;
use acidtest_evaluate::baseline::{Baseline, BaselineModel, BaselineSet, FORMAT, SCHEMA_VERSION, encode};
use acidtest_files::{check_seal, note_read, seal_json};
use serde::Deserialize;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The largest baseline that is read.
const LARGEST_BASELINE_MB: u64 = 512;

/// Reads a baseline; a damaged, edited or foreign file is refused.
pub fn read_baseline(path: &Path) -> Result<Baseline, Error> {
    let name = path.display().to_string();
    let refused = |message: String| GateProblem::BadBaseline { path: name.clone(), message }.at("gate.baseline");
    note_read(path);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take((LARGEST_BASELINE_MB << 20) + 1).read_to_end(&mut bytes));
    read.map_err(|error| match error.kind() {
        ErrorKind::NotFound => refused(format!("no such file; {REMEDY}, without checks if the model does not pass them yet")),
        _ => refused(error.to_string()),
    })?;
    if bytes.len() as u64 > LARGEST_BASELINE_MB << 20 {
        return Err(refused(format!("the file is larger than {LARGEST_BASELINE_MB} MB (is this a baseline?)")));
    }
    parse(&bytes).map_err(refused)
}

/// How to get a baseline, for messages.
const REMEDY: &str = "write one with `acidtest gate --write-baseline FILE`";

fn parse(bytes: &[u8]) -> Result<Baseline, String> {
    /// What distinguishes kinds of files.
    #[derive(Deserialize)]
    struct Kind {
        format: Option<String>,
        schema_version: Option<u32>,
        sections: Option<serde::de::IgnoredAny>,
    }
    match serde_json::from_slice::<Kind>(bytes) {
        Ok(Kind { sections: Some(_), .. }) => {
            return Err(format!("this is a report, which does not contain the predictions that a baseline needs; {REMEDY}"));
        }
        Ok(Kind { format: Some(format), schema_version: Some(version), .. }) if format == FORMAT && version != SCHEMA_VERSION => {
            return Err(format!("this baseline has version {version}, but only version {SCHEMA_VERSION} can be read; {REMEDY}"));
        }
        Ok(Kind { format, .. }) if format.as_deref() != Some(FORMAT) => return Err(format!("not a baseline; {REMEDY}")),
        Err(error) => return Err(format!("not a baseline file, or damaged: {error}; {REMEDY}")),
        Ok(_) => {}
    }
    check_seal(bytes).map_err(|why| format!("{why}; {REMEDY}"))?;
    let baseline: Baseline = serde_json::from_slice(bytes).map_err(|error| format!("{error}; {REMEDY}"))?;
    match baseline.fault() {
        Some(fault) => Err(format!("{fault}; {REMEDY}")),
        None => Ok(baseline),
    }
}

/// The predictions of a run as a baseline.
pub(super) fn text(results: &Results<'_>) -> Result<String, Error> {
    let items: Vec<Vec<Item<'_>>> = results.sets.iter().map(TestSet::items).collect();
    let judged = judge_all(&results.sets, &items, &results.predictions, (results.missing, results.scoring))?;
    let scoring = |place: usize| judged.first().map(|sets| sets[place].scoring);
    let sets = results.sets.iter().enumerate();
    let sets = sets.filter_map(|(place, set)| Some(BaselineSet::of(set.name(), scoring(place)?, &set.examples))).collect();
    let models = results.predictions.iter().zip(&judged).map(|(model, judged)| BaselineModel {
        name: model.name.clone(),
        answers: results.sets.iter().zip(judged).map(|(set, judged)| (set.name().to_string(), encode(&set.examples, judged))).collect(),
    });
    let provenance = &results.report.provenance;
    let baseline = Baseline {
        format: FORMAT.to_string(),
        schema_version: SCHEMA_VERSION,
        tool_version: provenance.tool_version.clone(),
        command: provenance.command.clone(),
        seeds: provenance.seeds.clone(),
        options: provenance.options.clone(),
        sets,
        models: models.collect(),
        hash: String::new(),
    };
    let text =
        serde_json::to_string_pretty(&baseline).map_err(|error| Error::File { path: "baseline".to_string(), source: error.into() })?;
    Ok(seal_json(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_evaluate::Scoring;
    use std::collections::BTreeMap;

    fn baseline(answers: &str) -> Vec<u8> {
        let set = BaselineSet { labelled: 3, ..BaselineSet::of("clean", Scoring::ThreeWay, &[]) };
        let model = BaselineModel { name: "m".to_string(), answers: BTreeMap::from([("clean".to_string(), answers.to_string())]) };
        let baseline = Baseline {
            format: FORMAT.to_string(),
            schema_version: SCHEMA_VERSION,
            tool_version: "1".to_string(),
            command: String::new(),
            seeds: BTreeMap::new(),
            options: BTreeMap::new(),
            sets: vec![set],
            models: vec![model],
            hash: String::new(),
        };
        seal_json(&serde_json::to_string_pretty(&baseline).unwrap()).into_bytes()
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let bytes = baseline("en-");
        assert!(parse(&bytes).is_ok());
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(parse(&changed).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(parse(&bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn inconsistent_predictions_are_refused_even_with_a_valid_hash() {
        for answers in ["en", "en--", "enz"] {
            let error = parse(&baseline(answers)).unwrap_err();
            assert!(error.starts_with("the predictions of the model `m` do not match the set `clean`"), "{error}");
        }
    }

    #[test]
    fn reports_and_other_files_are_refused_with_the_remedy() {
        let check = |text: &str, expected: &str| {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.starts_with(expected) && error.ends_with(REMEDY), "{error}");
        };
        check(
            r#"{"schema_version": 2, "title": "x", "sections": [], "measurements": []}"#,
            "this is a report, which does not contain the predictions that a baseline needs",
        );
        check(r#"{"a": 1}"#, "not a baseline; ");
        check("premise,hypothesis\n", "not a baseline file, or damaged: ");
        check(r#"{"format": "acidtest-baseline", "schema_version": 9}"#, "this baseline has version 9, but only version 2 can be read");
    }
}
