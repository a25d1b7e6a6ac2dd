//! Verbs and flags of earlier versions, each answered with its new name.

use crate::exit::USAGE;
use acidtest_remedy::renamed::{NameKind, new_name};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::process::ExitCode;

/// Answers a verb or flag of an earlier version with the new one, in one line; nothing for other errors.
pub(crate) fn answer(error: &clap::Error) -> Option<ExitCode> {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.split('=').next(),
        _ => None,
    };
    let (old, new) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let old = named(ContextKind::InvalidSubcommand)?;
            (old, format!("acidtest {}", new_name(NameKind::Verb, old)?))
        }
        ErrorKind::UnknownArgument => {
            let old = named(ContextKind::InvalidArg)?;
            (old, new_name(NameKind::Flag, old)?.to_string())
        }
        _ => return None,
    };
    eprintln!("acidtest: `{old}` is now `{new}` (see its --help)");
    Some(ExitCode::from(USAGE))
}

#[cfg(test)]
mod tests {
    use acidtest_remedy::renamed::{NameKind, all};
    use clap::CommandFactory;

    #[test]
    fn no_old_verb_is_in_use_and_every_new_one_is() {
        let command = crate::Arguments::command();
        for (old, new) in all(NameKind::Verb) {
            assert!(command.find_subcommand(old).is_none(), "{old}");
            assert!(command.find_subcommand(new.split(' ').next().unwrap()).is_some(), "{new}");
        }
    }
}
