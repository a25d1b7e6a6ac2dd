//! Translates errors of the libraries, which know no flags, into advice for the command line.

mod flag;
pub mod renamed;

use acidtest_challenge::hans::{GrammarError, GrammarProblem};
use acidtest_challenge::{CATALOG, ChallengeError, Need};
use acidtest_corpus::{CorpusError, FORMATS, RowProblem};
use acidtest_evaluate::JoinError;
use acidtest_experiment::spec::SpecError;
use acidtest_experiment::training::TrainingError;
use acidtest_experiment::{Error, GateProblem, IdsNeeded, JudgeError, ReviewProblem};
use acidtest_model::{LexicalError, ModelError};
use acidtest_nli::{LabelDoubt, SettingsError, UnknownName};
use acidtest_transformers::TransformerError;
use flag::flag;
use renamed::NameKind;

/// The error and its causes in one line without repetitions, with the flag that helps. The standard error of a process model follows
/// unchanged.
pub fn one_line(error: &anyhow::Error) -> String {
    if let Some(Error::ForNetworks { field, model }) = error.chain().find_map(|cause| cause.downcast_ref::<Error>()) {
        return format!("{}: applies to networks, and `{model}` is not one; leave it out", flag(field));
    }
    if let Some(no_order @ Error::NoWordOrder { field }) = error.chain().find_map(|cause| cause.downcast_ref::<Error>()) {
        return no_order.to_string().replacen(field, &flag(field), 1);
    }
    let spec = error.chain().find_map(|cause| cause.downcast_ref::<SpecError>());
    let gate = error.chain().find_map(|cause| match cause.downcast_ref::<Error>() {
        Some(Error::Gate { field, .. }) => Some(*field),
        _ => None,
    });
    let unused = error.chain().find_map(|cause| match cause.downcast_ref::<Error>() {
        Some(Error::UnusedSetting { setting }) => Some(setting.as_str()),
        _ => None,
    });
    let mut line = String::new();
    let stderr = error.chain().find_map(|cause| cause.downcast_ref::<ModelError>()).and_then(ModelError::stderr);
    for cause in error.chain() {
        let mut cause = cause.to_string();
        if stderr.is_some() {
            cause.truncate(cause.find('\n').unwrap_or(cause.len()));
            cause = cause.replace("`batch_size`", "--batch-size").replace("`timeout_seconds`", "--timeout");
        }
        cause = cause.replace('\n', " ");
        if let Some(spec) = spec {
            cause = cause.replace(&spec.to_string(), &with_flag(spec));
        }
        if let Some(field) = unused {
            cause = cause.replacen(field, &flag(field), 1);
        }
        if let Some(field) = gate {
            cause = cause.replacen(&format!("{field}: "), &of_gate(field), 1);
        }
        if !line.contains(&cause) {
            line = if line.is_empty() { cause } else { format!("{line}: {cause}") };
        }
    }
    line += &remedy(error).unwrap_or_default();
    match stderr {
        Some(lines) if !lines.is_empty() => format!("{line}\n{}", lines.join("\n")),
        _ => line,
    }
}

/// An invalid field, by its flag.
fn with_flag(spec: &SpecError) -> String {
    format!("{}: invalid value `{}`: expected {}", flag(&spec.field), spec.value, spec.expected)
}

/// The beginning of a message about a gate: its flag, or nothing if it concerns the gate as a whole.
fn of_gate(field: &str) -> String {
    if field == "gate" { String::new() } else { format!("{}: ", flag(field)) }
}

/// The advice to append: the flag that helps.
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
    let unknown = match (cause.downcast_ref::<UnknownName>(), cause.downcast_ref::<SettingsError>()) {
        (Some(UnknownName { kind: "setting", name, .. }), _) => renamed::new_name(NameKind::Setting, name),
        (_, Some(SettingsError::Unknown { key, .. })) => renamed::new_name(NameKind::Setting, key),
        _ => cause
            .downcast_ref::<SpecError>()
            .and_then(|spec| renamed::new_name(NameKind::Setting, spec.field.strip_prefix("model.settings.")?)),
    };
    if let Some(new) = unknown {
        return Some(format!("; it is now called `{new}`"));
    }
    match cause.downcast_ref::<JudgeError>() {
        Some(JudgeError::Join(JoinError::OtherColumn { column, .. })) => Some(format!("; pass --column id={column}")),
        Some(JudgeError::Join(JoinError::Missing { .. })) => Some("; pass --allow-missing to count them as wrong".to_string()),
        Some(JudgeError::Join(JoinError::Surplus { .. })) => Some(" If not, pass --subset to ignore them".to_string()),
        _ => None,
    }
}

fn of_line(error: &Error) -> Option<String> {
    match error {
        Error::Gate { problem, .. } => of_problem(problem),
        Error::NoIds { needed: IdsNeeded::SeveralSets, .. } => Some("; pass --challenge none to score the data alone".to_string()),
        Error::Transformer(TransformerError::NamelessLabels { .. }) => {
            Some("; pass the order with --labels, and let `acidtest doctor` check whether it fits".to_string())
        }
        Error::Transformer(TransformerError::OtherLabels { .. }) => Some("; pass the meaning of the outputs with --labels".to_string()),
        Error::NoFormat(_) => Some(format!("; or pass the format with --to: {}", FORMATS.names().join(", "))),
        Error::UsedFolder { .. } => Some(", or pass --force to replace the parts in it".to_string()),
        Error::Review { problem: ReviewProblem::UsedFolder, .. } => Some(", or pass --force to replace an untouched review".to_string()),
        Error::NoSuchTag { .. } => Some("; --by takes a tag or another column of the data".to_string()),
        Error::NothingToScore { .. } => Some("; pass --column label=NAME to name the column".to_string()),
        Error::NoCorpus { .. } => Some("; pass corpora with --from".to_string()),
        Error::Untrained { model } => {
            Some(format!("; train it with `acidtest train --model {model} --train FILE -o FOLDER` and pass the folder"))
        }
        Error::ModelFolder { .. } => Some("; pass it with --model".to_string()),
        Error::DataAsPredictions { .. } => Some("; pass --prediction-column NAME to score one of its columns anyway".to_string()),
        Error::SameName { name } => Some(format!("; rename one of them, as in `other={name}`")),
        Error::Challenge(ChallengeError::Grammar(GrammarError {
            problem: GrammarProblem::RareClass { .. } | GrammarProblem::RareSubcase { .. },
            ..
        })) => Some("; lower --frame-threshold, or leave subcases out with --set withhold=NAME".to_string()),
        Error::Training(TrainingError::Challenge(ChallengeError::NoTree { name, .. })) => {
            Some(format!("; pass --augment {name}=N,analysis=parse to use Acidtest's own parser"))
        }
        Error::Challenge(ChallengeError::NoTree { name, .. }) => {
            Some(format!("; pass --set analysis=parse to use Acidtest's own parser (with several challenges, --set {name}.analysis=parse)"))
        }
        Error::Challenge(ChallengeError::NoLexicalModel { .. }) => Some("; pass the folder of one with --lexical".to_string()),
        _ => None,
    }
}

fn of_problem(problem: &GateProblem) -> Option<String> {
    match problem {
        GateProblem::NothingToCheck => Some(": --fail-under, --max-drop, or --baseline with --max-regression".to_string()),
        GateProblem::Unknown(unknown) => CATALOG.get(&unknown.name).map(|entry| match entry.needs.contains(&Need::LexicalModel) {
            true => format!("; `{}` needs a lexical model: pass its folder with --lexical", entry.name),
            false => format!("; `{}` is not among the challenges of --challenge", entry.name),
        }),
        GateProblem::MixedGold { .. } => Some(", such as --scoring merged-answers".to_string()),
        GateProblem::OtherData { .. } => {
            Some("; if the data were changed on purpose, write a new baseline with --write-baseline from the released model".to_string())
        }
        GateProblem::NoBaseline => Some("; pass it with --baseline".to_string()),
        GateProblem::NoRegressions => Some(" with --max-regression".to_string()),
        GateProblem::OnlyInReport => Some("; pass the folder with --report".to_string()),
        GateProblem::NotInBaseline { model, .. } => Some(format!(
            "; name the model with --model NAME=MODEL, or pass --baseline-model NAME to say which model `{model}` is compared with"
        )),
        _ => None,
    }
}

/// How to state the meaning of labels; `flag` is the one for the order of numbers.
fn of_doubt(doubt: LabelDoubt, flag: &str) -> String {
    match doubt {
        LabelDoubt::WordsAndNumbers if flag == "--data-labels" => {
            "; say what each number means with --label-map 0=LABEL,1=LABEL".to_string()
        }
        LabelDoubt::WordsAndNumbers => format!("; say what each number means with {flag} or --label-map 0=LABEL,1=LABEL"),
        LabelDoubt::NoZero => {
            format!("; say what each means, such as --label-map 1=entailment,2=neutral, or pass {flag} entailment,neutral,contradiction")
        }
        LabelDoubt::TwoNumbers => format!(
            "; pass the labels that 0, 1, ... stand for, in this order, such as {flag} entailment,not_entailment or {flag} entailment,neutral,contradiction"
        ),
        LabelDoubt::YesNo => {
            "; pass --label-map no=contradiction or --label-map no=non-entailment (false=... for true and false)".to_string()
        }
    }
}

fn of_corpus(error: &CorpusError) -> Option<String> {
    let problem = match error {
        CorpusError::DuplicateId { .. } => return Some(", or pass --ids content".to_string()),
        CorpusError::UnusedOrder { .. } => return Some("; leave --data-labels out, or map words with --label-map".to_string()),
        CorpusError::DoubtfulLabels { doubt, .. } => return Some(of_doubt(*doubt, "--data-labels")),
        CorpusError::DoubtfulAnswers { doubt, .. } => return Some(of_doubt(*doubt, "--labels")),
        CorpusError::NoneLabelled { .. } => return Some("; pass --unlabelled keep to write them anyway".to_string()),
        CorpusError::NotHeld { reason, .. } if reason.starts_with("it has no label") => {
            return Some("; pass --unlabelled drop to leave out examples without a label".to_string());
        }
        CorpusError::Row { problem, .. } => problem,
        _ => return None,
    };
    match problem {
        RowProblem::NoField { field, .. } => Some(format!("; pass --column {field}=NAME to name the column")),
        RowProblem::UnknownFormat => Some("; pass --column premise=NAME and so on to name the columns".to_string()),
        RowProblem::WhichColumns { .. } => Some("; pass those to analyse together with --columns, such as --columns ln_,sn_".to_string()),
        RowProblem::Label(_) => Some("; pass --label-map WORD=LABEL to say what it means".to_string()),
        RowProblem::OtherScore(_) => Some("; pass the order of the list with --labels, or write scores by name".to_string()),
        RowProblem::ScoreOrder => Some("; pass their order with --labels, such as --labels C,E,N".to_string()),
        RowProblem::OtherNamedScore(_) => {
            Some("; if it is the gold label, pass --prediction-column NAME to name the predictions".to_string())
        }
        RowProblem::GoldOrPrediction { .. } => Some("; pass --prediction-column NAME to name the predictions".to_string()),
        RowProblem::NoAnswers { .. } | RowProblem::SeveralPredictions { .. } => {
            Some("; pass FILE@COLUMN or --prediction-column COLUMN to name it".to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn a_field_of_a_spec_is_named_by_its_flag() {
        let error = Error::from(SpecError::new("checkpoint_minutes", "-1", "a number of at least 0"));
        assert_eq!(one_line(&error.into()), "--checkpoint-minutes: invalid value `-1`: expected a number of at least 0");
    }

    #[track_caller]
    fn check(field: &str, flag: &str, remedy: &str) {
        let error = anyhow::Error::from(Error::from(SpecError::new(field, "x", "y")));
        assert_eq!(one_line(&error), format!("{flag}: invalid value `x`: expected y{remedy}"));
    }

    #[test]
    fn every_field_has_its_flag() {
        check("data.labels", "--data-labels", "");
        check("data.columns", "--column", "");
        check("data.ids", "--ids", "");
        check("model.settings.labels", "--labels", "");
        check("model.settings.column", "--prediction-column", "");
        check("model.settings.batch_size", "--batch-size", "");
        check("model.settings.timeout_seconds", "--timeout", "");
        check("data.limit", "--limit", "");
        check("evaluation.scoring", "--scoring", "");
        check("run.settings.hans.per_subcase", "--set hans.per_subcase", "");
    }

    #[test]
    fn the_purpose_of_a_field_is_kept() {
        let error = Error::from(SpecError::new("data.labels", "E,E", "two or three different labels"));
        let error = Err::<(), _>(error).context("--exclude").unwrap_err();
        assert_eq!(one_line(&error), "--exclude: --data-labels: invalid value `E,E`: expected two or three different labels");
    }

    #[test]
    fn a_remedy_names_the_flag() {
        let line = |error: Error| one_line(&error.into());
        let untrained = line(Error::Untrained { model: "cbow".to_string() });
        assert!(
            untrained.ends_with("; train it with `acidtest train --model cbow --train FILE -o FOLDER` and pass the folder"),
            "{untrained}"
        );
        let same = line(Error::SameName { name: "overlap".to_string() });
        assert!(same.ends_with("; rename one of them, as in `other=overlap`"), "{same}");
        let tree = || ChallengeError::NoTree { name: "subject-object-swap", id: "7".to_string() };
        assert_eq!(
            line(tree().into()),
            "challenge `subject-object-swap` needs a Penn-style parse of every sentence, and example `7` has none; pass --set analysis=parse to use Acidtest's own parser (with several challenges, --set subject-object-swap.analysis=parse)"
        );
        let augmented = line(TrainingError::from(tree()).into());
        assert!(augmented.ends_with("; pass --augment subject-object-swap=N,analysis=parse to use Acidtest's own parser"), "{augmented}");
        let folds = LexicalError::NoFolds { id: "1".to_string(), folder: "words".to_string() };
        assert!(line(folds.into()).ends_with("; train it with --set folds=5"));
    }

    #[test]
    fn a_traceback_is_shown_unchanged() {
        let stderr = ["Traceback (most recent call last):", "  File \"m.py\", line 1", "OSError: no weights"].map(str::to_string).to_vec();
        let slow = ModelError::TimedOut { command: "cat".to_string(), seconds: 1.0, unanswered: 2, stderr };
        let text = one_line(&Error::from(slow).into());
        let (line, traceback) = text.split_once('\n').unwrap();
        assert!(line.contains("--timeout") && line.contains("--batch-size") && !line.contains("Traceback"), "{line}");
        assert_eq!(traceback, "Traceback (most recent call last):\n  File \"m.py\", line 1\nOSError: no weights");
    }

    #[test]
    fn a_renamed_setting_is_answered_with_its_new_name() {
        let unknown = UnknownName::among("setting", ["epochs", "batch_size"], "batch");
        assert!(one_line(&Error::from(unknown).into()).ends_with("; it is now called `batch_size`"));
        check("model.settings.time_out_seconds", "--time-out-seconds", "; it is now called `timeout_seconds`");
    }

    #[test]
    fn causes_are_listed_once_and_the_flag_last() {
        let problem = RowProblem::NoField { field: "premise", found: "a, b".to_string() };
        let error = CorpusError::Row { path: "x.csv".to_string(), line: 1, problem };
        let error = Err::<(), _>(Error::from(error)).context("--from").unwrap_err();
        assert_eq!(one_line(&error), "--from: x.csv:1: no premise (found a, b); pass --column premise=NAME to name the column");
    }
}
