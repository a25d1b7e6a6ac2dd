//! What is different in a text, and the way back.

use super::EditError;

/// A piece of a changed text that was something else before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChange {
    /// Where the new text begins, in characters from the start of the changed text.
    pub start: usize,
    /// Where the new text ends.
    pub end: usize,
    /// What stood there before; empty where the new text was inserted.
    pub before: String,
}

/// The text as it was before these changes, which stand from left to right; `None` where they do not go with the text.
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

/// Puts an insertion among earlier changes; those behind it move on.
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
