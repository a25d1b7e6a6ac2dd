//! The measurements of an audit.

use super::sections::is_unparsed;
use acidtest_evaluate::measurement::{Measurement, Metric, Subject};
use acidtest_evaluate::statistics::Proportion;
use acidtest_nli::tag;
use acidtest_survey::audit::{AuditReport, OverlapHeuristic, SupportCounts};

/// Examples, contradicting ones of each heuristic by genre, label-indicative words, negation and lengths by label.
pub(super) fn measured(found: &AuditReport, subject: Subject<'_>) -> Vec<Measurement> {
    let mut measured = vec![subject.examples(found.rows)];
    measured.extend(heuristics(found, subject));
    for cues in &found.cues {
        let word = |cue: &acidtest_survey::audit::Cue| {
            subject.number(Metric::Information, cue.information).with("gold", cues.label).with("word", cue.word.as_str())
        };
        measured.extend(cues.words.iter().map(word));
    }
    for label in &found.negation {
        let counts = Proportion { count: label.negated, total: label.hypotheses };
        let negated = subject.share(Metric::Share, counts);
        measured.extend(negated.map(|one| one.with("gold", label.label).with("property", "negation in the hypothesis")));
    }
    for word in &found.negation_words {
        let of_label = |(label, count): &(&str, u64)| subject.examples(*count).with("gold", *label).with("word", word.word);
        measured.extend(word.by_label.iter().map(of_label));
    }
    for label in &found.lengths {
        let of_label = |one: Measurement| one.with("gold", label.label).with("sentence", "hypothesis");
        measured.push(of_label(subject.number(Metric::MeanWords, label.mean)));
        measured.push(of_label(subject.examples(label.hypotheses)));
    }
    measured
}

/// The share of counterexamples among the examples that a heuristic applies to.
fn heuristics(found: &AuditReport, subject: Subject<'_>) -> Vec<Measurement> {
    let known = |heuristic: OverlapHeuristic| heuristic != OverlapHeuristic::Constituent || !is_unparsed(found);
    let mut measured = Vec::new();
    for report in found.heuristics.iter().filter(|report| known(report.heuristic)) {
        let share = |counts: &SupportCounts| {
            let counts = Proportion { count: counts.contradicting, total: counts.supporting + counts.contradicting };
            let share = subject.share(Metric::Share, counts)?;
            Some(share.with("heuristic", report.heuristic.name()).with("property", "contradicting"))
        };
        measured.extend(share(&report.all));
        measured.extend(report.by_genre.iter().filter_map(|(genre, counts)| Some(share(counts)?.with(tag::GENRE, genre.as_str()))));
    }
    measured
}
