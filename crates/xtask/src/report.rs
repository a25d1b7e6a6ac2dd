//! `score-lingua`: quality and speed of the shipped models on held-out sentences.

use crate::{
    corpora::{self, Part, data_folder},
    names, shipped, treebank,
};
use acidtest_lingua::{
    analyzer::{Analyzer, Models},
    conllu::ConlluRow,
    lemma::lemma_of,
    tokens::penn_leaves,
};
use anyhow::{Context, Result};
use std::{collections::BTreeSet, fs, time::Instant};

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportTopic {
    Quality,
    Speed,
    Tokens,
    Names,
    /// The content words whose lemma is wrong.
    Lemmas,
}

impl ReportTopic {
    /// The topic with this name: `quality`, `speed`, `tokens`, `names` or `lemmas`.
    pub(crate) fn from_name(name: &str) -> Option<ReportTopic> {
        let all = [
            ("quality", ReportTopic::Quality),
            ("speed", ReportTopic::Speed),
            ("tokens", ReportTopic::Tokens),
            ("names", ReportTopic::Names),
            ("lemmas", ReportTopic::Lemmas),
        ];
        all.into_iter().find(|(own, _)| *own == name).map(|(_, topic)| topic)
    }
}

/// Prints one `name value` per line, for people and for the bench script.
pub(crate) fn print(part: Part, topic: ReportTopic) -> Result<()> {
    let read = |name: &str| -> Result<_> { Ok(fs::read(shipped(name)).with_context(|| format!("{name} cannot be read"))?.into()) };
    let models = Models { words: read("words.bin")?, tagger: read("tagger.bin")?, parser: read("parser.bin")?, names: read("names.bin")? };
    let analyzer = Analyzer::with_models(models).context("a model is broken; run train-lingua")?;
    let rows = corpora::held_out(part)?;
    let forms: Vec<Vec<&str>> = rows.iter().map(|sentence| sentence.iter().map(|row| row.form.as_str()).collect()).collect();
    match topic {
        ReportTopic::Quality => quality(&analyzer, &rows, &forms),
        ReportTopic::Speed => {
            let begin = core_seconds();
            std::hint::black_box(Analyzer::new());
            println!("start_up_ms {:.1}", (core_seconds() - begin) * 1e3);
            speed(&analyzer, &forms);
        }
        ReportTopic::Tokens => tokens()?,
        ReportTopic::Names => found_names(&analyzer)?,
        ReportTopic::Lemmas => wrong_lemmas(&analyzer, &rows, &forms),
    }
    Ok(())
}

/// The share of SNLI's sentences that are tokenised as in their parses.
fn tokens() -> Result<()> {
    let path = data_folder().join("snli/snli_1.0_test_even.jsonl.gz");
    let mut pairs = BTreeSet::new();
    for (number, line) in treebank::read_text(&path)?.lines().enumerate() {
        let row: serde_json::Value = serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), number + 1))?;
        for side in ["sentence1", "sentence2"] {
            let field =
                |name: &str| row[name].as_str().map(str::to_owned).with_context(|| format!("{}:{}: no {name}", path.display(), number + 1));
            let parse = field(&format!("{side}_parse"))?;
            let leaves: Vec<&str> = parse.split_whitespace().filter_map(|part| part.split_once(')').map(|(leaf, _)| leaf)).collect();
            pairs.insert((field(side)?, leaves.join(" ")));
        }
    }
    let right = pairs.iter().filter(|(text, leaves)| penn_leaves(text).join(" ") == *leaves).count();
    println!("snli_sentences {}", pairs.len());
    println!("snli_tokens {:.2}", 100.0 * right as f64 / pairs.len() as f64);
    Ok(())
}

/// Precision and recall of detecting that a sentence has a name.
fn found_names(analyzer: &Analyzer) -> Result<()> {
    let data = data_folder();
    let corpora = [("wikigold", names::wikigold(&data)?.1), ("uner", names::read(&data.join("ner/uner_ewt_test.iob2.gz"))?)];
    for (corpus, sentences) in corpora {
        let forms: Vec<Vec<&str>> = sentences.iter().map(|sentence| sentence.iter().map(|(word, _)| word.as_str()).collect()).collect();
        let mut score = names::Score::default();
        for (sentence, analysed) in sentences.iter().zip(analyzer.analyze_forms(&forms)) {
            let found: Vec<_> = analysed.names.iter().map(|name| (name.kind as usize, name.start, name.end)).collect();
            score.compare(&found, &names::gold(sentence));
        }
        for (kind, (precision, recall)) in ["person", "location", "organization", "any"].into_iter().zip(score.by_sentence()) {
            println!("{corpus}_{kind}_precision {precision:.3}\n{corpus}_{kind}_recall {recall:.3}");
        }
    }
    Ok(())
}

/// Processor seconds of this process, which other work on the machine does not affect; where the system does not
/// report them, seconds since the first call.
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

/// Lists the content words whose lemma is wrong, with the treebank's tag and ours.
fn wrong_lemmas(analyzer: &Analyzer, rows: &[Vec<ConlluRow>], forms: &[Vec<&str>]) {
    for (row, word) in rows.iter().flatten().zip(analyzer.analyze_forms(forms).iter().flat_map(|sentence| &sentence.words)) {
        let lemma = word.lemma();
        if is_content(row) && lemma.to_lowercase() != row.lemma.to_lowercase() {
            println!("{}\t{}\t{}\t{lemma}\t{}", row.form, row.tag.map_or("", |tag| tag.name()), word.tag, row.lemma);
        }
    }
}

/// Whether the treebank tags the word as a noun, verb, adjective or adverb and gives a lemma.
fn is_content(row: &ConlluRow) -> bool {
    matches!(row.universal.as_str(), "NOUN" | "VERB" | "ADJ" | "ADV") && row.lemma != "_"
}

fn quality(analyzer: &Analyzer, rows: &[Vec<ConlluRow>], forms: &[Vec<&str>]) {
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
    let labelled = |same: &dyn Fn(&ConlluRow, &acidtest_lingua::analyzer::Word) -> bool| {
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
    // Case is ignored: capitals of a lemma depend on names, not on inflection.
    let content = || pairs().filter(|(row, _)| is_content(row));
    let same = |lemma: &str, row: &ConlluRow| lemma.to_lowercase() == row.lemma.to_lowercase();
    println!("lemmas {:.2}", share(content().filter(|(row, word)| same(&word.lemma(), row)).count(), content().count()));
    let given_tag = |row: &ConlluRow| row.tag.map_or_else(String::new, |tag| lemma_of(&row.form, tag));
    println!("lemmas_given_tags {:.2}", share(content().filter(|(row, _)| same(&given_tag(row), row)).count(), content().count()));
}
