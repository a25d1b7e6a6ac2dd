//! Tags: metadata of an example, by which results can be broken down.

use std::borrow::Cow;
use std::cmp::Ordering;

/// The text genre, as in MultiNLI.
pub const GENRE: &str = "genre";
/// The id of the prompt that a MultiNLI hypothesis was written for.
pub const PROMPT: &str = "promptID";
/// The id of the image caption that an SNLI pair was written for.
pub const CAPTION: &str = "captionID";
/// The heuristic that a HANS pair tests.
pub const HEURISTIC: &str = "heuristic";
/// The HANS subcase.
pub const SUBCASE: &str = "subcase";
/// The template that a generated pair comes from.
pub const TEMPLATE: &str = "template";
/// The id of the original that a perturbed example was made from.
pub const PARENT: &str = "parent";
/// The challenge that made the example.
pub const CHALLENGE: &str = "challenge";
/// The seed that the challenge used.
pub const SEED: &str = "seed";

/// What kind of text an example without a hypothesis is: `aqua`, `gsm8k` or `text`.
pub const PASSAGE: &str = "passage";
/// The right answer of a word problem.
pub const ANSWER: &str = "answer";
/// How many lines the rationale of a word problem has.
pub const RATIONALE_LINES: &str = "rationale_lines";

/// A change of a word into its antonym, such as `old>new`.
pub const ANTONYM: &str = "antonym";
/// The two words of an antonym pair in alphabetical order, such as `new-old`.
pub const ANTONYM_PAIR: &str = "antonym_pair";
/// What kind of opposites the two words are: `gradable`, `complementary`, `relational` or `unknown`.
pub const ANTONYM_TYPE: &str = "antonym_type";
/// The word class of the changed word: `noun`, `adjective`, `verb` or `adverb`.
pub const WORD_CLASS: &str = "word_class";
/// How many contradictions of the training data have the antonym pair, one word on each side.
pub const TRAINING_COUNT: &str = "training_count";
/// The phrase that a numeric hypothesis tests: `more than`, `less than`, or `number` for another number.
pub const NUMBER_PHRASE: &str = "number_phrase";
/// The number of the sentence that was changed, as it was written.
pub const NUMBER: &str = "number";

/// Whether an example belongs to the test (`test`) or is the matched control of one that does (`control`).
pub const PART: &str = "part";
/// The id of the example that a matched control belongs to.
pub const CONTROL_OF: &str = "control_of";
/// Whether both sentences have the same words: `false` where one had to be added or inflected.
pub const SAME_WORDS: &str = "same-words";
/// Whether both things that change places can act: `true` where both are people or animals.
pub const REVERSIBLE: &str = "reversible";
/// The modifier that a pair has on different nouns, such as `old`.
pub const MODIFIER: &str = "modifier";
/// The class of that modifier, such as `age`.
pub const MODIFIER_CLASS: &str = "modifier_class";
/// The nouns that have it in the premise and in the hypothesis, such as `man>car`.
pub const MODIFIED: &str = "modified";

/// The lexically-misleading score of an example of a compositional set.
pub const LMS: &str = "lms";
/// The smallest lexically-misleading score of the set that an example belongs to.
pub const LAMBDA: &str = "lambda";

/// A small map from tag names to values, in the order of the names.
#[derive(Debug, Clone, Default)]
pub struct Tags<'a> {
    /// Tags of the original example; those in `own` take precedence.
    inherited: &'a [NamedValue<'a>],
    own: Vec<NamedValue<'a>>,
}

type NamedValue<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Capacity that is reserved with the first tag.
const ROOM: usize = 4;

impl<'a> Tags<'a> {
    /// No tags.
    pub const NONE: Tags<'static> = Tags { inherited: &[], own: Vec::new() };

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = |tags: &'_ [NamedValue<'a>]| position(tags, name).ok();
        let own = value(&self.own).map(|at| self.own[at].1.as_ref());
        own.or_else(|| value(self.inherited).map(|at| self.inherited[at].1.as_ref()))
    }

    /// Sets a tag, replacing an older value.
    pub fn set(&mut self, name: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) {
        let (name, value) = (name.into(), value.into());
        // Tags mostly arrive sorted.
        if self.own.last().is_none_or(|(last, _)| *last < name) {
            if self.own.capacity() == 0 {
                self.own.reserve_exact(ROOM);
            }
            return self.own.push((name, value));
        }
        match position(&self.own, &name) {
            Ok(at) => self.own[at].1 = value,
            Err(at) => self.own.insert(at, (name, value)),
        }
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) -> Option<Cow<'a, str>> {
        if position(self.inherited, name).is_ok() {
            *self = Tags { inherited: &[], own: self.all().cloned().collect() };
        }
        position(&self.own, name).ok().map(|at| self.own.remove(at).1)
    }

    /// Names and values in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().map(|(name, value)| (name.as_ref(), value.as_ref()))
    }

    /// The number of tags; one that was inherited and set again counts twice.
    pub fn len(&self) -> usize {
        self.own.len() + self.inherited.len()
    }

    /// Whether there is no tag at all.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.inherited.is_empty()
    }

    /// The same tags for an example made from this one, borrowed, with capacity for some more.
    pub fn borrowed(&self, room: usize) -> Tags<'_> {
        let mut own = Vec::with_capacity(room);
        if self.inherited.is_empty() {
            return Tags { inherited: &self.own, own };
        }
        own.extend(self.iter().map(|(name, value)| (Cow::Borrowed(name), Cow::Borrowed(value))));
        Tags { inherited: &[], own }
    }

    /// The same tags, owning their text.
    pub fn into_owned(self) -> Tags<'static> {
        let owned = |(name, value): &NamedValue<'a>| (name.to_string().into(), value.to_string().into());
        Tags { inherited: &[], own: self.all().map(owned).collect() }
    }

    fn all(&self) -> impl Iterator<Item = &NamedValue<'a>> {
        let (mut inherited, mut own) = (self.inherited.iter().peekable(), self.own.iter().peekable());
        std::iter::from_fn(move || match (inherited.peek(), own.peek()) {
            (Some((old, _)), Some((new, _))) => match old.cmp(new) {
                Ordering::Less => inherited.next(),
                Ordering::Greater => own.next(),
                Ordering::Equal => {
                    inherited.next();
                    own.next()
                }
            },
            (Some(_), None) => inherited.next(),
            (None, _) => own.next(),
        })
    }
}

impl PartialEq for Tags<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Tags<'_> {}

fn position(tags: &[NamedValue<'_>], name: &str) -> Result<usize, usize> {
    tags.binary_search_by(|(other, _)| other.as_ref().cmp(name))
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

    #[test]
    fn own_tags_take_precedence_over_inherited_ones() {
        let mut old = Tags::default();
        old.set(GENRE, "travel");
        old.set(SUBCASE, "ln_passive");
        let mut new = old.borrowed(2);
        new.set(PARENT, "7");
        new.set(SUBCASE, "other");
        assert_eq!(new.iter().collect::<Vec<_>>(), [(GENRE, "travel"), (PARENT, "7"), (SUBCASE, "other")]);
        assert_eq!((new.get(GENRE), new.get(SUBCASE), old.get(SUBCASE)), (Some("travel"), Some("other"), Some("ln_passive")));
        assert_eq!(new.clone().into_owned(), new);
        assert_eq!(new.borrowed(0), new);
        let mut less = new.clone();
        assert_eq!(less.remove(SUBCASE).as_deref(), Some("other"));
        assert_eq!(less.remove(GENRE).as_deref(), Some("travel"));
        assert_eq!(less.iter().collect::<Vec<_>>(), [(PARENT, "7")]);
        assert_ne!(less, new);
    }
}
