//! The whole line: from corpora through challenges and models to reports.

mod answers;
pub mod course;
mod embedded;
mod findings;
mod hans;
mod identify;
mod lexical;
mod lms;
mod misleading;
mod network;
mod run;
mod scorer;
mod set;
mod trained;

pub use answers::{JudgeError, judge};
pub use embedded::{EMBEDDED, EmbeddedModel};
pub use findings::{Learnt, diagnosis, lengths};
pub use hans::{HansError, HansRequest, HansSet, make_hans, pairs_of};
pub use identify::{Agreement, Identified, IdentifyRequest, READINGS, REPEATED_WORD, Unrecognised, identify_rows};
pub use lexical::{LexicalRequest, LexicalTraining, LexicalTrainingError, train_lexical};
pub use lms::{KeptRow, LmsFound, LmsRequest, score_rows};
pub use misleading::{WordsAlone, why_misled};
pub use network::NETWORKS;
pub use run::{Asked, LabelOrder, NamedModel, Role, RunAbout, RunError, Source, TestSet, ask, hans_sets, judge_all, make_sets, run_report};
pub use scorer::ScoringModel;
pub use set::{ClosedSet, SetError, SetRequest, make_set, seal_set};
pub use trained::{ABOUT_FILE, FAMILIES, Family, TrainedError, is_trained_model, model_hash, open_model};
