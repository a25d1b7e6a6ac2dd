//! HANS: entailed and non-entailed pairs for which a syntactic shortcut always predicts entailment.
//!
//! McCoy, Pavlick and Linzen (2019), "Right for the Wrong Reasons: Diagnosing Syntactic Heuristics in Natural Language Inference". Three
//! heuristics (lexical overlap, subsequence, constituent), each with five subcases where it is correct and five where it is wrong.
//!
//! A [`Grammar`] is data: word classes, phrases, subcases, and templates whose premise and hypothesis are trees over the same slots. Set
//! up for a [`Mode`](crate::Mode), it becomes a [`TemplateSet`], from which a [`Generator`] generates pairs, and in which an
//! [`Identifier`] finds the template of a given pair.
//!
//! ```
//! use acidtest_challenge::{Mode, hans::{Amount, Generator, GeneratorSettings, Grammar}};
//! let set = Grammar::built_in().set_up(Mode::Clean)?;
//! let settings = GeneratorSettings { amount: Amount::PerSubcase(2), seed: 1, ..Default::default() };
//! let mut out = Vec::new();
//! Generator::new(&set, settings)?.run(|row| Ok::<(), std::convert::Infallible>(row.write_hans_text(&mut out))).unwrap();
//! assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 60);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod count;
mod entry;
mod expand;
mod frames;
mod generate;
mod grammar;
mod identify;
mod pattern;
mod reference;
mod render;
mod row;
mod set;

pub(crate) use entry::HANS;
pub use entry::{HansSettings, PerSubcase};
pub use frames::{
    CorpusFrames, FIXED_VERBS, FrameRule, FrameStrictness, GrammarVerbs, NeededVerb, PUBLISHED_EXAMPLES, PUBLISHED_THRESHOLD, VerbClass,
    scaled_threshold,
};
pub use generate::{Amount, Generated, Generator, GeneratorError, GeneratorSettings, Rejections};
pub use grammar::{Grammar, GrammarError, GrammarProblem, Quirk};
pub use identify::{Identifier, Reading, WordRepetition};
pub use reference::{HUMAN_ACCURACY, HumanAccuracy, MODEL_ACCURACY, ModelAccuracy};
pub use row::{HANS_TEXT_HEADER, HansRow};
pub use set::{Category, Subcase, Template, TemplateSet};

/// The tag for the human categories of appendix E: the template variant and the word that the template is built around.
pub const CATEGORY: &str = "category";

#[cfg(test)]
mod tests;
