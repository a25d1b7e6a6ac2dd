//! Training and held-out sentences of the models.

use crate::treebank::{self, Sentence, read_text};
use acidtest_lingua::conllu::{self, ConlluRow};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A held-out part of the treebanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Every fourth sentence of EWT's development part; training sees the other three.
    Dev,
    /// EWT's test part.
    Test,
    /// Edited text: every fifth news document of GUM.
    News,
}

impl Part {
    /// The part with this name: `dev`, `test` or `news`.
    pub(crate) fn from_name(name: &str) -> Option<Part> {
        [("dev", Part::Dev), ("test", Part::Test), ("news", Part::News)].into_iter().find(|(own, _)| *own == name).map(|(_, part)| part)
    }
}

/// The folder with the corpora.
pub(crate) fn data_folder() -> PathBuf {
    std::env::var_os("ACIDTEST_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
}

/// The sentences of a held-out part.
pub(crate) fn held_out(part: Part) -> Result<Vec<Vec<ConlluRow>>> {
    let data = data_folder();
    match part {
        Part::Test => treebank::read_rows(&data.join("ud/en_ewt-test.conllu.gz")),
        Part::Dev => Ok(dev(&data)?.1),
        Part::News => Ok(gum(&data)?.1),
    }
}

/// The sentences that models are trained on: EWT's training part, three quarters of its development part, and GUM without
/// its held-out news.
pub(crate) fn training() -> Result<Vec<Vec<ConlluRow>>> {
    let data = data_folder();
    let mut rows = treebank::read_rows(&data.join("ud/en_ewt-train.conllu.gz"))?;
    rows.extend(dev(&data)?.0);
    rows.extend(gum(&data)?.0);
    Ok(rows)
}

/// The training sentences with variants of some: as a transcript, without the final stop, with hyphenated words as one token.
/// Each has the number of the sentence that it is made from.
pub(crate) fn with_variants(rows: &[Vec<ConlluRow>]) -> Vec<(usize, Sentence)> {
    let mut all = Vec::new();
    for (number, rows) in rows.iter().enumerate() {
        let Some(sentence) = treebank::sentences(std::slice::from_ref(rows)).pop() else { continue };
        let variant = match number % 6 {
            0 => treebank::as_spoken(&sentence),
            1 => treebank::without_stop(&sentence),
            _ => None,
        };
        let whole = treebank::with_whole_hyphens(&sentence, rows);
        all.extend([Some(sentence), variant, whole].into_iter().flatten().map(|sentence| (number, sentence)));
    }
    all
}

type Split = (Vec<Vec<ConlluRow>>, Vec<Vec<ConlluRow>>);

fn dev(data: &Path) -> Result<Split> {
    let rows = treebank::read_rows(&data.join("ud/en_ewt-dev.conllu.gz"))?;
    let (mut kept, mut held) = (Vec::new(), Vec::new());
    for (number, sentence) in rows.into_iter().enumerate() {
        if number % 4 == 3 { held.push(sentence) } else { kept.push(sentence) }
    }
    Ok((kept, held))
}

fn gum(data: &Path) -> Result<Split> {
    let path = data.join("ud/en_gum_open.conllu.gz");
    let text = read_text(&path)?;
    let (mut kept, mut held) = (String::new(), String::new());
    let (mut document, mut news) = (String::new(), 0);
    for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let id = block.lines().find_map(|line| line.strip_prefix("# sent_id = ")).unwrap_or("");
        let own = id.rsplit_once('-').map_or(id, |(document, _)| document);
        if own != document {
            document = own.to_owned();
            news += usize::from(is_news(own));
        }
        let to = if is_news(own) && news % 5 == 0 { &mut held } else { &mut kept };
        to.push_str(block);
        to.push_str("\n\n");
    }
    let read = |text: &str| conllu::read(text).with_context(|| path.display().to_string());
    Ok((read(&kept)?, read(&held)?))
}

fn is_news(document: &str) -> bool {
    document.starts_with("GUM_news_")
}
