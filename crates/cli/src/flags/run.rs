//! Flags that say which models go through which challenges.

use super::{DataFlags, EvaluationFlags, ModelFlags};
use acidtest_challenge::Mode;
use acidtest_experiment::spec::{ALL, DataSpec, EvaluationSpec, RunSpec};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Data, models and challenges.
#[derive(Args)]
pub(crate) struct RunFlags {
    /// Corpora to make the challenges from [default: the embedded sample and plain pairs]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Models to run: names of `acidtest list models`, folders of trained models, `process:COMMAND`, or files of predictions by id; `NAME=MODEL`
    /// gives one another name [default: all built-in ones; without --data `esim-small` and `overlap`]
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// Challenges to make (see `acidtest list challenges`), several with commas between, `none`, or `all` (every challenge whose
    /// requirements are met) [default: all]
    #[arg(long, value_name = "NAME")]
    challenge: Vec<String>,
    /// Setting of a challenge, such as `hans.per_subcase=100`
    #[arg(long, value_name = "CHALLENGE.KEY=VALUE")]
    set: Vec<String>,
    /// Examples to learn the hypothesis-only heuristic from, for the diagnosis
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<PathBuf>,
    /// Seed of all random choices [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Follow the authors' released scripts, quirks included, instead of what the papers mean
    #[arg(long)]
    as_published: bool,
    #[command(flatten)]
    evaluation: EvaluationFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
}

/// The challenges of a run that makes none.
const NONE: &str = "none";

impl RunFlags {
    /// The files that are read, as far as they are named.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        let models = self.model.iter().map(PathBuf::from);
        self.data.iter().chain(&self.train).cloned().chain(models)
    }

    /// Whether challenges are named.
    pub(crate) fn names_challenges(&self) -> bool {
        !self.challenge.is_empty()
    }

    /// What the flags say.
    pub(crate) fn spec(&self) -> Result<RunSpec> {
        self.added_to(RunSpec::default(), "")
    }

    /// What a file says, with what the flags add; nothing may be said by both.
    pub(crate) fn added_to(&self, mut spec: RunSpec, file: &str) -> Result<RunSpec> {
        let default = RunSpec::default();
        let once = |flag: &str, key: &str, in_file: bool| match in_file {
            true => bail!("{flag}: {file} says `run.{key}` too (expected one of the two)"),
            false => Ok(()),
        };
        let data = self.read.spec(&self.data)?;
        if data != DataSpec::default() {
            once("--data", "data", spec.data != default.data)?;
            spec.data = data;
        }
        let models = self.models.specs(&self.model, &self.read)?;
        if !models.is_empty() {
            once("--model", "models", !spec.models.is_empty())?;
            spec.models = models;
        }
        if !self.challenge.is_empty() {
            once("--challenge", "challenges", spec.challenges != default.challenges)?;
            spec.challenges = self.challenges()?;
        }
        if self.as_published {
            once("--as-published", "mode", spec.mode != default.mode)?;
            spec.mode = Mode::AsPublished;
        }
        if let Some(seed) = self.seed {
            once("--seed", "seed", spec.seed != default.seed)?;
            spec.seed = seed;
        }
        let evaluation = self.evaluation.spec(&self.read, &self.train)?;
        if evaluation != EvaluationSpec::default() {
            once("flags of scoring and reports", "evaluation", spec.evaluation != default.evaluation)?;
            spec.evaluation = evaluation;
        }
        self.set.iter().try_for_each(|setting| spec.add_setting(setting))?;
        Ok(spec)
    }

    fn challenges(&self) -> Result<Vec<String>> {
        let names: Vec<&str> = self.challenge.iter().flat_map(|names| names.split(',')).map(str::trim).collect();
        match names[..] {
            [NONE] => Ok(Vec::new()),
            [ALL] => Ok(vec![ALL.to_string()]),
            _ if names.contains(&NONE) => bail!("--challenge: `none` is no challenge beside others (expected it alone)"),
            _ => Ok(self.challenge.clone()),
        }
    }
}
