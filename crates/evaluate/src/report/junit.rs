//! Checks as JUnit XML, which CI services show as passed and failed tests.

use crate::checks::{Checked, InconclusiveRule, Outcome};

/// One suite with a test case for each check; a case that did not pass also says which command reproduces it.
pub fn render(suite: &str, checks: &[Checked<'_>], inconclusive: InconclusiveRule, command: &str) -> String {
    let count = |outcome: Outcome| checks.iter().filter(|check| check.outcome() == outcome).count();
    let (failed, undecided) = (count(Outcome::Failed), count(Outcome::Inconclusive));
    let (failures, skipped) = match inconclusive {
        InconclusiveRule::Pass => (failed, undecided),
        InconclusiveRule::Fail => (failed + undecided, 0),
    };
    let suite = escaped(suite);
    let counted = format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", checks.len());
    let mut page =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counted}>\n  <testsuite name=\"{suite}\" {counted}>\n");
    for check in checks {
        let (name, message) = (escaped(&check.asked()), escaped(&check.found()));
        let kind = check.outcome().name();
        let reproduced = format!("{message}&#10;Reproduce: {}", escaped(command));
        let inner = match (check.outcome(), inconclusive) {
            (Outcome::Passed, _) => format!("<system-out>{message}</system-out>"),
            (Outcome::Inconclusive, InconclusiveRule::Pass) => {
                format!("<skipped message=\"inconclusive: {message}\"/><system-out>{reproduced}</system-out>")
            }
            _ => format!("<failure type=\"{kind}\" message=\"{kind}: {message}\">{reproduced}</failure>"),
        };
        page.push_str(&format!(
            "    <testcase classname=\"{suite}.{}\" name=\"{name}\">{inner}</testcase>\n",
            escaped(&check.measured.model)
        ));
    }
    page + "  </testsuite>\n</testsuites>\n"
}

/// Text for elements and attributes; characters that XML 1.0 does not allow are replaced.
fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\n' => page.push_str("&#10;"),
            '\t' => page.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => page.push('\u{fffd}'),
            other if other.is_control() => page.push('\u{fffd}'),
            other => page.push(other),
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{Check, PairedEvidence, Rule, decide};
    use crate::measurement::{Measurement, Metric, SetId, Subject};
    use crate::report::annotations::github;
    use crate::statistics::Proportion;
    use crate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference};

    /// A check of an accuracy that fails, one that passes, and a drop that is inconclusive; the model has a name that needs escaping.
    fn checks() -> Vec<Measurement> {
        let set = SetId::of("clean", Vec::new(), &[]);
        let subject = Subject { model: "a \"b\" <c>\u{1}\n::d, 100%", set: &set, scoring: None };
        let seven_of_ten = ClusteredAccuracy::of_counts((0..10).map(|row| (u64::from(row < 7), 1)));
        let accuracy = |percent| Check {
            rule: Rule::FailUnder(percent),
            measured: subject.clustered(Metric::Accuracy, &seven_of_ten).unwrap(),
            paired: None,
        };
        let (now, before) = ([true, false, true, true, false, true], [true; 6]);
        let difference = ClusteredDifference::of(&now, &before, &[0, 1, 2, 3, 4, 5]).unwrap();
        let (before, now) = (Proportion::of(&before), Proportion::of(&now));
        let paired = PairedEvidence { before, now, difference, identical: false, meaningless: None };
        let drop = Check { rule: Rule::MaxDrop(5.0), measured: subject.number(Metric::Drop, 0.0), paired: Some(Box::new(paired)) };
        decide(vec![accuracy(70.5), accuracy(70.0), drop]).unwrap()
    }

    #[test]
    fn failures_are_counted_and_said() {
        insta::assert_snapshot!(render("acidtest & co", &Checked::all(&checks()), InconclusiveRule::Fail, "acidtest gate --model 'x & y'"));
    }

    #[test]
    fn what_is_inconclusive_and_counts_as_passed_is_skipped() {
        let page = render("acidtest", &Checked::all(&checks()), InconclusiveRule::Pass, "acidtest gate");
        assert!(page.contains("failures=\"1\" errors=\"0\" skipped=\"1\"") && page.contains("<skipped message=\"inconclusive: "), "{page}");
    }

    #[test]
    fn annotations_stay_on_their_line() {
        let lines = github(&Checked::all(&checks()), InconclusiveRule::Pass);
        insta::assert_snapshot!(lines);
        assert_eq!(lines.lines().count(), 2);
        assert!(
            github(&Checked::all(&checks()), InconclusiveRule::Fail).lines().all(|line| line.starts_with("::error title=acidtest gate "))
        );
    }
}
