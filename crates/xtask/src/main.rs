//! Work on the repository itself. `cargo xtask` lists the commands.

mod corpora;
mod leanings;
mod lemmas;
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
    words::{SurfaceFeatures, WordList},
};
use acidtest_nli::Seed;
use anyhow::{Context, Result, bail};
use corpora::{Part, data_folder};
use std::{fs, path::PathBuf, time::Instant};
use treebank::Sentence;

const USAGE: &str = "usage: cargo xtask COMMAND

  train-lingua [words] [lemmas] [tagger] [names] [parser]
                                                   train the shipped models (all of them by default)
  train-lingua eagerness                           show how eager the finder of names should be, by cross-validation
  score-lingua [quality|speed|tokens|names|lemmas] [dev|test|news]
                                                   measure the shipped models on EWT, or on news that are held out
  build-wordnet FOLDER                             build the shipped WordNet from the dict files of WordNet 3.0
  build-dictionary FILE                            build the shipped spelling dictionary from a word list, one word per line

ACIDTEST_DATA names the folder with the treebanks and vectors (default ../shared/data).";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((command, parts)) if command == "train-lingua" => train_lingua(parts),
        Some((command, [folder])) if command == "build-wordnet" => build_wordnet(folder),
        Some((command, [file])) if command == "build-dictionary" => build_dictionary(file),
        Some((command, rest)) if command == "score-lingua" => {
            let topic = rest.iter().find_map(|topic| report::ReportTopic::from_name(topic)).unwrap_or(report::ReportTopic::Quality);
            let part = rest.iter().find_map(|part| Part::from_name(part)).unwrap_or(Part::Test);
            report::print(part, topic)
        }
        _ => bail!(USAGE),
    }
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

/// Keeps lower-case words only: no names, no abbreviations, no possessives.
fn build_dictionary(file: &str) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| file.to_string())?;
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words: std::collections::BTreeSet<&str> = text.lines().filter(is_word).collect();
    let lines: String = words.iter().map(|word| format!("{word}\n")).collect();
    write("english_words.txt.z", &wordnet::deflate(lines.as_bytes())?)
}

fn train_lingua(parts: &[String]) -> Result<()> {
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|name| name == part);
    let data = data_folder();
    let begin = Instant::now();
    if wanted("words") {
        write("words.bin", &word_list::build(&data.join("glove/glove.6B.50d.nli.txt.gz"))?)?;
    }
    let words = WordList::from_bytes(fs::read(shipped("words.bin"))?).context("words.bin is broken; run train-lingua words")?;
    let seed = Seed::new(5);
    let rows = corpora::training()?;
    if wanted("lemmas") {
        write("lemmas.txt", lemmas::learn(&rows).as_bytes())?;
    }
    let train = corpora::with_variants(&rows);
    let dev = treebank::sentences(&corpora::held_out(Part::Dev)?);
    println!("{} training sentences, {} words ({:.0?})", train.len(), train.iter().map(|(_, s)| s.len()).sum::<usize>(), begin.elapsed());
    let sentences: Vec<Sentence> = train.iter().map(|(_, sentence)| sentence.clone()).collect();
    if wanted("tagger") {
        write("tagger.bin", &tagger::train(&words, &sentences, tagger::Settings::default(), seed.child("tagger")))?;
    }
    let tagger = Tagger::from_bytes(fs::read(shipped("tagger.bin"))?).context("tagger.bin is broken; run train-lingua tagger")?;
    println!("tags right on EWT dev: {:.2} % ({:.0?})", 100.0 * tagger::accuracy(&words, &tagger, &dev), begin.elapsed());
    let news = treebank::sentences(&corpora::held_out(Part::News)?);
    println!("tags right on news: {:.2} %", 100.0 * tagger::accuracy(&words, &tagger, &news));
    if wanted("names") {
        train_names(&words, &tagger, seed.child("names"))?;
    }
    if parts.iter().any(|part| part == "eagerness") {
        try_eagerness(&words, &tagger, seed.child("names"))?;
    }
    if wanted("parser") {
        let tags = jackknifed_tags(&words, &train, seed.child("jackknife"));
        println!("tags for the parser's training are made ({:.0?})", begin.elapsed());
        let surfaces: Vec<Vec<SurfaceFeatures>> = sentences.iter().map(|sentence| tagger::surfaces(&words, &tagger, sentence)).collect();
        let material = parser::Material { list: &words, sentences: &sentences, surfaces: &surfaces, tags: &tags };
        let bytes = parser::train(&material, parser::Settings::default(), seed.child("parser"), |round, loss, parser| {
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
    let (wikigold, held) = names::wikigold(&data)?;
    let web = names::read(&data.join("ner/uner_ewt_dev.iob2.gz"))?;
    let messages = names::read(&data.join("ner/wnut17_train.conll.gz"))?;
    let train = names::training(&wikigold, &web, &messages);
    let bytes = names::train(words, tagger, &train, names::Settings::default(), seed);
    write("names.bin", &bytes)?;
    let finder = NameFinder::from_bytes(bytes).context("the finder of names does not survive its bytes")?;
    let score = |sentences: &[names::NameSentence]| {
        let mut score = names::Score::default();
        score.add(words, tagger, &finder, sentences);
        score
    };
    println!("names, held-out wikigold: {}", score(&held));
    println!("names, UNER EWT test: {}", score(&names::read(&data.join("ner/uner_ewt_test.iob2.gz"))?));
    Ok(())
}

/// Chooses the bias towards names by cross-validation on the web text.
fn try_eagerness(words: &WordList, tagger: &Tagger, seed: Seed) -> Result<()> {
    const PARTS: usize = 3;
    let data = data_folder();
    let (wikigold, _) = names::wikigold(&data)?;
    let web = names::read(&data.join("ner/uner_ewt_dev.iob2.gz"))?;
    let messages = names::read(&data.join("ner/wnut17_train.conll.gz"))?;
    for eagerness in [0.0, 2.0, 4.0, 6.0, 8.0] {
        let settings = names::Settings { eagerness, ..names::Settings::default() };
        let mut score = names::Score::default();
        for part in 0..PARTS {
            let others = web.iter().enumerate().filter(|(number, _)| number % PARTS != part).map(|(_, sentence)| sentence.clone());
            let train = names::training(&wikigold, &others.collect::<Vec<_>>(), &messages);
            let bytes = names::train(words, tagger, &train, settings, seed);
            let finder = NameFinder::from_bytes(bytes).context("the finder of names does not survive its bytes")?;
            let own: Vec<names::NameSentence> = web.iter().skip(part).step_by(PARTS).cloned().collect();
            score.add(words, tagger, &finder, &own);
        }
        println!("eagerness {eagerness}: {score}");
    }
    Ok(())
}

/// Tags for training the parser: each third of the sentences is tagged by a tagger trained on the other two, so that the
/// parser learns from realistic tagging errors.
fn jackknifed_tags(words: &WordList, train: &[(usize, Sentence)], seed: Seed) -> Vec<Vec<Tag>> {
    const PARTS: usize = 3;
    let mut tags = vec![Vec::new(); train.len()];
    for part in 0..PARTS {
        let others: Vec<Sentence> =
            train.iter().filter(|(source, _)| source % PARTS != part).map(|(_, sentence)| sentence.clone()).collect();
        let settings = tagger::Settings { rounds: 3, ..tagger::Settings::default() };
        let bytes = tagger::train(words, &others, settings, seed.child(&part.to_string()));
        let tagger = Tagger::from_bytes(bytes).expect("a tagger survives its bytes");
        for (tags, (_, sentence)) in tags.iter_mut().zip(train).filter(|(_, (source, _))| source % PARTS == part) {
            *tags = tagger.tag(&tagger::surfaces(words, &tagger, sentence));
        }
    }
    tags
}
