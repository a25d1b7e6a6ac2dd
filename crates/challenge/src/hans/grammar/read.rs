//! Reads a grammar file line by line: entries begin at the margin, their content is indented.

use super::tree::read_tree;
use super::{Class, ClassWords, Grammar, GrammarError, GrammarProblem, Line, Phrase, Pivot, Quirk, SubcaseEntry, TemplateEntry, When};
use acidtest_nli::LabelNames;

pub(super) fn read(text: &str, path: &str) -> Result<Grammar, GrammarError> {
    let grammar = Grammar { path: path.to_string(), quirks: Vec::new(), classes: Vec::new(), phrases: Vec::new(), subcases: Vec::new() };
    let mut reader = Reader { grammar, open: Open::Nothing };
    let mut last = 1;
    for (n, line) in text.lines().enumerate() {
        last = n + 1;
        let read = if line.trim().is_empty() || line.trim_start().starts_with('#') {
            Ok(())
        } else if line.starts_with(char::is_whitespace) {
            reader.indented(line, n + 1)
        } else {
            reader.entry(line.trim_end(), n + 1)
        };
        read.map_err(|problem| reader.grammar.error(n + 1, problem))?;
    }
    if reader.grammar.subcases.iter().all(|subcase| subcase.templates.is_empty()) {
        return Err(reader.grammar.error(last, GrammarProblem::Empty("the grammar".into())));
    }
    Ok(reader.grammar)
}

struct Reader {
    grammar: Grammar,
    open: Open,
}

/// The entry that the following indented lines belong to.
enum Open {
    Nothing,
    Class,
    Phrase,
    Template,
}

impl Reader {
    fn entry(&mut self, line: &str, number: usize) -> Result<(), GrammarProblem> {
        let (kind, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match kind {
            "quirk" => self.quirk(rest),
            "class" => self.class(rest, number),
            "phrase" => self.phrase(rest, number),
            "subcase" => self.subcase(rest, number),
            "template" => self.template(rest, number),
            other => Err(GrammarProblem::UnknownEntry(other.to_string())),
        }
    }

    fn quirk(&mut self, rest: &str) -> Result<(), GrammarProblem> {
        let (name, summary) = rest.split_once(':').ok_or(GrammarProblem::Form { form: "quirk NAME: what is different" })?;
        self.open = Open::Nothing;
        if self.grammar.quirks.iter().any(|quirk| quirk.name == name) {
            return Err(GrammarProblem::Twice(name.to_string()));
        }
        self.grammar.quirks.push(Quirk { name: name.to_string(), summary: summary.trim().to_string() });
        Ok(())
    }

    fn class(&mut self, rest: &str, line: usize) -> Result<(), GrammarProblem> {
        let form = GrammarProblem::Form { form: "class NAME [TAG] [forms of CLASS], or class NAME = CLASS + CLASS" };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (name, words) = match words.as_slice() {
            [name, "=", ..] => {
                let parts = rest.split_once('=').map_or("", |(_, parts)| parts);
                self.open = Open::Nothing;
                (name, ClassWords::Union(parts.split('+').map(|part| part.trim().to_string()).collect()))
            }
            [name] => (name, listed(None, None)),
            [name, "forms", "of", base] => (name, listed(None, Some(base))),
            [name, tag] => (name, listed(Some(tag), None)),
            [name, tag, "forms", "of", base] => (name, listed(Some(tag), Some(base))),
            _ => return Err(form),
        };
        if matches!(words, ClassWords::Listed { .. }) {
            self.open = Open::Class;
        }
        self.new_name(name)?;
        self.grammar.classes.push(Class { name: name.to_string(), line, words });
        Ok(())
    }

    fn phrase(&mut self, name: &str, line: usize) -> Result<(), GrammarProblem> {
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(GrammarProblem::Form { form: "phrase NAME" });
        }
        self.new_name(name)?;
        self.open = Open::Phrase;
        self.grammar.phrases.push(Phrase { name: name.to_string(), line, alternatives: Vec::new() });
        Ok(())
    }

    /// Classes and phrases share a namespace, since slots refer to either.
    fn new_name(&self, name: &str) -> Result<(), GrammarProblem> {
        let classes = self.grammar.classes.iter().map(|class| &class.name);
        let taken = classes.chain(self.grammar.phrases.iter().map(|phrase| &phrase.name)).any(|other| other == name);
        if taken { Err(GrammarProblem::Twice(name.to_string())) } else { Ok(()) }
    }

    fn subcase(&mut self, rest: &str, line: usize) -> Result<(), GrammarProblem> {
        let form = || GrammarProblem::Form { form: "subcase NAME: HEURISTIC, LABEL" };
        let (name, rest) = rest.split_once(':').ok_or_else(form)?;
        let (heuristic, label) = rest.split_once(',').ok_or_else(form)?;
        let (name, heuristic) = (name.trim().to_string(), heuristic.trim().to_string());
        let one_word = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        if !one_word(&name) || !one_word(&heuristic) {
            return Err(form());
        }
        if self.grammar.subcases.iter().any(|subcase| subcase.name == name) {
            return Err(GrammarProblem::Twice(name));
        }
        let gold = LabelNames::default().judgment(label)?;
        self.open = Open::Nothing;
        self.grammar.subcases.push(SubcaseEntry { name, heuristic, gold, line, templates: Vec::new() });
        Ok(())
    }

    fn template(&mut self, rest: &str, line: usize) -> Result<(), GrammarProblem> {
        let form = || GrammarProblem::Form { form: "template ID weight W [variant NAME] [pivot $slot or \"words\"]" };
        let mut words = rest.split_whitespace();
        let id = words.next().ok_or_else(form)?.to_string();
        if words.next() != Some("weight") {
            return Err(form());
        }
        let weight = weight(words.next().ok_or_else(form)?)?;
        let (mut variant, mut pivot) = (None, None);
        while let Some(key) = words.next() {
            match key {
                "variant" => variant = Some(words.next().ok_or_else(form)?.to_string()),
                "pivot" => {
                    let value = rest.split_once("pivot").map_or("", |(_, value)| value.trim());
                    pivot = Some(match (value.strip_prefix('$'), value.strip_prefix('"').and_then(|words| words.strip_suffix('"'))) {
                        (Some(slot), _) => Pivot::Slot(slot.to_string()),
                        (_, Some(words)) => Pivot::Words(words.to_string()),
                        _ => return Err(form()),
                    });
                    break;
                }
                _ => return Err(form()),
            }
        }
        let elsewhere = self.grammar.subcases.iter().rev().skip(1).flat_map(|subcase| &subcase.templates).any(|other| other.id == id);
        if elsewhere {
            return Err(GrammarProblem::SharedId(id));
        }
        let subcase = self
            .grammar
            .subcases
            .last_mut()
            .ok_or(GrammarProblem::Form { form: "subcase NAME: HEURISTIC, LABEL` before the first `template" })?;
        subcase.templates.push(TemplateEntry { id, line, weight, variant, pivot, premises: Vec::new(), hypotheses: Vec::new() });
        self.open = Open::Template;
        Ok(())
    }

    fn indented(&mut self, line: &str, number: usize) -> Result<(), GrammarProblem> {
        let (content, when) = self.when(line)?;
        let column = content.chars().count() - content.trim_start().chars().count();
        let content = content.trim();
        match self.open {
            Open::Nothing => return Err(GrammarProblem::Stray),
            Open::Class => {
                let Some(Class { words: ClassWords::Listed { words, .. }, .. }) = self.grammar.classes.last_mut() else {
                    return Err(GrammarProblem::Stray);
                };
                words.extend(class_words(content, column)?.into_iter().map(|content| Line { number, when: when.clone(), content }));
            }
            Open::Phrase => {
                let (number_text, tree) = content.split_once(char::is_whitespace).ok_or(GrammarProblem::Form { form: "WEIGHT (TREE)" })?;
                let tree = read_tree(tree, column + number_text.chars().count() + 2)?;
                let alternative = Line { number, when, content: (weight(number_text)?, tree) };
                let phrase = self.grammar.phrases.last_mut().ok_or(GrammarProblem::Stray)?;
                phrase.alternatives.push(alternative);
            }
            Open::Template => {
                let (side, tree) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
                let tree = |side: &str| read_tree(tree, column + side.len() + 2).map(|content| Line { number, when, content });
                let template =
                    self.grammar.subcases.last_mut().and_then(|subcase| subcase.templates.last_mut()).ok_or(GrammarProblem::Stray)?;
                match side {
                    "premise" => template.premises.push(tree(side)?),
                    "hypothesis" => template.hypotheses.push(tree(side)?),
                    _ => return Err(GrammarProblem::Form { form: "premise (TREE)` or `hypothesis (TREE)" }),
                }
            }
        }
        Ok(())
    }

    /// Splits `[quirk]` or `[not quirk]` from the end of a line.
    fn when<'a>(&self, line: &'a str) -> Result<(&'a str, When), GrammarProblem> {
        let line = line.trim_end();
        let Some((content, mark)) = line.strip_suffix(']').and_then(|line| line.rsplit_once('[')) else { return Ok((line, When::Always)) };
        let (name, when): (&str, fn(String) -> When) = match mark.strip_prefix("not ") {
            Some(name) => (name, When::Without),
            None => (mark, When::With),
        };
        let names = self.grammar.quirks.iter().map(|quirk| quirk.name.as_str());
        if !names.clone().any(|known| known == name) {
            return Err(unknown("quirk", name, names));
        }
        Ok((content, when(name.to_string())))
    }
}

/// The error for an unknown name, with the most similar known one.
pub(in crate::hans) fn unknown<'a>(kind: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> GrammarProblem {
    GrammarProblem::Unknown { kind, name: name.to_string(), nearest: nearest(name, known) }
}

/// The most similar known name, if any is close.
pub(in crate::hans) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    struct Known<'a>(&'a str);
    impl acidtest_nli::Named for Known<'_> {
        fn name(&self) -> &str {
            self.0
        }
    }
    let known: Vec<Known> = known.map(Known).collect();
    acidtest_nli::find("name", &known, name).err().and_then(|error| error.nearest)
}

fn listed(tag: Option<&str>, forms_of: Option<&str>) -> ClassWords {
    ClassWords::Listed { tag: tag.map(str::to_string), forms_of: forms_of.map(str::to_string), words: Vec::new() }
}

fn weight(text: &str) -> Result<f64, GrammarProblem> {
    let number = |text: &str| text.parse::<f64>().ok();
    let value = match text.split_once('/') {
        Some((above, below)) => number(above).zip(number(below)).map(|(above, below)| above / below),
        None => number(text),
    };
    value.filter(|value| value.is_finite() && *value > 0.0).ok_or_else(|| GrammarProblem::Weight(text.to_string()))
}

/// Words of a class: `doctor`, `"ice cream"` (one leaf of two words) or `ice+cream` (two leaves).
fn class_words(content: &str, column: usize) -> Result<Vec<Vec<String>>, GrammarProblem> {
    let problem = |message: &str| GrammarProblem::Tree { column: column + 1, message: message.to_string() };
    let mut words = Vec::new();
    for (n, part) in content.split('"').enumerate() {
        if n % 2 == 1 {
            words.push(vec![part.split_whitespace().collect::<Vec<_>>().join(" ")]);
        } else {
            words.extend(part.split_whitespace().map(|word| word.split('+').map(str::to_string).collect::<Vec<_>>()));
        }
    }
    if content.split('"').count().is_multiple_of(2) {
        return Err(problem("the quotation mark is not closed"));
    }
    if words.iter().flatten().any(|leaf| leaf.is_empty() || leaf.contains(['(', ')', '$'])) {
        return Err(problem("a word of a class is empty or contains a bracket or `$`"));
    }
    Ok(words)
}
