//! Short names of models for narrow tables.

use crate::models::{FOLDER, PREDICTIONS, with_column};
use crate::spec::ModelSpec;
use std::collections::BTreeSet;
use std::path::Path;

/// Endings of prediction files and of compressed files.
const ENDINGS: [&str; 8] = [".gz", ".zst", ".jsonl", ".json", ".csv", ".tsv", ".txt", ".parquet"];

/// Shortens names that the user did not give: to the column if all differ, otherwise to the file or folder without its path.
///
/// If two short names were equal, all keep their long ones.
pub fn shorten_names(specs: &mut [ModelSpec]) {
    let columns: Option<Vec<String>> = specs.iter().map(|spec| spec.name.clone().or_else(|| column(spec))).collect();
    let names = columns.filter(|names| all_differ(names)).unwrap_or_else(|| specs.iter().map(short_name).collect());
    if all_differ(&names) {
        for (spec, name) in specs.iter_mut().zip(names) {
            spec.name.get_or_insert(name);
        }
    }
}

fn all_differ(names: &[String]) -> bool {
    names.iter().all(|name| !name.is_empty()) && names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

fn column(spec: &ModelSpec) -> Option<String> {
    if is_kind(spec, PREDICTIONS) { with_column(&spec.model).1 } else { None }
}

fn is_kind(spec: &ModelSpec, name: &str) -> bool {
    spec.kind().is_ok_and(|kind| kind.name == name)
}

fn short_name(spec: &ModelSpec) -> String {
    if let Some(name) = &spec.name {
        return name.clone();
    }
    if is_kind(spec, FOLDER) {
        return last_part(Path::new(&spec.model)).unwrap_or_else(|| spec.model.clone());
    }
    if !is_kind(spec, PREDICTIONS) {
        return spec.model.clone();
    }
    let (file, column) = with_column(&spec.model);
    let Some(mut name) = last_part(&file) else { return spec.model.clone() };
    while let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).filter(|stem| !stem.is_empty()) {
        name = stem.to_string();
    }
    match column {
        Some(column) => format!("{name}@{column}"),
        None => name,
    }
}

fn last_part(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(models: &[&str], expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        for path in ["models/a", "other/a", "models/v1.2"] {
            std::fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        for path in ["a.csv", "bert.v1.jsonl", "bert.v2.jsonl", "p.jsonl.gz"] {
            std::fs::write(folder.path().join(path), "").unwrap();
        }
        let here = format!("{}/", folder.path().display());
        let mut specs: Vec<ModelSpec> = models.iter().map(|model| ModelSpec::parse(&model.replace("./", &here))).collect();
        shorten_names(&mut specs);
        let names: Vec<String> = specs.into_iter().map(|spec| spec.name.unwrap_or(spec.model).replace(&here, "./")).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn paths_and_endings_are_removed() {
        check(&["./models/a/", "./p.jsonl.gz"], &["a", "p"]);
        check(&["./models/v1.2", "overlap"], &["v1.2", "overlap"]);
        check(&["./bert.v1.jsonl", "./bert.v2.jsonl"], &["bert.v1", "bert.v2"]);
        check(&["process:cat a/m.py", "./a.csv"], &["process:cat a/m.py", "a"]);
    }

    #[test]
    fn columns_become_names_if_all_differ() {
        check(&["./a.csv@bert", "./a.csv@esim"], &["bert", "esim"]);
        check(&["./a.csv@bert", "./p.jsonl.gz@bert"], &["a@bert", "p@bert"]);
        check(&["x=./a.csv@bert", "./p.jsonl.gz@esim"], &["x", "esim"]);
    }

    #[test]
    fn equal_names_stay_long() {
        check(&["./models/a/", "./other/a"], &["./models/a/", "./other/a"]);
        check(&["x=overlap", "x=majority"], &["x", "x"]);
    }
}
