//! What a user can do about an error of a library, in the words of the command line; libraries know no flags.

use acidtest_challenge::{CATALOG, ChallengeError, Need};
use acidtest_corpus::{CorpusError, FORMATS, RowProblem};
use acidtest_evaluate::JoinError;
use acidtest_experiment::spec::SpecError;
use acidtest_experiment::{Error, GateProblem, JudgeError};
use acidtest_model::{LexicalError, ModelError};
use acidtest_nli::LabelDoubt;

/// The error and its causes in one line, each said once, with the flag that helps.
pub(crate) fn one_line(error: &anyhow::Error) -> String {
    if let Some(Error::ForNetworks { field, what, model }) = error.chain().find_map(|cause| cause.downcast_ref::<Error>()) {
        return format!("{}: `{model}` takes no {what}: they are for networks", flag(field));
    }
    let spec = error.chain().find_map(|cause| cause.downcast_ref::<SpecError>());
    let gate = error.chain().find_map(|cause| match cause.downcast_ref::<Error>() {
        Some(Error::Gate { field, .. }) => Some(*field),
        _ => None,
    });
    let mut line = String::new();
    for cause in error.chain() {
        let mut cause = cause.to_string().replace('\n', " ");
        if let Some(spec) = spec {
            cause = cause.replace(&spec.to_string(), &with_flag(spec));
        }
        if let Some(field) = gate {
            cause = cause.replacen(&format!("{field}: "), &of_gate(field), 1);
        }
        if !line.contains(&cause) {
            line = if line.is_empty() { cause } else { format!("{line}: {cause}") };
        }
    }
    match remedy(error) {
        Some(remedy) => line + &remedy,
        None => line,
    }
}

/// A field that cannot be used, told as its flag.
fn with_flag(spec: &SpecError) -> String {
    format!("{}: invalid value `{}`: expected {}", flag(&spec.field), spec.value, spec.expected)
}

/// How a message about a gate begins: with its flag, or with nothing where it is about all of it.
fn of_gate(field: &str) -> String {
    if field == "gate" { String::new() } else { format!("{}: ", flag(field)) }
}

/// The flag that fills a field of a spec.
fn flag(field: &str) -> String {
    let own = ["data.", "model.", "evaluation.", "report.", "run.", "train.", "gate."].iter().find_map(|spec| field.strip_prefix(spec));
    match field {
        "data.columns" => "--column".to_string(),
        "data.labels" => "--data-labels".to_string(),
        "data.bad_rows" => "--skip-bad-rows".to_string(),
        "model.settings.column" => "--prediction-column".to_string(),
        "model.settings.time_out_seconds" => "--time-out".to_string(),
        "evaluation.surplus" => "--subset".to_string(),
        "evaluation.pairing" => "--every-pair".to_string(),
        "evaluation.label_order" => "--no-doctor".to_string(),
        "evaluation.missing" => "--allow-missing".to_string(),
        "evaluation.arms" => "--arm".to_string(),
        "run.settings" | "challenge.settings" => "--set".to_string(),
        "model.name" => "NAME=MODEL".to_string(),
        "word_order" | "train.word_order" => "--shuffle-words".to_string(),
        field => match (field.strip_prefix("model.settings."), own.unwrap_or(field)) {
            (Some(setting), _) => format!("--{}", setting.replace('_', "-")),
            (None, own) => match own.strip_prefix("settings.") {
                Some(setting) => format!("--set {setting}"),
                None => format!("--{}", own.replace('_', "-")),
            },
        },
    }
}

/// What to add to the line: the flag that helps.
fn remedy(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(of_cause)
}

fn of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref::<CorpusError>() {
        return of_corpus(error);
    }
    if let Some(error) = cause.downcast_ref::<Error>() {
        return of_line(error);
    }
    if let Some(LexicalError::NoFolds { .. }) = cause.downcast_ref::<LexicalError>() {
        return Some("; train it with --set folds=5".to_string());
    }
    if let Some(ModelError::DoubtfulAnswers { doubt, .. }) = cause.downcast_ref::<ModelError>() {
        return Some(of_doubt(*doubt, "--labels"));
    }
    if let Some(ModelError::TimedOut { .. }) = cause.downcast_ref::<ModelError>() {
        return Some(" (--batch N sets how many pairs it may have in hand, --time-out SECONDS how long it is waited for)".to_string());
    }
    match cause.downcast_ref::<JudgeError>() {
        Some(JudgeError::Join(JoinError::OtherColumn { column, .. })) => Some(format!("; pass --column id={column}")),
        Some(JudgeError::Join(JoinError::Missing { .. })) => Some("; --allow-missing counts them as wrong".to_string()),
        Some(JudgeError::Join(JoinError::Surplus { .. })) => Some(" --subset leaves them out".to_string()),
        _ => None,
    }
}

/// What predictions without ids are to be used for in a run.
const WHICH_SET: &str = "which set";

fn of_line(error: &Error) -> Option<String> {
    match error {
        Error::Gate { problem, .. } => of_problem(problem),
        Error::NoIds { purpose, .. } if *purpose == WHICH_SET => Some("; --challenge none scores the data alone".to_string()),
        Error::NoFormat(_) => Some(format!("; or name the format with --to: {}", FORMATS.names().join(", "))),
        Error::UsedFolder { .. } => Some("; --force replaces the parts in it".to_string()),
        Error::NoSuchTag { .. } => Some("; --by takes the name of a tag or of a column that is no field".to_string()),
        Error::NothingToScore { .. } => Some("; --column label=NAME names the column".to_string()),
        Error::NoCorpus { .. } => Some("; name corpora with --from".to_string()),
        Error::Untrained { model } => {
            Some(format!("; train it with `acidtest train --model {model} --train FILE -o FOLDER` and name the folder"))
        }
        Error::SameName { name } => Some(format!("; name one of them, as in `other={name}`")),
        Error::Challenge(ChallengeError::NoLexicalModel { .. }) => Some("; name the folder of one with --lexical".to_string()),
        _ => None,
    }
}

fn of_problem(problem: &GateProblem) -> Option<String> {
    match problem {
        GateProblem::NothingToCheck => Some(": --fail-under, --max-drop, or --baseline with --max-regression".to_string()),
        GateProblem::Unknown(unknown) => CATALOG.get(&unknown.name).map(|entry| match entry.needs.contains(&Need::LexicalModel) {
            true => format!("; `{}` needs a lexical model: name its folder with --lexical", entry.name),
            false => format!("; `{}` is not among the challenges of --challenge", entry.name),
        }),
        GateProblem::NoBaseline => Some("; name it with --baseline".to_string()),
        GateProblem::NoRegressions => Some(" with --max-regression".to_string()),
        GateProblem::OnlyInReport => Some("; name the folder with --report".to_string()),
        GateProblem::NotInBaseline { model, .. } => {
            Some(format!("; name a model with --model NAME=MODEL, or say which one `{model}` is compared with: --baseline-model NAME"))
        }
        _ => None,
    }
}

/// How to say what labels mean; the flag gives the order of numbers.
fn of_doubt(doubt: LabelDoubt, flag: &str) -> String {
    match doubt {
        LabelDoubt::TwoNumbers => format!(
            "; say what 0, 1, ... mean, in this order, such as {flag} entailment,not_entailment or {flag} entailment,neutral,contradiction"
        ),
        LabelDoubt::YesNo => {
            "; say so with --label-map no=contradiction or --label-map no=non-entailment (false=... for true and false)".to_string()
        }
    }
}

fn of_corpus(error: &CorpusError) -> Option<String> {
    let problem = match error {
        CorpusError::DuplicateId { .. } => return Some(", or pass --ids content".to_string()),
        CorpusError::DoubtfulLabels { doubt, .. } => return Some(of_doubt(*doubt, "--data-labels")),
        CorpusError::DoubtfulAnswers { doubt, .. } => return Some(of_doubt(*doubt, "--labels")),
        CorpusError::NoneLabelled { .. } => return Some("; --unlabelled keep writes them all the same".to_string()),
        CorpusError::NotHeld { .. } if error.to_string().contains("label") => {
            return Some("; --unlabelled drop leaves examples without a label out".to_string());
        }
        CorpusError::Row { problem, .. } => problem,
        _ => return None,
    };
    match problem {
        RowProblem::NoField { field, .. } => Some(format!("; name it with --column {field}=NAME")),
        RowProblem::UnknownFormat => Some("; name columns with --column premise=NAME".to_string()),
        RowProblem::WhichColumns { .. } => Some("; name those to take together with --columns, such as --columns ln_,sn_".to_string()),
        RowProblem::Label(_) => Some("; give it a meaning with --label-map WORD=LABEL".to_string()),
        RowProblem::OtherScore(_) => Some("; say the order of the list with --labels, or give the scores by name".to_string()),
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
        let error = Error::from(SpecError::new("checkpoint_minutes", "-1", "a number of at least 0"));
        assert_eq!(one_line(&error.into()), "--checkpoint-minutes: invalid value `-1`: expected a number of at least 0");
    }

    #[track_caller]
    fn check(field: &str, flag: &str) {
        let error = anyhow::Error::from(Error::from(SpecError::new(field, "x", "y")));
        assert_eq!(one_line(&error), format!("{flag}: invalid value `x`: expected y"));
    }

    #[test]
    fn every_field_has_its_flag() {
        check("data.labels", "--data-labels");
        check("data.columns", "--column");
        check("data.ids", "--ids");
        check("model.settings.labels", "--labels");
        check("model.settings.column", "--prediction-column");
        check("model.settings.batch", "--batch");
        check("model.settings.time_out_seconds", "--time-out");
        check("evaluation.scoring", "--scoring");
        check("run.settings.hans.per_subcase", "--set hans.per_subcase");
    }

    #[test]
    fn what_a_field_was_read_for_is_kept() {
        let error = Error::from(SpecError::new("data.labels", "E,E", "two or three different labels"));
        let error = Err::<(), _>(error).context("--exclude").unwrap_err();
        assert_eq!(one_line(&error), "--exclude: --data-labels: invalid value `E,E`: expected two or three different labels");
    }

    #[test]
    fn a_remedy_names_the_flag() {
        let line = |error: Error| one_line(&error.into());
        let untrained = line(Error::Untrained { model: "cbow".to_string() });
        assert!(
            untrained.ends_with("; train it with `acidtest train --model cbow --train FILE -o FOLDER` and name the folder"),
            "{untrained}"
        );
        let same = line(Error::SameName { name: "overlap".to_string() });
        assert!(same.ends_with("; name one of them, as in `other=overlap`"), "{same}");
        let folds = LexicalError::NoFolds { id: "1".to_string(), folder: "words".to_string() };
        assert!(line(folds.into()).ends_with("; train it with --set folds=5"));
        let slow = ModelError::TimedOut { command: "cat".to_string(), seconds: 1.0, unanswered: 2, stderr: Vec::new() };
        assert!(line(slow.into()).contains("--time-out SECONDS"));
    }

    #[test]
    fn causes_are_said_once_and_the_flag_last() {
        let problem = RowProblem::NoField { field: "premise", found: "a, b".to_string() };
        let error = CorpusError::Row { path: "x.csv".to_string(), line: 1, problem };
        let error = Err::<(), _>(Error::from(error)).context("--from").unwrap_err();
        assert_eq!(one_line(&error), "--from: x.csv:1: no premise (found a, b); name it with --column premise=NAME");
    }
}
