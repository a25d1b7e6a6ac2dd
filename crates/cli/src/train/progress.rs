//! How far a training is: a bar on a terminal, plain lines elsewhere.

use acidtest_experiment::course::{Event, LogLine, Standing};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const ON_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(30);
const BAR: usize = 20;

/// Tells on standard error how a training goes.
pub struct TrainingProgress {
    name: String,
    shown: Instant,
    on_terminal: bool,
}

impl TrainingProgress {
    /// For a model of this name.
    pub fn new(name: &str) -> Self {
        TrainingProgress { name: name.to_string(), shown: Instant::now(), on_terminal: std::io::stderr().is_terminal() }
    }

    /// Tells what has happened.
    pub fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Prepared { rows, vocabulary, augmented, .. } => {
                for (challenge, rows) in *augmented {
                    self.line(&format!("{challenge}: {rows} rows added to every epoch"));
                }
                self.line(&format!("{}: {rows} pairs an epoch, {vocabulary} words", self.name));
            }
            Event::Resumed { epoch, step } => self.line(&format!("goes on in epoch {epoch} after {step} steps")),
            Event::Step(standing) => self.step(standing),
            Event::Epoch(LogLine::Epoch { epoch, loss, dev_accuracy, best, examples_per_second, .. }) => {
                let dev = dev_accuracy.map_or(String::new(), |accuracy| format!(", dev {:.1} %", 100.0 * accuracy));
                let best = if *best && dev_accuracy.is_some() { " (best so far)" } else { "" };
                self.line(&format!("epoch {epoch}: loss {loss:.3}{dev}{best}, {examples_per_second:.0} pairs a second"));
            }
            Event::Epoch(LogLine::Steps { .. }) => {}
        }
    }

    fn step(&mut self, standing: &Standing) {
        let every = if self.on_terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        if self.on_terminal {
            let line = bar(standing);
            let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
            eprint!("\r\x1b[K{}", line.chars().take(width.saturating_sub(1)).collect::<String>());
            let _ = std::io::stderr().flush();
        } else {
            eprintln!("{}", described(standing));
        }
    }

    fn line(&mut self, text: &str) {
        if self.on_terminal {
            eprint!("\r\x1b[K");
        }
        eprintln!("{text}");
    }
}

impl Drop for TrainingProgress {
    fn drop(&mut self) {
        if self.on_terminal {
            eprint!("\r\x1b[K");
        }
    }
}

/// Where a training stands, as a bar and as little else as tells it: terminals are often 80 columns wide.
fn bar(standing: &Standing) -> String {
    let Standing { epoch, epochs, done, rows, loss, examples_per_second, .. } = *standing;
    let filled = (BAR * done / rows.max(1)).min(BAR);
    format!(
        "{}{} epoch {epoch}/{epochs}, {examples_per_second:.0}/s, loss {loss:.3}{}, {} left",
        "━".repeat(filled),
        "·".repeat(BAR - filled),
        dev(standing),
        duration(most_left(standing))
    )
}

/// Where a training stands, in one line.
fn described(standing: &Standing) -> String {
    let Standing { epoch, epochs, done, rows, loss, examples_per_second, .. } = *standing;
    format!(
        "epoch {epoch}/{epochs}, {done} of {rows} pairs, {examples_per_second:.0}/s, loss {loss:.3}{}, at most {} left",
        dev(standing),
        duration(most_left(standing))
    )
}

fn dev(standing: &Standing) -> String {
    standing.dev_accuracy.map_or(String::new(), |accuracy| format!(", dev {:.1} %", 100.0 * accuracy))
}

/// The seconds that are left if no epoch is left out.
fn most_left(standing: &Standing) -> f64 {
    let Standing { epoch, epochs, done, rows, examples_per_second, .. } = *standing;
    (u64::from(epochs - epoch) * rows as u64 + (rows - done) as u64) as f64 / examples_per_second.max(1e-9)
}

fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{seconds:.0} s"),
        seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_long_it_will_take_at_most() {
        let standing =
            Standing { epoch: 2, epochs: 3, done: 50, rows: 100, loss: 0.5, dev_accuracy: Some(0.75), examples_per_second: 10.0 };
        assert_eq!(described(&standing), "epoch 2/3, 50 of 100 pairs, 10/s, loss 0.500, dev 75.0 %, at most 15 s left");
        assert_eq!(bar(&standing), "━━━━━━━━━━·········· epoch 2/3, 10/s, loss 0.500, dev 75.0 %, 15 s left");
        let slow = Standing { epochs: 100, rows: 1_000_000, examples_per_second: 99_999.0, ..standing };
        assert!(bar(&slow).chars().count() < 80, "{}", bar(&slow));
        assert_eq!([duration(120.0), duration(7200.0)], ["2 min", "2.0 h"]);
    }
}
