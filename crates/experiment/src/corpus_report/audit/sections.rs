//! The report of an audit.

use super::Contradiction;
use acidtest_evaluate::NO_VALUE;
use acidtest_evaluate::report::{Cell, Section, SectionId, Table};
use acidtest_evaluate::statistics::Proportion;
use acidtest_survey::audit::{AuditReport, HeuristicReport, OverlapHeuristic, SupportCounts};
use std::collections::BTreeSet;

/// Heuristics by label and genre, telling words, negation, lengths, and the first contradicting rows.
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
    Cell::rate(Proportion { count: part, total })
}

/// The labels that have rows, in the order of reports.
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
    let mut notes = vec![
        "Rows to which a heuristic applies; those of a narrower heuristic count for the wider ones too (HANS, section 2).".to_string(),
    ];
    let mut note = |rows: u64, what: &str| {
        if rows > 0 {
            notes.push(format!("{rows} of {} rows {what}", found.rows));
        }
    };
    note(found.without_gold, "have no gold label and are left out.");
    note(found.without_parse, "have no parse of the premise that can be used: their constituents are not known.");
    note(found.parsed_here, "have no parse of the premise that can be used: their constituents are those of our own parser.");
    note(found.unreadable_parses, "have a parse that cannot be read; they are among those without one.");
    let mut columns = vec!["supporting", "contradicting", "contradicting share"];
    columns.extend(&labels);
    Section::table(
        SectionId::Heuristics,
        "Overlap heuristics",
        notes,
        Table::keyed(&["heuristic"], &columns, found.heuristics.iter().map(row).collect()),
    )
}

/// Whether no row has a parse, so that a count of constituents would say nothing.
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
    let names = found.heuristics.iter().flat_map(|report| [format!("{} +", report.heuristic.name()), "−".to_string()]);
    let names: Vec<String> = names.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let notes = vec!["Supporting rows (+) and contradicting ones (−).".to_string()];
    Section::table(SectionId::HeuristicsByGenre, "Overlap heuristics by genre", notes, Table::keyed(&["genre"], &names, rows))
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
                Cell::number(Some(100.0 * cue.share), 2),
            ]
        })
    });
    let notes = vec![
        "Words of the hypothesis by smoothed pointwise mutual information with the label, in nats (Gururangan et al. 2018, section 3)."
            .to_string(),
    ];
    let numbers = ["information", "hypotheses", "% of the label's"];
    Section::table(SectionId::Cues, "Telling words", notes, Table::keyed(&["label", "word"], &numbers, rows.collect()))
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
    let notes = vec!["Hypotheses that have the word; n't stands for all words that end in it.".to_string()];
    Section::table(SectionId::NegationWords, "Words of negation", notes, Table::keyed(&["word"], &labels(found), rows))
}

fn lengths(found: &AuditReport) -> Section {
    let row = |label: &acidtest_survey::audit::LabelLengths| {
        let mut cells = vec![Cell::text(label.label), count(label.hypotheses), Cell::number(Some(label.mean), 2)];
        cells.extend(label.quartiles.map(|length| count(length as u64)));
        cells
    };
    let numbers = ["hypotheses", "mean", "first quartile", "median", "third quartile"];
    let notes = vec!["In words without punctuation.".to_string()];
    Section::table(
        SectionId::HypothesisLengths,
        "Length of the hypothesis",
        notes,
        Table::keyed(&["label"], &numbers, found.lengths.iter().map(row).collect()),
    )
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
    let notes = vec![
        "The first, each with the narrowest heuristic that it contradicts; --list N shows more, and --contradicting OUT writes them all."
            .to_string(),
    ];
    let words = ["id", "heuristic", "label", "premise", "hypothesis"];
    let table = Table { key_columns: 1, ..Table::keyed(&words, &[], listed.iter().map(row).collect()) };
    Section::table(SectionId::Contradicting, "Contradicting rows", notes, table)
}
