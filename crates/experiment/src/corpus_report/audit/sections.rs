//! The report of an audit.

use super::Contradiction;
use acidtest_evaluate::NO_VALUE;
use acidtest_evaluate::report::{Cell, Section, SectionId, Table, grouped};
use acidtest_evaluate::statistics::Proportion;
use acidtest_survey::audit::{AuditReport, HeuristicReport, OverlapHeuristic, SupportCounts};
use std::collections::BTreeSet;

/// Heuristics by label and genre, label-indicative words, negation, lengths, and the first contradicting examples.
pub(super) fn sections(found: &AuditReport, listed: &[Contradiction]) -> Vec<Section> {
    let mut sections = vec![heuristics(found)];
    let genres: BTreeSet<&str> = found.heuristics.iter().flat_map(|report| report.by_genre.keys().map(String::as_str)).collect();
    if !genres.is_empty() {
        sections.push(by_genre(found, &genres));
    }
    sections.extend([cues(found), negation(found), negation_words(found), lengths(found)]);
    if !listed.is_empty() {
        sections.push(contradicting(listed));
    }
    sections
}

fn count(count: u64) -> Cell {
    Cell::Count { count }
}

fn rate(part: u64, total: u64) -> Cell {
    Cell::rate_of_group(Proportion { count: part, total })
}

/// The labels that have examples, in the order of reports.
fn labels(found: &AuditReport) -> Vec<&'static str> {
    found.lengths.iter().map(|length| length.label).collect()
}

fn heuristics(found: &AuditReport) -> Section {
    let labels = labels(found);
    let row = |report: &HeuristicReport| {
        if report.heuristic == OverlapHeuristic::Constituent && is_unparsed(found) {
            return [Cell::text(report.heuristic.name())].into_iter().chain((0..3 + labels.len()).map(|_| Cell::Empty {})).collect();
        }
        let SupportCounts { supporting, contradicting } = report.all;
        let of_label = |label: &&str| report.by_label.iter().find(|(name, _)| name == label).map_or(0, |(_, rows)| *rows);
        let mut cells = vec![Cell::text(report.heuristic.name()), count(supporting), count(contradicting)];
        cells.push(rate(contradicting, supporting + contradicting));
        cells.extend(labels.iter().map(|label| count(of_label(label))));
        cells
    };
    let mut notes = Vec::new();
    let mut note = |examples: u64, what: &str| {
        if examples > 0 {
            notes.push(format!("{} of {} examples {what}", grouped(examples), grouped(found.rows)));
        }
    };
    note(found.without_gold, "have no gold label and are excluded.");
    note(found.without_parse, "have no usable parse of the premise: their constituents are unknown.");
    note(found.parsed_here, "have no usable parse of the premise: constituents come from Acidtest's own parser.");
    note(found.unreadable_parses, "have a parse that cannot be read; they count as having none.");
    let mut columns = vec!["supporting", "contradicting", "contradicting share"];
    columns.extend(&labels);
    Section::table(
        SectionId::Heuristics,
        "Overlap heuristics",
        notes,
        Table::keyed(&["heuristic"], &columns, found.heuristics.iter().map(row).collect()),
    )
    .captioned([
        "Examples to which a heuristic applies; those of a narrower heuristic also count towards the wider ones (HANS, section 2)."
            .to_string(),
    ])
}

/// Whether no example has a parse, so that constituents cannot be counted.
pub(super) fn is_unparsed(found: &AuditReport) -> bool {
    found.without_parse > 0 && found.without_parse == found.rows - found.without_gold
}

fn by_genre(found: &AuditReport, genres: &BTreeSet<&str>) -> Section {
    let row = |name: &str, counts: &dyn Fn(&HeuristicReport) -> SupportCounts| {
        let cells = found.heuristics.iter().flat_map(|report| {
            let SupportCounts { supporting, contradicting } = counts(report);
            let known = report.heuristic != OverlapHeuristic::Constituent || !is_unparsed(found);
            [supporting, contradicting].map(|rows| if known { count(rows) } else { Cell::Empty {} })
        });
        [Cell::text(name)].into_iter().chain(cells).collect::<Vec<Cell>>()
    };
    let mut rows: Vec<Vec<Cell>> =
        genres.iter().map(|genre| row(genre, &|report| report.by_genre.get(*genre).copied().unwrap_or_default())).collect();
    if found.heuristics.iter().any(|report| without_genre(report) != SupportCounts::default()) {
        rows.push(row(NO_VALUE, &without_genre));
    }
    let names =
        found.heuristics.iter().flat_map(|report| [format!("{} +", report.heuristic.name()), format!("{} -", report.heuristic.name())]);
    let names: Vec<String> = names.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let section =
        Section::table(SectionId::HeuristicsByGenre, "Overlap heuristics by genre", Vec::new(), Table::keyed(&["genre"], &names, rows));
    section.captioned(["Supporting (+) and contradicting (-) examples.".to_string()])
}

fn without_genre(report: &HeuristicReport) -> SupportCounts {
    let of_genres = |count: fn(&SupportCounts) -> u64| report.by_genre.values().map(count).sum::<u64>();
    SupportCounts {
        supporting: report.all.supporting - of_genres(|counts| counts.supporting),
        contradicting: report.all.contradicting - of_genres(|counts| counts.contradicting),
    }
}

fn cues(found: &AuditReport) -> Section {
    let rows = found.cues.iter().flat_map(|cues| {
        cues.words.iter().map(|cue| {
            vec![
                Cell::text(cues.label),
                Cell::text(&cue.word),
                Cell::number(Some(cue.information), 3),
                count(cue.hypotheses),
                Cell::number(Some(100.0 * cue.share), 1),
            ]
        })
    });
    let caption = "Words of the hypothesis by smoothed pointwise mutual information (PMI) with the label, in nats (Gururangan et al. 2018, section 3).";
    let numbers = ["PMI", "hypotheses", "% of hypotheses with this label"];
    let table = Table::keyed(&["label", "word"], &numbers, rows.collect());
    Section::table(SectionId::Cues, "Label-indicative words (PMI)", Vec::new(), table).captioned([caption.to_string()])
}

fn negation(found: &AuditReport) -> Section {
    let row = |label: &acidtest_survey::audit::LabelNegation| {
        vec![Cell::text(label.label), count(label.hypotheses), rate(label.negated, label.hypotheses)]
    };
    let rows = found.negation.iter().map(row).collect();
    let table = Table::keyed(&["label"], &["hypotheses", "with a negation"], rows);
    Section::table(SectionId::Negation, "Hypotheses with a negation", Vec::new(), table)
}

fn negation_words(found: &AuditReport) -> Section {
    let row = |word: &acidtest_survey::audit::NegationWord| {
        [Cell::text(word.word)].into_iter().chain(word.by_label.iter().map(|(_, rows)| count(*rows))).collect()
    };
    let rows = found.negation_words.iter().map(row).collect();
    let section = Section::table(SectionId::NegationWords, "Negation words", Vec::new(), Table::keyed(&["word"], &labels(found), rows));
    section.captioned(["Hypotheses that contain the word; n't stands for all words that end with it.".to_string()])
}

fn lengths(found: &AuditReport) -> Section {
    let row = |label: &acidtest_survey::audit::LabelLengths| {
        let mut cells = vec![Cell::text(label.label), count(label.hypotheses), Cell::number(Some(label.mean), 2)];
        cells.extend(label.quartiles.map(|length| count(length as u64)));
        cells
    };
    let numbers = ["hypotheses", "mean", "first quartile", "median", "third quartile"];
    let table = Table::keyed(&["label"], &numbers, found.lengths.iter().map(row).collect());
    let section = Section::table(SectionId::HypothesisLengths, "Hypothesis length by label", Vec::new(), table);
    section.captioned(["In words, without punctuation.".to_string()])
}

fn contradicting(listed: &[Contradiction]) -> Section {
    let row = |row: &Contradiction| {
        vec![
            Cell::text(&row.id),
            Cell::text(row.heuristic.name()),
            Cell::text(row.gold),
            Cell::text(&row.premise),
            Cell::text(&row.hypothesis),
        ]
    };
    let caption = "The heuristic is the narrowest one that the example contradicts; --list N shows more examples, and --contradicting OUT writes all.";
    let words = ["id", "heuristic", "label", "premise", "hypothesis"];
    let table = Table { key_columns: 1, ..Table::keyed(&words, &[], listed.iter().map(row).collect()) };
    Section::table(SectionId::Contradicting, "Contradicting examples", Vec::new(), table).captioned([caption.to_string()])
}
