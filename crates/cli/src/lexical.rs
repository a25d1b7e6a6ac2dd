//! Lexical models beside the rows of a report: what words alone say of them.

use acidtest_evaluate::analysis::misleading::LAMBDAS;
use acidtest_evaluate::report::html::Misled;
use acidtest_experiment::{ABOUT_FILE, TrainedError, WordsAlone, is_trained_model, why_misled};
use acidtest_model::LexicalModel;
use acidtest_model::lexical::Variant;
use acidtest_nli::{Example, Tags};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

/// The lexical model that a report is held against.
#[derive(Args)]
pub struct LexicalFlags {
    /// Folder of a trained lexical model: shows accuracy where words alone mislead (CS_0.5, CS_0.6, CS_0.7) and how far a model
    /// follows words where they are wrong
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    lexical: Option<PathBuf>,
}

/// A lexical model, and what it says of the rows.
pub struct Lexical {
    model: LexicalModel,
    /// What words alone say of every row.
    pub words: WordsAlone,
}

impl LexicalFlags {
    /// Asks the model about every row, where one was given.
    pub fn ask(&self, examples: &[Example<'static>]) -> Result<Option<Lexical>> {
        let Some(folder) = &self.lexical else { return Ok(None) };
        if examples.iter().all(|example| example.pair.hypothesis.text.is_empty()) {
            bail!("--lexical: the rows have no text (expected a corpus, not a gold key)");
        }
        let model = open_lexical(folder)?;
        let words = WordsAlone::of(&model, examples)?;
        Ok(Some(Lexical { model, words }))
    }
}

impl Lexical {
    /// Why the words of a row mislead, if they do so enough for CS_0.5.
    pub fn misled(&self, row: usize, example: &Example<'_>) -> Result<Option<Misled>> {
        let gold = example.gold.and_then(|gold| gold.label());
        match (self.words.misleading(row).filter(|found| found.is_in(LAMBDAS[0])), gold) {
            (Some(_), Some(gold)) => Ok(Some(why_misled(&self.model, &example.pair, gold)?)),
            _ => Ok(None),
        }
    }
}

/// Opens the folder of a model that sees nothing but words.
pub fn open_lexical(folder: &Path) -> Result<LexicalModel> {
    if !is_trained_model(folder) {
        return Err(TrainedError::NotAModel { folder: folder.display().to_string() }.into());
    }
    let name = model_name(folder)?;
    if Variant::named(&name).is_none() {
        let known = Variant::ALL.map(Variant::name).join(", ");
        bail!("{}: `{name}` sees more than words (expected one of: {known})", folder.display());
    }
    Ok(LexicalModel::load(folder)?)
}

/// Refuses to put a lexical model in the place of anything but an older one.
pub fn refuse_other(folder: &Path) -> Result<()> {
    if is_trained_model(folder) && !model_name(folder).is_ok_and(|name| Variant::named(&name).is_some()) {
        bail!("{}: holds another model (expected a new or empty folder, or one of a lexical model)", folder.display());
    }
    Ok(())
}

/// What the folder of a trained model says that it is; nothing if it does not say so.
fn model_name(folder: &Path) -> Result<String> {
    let path = folder.join(ABOUT_FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let about: serde_json::Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(about["model"].as_str().unwrap_or_default().to_string())
}

/// The tag by which the page filters rows whose words mislead.
pub const MISLED: &str = "misled";

/// The tags of a row with how far its words mislead.
pub fn with_band<'a>(tags: &Tags<'a>, misled: &Misled) -> Tags<'a> {
    let mut tags = tags.clone();
    let from = LAMBDAS.iter().rposition(|lambda| misled.score >= *lambda);
    let end = |at: usize| LAMBDAS.get(at).copied().unwrap_or(1.0);
    let band = from.map_or(format!("less than {}", LAMBDAS[0]), |at| format!("{} to {}", end(at), end(at + 1)));
    tags.set(MISLED, band);
    tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

    #[test]
    fn bands_begin_at_their_lambda() {
        let band = |score: f64| {
            let misled = Misled { score, toward: Label::Neutral, probabilities: [0.0; 3], features: Vec::new() };
            with_band(&Tags::default(), &misled).get(MISLED).unwrap_or_default().to_string()
        };
        assert_eq!([0.4, 0.5, 0.7, 0.99].map(band), ["less than 0.5", "0.5 to 0.6", "0.7 to 0.95", "0.95 to 1"]);
    }
}
