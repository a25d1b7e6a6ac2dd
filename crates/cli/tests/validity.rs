//! The judgements in `docs/validity` give the figures on its page.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::Path;
use std::process::Command;

#[test]
fn every_sheet_scores_as_the_page_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/validity");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut scored = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].trim_matches('`');
        let away = tempfile::tempdir().unwrap();
        let sheet = folder.join(name).join("judge-1.csv");
        let output =
            Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(away.path()).args(["review", "--score"]).arg(sheet).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        for figure in [cells[3], cells[4]].into_iter().filter(|figure| *figure != "–") {
            assert!(text.contains(figure), "{name}: {figure} is not in\n{text}");
        }
        scored += 1;
    }
    assert_eq!(scored, std::fs::read_dir(&folder).unwrap().count() - 1, "a row for every folder");
}
