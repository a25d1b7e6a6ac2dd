//! Abbreviations that end in a full stop: `Mr.`, `Sept.`, `etc.`

/// Abbreviations in any position, spelt as usual, without their stop.
#[rustfmt::skip]
const EVERYWHERE: &[&str] = &[
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Jr", "Sr", "Gen", "Col", "Capt", "Lt", "Sgt", "Sen", "Rep", "Gov", "Rev", "Hon",
    "Inc", "Ltd", "Co", "Corp", "Bros", "Ave", "Blvd", "Rd", "Mt", "Ft", "etc", "vs", "dept", "Dept", "est", "Jan", "Feb",
    "Mar", "Apr", "Aug", "Sept", "Sep", "Oct", "Nov", "Dec",
];

/// Abbreviations only within a sentence, in lower case: at its end, `sat`, `wed` and `ed` are ordinary words.
#[rustfmt::skip]
const WITHIN_A_SENTENCE: &[&str] = &[
    "adj", "adm", "adv", "assn", "asst", "bldg", "brig", "cf", "cmdr", "comdr", "cpl", "ct", "dist", "drs", "ed", "esp", "esq",
    "fig", "fri", "hr", "hwy", "jul", "jun", "maj", "messrs", "mfg", "mlle", "mme", "mon", "msgr", "op", "pfc", "ph", "pl",
    "pp", "pvt", "reps", "rte", "sat", "sens", "ste", "supt", "surg", "thu", "thur", "thurs", "tue", "tues", "univ", "viz",
    "vol", "wed", "wm",
];

/// More abbreviations that the tokenizer does not look up here: it recognises `Ph.D` itself, and splits off the stop of the others.
const AT_THE_END: &[&str] = &["Ph.D", "al", "approx"];

/// Whether a full stop after this word belongs to it even at a possible end of a sentence.
///
/// ```
/// use acidtest_lingua::abbreviations::keeps_its_stop;
/// assert!(keeps_its_stop("Mr") && !keeps_its_stop("sat"));
/// ```
pub fn keeps_its_stop(word: &str) -> bool {
    let begins_one = word.as_bytes().first().is_some_and(|&letter| BEGINS_ONE[usize::from(letter)]);
    begins_one && word.len() <= LONGEST && (EVERYWHERE.contains(&word) || AT_THE_END.contains(&word))
}

/// The first letters of abbreviations, to rule out most words without comparing them with the whole list; this saves a fortieth of the
/// time of `bench/challenge.py`.
const BEGINS_ONE: [bool; 256] = {
    let mut begins = [false; 256];
    let (lists, mut list) = ([EVERYWHERE, AT_THE_END], 0);
    while list < lists.len() {
        let mut word = 0;
        while word < lists[list].len() {
            begins[lists[list][word].as_bytes()[0] as usize] = true;
            word += 1;
        }
        list += 1;
    }
    begins
};

/// The length of the longest abbreviation.
const LONGEST: usize = "approx".len();

/// Whether a full stop after this lower-case word belongs to it within a sentence.
pub(crate) fn has_a_stop(lower: &str) -> bool {
    WITHIN_A_SENTENCE.contains(&lower) || EVERYWHERE.iter().any(|word| word.eq_ignore_ascii_case(lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_word_keeps_its_stop_and_others_do_not() {
        assert!(EVERYWHERE.iter().chain(AT_THE_END).all(|word| keeps_its_stop(word)));
        for word in ["", "horse", "drive", "Doctor", "mr", "d", "approximately", "é"] {
            assert!(!keeps_its_stop(word), "{word}");
        }
    }
}
