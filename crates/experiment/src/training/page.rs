//! The training curves as an HTML page.

use super::learner::Learner;
use super::log::LogLine;
use super::prepare::Prepared;
use super::run::training_record;
use super::{NetworkTraining, settings_text};
use acidtest_evaluate::report::html::{PageForm, ReportPage};
use acidtest_evaluate::report::{
    Cell, Curve, Point, Provenance, Report, ReportBlock, ReportInput, Section, SectionId, Table, TableColumn, grouped,
};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// Whether a training run is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Reached,
    Ahead,
}

/// The page, self-contained.
pub(crate) fn training_page(
    request: &NetworkTraining<'_>,
    learner: &dyn Learner,
    prepared: &Prepared,
    log: &[LogLine],
    end: End,
) -> String {
    let report = training_report(request, learner, prepared, log, end);
    let mut page = String::new();
    let sink = |name: &str, bytes: &[u8]| -> Result<(), Infallible> {
        if name == "index.html" {
            page = String::from_utf8_lossy(bytes).into_owned();
        }
        Ok(())
    };
    let Ok(()) = ReportPage::new(&report, PageForm::SingleFile, sink).finish();
    page
}

fn training_report(request: &NetworkTraining<'_>, learner: &dyn Learner, prepared: &Prepared, log: &[LogLine], end: End) -> Report {
    let name = learner.name();
    let input = |used: &super::DataUsed| ReportInput {
        role: used.role.clone(),
        path: used.path.clone(),
        rows: used.rows,
        hash: used.hash.clone(),
        skipped: used.skipped,
        notes: Vec::new(),
    };
    let provenance = Provenance {
        tool_version: request.version.clone(),
        command: request.command.clone(),
        seeds: BTreeMap::from([("training".to_string(), request.seed)]),
        inputs: prepared.data.iter().map(input).collect(),
        options: options(learner, prepared),
    };
    let mut sections = vec![verdict(log, name, learner.course().epochs, end), curves(log), epochs(log)];
    sections.retain(|section| !section.blocks.is_empty() || !section.notes.is_empty());
    Report::new(format!("Training of {name}"), provenance, sections)
}

/// All settings as text, with the actual dimension of the word vectors.
fn options(learner: &dyn Learner, prepared: &Prepared) -> BTreeMap<String, String> {
    let model = ("model".to_string(), learner.name().to_string());
    let training = settings_text(&training_record(learner, prepared));
    settings_text(&learner.network_settings()).into_iter().chain(training).chain([model]).collect()
}

fn verdict(log: &[LogLine], name: &str, epochs: u32, end: End) -> Section {
    let ended = log.iter().filter(|line| matches!(line, LogLine::Epoch { .. })).count();
    let mut notes = Vec::new();
    if end == End::Ahead {
        notes.push("Training has not finished. If it was interrupted, run the same command again to resume it.".to_string());
    }
    let best = log.iter().rev().find_map(|line| match line {
        LogLine::Epoch { epoch, dev_accuracy: Some(accuracy), best: true, .. } => Some((epoch, accuracy)),
        _ => None,
    });
    if let Some((epoch, accuracy)) = best {
        notes.push(format!("{name} reaches {:.1} % on the development examples with the weights of epoch {epoch}.", 100.0 * accuracy));
    }
    if let Some(LogLine::Epoch { examples, seconds, .. } | LogLine::Steps { examples, seconds, .. }) = log.last() {
        let speed = *examples as f64 / seconds.max(1e-9);
        notes.push(format!(
            "{ended} of at most {epochs} epochs; {} examples in {seconds:.0} s, {} per second.",
            grouped(*examples),
            grouped(speed as u64)
        ));
    }
    Section::sentences(SectionId::Verdict, "Verdict", notes)
}

fn curves(log: &[LogLine]) -> Section {
    let rows = log.iter().find_map(|line| match line {
        LogLine::Epoch { examples, epoch, .. } => Some(*examples as f64 / f64::from(*epoch)),
        LogLine::Steps { .. } => None,
    });
    let across = if rows.is_some() { "epochs" } else { "examples" };
    let mut loss = Vec::new();
    let (mut accuracy, mut marked) = (Vec::new(), None);
    for line in log {
        match line {
            LogLine::Steps { examples, loss: value, .. } => {
                loss.push(Point { at: *examples as f64 / rows.unwrap_or(1.0), value: *value });
            }
            LogLine::Epoch { epoch, dev_accuracy: Some(value), best, .. } => {
                if *best {
                    marked = Some(accuracy.len());
                }
                accuracy.push(Point { at: f64::from(*epoch), value: 100.0 * value });
            }
            LogLine::Epoch { .. } => {}
        }
    }
    let mut blocks = Vec::new();
    if !loss.is_empty() {
        blocks.push(ReportBlock::Curve(Curve {
            measure: "Training loss".to_string(),
            across: across.to_string(),
            points: loss,
            digits: 2,
            marked: None,
        }));
    }
    if !accuracy.is_empty() {
        blocks.push(ReportBlock::Curve(Curve {
            measure: "Accuracy on the development examples in %; the green dot marks the epoch whose weights were kept".to_string(),
            across: "epochs".to_string(),
            points: accuracy,
            digits: 1,
            marked,
        }));
    }
    Section::new(SectionId::TrainingCurves, "Training curves", Vec::new(), blocks)
}

fn epochs(log: &[LogLine]) -> Section {
    let columns = vec![
        TableColumn::left("epoch"),
        TableColumn::right("loss"),
        TableColumn::right("development accuracy in %"),
        TableColumn::right("examples per second"),
        TableColumn::right("seconds"),
    ];
    let mut rows = Vec::new();
    for line in log {
        if let LogLine::Epoch { epoch, loss, dev_accuracy, examples_per_second, seconds, .. } = line {
            rows.push(vec![
                Cell::Count { count: u64::from(*epoch) },
                Cell::number(Some(*loss), 4),
                Cell::number(dev_accuracy.map(|accuracy| 100.0 * accuracy), 1),
                Cell::number(Some(*examples_per_second), 0),
                Cell::number(Some(*seconds), 0),
            ]);
        }
    }
    let blocks = if rows.is_empty() { Vec::new() } else { vec![ReportBlock::Table(Table::new(1, columns, rows))] };
    Section::new(SectionId::Epochs, "Epochs", Vec::new(), blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_commas() {
        assert_eq!([7, 1234, 1_234_567].map(grouped), ["7", "1,234", "1,234,567"]);
    }

    #[test]
    fn a_page_says_whether_the_training_has_ended() {
        assert!(verdict(&[], "esim", 3, End::Ahead).notes[0].starts_with("Training has not finished."));
        assert!(verdict(&[], "esim", 3, End::Reached).notes.is_empty());
    }

    #[test]
    fn the_best_epoch_is_marked() {
        let line = |epoch: u32, accuracy: f64, best: bool| LogLine::Epoch {
            epoch,
            step: u64::from(epoch),
            examples: 100 * u64::from(epoch),
            loss: 1.0,
            dev_accuracy: Some(accuracy),
            best,
            examples_per_second: 1.0,
            seconds: 1.0,
        };
        let section = curves(&[line(1, 0.5, true), line(2, 0.75, true), line(3, 0.6, false)]);
        let [ReportBlock::Curve(curve)] = &section.blocks[..] else { panic!("one curve") };
        assert_eq!((curve.marked, curve.points.len(), curve.points[1].value), (Some(1), 3, 75.0));
    }
}
