//! Treebank sentences for training, and variants that make the models robust.

use acidtest_lingua::{
    conllu::{self, ConlluRow},
    parse::Relation,
    tag::Tag,
};
use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use std::{fs::File, io::Read, path::Path};

/// A word of a training sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub form: String,
    pub tag: Tag,
    /// Counted from 1; 0 is the root.
    pub head: usize,
    pub relation: Relation,
}

pub(crate) type Sentence = Vec<Word>;

/// Reads a file, decompressing gzip.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let mut text = String::new();
    let file = File::open(path).with_context(|| format!("{}: cannot be opened", path.display()))?;
    GzDecoder::new(file).read_to_string(&mut text).with_context(|| format!("{}: is not gzipped text", path.display()))?;
    Ok(text)
}

/// The rows of a gzipped CoNLL-U file.
pub(crate) fn read_rows(path: &Path) -> Result<Vec<Vec<ConlluRow>>> {
    conllu::read(&read_text(path)?).with_context(|| path.display().to_string())
}

/// The sentences of a treebank whose words all have a Penn tag.
pub(crate) fn sentences(rows: &[Vec<ConlluRow>]) -> Vec<Sentence> {
    rows.iter().filter_map(|sentence| sentence.iter().map(word).collect()).collect()
}

fn word(row: &ConlluRow) -> Option<Word> {
    Some(Word { form: row.form.clone(), tag: row.tag?, head: row.head, relation: row.relation })
}

/// The sentence as in a telephone transcript: lower case (except `I`), without punctuation that has no dependents.
pub(crate) fn as_spoken(sentence: &Sentence) -> Option<Sentence> {
    let has_dependents = |number: usize| sentence.iter().any(|word| word.head == number);
    let keep: Vec<bool> = sentence
        .iter()
        .enumerate()
        .map(|(place, word)| !word.tag.is_punctuation() || word.tag == Tag::Hyphen || has_dependents(place + 1) || word.head == 0)
        .collect();
    let spoken = without(sentence, &keep)?;
    Some(spoken.into_iter().map(|word| Word { form: word.form.to_lowercase(), ..word }).collect())
}

/// The sentence without its final stop.
pub(crate) fn without_stop(sentence: &Sentence) -> Option<Sentence> {
    let last = sentence.last()?;
    if last.tag != Tag::Stop || last.head == 0 || sentence.iter().any(|word| word.head == sentence.len()) {
        return None;
    }
    let mut keep = vec![true; sentence.len()];
    keep[sentence.len() - 1] = false;
    without(sentence, &keep)
}

fn without(sentence: &Sentence, keep: &[bool]) -> Option<Sentence> {
    if keep.iter().filter(|&&kept| kept).count() < 2 {
        return None;
    }
    let mut number = vec![0; sentence.len() + 1];
    let mut next = 0;
    for (place, &kept) in keep.iter().enumerate() {
        next += usize::from(kept);
        number[place + 1] = next;
    }
    let kept = sentence.iter().zip(keep).filter(|&(_, &kept)| kept);
    Some(kept.map(|(word, _)| Word { head: number[word.head], ..word.clone() }).collect())
}

/// The sentence with hyphenated words as one token, as in the older Penn conventions; `None` if it has no such word.
///
/// Universal Dependencies splits `well-known` into three tokens; Penn tokenisation does not.
pub(crate) fn with_whole_hyphens(sentence: &Sentence, rows: &[ConlluRow]) -> Option<Sentence> {
    // Group number of each word: words joined by a hyphen without spaces share one.
    let mut group = vec![0; sentence.len()];
    let joins = |place: usize| {
        let tight = |at: usize| !rows[at].space_after;
        let is_word = |at: usize| sentence[at].form.chars().next().is_some_and(char::is_alphanumeric);
        sentence[place].tag == Tag::Hyphen
            && place > 0
            && place + 1 < sentence.len()
            && tight(place - 1)
            && tight(place)
            && is_word(place - 1)
            && is_word(place + 1)
    };
    for place in 1..sentence.len() {
        let glued = joins(place) || joins(place - 1);
        group[place] = group[place - 1] + usize::from(!glued);
    }
    let groups = group.last()? + 1;
    if groups == sentence.len() {
        return None;
    }
    let mut whole = Vec::with_capacity(groups);
    for number in 0..groups {
        let places: Vec<usize> = (0..sentence.len()).filter(|&place| group[place] == number).collect();
        // The word whose head is outside of the group represents it.
        let outside = |place: usize| sentence[place].head == 0 || group[sentence[place].head - 1] != number;
        let heads: Vec<usize> = places.iter().copied().filter(|&place| outside(place)).collect();
        let &[speaker] = heads.as_slice() else { return None };
        let word = &sentence[speaker];
        let form: String = places.iter().map(|&place| sentence[place].form.as_str()).collect();
        let head = if word.head == 0 { 0 } else { group[word.head - 1] + 1 };
        let modifies = matches!(word.relation, Relation::Amod | Relation::Compound) && head > number + 1;
        let proper = places.iter().all(|&place| sentence[place].tag == Tag::Hyphen || sentence[place].tag.is_proper_noun());
        let (tag, relation) = match (places.len(), proper, modifies) {
            (1, ..) | (_, true, _) => (word.tag, word.relation),
            (_, false, true) => (Tag::JJ, Relation::Amod),
            _ => (sentence[*places.last()?].tag, word.relation),
        };
        whole.push(Word { form, tag, head, relation });
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(table: &str) -> (Sentence, Vec<ConlluRow>) {
        let line = |(number, line): (usize, &str)| {
            let parts: Vec<&str> = line.split(' ').collect();
            let misc = if parts.len() > 4 { "SpaceAfter=No" } else { "_" };
            format!("{}\t{}\t_\t_\t{}\t_\t{}\t{}\t_\t{misc}\n", number + 1, parts[0], parts[1], parts[2], parts[3])
        };
        let rows = conllu::read(&table.split('/').enumerate().map(line).collect::<String>()).unwrap().remove(0);
        (sentences(std::slice::from_ref(&rows)).remove(0), rows)
    }

    fn show(sentence: &Sentence) -> String {
        sentence.iter().map(|word| format!("{} {} {} {}", word.form, word.tag, word.head, word.relation)).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn a_transcript_has_no_capitals_or_punctuation_and_keeps_its_heads() {
        let (sentence, _) = parse("Well UH 3 discourse/, , 1 punct/go VB 0 root/! . 3 punct");
        assert_eq!(show(&as_spoken(&sentence).unwrap()), "well UH 2 discourse/go VB 0 root");
    }

    #[test]
    fn a_hyphenated_modifier_becomes_one_adjective() {
        let (sentence, rows) = parse("well RB 3 advmod x/- HYPH 3 punct x/known VBN 4 amod/man NN 0 root");
        assert_eq!(show(&with_whole_hyphens(&sentence, &rows).unwrap()), "well-known JJ 2 amod/man NN 0 root");
    }
}
