//! Lists of challenges, models and formats.

use crate::embedded::EMBEDDED;
use crate::trainable::{TRAINABLE, fine_tuning_settings, training_settings};
use crate::training::{PRESETS, Preset, PresetModels};
use acidtest_challenge::{CATALOG, CaseOutcome, ChallengeEntry, Need};
use acidtest_corpus::FORMATS;
use serde_json::Value;
use std::fmt::{Result, Write};

/// The width of the narrowest supported terminal.
const WIDTH: usize = 80;

/// The indentation of the details of an entry.
const DETAIL: &str = "      ";

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
        let pieces = heading(entries[0]).split(' ').map(str::to_string).chain([format!("({usage})")]);
        filled(text, "", pieces)?;
        text.push('\n');
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
    writeln!(text, "  {} ({})", entry.name, entry.family.name())?;
    paragraph(text, DETAIL, entry.summary)?;
    paragraph(text, DETAIL, entry.source)?;
    let made = entry.examples.iter().find_map(|case| match case.outcome {
        CaseOutcome::Made { premise, hypothesis, gold } if entry.reads_sentences() => Some((premise, hypothesis, gold)),
        _ => None,
    });
    let shown = entry.examples.iter().find_map(|case| case.differences().into_iter().next()).filter(|_| made.is_none());
    if let Some((premise, hypothesis, gold)) = made {
        paragraph(text, DETAIL, &format!("premise: {premise}"))?;
        paragraph(text, DETAIL, &format!("hypothesis: {hypothesis} ({})", gold.name()))?;
    }
    if let Some((_, before, after)) = shown {
        paragraph(text, DETAIL, &format!("- {before}"))?;
        paragraph(text, DETAIL, &format!("+ {after}"))?;
    }
    let value = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(values) if values.is_empty() => String::new(),
        other => other.to_string(),
    };
    let defaults = (entry.defaults)();
    let pairs: Vec<(String, String)> = defaults.as_object().into_iter().flatten().map(|(key, own)| (key.clone(), value(own))).collect();
    settings(text, &pairs)
}

/// Writes the models to test and to train, with their settings.
pub fn list_models(text: &mut String) -> Result {
    writeln!(text, "Models (acidtest run --model NAME)\n")?;
    for entry in &EMBEDDED {
        model(text, entry.name, entry.summary, entry.source)?;
        text.push('\n');
    }
    for entry in &acidtest_model::CATALOG {
        model(text, entry.name, entry.summary, entry.source)?;
        text.push('\n');
    }
    writeln!(text, "Models to train (acidtest train --model NAME --train FILE -o FOLDER)")?;
    writeln!(text, "with their settings (--set KEY=VALUE) and defaults")?;
    text.push('\n');
    for entry in TRAINABLE.iter() {
        model(text, entry.name, entry.summary, entry.source)?;
        settings(text, &entry.settings())?;
    }
    writeln!(text, "  Every network")?;
    settings(text, &training_settings())?;
    writeln!(text, "  Transformers (acidtest train --model FOLDER --train FILE -o FOLDER)")?;
    paragraph(text, DETAIL, "fine-tunes a folder in the Hugging Face format; unset means as the folder says")?;
    settings(text, &fine_tuning_settings())?;
    for preset in &PRESETS {
        let Preset { name, summary, source, .. } = preset;
        writeln!(text, "  --preset {name}")?;
        paragraph(text, DETAIL, summary)?;
        paragraph(text, DETAIL, source)?;
        for (models, recipe) in preset.recipes {
            let models = match models {
                PresetModels::Transformers => "transformers",
                PresetModels::Named(name) => name,
            };
            paragraph(text, DETAIL, &format!("{models}: {}", recipe.join(", ")))?;
        }
        text.push('\n');
    }
    writeln!(text, "  Regressions over words")?;
    paragraph(
        text,
        DETAIL,
        "epochs=0 trains until convergence; with penalty=unset, the penalty with the best dev accuracy is used, or 4 without --dev",
    )?;
    text.push('\n');
    Ok(())
}

fn model(text: &mut String, name: &str, summary: &str, source: &str) -> Result {
    writeln!(text, "  {name}")?;
    paragraph(text, DETAIL, summary)?;
    paragraph(text, DETAIL, source)
}

/// Writes keys and defaults, several per line, followed by an empty line.
fn settings(text: &mut String, settings: &[(String, String)]) -> Result {
    let pairs: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let last = pairs.len().saturating_sub(1);
    let pieces = pairs.iter().enumerate().map(|(at, pair)| if at < last { format!("{pair},") } else { pair.clone() });
    filled(text, DETAIL, pieces)?;
    text.push('\n');
    Ok(())
}

/// Writes words in lines of at most 80 columns.
fn paragraph(text: &mut String, indent: &str, words: &str) -> Result {
    filled(text, indent, words.split(' ').map(str::to_string))
}

/// Writes pieces that are not broken, separated by blanks or line ends.
fn filled(text: &mut String, indent: &str, pieces: impl Iterator<Item = String>) -> Result {
    let mut line = String::new();
    for piece in pieces {
        if !line.is_empty() && indent.len() + line.chars().count() + 1 + piece.chars().count() > WIDTH {
            writeln!(text, "{indent}{}", std::mem::take(&mut line))?;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&piece);
    }
    writeln!(text, "{indent}{line}")
}

/// Writes the formats.
pub fn list_formats(text: &mut String) -> Result {
    writeln!(text, "Formats to write (--to FORMAT); formats of inputs are recognised by content\n")?;
    for format in &FORMATS {
        let mut summary = String::new();
        paragraph(&mut summary, &" ".repeat(17), format.summary())?;
        writeln!(text, "  {:<14} {}", format.name(), summary.trim())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_fit_a_terminal_of_80_columns() {
        let mut text = String::new();
        list_challenges(&mut text).unwrap();
        list_models(&mut text).unwrap();
        list_formats(&mut text).unwrap();
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDTH).collect();
        assert!(wide.is_empty(), "{wide:#?}");
    }
}
