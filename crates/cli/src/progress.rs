//! Progress of long work: one line on a terminal, with rate and time left, which is overwritten; nothing where standard error is not a terminal.

use crate::show::visible;
use acidtest_experiment::training::{LogLine, TrainingEvent, TrainingProgress};
use acidtest_experiment::{Event, Observer, Progress};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shows events of an [`Observer`] on standard error.
pub(crate) struct Terminal {
    line: Mutex<Line>,
}

/// The line that is overwritten.
struct Line {
    on_terminal: bool,
    /// The task whose progress is shown.
    task: String,
    started: Instant,
    shown: Option<Instant>,
}

/// Work that is done sooner shows nothing.
const A_MOMENT: Duration = Duration::from_secs(1);
const EVERY: Duration = Duration::from_millis(100);
const BAR: usize = 20;

impl Terminal {
    /// For standard error as it is.
    pub(crate) fn new() -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        Terminal { line: Mutex::new(Line { on_terminal, task: String::new(), started: Instant::now(), shown: None }) }
    }
}

impl Observer for Terminal {
    fn notice(&self, event: Event<'_>) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Progress(progress) => line.progress(&progress),
            Event::Note(text) => line.note(text),
            Event::Training(event) => line.training(event),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.line.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Line {
    fn progress(&mut self, progress: &Progress<'_>) {
        if !self.on_terminal {
            return;
        }
        if self.task != progress.task {
            self.clear();
            self.task = progress.task.to_string();
            self.started = Instant::now();
        }
        if let Some(elapsed) = self.due() {
            self.overwrite(&described(progress, elapsed));
        }
    }

    /// The time since the task began, if something is to be shown now.
    fn due(&mut self) -> Option<Duration> {
        let elapsed = self.started.elapsed();
        if elapsed < A_MOMENT || self.shown.is_some_and(|shown| shown.elapsed() < EVERY) {
            return None;
        }
        self.shown = Some(Instant::now());
        Some(elapsed)
    }

    fn training(&mut self, event: &TrainingEvent<'_>) {
        match event {
            TrainingEvent::Prepared { rows, featurizer, augmented, .. } => {
                for (challenge, rows) in *augmented {
                    self.note(&format!("{challenge}: {rows} examples added to every epoch"));
                }
                self.note(&format!("{rows} pairs per epoch, {featurizer}"));
            }
            TrainingEvent::Resumed { epoch, step } => self.note(&format!("continuing in epoch {epoch} after {step} steps")),
            TrainingEvent::Step(progress) => {
                if self.on_terminal && self.due().is_some() {
                    self.overwrite(&training_step(progress));
                }
            }
            TrainingEvent::Epoch(LogLine::Epoch { epoch, loss, dev_accuracy, best, examples_per_second, .. }) => {
                let dev = dev_accuracy.map_or(String::new(), |accuracy| format!(", dev {:.1} %", 100.0 * accuracy));
                let best = if *best && dev_accuracy.is_some() { " (best so far)" } else { "" };
                self.note(&format!("epoch {epoch}: loss {loss:.3}{dev}{best}, {examples_per_second:.0} pairs/s"));
            }
            TrainingEvent::Epoch(LogLine::Steps { .. }) => {}
        }
    }

    fn note(&mut self, text: &str) {
        self.clear();
        eprintln!("{}", visible(text));
    }

    fn overwrite(&self, text: &str) {
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        eprint!("\r\x1b[K{}", visible(text).chars().take(width.saturating_sub(1)).collect::<String>());
        let _ = std::io::stderr().flush();
    }

    fn clear(&mut self) {
        if self.on_terminal && self.shown.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

fn bar(share: f64) -> String {
    let filled = ((share * BAR as f64) as usize).min(BAR);
    format!("{}{}", "━".repeat(filled), "·".repeat(BAR - filled))
}

fn described(progress: &Progress<'_>, elapsed: Duration) -> String {
    let Progress { task, unit, done, total } = *progress;
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    match total {
        Some(total) => {
            let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
            let share = done as f64 / total.max(1) as f64;
            format!("{} {task}: {done} of {total} {unit}, {rate:.0}/s, {} left", bar(share), duration(left))
        }
        None if done == 0 => format!("{task} ..."),
        None => format!("{task}: {done} {unit}, {rate:.0}/s"),
    }
}

fn training_step(progress: &TrainingProgress) -> String {
    let TrainingProgress { epoch, epochs, done, rows, loss, dev_accuracy, examples_per_second } = *progress;
    let dev = dev_accuracy.map_or(String::new(), |accuracy| format!(", dev {:.1} %", 100.0 * accuracy));
    // If training does not stop early.
    let left = (u64::from(epochs - epoch) * rows as u64 + (rows - done) as u64) as f64 / examples_per_second.max(1e-9);
    let share = done as f64 / rows.max(1) as f64;
    format!("{} epoch {epoch}/{epochs}: {examples_per_second:.0}/s, {} left, loss {loss:.3}{dev}", bar(share), duration(left))
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
    fn a_line_has_rate_and_time_left() {
        let progress = Progress { task: "esim-small", unit: "pairs", done: 500, total: Some(2000) };
        let line = described(&progress, Duration::from_secs(5));
        assert_eq!(line, "━━━━━··············· esim-small: 500 of 2000 pairs, 100/s, 15 s left");
        let progress = Progress { total: None, ..progress };
        assert_eq!(described(&progress, Duration::from_secs(5)), "esim-small: 500 pairs, 100/s");
        let progress = Progress { task: "reading", done: 0, ..progress };
        assert_eq!(described(&progress, Duration::from_secs(5)), "reading ...");
    }

    #[test]
    fn a_line_of_training_fits_80_columns() {
        let progress =
            TrainingProgress { epoch: 2, epochs: 3, done: 50, rows: 100, loss: 0.5, dev_accuracy: Some(0.75), examples_per_second: 10.0 };
        assert_eq!(training_step(&progress), "━━━━━━━━━━·········· epoch 2/3: 10/s, 15 s left, loss 0.500, dev 75.0 %");
        let slow = TrainingProgress { epochs: 100, rows: 1_000_000, examples_per_second: 99_999.0, ..progress };
        assert!(training_step(&slow).chars().count() < 80);
        assert_eq!([duration(120.0), duration(7200.0)], ["2 min", "2.0 h"]);
    }
}
