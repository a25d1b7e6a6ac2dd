//! Challenges that use the parses of the corpus, for corpora that lack some.

use crate::data::Data;
use crate::error::Error;
use crate::session::Session;
use crate::spec::{ALL, ChallengeSpec};
use acidtest_challenge::{ANALYSIS, AnalysisSource, ChallengeError};
use acidtest_corpus::InputFile;

/// Whether sets that failed because an example has no parse should be made again: where the challenge is one of `all`, it is set up for our own
/// parse, and a note says so. A challenge that was named stays as it is, and so does what is read from standard input.
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
    /// The same challenge, made from our own parse.
    pub(crate) fn with_own_parse(mut self) -> Self {
        self.settings.insert(ANALYSIS.to_string(), AnalysisSource::PARSE.into());
        self
    }
}
