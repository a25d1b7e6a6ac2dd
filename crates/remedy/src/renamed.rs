//! Renamed verbs, flags and settings of earlier versions.

/// One per line: the kind, the old name, and the replacement. Settings are keys of `--set`, and of settings in a `gate.toml`.
const RENAMED: &str = include_str!("renamed.txt");

/// The kind of an old name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A verb.
    Verb,
    /// A flag.
    Flag,
    /// A setting.
    Setting,
}

impl NameKind {
    fn word(self) -> &'static str {
        match self {
            NameKind::Verb => "verb",
            NameKind::Flag => "flag",
            NameKind::Setting => "setting",
        }
    }
}

/// All names of a kind, old and new.
pub fn all(kind: NameKind) -> impl Iterator<Item = (&'static str, &'static str)> {
    RENAMED.lines().filter_map(move |line| line.strip_prefix(kind.word())?.strip_prefix(' ')?.split_once(" = "))
}

/// The new name for an old one.
pub fn new_name(kind: NameKind, old: &str) -> Option<&'static str> {
    all(kind).find(|(name, _)| *name == old).map(|(_, new)| new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_settings_have_new_names() {
        assert_eq!(new_name(NameKind::Setting, "batch"), Some("batch_size"));
        assert_eq!(new_name(NameKind::Setting, "batch_size"), None);
    }
}
