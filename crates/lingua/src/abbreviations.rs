//! Words that have a stop of their own: `Mr.`, `Sept.`, `etc.`

/// Words whose stop is theirs wherever they stand, as they are written and without it.
#[rustfmt::skip]
const EVERYWHERE: &[&str] = &[
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Jr", "Sr", "Gen", "Col", "Capt", "Lt", "Sgt", "Sen", "Rep", "Gov", "Rev", "Hon",
    "Inc", "Ltd", "Co", "Corp", "Bros", "Ave", "Blvd", "Rd", "Mt", "Ft", "etc", "vs", "dept", "Dept", "est", "Jan", "Feb",
    "Mar", "Apr", "Aug", "Sept", "Sep", "Oct", "Nov", "Dec",
];

/// Words whose stop is theirs within a sentence, in small letters: at its end, `sat`, `wed` and `ed` are words like all others.
#[rustfmt::skip]
const WITHIN_A_SENTENCE: &[&str] = &[
    "adj", "adm", "adv", "assn", "asst", "bldg", "brig", "cf", "cmdr", "comdr", "cpl", "ct", "dist", "drs", "ed", "esp", "esq",
    "fig", "fri", "hr", "hwy", "jul", "jun", "maj", "messrs", "mfg", "mlle", "mme", "mon", "msgr", "op", "pfc", "ph", "pl",
    "pp", "pvt", "reps", "rte", "sat", "sens", "ste", "supt", "surg", "thu", "thur", "thurs", "tue", "tues", "univ", "viz",
    "vol", "wed", "wm",
];

/// Words whose stop is theirs too, and which the tokenizer does not look up here: it knows `Ph.D` by itself, and takes the stop off the others.
const AT_THE_END: &[&str] = &["Ph.D", "al", "approx"];

/// Whether the stop behind this word belongs to it even where a sentence could end.
///
/// ```
/// use acidtest_lingua::abbreviations::keeps_its_stop;
/// assert!(keeps_its_stop("Mr") && !keeps_its_stop("sat"));
/// ```
pub fn keeps_its_stop(word: &str) -> bool {
    EVERYWHERE.contains(&word) || AT_THE_END.contains(&word)
}

/// Whether the stop behind this word, in small letters, belongs to it within a sentence.
pub(crate) fn has_a_stop(lower: &str) -> bool {
    WITHIN_A_SENTENCE.contains(&lower) || EVERYWHERE.iter().any(|word| word.eq_ignore_ascii_case(lower))
}
