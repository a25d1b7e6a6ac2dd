//! `acidtest run`: models through every challenge.

use crate::failed;
use crate::flags::{DataFlags, LexicalFlag, ModelFlags, SessionFlags};
use crate::page::PageFlags;
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_challenge::{CATALOG, Challenge, Mode, Resources};
use acidtest_evaluate::report::SectionId;
use acidtest_experiment::spec::{ALL, ChallengeSpec, EvaluationSpec, chosen_challenges};
use acidtest_experiment::{EMBEDDED, LoadedData, ScoringModel, open_models, run};
use acidtest_nli::Settings;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;
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
    /// Challenges to make (see `acidtest list challenges`), several with commas between, or `all` whose needs are met
    #[arg(long, value_name = "NAME", default_value = ALL)]
    challenge: Vec<String>,
    /// Setting of a challenge, such as `hans.per_subcase=100`
    #[arg(long, value_name = "CHALLENGE.KEY=VALUE")]
    set: Vec<String>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Follow the authors' released scripts, quirks included, instead of what the papers mean
    #[arg(long)]
    as_published: bool,
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

/// What a run without arguments shows: a network, and the shortcut that it takes.
const SHOWN: [&str; 2] = ["esim-small", "overlap"];

impl Run {
    /// Runs and prints.
    pub(crate) fn run(self) -> Result<()> {
        self.page.check()?;
        self.page.check_outputs(&self.show, self.data.iter().cloned().chain(self.model.iter().map(PathBuf::from)))?;
        let specs = self.models.specs(&self.model_names())?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let challenges = self.challenges()?;
        let data =
            if self.data.is_empty() { LoadedData::embedded() } else { self.read.spec(&self.data)?.resolve_text()?.load(&session)? };
        let models = open_models(&specs, data.label_counts(), &session)?;
        let spec = EvaluationSpec { lexical: self.lexical.folder(), title: self.title(), seed: self.seed, ..EvaluationSpec::default() };
        let results = run(&data, &models, &challenges, &spec, &session).map_err(failed)?;
        drop(terminal);
        self.show.show_main(&results.report, |id| {
            matches!(id, SectionId::Stressed | SectionId::Flips(_) | SectionId::Diagnosis | SectionId::DiagnosisBy(_))
        })?;
        self.page.finish(&results)
    }

    fn model_names(&self) -> Vec<String> {
        let names: Vec<&str> = match self.model.is_empty() {
            true if self.data.is_empty() => SHOWN.to_vec(),
            true => EMBEDDED.names().into_iter().chain(acidtest_model::CATALOG.names()).collect(),
            false => self.model.iter().map(String::as_str).collect(),
        };
        names.into_iter().map(str::to_string).collect()
    }

    fn title(&self) -> Option<String> {
        match (self.model.is_empty(), self.data.is_empty()) {
            (true, true) => Some("A small trained network and the overlap heuristic under stress".to_string()),
            (false, true) => Some(format!("{} on the embedded pairs", self.model.join(", "))),
            (true, false) => Some("Built-in models under stress".to_string()),
            (false, false) => None,
        }
    }

    fn challenges(&self) -> Result<Vec<Challenge>> {
        let scorer = match self.lexical.folder() {
            Some(folder) => Some(ScoringModel::open(&folder)?),
            None => None,
        };
        let resources = Resources { scorer, ..Resources::default() };
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let like = ChallengeSpec { mode, seed: self.seed, ..ChallengeSpec::default() };
        let (mut specs, _) = chosen_challenges(&self.challenge, &like, &resources)?;
        for spec in &mut specs {
            spec.settings = spec.entry()?.in_run.iter().map(|(key, value)| (key.to_string(), Value::from(*value))).collect();
        }
        for set in &self.set {
            let wrong = || format!("--set: `{set}` is no setting (expected CHALLENGE.KEY=VALUE, such as hans.per_subcase=100)");
            let (name, pair) = set.split_once('.').with_context(wrong)?;
            CATALOG.find(name)?;
            let Some(spec) = specs.iter_mut().find(|spec| spec.name == name) else {
                bail!("--set: `{name}` is not among the challenges of this run");
            };
            let settings = Settings::parse([pair])?.as_json();
            spec.settings.extend(settings.as_object().cloned().unwrap_or_default());
        }
        Ok(specs.iter().map(|spec| spec.resolve(&resources)).collect::<Result<_, _>>()?)
    }
}
