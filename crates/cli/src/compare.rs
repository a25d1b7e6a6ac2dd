//! `acidtest compare`: several models on the same rows.

use crate::failed;
use crate::flags::{DataFlags, LexicalFlag, ModelFlags, SessionFlags};
use crate::page::PageFlags;
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_evaluate::report::SectionId;
use acidtest_experiment::spec::{EvaluationSpec, LabelOrderRule, MissingRule, PairingRule, RunsRule};
use acidtest_experiment::{compare, open_models};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Compare models on the same rows: paired differences, intervals, significance
///
/// A model is a file of predictions (`FILE@COLUMN` names one of several columns of answers), or anything that `run --model` takes. Rows of one premise or template are taken
/// together; p values are corrected for all sets and subcases at once (Holm, Benjamini-Hochberg). Shortcuts are shown with --details.
#[derive(Args)]
pub(crate) struct Compare {
    /// Models, at least two: files of predictions, or anything that can be asked; `NAME=MODEL` gives one another name
    #[arg(value_name = "MODEL", required = true, num_args = 2..)]
    compared: Vec<String>,
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Tag to compare by, such as `genre` or `subcase`, or two at once: `heuristic,gold`
    #[arg(long, value_name = "TAG[,TAG]")]
    by: Vec<String>,
    /// Compare every pair of models, not only each with the first
    #[arg(long)]
    every_pair: bool,
    /// The files are runs of one model: also show their spread and where it comes from
    #[arg(long)]
    runs: bool,
    /// How answers are held against gold: three-way, merged-answers or summed-scores
    #[arg(long, value_name = "RULE")]
    scoring: Option<String>,
    /// Count rows without a prediction as wrong, instead of stopping
    #[arg(long)]
    allow_missing: bool,
    /// Go on where another order of the labels is surely right
    #[arg(long)]
    no_doctor: bool,
    /// Rows to learn the hypothesis-only heuristic from, for the diagnosis
    #[arg(long, value_name = "FILE")]
    train: Vec<PathBuf>,
    /// Seed of the bootstrap
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    lexical: LexicalFlag,
    #[command(flatten)]
    page: PageFlags,
}

impl Compare {
    /// Compares and shows.
    pub(crate) fn run(self) -> Result<()> {
        self.page.check()?;
        let read = [&self.data, &self.train].into_iter().flatten().cloned();
        self.page.check_outputs(&self.show, read.chain(self.compared.iter().map(PathBuf::from)))?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let data = self.read.spec(&self.data)?.resolve()?.load(&session)?;
        let mut specs = self.models.specs(&self.compared)?;
        for (spec, name) in specs.iter_mut().zip(short_names(&self.compared)) {
            spec.name.get_or_insert(name);
        }
        let models = open_models(&specs, data.label_counts(), &session)?;
        let results = compare(&data, &models, &self.spec()?, &session).map_err(failed)?;
        drop(terminal);
        self.show.show_main(&results.report, |id| matches!(id, SectionId::Verdict | SectionId::Diagnosis | SectionId::DiagnosisBy(_)))?;
        self.page.finish(&results)
    }

    fn spec(&self) -> Result<EvaluationSpec> {
        Ok(EvaluationSpec {
            by: self.by.clone(),
            scoring: self.scoring.clone(),
            missing: if self.allow_missing { MissingRule::CountAsWrong } else { MissingRule::Refuse },
            label_order: if self.no_doctor { LabelOrderRule::Accept } else { LabelOrderRule::Refuse },
            pairing: if self.every_pair { PairingRule::Every } else { PairingRule::WithFirst },
            runs: if self.runs { RunsRule::OneModel } else { RunsRule::Separate },
            train: self.read.spec(&self.train)?,
            lexical: self.lexical.folder(),
            seed: self.seed,
            ..EvaluationSpec::default()
        })
    }
}

/// File names without what they all share, so that tables stay narrow.
fn short_names(texts: &[String]) -> Vec<String> {
    let columns: Vec<Option<&str>> = texts.iter().map(|text| text.rsplit_once('@').map(|(_, column)| column)).collect();
    let different = |names: &[&str]| names.iter().collect::<std::collections::BTreeSet<_>>().len() == names.len();
    if let Some(columns) = columns.into_iter().collect::<Option<Vec<&str>>>()
        && different(&columns)
    {
        return columns.into_iter().map(str::to_string).collect();
    }
    let names: Vec<&str> = texts.iter().map(|text| text.rsplit('/').next().unwrap_or(text)).collect();
    let names: Vec<&str> = names.iter().map(|name| name.split('.').next().unwrap_or(name)).collect();
    if different(&names) { names.into_iter().map(str::to_string).collect() } else { texts.to_vec() }
}
