//! Flags that choose models and challenges of a run.

use super::{DataFlags, EvaluationFlags, LimitFlag, ModelFlags};
use acidtest_challenge::Mode;
use acidtest_experiment::spec::{ALL, DataSpec, EvaluationSpec, RunSpec};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Data, models and challenges.
#[derive(Args)]
pub(crate) struct RunFlags {
    /// Corpora to test on and to make the challenges from [default: embedded examples]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Model to test; may be repeated [default: all built-in models; without --data `esim-small` and `overlap`]
    ///
    /// A name from `acidtest list models`, the folder of a trained model, `process:COMMAND`, or saved predictions with ids (FILE, or FILE@COLUMN). `NAME=MODEL`
    /// renames it.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// Challenges to make, separated by commas [default: all]
    ///
    /// Names from `acidtest list challenges`, `none`, or `all`, which skips those whose requirements are not met.
    #[arg(long, value_name = "NAME")]
    challenge: Vec<String>,
    /// Setting of a challenge, such as `hans.per_subcase=100`; may be repeated
    #[arg(long, value_name = "CHALLENGE.KEY=VALUE")]
    set: Vec<String>,
    /// Training examples for the hypothesis-only heuristic of the diagnosis
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<PathBuf>,
    /// Random seed [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Make challenges as the authors' released scripts do, quirks included, instead of as the papers say
    #[arg(long)]
    as_published: bool,
    #[command(flatten)]
    limit: LimitFlag,
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
    /// The input files that the flags name.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        let models = self.model.iter().map(PathBuf::from);
        self.data.iter().chain(&self.train).cloned().chain(models)
    }

    pub(crate) fn names_challenges(&self) -> bool {
        !self.challenge.is_empty()
    }

    pub(crate) fn spec(&self) -> Result<RunSpec> {
        self.added_to(RunSpec::default(), "")
    }

    /// Adds the flags to the settings of a file; refuses a setting that both give.
    pub(crate) fn added_to(&self, mut spec: RunSpec, file: &str) -> Result<RunSpec> {
        let default = RunSpec::default();
        let once = |flag: &str, key: &str, in_file: bool| match in_file {
            true => bail!("{flag}: also set by `run.{key}` in {file}; remove one of the two"),
            false => Ok(()),
        };
        let data = self.limit.data(self.read.spec(&self.data)?);
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
        let evaluation = self.limit.evaluation(self.evaluation.spec(&self.read, &self.train)?, &spec.models);
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
            _ if names.contains(&NONE) => bail!("--challenge: `none` cannot be combined with other challenges"),
            _ => Ok(self.challenge.clone()),
        }
    }
}
