//! Runs the program, for the tests of several verbs.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs the binary in a folder.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(folder).args(arguments).output().unwrap()
}

/// The standard output of a command that must succeed.
#[track_caller]
pub(crate) fn acidtest(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
