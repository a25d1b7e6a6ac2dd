//! Lemmas of the treebanks that the rules do not give: abbreviations, common misspellings, conventions.

use acidtest_lingua::{conllu::ConlluRow, lemma::lemma_by_rule, tag::Tag};
use std::collections::BTreeMap;

/// A form that occurs this often with one lemma is learned.
const LEAST: usize = 2;

/// The lines of the shipped list: form, tag and lemma of forms for which the rules give another lemma.
pub(crate) fn learn(sentences: &[Vec<ConlluRow>]) -> String {
    let mut seen: BTreeMap<(String, Tag), BTreeMap<String, usize>> = BTreeMap::new();
    for row in sentences.iter().flatten().filter(|row| row.lemma != "_") {
        let Some(tag) = row.tag.filter(|&tag| is_learnt(tag)) else { continue };
        *seen.entry((row.form.to_lowercase(), tag)).or_default().entry(row.lemma.to_lowercase()).or_default() += 1;
    }
    let mut lines = String::new();
    for ((form, tag), lemmas) in &seen {
        let total: usize = lemmas.values().sum();
        let Some((lemma, &count)) = lemmas.iter().max_by_key(|&(_, &count)| count) else { continue };
        let plain = !form.contains(char::is_whitespace) && !lemma.contains(char::is_whitespace);
        let by_rule = lemma_by_rule(form, *tag).to_lowercase();
        if plain && count >= LEAST && count * 3 >= total * 2 && by_rule != *lemma {
            lines += &format!("{form} {tag} {lemma}\n");
        }
    }
    lines
}

/// Excludes names, whose lemma is the form, punctuation, and fragments and addresses, from which nothing can be learned.
fn is_learnt(tag: Tag) -> bool {
    !tag.is_punctuation() && !tag.is_proper_noun() && !matches!(tag, Tag::CD | Tag::GW | Tag::ADD | Tag::AFX | Tag::SYM | Tag::POS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::conllu;

    #[test]
    fn a_lemma_that_the_rules_miss_twice_is_learned() {
        let row = "1\tappt\tappointment\tNOUN\tNN\t_\t0\troot\t_\t_\n\n1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n";
        assert_eq!(learn(&conllu::read(row).unwrap()), "");
        assert_eq!(learn(&conllu::read(&row.repeat(2)).unwrap()), "appt NN appointment\n");
    }
}
