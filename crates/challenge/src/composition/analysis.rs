//! Where the analysis of a sentence comes from: the parse of the corpus, our own, or both where they agree.

use crate::{NotApplicable, TreeNeed};
use acidtest_lingua::View;
use acidtest_lingua::analyzer::{AnalyzedSentence, Word};
use acidtest_lingua::view::{ViewNeed, ViewWord};
use serde::{Deserialize, Serialize};

/// The setting for the source of the analysis.
pub const ANALYSIS: &str = "analysis";

/// Where the analysis of a sentence comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisSource {
    /// The Penn-style parse of the corpus and our own parse, which must agree.
    #[default]
    Strict,
    /// The Penn-style parse of the corpus.
    Tree,
    /// Our own parse.
    Parse,
}

/// Our own parse has other words than the corpus's.
pub(crate) const OTHER_WORDS: NotApplicable = NotApplicable("text and parse have different words");
/// The parse of the corpus cannot be read.
pub(crate) const NO_TREE: NotApplicable = NotApplicable("the parse is not a bracketed tree");
/// Pairs are made from single sentences.
pub(crate) const SEVERAL_SENTENCES: NotApplicable = NotApplicable("not one sentence");

impl AnalysisSource {
    /// The value for our own parse, which needs no trees.
    pub const PARSE: &'static str = "parse";

    /// Whether every sentence must have a Penn-style parse of the corpus.
    pub fn trees(self) -> TreeNeed {
        match self {
            AnalysisSource::Strict | AnalysisSource::Tree => TreeNeed::Required,
            AnalysisSource::Parse => TreeNeed::Optional,
        }
    }

    /// What is worked out for many sentences at once: our own parse, unless the corpus's is enough.
    pub fn view_need(self) -> Option<ViewNeed> {
        match self {
            // Unlike `Analysis`, this is our own parse even if the corpus has one.
            AnalysisSource::Strict | AnalysisSource::Parse => Some(ViewNeed::Names),
            AnalysisSource::Tree => None,
        }
    }
}

/// Our own parse of a text of one sentence. Its words are those of the view, so that both have the same indices.
pub(crate) fn parsed<'v>(view: &'v View<'_>) -> Result<&'v AnalyzedSentence, NotApplicable> {
    let [sentence] = view.document().sentences.as_slice() else { return Err(SEVERAL_SENTENCES) };
    let words = view.words();
    let is_same = |(ours, other): (&Word, &ViewWord<'_>)| other.span == Some(ours.start..ours.end);
    if sentence.words.len() == words.len() && sentence.words.iter().zip(words).all(is_same) { Ok(sentence) } else { Err(OTHER_WORDS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_parse_are_found_in_the_tree() {
        let tree = "(ROOT (S (NP (DT The) (NN dog)) (VP (VBD did) (RB n't) (VP (VB bark))) (. .)))";
        let view = View::new("The dog didn't bark.", Some(tree), None);
        assert_eq!(parsed(&view).unwrap().words.len(), 6);
        let other = View::new("The dog didn't bark.", Some("(ROOT (NP (DT The) (NN dog)))"), None);
        assert_eq!(parsed(&other).unwrap_err(), OTHER_WORDS);
        assert_eq!(parsed(&View::plain("Dogs bark. Cats sleep.")).unwrap_err(), SEVERAL_SENTENCES);
    }
}
