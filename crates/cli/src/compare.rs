//! `acidtest compare`: several models on the same rows.

use crate::failed;
use crate::flags::{DataFlags, EvaluationFlags, ModelFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::spec::{ArmSpec, EvaluationSpec, ModelsByArm, PairingRule, RunsRule};
use acidtest_experiment::{compare, open_models, shorten_names};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Compare models on the same rows: paired differences, intervals, significance
///
/// A model is a file of predictions (`FILE@COLUMN` names one of several columns of answers), or anything that `run --model` takes. Rows of one premise are taken
/// together; p values are corrected for all sets and subcases at once (Holm, Benjamini-Hochberg). Shortcuts are shown with --details.
#[derive(Args)]
pub(crate) struct Compare {
    /// Models, at least two: files of predictions, or anything that can be asked; `NAME=MODEL` gives one another name
    #[arg(value_name = "MODEL", required_unless_present = "arm", conflicts_with = "arm", num_args = 2..)]
    compared: Vec<String>,
    /// A way of training and the models of its seeds, given at least twice instead of models: the arms are compared over examples and over seeds, and three
    /// seeds of each are needed to claim something of the ways of training. A command of a process model is not split at commas
    #[arg(long, value_name = "NAME=MODEL,MODEL...")]
    arm: Vec<String>,
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Compare every pair of models, not only each with the first
    #[arg(long)]
    every_pair: bool,
    /// The files are runs of one model: also show their spread and where it comes from
    #[arg(long, conflicts_with = "arm")]
    runs: bool,
    /// Examples to learn the hypothesis-only heuristic from, for the diagnosis
    #[arg(long, value_name = "FILE")]
    train: Vec<PathBuf>,
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
    /// Compares and shows.
    pub(crate) fn run(self) -> Result<()> {
        let read = [&self.data, &self.train].into_iter().flatten().cloned();
        let given = ModelsByArm::parse(&self.arm)?;
        let models = if self.arm.is_empty() { &self.compared } else { &given.models };
        let target = self.page.resolve(&self.show, read.chain(models.iter().map(PathBuf::from)))?;
        let mut specs = self.models.specs(models, &self.read)?;
        shorten_names(&mut specs);
        let arms = given.named(&mut specs);
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let rules = self.spec(arms)?.resolve(&session)?;
        let data = self.read.spec(&self.data)?.resolve()?.load(&session)?;
        rules.require_cluster_tag(&data.examples)?;
        let models = open_models(&specs, data.label_counts(), &session)?;
        let results = compare(&data, &models, &rules, &session).map_err(failed)?;
        drop(terminal);
        finish(&target, &results)
    }

    fn spec(&self, arms: Vec<ArmSpec>) -> Result<EvaluationSpec> {
        Ok(EvaluationSpec {
            arms,
            pairing: if self.every_pair { PairingRule::Every } else { PairingRule::WithFirst },
            runs: if self.runs { RunsRule::OneModel } else { RunsRule::Separate },
            ..self.evaluation.spec(&self.read, &self.train)?
        })
    }
}
