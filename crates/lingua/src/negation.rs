//! Negation words.

/// Words that negate by themselves, in lower case; all words that end in `n't` do too.
pub const NEGATION_WORDS: [&str; 10] = ["no", "not", "never", "nobody", "nothing", "none", "nowhere", "neither", "nor", "cannot"];

/// The ending of negations that are contracted with their verb.
pub const CONTRACTED_NEGATION: &str = "n't";

/// Whether a lower-case word with straight apostrophes is a negation.
///
/// ```
/// use acidtest_lingua::negation::is_negation;
/// assert!(is_negation("nobody") && is_negation("isn't") && !is_negation("now"));
/// ```
pub fn is_negation(word: &str) -> bool {
    NEGATION_WORDS.contains(&word) || word.ends_with(CONTRACTED_NEGATION)
}
