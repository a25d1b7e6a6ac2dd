//! The findings of a review as sections of a report.

use super::{Majority, Outcome, Question, Review, ReviewedItem};
use crate::analysis::wording::{count, counted, grouped, listed, number, share};
use crate::report::{Cell, CrossTable, FEWEST_EXAMPLES, IntervalMark, ReportBlock, Section, SectionId, Table};
use crate::statistics::Proportion;
use crate::statistics::agreement::Agreement;
use acidtest_nli::Judgment;

/// The tags that a note names.
const TOLD: usize = 5;

const WILSON: &str = "95 % Wilson intervals over items; they generalise to new examples of the set.";

impl Review {
    /// Verdict, validity, labels, agreement, judges, one section for each tag, and the items to look at. The tags in `small` have too few items for a section,
    /// and a note says so.
    pub fn sections(&self, by: &[String], small: &[String]) -> Vec<Section> {
        let mut sections = vec![self.verdict(), self.validity_table()];
        if !small.is_empty() {
            let their = if small.len() == 1 { "its" } else { "their" };
            let rest = small.len().saturating_sub(TOLD);
            let names = small.iter().take(TOLD).cloned().chain((rest > 0).then(|| counted(rest, "other tag"))).collect::<Vec<String>>();
            sections[1].notes.push(format!(
                "No breakdown by {}, because fewer than two of {their} values have at least {FEWEST_EXAMPLES} items.",
                listed(&names)
            ));
        }
        sections.extend(self.labels());
        if self.judges.len() > 1 {
            sections.push(self.agreement_table());
            sections.push(self.judges_table());
        }
        sections.extend(by.iter().map(|tag| self.by_tag(tag)));
        sections.extend(self.doubtful());
        sections
    }

    fn verdict(&self) -> Section {
        let who = if self.judges.len() == 1 { "The judge" } else { "The majority of the judges" };
        let said = |(number, question): (usize, &Question)| {
            let found = self.share(&self.items, number);
            let what = match question {
                Question::Label => "agrees with the gold label on",
                Question::Relation => "finds the relation unchanged on",
                Question::Grammar => "finds both sentences grammatical on",
                Question::Difficulty => "finds the label trivial on",
            };
            format!("{who} {what} {} of {}.", share(found, found.wilson()), counted(found.total as usize, "item"))
        };
        let mut sentences: Vec<String> = self.questions.iter().enumerate().map(said).collect();
        let splits = |(number, question): (usize, &Question)| {
            let splits = self.splits(number);
            (splits > 0).then(|| format!("{} ({})", counted(splits as usize, "item"), question.name()))
        };
        let splits: Vec<String> = self.questions.iter().enumerate().filter_map(splits).collect();
        if !splits.is_empty() {
            sentences.push(format!("Without a majority: {}; they count as not confirmed.", listed(&splits)));
        }
        Section::sentences(SectionId::Verdict, "Verdict", sentences)
    }

    fn validity_table(&self) -> Section {
        let row = |(number, question): (usize, &Question)| {
            let found = self.share(&self.items, number);
            vec![
                Cell::text(question.property()),
                count(found.total),
                Cell::rate(found),
                count(self.splits(number)),
                count(self.unanswered(number)),
            ]
        };
        let rows = self.questions.iter().enumerate().map(row).collect();
        let table = Table::keyed(&["property"], &["items", "share", "no majority", "answers missing"], rows);
        let majority = match self.judges.len() {
            1 => "One judge.".to_string(),
            judges => format!(
                "{} judges; an item has a property if more than half of those who answered say so, and an item that nobody answered is excluded.",
                grouped(judges)
            ),
        };
        Section::table(SectionId::Validity, "Validity", Vec::new(), table).captioned([majority, WILSON.to_string()])
    }

    /// The label of the set against the label of the judges.
    fn labels(&self) -> Option<Section> {
        let question = self.questions.iter().position(|question| *question == Question::Label)?;
        let mut golds: Vec<Judgment> = self.items.iter().filter_map(|item| item.gold).collect();
        golds.sort_unstable();
        golds.dedup();
        let labels = self.scale.labels();
        let cells = |gold: &Judgment| {
            let with = |majority: Majority| {
                let items = self.items.iter().filter(|item| item.gold == Some(*gold) && self.majority(item, question) == majority);
                count(items.count() as u64)
            };
            (0..labels.len()).map(Majority::Answer).chain([Majority::Split]).map(with).collect()
        };
        let matrix = CrossTable {
            row_title: "set".to_string(),
            column_title: "judges".to_string(),
            row_names: golds.iter().map(Judgment::to_string).collect(),
            column_names: labels.iter().map(Judgment::to_string).chain(["no majority".to_string()]).collect(),
            cells: golds.iter().map(cells).collect(),
        };
        let caption = "Items by gold label (rows) and by the majority's label (columns).".to_string();
        let section = Section::new(SectionId::JudgedLabels, "Labels", Vec::new(), vec![ReportBlock::Matrix(matrix)]);
        Some(section.captioned([caption]))
    }

    fn agreement_table(&self) -> Section {
        let mut notes = Vec::new();
        let mut rows = Vec::new();
        for (place, question) in self.questions.iter().enumerate() {
            let Some((pairs, kappa, alpha)) = self.agreement(place) else {
                notes.push(format!("{}: no item has more than one answer.", question.name()));
                continue;
            };
            if alpha.value.is_none() {
                let same = "all answers are the same, so agreement beyond chance is not defined.";
                notes.push(format!("{}: {same}", question.name()));
            }
            let share = number(100.0 * pairs, 1);
            rows.push(vec![
                Cell::text(question.name()),
                Cell::text("pairs of judges that agree, %"),
                count(alpha.items),
                share,
                Cell::Empty {},
                Cell::Empty {},
            ]);
            for (name, found) in [("Fleiss' kappa", kappa), ("Krippendorff's alpha", alpha)] {
                let cell = |value: Option<f64>| value.map_or(Cell::Empty {}, |value| number(value, 3));
                let Agreement { value, interval, items } = found;
                let ends = [interval.map(|interval| interval.low), interval.map(|interval| interval.high)];
                let named = [Cell::text(question.name()), Cell::text(name), count(items), cell(value)];
                rows.push(named.into_iter().chain(ends.map(cell)).collect());
            }
        }
        let caption = "Kappa over the items with the most answers, alpha (nominal) over those with two answers or more. 95 % jackknife intervals over items with Student's t; \
                       none where no two judges disagree or all disagreement is in one item.";
        let table = Table::keyed(&["question", "agreement"], &["items", "value", "from", "to"], rows);
        Section::table(SectionId::JudgeAgreement, "Agreement of the judges", notes, table).captioned([caption.to_string()])
    }

    fn judges_table(&self) -> Section {
        let row = |(judge, name): (usize, &String)| {
            let shares = (0..self.questions.len()).map(|question| Cell::rate(self.share_of_judge(judge, question)));
            std::iter::once(Cell::text(name)).chain(shares).collect()
        };
        let columns: Vec<&str> = self.questions.iter().map(|question| question.property()).collect();
        let table = Table::keyed(&["judge"], &columns, self.judges.iter().enumerate().map(row).collect());
        Section::table(SectionId::Judges, "Each judge alone", Vec::new(), table).captioned([WILSON.to_string()])
    }

    fn by_tag(&self, tag: &str) -> Section {
        let small = |found: Proportion| {
            let cell = Cell::rate(found);
            if found.total < FEWEST_EXAMPLES { cell.marked(Some(IntervalMark::CountsOnly)) } else { cell }
        };
        let row = |(value, items): (String, Vec<&ReviewedItem>)| {
            let shares = (0..self.questions.len()).map(|question| small(self.share(items.iter().copied(), question)));
            [Cell::text(value), count(items.len() as u64)].into_iter().chain(shares).collect()
        };
        let columns: Vec<&str> = std::iter::once("items").chain(self.questions.iter().map(|question| question.property())).collect();
        let table = Table::keyed(&[tag], &columns, self.groups(tag).into_iter().map(row).collect());
        let title = format!("Validity by {tag}");
        Section::table(SectionId::ValidityBy(tag.to_string()), title, Vec::new(), table).captioned([WILSON.to_string()])
    }

    /// The items whose label, relation or grammar the majority does not confirm.
    fn doubtful(&self) -> Option<Section> {
        let mut rows = Vec::new();
        for item in &self.items {
            let problem = |(number, question): (usize, &Question)| {
                let name = match (self.outcome(item, number), question) {
                    (_, Question::Difficulty) | (Outcome::Good | Outcome::Excluded, _) => return None,
                    (Outcome::Split, question) => return Some(format!("{}: no majority", question.name())),
                    (Outcome::Bad, Question::Grammar) => return Some("ungrammatical".to_string()),
                    (Outcome::Bad, question) => question,
                };
                let Majority::Answer(answer) = self.majority(item, number) else { return None };
                Some(format!("{}: {}", name.name(), name.answers(self.scale)[answer]))
            };
            let problems: Vec<String> = self.questions.iter().enumerate().filter_map(problem).collect();
            if problems.is_empty() {
                continue;
            }
            rows.push(vec![
                count(item.number as u64),
                Cell::text(&item.id),
                Cell::text(item.gold.map_or("-", Judgment::name)),
                Cell::text(problems.join(", ")),
                Cell::text(&item.premise),
                Cell::text(&item.hypothesis),
                Cell::text(item.notes.join("; ")),
            ]);
        }
        if rows.is_empty() {
            return None;
        }
        let words = ["item", "id", "set", "judges", "premise", "hypothesis", "notes"];
        let note = format!("{} not confirmed by the majority.", counted(rows.len(), "item"));
        let table = Table { key_columns: 1, ..Table::keyed(&words, &[], rows) };
        Some(Section::table(SectionId::DoubtfulItems, "Items to check", vec![note], table))
    }
}
