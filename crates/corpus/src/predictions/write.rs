//! Writing predictions in the forms that are read.

use crate::CorpusError;
use acidtest_nli::{Prediction, Scores};
use std::io::Write;
use std::path::Path;

/// How predictions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictionForm {
    /// An object a line: id, label, and scores where there are any.
    JsonLines,
    /// Comma separated values with a column for each of three scores, which are empty for a model that gives none.
    Csv,
}

impl PredictionForm {
    /// The form that a file name asks for; JSON lines for standard output and names without an ending. An ending that is none of ours is refused.
    pub fn of_path(path: &Path) -> Result<Self, CorpusError> {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            None | Some("jsonl" | "json" | "ndjson") => Ok(PredictionForm::JsonLines),
            Some("csv") => Ok(PredictionForm::Csv),
            Some(ending) => {
                let (path, ending) = (path.display().to_string(), format!(".{ending}"));
                Err(CorpusError::UnknownPredictionEnding { path, ending })
            }
        }
    }

    /// What the file begins with.
    pub fn header(self) -> &'static str {
        match self {
            PredictionForm::JsonLines => "",
            PredictionForm::Csv => "id,label,entailment,neutral,contradiction\n",
        }
    }

    /// Encodes predictions with the ids of their rows; `output` is what errors name.
    pub fn encode<'a>(
        self,
        predictions: impl IntoIterator<Item = (&'a str, &'a Prediction)>,
        output: &Path,
    ) -> Result<Vec<u8>, CorpusError> {
        match self {
            PredictionForm::JsonLines => Ok(json_lines(predictions)),
            PredictionForm::Csv => csv_lines(predictions, output),
        }
    }
}

fn json_lines<'a>(predictions: impl IntoIterator<Item = (&'a str, &'a Prediction)>) -> Vec<u8> {
    let mut out = Vec::new();
    for (id, prediction) in predictions {
        json_line(id, prediction, &mut out).expect("a buffer takes every byte");
    }
    out
}

fn json_line(id: &str, prediction: &Prediction, out: &mut Vec<u8>) -> std::io::Result<()> {
    write!(out, "{{\"id\": {}, \"label\": \"{}\"", serde_json::Value::from(id), prediction.answer)?;
    match prediction.scores {
        Some(Scores::Three([entailment, neutral, contradiction])) => {
            write!(out, ", \"scores\": [{entailment}, {neutral}, {contradiction}]")?;
        }
        // By name, because a list of numbers is in the order of three labels unless one says otherwise.
        Some(Scores::Two([entailment, not])) => write!(out, ", \"scores\": {{\"entailment\": {entailment}, \"non-entailment\": {not}}}")?,
        None => {}
    }
    if prediction.truncated {
        out.extend_from_slice(b", \"truncated\": true");
    }
    out.extend_from_slice(b"}\n");
    Ok(())
}

fn csv_lines<'a>(predictions: impl IntoIterator<Item = (&'a str, &'a Prediction)>, output: &Path) -> Result<Vec<u8>, CorpusError> {
    let mut out = Vec::new();
    for (id, prediction) in predictions {
        let not_held =
            |reason: String| CorpusError::NotHeld { path: output.display().to_string(), id: id.to_string(), format: "csv", reason };
        let scores = match prediction.scores {
            Some(Scores::Three(scores)) => scores.map(|score| score.to_string()),
            Some(Scores::Two(_)) => return Err(not_held("two-way scores have no columns there; JSON lines hold them".to_string())),
            None => Default::default(),
        };
        let [entailment, neutral, contradiction] = &scores;
        add_csv_line([id, prediction.answer.name(), entailment, neutral, contradiction], &mut out);
    }
    Ok(out)
}

/// Adds a line of comma separated values, quoted where they must be.
pub fn add_csv_line<'c>(cells: impl IntoIterator<Item = &'c str>, out: &mut Vec<u8>) {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(cells).and_then(|()| Ok(writer.flush()?)).expect("a buffer takes every byte");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InputFile, PredictionOptions, read_predictions};
    use acidtest_nli::{Judgment, Key, Label};
    use proptest::prelude::*;

    fn encoded(form: PredictionForm, id: &str, prediction: Prediction) -> String {
        String::from_utf8(form.encode([(id, &prediction)], Path::new("out")).unwrap()).unwrap()
    }

    #[test]
    fn the_form_is_told_by_the_name() {
        let form = |name: &str| PredictionForm::of_path(Path::new(name)).unwrap();
        assert_eq!([form("out.csv"), form("a/out.CSV.gz")], [PredictionForm::Csv; 2]);
        assert_eq!([form("-"), form("out.jsonl"), form("csv")], [PredictionForm::JsonLines; 3]);
        for name in ["x.xlsx", "x.tsv", "x.parquet", "x.csv.bz2"] {
            assert!(PredictionForm::of_path(Path::new(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn lines_hold_id_label_and_scores() {
        use PredictionForm::{Csv, JsonLines};
        let three = || Prediction::from_scores([0.5, 0.25, 0.25]);
        assert_eq!(encoded(JsonLines, "a\"b", three()), "{\"id\": \"a\\\"b\", \"label\": \"entailment\", \"scores\": [0.5, 0.25, 0.25]}\n");
        assert_eq!(encoded(JsonLines, "c", Prediction::of(Label::Neutral)), "{\"id\": \"c\", \"label\": \"neutral\"}\n");
        let two = "{\"id\": \"e\", \"label\": \"non-entailment\", \"scores\": {\"entailment\": 0.25, \"non-entailment\": 0.75}}\n";
        assert_eq!(encoded(JsonLines, "e", Prediction::from_scores([0.25, 0.75])), two);
        assert_eq!(encoded(Csv, "d", three()), "d,entailment,0.5,0.25,0.25\n");
        assert_eq!(encoded(Csv, "d", Prediction::of(Label::Neutral)), "d,neutral,,,\n");
        let refused = Csv.encode([("e", &Prediction::from_scores([0.25, 0.75]))], Path::new("out.csv")).unwrap_err().to_string();
        assert!(refused.starts_with("out.csv: row `e` cannot be written as csv: two-way scores"), "{refused}");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            ids in prop::collection::vec("[a-c,\"' \n\t{é]{0,8}", 1..5),
            scored in any::<bool>(),
            form in prop_oneof![Just(PredictionForm::JsonLines), Just(PredictionForm::Csv)],
        ) {
            // Blanks around an id are not part of it, and a row must have one.
            let ids: Vec<String> = ids.iter().enumerate().map(|(n, id)| format!("{n}{}", id.trim_end())).collect();
            let prediction = if scored { Prediction::from_scores([0.1, 0.7, 0.2]) } else { Prediction::of(Judgment::NotEntailment) };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("predictions");
            let rows = form.encode(ids.iter().map(|id| (id.as_str(), &prediction)), &path).unwrap();
            std::fs::write(&path, [form.header().as_bytes(), &rows].concat()).unwrap();
            let (answers, _) = read_predictions(&InputFile::new(&path), &PredictionOptions::default()).unwrap();
            let found: Vec<(Key, Prediction)> = answers.into_iter().map(|answer| (answer.key, answer.prediction)).collect();
            let written: Vec<(Key, Prediction)> = ids.into_iter().map(|id| (Key::Id(id), prediction.clone())).collect();
            prop_assert_eq!(found, written);
        }
    }
}
