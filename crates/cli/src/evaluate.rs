//! `acidtest evaluate`: predictions against gold labels.

use crate::lexical::LexicalFlags;
use crate::options::{self, ReadFlags, ThreadFlags, files, tell_skipped};
use crate::page::{PageFlags, PageRows};
use crate::predictions::{AnswerFlags, ModelFlags, check_label_order, model_hashes};
use crate::progress::Progress;
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_challenge::hans::{HUMAN_ACCURACY, HumanAccuracy};
use acidtest_corpus::{ReadOptions, read_all};
use acidtest_evaluate::analysis::Candidate;
use acidtest_evaluate::analysis::compositional::Together;
use acidtest_evaluate::analysis::errors::count_errors;
use acidtest_evaluate::analysis::hans::{Reference, hans_measurements, hans_section};
use acidtest_evaluate::analysis::lengths::{BinWidths, by_length};
use acidtest_evaluate::measurement::{SetId, Subject};
use acidtest_evaluate::report::{Evaluation, Input, SectionId, evaluation_report};
use acidtest_evaluate::statistics::Interval;
use acidtest_evaluate::statistics::bootstrap::{self, Resampling};
use acidtest_evaluate::{Item, Judged, Missing, Predictions, Scoring};
use acidtest_experiment::{Learnt, Source, diagnosis, judge, lengths};
use acidtest_nli::{Example, Key, Named, Pair, Prediction, Seed};
use acidtest_threads::Threads;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// Score predictions against gold labels
///
/// Predictions are joined to rows by id, or by row number where they have none. A gold key without text (id, label, tags) is enough.
/// Errors, lengths and shortcuts are shown with --details and on the page of --report.
#[derive(Args)]
pub struct Evaluate {
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
    answers: AnswerFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    lexical: LexicalFlags,
    #[command(flatten)]
    page: PageFlags,
}

impl Evaluate {
    /// Scores and shows.
    pub fn run(self) -> Result<()> {
        self.page.check()?;
        let read = [&self.data, &self.train].into_iter().flatten().chain(&self.predictions).cloned();
        self.page.check_outputs(&self.show, read.chain(self.model.as_ref().map(PathBuf::from)))?;
        let options = ReadOptions { keys_allowed: true, ..self.read.options()? };
        let threads = self.threads.threads()?;
        let corpus = read_all(files(&self.data)?, options.clone(), &threads)?;
        tell_skipped(corpus.skipped);
        let items: Vec<Item> = corpus.examples.iter().map(Item::of).collect();
        let mut sources = inputs("data", &corpus.files);
        let Answered { name, mut predictions, cut_short } = self.answers(&corpus.examples, &mut sources)?;
        if self.subset {
            predictions = of_rows(predictions, &items)?;
        }
        let missing = if self.allow_missing { Missing::CountAsWrong } else { Missing::Refuse };
        let scoring = self.scoring.as_deref().map(|name| acidtest_nli::find("scoring", &Scoring::ALL, name)).transpose()?.copied();
        let judged = judge(&items, &predictions, missing, scoring).with_context(|| name.clone())?;
        if !self.no_doctor && self.model.as_deref().is_none_or(|model| model.starts_with("process:")) {
            check_label_order(&name, &judged, &self.answers)?;
        }
        let by: Vec<Vec<String>> = self.by.iter().map(|tags| tags.split(',').map(str::to_string).collect()).collect();
        let mut options_used = BTreeMap::from([("scoring".to_string(), judged.scoring.name().to_string())]);
        options_used.extend(model_hashes(self.model.as_deref())?);
        let title = format!("Evaluation of {name}");
        let set = SetId::of("all", Vec::new(), &corpus.examples);
        let provenance = provenance(sources, BTreeMap::new(), options_used);
        let evaluation = Evaluation { title, model: &name, set: &set, judged: &judged, by: &by, provenance };
        let mut report = evaluation_report(evaluation)?;
        if let Some(overall) = report.sections.first_mut() {
            overall.notes.extend(threads.run(|| cluster_note(&judged, self.seed)).into_iter().chain(options::cut_short(&name, cut_short)));
        }
        report.sections.extend(hans_section(&judged, &people()));
        report.measure(hans_measurements(&judged, Subject { model: &name, set: &set }));
        let candidates = [Candidate { name: &name, judged: &judged }];
        let lexical = self.lexical.ask(&corpus.examples)?;
        if let Some(lexical) = &lexical {
            let found = threads.run(|| lexical.words.table(&corpus.examples, &candidates, Together::Apart, self.seed))?;
            report.sections.push(found.section());
            report.measure(found.measurements(&[&name], &set));
        }
        report.sections.extend(count_errors(&judged, by.first().map_or(&[][..], Vec::as_slice))?.sections());
        if corpus.examples.iter().any(|example| !example.pair.hypothesis.text.is_empty()) {
            report.sections.push(by_length(&judged, &lengths(&corpus.examples), BinWidths::default())?.section());
            let training = if self.train.is_empty() { Vec::new() } else { read_all(files(&self.train)?, options, &threads)?.examples };
            let learnt = Learnt { training: &training, words: lexical.as_ref().map(|lexical| &lexical.words) };
            let found = threads.run(|| diagnosis(&corpus.examples, &candidates, learnt, self.seed))?;
            report.sections.extend(found.sections());
            report.measure(found.measurements(&set));
        }
        self.show.show_main(&report, |id| {
            matches!(id, SectionId::Errors | SectionId::ErrorKinds | SectionId::Lengths | SectionId::Diagnosis | SectionId::DiagnosisBy(_))
        })?;
        let lexical = lexical.as_ref();
        self.page.finish(&report, &[PageRows { set: "all".to_string(), examples: &corpus.examples, judged: &judged, lexical }])
    }

    /// The model's name and its answers.
    fn answers(&self, examples: &[Example<'static>], sources: &mut Vec<Input>) -> Result<Answered> {
        if let Some(path) = &self.predictions {
            let (answers, file) = self.answers.read(path)?;
            let name = file.name.clone();
            sources.extend(inputs("predictions", &[file]));
            return Ok(Answered { name, predictions: Predictions::Keyed(answers), cut_short: 0 });
        }
        if let Some(example) = examples.iter().find(|example| example.pair.premise.text.is_empty()) {
            bail!("row `{}` has no text to ask a model about; a gold key goes with --predictions", example.pair.id);
        }
        let model = self.models.model(self.model.as_deref().unwrap_or_default(), &self.answers, examples, &Threads::all_cores()?)?;
        let (predictions, cut_short) = match model.source {
            Source::Recorded(answers) => (Predictions::Keyed(answers), 0),
            Source::Model(asked) => {
                let pairs: Vec<Pair<'static>> = examples.iter().map(|example| example.pair.clone()).collect();
                let mut progress = Progress::new();
                let mut predictions: Vec<Option<Prediction>> = vec![None; pairs.len()];
                let mut done = 0;
                asked.predict(&pairs, &mut |row, prediction| {
                    predictions[row] = Some(prediction);
                    done += 1;
                    progress.tell(&model.name, done, pairs.len());
                    Ok(())
                })?;
                let predictions: Vec<Prediction> = predictions.into_iter().flatten().collect();
                let cut_short = predictions.iter().filter(|prediction| prediction.truncated).count();
                (Predictions::InOrder(predictions), cut_short)
            }
        };
        Ok(Answered { name: model.name, predictions, cut_short })
    }
}

/// The answers of a model.
struct Answered {
    name: String,
    predictions: Predictions,
    /// Rows that are longer than what it reads.
    cut_short: usize,
}

/// The answers to these rows alone.
fn of_rows(predictions: Predictions, items: &[Item<'_>]) -> Result<Predictions> {
    let Predictions::Keyed(answers) = predictions else { return Ok(predictions) };
    let ids: HashSet<&str> = items.iter().map(|item| item.id).collect();
    let mut kept = Vec::with_capacity(items.len());
    for answer in answers {
        match &answer.key {
            Key::Id(id) if !ids.contains(id.as_str()) => {}
            Key::Id(_) => kept.push(answer),
            Key::Row(_) => bail!("--subset: the predictions have no ids, so that nobody knows which rows of a larger set they are for"),
        }
    }
    Ok(Predictions::Keyed(kept))
}

/// The interval of the accuracy where rows depend on each other, which Wilson's does not know.
fn cluster_note(judged: &Judged<'_>, seed: u64) -> Option<String> {
    let resampling = Resampling::new(Seed::new(seed).child("evaluate"));
    let estimate = bootstrap::rate(&judged.right(), &judged.clusters(), &resampling).ok()?;
    let Interval { low, high } = estimate.interval;
    (estimate.clusters < judged.right().len()).then(|| {
        format!(
            "Rows of one premise or template depend on each other: a bootstrap over {} such clusters gives [{:.1}, {:.1}].",
            estimate.clusters,
            100.0 * low,
            100.0 * high
        )
    })
}

/// People's accuracy on HANS.
fn people() -> [Reference; 2] {
    HUMAN_ACCURACY.map(|HumanAccuracy { who, all, entailment, non_entailment }| Reference {
        name: who,
        entailment,
        non_entailment,
        all: Some(all),
    })
}
