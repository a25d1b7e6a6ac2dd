//! The output file of each set.

use crate::corpus_tools::Destination;
use crate::error::Error;
use crate::spec::SpecError;
use acidtest_challenge::{Challenge, Generate};
use acidtest_corpus::{FORMATS, Format};
use std::path::{Path, PathBuf};

/// File endings, which a folder of sets must not have.
const FILE_ENDINGS: [&str; 8] = ["jsonl", "json", "csv", "tsv", "txt", "parquet", "gz", "zst"];

/// The file and the format of each challenge's set: a single set is written to the output itself, several are written to files in a
/// folder of that name.
pub fn set_files(challenges: &[Challenge], output: &Path, format: Option<&str>) -> Result<Vec<(PathBuf, Format)>, Error> {
    if let [one] = challenges {
        let own_text = one.generator().and_then(Generate::text_format);
        return Ok(vec![(output.to_path_buf(), Destination::with_own_text(output, format, own_text)?.format)]);
    }
    if output.as_os_str() == "-" {
        return Err(SpecError::new("output", "-", "a folder to write several sets to").into());
    }
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !output.is_dir() && FILE_ENDINGS.contains(&ending.as_str()) {
        let given = output.display().to_string();
        return Err(
            SpecError::new("output", given, format!("a folder to write {} sets to, not the name of a file", challenges.len())).into()
        );
    }
    let format = format.map(|name| FORMATS.find(name)).transpose()?.copied().unwrap_or(Format::ACIDTEST);
    let file = |challenge: &Challenge| (output.join(format!("{}.{}", challenge.name(), format.ending())), format);
    Ok(challenges.iter().map(file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::ChallengeSpec;
    use acidtest_challenge::Resources;

    #[track_caller]
    fn check(challenges: &[&str], output: &str, format: Option<&str>, expected: &[(&str, &str)]) {
        let challenges: Vec<Challenge> =
            challenges.iter().map(|name| ChallengeSpec::named(*name).resolve(&Resources::default()).unwrap()).collect();
        let files = set_files(&challenges, Path::new(output), format).unwrap();
        let found: Vec<(&str, &str)> = files.iter().map(|(path, format)| (path.to_str().unwrap(), format.name())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn one_set_is_the_output_and_several_are_files_in_it() {
        check(&["negation"], "a.jsonl", None, &[("a.jsonl", "acidtest")]);
        check(&["negation", "hans"], "a", None, &[("a/negation.jsonl", "acidtest"), ("a/hans.jsonl", "acidtest")]);
    }

    #[test]
    fn several_sets_are_not_written_to_a_folder_with_a_file_ending() {
        let challenges = ["negation", "tautology"].map(|name| ChallengeSpec::named(name).resolve(&Resources::default()).unwrap());
        let refused = set_files(&challenges, Path::new("two.jsonl"), None).unwrap_err().to_string();
        assert_eq!(refused, "output: invalid value `two.jsonl`: expected a folder to write 2 sets to, not the name of a file");
        assert!(set_files(&challenges[..1], Path::new("one.jsonl"), None).is_ok());
    }

    #[test]
    fn a_challenge_with_its_own_text_format_uses_it_by_default() {
        check(&["hans"], "a.txt", None, &[("a.txt", "hans")]);
        check(&["negation"], "a.txt", None, &[("a.txt", Format::MULTINLI_TEXT.name())]);
        check(&["hans"], "a.txt", Some(Format::MULTINLI_TEXT.name()), &[("a.txt", Format::MULTINLI_TEXT.name())]);
    }
}
