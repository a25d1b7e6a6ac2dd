//! The workflow files in `examples/ci` are YAML, and their commands run.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::{Path, PathBuf};
use std::process::Command;
use yaml_rust2::{Yaml, YamlLoader};

const WORKFLOWS: [&str; 2] = ["github-actions.yml", "gitlab-ci.yml"];

#[test]
fn workflows_are_yaml_and_their_commands_run() {
    for workflow in WORKFLOWS {
        let text = std::fs::read_to_string(root().join("examples/ci").join(workflow)).unwrap();
        let documents = YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{workflow}: {error}"));
        let mut commands = Vec::new();
        documents.iter().for_each(|document| collect_commands(document, &mut commands));
        assert!(commands.len() >= 2, "{workflow}: {commands:?}");
        let folder = reader_folder();
        for command in commands {
            let output = shell(&command, folder.path());
            let printed = String::from_utf8_lossy(&output.stdout);
            // The gate of the example fails, because its model is the overlap heuristic; what matters is that it is a gate.
            assert!(matches!(output.status.code(), Some(0 | 3 | 4)), "{workflow}: `{command}` prints\n{printed}");
        }
    }
}

/// A folder with the files that the workflows expect in a user's repository.
fn reader_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copies = [
        ("crates/corpus/data/sample.jsonl", "dev.jsonl"),
        ("examples/process_model.py", "model.py"),
        ("examples/ci/gate.toml", "gate.toml"),
    ];
    for (from, to) in copies {
        std::fs::copy(root().join(from), folder.path().join(to)).unwrap();
    }
    let baseline = "acidtest gate --data dev.jsonl --challenge negation,spelling-swap --model 'mine=process:python3 model.py' \
                    --write-baseline baseline.json";
    let output = shell(baseline, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    folder
}

/// Every text in the document that calls the program, whatever key it belongs to.
fn collect_commands(value: &Yaml, commands: &mut Vec<String>) {
    match value {
        Yaml::String(text) if text.starts_with("acidtest ") => commands.push(text.clone()),
        Yaml::Array(values) => values.iter().for_each(|value| collect_commands(value, commands)),
        Yaml::Hash(entries) => entries.values().for_each(|value| collect_commands(value, commands)),
        _ => {}
    }
}

/// Runs a command with the program on the path; standard error is merged into standard output.
fn shell(command: &str, folder: &Path) -> std::process::Output {
    let program = Path::new(env!("CARGO_BIN_EXE_acidtest"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("exec 2>&1; {command}");
    Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).env("XDG_CACHE_HOME", folder).output().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
