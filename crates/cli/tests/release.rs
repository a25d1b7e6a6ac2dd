//! The release archive contains the program and everything that is installed with it.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

#[test]
fn the_archive_has_program_completions_man_pages_licences_and_notices() {
    let folder = tempfile::tempdir().unwrap();
    // A test build is large, so a script that runs it is packed instead.
    let program = folder.path().join("acidtest");
    std::fs::write(&program, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_acidtest"))).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/release.sh");
    let made = Command::new(script).arg(folder.path()).env("ACIDTEST", &program).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let archive = String::from_utf8(made.stdout).unwrap();
    let listed = Command::new("tar").args(["tzf", archive.trim()]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for file in [
        "/bin/acidtest",
        "/share/bash-completion/completions/acidtest",
        "/share/zsh/site-functions/_acidtest",
        "/share/fish/vendor_completions.d/acidtest.fish",
        "/share/man/man1/acidtest-lexical-score.1",
        "/share/doc/acidtest/LICENSE-MIT",
        "/share/doc/acidtest/LICENSE-APACHE",
        "/share/doc/acidtest/notices/LICENSE-WORDNET",
        "/share/doc/acidtest/notices/LICENSE-SCOWL",
        "/share/doc/acidtest/notices/esim-small.md",
        "/share/doc/acidtest/dependencies/README.md",
    ] {
        assert!(listed.lines().any(|line| line.ends_with(file)), "no {file} in\n{listed}");
    }
    assert!(listed.lines().any(|line| line.contains("/dependencies/clap-4")), "the licences of crates come with them");
}
