//! All commands and flags as a page of Markdown.

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use std::fmt::Write;

/// The page, from a command on which `Command::build` was called.
pub fn page(program: &Command) -> String {
    let mut page = String::from("# Commands\n\nGenerated from the program's help; `acidtest VERB --help` prints the same text.\n");
    if let Some(notes) = program.get_after_help() {
        let _ = write!(page, "\n{}\n", escaped(&notes.to_string()));
    }
    for verb in listed(program) {
        describe(&mut page, verb, "acidtest");
    }
    page
}

/// The verbs of a command that are not hidden, in order.
fn listed(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
}

fn describe(page: &mut String, verb: &Command, before: &str) {
    let name = format!("{before} {}", verb.get_name());
    let about = verb.get_long_about().or(verb.get_about()).map(ToString::to_string).unwrap_or_default();
    let _ = write!(page, "\n## {name}\n\n{}\n", escaped(about.trim()));
    // Some verbs only group others; `challenge` has options of its own as well.
    if !verb.has_subcommands() || shown(verb).next().is_some() {
        describe_options(page, verb);
    }
    listed(verb).for_each(|inner| describe(page, inner, &name));
}

/// Usage, options and examples of one verb.
fn describe_options(page: &mut String, verb: &Command) {
    let usage = verb.clone().render_usage().to_string();
    let _ = write!(page, "\n```text\n{}\n```\n", usage.trim_start_matches("Usage: ").trim());
    for heading in headings(verb) {
        let _ = write!(page, "\n| {} | |\n|---|---|\n", heading.unwrap_or("Options"));
        for argument in shown(verb).filter(|argument| argument.get_help_heading() == heading) {
            let _ = writeln!(page, "| {} | {} |", named(argument), meaning(argument));
        }
    }
    if let Some(examples) = verb.get_after_long_help().or(verb.get_after_help()) {
        let _ = write!(page, "\n```text\n{}\n```\n", examples.to_string().trim());
    }
}

/// The arguments that are described, without those that every verb has.
fn shown(verb: &Command) -> impl Iterator<Item = &Arg> {
    verb.get_arguments().filter(|argument| !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str()))
}

/// The headings of the help, in order; `None` stands for arguments without a heading.
fn headings(verb: &Command) -> Vec<Option<&str>> {
    let mut headings = Vec::new();
    for argument in shown(verb) {
        let heading = argument.get_help_heading();
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    headings
}

fn named(argument: &Arg) -> String {
    let short = argument.get_short().map(|letter| format!("-{letter}"));
    let long = argument.get_long().map(|name| format!("--{name}"));
    let takes_value = argument.is_positional() || argument.get_action().takes_values();
    let values: Vec<&str> = argument.get_value_names().into_iter().flatten().map(|name| name.as_str()).collect();
    let value = if takes_value && !values.is_empty() { Some(values.join(" ")) } else { None };
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    let words = [flags.join(", "), value.unwrap_or_default()];
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    format!("`{}`", words.join(" ").replace('|', "\\|"))
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    // The first line of a help text has no full stop, and the rest is a separate paragraph.
    let paragraphs = help.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut text = escaped(&paragraphs.collect::<Vec<_>>().join(". "));
    let possible = argument.get_possible_values();
    let names: Vec<String> = possible.iter().filter(|value| !value.is_hide_set()).map(named_value).collect();
    if argument.get_action().takes_values() && !names.is_empty() {
        let _ = write!(text, "; one of {}", names.join(", "));
    }
    let defaults: Vec<&str> = argument.get_default_values().iter().filter_map(|value| value.to_str()).collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(text, " (default: `{}`)", defaults.join(" "));
    }
    text
}

/// A possible value with its meaning, if it is explained.
fn named_value(value: &PossibleValue) -> String {
    let mut help = value.get_help().map(ToString::to_string).unwrap_or_default().replace("\n", " ");
    // Names such as JSON keep their capitals.
    let is_name = help.split(' ').next().is_some_and(|word| word.chars().skip(1).any(char::is_uppercase));
    if let Some(first) = help.get_mut(..1).filter(|_| !is_name) {
        first.make_ascii_lowercase();
    }
    let meaning = if help.is_empty() { help } else { format!(" ({})", escaped(&help)) };
    format!("`{}`{meaning}", value.get_name())
}

/// Help text for Markdown, with bars and angle brackets escaped.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
