//! WordNet's lemmatiser.

use super::{PartOfSpeech, SynsetId, WordNet, exceptions};

/// Suffixes and their replacements.
fn rules(part: PartOfSpeech) -> &'static [(&'static str, &'static str)] {
    match part {
        PartOfSpeech::Noun => &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        PartOfSpeech::Verb => &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
        PartOfSpeech::Adjective => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        PartOfSpeech::Adverb => &[],
    }
}

impl WordNet {
    /// The lemmas of a form: exceptions, otherwise suffixes are removed until a word is in WordNet.
    pub fn morphy(&self, form: &str, part: PartOfSpeech) -> Vec<String> {
        let form = form.to_lowercase().replace(' ', "_");
        let known = |forms: &[String]| {
            let mut kept: Vec<String> = Vec::new();
            for form in forms {
                if self.has(form, part) && !kept.contains(form) {
                    kept.push(form.clone());
                }
            }
            kept
        };
        let irregular = exceptions().get(&form, part);
        if !irregular.is_empty() {
            return known(&[std::slice::from_ref(&form), irregular].concat());
        }
        let cut = |forms: &[String]| -> Vec<String> {
            let replaced = |form: &String| {
                let applies = |&(ending, other): &(&str, &str)| form.strip_suffix(ending).map(|stem| format!("{stem}{other}"));
                rules(part).iter().filter_map(applies).collect::<Vec<_>>()
            };
            forms.iter().flat_map(replaced).collect()
        };
        let mut forms = cut(std::slice::from_ref(&form));
        let mut found = known(&[vec![form], forms.clone()].concat());
        while found.is_empty() && !forms.is_empty() {
            forms = cut(&forms);
            found = known(&forms);
        }
        found
    }

    /// All synsets of a form, as NLTK lists them.
    pub fn synsets_of_form(&self, form: &str) -> Vec<SynsetId> {
        let of_part = |part: PartOfSpeech| {
            self.morphy(form, part).into_iter().flat_map(move |lemma| self.senses(&lemma, part).iter().map(|&(id, _)| id))
        };
        PartOfSpeech::ALL.into_iter().flat_map(of_part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(form: &str, part: PartOfSpeech, expected: &[&str]) {
        assert_eq!(WordNet::get().morphy(form, part), expected, "{form}");
    }

    #[test]
    fn forms_are_lemmatised() {
        check("dogs", PartOfSpeech::Noun, &["dog"]);
        check("churches", PartOfSpeech::Noun, &["church"]);
        check("geese", PartOfSpeech::Noun, &["goose"]);
        check("running", PartOfSpeech::Verb, &["run"]);
        check("happier", PartOfSpeech::Adjective, &["happy"]);
        check("blargs", PartOfSpeech::Noun, &[]);
    }
}
