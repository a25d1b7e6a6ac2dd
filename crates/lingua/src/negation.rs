//! Words of negation.

/// The words that negate by themselves, in lower case; all that end in `n't` do so too.
pub const NEGATION_WORDS: [&str; 10] = ["no", "not", "never", "nobody", "nothing", "none", "nowhere", "neither", "nor", "cannot"];

/// What words of negation end in that are contracted with their verb.
pub const CONTRACTED_NEGATION: &str = "n't";

/// Whether a word in lower case, with straight apostrophes, negates.
///
/// ```
/// use acidtest_lingua::negation::is_negation;
/// assert!(is_negation("nobody") && is_negation("isn't") && !is_negation("now"));
/// ```
pub fn is_negation(word: &str) -> bool {
    NEGATION_WORDS.contains(&word) || word.ends_with(CONTRACTED_NEGATION)
}
