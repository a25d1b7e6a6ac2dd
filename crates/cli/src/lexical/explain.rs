//! `acidtest lexical explain`: which words make a lexical model predict as it does.

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

/// Show which words explain a lexical model's predictions
#[derive(Args)]
#[command(group = clap::ArgGroup::new("explained").required(true).args(["data", "premise"]), long_about = include_str!("../help/lexical-explain.txt"), after_long_help = include_str!("../examples/lexical-explain.txt"))]
pub(crate) struct Explain {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Lexical model: a folder written by `acidtest train --model lexical`
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Premise of a single pair
    #[arg(long, value_name = "TEXT", requires = "hypothesis")]
    premise: Option<String>,
    /// Hypothesis of the single pair
    #[arg(long, value_name = "TEXT", requires = "premise")]
    hypothesis: Option<String>,
    /// Gold label of the pair
    #[arg(long, value_name = "LABEL", requires = "premise")]
    gold: Option<String>,
    /// Number of features to show for each label
    #[arg(long, value_name = "N", default_value_t = 3)]
    top: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExplanationForm::Terminal)]
    format: ExplanationForm,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplanationForm {
    /// Bars and words, for reading
    Terminal,
    /// JSON lines, with every feature
    Json,
}

impl Explain {
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
            None => bail!("--gold: invalid value `{gold}`: expected entailment, neutral or contradiction"),
        }
    }
}
