//! The text of an edited sentence.

use super::{EditError, Fill, Hole, Plan, TextChange};
use crate::tokens::detokenize;
use crate::view::View;
use std::ops::Range;

/// The text with these byte spans replaced, and the changes.
pub(super) fn spliced(text: &str, mut splices: Vec<(Range<usize>, String)>) -> Result<(String, Vec<TextChange>), EditError> {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let mut new = String::with_capacity(text.len() + splices.iter().map(|(_, with)| with.len()).sum::<usize>());
    let mut changes = Vec::with_capacity(splices.len());
    let (mut at, mut characters) = (0, 0);
    for (range, with) in splices {
        if range.start < at {
            return Err(EditError::Overlap(range.start));
        }
        let (kept, before) = (text.get(at..range.start), text.get(range.clone()));
        let (Some(kept), Some(before)) = (kept, before) else { return Err(EditError::OutOfRange(range.start, range.end)) };
        new.push_str(kept);
        new.push_str(&with);
        let start = characters + kept.chars().count();
        characters = start + with.chars().count();
        changes.push(TextChange { start, end: characters, before: before.to_string() });
        at = range.end;
    }
    new.push_str(&text[at..]);
    Ok((new, changes))
}

impl Plan {
    /// The replacements, by byte span.
    pub(super) fn splices(&self, view: &View<'_>) -> Result<Vec<(Range<usize>, String)>, EditError> {
        self.holes.iter().map(|hole| self.splice(hole, view)).collect()
    }

    fn splice(&self, hole: &Hole, view: &View<'_>) -> Result<(Range<usize>, String), EditError> {
        let text = view.text();
        let with = self.fill_text(hole, view)?;
        if hole.words.is_empty() {
            return insertion(hole, with, view);
        }
        let range = bytes(view, &hole.words)?;
        if !hole.fill.is_empty() {
            return Ok((range, with));
        }
        let (before, after) = (&text[..range.start], &text[range.end..]);
        let (kept_before, kept_after) = (before.trim_end(), after.trim_start());
        let blank_before = before.len() > kept_before.len() || before.is_empty();
        // One of the spaces around deleted words is deleted too.
        if blank_before && after.len() > kept_after.len() && !kept_after.is_empty() {
            return Ok((range.start..text.len() - kept_after.len(), with));
        }
        Ok((kept_before.len()..range.end, with))
    }

    /// The text of a replacement, with spaces between its parts.
    fn fill_text(&self, hole: &Hole, view: &View<'_>) -> Result<String, EditError> {
        let mut parts = Vec::with_capacity(hole.fill.len());
        for fill in &hole.fill {
            parts.push(match fill {
                Fill::New(words) => detokenize(words.iter().map(|(form, _)| form.as_str())),
                Fill::Moved(words) => self.moved_text(words, view)?,
            });
        }
        Ok(parts.join(" "))
    }

    /// The text of moved words, respelled if they are.
    fn moved_text(&self, words: &Range<usize>, view: &View<'_>) -> Result<String, EditError> {
        let range = bytes(view, words)?;
        let mut out = String::with_capacity(range.len());
        let mut at = range.start;
        for (&word, respelling) in self.respelled.range(words.clone()) {
            let span = bytes(view, &(word..word + 1))?;
            out.push_str(&view.text()[at..span.start]);
            out.push_str(&respelling.of(&view.text()[span.clone()]));
            at = span.end;
        }
        out.push_str(&view.text()[at..range.end]);
        Ok(out)
    }
}

/// Where inserted words go, with the space that separates them.
fn insertion(hole: &Hole, with: String, view: &View<'_>) -> Result<(Range<usize>, String), EditError> {
    let at = hole.words.start;
    let words = view.words();
    let text = view.text();
    let first = match hole.fill.first() {
        Some(Fill::New(new)) => new.first().map_or("", |(form, _)| form.as_str()),
        Some(Fill::Moved(range)) => words.get(range.start).map_or("", |word| word.form),
        None => "",
    };
    if words.is_empty() {
        return Ok((text.len()..text.len(), with));
    }
    if let Some(previous) = at.checked_sub(1) {
        let end = bytes(view, &(previous..at))?.end;
        let glued = !detokenize([words[previous].form, first]).contains(' ');
        let follows = at < words.len() && text[end..].starts_with(char::is_whitespace);
        if !follows || glued {
            return Ok((end..end, if glued { with } else { format!(" {with}") }));
        }
    }
    let start = bytes(view, &(at..at + 1))?.start;
    Ok((start..start, format!("{with} ")))
}

/// The byte span of words.
fn bytes(view: &View<'_>, words: &Range<usize>) -> Result<Range<usize>, EditError> {
    let span = |word: usize| view.words().get(word).and_then(|word| word.span.clone()).ok_or(EditError::WordsDiffer);
    if words.is_empty() {
        return Err(EditError::OutOfRange(words.start, words.end));
    }
    Ok(span(words.start)?.start..span(words.end - 1)?.end)
}
