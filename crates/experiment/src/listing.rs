//! Lists of challenges, models and formats.

use crate::embedded::EMBEDDED;
use crate::trainable::{TRAINABLE, training_settings};
use acidtest_challenge::{CATALOG, CaseOutcome, ChallengeEntry, Need};
use acidtest_corpus::FORMATS;
use serde_json::Value;
use std::fmt::{Result, Write};

/// Writes the challenges, grouped by how they are built.
pub fn list_challenges(text: &mut String) -> Result {
    let mut groups: Vec<(String, Vec<&ChallengeEntry>)> = Vec::new();
    for entry in &CATALOG {
        let usage = usage(entry);
        match groups.iter_mut().find(|(known, _)| *known == usage) {
            Some((_, entries)) => entries.push(entry),
            None => groups.push((usage, vec![entry])),
        }
    }
    for (usage, entries) in groups {
        writeln!(text, "{} ({usage})\n", heading(entries[0]))?;
        entries.into_iter().try_for_each(|entry| challenge(text, entry))?;
    }
    Ok(())
}

/// The command that builds a set of the challenge.
fn usage(entry: &ChallengeEntry) -> String {
    let lexical = if entry.needs.contains(&Need::LexicalModel) { " --lexical FOLDER" } else { "" };
    let from = if entry.reads_corpus() { " --from FILE" } else { "" };
    format!("acidtest challenge NAME{lexical}{from} -o OUT")
}

fn heading(entry: &ChallengeEntry) -> &'static str {
    match (entry.reads_corpus(), entry.needs.contains(&Need::LexicalModel)) {
        (true, false) => "Challenges made from a corpus",
        (true, true) => "Challenges made from a corpus with a lexical model",
        (false, false) => "Challenges that are generated",
        (false, true) => "Challenges that are generated with a lexical model",
    }
}

fn challenge(text: &mut String, entry: &ChallengeEntry) -> Result {
    writeln!(text, "  {} ({})\n      {}\n      {}", entry.name, entry.family.name(), entry.summary, entry.source)?;
    let made = entry.examples.iter().find_map(|case| match case.outcome {
        CaseOutcome::Made { premise, hypothesis, gold } if entry.reads_sentences() => Some((premise, hypothesis, gold)),
        _ => None,
    });
    let shown = entry.examples.iter().find_map(|case| case.differences().into_iter().next()).filter(|_| made.is_none());
    if let Some((premise, hypothesis, gold)) = made {
        writeln!(text, "      premise: {premise}\n      hypothesis: {hypothesis} ({})", gold.name())?;
    }
    if let Some((_, before, after)) = shown {
        writeln!(text, "      - {before}\n      + {after}")?;
    }
    let value = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(values) if values.is_empty() => String::new(),
        other => other.to_string(),
    };
    let defaults = (entry.defaults)();
    let pairs: Vec<(String, String)> = defaults.as_object().into_iter().flatten().map(|(key, own)| (key.clone(), value(own))).collect();
    writeln!(text, "      {}\n", settings(&pairs))?;
    Ok(())
}

/// Writes the models to test and to train, with their settings.
pub fn list_models(text: &mut String) -> Result {
    writeln!(text, "Models (acidtest run --model NAME)\n")?;
    for entry in &EMBEDDED {
        writeln!(text, "  {}\n      {}\n      {}\n", entry.name, entry.summary, entry.source)?;
    }
    for entry in &acidtest_model::CATALOG {
        writeln!(text, "  {}\n      {}\n      {}\n", entry.name, entry.summary, entry.source)?;
    }
    writeln!(
        text,
        "Models to train (acidtest train --model NAME --train FILE -o FOLDER), with their settings (--set KEY=VALUE) and defaults\n"
    )?;
    for entry in TRAINABLE.iter() {
        writeln!(text, "  {}\n      {}\n      {}", entry.name, entry.summary, entry.source)?;
        writeln!(text, "      {}\n", settings(&entry.settings()))?;
    }
    writeln!(text, "  Every network\n      {}\n", settings(&training_settings()))?;
    Ok(())
}

/// Keys and defaults, several per line.
fn settings(settings: &[(String, String)]) -> String {
    let line = |settings: &[(String, String)]| settings.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ");
    settings.chunks(6).map(line).collect::<Vec<_>>().join(",\n      ")
}

/// Writes the formats.
pub fn list_formats(text: &mut String) -> Result {
    writeln!(text, "Formats to write (--to FORMAT); formats of inputs are recognised by content\n")?;
    for format in &FORMATS {
        writeln!(text, "  {:<14} {}", format.name(), format.summary())?;
    }
    Ok(())
}
