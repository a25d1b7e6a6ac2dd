//! Ctrl-C and other signals that end the program: what is removed, what is kept, and how to continue.

/// The exit code of an interrupted program, whichever signal it was.
#[cfg(unix)]
const INTERRUPTED: i32 = 130;

/// What an interrupted command leaves for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Checkpoints of a training run of a network.
    Training,
    /// Predictions of process models, in the cache.
    Predictions,
    /// Nothing.
    Nothing,
}

impl Kept {
    /// What is kept, and how to continue.
    fn message(self) -> &'static str {
        match self {
            Kept::Training => "the last checkpoint is kept; run the same command again to continue from it (lexical models start over)",
            Kept::Predictions => {
                "partial output is removed; predictions of process models are kept in the cache (unless --no-cache): run the same command again to continue"
            }
            Kept::Nothing => "partial output is removed; run the same command again to start over",
        }
    }
}

/// From now on SIGINT, SIGTERM and SIGHUP remove partial output, say what is kept and end the program. A signal that is ignored, as under `nohup`, stays
/// ignored.
#[cfg(unix)]
pub(crate) fn clean_up_when_interrupted(kept: Kept) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::io::IsTerminal;
    let ignored = ignored();
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    // Without a handler an interrupted program leaves its partial output behind, which is no reason to refuse to run.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
    let wait = move || {
        if signals.forever().next().is_some() {
            acidtest_model::kill_running();
            let finished = acidtest_files::remove_unfinished();
            // The files of a training are parts of its checkpoint.
            let finished = if kept == Kept::Training { String::new() } else { acidtest_files::finished_note(&finished) };
            let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
            eprintln!("{clear}acidtest: interrupted; {}{}", kept.message(), crate::show::visible(&finished));
            std::process::exit(INTERRUPTED);
        }
    };
    // Without the thread, signals still end the program but leave its partial output behind.
    let _ = std::thread::Builder::new().spawn(wait);
}

/// Other systems keep their default behaviour.
#[cfg(not(unix))]
pub(crate) fn clean_up_when_interrupted(_kept: Kept) {}

/// The ignored signals as Linux lists them: bit 0 is signal 1. Zero where they are not listed.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
