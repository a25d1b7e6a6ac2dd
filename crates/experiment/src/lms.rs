//! The lexically-misleading score of every example of corpora, block by block.

use crate::data::Data;
use crate::error::Error;
use crate::misleading::why_misled;
use crate::session::Session;
use acidtest_corpus::{Examples, FileRead, IdPolicy, PredictionForm, add_csv_line, for_blocks};
use acidtest_evaluate::analysis::misleading::MisleadingCounts;
use acidtest_evaluate::report::html::MisleadingWords;
use acidtest_files::{InputGuard, Output};
use acidtest_model::LexicalModel;
use acidtest_model::lexical::wants_tagger;
use acidtest_nli::{Example, Label, Misleading, Prediction};
use serde_json::json;
use std::path::PathBuf;

/// What to score, and what to keep.
pub(crate) struct LmsRequest<'r> {
    /// The lexical model.
    pub model: &'r LexicalModel,
    /// The examples.
    pub data: Data,
    /// The λ of the subsets to count.
    pub lambdas: Vec<f64>,
    /// A file for the score of each example: CSV if its name ends in `.csv`, else JSON lines.
    pub rows: Option<PathBuf>,
    /// The minimum score of the examples to keep, with an explanation; `None` to keep none.
    pub keep_from: Option<f64>,
}

/// The scores of corpora.
pub(crate) struct LmsResult {
    /// The counts.
    pub counts: MisleadingCounts,
    /// The examples that were kept.
    pub kept: Vec<KeptRow>,
    /// The files.
    pub files: Vec<FileRead>,
}

/// An example whose words mislead.
pub(crate) struct KeptRow {
    /// The example.
    pub example: Example<'static>,
    /// The explanation.
    pub misled: MisleadingWords,
}

/// A scored block.
struct ScoredBlock {
    counts: MisleadingCounts,
    kept: Vec<KeptRow>,
    rows: Vec<u8>,
}

/// Scores every example with an exact gold label. Training examples are scored by a fold model that did not see them.
pub(crate) fn score_rows(request: LmsRequest<'_>, session: &Session<'_>) -> Result<LmsResult, Error> {
    let LmsRequest { model, data, lambdas, rows, keep_from } = request;
    let _guard = InputGuard::new();
    let mut source = data.source();
    let mut output = rows.as_deref().map(Output::create).transpose()?;
    let scorer = Scorer { model, lambdas: &lambdas, form: rows.as_deref().map(PredictionForm::of_path).transpose()?, keep_from };
    if let (Some(output), Some(form)) = (&mut output, scorer.form) {
        output.write(header(form).as_bytes())?;
    }
    let (mut counts, mut kept) = (MisleadingCounts::new(&lambdas), Vec::new());
    let read = for_blocks(
        &mut *source,
        session.loop_options(IdPolicy::Unique),
        |examples| scorer.scored(examples),
        |done| {
            counts.merge(&done.counts);
            kept.extend(done.kept);
            if let Some(output) = &mut output {
                output.write(&done.rows)?;
            }
            Ok::<(), Error>(())
        },
    )?;
    if counts.rows() == 0 {
        let names: Vec<&str> = read.files.iter().map(|file| file.name.as_str()).collect();
        return Err(Error::NothingToScore { files: names.join(", ") });
    }
    if let Some(output) = output {
        output.finish()?;
    }
    Ok(LmsResult { counts, kept, files: read.files })
}

/// How the examples of a block are scored.
struct Scorer<'r> {
    model: &'r LexicalModel,
    lambdas: &'r [f64],
    form: Option<PredictionForm>,
    keep_from: Option<f64>,
}

impl Scorer<'_> {
    fn scored(&self, examples: &mut Examples<'_>) -> Result<ScoredBlock, Error> {
        let (mut kept, mut rows) = (Vec::new(), Vec::new());
        let mut counts = MisleadingCounts::new(self.lambdas);
        for row in examples {
            let example = row.example;
            let Some(gold) = example.gold.and_then(|gold| gold.label()) else {
                counts.leave_out();
                continue;
            };
            let probabilities = self.model.unseen_probabilities(&example.pair)?;
            let found = counts.add(probabilities, gold);
            if self.model.saw(&example.pair) {
                counts.trained_on();
            }
            if wants_tagger(&example.pair) {
                counts.tagged();
            }
            if let Some(form) = self.form {
                RowScore { id: &example.pair.id, gold, found, probabilities }.write(form, &mut rows);
            }
            if self.keep_from.is_some_and(|least| found.is_in(least)) {
                kept.push(KeptRow { misled: why_misled(self.model, &example.pair, gold)?, example: example.into_owned() });
            }
        }
        Ok(ScoredBlock { counts, kept, rows })
    }
}

/// The output for an example.
struct RowScore<'a> {
    id: &'a str,
    gold: Label,
    found: Misleading,
    probabilities: [f64; 3],
}

/// The header of the file of scores.
fn header(form: PredictionForm) -> &'static str {
    match form {
        PredictionForm::JsonLines => "",
        PredictionForm::Csv => "id,gold,lms,toward,answer,entailment,neutral,contradiction\n",
    }
}

impl RowScore<'_> {
    fn write(&self, form: PredictionForm, out: &mut Vec<u8>) {
        let RowScore { id, gold, found, probabilities } = *self;
        let answer = Prediction::from_scores(probabilities).answer;
        let rounded = |number: f64| (number * 1e6).round() / 1e6;
        let [entailment, neutral, contradiction] = probabilities.map(rounded);
        let (lms, gold, toward, answer) = (rounded(found.score), gold.name(), found.toward.name(), answer.name());
        match form {
            PredictionForm::JsonLines => {
                let scores = [entailment, neutral, contradiction];
                let line = json!({ "id": id, "gold": gold, "lms": lms, "toward": toward, "answer": answer, "scores": scores });
                out.extend_from_slice(format!("{line}\n").as_bytes());
            }
            PredictionForm::Csv => {
                let [lms, entailment, neutral, contradiction] = [lms, entailment, neutral, contradiction].map(|number| number.to_string());
                add_csv_line([id, gold, &lms, toward, answer, &entailment, &neutral, &contradiction], out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[track_caller]
    fn check(name: &str, id: &str, expected: &str) {
        let probabilities = [0.05, 0.02, 0.93];
        let mut out = Vec::new();
        let found = Misleading::of(probabilities, Label::Entailment);
        let form = PredictionForm::of_path(Path::new(name)).unwrap();
        RowScore { id, gold: Label::Entailment, found, probabilities }.write(form, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn rows_are_written_as_their_file_is_named() {
        check("a.CSV.gz", "7", "7,entailment,0.93,contradiction,contradiction,0.05,0.02,0.93\n");
        check("a.csv", "7,\"b\"", "\"7,\"\"b\"\"\",entailment,0.93,contradiction,contradiction,0.05,0.02,0.93\n");
        check(
            "a.jsonl",
            "7",
            "{\"answer\":\"contradiction\",\"gold\":\"entailment\",\"id\":\"7\",\"lms\":0.93,\"scores\":[0.05,0.02,0.93],\"toward\":\"contradiction\"}\n",
        );
    }
}
