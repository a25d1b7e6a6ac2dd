//! The differences between a text and its edited version, and undoing them.

use super::EditError;

/// A changed piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChange {
    /// The start of the new text, in characters from the start of the changed text.
    pub start: usize,
    /// Where the new text ends.
    pub end: usize,
    /// The replaced text; empty for an insertion.
    pub before: String,
}

/// Restores the text from before these changes, which are given from left to right; `None` if they do not fit the text.
pub fn undo(text: &str, changes: &[TextChange]) -> Option<String> {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut back = String::with_capacity(text.len());
    let mut at = 0;
    for change in changes {
        let (start, end) = (*places.get(change.start)?, *places.get(change.end)?);
        back.push_str(text.get(at..start)?);
        back.push_str(&change.before);
        at = end;
    }
    back.push_str(text.get(at..)?);
    Some(back)
}

/// Adds an insertion to earlier changes and shifts those after it.
pub(super) fn insert(changes: &mut Vec<TextChange>, new: TextChange) -> Result<(), EditError> {
    if changes.iter().any(|change| change.start < new.start && new.start < change.end) {
        return Err(EditError::Overlap(new.start));
    }
    let place = changes.iter().position(|change| change.start >= new.start).unwrap_or(changes.len());
    let length = new.end - new.start;
    for change in &mut changes[place..] {
        change.start += length;
        change.end += length;
    }
    changes.insert(place, new);
    Ok(())
}
