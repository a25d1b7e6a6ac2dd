//! Fallback for challenges that use the parses of a corpus that does not have them all.

use crate::data::Data;
use crate::error::Error;
use crate::session::Session;
use crate::spec::{ALL, ChallengeSpec};
use acidtest_challenge::{ANALYSIS, AnalysisSource, ChallengeError};
use acidtest_corpus::InputFile;

/// Whether to retry sets that failed because an example has no parse. Challenges chosen by `all` are switched to our own parser, with a
/// note. A challenge named by the user is not changed, and standard input cannot be read again.
pub fn use_own_parse(error: &Error, names: &[String], specs: &mut [ChallengeSpec], data: Option<&Data>, session: &Session<'_>) -> bool {
    let Error::Challenge(ChallengeError::NoTree { name, id }) = error else { return false };
    let is_read_once = matches!(data, Some(Data::Files(files, _)) if files.iter().any(InputFile::is_standard_input));
    let mut names = names.iter().flat_map(|names| names.split(',')).map(str::trim);
    let is_one_of_all = names.clone().any(|given| given == ALL) && !names.any(|given| given == *name);
    let spec = specs.iter_mut().find(|spec| spec.name == *name && !spec.settings.contains_key(ANALYSIS));
    let Some(spec) = spec.filter(|_| is_one_of_all && !is_read_once) else { return false };
    *spec = spec.clone().with_own_parse();
    session.note(&format!("{name} uses our own parse: example `{id}` has no parse in the corpus"));
    true
}

impl ChallengeSpec {
    /// The same challenge, using our own parser.
    pub(crate) fn with_own_parse(mut self) -> Self {
        self.settings.insert(ANALYSIS.to_string(), AnalysisSource::PARSE.into());
        self
    }
}
