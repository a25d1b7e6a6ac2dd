//! Verbs, flags and settings of earlier versions, each answered with its new name.

use crate::exit::USAGE;
use crate::show::visible;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::process::ExitCode;

/// Something that had another name in an earlier version.
struct Renamed {
    /// What it was called.
    old: &'static str,
    /// What to write instead.
    new: &'static str,
}

const fn renamed(old: &'static str, new: &'static str) -> Renamed {
    Renamed { old, new }
}

/// Verbs.
const VERBS: [Renamed; 3] =
    [renamed("lms", "lexical score"), renamed("explain", "lexical explain"), renamed("runs", "compare --results TABLE")];

/// Flags, of whichever verb.
const FLAGS: [Renamed; 13] = [
    renamed("--batch", "--batch-size"),
    renamed("--time-out", "--timeout"),
    renamed("--fail-under", "acidtest gate --fail-under SET=PERCENT"),
    renamed("--max-drop", "acidtest gate --max-drop SET=POINTS"),
    renamed("--baseline", "acidtest gate --baseline FILE"),
    renamed("--junit", "acidtest gate --junit FILE"),
    renamed("--hans-per-subcase", "--set hans.per_subcase=N"),
    renamed("--per-subcase", "--set per_subcase=N"),
    renamed("--per-category", "--set per_category=N"),
    renamed("--subcase", "--set subcase=NAME"),
    renamed("--withhold", "--set withhold=NAME"),
    renamed("--grammar", "--set grammar=FILE"),
    renamed("--lr", "--learning-rate"),
];

/// Keys of `--set`, and of settings in a `gate.toml`.
const SETTINGS: [Renamed; 9] = [
    renamed("batch", "batch_size"),
    renamed("rate", "learning_rate"),
    renamed("clip", "max_gradient_norm"),
    renamed("most_words", "max_length"),
    renamed("least_count", "min_count"),
    renamed("dimension", "embedding_dimension"),
    renamed("passes", "epochs"),
    renamed("stop_at", "target_accuracy"),
    renamed("time_out_seconds", "timeout_seconds"),
];

/// Answers a verb or flag of an earlier version with the new one, in one line; nothing for other errors.
pub(crate) fn answer(error: &clap::Error) -> Option<ExitCode> {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let (old, new) = match error.kind() {
        ErrorKind::InvalidSubcommand => find(&VERBS, named(ContextKind::InvalidSubcommand)?)?,
        ErrorKind::UnknownArgument => find(&FLAGS, named(ContextKind::InvalidArg)?.split('=').next()?)?,
        _ => return None,
    };
    let new = if error.kind() == ErrorKind::InvalidSubcommand { format!("acidtest {new}") } else { new.to_string() };
    eprintln!("acidtest: `{}` is now `{new}` (see its --help)", visible(old));
    Some(ExitCode::from(USAGE))
}

/// The new name of a setting of an earlier version.
pub(crate) fn setting(old: &str) -> Option<&'static str> {
    find(&SETTINGS, old).map(|(_, new)| new)
}

fn find(list: &[Renamed], name: &str) -> Option<(&'static str, &'static str)> {
    list.iter().find(|renamed| renamed.old == name).map(|renamed| (renamed.old, renamed.new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn no_old_name_is_in_use() {
        let command = crate::Arguments::command();
        for Renamed { old, new } in VERBS {
            assert!(command.find_subcommand(old).is_none(), "{old}");
            assert!(command.find_subcommand(new.split(' ').next().unwrap_or_default()).is_some(), "{new}");
        }
        assert_eq!((setting("batch"), setting("batch_size")), (Some("batch_size"), None));
    }
}
