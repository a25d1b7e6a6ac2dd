//! `score-lingua`: how well and how fast the shipped models are, on the test part of a treebank.

use crate::treebank::read_rows;
use acidtest_lingua::{analyzer::Analyzer, conllu::Row, lemma::lemma_of};
use anyhow::Result;
use std::{path::Path, time::Instant};

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Quality,
    Speed,
}

/// Prints one `name value` a line, for people and for the bench script.
pub fn print(treebank: &Path, wish: Wish) -> Result<()> {
    let begin = core_seconds();
    let analyzer = Analyzer::new();
    let start_up = core_seconds() - begin;
    let rows = read_rows(treebank)?;
    let forms: Vec<Vec<&str>> = rows.iter().map(|sentence| sentence.iter().map(|row| row.form.as_str()).collect()).collect();
    match wish {
        Wish::Quality => quality(&analyzer, &rows, &forms),
        Wish::Speed => {
            println!("start_up_ms {:.1}", start_up * 1e3);
            speed(&analyzer, &forms);
        }
    }
    Ok(())
}

/// Seconds that this process has had of a core, which other work on the machine does not lengthen; where the system does not
/// tell, seconds since the first call.
fn core_seconds() -> f64 {
    static FIRST: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next().and_then(|first| first.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| FIRST.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn speed(analyzer: &Analyzer, forms: &[Vec<&str>]) {
    let words = forms.iter().map(Vec::len).sum::<usize>() as f64;
    let rate = |work: &dyn Fn() -> usize| {
        let begin = core_seconds();
        let mut rounds = 0;
        while rounds < 2 || core_seconds() - begin < 0.5 {
            std::hint::black_box(work());
            rounds += 1;
        }
        words * f64::from(rounds) / (core_seconds() - begin)
    };
    println!("tagging_per_second {:.0}", rate(&|| forms.iter().map(|forms| analyzer.tags(forms.iter().copied()).len()).sum()));
    println!("tagging_and_parsing_per_second {:.0}", rate(&|| analyzer.analyze_forms(forms).len()));
    let singly = || forms.iter().map(|forms| analyzer.analyze_forms(std::slice::from_ref(forms)).len()).sum();
    println!("tagging_and_parsing_singly_per_second {:.0}", rate(&singly));
}

fn quality(analyzer: &Analyzer, rows: &[Vec<Row>], forms: &[Vec<&str>]) {
    let analysed = analyzer.analyze_forms(forms);
    let pairs = || rows.iter().zip(&analysed).flat_map(|(rows, sentence)| rows.iter().zip(&sentence.words));
    let words = pairs().count();
    let share = |count: usize, all: usize| 100.0 * count as f64 / all as f64;
    let quick: usize = rows
        .iter()
        .zip(forms)
        .map(|(rows, forms)| analyzer.tags(forms.iter().copied()).into_iter().zip(rows).filter(|(tag, row)| row.tag == Some(*tag)).count())
        .sum();
    println!("words {words}");
    println!("tags_alone {:.2}", share(quick, words));
    println!("tags {:.2}", share(pairs().filter(|(row, word)| row.tag == Some(word.tag)).count(), words));
    println!("unlabelled {:.2}", share(pairs().filter(|(row, word)| row.head == word.head).count(), words));
    let labelled = |same: &dyn Fn(&Row, &acidtest_lingua::analyzer::Word) -> bool| {
        pairs().filter(|(row, word)| row.head == word.head && same(row, word)).count()
    };
    println!("labelled {:.2}", share(labelled(&|row, word| row.relation.base_name() == word.relation.base_name()), words));
    println!("labelled_with_subtypes {:.2}", share(labelled(&|row, word| row.relation == word.relation), words));
    for relation in ["nsubj", "obj", "amod"] {
        let gold = pairs().filter(|(row, _)| row.relation.base_name() == relation).count();
        let found = pairs().filter(|(_, word)| word.relation.base_name() == relation).count();
        let right = labelled(&|row, word| row.relation.base_name() == relation && word.relation.base_name() == relation);
        println!("{relation} {:.2}", 200.0 * right as f64 / (gold + found) as f64);
    }
    // Capitals are not looked at: whether a lemma has them is a question of names, not of forms.
    let content = || pairs().filter(|(row, _)| matches!(row.universal.as_str(), "NOUN" | "VERB" | "ADJ" | "ADV") && row.lemma != "_");
    let same = |lemma: &str, row: &Row| lemma.to_lowercase() == row.lemma.to_lowercase();
    println!("lemmas {:.2}", share(content().filter(|(row, word)| same(&word.lemma(), row)).count(), content().count()));
    let given_tag = |row: &Row| row.tag.map_or_else(String::new, |tag| lemma_of(&row.form, tag));
    println!("lemmas_given_tags {:.2}", share(content().filter(|(row, _)| same(&given_tag(row), row)).count(), content().count()));
    if std::env::var_os("SHOW").is_some() {
        for (row, _) in content().filter(|(row, _)| !same(&given_tag(row), row)) {
            println!("{} {:?}: {} is not {}", row.form, row.tag, given_tag(row), row.lemma);
        }
    }
}
