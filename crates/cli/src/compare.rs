//! `acidtest compare`: several models on the same examples.

mod results;

use crate::exit::failed;
use crate::flags::{DataFlags, EvaluationFlags, LimitFlag, ModelFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::spec::{ArmSpec, EvaluationSpec, ModelSpec, ModelsByArm, PairingRule, RunsRule};
use acidtest_experiment::{compare, open_models, shorten_names};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Test whether models differ on the same examples
#[derive(Args)]
#[command(long_about = include_str!("help/compare.txt"), after_long_help = include_str!("examples/compare.txt"))]
pub(crate) struct Compare {
    /// Models, at least two: saved predictions (FILE or FILE@COLUMN), names, folders or `process:COMMAND`
    ///
    /// FILE@COLUMN selects one column of a predictions file. `acidtest list models` prints the names; folders are those of trained models.
    /// `NAME=MODEL` renames one.
    #[arg(value_name = "MODEL", required_unless_present_any = ["arm", "results"], conflicts_with = "arm", num_args = 2..)]
    compared: Vec<String>,
    /// Training method with one model per seed, in place of single models; give at least two
    ///
    /// Training methods are compared across examples and across seeds; a claim about them needs at least three seeds each.
    #[arg(long, value_name = "NAME=MODEL,MODEL...")]
    arm: Vec<String>,
    /// Corpora or gold keys with the gold labels
    #[arg(long, value_name = "FILE", required_unless_present = "results")]
    data: Vec<PathBuf>,
    /// Compare every pair of models, not only each model with the first
    #[arg(long)]
    every_pair: bool,
    /// Treat the models as runs of one model, for example with different seeds; also show their variance and its sources
    #[arg(long, conflicts_with = "arm")]
    runs: bool,
    /// Training examples for the hypothesis-only heuristic of the diagnosis
    #[arg(long, value_name = "FILE")]
    train: Vec<PathBuf>,
    #[command(flatten)]
    table: results::ResultsFlags,
    #[command(flatten)]
    limit: LimitFlag,
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

impl Compare {
    pub(crate) fn run(self) -> Result<()> {
        if let Some(table) = self.table.table() {
            return self.table.show(table, &self.session, &self.show);
        }
        let read = [&self.data, &self.train].into_iter().flatten().cloned();
        let given = ModelsByArm::parse(&self.arm)?;
        let models = if self.arm.is_empty() { &self.compared } else { &given.models };
        let target = self.page.resolve(&self.show, read.chain(models.iter().map(PathBuf::from)))?;
        let mut specs = self.models.specs(models, &self.read)?;
        shorten_names(&mut specs);
        let arms = given.named(&mut specs);
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let rules = self.spec(arms, &specs)?.resolve(&session)?;
        let data = self.limit.data(self.read.spec(&self.data)?).resolve()?.load(&session)?;
        rules.require_cluster_tag(&data.examples)?;
        let models = open_models(&specs, data.label_counts(), &session)?;
        let results = compare(&data, &models, &rules, &session).map_err(|error| failed(error, models.len()))?;
        drop(terminal);
        finish(&target, &results)
    }

    fn spec(&self, arms: Vec<ArmSpec>, specs: &[ModelSpec]) -> Result<EvaluationSpec> {
        Ok(EvaluationSpec {
            arms,
            pairing: if self.every_pair { PairingRule::Every } else { PairingRule::WithFirst },
            runs: if self.runs { RunsRule::OneModel } else { RunsRule::Separate },
            ..self.limit.evaluation(self.evaluation.spec(&self.read, &self.train)?, specs)
        })
    }
}
