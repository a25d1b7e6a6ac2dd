//! Writing predictions in the forms that are read.

use super::PAIR_COLUMN;
use crate::CorpusError;
use acidtest_nli::{Pair, Prediction, Scores, content_hash};
use std::io::Write;
use std::path::Path;

/// How predictions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictionForm {
    /// One object per line: id, label, scores if there are any, and the hash of the pair.
    JsonLines,
    /// Comma-separated values with a column for each of three scores, which are empty for a model that gives none.
    Csv,
}

impl PredictionForm {
    /// The form for a file name; JSON lines for standard output and names without an extension. Unknown extensions are refused.
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

    /// The header of the file.
    pub fn header(self) -> &'static str {
        match self {
            PredictionForm::JsonLines => "",
            PredictionForm::Csv => "id,label,entailment,neutral,contradiction,pair\n",
        }
    }

    /// Encodes predictions with their pairs; `output` is what errors name.
    pub fn encode<'a>(
        self,
        predictions: impl IntoIterator<Item = (&'a Pair<'a>, &'a Prediction)>,
        output: &Path,
    ) -> Result<Vec<u8>, CorpusError> {
        match self {
            PredictionForm::JsonLines => Ok(json_lines(predictions)),
            PredictionForm::Csv => csv_lines(predictions, output),
        }
    }
}

fn json_lines<'a>(predictions: impl IntoIterator<Item = (&'a Pair<'a>, &'a Prediction)>) -> Vec<u8> {
    let mut out = Vec::new();
    for (pair, prediction) in predictions {
        json_line(pair, prediction, &mut out).expect("a buffer takes every byte");
    }
    out
}

fn json_line(pair: &Pair<'_>, prediction: &Prediction, out: &mut Vec<u8>) -> std::io::Result<()> {
    write!(out, "{{\"id\": {}, \"label\": \"{}\"", serde_json::Value::from(pair.id.as_ref()), prediction.answer)?;
    match prediction.scores {
        Some(Scores::Three([entailment, neutral, contradiction])) => {
            write!(out, ", \"scores\": [{entailment}, {neutral}, {contradiction}]")?;
        }
        // By name, because a list of numbers is assumed to be in the order of three labels.
        Some(Scores::Two([entailment, not])) => write!(out, ", \"scores\": {{\"entailment\": {entailment}, \"non-entailment\": {not}}}")?,
        None => {}
    }
    if prediction.truncated {
        out.extend_from_slice(b", \"truncated\": true");
    }
    if prediction.parts != 1 {
        write!(out, ", \"parts\": {}", prediction.parts)?;
    }
    writeln!(out, ", \"{PAIR_COLUMN}\": \"{}\"}}", written_hash(pair))?;
    Ok(())
}

/// The hash of a pair's texts, which identifies the pair if sets have the same ids and different texts.
fn written_hash(pair: &Pair<'_>) -> String {
    format!("{:016x}", content_hash(&pair.premise.text, &pair.hypothesis.text))
}

fn csv_lines<'a>(predictions: impl IntoIterator<Item = (&'a Pair<'a>, &'a Prediction)>, output: &Path) -> Result<Vec<u8>, CorpusError> {
    let mut out = Vec::new();
    for (pair, prediction) in predictions {
        let id = pair.id.as_ref();
        let not_held =
            |reason: String| CorpusError::NotHeld { path: output.display().to_string(), id: id.to_string(), format: "csv", reason };
        let scores = match prediction.scores {
            Some(Scores::Three(scores)) => scores.map(|score| score.to_string()),
            Some(Scores::Two(_)) => return Err(not_held("two-way scores do not fit the columns of CSV; write JSON lines".to_string())),
            None => Default::default(),
        };
        let [entailment, neutral, contradiction] = &scores;
        add_csv_line([id, prediction.answer.name(), entailment, neutral, contradiction, &written_hash(pair)], &mut out);
    }
    Ok(out)
}

/// Adds a line of comma-separated values, quoted where necessary.
pub fn add_csv_line<'c>(cells: impl IntoIterator<Item = &'c str>, out: &mut Vec<u8>) {
    add_line(cells, b',', csv::QuoteStyle::Necessary, out);
}

/// Adds a line of values with another separator or another way of quoting.
pub(crate) fn add_line<'c>(cells: impl IntoIterator<Item = &'c str>, separator: u8, quoting: csv::QuoteStyle, out: &mut Vec<u8>) {
    let mut writer = csv::WriterBuilder::new().delimiter(separator).quote_style(quoting).from_writer(out);
    writer.write_record(cells).and_then(|()| Ok(writer.flush()?)).expect("a buffer takes every byte");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InputFile, PredictionOptions, read_predictions};
    use acidtest_nli::{Judgment, Key, Label};
    use proptest::prelude::*;

    fn encoded(form: PredictionForm, id: &str, prediction: Prediction) -> String {
        let pair = Pair { id: id.into(), ..Pair::plain("p", "h") };
        let hash = written_hash(&pair);
        String::from_utf8(form.encode([(&pair, &prediction)], Path::new("out")).unwrap()).unwrap().replace(&hash, "HASH")
    }

    #[test]
    fn the_form_is_chosen_by_the_extension() {
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
        assert_eq!(
            encoded(JsonLines, "a\"b", three()),
            "{\"id\": \"a\\\"b\", \"label\": \"entailment\", \"scores\": [0.5, 0.25, 0.25], \"pair\": \"HASH\"}\n"
        );
        assert_eq!(
            encoded(JsonLines, "c", Prediction::of(Label::Neutral)),
            "{\"id\": \"c\", \"label\": \"neutral\", \"pair\": \"HASH\"}\n"
        );
        let two = "{\"id\": \"e\", \"label\": \"non-entailment\", \"scores\": {\"entailment\": 0.25, \"non-entailment\": 0.75}, \"pair\": \"HASH\"}\n";
        assert_eq!(encoded(JsonLines, "e", Prediction::from_scores([0.25, 0.75])), two);
        assert_eq!(encoded(Csv, "d", three()), "d,entailment,0.5,0.25,0.25,HASH\n");
        assert_eq!(encoded(Csv, "d", Prediction::of(Label::Neutral)), "d,neutral,,,,HASH\n");
        let refused = Csv
            .encode([(&Pair { id: "e".into(), ..Pair::default() }, &Prediction::from_scores([0.25, 0.75]))], Path::new("out.csv"))
            .unwrap_err()
            .to_string();
        assert!(refused.starts_with("out.csv: example `e` cannot be written as csv: two-way scores"), "{refused}");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            ids in prop::collection::vec("[a-c,\"' \n\t{é]{0,8}", 1..5),
            scored in any::<bool>(),
            parts in 1_u32..4,
            form in prop_oneof![Just(PredictionForm::JsonLines), Just(PredictionForm::Csv)],
        ) {
            // Blanks around an id are not part of it, and a row must have one.
            let ids: Vec<String> = ids.iter().enumerate().map(|(n, id)| format!("{n}{}", id.trim_end())).collect();
            let prediction = if scored { Prediction::from_scores([0.1, 0.7, 0.2]) } else { Prediction::of(Judgment::NotEntailment) };
            // CSV has no column for it.
            let parts = if form == PredictionForm::JsonLines { parts } else { 1 };
            let prediction = Prediction { parts, truncated: parts > 2, ..prediction };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("predictions");
            let pairs: Vec<Pair<'_>> = ids.iter().map(|id| Pair { id: id.as_str().into(), ..Pair::plain("p", id) }).collect();
            let rows = form.encode(pairs.iter().map(|pair| (pair, &prediction)), &path).unwrap();
            std::fs::write(&path, [form.header().as_bytes(), &rows].concat()).unwrap();
            let read = read_predictions(&InputFile::new(&path), &PredictionOptions::default()).unwrap();
            prop_assert!(read.pairs.iter().zip(&ids).all(|(pair, id)| *pair == Some(content_hash("p", id))));
            let found: Vec<(Key, Prediction)> = read.answers.into_iter().map(|answer| (answer.key, answer.prediction)).collect();
            let written: Vec<(Key, Prediction)> = ids.into_iter().map(|id| (Key::Id(id), prediction.clone())).collect();
            prop_assert_eq!(found, written);
        }
    }
}
