//! Progress of long work: one line on a terminal, with rate and time left, which is overwritten; nothing where standard error is not a terminal.

use crate::show::{grouped, visible};
use acidtest_experiment::training::{LogLine, TrainingEvent};
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

/// Faster work shows no progress.
const A_MOMENT: Duration = Duration::from_secs(1);
const EVERY: Duration = Duration::from_millis(100);

impl Terminal {
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
            self.overwrite(&progress.line(elapsed));
        }
    }

    /// The time since the task began, if the progress line is due.
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
                    self.note(&format!("{challenge}: {} examples added to every epoch", grouped(rows)));
                }
                self.note(&format!("{} pairs per epoch, {featurizer}", grouped(rows)));
            }
            TrainingEvent::Resumed { epoch, step } => self.note(&format!("continuing in epoch {epoch} after {step} steps")),
            TrainingEvent::Step(progress) => {
                if self.on_terminal && self.due().is_some() {
                    self.overwrite(&progress.line());
                }
            }
            TrainingEvent::Epoch(LogLine::Epoch { epoch, loss, dev_accuracy, best, examples_per_second, .. }) => {
                let dev = dev_accuracy.map_or(String::new(), |accuracy| format!(", dev {:.1} %", 100.0 * accuracy));
                let best = if *best && dev_accuracy.is_some() { " (best so far)" } else { "" };
                self.note(&format!("epoch {epoch}: loss {loss:.3}{dev}{best}, {} pairs/s", grouped(*examples_per_second as u64)));
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
