//! Challenges that use the parses of the corpus, for corpora without any.

use crate::data::Data;
use crate::error::Error;
use crate::session::Session;
use crate::spec::{ALL, ChallengeSpec};
use acidtest_challenge::{ANALYSIS, AnalysisSource, Resources};
use acidtest_corpus::InputFile;

/// Sets challenges of `all` up for our own parse where the first example lacks the parse that they use by default, and says so. Challenges that
/// were named stay as they are, and so does what is read from standard input.
pub fn use_own_parse(
    names: &[String],
    specs: &mut [ChallengeSpec],
    data: &Data,
    resources: &Resources,
    session: &Session<'_>,
) -> Result<(), Error> {
    let is_read_once = matches!(data, Data::Files(files, _) if files.iter().any(InputFile::is_standard_input));
    if is_read_once || !names.iter().flat_map(|names| names.split(',')).any(|name| name.trim() == ALL) {
        return Ok(());
    }
    // What cannot be read is reported when the sets are made.
    let Ok(Some(block)) = data.clone().source().next_block() else { return Ok(()) };
    let Some(first) = block.examples().next() else { return Ok(()) };
    for spec in specs.iter_mut().filter(|spec| !spec.settings.contains_key(ANALYSIS)) {
        if spec.resolve(resources)?.lacks_tree(&first.example) {
            *spec = spec.clone().with_own_parse();
            session.note(&format!("{} uses our own parse: the corpus has none", spec.name));
        }
    }
    Ok(())
}

impl ChallengeSpec {
    /// The same challenge, made from our own parse.
    pub(crate) fn with_own_parse(mut self) -> Self {
        self.settings.insert(ANALYSIS.to_string(), AnalysisSource::PARSE.into());
        self
    }
}
