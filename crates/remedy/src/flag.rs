//! The flags of spec fields.

/// The flag for a field of a spec.
pub(super) fn flag(field: &str) -> String {
    let own = ["data.", "model.", "evaluation.", "report.", "run.", "train.", "gate.", "review."]
        .iter()
        .find_map(|spec| field.strip_prefix(spec));
    match field {
        "data.columns" => "--column".to_string(),
        "data.labels" => "--data-labels".to_string(),
        "data.bad_rows" => "--skip-bad-rows".to_string(),
        "model.settings.column" => "--prediction-column".to_string(),
        "model.settings.version" => "--model-version".to_string(),
        "model.settings.timeout_seconds" => "--timeout".to_string(),
        "evaluation.surplus" => "--subset".to_string(),
        "evaluation.pairing" => "--every-pair".to_string(),
        "evaluation.label_order" => "--no-doctor".to_string(),
        "evaluation.missing" => "--allow-missing".to_string(),
        "evaluation.arms" => "--arm".to_string(),
        "run.settings" | "challenge.settings" => "--set".to_string(),
        "gate.report_form" => "--single-file".to_string(),
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
