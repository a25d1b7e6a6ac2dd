//! Lemmas that the treebanks have and rules do not: abbreviations, common slips of the pen, conventions.

use acidtest_lingua::{conllu::ConlluRow, lemma::lemma_by_rule, tag::Tag};
use std::collections::BTreeMap;

/// A form that is seen this often with one lemma is learnt.
const LEAST: usize = 2;

/// The lines of the shipped list: form, tag and lemma, of forms for which the rules say something else.
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

/// Lemmas of names are their forms, those of marks are no concern, and those of torn words and addresses teach nothing.
fn is_learnt(tag: Tag) -> bool {
    !tag.is_punctuation() && !tag.is_proper_noun() && !matches!(tag, Tag::CD | Tag::GW | Tag::ADD | Tag::AFX | Tag::SYM | Tag::POS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::conllu;

    #[test]
    fn what_the_rules_miss_twice_is_learnt() {
        let row = "1\tappt\tappointment\tNOUN\tNN\t_\t0\troot\t_\t_\n\n1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n";
        assert_eq!(learn(&conllu::read(row).unwrap()), "");
        assert_eq!(learn(&conllu::read(&row.repeat(2)).unwrap()), "appt NN appointment\n");
    }
}
