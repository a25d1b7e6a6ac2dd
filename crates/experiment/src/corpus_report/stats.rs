//! Counts, lengths, agreement, overlap, duplicates and leakage of corpora.

use crate::data::{Data, inputs, note_read, set_of_files};
use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{CorpusError, IdPolicy, for_blocks};
use acidtest_evaluate::NO_VALUE;
use acidtest_evaluate::measurement::{Measurement, Metric, Subject};
use acidtest_evaluate::report::{Cell, Report, ReportBlock, Section, SectionId, Table, TableColumn};
use acidtest_evaluate::statistics::Proportion;
use acidtest_nli::{Judgment, Label, tag};
use acidtest_survey::Share;
use acidtest_survey::statistics::{CorpusStatistics, GroupStatistics, Statistics};
use std::collections::BTreeMap;

/// Statistics of corpora.
pub fn statistics(data: Data, session: &Session<'_>) -> Result<Report, Error> {
    let mut statistics = Statistics::default();
    let counts = for_blocks(
        &mut *data.source(),
        session.loop_options(IdPolicy::Unique),
        |examples| {
            let (mut part, file) = (Statistics::default(), examples.file());
            examples.for_each(|row| part.add(file, &row.example));
            Ok(part)
        },
        |part| {
            statistics.merge(part);
            Ok::<(), CorpusError>(())
        },
    )?;
    note_read(&counts.files, session);
    let found = statistics.finish();
    let names: Vec<String> = counts.files.iter().map(|file| file.name.clone()).collect();
    let mut report = Report::new(
        format!("Statistics of {}", names.join(", ")),
        session.provenance(inputs("data", &counts.files), BTreeMap::new(), BTreeMap::new()),
        sections(&found, &names),
    );
    report.measure(measured(&found, Subject::corpus(&set_of_files(&counts.files)), &names));
    Ok(report)
}

/// The same numbers as measurements, grouped by `property` and `sentence`.
fn measured(found: &CorpusStatistics, subject: Subject<'_>, files: &[String]) -> Vec<Measurement> {
    let mut measured = of_examples(&found.total, subject);
    for (genre, group) in genres(found) {
        measured.extend(of_examples(group, subject).into_iter().map(|mut one| {
            one.group.insert(0, (tag::GENRE.to_string(), genre.to_string()));
            one
        }));
    }
    let mut shares = vec![("pair repeated", found.duplicates.repeated), ("pair with another label", found.duplicates.with_another_label)];
    if files.len() > 1 {
        shares.extend([("premise in several files", found.leakage.rows), ("premises in several files", found.leakage.premises)]);
    }
    measured.extend(properties(subject, &shares));
    measured
}

/// Counts, lengths, agreement and overlap of a group of examples.
fn of_examples(group: &GroupStatistics, subject: Subject<'_>) -> Vec<Measurement> {
    let labels = &group.labels;
    let by_label = [
        (Judgment::from(Label::Entailment).name(), labels.entailment),
        (Judgment::from(Label::Neutral).name(), labels.neutral),
        (Judgment::from(Label::Contradiction).name(), labels.contradiction),
        (Judgment::NotEntailment.name(), labels.not_entailment),
        ("unlabelled", labels.unlabelled),
    ];
    let mut measured = vec![subject.examples(group.rows)];
    measured.extend(by_label.map(|(label, count)| subject.examples(count).with("gold", label)));
    for (sentence, side) in [("premise", &group.premise), ("hypothesis", &group.hypothesis)] {
        let parses = Proportion { count: side.sentence_parses.count, total: side.sentence_parses.total };
        let parses = subject.share(Metric::Share, parses).map(|one| one.with("property", "parse rooted in S"));
        let mean = side.mean_words.map(|mean| subject.number(Metric::MeanWords, mean));
        let most = subject.number(Metric::MostWords, side.max_words as f64);
        measured.extend(mean.into_iter().chain([most]).chain(parses).map(|one| one.with("sentence", sentence)));
    }
    let agreement = &group.agreement;
    let (overlap, published) = (&group.overlap, &group.overlap_as_published);
    measured.extend(properties(
        subject,
        &[
            ("unanimous", agreement.unanimous),
            ("individual = gold", agreement.individual_is_gold),
            ("individual = author", agreement.individual_is_author),
            ("gold = author", agreement.gold_is_author),
            ("gold is not author", agreement.gold_is_not_author),
            ("no gold", agreement.no_gold),
            ("identical", overlap.identical),
            ("deletion only", overlap.deletion),
            ("one word added", overlap.addition),
            ("one substituted", overlap.substitution),
            ("one moved", overlap.moved),
            ("overlap > 37 %", overlap.high_overlap),
            ("deletion only, as published", published.deletion),
            ("one word added, as published", published.addition),
            ("one substituted or moved, as published", published.substitution_or_move),
            ("overlap > 37 %, as published", published.high_overlap),
        ],
    ));
    measured.extend(agreement.fleiss_kappa.value.map(|kappa| subject.number(Metric::Kappa, kappa)));
    measured
}

fn properties(subject: Subject<'_>, shares: &[(&str, Share)]) -> Vec<Measurement> {
    let measured = |(name, share): &(&str, Share)| {
        let counts = Proportion { count: share.count, total: share.total };
        Some(subject.share(Metric::Share, counts)?.with("property", *name))
    };
    shares.iter().filter_map(measured).collect()
}

/// The groups of a table: all examples, then each genre.
fn groups(found: &CorpusStatistics) -> Vec<(&str, &GroupStatistics)> {
    [("all", &found.total)].into_iter().chain(genres(found)).collect()
}

/// Each genre, and the examples without one where others have one.
fn genres(found: &CorpusStatistics) -> Vec<(&str, &GroupStatistics)> {
    let mut genres: Vec<(&str, &GroupStatistics)> = found.by_genre.iter().map(|(genre, group)| (genre.as_str(), group)).collect();
    if !genres.is_empty() && found.without_genre.rows > 0 {
        genres.push((NO_VALUE, &found.without_genre));
    }
    genres
}

fn sections(found: &CorpusStatistics, files: &[String]) -> Vec<Section> {
    let mut sections = vec![labels(found), sentences(found)];
    if found.total.agreement.gold_is_author.total > 0 {
        sections.push(agreement(found));
    }
    sections.push(overlap(found));
    sections.push(repetition(found, files));
    sections
}

fn section(id: SectionId, title: &str, caption: &[&str], columns: &[&str], rows: Vec<Vec<Cell>>) -> Section {
    let caption = caption.iter().map(|sentence| sentence.to_string());
    Section::table(id, title, Vec::new(), Table::keyed(&columns[..1], &columns[1..], rows)).captioned(caption)
}

fn share(share: Share) -> Cell {
    Cell::rate_of_group(Proportion { count: share.count, total: share.total })
}

fn labels(found: &CorpusStatistics) -> Section {
    let row = |(name, group): (&str, &GroupStatistics)| {
        let labels = &group.labels;
        let counts = [group.rows, labels.entailment, labels.neutral, labels.contradiction, labels.not_entailment, labels.unlabelled];
        let mut cells = vec![Cell::text(name)];
        cells.extend(counts.map(|count| Cell::Count { count }));
        cells
    };
    let columns = ["genre", "examples", "entailment", "neutral", "contradiction", "non-entailment", "unlabelled"];
    section(SectionId::CorpusLabels, "Examples by gold label", &[], &columns, groups(found).into_iter().map(row).collect())
}

fn sentences(found: &CorpusStatistics) -> Section {
    let row = |(name, group): (&str, &GroupStatistics)| {
        vec![
            Cell::text(name),
            Cell::number(group.premise.mean_words, 2),
            Cell::Count { count: group.premise.max_words },
            share(group.premise.sentence_parses),
            Cell::number(group.hypothesis.mean_words, 2),
            Cell::Count { count: group.hypothesis.max_words },
            share(group.hypothesis.sentence_parses),
        ]
    };
    let columns =
        ["genre", "premise words (mean)", "longest", "parses rooted in S", "hypothesis words (mean)", "longest", "parses rooted in S"];
    let notes = ["Words are the tokens of the parses, if there are any."];
    section(SectionId::Sentences, "Words and parses", &notes, &columns, groups(found).into_iter().map(row).collect())
}

fn agreement(found: &CorpusStatistics) -> Section {
    let row = |(name, group): (&str, &GroupStatistics)| {
        let agreement = &group.agreement;
        let shares = [
            agreement.unanimous,
            agreement.individual_is_gold,
            agreement.individual_is_author,
            agreement.gold_is_author,
            agreement.gold_is_not_author,
            agreement.no_gold,
        ];
        let mut cells = vec![Cell::text(name)];
        cells.extend(shares.map(share));
        cells.push(Cell::number(agreement.fleiss_kappa.value, 3));
        cells
    };
    let columns = [
        "genre",
        "unanimous",
        "individual = gold",
        "individual = author",
        "gold = author",
        "gold is not author",
        "no gold",
        "Fleiss' kappa",
    ];
    let notes = ["Based on the examples that were validated by annotators other than the author (MultiNLI, tables 2 and 3)."];
    section(SectionId::Agreement, "Annotator agreement", &notes, &columns, groups(found).into_iter().map(row).collect())
}

fn overlap(found: &CorpusStatistics) -> Section {
    let row = |(name, group): (&str, &GroupStatistics)| {
        let overlap = &group.overlap;
        let shares = [overlap.identical, overlap.deletion, overlap.addition, overlap.substitution, overlap.moved, overlap.high_overlap];
        let mut cells = vec![Cell::text(name)];
        cells.extend(shares.map(share));
        cells
    };
    let columns = ["genre", "identical", "deletion only", "one word added", "one substituted", "one moved", "overlap > 37 %"];
    let notes = [
        "How the hypothesis differs from the premise, ignoring case and punctuation (MultiNLI, section 2.2); overlap is the Jaccard index of the words.",
    ];
    let mut section =
        section(SectionId::Overlap, "Hypotheses similar to their premise", &notes, &columns, groups(found).into_iter().map(row).collect());
    let published = &found.total.overlap_as_published;
    let cells = vec![
        Cell::text("all, as the authors count"),
        share(published.deletion),
        share(published.addition),
        share(published.substitution_or_move),
        share(published.high_overlap),
    ];
    let columns = ["", "deletion only", "one word added", "one substituted or moved", "overlap > 37 %"];
    let mut heads = vec![TableColumn::left(columns[0])];
    heads.extend(columns[1..].iter().map(|name| TableColumn::right(*name)));
    section.blocks.push(ReportBlock::Table(Table::new(1, heads, vec![cells])));
    section
}

fn repetition(found: &CorpusStatistics, files: &[String]) -> Section {
    let mut rows = vec![
        vec![Cell::text("examples whose pair occurs earlier"), share(found.duplicates.repeated)],
        vec![Cell::text("examples whose pair has another label elsewhere"), share(found.duplicates.with_another_label)],
    ];
    if files.len() > 1 {
        rows.push(vec![Cell::text("premises in more than one file"), share(found.leakage.premises)]);
        rows.push(vec![Cell::text("examples with such a premise"), share(found.leakage.rows)]);
        for pair in &found.leakage.between {
            let name = |file: usize| files.get(file).map_or("?", String::as_str);
            let text = format!("premises in both {} and {}", name(pair.first), name(pair.second));
            rows.push(vec![Cell::text(text), Cell::Count { count: pair.premises }]);
        }
    }
    section(SectionId::Repetition, "Duplicates and leakage", &[], &["", "share"], rows)
}
