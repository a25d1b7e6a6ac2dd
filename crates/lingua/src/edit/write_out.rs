//! A sentence that is written out: with a capital at its beginning and a stop at its end, which captions often lack.

use super::{Edit, EditError, Edited, Fill, Item, Plan, Respelling, TextChange};
use crate::inflect::capitalised;
use crate::tree::Tree;
use crate::view::View;

impl Edit<'_, '_> {
    /// Begins the sentence with a capital and ends it with a full stop, where it has none after all other changes.
    ///
    /// ```
    /// use acidtest_lingua::view::View;
    /// let edited = View::plain("a dog chases a cat").edit().write_out().finish()?;
    /// assert_eq!(edited.text, "A dog chases a cat.");
    /// # Ok::<(), acidtest_lingua::edit::EditError>(())
    /// ```
    pub fn write_out(&mut self) -> &mut Self {
        self.is_written_out = true;
        self
    }
}

impl Plan {
    /// Capitalises the first word, whatever the sentence began with; one that begins with a digit stays.
    pub(super) fn begin_with_capital(&mut self, view: &View<'_>) -> Result<(), EditError> {
        let is_word = |form: &str| form.contains(char::is_alphanumeric);
        for item in self.sequence(view.words().len()) {
            match item {
                Item::Old(word) if is_word(view.words()[word].form) => {
                    let new = match self.respelled.get(&word) {
                        Some(Respelling::As(form)) => Respelling::As(capitalised(form)),
                        _ => Respelling::Capital,
                    };
                    if view.words()[word].form.starts_with(char::is_lowercase) || self.respelled.contains_key(&word) {
                        self.respelled.insert(word, new);
                        self.holes.retain(|hole| !hole.is_respelling_of(word));
                        self.keep_respelled()?;
                        self.put_in_order()?;
                    }
                    return Ok(());
                }
                Item::New(hole, fill, word) => {
                    let form = self.new_word(hole, fill, word).unwrap_or_default();
                    if is_word(&form) {
                        if let Fill::New(words) = &mut self.holes[hole].fill[fill] {
                            words[word].0 = capitalised(&form);
                        }
                        return Ok(());
                    }
                }
                Item::Old(_) => {}
            }
        }
        Ok(())
    }
}

/// The sentence with a full stop at its end, unless it ends in a mark.
pub(super) fn with_final_stop(mut edited: Edited) -> Result<Edited, EditError> {
    let end = edited.text.trim_end().len();
    if !edited.text[..end].ends_with(char::is_alphanumeric) {
        return Ok(edited);
    }
    let start = edited.text[..end].chars().count();
    edited.text.insert(end, '.');
    edited.changes.push(TextChange { start, end: start + 1, before: String::new() });
    edited.parse = edited.parse.map(|parse| stopped(&parse)).transpose()?;
    edited.binary_parse = edited.binary_parse.map(|parse| format!("( {} . )", parse.trim()));
    Ok(edited)
}

/// A Penn-style parse with a stop as the last part of the sentence.
fn stopped(parse: &str) -> Result<String, EditError> {
    let tree = Tree::read(parse)?;
    let nodes = tree.nodes();
    // `(ROOT (S ..))`: inside the one phrase below the root.
    let top = match nodes {
        [root, only, ..] if only.word.is_none() && only.end == root.end => only,
        [root, ..] if root.word.is_none() => root,
        _ => return Ok(format!("(FRAG {} (. .))", parse.trim())),
    };
    let mut out = parse.to_string();
    out.insert_str(top.bytes.end - 1, " (. .)");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::undo;

    const TEXT: &str = "a dog chases a cat";
    const PARSE: &str = "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ chases) (NP (DT a) (NN cat)))))";
    const BINARY: &str = "( ( a dog ) ( chases ( a cat ) ) )";

    #[track_caller]
    fn check(edit: impl Fn(&mut Edit<'_, '_>), text: &str, parse: &str, binary: &str) {
        let view = View::new(TEXT, Some(PARSE), Some(BINARY));
        let mut edits = view.edit();
        edit(edits.write_out());
        let edited = edits.finish().unwrap();
        assert_eq!((edited.text.as_str(), edited.parse.as_deref(), edited.binary_parse.as_deref()), (text, Some(parse), Some(binary)));
        assert_eq!(undo(text, &edited.changes).as_deref(), Some(TEXT), "{:?}", edited.changes);
    }

    #[test]
    fn a_sentence_gets_its_capital_and_its_stop() {
        check(
            |_| {},
            "A dog chases a cat.",
            "(ROOT (S (NP (DT A) (NN dog)) (VP (VBZ chases) (NP (DT a) (NN cat))) (. .)))",
            "( ( ( A dog ) ( chases ( a cat ) ) ) . )",
        );
    }

    #[test]
    fn so_does_a_sentence_with_other_changes() {
        check(
            |edit| _ = edit.swap(0..2, 3..5),
            "A cat chases a dog.",
            "(ROOT (S (NP (DT A) (NN cat)) (VP (VBZ chases) (NP (DT a) (NN dog))) (. .)))",
            "( ( ( A cat ) ( chases ( a dog ) ) ) . )",
        );
        check(
            |edit| _ = edit.delete(0..1).insert(1, &[("old", "JJ")]).replace(4..5, "cats"),
            "Old dog chases a cats.",
            "(ROOT (S (NP (JJ Old) (NN dog)) (VP (VBZ chases) (NP (DT a) (NN cats))) (. .)))",
            "( ( ( Old dog ) ( chases ( a cats ) ) ) . )",
        );
        check(
            |edit| _ = edit.replace(0..1, "the"),
            "The dog chases a cat.",
            "(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ chases) (NP (DT a) (NN cat))) (. .)))",
            "( ( ( The dog ) ( chases ( a cat ) ) ) . )",
        );
    }

    #[test]
    fn a_sentence_that_is_written_out_stays_as_it_is() {
        for text in ["A dog sleeps.", "3 dogs sleep.", "A dog sleeps!"] {
            let edited = View::plain(text).edit().write_out().finish().unwrap();
            assert_eq!((edited.text.as_str(), edited.changes.len()), (text, 0));
        }
    }

    #[test]
    fn after_a_number_no_capital_stands_and_before_it_one_does() {
        let edited = View::plain("3 dogs chase cats.").edit().swap(0..2, 3..4).write_out().finish().unwrap();
        assert_eq!(edited.text, "Cats chase 3 dogs.");
        let edited = View::plain("A man juggles 3 balls.").edit().swap(0..2, 3..5).write_out().finish().unwrap();
        assert_eq!(edited.text, "3 balls juggles a man.");
    }
}
