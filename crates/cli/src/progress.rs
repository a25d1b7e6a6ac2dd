//! How far long work is: one line that is written over on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Progress of one piece of work, shown on standard error once it takes longer than a moment.
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    on_terminal: bool,
}

/// Work that is done sooner shows nothing.
const A_MOMENT: Duration = Duration::from_secs(1);
const ON_TERMINAL: Duration = Duration::from_millis(100);
const ELSEWHERE: Duration = Duration::from_secs(10);
const BAR: usize = 24;

impl Progress {
    /// Begins now.
    pub fn new() -> Self {
        Progress { started: Instant::now(), shown: None, on_terminal: std::io::stderr().is_terminal() }
    }

    /// Says how far the work of this name is.
    pub fn tell(&mut self, name: &str, done: usize, total: usize) {
        let Some(elapsed) = self.due() else { return };
        let share = done as f64 / total.max(1) as f64;
        let line = format!("{name}: {done} of {total} pairs, {:.0} s", elapsed.as_secs_f64());
        if self.on_terminal {
            let filled = (share * BAR as f64) as usize;
            eprint!("\r\x1b[K{}{} {line}", "━".repeat(filled), "·".repeat(BAR - filled.min(BAR)));
            let _ = std::io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }

    /// Says how much of the work of this name is done, where nobody knows how much there is.
    pub fn count(&mut self, name: &str, done: usize) {
        let Some(elapsed) = self.due() else { return };
        let line = format!("{name}: {done} pairs, {:.0} s", elapsed.as_secs_f64());
        if self.on_terminal {
            eprint!("\r\x1b[K{line}");
            let _ = std::io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }

    /// The time since the beginning, if something is to be said now.
    fn due(&mut self) -> Option<Duration> {
        let every = if self.on_terminal { ON_TERMINAL } else { ELSEWHERE };
        let elapsed = self.started.elapsed();
        let first = if self.on_terminal { A_MOMENT } else { ELSEWHERE };
        if elapsed < first || self.shown.is_some_and(|shown| shown.elapsed() < every) {
            return None;
        }
        self.shown = Some(Instant::now());
        Some(elapsed)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.on_terminal && self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
