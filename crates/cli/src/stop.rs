//! What happens when the program is told to stop.

use std::path::PathBuf;

/// The exit code of a program that was told to stop, whichever signal told it.
#[cfg(unix)]
const STOPPED: i32 = 130;

/// From now on a signal to stop takes away what is being written, says `told` and ends the program. A signal that is ignored, as under `nohup`, stays
/// ignored.
#[cfg(unix)]
pub(crate) fn clean_up_when_stopped(told: &'static str) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::io::IsTerminal;
    let ignored = ignored();
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    // Without it, a stopped program leaves its unfinished file behind: no reason not to work at all.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
    let wait = move || {
        if signals.forever().next().is_some() {
            acidtest_model::kill_running();
            let finished = finished_note(&acidtest_files::remove_unfinished());
            let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
            eprintln!("{clear}acidtest: stopped; {told}{}", crate::show::visible(&finished));
            std::process::exit(STOPPED);
        }
    };
    // Without a thread the signals stop the program all the same, but leave its unfinished file behind.
    let _ = std::thread::Builder::new().spawn(wait);
}

/// What is said of outputs that were finished before the others could be; nothing without any.
pub(crate) fn finished_note(outputs: &[PathBuf]) -> String {
    match outputs {
        [] => String::new(),
        _ => {
            let names: Vec<String> = outputs.iter().map(|output| output.display().to_string()).collect();
            format!("; already finished: {}", names.join(", "))
        }
    }
}

/// Elsewhere the system's own way is kept.
#[cfg(not(unix))]
pub fn clean_up_when_stopped(_told: &'static str) {}

/// The signals that are ignored, as Linux tells them: bit 0 is signal 1. Nothing where it is not told.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
