//! `acidtest compare`: several models on the same rows.

use crate::lexical::LexicalFlags;
use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use crate::page::PageFlags;
use crate::predictions::{AnswerFlags, check_label_order};
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_corpus::{ReadOptions, read_all};
use acidtest_evaluate::analysis::comparison::{Comparison, Pairing};
use acidtest_evaluate::analysis::compositional::Together;
use acidtest_evaluate::analysis::{Candidate, Testing, runs};
use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::report::{Report, Section, SectionId};
use acidtest_evaluate::{Item, Judged, Missing, Predictions, Scoring};
use acidtest_experiment::{Learnt, diagnosis, judge};
use acidtest_nli::Seed;
use anyhow::{Context, Result};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Compare models on the same rows: paired differences, intervals, significance
///
/// Each model is a file of predictions; `FILE@COLUMN` names one of several columns of answers. Rows of one premise or template are taken
/// together; p values are corrected for all sets and subcases at once (Holm, Benjamini-Hochberg). Shortcuts are shown with --details.
#[derive(Args)]
pub struct Compare {
    /// Files of predictions, at least two
    #[arg(value_name = "PREDICTIONS", required = true, num_args = 2..)]
    models: Vec<PathBuf>,
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
    answers: AnswerFlags,
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

impl Compare {
    /// Compares and shows.
    pub fn run(self) -> Result<()> {
        self.page.check()?;
        self.page.check_outputs(&self.show, [&self.models, &self.data, &self.train].into_iter().flatten().cloned())?;
        let options = ReadOptions { keys_allowed: true, ..self.read.options()? };
        let threads = self.threads.threads()?;
        let corpus = read_all(files(&self.data)?, options.clone(), &threads)?;
        tell_skipped(corpus.skipped);
        let training = if self.train.is_empty() { Vec::new() } else { read_all(files(&self.train)?, options, &threads)?.examples };
        let items: Vec<Item> = corpus.examples.iter().map(Item::of).collect();
        let mut sources = inputs("data", &corpus.files);
        let mut predictions = Vec::new();
        for path in &self.models {
            let (rows, file) = self.answers.read(path)?;
            sources.extend(inputs("predictions", &[file]));
            predictions.push(Predictions::Keyed(rows));
        }
        let missing = if self.allow_missing { Missing::CountAsWrong } else { Missing::Refuse };
        let scoring = self.scoring.as_deref().map(|name| acidtest_nli::find("scoring", &Scoring::ALL, name)).transpose()?.copied();
        let names = short_names(&self.models);
        let judged: Vec<Judged<'_>> = predictions
            .iter()
            .zip(&self.models)
            .map(|(predictions, path)| judge(&items, predictions, missing, scoring).with_context(|| path.display().to_string()))
            .collect::<Result<_>>()?;
        if !self.no_doctor {
            names.iter().zip(&judged).try_for_each(|(name, judged)| check_label_order(name, judged, &self.answers))?;
        }
        let candidates: Vec<Candidate<'_>> = names.iter().zip(&judged).map(|(name, judged)| Candidate { name, judged }).collect();
        let by: Vec<Vec<String>> = self.by.iter().map(|tags| tags.split(',').map(str::to_string).collect()).collect();
        let pairing = if self.every_pair { Pairing::Every } else { Pairing::WithFirst };
        let testing = Testing::new(Seed::new(self.seed).child("compare"));
        let compared = threads.run(|| Comparison { candidates: &candidates, by: &by, pairing, testing }.compare())?;
        let set = SetId::of("all", Vec::new(), &corpus.examples);
        let seeds = BTreeMap::from([("bootstrap".to_string(), self.seed)]);
        let sections = vec![Section::sentences(SectionId::Verdict, "Verdict", compared.sentences())];
        let title = format!("Comparison of {}", names.join(", "));
        let mut report = Report::new(title, provenance(sources, seeds, BTreeMap::new()), sections);
        report.sections.extend(compared.sections());
        report.measure(compared.measurements(&set));
        if self.runs {
            report.sections.extend(runs::compare(&candidates, &by)?.sections());
        }
        let lexical = self.lexical.ask(&corpus.examples)?;
        if let Some(lexical) = &lexical {
            let together = if self.runs { Together::Runs } else { Together::Apart };
            let found = threads.run(|| lexical.words.table(&corpus.examples, &candidates, together, self.seed))?;
            report.sections.push(found.section());
            report.measure(found.measurements(&names.iter().map(String::as_str).collect::<Vec<_>>(), &set));
        }
        if corpus.examples.iter().any(|example| !example.pair.hypothesis.text.is_empty()) {
            let learnt = Learnt { training: &training, words: lexical.as_ref().map(|lexical| &lexical.words) };
            let found = threads.run(|| diagnosis(&corpus.examples, &candidates, learnt, self.seed))?;
            report.sections.extend(found.sections());
            report.measure(found.measurements(&set));
        }
        self.show.show_main(&report, |id| matches!(id, SectionId::Verdict | SectionId::Diagnosis | SectionId::DiagnosisBy(_)))?;
        let rows: Vec<crate::page::PageRows<'_>> = names
            .iter()
            .zip(&judged)
            .map(|(name, judged)| crate::page::PageRows {
                set: name.clone(),
                examples: &corpus.examples,
                judged,
                lexical: lexical.as_ref(),
            })
            .collect();
        self.page.finish(&report, &rows)
    }
}

/// File names without what they all share, so that tables stay narrow.
fn short_names(paths: &[PathBuf]) -> Vec<String> {
    let texts: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let columns: Vec<Option<&str>> = texts.iter().map(|text| text.rsplit_once('@').map(|(_, column)| column)).collect();
    let different = |names: &[&str]| names.iter().collect::<std::collections::BTreeSet<_>>().len() == names.len();
    if let Some(columns) = columns.into_iter().collect::<Option<Vec<&str>>>()
        && different(&columns)
    {
        return columns.into_iter().map(str::to_string).collect();
    }
    let names: Vec<&str> = texts.iter().map(|text| text.rsplit('/').next().unwrap_or(text)).collect();
    let names: Vec<&str> = names.iter().map(|name| name.split('.').next().unwrap_or(name)).collect();
    if different(&names) { names.into_iter().map(str::to_string).collect() } else { texts }
}
