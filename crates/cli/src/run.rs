//! `acidtest run`: models through every challenge.

use crate::failed;
use crate::flags::{DataFlags, EvaluationFlags, ModelFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_challenge::Mode;
use acidtest_experiment::spec::{ALL, RunSpec};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Put models through every challenge and print one table
///
/// Without arguments, a small trained network that the program carries and the overlap heuristic are put through plain pairs, an
/// embedded sample corpus, every challenge made from both, and HANS. What each challenge costs, which answers flip and which shortcuts
/// are taken is shown with --details and on the page of --report.
#[derive(Args)]
pub(crate) struct Run {
    /// Corpora to make the challenges from [default: the embedded sample and plain pairs]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Models to run: names of `acidtest list models`, folders of trained models, `process:COMMAND`, or files of predictions by id; `NAME=MODEL`
    /// gives one another name [default: all built-in ones; without --data `esim-small` and `overlap`]
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// Challenges to make (see `acidtest list challenges`), several with commas between, or `all` (every challenge whose
    /// requirements are met)
    #[arg(long, value_name = "NAME", default_value = ALL)]
    challenge: Vec<String>,
    /// Setting of a challenge, such as `hans.per_subcase=100`
    #[arg(long, value_name = "CHALLENGE.KEY=VALUE")]
    set: Vec<String>,
    /// Examples to learn the hypothesis-only heuristic from, for the diagnosis
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Follow the authors' released scripts, quirks included, instead of what the papers mean
    #[arg(long)]
    as_published: bool,
    #[command(flatten)]
    evaluation: EvaluationFlags,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    page: PageFlags,
}

impl Run {
    /// Runs and prints.
    pub(crate) fn run(self) -> Result<()> {
        let read = [&self.data, &self.train].into_iter().flatten().cloned();
        let target = self.page.resolve(&self.show, read.chain(self.model.iter().map(PathBuf::from)))?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let run = self.spec()?.resolve(&session)?;
        let results = run.run(&session).map_err(failed)?;
        drop(terminal);
        finish(&target, &results)
    }

    fn spec(&self) -> Result<RunSpec> {
        let mut spec = RunSpec {
            data: self.read.spec(&self.data)?,
            models: self.models.specs(&self.model)?,
            challenges: self.challenge.clone(),
            mode: if self.as_published { Mode::AsPublished } else { Mode::Clean },
            seed: self.seed,
            evaluation: self.evaluation.spec(&self.read, &self.train)?,
            ..RunSpec::default()
        };
        self.set.iter().try_for_each(|setting| spec.add_setting(setting))?;
        Ok(spec)
    }
}
