//! Tags: named facts about a row by which results are broken down.

use std::borrow::Cow;

/// The text genre, as in MultiNLI.
pub const GENRE: &str = "genre";
/// The id of the prompt that a MultiNLI hypothesis was written for.
pub const PROMPT: &str = "promptID";
/// The id of the image caption that an SNLI pair was written for.
pub const CAPTION: &str = "captionID";
/// The heuristic that a HANS pair is aimed at.
pub const HEURISTIC: &str = "heuristic";
/// The HANS subcase.
pub const SUBCASE: &str = "subcase";
/// The template that a generated pair comes from.
pub const TEMPLATE: &str = "template";
/// The id of the row that a challenge row was made from.
pub const PARENT: &str = "parent";
/// The challenge that made the row.
pub const CHALLENGE: &str = "challenge";
/// The seed that the challenge row was made with.
pub const SEED: &str = "seed";

/// The lexically-misleading score of a row of a compositional set.
pub const LMS: &str = "lms";
/// The least lexically-misleading score of the set that a row belongs to.
pub const LAMBDA: &str = "lambda";

/// A small map from tag names to values, kept in the order of the names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags<'a> {
    entries: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Tags<'a> {
    /// No tags.
    pub const NONE: Tags<'static> = Tags { entries: Vec::new() };

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.position(name).ok().map(|at| self.entries[at].1.as_ref())
    }

    /// Sets a tag, in place of an older value.
    pub fn set(&mut self, name: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) {
        let (name, value) = (name.into(), value.into());
        match self.position(&name) {
            Ok(at) => self.entries[at].1 = value,
            Err(at) => self.entries.insert(at, (name, value)),
        }
    }

    /// Takes a tag away.
    pub fn remove(&mut self, name: &str) -> Option<Cow<'a, str>> {
        self.position(name).ok().map(|at| self.entries.remove(at).1)
    }

    /// Names and values in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(name, value)| (name.as_ref(), value.as_ref()))
    }

    /// Whether there is no tag at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same tags without copying them, with room for some more.
    pub fn borrowed(&self, room: usize) -> Tags<'_> {
        let mut entries = Vec::with_capacity(self.entries.len() + room);
        entries.extend(self.entries.iter().map(|(name, value)| (Cow::Borrowed(name.as_ref()), Cow::Borrowed(value.as_ref()))));
        Tags { entries }
    }

    /// The same tags, free of what they were read from.
    pub fn into_owned(self) -> Tags<'static> {
        let entries = self.entries.into_iter().map(|(name, value)| (name.into_owned().into(), value.into_owned().into())).collect();
        Tags { entries }
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.entries.binary_search_by(|(other, _)| other.as_ref().cmp(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_keep_the_order_of_their_names_and_the_last_value() {
        let mut tags = Tags::default();
        tags.set(SUBCASE, "ln_passive");
        tags.set(GENRE, "fiction");
        tags.set(GENRE, "travel");
        assert_eq!(tags.iter().collect::<Vec<_>>(), [(GENRE, "travel"), (SUBCASE, "ln_passive")]);
        assert_eq!(tags.remove(GENRE).as_deref(), Some("travel"));
        assert_eq!(tags.get(GENRE), None);
    }
}
