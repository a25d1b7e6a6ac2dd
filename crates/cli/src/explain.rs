//! `acidtest explain`: which words make a lexical model answer as it does.

mod layout;

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::{files, refuse_same, tell_skipped};
use acidtest_corpus::{Examples, IdPolicy, LoopOptions, Reader, for_blocks};
use acidtest_evaluate::analysis::misleading::Misleading;
use acidtest_experiment::open_lexical;
use acidtest_files::Output;
use acidtest_model::lexical::{Explanation, Feature, Push};
use acidtest_model::{LexicalError, LexicalModel};
use acidtest_nli::{Label, LabelNames, Pair, Prediction};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use layout::Layout;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Show which words make a lexical model answer as it does
///
/// For a pair, or for every row of a corpus: the probability of each label, and the words and pairs of words that push most toward it. With a gold label
/// also how far the words mislead. A row that the model was trained on is explained by one that did not see it, where the folder has one.
#[derive(Args)]
pub struct Explain {
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
    #[arg(long, value_enum, default_value_t = Shown::Terminal)]
    format: Shown,
    /// File for it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// Bars and words
    Terminal,
    /// An object a line, with every feature
    Json,
}

/// A pair, and why the model answers it as it does.
struct Explained<'a> {
    pair: &'a Pair<'a>,
    gold: Option<Label>,
    why: Explanation,
    by: By,
}

/// Who explained a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// A model that was not trained on it.
    Unseen,
    /// The whole model, which was.
    TrainedOnIt,
}

impl Explain {
    /// Explains and shows.
    pub fn run(self) -> Result<()> {
        let model = open_lexical(&self.model)?;
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        refuse_same(&self.data, path)?;
        let coloured = self.output.is_none() && std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let layout = Layout { top: self.top, coloured };
        let write = |explained: &Explained<'_>, out: &mut String| match self.format {
            Shown::Terminal => layout.write(explained, out),
            Shown::Json => *out += &format!("{}\n", explained.json()),
        };
        let mut output = Output::create(path)?;
        if let (Some(premise), Some(hypothesis)) = (&self.premise, &self.hypothesis) {
            let mut text = String::new();
            let pair = Pair::plain(premise, hypothesis);
            write(&Explained::of(&model, &pair, self.gold()?)?, &mut text);
            output.write(text.as_bytes())?;
            return Ok(output.finish()?);
        }
        let counts = for_blocks(
            &mut Reader::new(files(&self.data)?, self.read.options()?),
            LoopOptions { threads: &self.threads.threads()?, ids: IdPolicy::Unique },
            |examples| explained(&model, examples, &write),
            |text| Ok::<(), anyhow::Error>(output.write(text.as_bytes())?),
        )?;
        output.finish()?;
        tell_skipped(counts.skipped);
        Ok(())
    }

    fn gold(&self) -> Result<Option<Label>> {
        let Some(gold) = &self.gold else { return Ok(None) };
        match LabelNames::default().judgment(gold)?.label() {
            Some(label) => Ok(Some(label)),
            None => bail!("--gold: `{gold}` is no exact label (expected entailment, neutral or contradiction)"),
        }
    }
}

/// The rows of a block, explained.
fn explained(model: &LexicalModel, examples: &mut Examples<'_>, write: &dyn Fn(&Explained<'_>, &mut String)) -> Result<String> {
    let mut text = String::new();
    for row in examples {
        let gold = row.example.gold.and_then(|gold| gold.label());
        write(&Explained::of(model, &row.example.pair, gold)?, &mut text);
    }
    Ok(text)
}

impl<'a> Explained<'a> {
    fn of(model: &LexicalModel, pair: &'a Pair<'a>, gold: Option<Label>) -> Result<Self> {
        let (why, by) = match model.unseen_explain(pair) {
            Ok(why) => (why, By::Unseen),
            Err(LexicalError::NoFolds { .. }) => (model.explain(pair), By::TrainedOnIt),
            Err(error) => return Err(error.into()),
        };
        Ok(Explained { pair, gold, why, by })
    }

    fn misleading(&self) -> Option<Misleading> {
        self.gold.map(|gold| Misleading::of(self.why.probabilities, gold))
    }

    /// The features that speak most for one label: more than for the other, or than for the mean of all.
    fn pushes(&self, label: Label, against: Option<Label>, most: usize) -> Vec<(&Feature, f64)> {
        let push = |weights: [f64; 3]| {
            let other = against.map_or(weights.iter().sum::<f64>() / 3.0, |other| weights[other.index()]);
            weights[label.index()] - other
        };
        let mut pushes: Vec<(&Feature, f64)> =
            self.why.features.iter().map(|found| (&found.feature, push(found.weights))).filter(|(_, push)| *push > 0.0).collect();
        pushes.sort_by(|a, b| b.1.total_cmp(&a.1));
        pushes.truncate(most);
        pushes
    }

    fn json(&self) -> Value {
        let misleading = self.misleading();
        let features = |found: &Push| {
            let (premise, hypothesis) = match &found.feature {
                Feature::Premise(word) => (Some(word), None),
                Feature::Hypothesis(word) => (None, Some(word)),
                Feature::Cross(premise, hypothesis) => (Some(premise), Some(hypothesis)),
            };
            json!({ "premise": premise, "hypothesis": hypothesis, "weights": by_label(found.weights) })
        };
        json!({
            "id": self.pair.id,
            "premise": self.pair.premise.text,
            "hypothesis": self.pair.hypothesis.text,
            "gold": self.gold.map(Label::name),
            "answer": Prediction::from_scores(self.why.probabilities).answer.name(),
            "probabilities": by_label(self.why.probabilities),
            "lms": misleading.map(|found| rounded(found.score)),
            "toward": misleading.map(|found| found.toward.name()),
            "trained_on": self.by == By::TrainedOnIt,
            "bias": by_label(self.why.bias),
            "features": self.why.features.iter().map(features).collect::<Vec<_>>(),
        })
    }
}

/// Numbers under the names of their labels.
fn by_label(numbers: [f64; 3]) -> Value {
    Label::ALL
        .into_iter()
        .map(|label| (label.name().to_string(), json!(rounded(numbers[label.index()]))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
