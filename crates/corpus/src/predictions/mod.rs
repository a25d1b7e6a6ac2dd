//! Predictions files of all kinds: by id or by row, labels or scores.

mod gold;
mod json;
mod table;
mod unique;
mod write;

pub(crate) use write::add_line;
pub use write::{PredictionForm, add_csv_line};

use crate::blocks::{LineBlock, LineBlocks};
use crate::input::BoundedReader;
use crate::layouts::ArrayBlocks;
use crate::{ColumnNames, CorpusError, InputFile, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Answer, Key, LabelNames, LooseLabels, Prediction};
use table::Table;

/// How to read predictions.
#[derive(Debug, Clone, Default)]
pub struct PredictionOptions {
    /// The order of numbered labels and of score columns, if given, and the user's label words.
    pub labels: LabelNames,
    /// The user's names for the id and label columns.
    pub columns: ColumnNames,
}

/// The accepted names of a label's column.
const LABEL_COLUMNS: &[&str] = &["prediction", "predicted_label", "predicted", "label", "gold_label", "answer"];
const ROW_COLUMNS: &[&str] = &["index", "row", "idx"];

/// The longest row of a table: an unclosed quotation mark would take in the rest of the file.
const LONGEST_ROW_MB: u64 = 64;

/// The field or column that says which pair a prediction is for, whatever its id: a hash of the two texts, as 16 hexadecimal digits.
const PAIR_COLUMN: &str = "pair";

/// The predictions of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PredictionFile {
    /// The predictions.
    pub answers: Vec<Answer>,
    /// For each of them, the hash of the pair that it was made for ([`acidtest_nli::content_hash`]), where the file has it.
    pub pairs: Vec<Option<u64>>,
    /// The hash of the file's content.
    pub hash: ContentHash,
}

/// One prediction as it was read.
struct ReadPrediction {
    key: Key,
    prediction: Prediction,
    pair: Option<u64>,
}

fn pair_hash(text: &str) -> Result<u64, RowProblem> {
    let is_hash = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = u64::from_str_radix(text, 16).ok().filter(|_| is_hash);
    hash.ok_or_else(|| problem(format!("`{text}` is not the hash of a pair (expected 16 hexadecimal digits under `{PAIR_COLUMN}`)")))
}

/// All predictions of a file.
pub fn read_predictions(file: &InputFile, options: &PredictionOptions) -> Result<PredictionFile, CorpusError> {
    let mut opened = file.open()?;
    if opened.begins_with(b"PAR1").map_err(|error| file.broken(1, &error))? {
        return Err(CorpusError::ParquetPredictions { path: file.name() });
    }
    opened.skip_byte_order_mark().map_err(|error| file.broken(1, &error))?;
    let empty = || CorpusError::NoPredictions { path: file.name() };
    let mut answers = Answers { file, options, rows: Vec::new(), pairs: Vec::new(), loose: LooseLabels::default() };
    if opened.first_byte().map_err(|error| file.broken(1, &error))?.0 == Some(b'[') {
        let hash = answers.read_array(ArrayBlocks::new(file.clone(), opened))?;
        return answers.finish(hash);
    }
    let mut blocks = LineBlocks::new(file.clone(), opened);
    let first = blocks.next_text()?.ok_or_else(empty)?;
    let start = first.texts().next().map(|(_, text)| text).ok_or_else(empty)?;
    let separator = [b'\t', b','].into_iter().find(|separator| start.as_bytes().contains(separator));
    let hash = match separator {
        _ if start.starts_with('{') => answers.read_json(first, blocks)?,
        Some(separator) => answers.read_separated(first, blocks, separator)?,
        None => answers.read_words(first, blocks)?,
    };
    answers.finish(hash)
}

/// The predictions of a file so far.
struct Answers<'f> {
    file: &'f InputFile,
    options: &'f PredictionOptions,
    rows: Vec<Answer>,
    pairs: Vec<Option<u64>>,
    /// Ambiguous labels.
    loose: LooseLabels,
}

impl Answers<'_> {
    /// All predictions, unless there are none or their labels are ambiguous.
    fn finish(self, hash: ContentHash) -> Result<PredictionFile, CorpusError> {
        if self.rows.is_empty() {
            return Err(CorpusError::NoPredictions { path: self.file.name() });
        }
        match self.loose.doubt_of_answers() {
            Some(doubt) => Err(CorpusError::DoubtfulAnswers { path: self.file.name(), doubt }),
            None => Ok(PredictionFile { answers: self.rows, pairs: self.pairs, hash }),
        }
    }

    fn read_array(&mut self, mut blocks: ArrayBlocks) -> Result<ContentHash, CorpusError> {
        while let Some(block) = blocks.next()? {
            for (line, text) in block.lines() {
                let found = text.and_then(|text| json::prediction(text, self.rows.len(), self.options, &mut self.loose));
                self.take(line, found)?;
            }
        }
        Ok(blocks.content_hash())
    }

    fn read_json(&mut self, first: LineBlock, mut blocks: LineBlocks) -> Result<ContentHash, CorpusError> {
        let mut next = Some(first);
        while let Some(block) = next {
            for (line, text) in block.texts() {
                let found = json::prediction(text, self.rows.len(), self.options, &mut self.loose);
                self.take(line, found)?;
            }
            next = blocks.next_text()?;
        }
        Ok(blocks.content_hash())
    }

    /// Reads a table with blanks between its cells, which has one column or three.
    fn read_words(&mut self, first: LineBlock, mut blocks: LineBlocks) -> Result<ContentHash, CorpusError> {
        let mut table = None;
        let mut next = Some(first);
        while let Some(block) = next {
            for (line, text) in block.texts() {
                let cells: Vec<&str> = text.split_whitespace().map(|cell| cell.trim_matches('"')).collect();
                self.take_cells(&mut table, line, &cells)?;
            }
            next = blocks.next_text()?;
        }
        Ok(blocks.content_hash())
    }

    /// Reads a table with commas or tabs between its cells, and quoting.
    fn read_separated(&mut self, first: LineBlock, blocks: LineBlocks, separator: u8) -> Result<ContentHash, CorpusError> {
        let mut reader = csv::ReaderBuilder::new();
        reader.delimiter(separator).flexible(true).has_headers(false);
        let (bounded, allowance) = BoundedReader::new(blocks.reopened(first), LONGEST_ROW_MB);
        let mut reader = reader.from_reader(bounded);
        let mut table = None;
        let mut record = csv::StringRecord::new();
        loop {
            let line = reader.position().line();
            allowance.renew();
            let more = reader.read_record(&mut record).map_err(|error| self.csv_error(line, error))?;
            if !more {
                return Ok(reader.get_ref().inner.content_hash());
            }
            let line = record.position().map_or(line, csv::Position::line);
            let cells: Vec<&str> = record.iter().map(str::trim).collect();
            if cells != [""] {
                self.take_cells(&mut table, line, &cells)?;
            }
        }
    }

    /// Takes a row of a table, or the header that says what the columns are.
    fn take_cells(&mut self, table: &mut Option<Table>, line: u64, cells: &[&str]) -> Result<(), CorpusError> {
        let table = match table {
            Some(table) => table,
            None => {
                let (found, header) = Table::of(cells, self.options).map_err(|problem| self.error(line, problem))?;
                let table = table.insert(found);
                if header {
                    return Ok(());
                }
                table
            }
        };
        let found = table.read(cells, self.rows.len(), self.options, &mut self.loose);
        self.take(line, found)
    }

    fn take(&mut self, line: u64, found: Result<ReadPrediction, RowProblem>) -> Result<(), CorpusError> {
        let ReadPrediction { key, prediction, pair } = found.map_err(|problem| self.error(line, problem))?;
        self.rows.push(Answer { key, prediction, line });
        self.pairs.push(pair);
        Ok(())
    }

    fn error(&self, line: u64, problem: RowProblem) -> CorpusError {
        CorpusError::Row { path: self.file.name(), line, problem }
    }

    fn csv_error(&self, line: u64, error: csv::Error) -> CorpusError {
        let line = error.position().map_or(line, csv::Position::line);
        match error.into_kind() {
            csv::ErrorKind::Io(error) => self.file.broken(line, &error),
            csv::ErrorKind::Utf8 { err, .. } => self.error(line, RowProblem::Csv(err.to_string())),
            other => self.error(line, RowProblem::Csv(format!("{other:?}"))),
        }
    }
}

fn problem(message: impl Into<String>) -> RowProblem {
    RowProblem::Prediction(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Judgment, Label};

    #[track_caller]
    fn check(text: &str, labels: Option<&str>, expected: &[(Judgment, bool)]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions");
        std::fs::write(&path, text).unwrap();
        let labels = labels.map_or_else(LabelNames::default, |order| LabelNames::from_order(order).unwrap());
        let options = PredictionOptions { labels, ..Default::default() };
        let PredictionFile { answers, .. } = read_predictions(&InputFile::new(path), &options).unwrap();
        let found: Vec<(Judgment, bool)> = answers.iter().map(|a| (a.prediction.answer, a.prediction.scores.is_some())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn quoted_cells_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions.csv");
        std::fs::write(&path, "\u{feff}id,label\n\"a, \"\"b\"\"\",neutral\n\"c\nd\",entailment\nplain,c\n\n").unwrap();
        let PredictionFile { answers, .. } = read_predictions(&InputFile::new(&path), &PredictionOptions::default()).unwrap();
        let found: Vec<(String, u64)> = answers.iter().map(|answer| (answer.key.to_string(), answer.line)).collect();
        assert_eq!(found, [("`a, \"b\"`".to_string(), 2), ("`c\nd`".to_string(), 3), ("`plain`".to_string(), 5)]);
        std::fs::write(&path, "id,label\na,neutral\nb\n").unwrap();
        let error = read_predictions(&InputFile::new(&path), &PredictionOptions::default()).unwrap_err();
        assert!(error.to_string().ends_with("predictions.csv:3: 1 columns, but the header has 2"), "{error}");
    }

    const E: Judgment = Judgment::Exact(Label::Entailment);
    const N: Judgment = Judgment::Exact(Label::Neutral);
    const C: Judgment = Judgment::Exact(Label::Contradiction);

    #[test]
    fn labels_are_read_from_every_kind_of_file() {
        check("pairID,gold_label\nex0,entailment\nex1,contradiction\n", None, &[(E, false), (C, false)]);
        check("entailment\nneutral\n", None, &[(E, false), (N, false)]);
        check("index,label\n0,2\n", None, &[(C, false)]);
        check("{\"id\": \"a\", \"prediction\": \"n\"}\n", None, &[(N, false)]);
        check("{\"id\": \"a\", \"label\": \"LABEL_2\"}\n", None, &[(C, false)]);
    }

    #[test]
    fn scores_follow_their_names_or_the_given_order() {
        check("0.1 0.2 0.7\n", Some("C,E,N"), &[(N, true)]);
        check("id,entailment,neutral,contradiction\na,0.1,0.2,0.7\n", None, &[(C, true)]);
        check("{\"id\": \"a\", \"scores\": [0.1, 0.2, 0.7]}\n", None, &[(C, true)]);
    }

    #[test]
    fn two_scores_are_read_by_name_or_in_a_two_way_order() {
        let not = Judgment::NotEntailment;
        check("id,entailment,non-entailment\na,0.1,0.9\n", None, &[(not, true)]);
        check("{\"id\": \"a\", \"scores\": {\"entailment\": 0.25, \"non-entailment\": 0.75}}\n", None, &[(not, true)]);
        check("{\"id\": \"a\", \"scores\": [0.25, 0.75]}\n", Some("not_entailment,entailment"), &[(E, true)]);
    }

    #[test]
    fn beside_scores_a_gold_label_is_not_a_prediction() {
        check("id,gold_label,entailment,neutral,contradiction\na,neutral,0.1,0.2,0.7\n", None, &[(C, true)]);
        check("id,label,entailment,neutral,contradiction\na,neutral,0.1,0.7,0.2\n", None, &[(N, true)]);
        check("id,label,entailment,neutral,contradiction\na,neutral,0.4,0.4,0.2\n", None, &[(N, true)]);
        check("{\"id\": \"a\", \"gold_label\": \"neutral\", \"scores\": [0.1, 0.2, 0.7]}\n", None, &[(C, true)]);
    }

    #[track_caller]
    fn gold_refused(text: &str, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p");
        std::fs::write(&path, text).unwrap();
        let error = read_predictions(&InputFile::new(path), &PredictionOptions::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_possible_gold_label_is_not_taken_for_the_prediction() {
        gold_refused("id,label,pred\n0,neutral,entailment\n", "p:1: `label` may be the gold label (found id, label, pred)");
        gold_refused("id,label,pred\n0,1,0\n", "`label` may be the gold label");
        gold_refused("id,gold_label,bert\n0,neutral,entailment\n", "p:2: `gold_label` may be the gold label (found id, gold_label, bert)");
        gold_refused("id,premise,hypothesis,label\n0,A.,B.,neutral\n", "`label` may be the gold label");
        gold_refused("sentence1\tsentence2\tgold_label\nA.\tB.\tneutral\n", "`gold_label` may be the gold label");
        gold_refused(
            "{\"id\": 0, \"label\": \"neutral\", \"pred\": \"entailment\"}\n",
            "`label` may be the gold label (found id, label, pred)",
        );
        gold_refused("{\"id\": 0, \"label\": \"neutral\", \"bert\": \"entailment\"}\n", "`label` may be the gold label");
        gold_refused("{\"id\": 0, \"premise\": \"A.\", \"hypothesis\": \"B.\", \"label\": \"neutral\"}\n", "`label` may be the gold label");
        check("id,label,genre,length\n0,neutral,fiction,2\n", None, &[(N, false)]);
        check("{\"id\": 0, \"label\": \"neutral\", \"prediction\": \"entailment\"}\n", None, &[(E, false)]);
    }

    #[test]
    fn a_label_that_its_named_scores_contradict_is_refused() {
        gold_refused(
            "id,label,entailment,neutral,contradiction\na,neutral,0.1,0.2,0.7\n",
            "the label is `neutral`, but the highest score is that of contradiction",
        );
        gold_refused(
            "{\"id\": \"a\", \"label\": \"neutral\", \"scores\": {\"entailment\": 0.9, \"neutral\": 0.05, \"contradiction\": 0.05}}\n",
            "the label is `neutral`, but the highest score is that of entailment",
        );
    }

    #[test]
    fn a_name_stands_for_its_number_in_a_given_order() {
        check("entailment\n0\n", Some("C,E,N"), &[(C, false), (C, false)]);
    }

    fn refused(text: &str, labels: LabelNames) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions");
        std::fs::write(&path, text).unwrap();
        read_predictions(&InputFile::new(path), &PredictionOptions { labels, ..Default::default() }).unwrap_err().to_string()
    }

    #[test]
    fn a_label_that_contradicts_its_list_of_scores_is_refused() {
        let row = "{\"id\": \"a\", \"label\": \"neutral\", \"scores\": [0.1, 0.2, 0.7]}\n";
        let message = refused(row, LabelNames::default());
        assert!(message.contains("predictions:1: the label is `neutral`, but in the order"), "{message}");
        // The list in the order that is given, the name as it is or in the same order.
        check(row, Some("C,E,N"), &[(N, true)]);
        check("{\"id\": \"a\", \"label\": \"contradiction\", \"scores\": [0.1, 0.2, 0.7]}\n", Some("C,E,N"), &[(N, true)]);
        // Names of scores and of the label are remapped together.
        check("id,label,entailment,neutral,contradiction\na,contradiction,0.1,0.2,0.7\n", Some("C,E,N"), &[(N, true)]);
    }

    #[test]
    fn numbers_of_two_classes_need_an_order() {
        let text = "id,label\na,0\nb,1\n";
        assert!(refused(text, LabelNames::default()).contains("the labels are the numbers 0 and 1 without names"));
        check(text, Some("not_entailment,entailment"), &[(Judgment::NotEntailment, false), (E, false)]);
        check("id,label\na,0\nb,1\nc,2\n", None, &[(E, false), (N, false), (C, false)]);
    }

    #[test]
    fn label_words_of_the_user_are_predictions() {
        let labels = LabelNames::default().with_word("SUPPORTS", "entailment").unwrap().with_word("label_0", "contradiction").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions");
        std::fs::write(&path, "[{\"id\": \"a\", \"label\": \"supports\"},\n {\"id\": \"b\", \"label\": \"LABEL_0\"}]").unwrap();
        let PredictionFile { answers, .. } =
            read_predictions(&InputFile::new(path), &PredictionOptions { labels, ..Default::default() }).unwrap();
        assert_eq!(answers.iter().map(|answer| answer.prediction.answer).collect::<Vec<_>>(), [E, C]);
        assert!(refused("id,label\na,maybe\n", LabelNames::default()).contains("`maybe` is not a label"));
    }
}
