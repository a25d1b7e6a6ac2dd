//! What a user can do about an error of a library, in the words of the command line; libraries know no flags.

use acidtest_corpus::{CorpusError, RowProblem};
use acidtest_evaluate::JoinError;
use acidtest_experiment::spec::SpecError;
use acidtest_experiment::{Error, JudgeError};

/// The error and its causes in one line, each said once, with the flag that helps.
pub(crate) fn one_line(error: &anyhow::Error) -> String {
    if let Some(spec) = error.chain().find_map(|cause| cause.downcast_ref::<SpecError>()) {
        return format!("{}: invalid value `{}`: expected {}", flag(&spec.field), spec.value, spec.expected);
    }
    let mut line = String::new();
    for cause in error.chain().map(|cause| cause.to_string().replace('\n', " ")) {
        if !line.contains(&cause) {
            line = if line.is_empty() { cause } else { format!("{line}: {cause}") };
        }
    }
    match remedy(error) {
        Some(remedy) => line + &remedy,
        None => line,
    }
}

/// The flag that fills a field of a spec.
fn flag(field: &str) -> String {
    match field {
        "columns" => "--column".to_string(),
        "column" => "--prediction-column".to_string(),
        "data_labels" => "--data-labels".to_string(),
        "word_order" => "--shuffle-words".to_string(),
        field => match field.strip_prefix("settings.") {
            Some(setting) => format!("--set {setting}"),
            None => format!("--{}", field.replace('_', "-")),
        },
    }
}

/// What to add to the line: the flag that helps.
fn remedy(error: &anyhow::Error) -> Option<String> {
    let of_corpus = |cause: &(dyn std::error::Error + 'static)| of_corpus(cause.downcast_ref::<CorpusError>()?);
    let of_line = |cause: &(dyn std::error::Error + 'static)| of_line(cause.downcast_ref::<Error>()?);
    error.chain().find_map(of_corpus).or_else(|| error.chain().find_map(of_line)).or_else(|| of_missing(error))
}

fn of_line(error: &Error) -> Option<String> {
    match error {
        Error::NothingToScore { .. } => Some("; --column label=NAME names the column".to_string()),
        Error::NoCorpus { .. } => Some("; name corpora with --from".to_string()),
        _ => None,
    }
}

fn of_missing(error: &anyhow::Error) -> Option<String> {
    let judge = error.chain().find_map(|cause| cause.downcast_ref::<JudgeError>())?;
    matches!(judge, JudgeError::Join(JoinError::Missing { .. })).then(|| "; --allow-missing counts them as wrong".to_string())
}

fn of_corpus(error: &CorpusError) -> Option<String> {
    let problem = match error {
        CorpusError::DuplicateId { .. } => return Some(", or pass --ids content".to_string()),
        CorpusError::Row { problem, .. } => problem,
        _ => return None,
    };
    match problem {
        RowProblem::NoField { field, .. } => Some(format!("; name it with --column {field}=NAME")),
        RowProblem::UnknownFormat => Some("; name columns with --column premise=NAME".to_string()),
        RowProblem::ScoreOrder => Some("; say their order with --labels, such as --labels C,E,N".to_string()),
        RowProblem::NoAnswers { .. } => Some("; name it with --prediction-column NAME".to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn a_field_of_a_spec_is_told_as_its_flag() {
        let error = acidtest_experiment::Error::from(SpecError::new("checkpoint_minutes", "-1", "a number of at least 0"));
        assert_eq!(one_line(&error.into()), "--checkpoint-minutes: invalid value `-1`: expected a number of at least 0");
    }

    #[test]
    fn causes_are_said_once_and_the_flag_last() {
        let problem = RowProblem::NoField { field: "premise", found: "a, b".to_string() };
        let error = CorpusError::Row { path: "x.csv".to_string(), line: 1, problem };
        let error = Err::<(), _>(acidtest_experiment::Error::from(error)).context("--from").unwrap_err();
        assert_eq!(one_line(&error), "--from: x.csv:1: no premise (found a, b); name it with --column premise=NAME");
    }
}
