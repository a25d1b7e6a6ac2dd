//! The words of a sentence that become features.

use acidtest_lingua::analyzer::Analyzer;
use acidtest_lingua::fold::fold;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::tree::scan_leaves;
use acidtest_nli::{Pair, Sentence};
use serde::{Deserialize, Serialize};

/// Which words become features.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptWords {
    /// Nouns, verbs, adjectives and adverbs, and the words of [`ALWAYS_KEPT`].
    #[default]
    Content,
    /// Every word that has a letter or a digit.
    All,
}

/// Words that are kept whatever their part of speech. The paper names four parts of speech only, but its figure 2 shows `not` and `there` as features.
pub const ALWAYS_KEPT: [&str; 4] = ["not", "n't", "no", "there"];

/// Where the part-of-speech tags of a sentence come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassSource {
    /// The corpus has a parse.
    Parse,
    /// Our own tagger.
    Tagger,
}

/// Whether our tagger is needed for at least one of the sentences, because the corpus has no parse of it.
pub fn wants_tagger(pair: &Pair<'_>) -> bool {
    [&pair.premise, &pair.hypothesis]
        .into_iter()
        .any(|sentence| sentence.parse.as_deref().is_none_or(|parse| scan_leaves(parse).next().is_none()))
}

/// Passes on the kept words of a sentence in lower case, in order, with repetitions.
pub(super) fn each_word(sentence: &Sentence<'_>, kept: KeptWords, folded: &mut String, mut see: impl FnMut(&str)) -> ClassSource {
    let mut any = false;
    if let Some(parse) = &sentence.parse {
        for leaf in scan_leaves(parse) {
            any = true;
            take(leaf.word, is_content(leaf.tag), kept, folded, &mut see);
        }
    }
    if any {
        return ClassSource::Parse;
    }
    for (token, tag) in Analyzer::shared().tag_text(&sentence.text) {
        take(token.text(&sentence.text), tag.is_content(), kept, folded, &mut see);
    }
    ClassSource::Tagger
}

/// Passes on a word if it is kept.
#[inline]
fn take(word: &str, content: bool, kept: KeptWords, folded: &mut String, see: &mut impl FnMut(&str)) {
    // Most words that are not kept can be recognised by tag and length alone.
    if kept == KeptWords::Content && !content && word.len() > LONGEST_ALWAYS_KEPT {
        return;
    }
    // Most words are lower case already.
    let is_folded = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_folded {
        fold_unescaped(word, folded);
    }
    let word = if is_folded { word } else { folded.as_str() };
    let wanted = match kept {
        KeptWords::Content => content || ALWAYS_KEPT.contains(&word),
        KeptWords::All => !is_bracket(word),
    };
    if wanted && (is_folded || has_letter(word)) {
        see(word);
    }
}

/// Bytes of the longest word of [`ALWAYS_KEPT`], or of `n’t` with a curly apostrophe.
const LONGEST_ALWAYS_KEPT: usize = 5;

fn has_letter(word: &str) -> bool {
    match word.is_ascii() {
        true => word.bytes().any(|byte| byte.is_ascii_alphanumeric()),
        false => word.chars().any(char::is_alphanumeric),
    }
}

/// A bracket as the parser writes it, in lower case.
fn is_bracket(word: &str) -> bool {
    matches!(word, "-lrb-" | "-rrb-" | "-lsb-" | "-rsb-" | "-lcb-" | "-rcb-")
}

/// The same as [`Tag::is_content`], without parsing the tag.
fn is_content(tag: &str) -> bool {
    let tag = tag.as_bytes();
    let class = tag.get(..2);
    matches!(class, Some(b"NN" | b"VB" | b"JJ")) || tag.starts_with(b"RB") || tag == b"WRB"
}

/// The word in small letters, with straight apostrophes and without the treebank's escapes.
fn fold_unescaped(word: &str, folded: &mut String) {
    fold(word, folded);
    if folded.contains('\\') {
        folded.retain(|letter| letter != '\\');
    }
}

const _: () = assert!(Tag::COUNT == 50, "a new tag may be a new class of content words");

#[cfg(test)]
mod tests {
    use super::*;

    fn words(sentence: &Sentence<'_>, kept: KeptWords) -> (Vec<String>, ClassSource) {
        let mut found = Vec::new();
        let source = each_word(sentence, kept, &mut String::new(), |word| found.push(word.to_string()));
        (found, source)
    }

    #[test]
    fn written_tags_have_the_class_of_the_tag() {
        for tag in Tag::all() {
            assert_eq!(is_content(tag.name()), tag.is_content(), "{tag}");
        }
        assert!(!is_content("") && !is_content("X") && !is_content("N"));
    }

    #[test]
    fn content_words_and_the_four_others_are_kept() {
        let parse = "(ROOT (S (NP (EX There)) (VP (VBZ is) (RB n't) (NP (DT no) (JJ Big) (NN dog))) (IN on) (. .)))";
        let sentence = Sentence { text: "".into(), parse: Some(parse.into()), binary_parse: None };
        let (found, source) = words(&sentence, KeptWords::Content);
        assert_eq!(found, ["there", "is", "n't", "no", "big", "dog"]);
        assert_eq!(source, ClassSource::Parse);
        assert_eq!(words(&sentence, KeptWords::All).0, ["there", "is", "n't", "no", "big", "dog", "on"]);
    }

    #[test]
    fn a_text_without_a_parse_is_tagged_sentence_by_sentence() {
        let (found, source) = words(&Sentence::plain("The dog barks. It isn’t happy!"), KeptWords::Content);
        assert_eq!(found, ["dog", "barks", "is", "n't", "happy"]);
        assert_eq!(source, ClassSource::Tagger);
    }

    #[test]
    fn a_parse_without_leaves_is_no_parse() {
        let pair = Pair::plain("A dog.", "A cat.");
        assert!(wants_tagger(&pair));
        let parsed = |text: &'static str| Sentence { text: "A dog.".into(), parse: Some(text.into()), binary_parse: None };
        let pair = Pair { premise: parsed("(NP (NN dog))"), hypothesis: parsed("()"), ..Pair::default() };
        assert!(wants_tagger(&pair));
        assert_eq!(words(&pair.hypothesis, KeptWords::Content).0, ["dog"]);
    }
}
