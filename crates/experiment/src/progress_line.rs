//! Progress in one line of text.

use crate::session::Progress;
use crate::training::TrainingProgress;
use acidtest_evaluate::report::grouped;
use std::time::Duration;

/// The width of the bar.
const BAR: usize = 20;

fn bar(share: f64) -> String {
    let filled = ((share * BAR as f64) as usize).min(BAR);
    format!("{}{}", "━".repeat(filled), "·".repeat(BAR - filled))
}

impl Progress<'_> {
    /// The progress after this time: bar, rate, and time left if the total is known.
    pub fn line(&self, elapsed: Duration) -> String {
        let Progress { task, unit, done, total } = *self;
        let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
        let per_second = grouped(rate as u64);
        match total {
            Some(total) => {
                let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
                let share = done as f64 / total.max(1) as f64;
                format!("{} {task}: {} of {} {unit}, {per_second}/s, {} left", bar(share), grouped(done), grouped(total), duration(left))
            }
            None if done == 0 => format!("{task} ..."),
            None => format!("{task}: {} {unit}, {per_second}/s", grouped(done)),
        }
    }
}

impl TrainingProgress {
    /// The progress in one line of at most 80 columns: bar, rate, time left, loss and dev accuracy.
    pub fn line(&self) -> String {
        let TrainingProgress { epoch, epochs, done, rows, loss, dev_accuracy, examples_per_second } = *self;
        let dev = dev_accuracy.map_or(String::new(), |accuracy| format!(", dev {:.1} %", 100.0 * accuracy));
        // Assuming that training does not stop early.
        let left = (u64::from(epochs - epoch) * rows as u64 + (rows - done) as u64) as f64 / examples_per_second.max(1e-9);
        let share = done as f64 / rows.max(1) as f64;
        let speed = grouped(examples_per_second as u64);
        format!("{} epoch {epoch}/{epochs}: {speed}/s, {} left, loss {loss:.3}{dev}", bar(share), duration(left))
    }
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
        let line = progress.line(Duration::from_secs(5));
        assert_eq!(line, "━━━━━··············· esim-small: 500 of 2,000 pairs, 100/s, 15 s left");
        let progress = Progress { total: None, ..progress };
        assert_eq!(progress.line(Duration::from_secs(5)), "esim-small: 500 pairs, 100/s");
        let progress = Progress { task: "reading", done: 0, ..progress };
        assert_eq!(progress.line(Duration::from_secs(5)), "reading ...");
    }

    #[test]
    fn a_line_of_training_fits_80_columns() {
        let progress =
            TrainingProgress { epoch: 2, epochs: 3, done: 50, rows: 100, loss: 0.5, dev_accuracy: Some(0.75), examples_per_second: 10.0 };
        assert_eq!(progress.line(), "━━━━━━━━━━·········· epoch 2/3: 10/s, 15 s left, loss 0.500, dev 75.0 %");
        let slow = TrainingProgress { epochs: 100, rows: 1_000_000, examples_per_second: 99_999.0, ..progress };
        assert!(slow.line().chars().count() < 80);
        assert_eq!([duration(120.0), duration(7200.0)], ["2 min", "2.0 h"]);
    }
}
