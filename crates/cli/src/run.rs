//! `acidtest run`: models through every challenge.

use crate::Failed;
use crate::lexical::LexicalFlags;
use crate::options::{ReadFlags, ThreadFlags, cut_short, files, tell_skipped};
use crate::page::{PageFlags, PageRows};
use crate::predictions::{AnswerFlags, Known, ModelFlags, model_hashes};
use crate::progress::Progress;
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_challenge::{Build, CATALOG, Challenge, Mode, Resources};
use acidtest_corpus::{embedded_sample, embedded_sample_hash, plain_pairs, plain_pairs_hash, read_all};
use acidtest_evaluate::Item;
use acidtest_evaluate::report::{Input, SectionId};
use acidtest_experiment::{
    Asked, EMBEDDED, NamedModel, Role, RunAbout, RunError, TestSet, ask, hans_sets, judge_all, make_sets, run_report,
};
use acidtest_nli::{Example, Settings};
use acidtest_threads::Threads;
use anyhow::{Result, bail};
use clap::Args;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Put models through every challenge and print one table
///
/// Without arguments, a small trained network that the program carries and the overlap heuristic are put through plain pairs, an
/// embedded sample corpus, every challenge made from both, and HANS. What each challenge costs, which answers flip and which shortcuts
/// are taken is shown with --details and on the page of --report.
#[derive(Args)]
pub struct Run {
    /// Corpora to make the challenges from [default: the embedded sample and plain pairs, with HANS beside them]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Models to run: names of `acidtest list models`, folders of trained models, `process:COMMAND`, or files of predictions by id
    /// [default: all built-in ones; without --data `esim-small` and `overlap`]
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// Challenges to make (see `acidtest list challenges`), or `hans` [default: all; `hans` only without --data]
    #[arg(long, value_name = "NAME")]
    challenge: Vec<String>,
    /// Pairs of each of HANS' 30 subcases
    #[arg(long, value_name = "N", default_value_t = HANS_PER_SUBCASE)]
    hans_per_subcase: NonZeroUsize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Follow the authors' released scripts, quirks included, instead of what the papers mean
    #[arg(long)]
    as_published: bool,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    answers: AnswerFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    lexical: LexicalFlags,
    #[command(flatten)]
    page: PageFlags,
}

/// What a run without arguments shows: a network, and the shortcut that it takes.
const SHOWN: [&str; 2] = ["esim-small", "overlap"];
/// Enough to see what HANS shows, few enough to be quick.
const HANS_PER_SUBCASE: NonZeroUsize = NonZeroUsize::new(50).expect("50 is not 0");
/// The name of HANS among the challenges.
const HANS: &str = "hans";

impl Run {
    /// Runs and prints.
    pub fn run(self) -> Result<()> {
        self.page.check()?;
        self.page.check_outputs(&self.show, self.data.iter().cloned().chain(self.model.iter().map(PathBuf::from)))?;
        let (examples, inputs) = self.corpus()?;
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let chosen = |name: &str| self.challenge.is_empty() || self.challenge.iter().any(|chosen| chosen == name);
        let rewriting = || CATALOG.iter().filter(|entry| matches!(entry.build, Build::Rewrite(_)));
        let known: Vec<Known> = rewriting().map(|entry| entry.name).chain([HANS]).map(Known).collect();
        for name in &self.challenge {
            acidtest_nli::find("challenge", &known, name)?;
        }
        let built = |entry| Challenge::new(entry, &Settings::default(), mode, self.seed, &Resources::default());
        let challenges = rewriting().filter(|entry| chosen(entry.name)).map(built).collect::<Result<Vec<_>, _>>()?;
        let models = self.models(&examples, &self.threads.threads()?)?;
        let mut options = BTreeMap::from([("mode".to_string(), if self.as_published { "as-published" } else { "clean" }.to_string())]);
        options.extend(model_hashes(self.model.iter().map(String::as_str))?);
        let seeds = BTreeMap::from([("challenges".to_string(), self.seed)]);
        let title = match (self.model.is_empty(), self.data.is_empty()) {
            (true, true) => "A small trained network and the overlap heuristic under stress".to_string(),
            (false, true) => format!("{} on the embedded pairs", self.model.join(", ")),
            (true, false) => "Built-in models under stress".to_string(),
            (false, false) => format!("{} under stress", self.model.join(", ")),
        };
        let (mut sets, mut notes) = make_sets(examples, &challenges)?;
        let all = self.data.is_empty() && self.challenge.is_empty();
        // The plain pairs are among the clean rows; by themselves they show what is easy.
        if all {
            sets.push(TestSet::new("plain", Role::Apart, plain_pairs()));
        }
        if all || self.challenge.iter().any(|name| name == HANS) {
            sets.extend(hans_sets(self.hans_per_subcase.get(), mode, self.seed)?);
        }
        let lexical = self.lexical.ask(&sets[0].examples)?;
        let asked = models.into_iter().map(|model| ask_with_progress(model, &sets)).collect::<Result<Vec<_>, _>>().map_err(failed)?;
        notes.extend(asked.iter().filter_map(|model| cut_short(model.name(), model.cut_short())));
        let words = lexical.as_ref().map(|lexical| &lexical.words);
        let about = RunAbout { title, notes, provenance: provenance(inputs, seeds, options), words, seed: self.seed };
        let items: Vec<Vec<Item<'_>>> = sets.iter().map(TestSet::items).collect();
        let judged = judge_all(&sets, &items, &asked)?;
        let report = self.threads.threads()?.run(|| run_report(&sets, &asked, &judged, about))?;
        let is_detail =
            |id: &SectionId| matches!(id, SectionId::Stressed | SectionId::Flips(_) | SectionId::Diagnosis | SectionId::DiagnosisBy(_));
        self.show.show_main(&report, is_detail)?;
        let mut rows = Vec::new();
        for (model, judged) in asked.iter().zip(&judged) {
            for (place, (set, judged)) in sets.iter().zip(judged).enumerate() {
                let name = if asked.len() > 1 { format!("{} / {}", set.name(), model.name()) } else { set.name().to_string() };
                // The lexical model was asked about the clean rows alone.
                let lexical = lexical.as_ref().filter(|_| place == 0);
                rows.push(PageRows { set: name, examples: &set.examples, judged, lexical });
            }
        }
        self.page.finish(&report, &rows)
    }

    fn corpus(&self) -> Result<(Vec<Example<'static>>, Vec<Input>)> {
        if self.data.is_empty() {
            let mut sample = embedded_sample();
            let input = |path: &str, rows: usize, hash: acidtest_files::ContentHash| Input {
                role: "data".to_string(),
                path: path.to_string(),
                rows: rows as u64,
                hash: hash.to_string(),
            };
            let plain = plain_pairs();
            let inputs = vec![
                input("embedded sample", sample.len(), embedded_sample_hash()),
                input("embedded plain pairs", plain.len(), plain_pairs_hash()),
            ];
            sample.extend(plain);
            return Ok((sample, inputs));
        }
        let corpus = read_all(files(&self.data)?, self.read.options()?, &self.threads.threads()?)?;
        tell_skipped(corpus.skipped);
        let inputs = inputs("data", &corpus.files);
        Ok((corpus.examples, inputs))
    }

    fn models(&self, examples: &[Example<'static>], threads: &Threads) -> Result<Vec<NamedModel>> {
        let names: Vec<&str> = match self.model.is_empty() {
            true if self.data.is_empty() => SHOWN.to_vec(),
            true => EMBEDDED.iter().map(|entry| entry.name).chain(acidtest_model::CATALOG.iter().map(|entry| entry.name)).collect(),
            false => self.model.iter().map(String::as_str).collect(),
        };
        if let Some((_, name)) = names.iter().enumerate().find(|(place, name)| names[..*place].contains(name)) {
            bail!("--model: `{name}` is given twice");
        }
        names.into_iter().map(|name| self.models.model(name, &self.answers, examples, threads)).collect()
    }
}

fn ask_with_progress(model: NamedModel, sets: &[TestSet]) -> Result<Asked, RunError> {
    let mut progress = Progress::new();
    ask(model, sets, &mut |name, done, total| progress.tell(name, done, total))
}

/// Labels in the wrong order are a finding, not a failure of the run.
fn failed(error: RunError) -> anyhow::Error {
    match error {
        RunError::WrongOrder { .. } => Failed(error.to_string()).into(),
        other => other.into(),
    }
}
