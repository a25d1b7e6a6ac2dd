//! CoNLL-U, the table format of Universal Dependencies: ten tab-separated columns per word, an empty line after each sentence.

use crate::{parse::Relation, tag::Tag};

/// A word of a CoNLL-U sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConlluRow {
    /// The word as written.
    pub form: String,
    /// Its dictionary form.
    pub lemma: String,
    /// The universal part of speech.
    pub universal: String,
    /// The Penn tag; `None` if the column is empty or has another tag.
    pub tag: Option<Tag>,
    /// The head, from 1; 0 for the root.
    pub head: usize,
    /// The relation to the head.
    pub relation: Relation,
    /// Whether a space follows.
    pub space_after: bool,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ConlluError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong with it, and what is accepted.
    pub problem: String,
}

/// Reads all sentences of a CoNLL-U text; ranges (`1-2`) and empty nodes (`1.1`) are skipped.
///
/// ```
/// let text = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
/// let sentences = acidtest_lingua::conllu::read(text)?;
/// assert_eq!(sentences[0][0].lemma, "dog");
/// # Ok::<(), acidtest_lingua::conllu::ConlluError>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Vec<ConlluRow>>, ConlluError> {
    let mut sentences = Vec::new();
    let mut sentence = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() {
            if !sentence.is_empty() {
                sentences.push(std::mem::take(&mut sentence));
            }
        } else if !line.starts_with('#') {
            let row = row(line).map_err(|problem| ConlluError { line: number + 1, problem })?;
            sentence.extend(row);
        }
    }
    if !sentence.is_empty() {
        sentences.push(sentence);
    }
    Ok(sentences)
}

fn row(line: &str) -> Result<Option<ConlluRow>, String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[id, form, lemma, universal, tag, _, head, relation, _, misc] = columns.as_slice() else {
        return Err(format!("{} columns where CoNLL-U has 10", columns.len()));
    };
    if !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    Ok(Some(ConlluRow {
        form: form.to_owned(),
        lemma: lemma.to_owned(),
        universal: universal.to_owned(),
        tag: Tag::from_name(tag),
        head: head.parse().map_err(|_| format!("`{head}` is not a head (expected a number)"))?,
        relation: Relation::from_name(relation).ok_or_else(|| format!("`{relation}` is not a UD relation"))?,
        space_after: !misc.split('|').any(|note| note == "SpaceAfter=No"),
    }))
}

/// The universal part of speech for a Penn tag with this relation.
pub fn universal_pos(tag: Tag, relation: Relation, lemma: &str) -> &'static str {
    use Tag::*;
    match tag {
        CC => "CCONJ",
        CD => "NUM",
        DT | PDT | WDT if matches!(relation, Relation::Det | Relation::DetPredet) => "DET",
        DT | PDT | WDT | EX | PRP | PRPS | WP | WPS => "PRON",
        IN if relation == Relation::Mark => "SCONJ",
        IN if relation == Relation::Advmod => "ADV",
        IN | RP => "ADP",
        JJ | JJR | JJS | AFX => "ADJ",
        LS | FW | GW | ADD => "X",
        MD => "AUX",
        NN | NNS => "NOUN",
        NNP | NNPS => "PROPN",
        POS | TO => "PART",
        RB if matches!(lemma, "not" | "n't") => "PART",
        RB | RBR | RBS | WRB => "ADV",
        UH => "INTJ",
        VB | VBD | VBG | VBN | VBP | VBZ if matches!(relation, Relation::Aux | Relation::AuxPass | Relation::Cop) => "AUX",
        VB | VBD | VBG | VBN | VBP | VBZ => "VERB",
        SYM | Currency | Hash => "SYM",
        Stop | Comma | Colon | OpenQuote | CloseQuote | OpenBracket | CloseBracket | Hyphen | NFP => "PUNCT",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_comments_are_skipped() {
        let text = "# a comment\n1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tca\tcan\tAUX\tMD\t_\t0\troot\t_\tSpaceAfter=No\n";
        let sentences = read(text).unwrap();
        assert_eq!(sentences.len(), 1);
        assert_eq!(sentences[0].len(), 1);
        assert!(!sentences[0][0].space_after);
    }

    #[test]
    fn a_short_line_is_refused_with_its_number() {
        assert_eq!(read("\n1\tdog\n").unwrap_err().to_string(), "line 2: 2 columns where CoNLL-U has 10");
    }
}
