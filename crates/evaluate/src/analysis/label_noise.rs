//! Accuracy on valid labels, where a sample of the labels was judged.

use super::AnalysisError;
use super::wording::{bracket, count, in_points, points};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::score::Score;
use crate::scoring::Judged;
use crate::statistics::label_noise::LabelNoise;
use crate::statistics::{Interval, Proportion};

/// What the accuracies of the section are measured by.
pub(super) const AGREEMENT: &str = "agreement with invalid labels";

/// The accuracies on valid labels.
pub fn label_noise_measurements(judged: &Judged<'_>, valid: Proportion, subject: Subject<'_>) -> Result<Vec<Measurement>, AnalysisError> {
    let noise = LabelNoise::of(&Score::of(judged).clustered, valid)?;
    let bounds = noise.bounds();
    let of = |name: &str, accuracy: f64, interval: Interval| {
        subject.number(Metric::Accuracy, accuracy).within(interval).of_group([AGREEMENT], &[name.to_string()])
    };
    Ok(vec![of("never", bounds.high, noise.interval_if_never_agreeing()), of("always", bounds.low, noise.interval_if_always_agreeing())])
}

/// The accuracy on valid labels, for a model that agrees with no invalid label and for one that agrees with all.
pub fn label_noise_section(judged: &Judged<'_>, valid: Proportion) -> Result<Section, AnalysisError> {
    let noise = LabelNoise::of(&Score::of(judged).clustered, valid)?;
    let (never, always) = (noise.interval_if_never_agreeing(), noise.interval_if_always_agreeing());
    let bounds = noise.bounds();
    let Proportion { count: right, total } = valid;
    let (note, caption) = (
        format!(
            "With {right} of {total} checked labels valid, accuracy on valid labels is between {} % and {} %, depending on how often the model agrees with invalid \
             labels; it is {} % {} if it never does.",
            points(bounds.low),
            points(bounds.high),
            points(bounds.high),
            bracket(never)
        ),
        format!(
            "{} MOVER-R intervals from the Wilson intervals of the accuracy and of the share of valid labels; the checked labels must be a random sample.",
            Generalisation::of([judged]).sentence_of_sets()
        ),
    );
    let row = |name: &str, accuracy: f64, Interval { low, high }: Interval| {
        vec![Cell::text(name), in_points(accuracy), in_points(low), in_points(high)]
    };
    let rows = vec![row("never", bounds.high, never), row("always", bounds.low, always)];
    let judged_labels =
        ReportBlock::table(&["checked labels"], &["valid", "checked"], vec![vec![Cell::text("all"), count(right), count(total)]]);
    let table = ReportBlock::table(&[AGREEMENT], &["accuracy on valid labels", "from", "to"], rows);
    Ok(Section::new(SectionId::LabelNoise, "Accuracy on valid labels", vec![note], vec![judged_labels, table]).captioned([caption]))
}
