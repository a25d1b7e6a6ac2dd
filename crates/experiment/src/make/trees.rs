//! Fallbacks for challenges that use the parses of a corpus or read it twice, where parses are missing or the corpus is standard input.

use crate::data::Data;
use crate::error::Error;
use crate::session::Session;
use crate::spec::{ALL, ChallengeSpec};
use acidtest_challenge::{ANALYSIS, AnalysisSource, Challenge, ChallengeError, Resources};
use acidtest_corpus::InputFile;
use acidtest_nli::Example;

/// Whether to retry sets that failed because an example has no parse. Challenges chosen by `all` are switched to our own parser, with a
/// note. A challenge named by the user is not changed, and standard input cannot be read again.
pub fn use_own_parse(error: &Error, names: &[String], specs: &mut [ChallengeSpec], data: Option<&Data>, session: &Session<'_>) -> bool {
    let Error::Challenge(ChallengeError::NoTree { name, id }) = error else { return false };
    let spec = specs.iter_mut().find(|spec| spec.name == *name && !spec.settings.contains_key(ANALYSIS));
    let Some(spec) = spec.filter(|_| is_one_of_all(name, names) && !is_read_once(data)) else { return false };
    *spec = spec.clone().with_own_parse();
    session.note(&format!("{name} uses Acidtest's own parser: example `{id}` has no parse in the corpus"));
    true
}

/// Fits the challenges of `all` to standard input, which is read once: those that would read it twice are left out, and those that stop where an
/// example has no parse use our own. Notes say so. Challenges that were named stay as they are.
pub fn fit_to_standard_input(
    names: &[String],
    specs: &mut Vec<ChallengeSpec>,
    data: Option<&Data>,
    resources: &Resources,
    session: &Session<'_>,
) -> Result<(), Error> {
    if !is_read_once(data) {
        return Ok(());
    }
    let mut fitting = Vec::new();
    for spec in std::mem::take(specs) {
        let challenge = if is_one_of_all(&spec.name, names) { Some(spec.resolve(resources)?) } else { None };
        let needs_parses = || challenge.as_ref().is_some_and(|challenge| challenge.lacks_tree(&Example::default()));
        if challenge.as_ref().and_then(Challenge::modifiers).is_some_and(|slot| slot.get().is_none()) {
            session.note(&format!("{} was skipped: it reads the corpus twice, and standard input can be read only once", spec.name));
        } else if !spec.settings.contains_key(ANALYSIS) && needs_parses() {
            session.note(&format!("{} uses Acidtest's own parser, because standard input can be read only once", spec.name));
            fitting.push(spec.with_own_parse());
        } else {
            fitting.push(spec);
        }
    }
    *specs = fitting;
    Ok(())
}

fn is_read_once(data: Option<&Data>) -> bool {
    matches!(data, Some(Data::Files(files, _)) if files.iter().any(InputFile::is_standard_input))
}

/// Whether a challenge is made because of `all`, and not by its name.
fn is_one_of_all(name: &str, names: &[String]) -> bool {
    let mut names = names.iter().flat_map(|names| names.split(',')).map(str::trim);
    names.clone().any(|given| given == ALL) && !names.any(|given| given == name)
}

impl ChallengeSpec {
    /// The same challenge, using our own parser.
    pub(crate) fn with_own_parse(mut self) -> Self {
        self.settings.insert(ANALYSIS.to_string(), AnalysisSource::PARSE.into());
        self
    }
}
