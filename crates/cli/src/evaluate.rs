//! `acidtest evaluate`: predictions against gold labels.

use crate::failed;
use crate::flags::{DataFlags, LexicalFlag, ModelFlags, SessionFlags};
use crate::page::PageFlags;
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_evaluate::report::SectionId;
use acidtest_experiment::spec::{EvaluationSpec, LabelOrderRule, MissingRule, SurplusRule};
use acidtest_experiment::{evaluate, open_models};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Score predictions against gold labels
///
/// Predictions are joined to rows by id, or by row number where they have none. A gold key without text (id, label, tags) is enough.
/// Errors, lengths and shortcuts are shown with --details and on the page of --report.
#[derive(Args)]
pub(crate) struct Evaluate {
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// File of predictions; `FILE@COLUMN` names one of several columns of answers
    #[arg(long, value_name = "FILE", conflicts_with = "model", required_unless_present = "model")]
    predictions: Option<PathBuf>,
    /// Model to ask: the folder of a trained model, a name of `acidtest list models`, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Tag to break scores down by, such as `genre`, `subcase`, `gold`, or two at once: `heuristic,gold`
    #[arg(long, value_name = "TAG[,TAG]")]
    by: Vec<String>,
    /// How answers are held against gold: three-way, merged-answers or summed-scores [default: three-way, or merged-answers where gold
    /// only knows non-entailment]
    #[arg(long, value_name = "RULE")]
    scoring: Option<String>,
    /// Count rows without a prediction as wrong, instead of stopping
    #[arg(long)]
    allow_missing: bool,
    /// Leave out predictions (by id) for rows that the data does not have, as where the data is a part of the set that was answered
    #[arg(long, conflicts_with = "model")]
    subset: bool,
    /// Go on where another order of the labels is surely right
    #[arg(long)]
    no_doctor: bool,
    /// Rows to learn the hypothesis-only heuristic from, for the diagnosis
    #[arg(long, value_name = "FILE", num_args = 1..)]
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

impl Evaluate {
    /// Scores and shows.
    pub(crate) fn run(self) -> Result<()> {
        self.page.check()?;
        let read = [&self.data, &self.train].into_iter().flatten().chain(&self.predictions).cloned();
        self.page.check_outputs(&self.show, read.chain(self.model.as_ref().map(PathBuf::from)))?;
        let name = match (&self.predictions, &self.model) {
            (Some(path), _) => path.display().to_string(),
            (None, Some(model)) => model.clone(),
            (None, None) => bail!("a model or a file of predictions is needed"),
        };
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let data = self.read.spec(&self.data)?.resolve()?.load(&session)?;
        let models = open_models(&self.models.specs(&[name])?, data.label_counts(), &session)?;
        let results = evaluate(&data, &models[0], &self.spec()?, &session).map_err(failed)?;
        drop(terminal);
        self.show.show_main(&results.report, |id| {
            matches!(id, SectionId::Errors | SectionId::ErrorKinds | SectionId::Lengths | SectionId::Diagnosis | SectionId::DiagnosisBy(_))
        })?;
        self.page.finish(&results)
    }

    fn spec(&self) -> Result<EvaluationSpec> {
        Ok(EvaluationSpec {
            by: self.by.clone(),
            scoring: self.scoring.clone(),
            missing: if self.allow_missing { MissingRule::CountAsWrong } else { MissingRule::Refuse },
            surplus: if self.subset { SurplusRule::Ignore } else { SurplusRule::Refuse },
            label_order: if self.no_doctor { LabelOrderRule::Accept } else { LabelOrderRule::Refuse },
            train: self.read.spec(&self.train)?,
            lexical: self.lexical.folder(),
            seed: self.seed,
            ..EvaluationSpec::default()
        })
    }
}
