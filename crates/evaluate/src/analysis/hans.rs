//! Results on HANS as in its paper: heuristics by label (table 3), and every subcase.

use crate::breakdown::{GOLD, Group};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Bar, Bars, Cell, ReportBlock, Section, SectionId};
use crate::score::Score;
use crate::scoring::{Judged, Scoring};
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{grouped, tag};

/// A published accuracy for comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    /// Who it is the accuracy of.
    pub name: &'static str,
    /// On entailed pairs, if known.
    pub entailment: Option<f64>,
    /// On non-entailed pairs.
    pub non_entailment: Option<f64>,
    /// On all pairs.
    pub all: Option<f64>,
}

/// The heuristics in the order of the paper; those of other grammars follow in alphabetical order.
const PUBLISHED_ORDER: [&str; 3] = ["lexical_overlap", "subsequence", "constituent"];

/// The section on HANS, or on pairs of another grammar; `None` for examples that lack the tags of HANS or have three-way gold labels.
pub fn hans_section(judged: &Judged<'_>, set: &str, references: &[Reference]) -> Option<Section> {
    if !is_hans(judged) {
        return None;
    }
    let mut by_subcase = judged.breakdown(&[tag::HEURISTIC, GOLD, tag::SUBCASE]).ok()?;
    by_subcase.retain(|group| group.score.accuracy.total > 0);
    by_subcase.sort_by_key(|group| place(&group.values[0]));
    let mut by_heuristic = judged.breakdown(&[tag::HEURISTIC]).ok()?;
    by_heuristic.retain(|group| group.score.accuracy.total > 0);
    by_heuristic.sort_by_key(|group| place(&group.values[0]));
    let all = Score::of(judged);
    let mut rows: Vec<Vec<Cell>> = by_heuristic.iter().map(|group| row(&group.values[0].replace('_', "-"), &group.score)).collect();
    rows.push(row("all", &all));
    rows.extend(references.iter().map(reference));
    let bars = by_subcase.iter().map(|group| Bar { label: group.values[2].clone(), value: Cell::of_group(&group.score.clustered) });
    let mut caption = vec![format!("n = {} pairs. 95 % Wilson intervals over clusters.", grouped(all.accuracy.total))];
    caption.extend(notes(&all, references));
    caption.push(Generalisation::of([judged]).sentence_of_sets());
    let blocks = vec![
        ReportBlock::table(&["heuristic"], &["entailment", "non-entailment", "both"], rows),
        ReportBlock::Bars(Bars { measure: "accuracy by subcase".to_string(), bars: bars.collect() }),
    ];
    Some(Section::new(SectionId::Hans, format!("{set}: accuracy by heuristic and gold label"), Vec::new(), blocks).captioned(caption))
}

/// Accuracy by heuristic and gold label; empty for other sets.
pub fn hans_measurements(judged: &Judged<'_>, model: &str, set: &SetId) -> Vec<Measurement> {
    if !is_hans(judged) {
        return Vec::new();
    }
    let subject = Subject { model, set, scoring: Some(judged.scoring) };
    let groups = judged.breakdown(&[tag::HEURISTIC, GOLD]).unwrap_or_default();
    let of =
        |group: &Group| Some(subject.clustered(Metric::Accuracy, &group.score.clustered)?.of_group([tag::HEURISTIC, GOLD], &group.values));
    groups.iter().filter_map(of).collect()
}

/// Whether all labelled examples have the tags of HANS and gold labels are two-way.
pub(super) fn is_hans(judged: &Judged<'_>) -> bool {
    let tagged = judged.scored().filter(|(item, _)| item.tags.get(tag::HEURISTIC).is_some() && item.tags.get(tag::SUBCASE).is_some());
    let labelled = judged.scored().count();
    judged.scoring != Scoring::ThreeWay && labelled > 0 && tagged.count() == labelled
}

pub(super) fn place(heuristic: &str) -> usize {
    PUBLISHED_ORDER.iter().position(|published| *published == heuristic).unwrap_or(PUBLISHED_ORDER.len())
}

/// Accuracy on entailed pairs, on non-entailed pairs, and on both: the recall of each class in two-way scoring.
fn accuracies(score: &Score) -> [ClusteredAccuracy; 3] {
    let of_label = |entailed: bool| {
        let label = score.labels.iter().find(|label| label.label.is_entailment() == entailed);
        label.map(|label| label.clustered_recall).unwrap_or_default()
    };
    [of_label(true), of_label(false), score.clustered]
}

fn row(name: &str, score: &Score) -> Vec<Cell> {
    [Cell::text(name)].into_iter().chain(accuracies(score).iter().map(Cell::of_group)).collect()
}

fn reference(reference: &Reference) -> Vec<Cell> {
    let cell = |accuracy: Option<f64>| accuracy.map_or(Cell::Empty {}, |accuracy| Cell::text(format!("{:.1} %", 100.0 * accuracy)));
    vec![Cell::text(reference.name), cell(reference.entailment), cell(reference.non_entailment), cell(reference.all)]
}

fn notes(all: &Score, references: &[Reference]) -> Vec<String> {
    let [entailed, other, _] = accuracies(all).map(|accuracy| accuracy.proportion());
    let mut notes = vec!["A model that follows a heuristic blindly scores 100 % on entailed and 0 % on non-entailed pairs.".to_string()];
    if let (Some(entailed), Some(other)) = (entailed.rate(), other.rate()) {
        notes.push(format!("This model scores {:.1} % and {:.1} %.", 100.0 * entailed, 100.0 * other));
    }
    if !references.is_empty() {
        notes.push("The last rows show human accuracy on a sample of the set, as reported in the paper.".to_string());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use acidtest_nli::{Judgment, Label, Prediction, Tags};

    /// Scores examples of heuristic, subcase and gold label, all predicted as entailment; expects the cells of the table's rows and the bars' labels.
    #[track_caller]
    fn check(rows: &[(&'static str, &'static str, Judgment)], expected: Option<(&[&str], &[&str])>) {
        let tags_of = |(heuristic, subcase, _): &(&'static str, &'static str, Judgment)| {
            let mut tags = Tags::default();
            for (name, value) in [(tag::HEURISTIC, *heuristic), (tag::SUBCASE, *subcase)] {
                if !value.is_empty() {
                    tags.set(name, value);
                }
            }
            tags
        };
        let tags: Vec<Tags<'_>> = rows.iter().map(tags_of).collect();
        let items: Vec<Item<'_>> =
            rows.iter().zip(&tags).map(|((_, _, gold), tags)| Item { gold: Some(*gold), tags, ..Item::default() }).collect();
        let predictions = vec![Prediction::of(Label::Entailment); rows.len()];
        let scoring = Scoring::for_gold(items.iter().filter_map(|item| item.gold));
        let judged = scoring.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        let people = Reference { name: "people", entailment: Some(0.75), non_entailment: None, all: Some(0.76) };
        let section = hans_section(&judged, "HANS", &[people]);
        let found = section.map(|section| {
            let [ReportBlock::Table(table), ReportBlock::Bars(bars)] = section.blocks.as_slice() else { panic!("{:?}", section.blocks) };
            let cell = |cell: &Cell| match cell {
                Cell::Text { text } => text.clone(),
                Cell::Rate { count, total, .. } => format!("{count}/{total}"),
                _ => "-".to_string(),
            };
            let rows: Vec<String> = table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect();
            (rows, bars.bars.iter().map(|bar| bar.label.clone()).collect::<Vec<_>>())
        });
        let owned = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        assert_eq!(found, expected.map(|(rows, bars)| (owned(rows), owned(bars))));
    }

    const YES: Judgment = Judgment::Exact(Label::Entailment);
    const NO: Judgment = Judgment::NotEntailment;

    #[test]
    fn heuristics_are_in_the_order_of_the_paper_with_human_accuracy_below() {
        check(
            &[("constituent", "cn_adverb", NO), ("constituent", "ce_adverb", YES), ("lexical_overlap", "ln_passive", NO)],
            Some((
                &["lexical-overlap - 0/1 0/1", "constituent 1/1 0/1 1/2", "all 1/1 0/2 1/3", "people 75.0 % - 76.0 %"],
                &["ln_passive", "ce_adverb", "cn_adverb"],
            )),
        );
    }

    #[test]
    fn examples_without_its_tags_or_with_three_way_gold_are_not_hans() {
        check(&[("constituent", "", NO)], None);
        check(&[("constituent", "cn_adverb", NO), ("", "", YES)], None);
        check(&[("constituent", "ce_adverb", YES)], None);
    }
}
