//! A judge's sheet: a table with the sentences of every item and a column for every answer.

use super::csv::{Record, add_row, guarded, read, unguarded};
use super::key::{ReviewKey, columns, read_bounded, texts_hash};
use super::problem::SheetProblem;
use crate::error::Error;
use acidtest_evaluate::analysis::review::Question;
use acidtest_files::note_read;
use std::collections::HashMap;
use std::path::Path;

/// The largest sheet that is read.
const LARGEST_MB: u64 = 64;

/// The sentences of an item, in the order of the columns.
pub(super) type ItemTexts = Vec<String>;

/// An empty sheet for a judge, with the items in this order; numbers count from 0.
pub(super) fn empty_sheet(judge: &str, questions: &[Question], texts: &[ItemTexts], order: &[usize]) -> String {
    let mut sheet = String::new();
    add_row(&mut sheet, columns(questions));
    for &item in order {
        let (judge, number) = (guarded(judge), (item + 1).to_string());
        let texts: Vec<String> = texts[item].iter().map(|text| guarded(text)).collect();
        let empty = std::iter::repeat_n("", questions.len() + 1);
        add_row(&mut sheet, [judge.as_str(), &number].into_iter().chain(texts.iter().map(String::as_str)).chain(empty));
    }
    sheet
}

/// What a judge wrote.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JudgeSheet {
    /// Who.
    pub judge: String,
    /// For each item, in the order of their numbers: the answer to each question, and the note.
    pub answers: Vec<ItemAnswers>,
}

/// What a judge says of an item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ItemAnswers {
    /// The sentences, as they were read.
    pub texts: ItemTexts,
    /// For each question the number of the answer.
    pub answers: Vec<Option<usize>>,
    /// The note.
    pub note: String,
}

impl JudgeSheet {
    /// Reads a sheet of the review; everything else is refused with its line.
    pub(super) fn read(path: &Path, key: &ReviewKey) -> Result<Self, Error> {
        note_read(path);
        let bytes = read_bounded(path, LARGEST_MB)?;
        let refused = |(line, problem): (u64, SheetProblem)| Error::Sheet { path: path.display().to_string(), line, problem };
        JudgeSheet::parse(&bytes, key).map_err(refused)
    }

    fn parse(bytes: &[u8], key: &ReviewKey) -> Result<Self, (u64, SheetProblem)> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let lines = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            (lines as u64 + 1, SheetProblem::NotUtf8)
        })?;
        let records = read(text)?;
        let (header, rows) = records.split_first().ok_or((1, SheetProblem::Empty))?;
        let header = Header::of(header, key).map_err(|problem| (header.line, problem))?;
        let mut found = Found { items: vec![None; key.items.len()], lines: HashMap::new(), judge: None };
        for row in rows.iter().filter(|row| row.cells.iter().any(|cell| !cell.trim().is_empty())) {
            found.add(row, &header, key).map_err(|problem| (row.line, problem))?;
        }
        found.finish().map_err(|problem| (records.last().map_or(1, |record| record.line), problem))
    }
}

/// Where each column stands.
struct Header {
    places: Vec<usize>,
    names: Vec<&'static str>,
    width: usize,
}

impl Header {
    fn of(record: &Record, key: &ReviewKey) -> Result<Self, SheetProblem> {
        let names = key.columns();
        let expected = || names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let mut places = vec![None; names.len()];
        for (place, cell) in record.cells.iter().enumerate() {
            let cell = cell.trim().to_lowercase();
            if cell.is_empty() {
                continue;
            }
            let unknown = || SheetProblem::UnknownColumn { found: cell.clone(), expected: expected() };
            let column = names.iter().position(|name| *name == cell).ok_or_else(unknown)?;
            if places[column].replace(place).is_some() {
                return Err(SheetProblem::DoubleColumn { column: cell });
            }
        }
        let missing = |(name, place): (&&str, &Option<usize>)| {
            place.ok_or_else(|| SheetProblem::NoColumn { column: name.to_string(), expected: expected() })
        };
        let places = names.iter().zip(&places).map(missing).collect::<Result<_, _>>()?;
        Ok(Header { places, names, width: record.cells.len() })
    }

    /// The cell of a column; rows may end before their last empty cells.
    fn cell<'r>(&self, row: &'r Record, column: &str) -> &'r str {
        let place = self.names.iter().position(|name| *name == column).map(|column| self.places[column]);
        place.and_then(|place| row.cells.get(place)).map_or("", String::as_str)
    }
}

/// Stands for the sentences of an item in sheets that are published without them, as their licence may demand.
const WITHHELD: &str = "(withheld)";

/// What was read so far.
struct Found {
    items: Vec<Option<ItemAnswers>>,
    lines: HashMap<usize, u64>,
    judge: Option<String>,
}

impl Found {
    fn add(&mut self, row: &Record, header: &Header, key: &ReviewKey) -> Result<(), SheetProblem> {
        if row.cells.iter().skip(header.width).any(|cell| !cell.trim().is_empty()) {
            return Err(SheetProblem::SurplusCells { found: row.cells.len(), columns: header.width });
        }
        let number = header.cell(row, "item").trim();
        let item = number.parse::<usize>().ok().filter(|item| (1..=key.items.len()).contains(item));
        let item = item.ok_or_else(|| SheetProblem::UnknownItem { found: number.to_string(), items: key.items.len() })?;
        if let Some(first) = self.lines.insert(item, row.line) {
            return Err(SheetProblem::DoubleItem { item, first });
        }
        let judge = unguarded(header.cell(row, "judge")).trim();
        match &self.judge {
            _ if judge.is_empty() => return Err(SheetProblem::NoJudge),
            None => self.judge = Some(judge.to_string()),
            Some(first) if first == judge => {}
            Some(first) => return Err(SheetProblem::OtherJudge { found: judge.to_string(), first: first.clone() }),
        }
        let shown = header.names.iter().filter(|name| name.ends_with("premise") || name.ends_with("hypothesis"));
        let texts: ItemTexts = shown.map(|name| unguarded(header.cell(row, name)).to_string()).collect();
        let withheld = texts.iter().all(|text| text == WITHHELD);
        if !withheld && texts_hash(texts.iter().map(String::as_str)) != key.items[item - 1].texts {
            return Err(SheetProblem::OtherText { item });
        }
        let answers = key.questions.iter().map(|question| answer(*question, header.cell(row, question.name())));
        let note = unguarded(header.cell(row, "note")).trim().to_string();
        self.items[item - 1] = Some(ItemAnswers { texts, answers: answers.collect::<Result<_, _>>()?, note });
        Ok(())
    }

    fn finish(self) -> Result<JudgeSheet, SheetProblem> {
        let missing: Vec<usize> = (0..self.items.len()).filter(|item| self.items[*item].is_none()).collect();
        if let Some(first) = missing.first() {
            return Err(SheetProblem::MissingItems { missing: missing.len(), items: self.items.len(), first: first + 1 });
        }
        let answers: Vec<ItemAnswers> = self.items.into_iter().flatten().collect();
        if answers.iter().all(|item| item.answers.iter().all(Option::is_none)) {
            return Err(SheetProblem::NoAnswers);
        }
        Ok(JudgeSheet { judge: self.judge.unwrap_or_default(), answers })
    }
}

/// The number of an answer, by its word or its key; nothing for an empty cell.
fn answer(question: Question, cell: &str) -> Result<Option<usize>, SheetProblem> {
    let given = unguarded(cell).trim().to_lowercase().replace(['-', '_'], " ");
    if given.is_empty() {
        return Ok(None);
    }
    let choices = question.choices();
    let found = choices.iter().position(|choice| choice.value == given || choice.key == given);
    let unknown = || SheetProblem::UnknownAnswer {
        found: cell.trim().to_string(),
        question: question.name(),
        expected: choices.iter().flat_map(|choice| [choice.value, choice.key]).collect(),
    };
    found.map(Some).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::key::{KeyItem, KeySet};
    use crate::spec::DataSpec;
    use acidtest_evaluate::analysis::review::LabelScale;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const QUESTIONS: [Question; 2] = [Question::Label, Question::Difficulty];

    fn key(texts: &[ItemTexts]) -> ReviewKey {
        let item = |texts: &ItemTexts| KeyItem {
            id: texts[0].clone(),
            gold: "neutral".to_string(),
            texts: texts_hash(texts.iter().map(String::as_str)),
            tags: BTreeMap::new(),
        };
        let set = KeySet { name: "set".to_string(), hash: String::new(), examples: 2, data: DataSpec::default() };
        ReviewKey::new(set, 1, (QUESTIONS.to_vec(), LabelScale::ThreeWay), texts.iter().map(item).collect(), Default::default())
    }

    fn texts() -> Vec<ItemTexts> {
        vec![vec!["=SUM(A1)".to_string(), "He said \"no\", twice.".to_string()], vec!["Second.".to_string(), "- Third.".to_string()]]
    }

    fn parse(sheet: &str) -> Result<JudgeSheet, (u64, SheetProblem)> {
        JudgeSheet::parse(sheet.as_bytes(), &key(&texts()))
    }

    /// The sheet with these answers in the columns `label,difficulty,note` of items 2 and 1.
    fn filled(second: &str, first: &str) -> String {
        let sheet = empty_sheet("ann", &QUESTIONS, &texts(), &[1, 0]);
        let lines: Vec<&str> = sheet.lines().collect();
        format!("{}\n{}{second}\n{}{first}\n", lines[0], lines[1].strip_suffix(",,").unwrap(), lines[2].strip_suffix(",,").unwrap())
    }

    #[test]
    fn an_empty_sheet_has_no_label_and_guards_formulas() {
        let sheet = empty_sheet("judge-1", &QUESTIONS, &texts(), &[1, 0]);
        let expected = "judge,item,premise,hypothesis,label,difficulty,note\njudge-1,2,Second.,'- Third.,,,\n\
                        judge-1,1,'=SUM(A1),\"He said \"\"no\"\", twice.\",,,\n";
        assert_eq!(sheet, expected);
        assert_eq!(parse(&sheet).unwrap_err().1, SheetProblem::NoAnswers);
    }

    #[test]
    fn answers_are_read_by_word_and_by_key_in_the_order_of_the_items() {
        let found = parse(&filled("neutral,Needs-Thought,\"a; note\"", "E,3,")).unwrap();
        assert_eq!(found.judge, "ann");
        assert_eq!(found.answers[0].answers, [Some(0), Some(2)]);
        assert_eq!(found.answers[1].answers, [Some(1), Some(1)]);
        assert_eq!((found.answers[0].texts[0].as_str(), found.answers[1].note.as_str()), ("=SUM(A1)", "a; note"));
        let unanswered = parse(&filled(",,", "E,,")).unwrap();
        assert_eq!(unanswered.answers[1].answers, [None, None]);
    }

    #[test]
    fn what_spreadsheets_do_to_a_sheet_changes_nothing() {
        let plain = parse(&filled("neutral,1,", "c,2,")).unwrap();
        let sheet = filled("neutral,1,", "c,2,");
        assert_eq!(parse(&format!("\u{feff}{}", sheet.replace('\n', "\r\n"))).unwrap(), plain);
        let semicolons = "judge;item;premise;hypothesis;label;difficulty;note;;\r\nann;2;Second.;'- Third.;neutral;1;;;\r\n\
                          ann;1;=SUM(A1);\"He said \"\"no\"\", twice.\";c;2;;;\r\n;;;;;;;;\r\n";
        assert_eq!(parse(semicolons).unwrap(), plain);
    }

    #[track_caller]
    fn refused(sheet: &str, line: u64, message: &str) {
        let (at, problem) = parse(sheet).unwrap_err();
        assert_eq!((at, problem.to_string().as_str()), (line, message));
    }

    #[test]
    fn damaged_sheets_are_refused_where_they_are_damaged() {
        let good = filled("neutral,1,", "c,2,");
        refused("", 1, "the file is empty (expected a sheet of this review)");
        refused(
            &good.replace("neutral", "maybe"),
            2,
            "`maybe` is not an answer to `label` (expected entailment, e, neutral, n, contradiction, c, or nothing)",
        );
        refused(
            &good.replace("Second", "Secnd"),
            2,
            "the sentences of item 2 differ from those of the review (the sheet is from another review, or was edited: restore them)",
        );
        refused(&good.replace("ann,1", "ann,2"), 3, "item 2 occurs twice (first at line 2)");
        refused(&good.replace("ann,1", "ann,3"), 3, "`3` is not the number of an item (expected 1 to 2)");
        refused(&good.replace("ann,1", "ben,1"), 3, "the judge is `ben`, but `ann` in the lines above (expected one judge per sheet)");
        refused(&good.replace("ann,2", ",2"), 2, "no name in the column `judge`");
        refused(&good.replace("c,2,", "c,2,,x"), 3, "8 cells for 7 columns");
        refused(&good.replace("twice.\"", "twice."), 3, "a quoted cell begins here and never ends");
        let two = good.lines().take(2).collect::<Vec<_>>().join("\n");
        refused(&two, 2, "the sheet lacks 1 of 2 items, such as item 1 (leave the answers empty, but keep the rows)");
        let columns = "expected judge, item, premise, hypothesis, label, difficulty, note";
        refused(&good.replace("label", "gold"), 1, &format!("unknown column `gold` ({columns})"));
        refused(&good.replace("difficulty", "label"), 1, "the column `label` occurs twice");
        refused(&good.replace(",difficulty", ","), 1, &format!("no column `difficulty` ({columns})"));
        let (line, problem) = JudgeSheet::parse(b"judge\n\xff", &key(&texts())).unwrap_err();
        assert_eq!((line, problem), (2, SheetProblem::NotUtf8));
    }

    proptest! {
        #[test]
        fn every_sheet_is_read_as_it_was_filled_in(
            texts in prop::collection::vec(prop::array::uniform2("[ -~é\n]{0,12}"), 1..6),
            answers in prop::collection::vec((0usize..4, 0usize..4, "[ -~é]{0,5}"), 6),
        ) {
            let texts: Vec<ItemTexts> = texts.into_iter().map(Vec::from).collect();
            let choice = |question: Question, answer: usize| question.choices().get(answer).map_or("", |choice| choice.value);
            let mut sheet = String::new();
            add_row(&mut sheet, columns(&QUESTIONS));
            for (item, (texts, (label, difficulty, note))) in texts.iter().zip(&answers).enumerate().rev() {
                let [premise, hypothesis, note] = [&texts[0], &texts[1], note].map(|text| guarded(text));
                let (label, difficulty) = (choice(Question::Label, *label), choice(Question::Difficulty, *difficulty));
                add_row(&mut sheet, ["=ann", &(item + 1).to_string(), &premise, &hypothesis, label, difficulty, &note]);
            }
            let given = |(label, difficulty, _): &(usize, usize, String)| vec![Some(*label).filter(|at| *at < 3), Some(*difficulty).filter(|at| *at < 3)];
            match JudgeSheet::parse(sheet.as_bytes(), &key(&texts)) {
                Ok(found) => for (found, (texts, expected)) in found.answers.iter().zip(texts.iter().zip(&answers)) {
                    prop_assert_eq!((&found.texts, &found.answers), (texts, &given(expected)));
                    prop_assert_eq!(found.note.as_str(), expected.2.trim());
                },
                Err((_, problem)) => {
                    prop_assert_eq!(problem, SheetProblem::NoAnswers);
                    prop_assert!(answers[..texts.len()].iter().all(|answers| given(answers) == [None, None]));
                }
            }
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(JudgeSheet::parse(&bytes, &key(&texts())).is_err());
        }
    }
}
