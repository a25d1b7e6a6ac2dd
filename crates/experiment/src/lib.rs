//! Entry points from corpora through challenges and models to reports.
//!
//! A front end fills [`spec`]s, resolves them, and calls an entry point: [`make`] and [`write_sets`], [`train`], [`predict`],
//! [`evaluate`], [`compare`], [`run`], [`gate`]. Entry points take resolved specs and a [`Session`], and return data; they print nothing.
//! The command line does nothing beyond this, and no other front end should need to.
//!
//! ```
//! use acidtest_challenge::Resources;
//! use acidtest_experiment::spec::{ChallengeSpec, DataSpec, EvaluationSpec, ModelSpec};
//! use acidtest_experiment::{NamedModel, Session, compare, run};
//! use acidtest_model::FunctionModel;
//! use acidtest_nli::{Label, Pair, Prediction};
//!
//! # let folder = tempfile::tempdir()?;
//! # let page = folder.path().join("page");
//! let session = Session::quiet()?;
//! let data = DataSpec::of_files(["../corpus/data/sample.jsonl"]).resolve()?.load(&session)?;
//! let negation = ChallengeSpec::named("negation").resolve(&Resources::default())?;
//! let spelling = ChallengeSpec::named("spelling-swap").resolve(&Resources::default())?;
//! let models = [
//!     ModelSpec::parse("overlap").resolve(data.label_counts(), &session)?,
//!     NamedModel::new("mine", FunctionModel::new(|pair: &Pair<'_>| {
//!         Prediction::of(if pair.hypothesis.text.contains(" not ") { Label::Contradiction } else { Label::Entailment })
//!     })),
//! ];
//! let challenges = [negation, spelling];
//! let rules = EvaluationSpec::default().resolve(&session)?;
//! let results = run(&data, &models, &challenges, &rules, &session)?;
//! let compared = compare(&data, &models, &rules, &session)?;
//! println!("{}", compared.report.sections[0].notes.join("\n"));
//! results.write_page(&page)?;
//! # assert!(page.join("index.html").is_file() && results.sets.len() == 3);
//! # assert_eq!(compared.predictions[1].name, "mine");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyzed;
mod answers;
mod asking;
mod compare;
mod corpus_report;
mod corpus_tools;
mod data;
mod doctor;
mod embedded;
mod error;
mod evaluate;
mod evaluation_rules;
mod exclude;
mod explain;
mod findings;
mod frames;
mod gate;
mod identify;
mod identify_report;
mod lexical;
mod lexical_scores;
mod listing;
mod lms;
mod make;
mod misleading;
mod model_names;
mod models;
mod network;
mod notes;
mod page;
mod predict;
mod progress_line;
mod report_target;
mod results;
mod review;
mod row_numbers;
mod run;
mod run_table;
mod scorer;
mod session;
mod sets;
pub mod spec;
mod train;
mod trainable;
mod trained;
pub mod training;
mod transformer;
mod visible;

pub use analyzed::{
    AnalysisForm, ClauseView, ConstituentView, ModifierView, NameView, NumberView, PhraseView, SentenceView, TextView, WordView,
    analyze_text,
};
pub use answers::{JudgeError, judge};
pub use asking::{ModelPredictions, PartCounts};
pub use compare::compare;
pub use corpus_report::{AuditRequest, FramesRequest, annotation_tags, audit, statistics, verb_frames, write_examples};
pub use corpus_tools::{Destination, OldParts, Sampled, SplitFolder, SplitInto, SplitParts, convert, sample, split};
pub use data::{Data, DataPart, LoadedData};
pub use doctor::{LabelOrderReport, check_label_order};
pub use embedded::{EMBEDDED, EmbeddedModel};
pub use error::{Error, IdsNeeded};
pub use evaluate::evaluate;
pub use evaluation_rules::EvaluationRules;
pub use exclude::{pairs_of, training_counts};
pub use explain::{ExplainedBy, ExplainedPair, ExplanationLayout, explain_all};
pub use findings::{HeuristicInputs, diagnosis, lengths};
pub use frames::{FrameOptions, frames_for, grammar_named};
pub use gate::{GateChecks, GateFinished, GateOutputs, GateProblem, GateResults, gate, read_baseline};
pub use identify::{Identified, IdentifyRequest, READINGS, REPEATED_WORD, ReadingAgreement, Unrecognised};
pub use identify_report::identify;
pub use lexical_scores::{LexicalScores, score_words};
pub use listing::{list_challenges, list_formats, list_models};
pub use make::{
    SetOutcome, SetToWrite, WrittenSet, count_examples, explain_example, fit_to_standard_input, modifier_table, set_files, use_own_parse,
    write_sets,
};
pub use misleading::{LexicalPredictions, LexicalWitness, MISLED, OpenLexical, why_misled, with_band};
pub use model_names::shorten_names;
pub use models::{AnswerColumn, LabelOrder, MODEL_KINDS, ModelKind, ModelSource, NamedModel, open_models, with_column};
pub use page::PageTarget;
pub use predict::{predict, write_predictions};
pub use report_target::{ReportTarget, read_report};
pub use results::Results;
pub use review::{
    DrawnReview, KEY_FILE, OldReview, ReviewProblem, ReviewSpec, ScoreRequest, ScoredReview, SheetProblem, draw_review, score_review,
};
pub use run::run;
pub use run_table::run_table;
pub use scorer::ScoringModel;
pub use session::{CacheUse, Cancelled, Event, Observer, Progress, Quiet, Session};
pub use sets::{MadeSets, ORIGINAL, Role, TestSet, make};
pub use train::{LexicalOutcome, MixedData, TrainRequest, TrainingOutcome, train};
pub use trainable::{ModelToTrain, TRAINABLE, Trainable, fine_tuning_settings, training_settings};
pub use trained::{ABOUT_FILE, TrainedError, is_trained_model, model_hash, open_lexical, open_model};
pub use transformer::FINE_TUNED_FILE;
pub use visible::visible;
