//! The names of numbered labels: Hugging Face's `ClassLabel`, in a file's own metadata or beside it.

use crate::field::{ColumnNames, Field};
use crate::input::InputFile;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Names of labels by number, and where they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClassNames {
    pub(crate) names: Vec<String>,
    pub(crate) source: String,
}

/// The key of Hugging Face's metadata in Parquet and Arrow.
pub(crate) const KEY: &str = "huggingface";

/// The size limit of metadata files.
const LARGEST: u64 = 4 << 20;

/// The names in a file's own metadata, as `datasets` writes it.
pub(crate) fn of_metadata(json: &str, columns: &ColumnNames) -> Option<ClassNames> {
    let found: Value = serde_json::from_str(json).ok()?;
    let names = of_features(found.get("info")?.get("features")?, columns)?;
    Some(ClassNames { names, source: "the metadata of the file".to_string() })
}

/// The names beside a file or in the folder above it: `dataset_info.json`, `dataset_infos.json`, or the card `README.md`. The nearest one counts; one whose
/// configurations differ is ignored.
pub(crate) fn beside(file: &InputFile, columns: &ColumnNames) -> Option<ClassNames> {
    if file.is_standard_input() {
        return None;
    }
    let folder = match file.path().parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    [folder.clone(), folder.join("..")].iter().find_map(|folder| in_folder(folder, columns))
}

/// Finds the names in the text of a file.
type ReadNames<'r> = dyn Fn(&str) -> Option<Vec<String>> + 'r;

fn in_folder(folder: &Path, columns: &ColumnNames) -> Option<ClassNames> {
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    let info = |text: &str| of_features(json(text)?.get("features")?, columns);
    let infos = |text: &str| {
        let configurations = json(text)?;
        let all = configurations.as_object()?.values().filter_map(|config| of_features(config.get("features")?, columns));
        the_only(all.collect())
    };
    let card = |text: &str| the_only(of_card(text, columns));
    let readers: [(&str, &ReadNames<'_>); 3] = [("dataset_info.json", &info), ("dataset_infos.json", &infos), ("README.md", &card)];
    readers.iter().find_map(|(name, read)| {
        let path = folder.join(name);
        let mut text = String::new();
        std::fs::File::open(&path).ok()?.take(LARGEST).read_to_string(&mut text).ok()?;
        Some(ClassNames { names: read(&text)?, source: (*name).to_string() })
    })
}

/// The names that all configurations agree on.
fn the_only(mut all: Vec<Vec<String>>) -> Option<Vec<String>> {
    let last = all.pop()?;
    all.iter().all(|other| *other == last).then_some(last)
}

/// The names of the column of labels among features.
fn of_features(features: &Value, columns: &ColumnNames) -> Option<Vec<String>> {
    let features = features.as_object()?;
    best_label(features.iter().filter_map(|(column, feature)| Some((column.as_str(), class_names(feature)?))), columns)
}

fn class_names(feature: &Value) -> Option<Vec<String>> {
    if feature.get("_type").is_some_and(|kind| kind != "ClassLabel") {
        return None;
    }
    feature.get("names")?.as_array()?.iter().map(|name| name.as_str().map(str::to_string)).collect()
}

/// The column that is read as the label, among columns with names.
fn best_label<'c>(found: impl Iterator<Item = (&'c str, Vec<String>)>, columns: &ColumnNames) -> Option<Vec<String>> {
    let ranked = found.filter_map(|(column, names)| match columns.field(column) {
        Some((Field::Label, rank)) => Some((rank, names)),
        _ => None,
    });
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, names)| names)
}

/// The names of labels in the card of a data set, one list for each configuration that has any:
///
/// ```yaml
/// dataset_info:
///   features:
///   - name: label
///     dtype:
///       class_label:
///         names:
///           '0': entailment
/// ```
fn of_card(text: &str, columns: &ColumnNames) -> Vec<Vec<String>> {
    let Some(front) = text.strip_prefix("---").and_then(|rest| rest.split("\n---").next()) else { return Vec::new() };
    let mut lines = front.lines().skip_while(|line| !line.starts_with("dataset_info:")).skip(1);
    let lines: Vec<&str> = lines.by_ref().take_while(|line| line.starts_with([' ', '-']) || line.trim().is_empty()).collect();
    let mut configurations: Vec<Vec<(String, Vec<String>)>> = Vec::new();
    let mut column: Option<String> = None;
    let mut in_names = false;
    for line in lines {
        let text = line.trim_start().trim_start_matches("- ").trim();
        if text == "features:" {
            configurations.push(Vec::new());
            column = None;
        } else if let Some(name) = text.strip_prefix("name:") {
            column = Some(unquoted(name));
            in_names = false;
        } else if text == "names:" {
            in_names = true;
            if let (Some(features), Some(column)) = (configurations.last_mut(), &column) {
                features.push((column.clone(), Vec::new()));
            }
        } else if let (true, Some((number, name))) = (in_names, text.split_once(':')) {
            let names = configurations.last_mut().and_then(|features| features.last_mut()).map(|(_, names)| names);
            match (names, unquoted(number).parse::<usize>()) {
                (Some(names), Ok(number)) if number == names.len() => names.push(unquoted(name)),
                _ => in_names = false,
            }
        }
    }
    let label = |features: Vec<(String, Vec<String>)>| {
        best_label(features.iter().map(|(column, names)| (column.as_str(), names.clone())), columns).filter(|names| !names.is_empty())
    };
    configurations.into_iter().filter_map(label).collect()
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['\'', '"']).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = "---\nlicense: mit\ndataset_info:\n- config_name: a\n  features:\n  - name: premise\n    dtype: string\n  - name: label\n    dtype:\n      class_label:\n        names:\n          '0': entailment\n          '1': not_entailment\n  splits:\n  - name: train\n    num_bytes: 1\n- config_name: b\n  features:\n  - name: label\n    dtype:\n      class_label:\n        names:\n          '0': NAMES\n          '1': not_entailment\ntrain-eval-index:\n- label: x\n---\n# Data\n";

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: Option<(&[&str], &str)>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let found = beside(&InputFile::new(folder.path().join("data/in.csv")), &ColumnNames::default());
        let expected = expected
            .map(|(names, source)| ClassNames { names: names.iter().map(|name| name.to_string()).collect(), source: source.to_string() });
        assert_eq!(found, expected, "{files:?}");
    }

    #[test]
    fn names_beside_a_file_or_above_it_are_found() {
        check(&[], None);
        let info =
            r#"{"features": {"label": {"names": ["a", "b"], "_type": "ClassLabel"}, "gold": {"dtype": "string", "_type": "Value"}}}"#;
        check(&[("data/dataset_info.json", info)], Some((&["a", "b"], "dataset_info.json")));
        let infos =
            r#"{"x": {"features": {"label": {"num_classes": 2, "names": ["c", "d"], "_type": "ClassLabel"}}}, "y": {"features": {}}}"#;
        check(&[("dataset_infos.json", infos)], Some((&["c", "d"], "dataset_infos.json")));
        check(&[("dataset_infos.json", infos), ("data/dataset_info.json", info)], Some((&["a", "b"], "dataset_info.json")));
        let card = CARD.replace("NAMES", "entailment");
        check(&[("README.md", &card)], Some((&["entailment", "not_entailment"], "README.md")));
    }

    #[test]
    fn configurations_that_differ_are_ignored() {
        check(&[("README.md", &CARD.replace("NAMES", "neutral"))], None);
        check(&[("README.md", "# Data\n"), ("data/dataset_info.json", "[1]")], None);
    }

    #[test]
    fn metadata_of_a_file_names_the_column_of_labels() {
        let json = r#"{"info": {"features": {"verdict": {"names": ["a"], "_type": "ClassLabel"}, "label": {"names": ["b"], "_type": "ClassLabel"}}}}"#;
        assert_eq!(of_metadata(json, &ColumnNames::default()).unwrap().names, ["b"]);
        let mut columns = ColumnNames::default();
        columns.set("label=verdict").unwrap();
        assert_eq!(of_metadata(json, &columns).unwrap().names, ["a"]);
    }
}
