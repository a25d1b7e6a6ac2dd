//! Checks as annotations of GitHub Actions, which are shown in the pull request.

use crate::checks::{Checked, InconclusiveRule, Outcome};

/// One `::error` for each check that failed; those that are inconclusive are warnings, or errors where they count as failed.
pub fn github(checks: &[Checked<'_>], inconclusive: InconclusiveRule) -> String {
    let mut lines = String::new();
    for check in checks {
        let level = match (check.outcome(), inconclusive) {
            (Outcome::Passed, _) => continue,
            (Outcome::Inconclusive, InconclusiveRule::Pass) => "warning",
            (Outcome::Inconclusive, InconclusiveRule::Fail) | (Outcome::Failed, _) => "error",
        };
        let title = property(&format!("acidtest gate {}", check.outcome().name()));
        lines.push_str(&format!("::{level} title={title}::{}\n", message(&format!("{}: {}", check.asked(), check.found()))));
    }
    lines
}

/// Text after the second `::`, which ends at a line break.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which also ends at a comma or a colon.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
