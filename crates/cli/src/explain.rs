//! `acidtest explain`: which words make a lexical model answer as it does.

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::refuse_same;
use crate::progress::Terminal;
use crate::show::screen;
use acidtest_experiment::{ExplainedPair, ExplanationLayout, explain_all, open_lexical};
use acidtest_files::Output;
use acidtest_nli::{Label, LabelNames, Pair};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Show which words make a lexical model answer as it does
///
/// For a pair, or for every row of a corpus: the probability of each label, and the words and pairs of words that push most toward it. With a gold label
/// also how far the words mislead. A row that the model was trained on is explained by one that did not see it, where the folder has one.
#[derive(Args)]
pub(crate) struct Explain {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "premise", conflicts_with = "premise")]
    data: Vec<PathBuf>,
    /// Folder of a trained lexical model
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Premise of a pair
    #[arg(long, value_name = "TEXT", requires = "hypothesis")]
    premise: Option<String>,
    /// Hypothesis of the pair
    #[arg(long, value_name = "TEXT", requires = "premise")]
    hypothesis: Option<String>,
    /// Right label of the pair, where it is known
    #[arg(long, value_name = "LABEL", requires = "premise")]
    gold: Option<String>,
    /// Features to show for each label
    #[arg(long, value_name = "N", default_value_t = 3)]
    top: usize,
    /// How it is shown
    #[arg(long, value_enum, default_value_t = ExplanationForm::Terminal)]
    format: ExplanationForm,
    /// File for it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplanationForm {
    /// Bars and words
    Terminal,
    /// An object a line, with every feature
    Json,
}

impl Explain {
    /// Explains and shows.
    pub(crate) fn run(self) -> Result<()> {
        let model = open_lexical(&self.model)?;
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        refuse_same(&self.data, path)?;
        let layout = ExplanationLayout { top: self.top, style: screen(self.output.as_deref()).style };
        let write = |explained: &ExplainedPair<'_>, out: &mut String| match self.format {
            ExplanationForm::Terminal => layout.write(explained, out),
            ExplanationForm::Json => *out += &format!("{}\n", explained.json()),
        };
        let mut output = Output::create(path)?;
        if let (Some(premise), Some(hypothesis)) = (&self.premise, &self.hypothesis) {
            self.read.refuse_unused()?;
            let mut text = String::new();
            let pair = Pair::plain(premise, hypothesis);
            write(&ExplainedPair::of(&model, &pair, self.gold()?)?, &mut text);
            output.write(text.as_bytes())?;
            return Ok(output.finish()?);
        }
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        explain_all(self.read.spec(&self.data)?.resolve_text()?, &model, &mut output, &write, &session)?;
        Ok(output.finish()?)
    }

    fn gold(&self) -> Result<Option<Label>> {
        let Some(gold) = &self.gold else { return Ok(None) };
        match LabelNames::default().judgment(gold)?.label() {
            Some(label) => Ok(Some(label)),
            None => bail!("--gold: `{gold}` is no exact label (expected entailment, neutral or contradiction)"),
        }
    }
}
