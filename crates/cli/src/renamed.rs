//! Verbs, flags and settings of earlier versions, each answered with its new name.

use crate::exit::USAGE;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::process::ExitCode;

/// One per line: the kind, the old name, and what to write instead. Settings are keys of `--set`, and of settings in a `gate.toml`.
const RENAMED: &str = include_str!("renamed.txt");

/// Answers a verb or flag of an earlier version with the new one, in one line; nothing for other errors.
pub(crate) fn answer(error: &clap::Error) -> Option<ExitCode> {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.split('=').next(),
        _ => None,
    };
    let (old, new) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            find("verb", named(ContextKind::InvalidSubcommand)?).map(|(old, new)| (old, format!("acidtest {new}")))?
        }
        ErrorKind::UnknownArgument => find("flag", named(ContextKind::InvalidArg)?).map(|(old, new)| (old, new.to_string()))?,
        _ => return None,
    };
    eprintln!("acidtest: `{old}` is now `{new}` (see its --help)");
    Some(ExitCode::from(USAGE))
}

/// The new name of a setting of an earlier version.
pub(crate) fn setting(old: &str) -> Option<&'static str> {
    find("setting", old).map(|(_, new)| new)
}

/// The old name and the new one.
fn find(kind: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let of_kind = |line: &'static str| line.strip_prefix(kind)?.strip_prefix(' ')?.split_once(" = ");
    RENAMED.lines().filter_map(of_kind).find(|(old, _)| *old == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn no_old_verb_is_in_use_and_every_new_one_is() {
        let command = crate::Arguments::command();
        for line in RENAMED.lines().filter_map(|line| line.strip_prefix("verb ")) {
            let (old, new) = line.split_once(" = ").unwrap();
            assert!(command.find_subcommand(old).is_none(), "{old}");
            assert!(command.find_subcommand(new.split(' ').next().unwrap()).is_some(), "{new}");
        }
        assert_eq!((setting("batch"), setting("batch_size")), (Some("batch_size"), None));
    }
}
