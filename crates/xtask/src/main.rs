//! Work on the repository itself. `cargo xtask` lists the commands.

mod names;
mod parser;
mod perceptron;
mod report;
mod score;
mod tagger;
mod treebank;
mod word_list;
mod wordnet;

use acidtest_lingua::{
    names::NameFinder,
    parse::Parser,
    tag::{Tag, Tagger},
    words::WordList,
};
use acidtest_nli::Seed;
use anyhow::{Context, Result, bail};
use std::{fs, path::PathBuf, time::Instant};
use treebank::Sentence;

const USAGE: &str = "usage: cargo xtask COMMAND

  train-lingua [words] [tagger] [parser] [names]   train the shipped models (all of them by default)
  score-lingua [quality|speed] [dev|test]          measure the shipped models on EWT
  build-wordnet FOLDER                             build the shipped WordNet from the dict files of WordNet 3.0

ACIDTEST_DATA names the folder with the treebanks and vectors (default ../shared/data).";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((command, parts)) if command == "train-lingua" => train_lingua(parts),
        Some((command, [folder])) if command == "build-wordnet" => build_wordnet(folder),
        Some((command, rest)) if command == "score-lingua" => {
            let wish = if rest.first().is_some_and(|wish| wish == "speed") { report::Wish::Speed } else { report::Wish::Quality };
            let part = rest.iter().find(|part| *part == "dev").map_or("test", String::as_str);
            report::print(&data_folder().join(format!("ud/en_ewt-{part}.conllu.gz")), wish)
        }
        _ => bail!(USAGE),
    }
}

/// The folder with the corpora.
fn data_folder() -> PathBuf {
    std::env::var_os("ACIDTEST_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
}

/// The folder of the shipped files.
fn shipped(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lingua/data").join(name)
}

fn write(name: &str, bytes: &[u8]) -> Result<()> {
    let path = shipped(name);
    fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    println!("{name}: {} bytes", bytes.len());
    Ok(())
}

fn build_wordnet(folder: &str) -> Result<()> {
    let built = wordnet::build(std::path::Path::new(folder))?;
    write("wordnet.bin.z", &built.net)?;
    write("glosses.txt.z", &built.glosses)?;
    write("exceptions.txt.z", &built.exceptions)
}

fn train_lingua(parts: &[String]) -> Result<()> {
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|name| name == part);
    let data = data_folder();
    let begin = Instant::now();
    if wanted("words") {
        write("words.bin", &word_list::build(&data.join("glove/glove.6B.50d.nli.txt.gz"))?)?;
    }
    let words = WordList::from_bytes(&fs::read(shipped("words.bin"))?).context("words.bin is broken; run train-lingua words")?;
    let seed = Seed::new(5);
    let train = training_sentences()?;
    let dev = treebank::sentences(&treebank::read_rows(&data.join("ud/en_ewt-dev.conllu.gz"))?);
    println!("{} training sentences, {} words ({:.0?})", train.len(), train.iter().map(|(_, s)| s.len()).sum::<usize>(), begin.elapsed());
    let sentences: Vec<Sentence> = train.iter().map(|(_, sentence)| sentence.clone()).collect();
    if wanted("tagger") {
        write("tagger.bin", &tagger::train(&words, &sentences, tagger::Settings::default(), seed.child("tagger")))?;
    }
    let tagger = Tagger::from_bytes(&fs::read(shipped("tagger.bin"))?).context("tagger.bin is broken; run train-lingua tagger")?;
    println!("tags right on EWT dev: {:.2} % ({:.0?})", 100.0 * tagger::accuracy(&words, &tagger, &dev), begin.elapsed());
    if wanted("names") {
        train_names(&words, &tagger, seed.child("names"))?;
    }
    if wanted("parser") {
        let tags = jackknifed_tags(&words, &train, seed.child("jackknife"));
        println!("tags for the parser's training are made ({:.0?})", begin.elapsed());
        let bytes = parser::train(&words, &sentences, &tags, parser::Settings::default(), seed.child("parser"), |round, loss, parser| {
            let score = score::attachment(&words, &tagger, parser, &dev);
            println!("round {round}: loss {loss:.3}, EWT dev {score} ({:.0?})", begin.elapsed());
        });
        write("parser.bin", &bytes)?;
        let parser = Parser::from_bytes(&bytes).context("the parser does not survive its bytes")?;
        println!("as shipped: EWT dev {}", score::attachment(&words, &tagger, &parser, &dev));
    }
    Ok(())
}

fn train_names(words: &WordList, tagger: &Tagger, seed: Seed) -> Result<()> {
    let data = data_folder();
    let mut train = names::read(&data.join("ner/wikigold.conll.gz"))?;
    train.extend(names::read(&data.join("ner/uner_ewt_dev.iob2.gz"))?);
    train.extend(names::read(&data.join("ner/wnut17_train.conll.gz"))?);
    // Every tenth sentence of the first corpus is held out to measure on.
    let held: Vec<names::Sentence> = train.iter().take(1800).step_by(10).cloned().collect();
    let mut place = 0;
    train.retain(|_| {
        place += 1;
        (place - 1) % 10 != 0 || place > 1800
    });
    let bytes = names::train(words, tagger, &train, seed);
    write("names.bin", &bytes)?;
    let finder = NameFinder::from_bytes(&bytes).context("the finder of names does not survive its bytes")?;
    println!("names, held-out wikigold: {}", names::score(words, tagger, &finder, &held));
    println!("names, UNER EWT test: {}", names::score(words, tagger, &finder, &names::read(&data.join("ner/uner_ewt_test.iob2.gz"))?));
    Ok(())
}

/// Tags for the parser to be trained on: each fifth of the sentences tagged by a tagger that has not seen it, so that the
/// parser meets the mistakes it will meet at work.
fn jackknifed_tags(words: &WordList, train: &[(usize, Sentence)], seed: Seed) -> Vec<Vec<Tag>> {
    const PARTS: usize = 5;
    let mut tags = vec![Vec::new(); train.len()];
    for part in 0..PARTS {
        let others: Vec<Sentence> =
            train.iter().filter(|(source, _)| source % PARTS != part).map(|(_, sentence)| sentence.clone()).collect();
        let settings = tagger::Settings { rounds: 6, ..tagger::Settings::default() };
        let bytes = tagger::train(words, &others, settings, seed.child(&part.to_string()));
        let tagger = Tagger::from_bytes(&bytes).expect("a tagger survives its bytes");
        for (tags, (_, sentence)) in tags.iter_mut().zip(train).filter(|(_, (source, _))| source % PARTS == part) {
            *tags = tagger.tag(&words.sight(sentence.iter().map(|word| word.form.as_str())));
        }
    }
    tags
}

/// The treebanks, with variants of some sentences: as spoken, without the final stop, with hyphenated words in one piece.
/// Each comes with the number of the sentence it is made from.
fn training_sentences() -> Result<Vec<(usize, Sentence)>> {
    let data = data_folder();
    let mut rows = treebank::read_rows(&data.join("ud/en_ewt-train.conllu.gz"))?;
    rows.extend(treebank::read_rows(&data.join("ud/en_gum_open.conllu.gz"))?);
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
    Ok(all)
}
