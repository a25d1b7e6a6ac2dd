//! Sentences that repeat: a corpus has most premises several times in a row, and each is decided once.

use super::SwapSettings;
use crate::{NotApplicable, SentencePair};
use acidtest_lingua::View;
use std::cell::RefCell;
use std::collections::HashMap;

/// How many sentences a thread remembers; then it begins again, so that memory does not grow with the corpus.
const MOST: usize = 1_000;

/// What became of a sentence: the pairs, or why there are none, and why a control was not made.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    pub(super) pairs: Result<Vec<SentencePair>, NotApplicable>,
    pub(super) no_control: Option<NotApplicable>,
}

/// What is known of a sentence.
#[derive(Debug, Default)]
struct Known {
    parse: Option<String>,
    settings: Option<SwapSettings>,
    screened: Option<Result<(), NotApplicable>>,
    decided: Option<Decided>,
}

thread_local! {
    static KNOWN: RefCell<HashMap<String, Known>> = RefCell::default();
}

/// Whether a sentence passes, found out once.
pub(super) fn screened(
    settings: SwapSettings,
    view: &View<'_>,
    find: impl FnOnce() -> Result<(), NotApplicable>,
) -> Result<(), NotApplicable> {
    once(settings, view, |known| &mut known.screened, find)
}

/// What becomes of a sentence, found out once.
pub(super) fn decided(settings: SwapSettings, view: &View<'_>, find: impl FnOnce() -> Decided) -> Decided {
    once(settings, view, |known| &mut known.decided, find)
}

fn once<T: Clone>(settings: SwapSettings, view: &View<'_>, place: fn(&mut Known) -> &mut Option<T>, find: impl FnOnce() -> T) -> T {
    let is_same = |known: &Known| known.settings == Some(settings) && known.parse.as_deref() == view.parse();
    let found = KNOWN.with_borrow_mut(|all| all.get_mut(view.text()).filter(|known| is_same(known)).and_then(|known| place(known).clone()));
    if let Some(found) = found {
        return found;
    }
    let found = find();
    KNOWN.with_borrow_mut(|all| {
        if all.len() >= MOST {
            all.clear();
        }
        let known = all.entry(view.text().to_string()).or_default();
        if !is_same(known) {
            *known = Known { parse: view.parse().map(str::to_string), settings: Some(settings), ..Known::default() };
        }
        *place(known) = Some(found.clone());
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_decided_once_for_each_parse_and_setting() {
        let parses = ["(ROOT (NP (NN dog)))", "(ROOT (NP (NN cat)))"];
        let settings = [SwapSettings::default(), SwapSettings { controls: super::super::Controls::None, ..SwapSettings::default() }];
        let mut found = Vec::new();
        for (settings, parse) in [(settings[0], parses[0]), (settings[0], parses[0]), (settings[0], parses[1]), (settings[1], parses[1])] {
            let view = View::new("dog", Some(parse), None);
            let mut is_new = false;
            let outcome = screened(settings, &view, || {
                is_new = true;
                Err(NotApplicable("x"))
            });
            found.push((is_new, outcome.is_err()));
        }
        assert_eq!(found, [(true, true), (false, true), (true, true), (true, true)]);
    }

    #[test]
    fn memory_is_bounded() {
        for number in 0..2 * MOST {
            let text = number.to_string();
            let _ = screened(SwapSettings::default(), &View::plain(&text), || Ok(()));
        }
        assert!(KNOWN.with_borrow(HashMap::len) <= MOST);
    }
}
