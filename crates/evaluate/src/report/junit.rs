//! Checks as JUnit XML, the form that continuous integration shows as passed and failed tests.

use crate::checks::Check;

/// One suite with a test case for each check.
pub fn render(suite: &str, checks: &[Check]) -> String {
    let failures = checks.iter().filter(|check| !check.passed).count();
    let suite = escaped(suite);
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"", checks.len());
    let mut page = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"{suite}\" {counts}>\n");
    for check in checks {
        let (name, message) = (escaped(&check.name), escaped(&check.message));
        let inner = if check.passed {
            format!("<system-out>{message}</system-out>")
        } else {
            format!("<failure message=\"{message}\">{message}</failure>")
        };
        page.push_str(&format!("    <testcase classname=\"{suite}\" name=\"{name}\">{inner}</testcase>\n"));
    }
    page + "  </testsuite>\n</testsuites>\n"
}

/// Text for elements and attributes; letters that XML 1.0 cannot hold at all are replaced.
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

    fn check(name: &str, passed: bool, message: &str) -> Check {
        Check { name: name.to_string(), passed, message: message.to_string() }
    }

    #[test]
    fn failures_are_counted_and_said() {
        let checks = [check("mnli >= 80 %", true, "84.9 %"), check("hans >= 60 %", false, "\"51\" < 60\u{1}\nsecond line")];
        insta::assert_snapshot!(render("acidtest & co", &checks));
    }
}
