//! The change itself: the modifier in its place among the adjectives, and the article before it.

use super::lists::Modifier;
use super::phrase::NounPhrase;
use super::{CLASH, NotApplicable};
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_lingua::inflect::{capitalised, indefinite_article};

/// The sentence with a modifier on each of these phrases.
pub(super) fn with_modifier(view: &View<'_>, modifier: &Modifier, phrases: &[&NounPhrase]) -> Result<Edited, NotApplicable> {
    let mut edit = view.edit();
    for phrase in phrases {
        let place = phrase.place_for(modifier.class).ok_or(CLASH)?;
        edit.insert(place, &[(modifier.word, "JJ")]);
        // A parse may take a noun at the beginning for a name, which would keep its capital.
        if place == 0 {
            edit.replace(0..1, &view.words()[0].form.to_lowercase());
        }
        let article = place.checked_sub(1).map(|before| (before, view.words()[before].form));
        if let Some((before, article)) = article.filter(|(before, form)| *before >= phrase.start && is_indefinite(form)) {
            let fitting = indefinite_article(modifier.word);
            if !article.eq_ignore_ascii_case(fitting) {
                let capital = article.starts_with(char::is_uppercase);
                edit.replace(before..before + 1, &if capital { capitalised(fitting) } else { fitting.to_string() });
            }
        }
    }
    Ok(edit.write_out().finish()?)
}

fn is_indefinite(word: &str) -> bool {
    word.eq_ignore_ascii_case("a") || word.eq_ignore_ascii_case("an")
}
