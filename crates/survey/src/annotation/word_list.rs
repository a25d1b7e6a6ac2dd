//! Word lists: one entry per line, each for both modes or for one.

use super::AnnotationMode;

/// The entries of a list for a mode, in the order of the file.
pub(super) fn entries(list: &'static str, mode: AnnotationMode) -> impl Iterator<Item = &'static str> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(move |line| match (line.strip_prefix('+'), line.strip_prefix('~')) {
        (Some(entry), _) => (mode == AnnotationMode::Clean).then_some(entry),
        (_, Some(entry)) => (mode == AnnotationMode::AsPublished).then_some(entry),
        _ => Some(line),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_sees_its_own_entries() {
        let list = "# comment\nday\n+today\n~secondshour\n\n";
        assert_eq!(entries(list, AnnotationMode::Clean).collect::<Vec<_>>(), ["day", "today"]);
        assert_eq!(entries(list, AnnotationMode::AsPublished).collect::<Vec<_>>(), ["day", "secondshour"]);
    }
}
