//! Training and prediction from end to end.

use super::*;
use acidtest_nli::{Label, Seed, Sentence};
use acidtest_threads::Threads;
use std::path::PathBuf;

const NOUNS: [&str; 8] = ["dog", "cat", "man", "woman", "child", "horse", "car", "house"];
const VERBS: [&str; 6] = ["runs", "sleeps", "sits", "stands", "eats", "waits"];

fn pool(threads: usize) -> Threads {
    Threads::new(threads.try_into().unwrap()).unwrap()
}

fn sentence(noun: &str, verb: &str, not: &str) -> Sentence<'static> {
    let parse = format!("(ROOT (S (NP (DT The) (NN {noun})) (VP (VBZ {verb}){not}) (. .)))");
    let words: Vec<&str> = acidtest_lingua::tree::scan_leaves(&parse).map(|leaf| leaf.word).collect();
    Sentence { text: words.join(" ").into(), parse: Some(parse.into()), binary_parse: None }
}

/// Pairs whose label follows from the words, except every seventh.
fn rows() -> Vec<(Pair<'static>, Label)> {
    let mut rng = Seed::new(3).rng();
    let mut rows = Vec::new();
    for number in 0..300 {
        let [noun, other] = [(); 2].map(|()| NOUNS[rng.below(NOUNS.len())]);
        let [verb, second] = [(); 2].map(|()| VERBS[rng.below(VERBS.len())]);
        let not = if rng.below(3) == 0 { " (RB not)" } else { "" };
        let label = if !not.is_empty() {
            Label::Contradiction
        } else if noun == other {
            Label::Entailment
        } else {
            Label::Neutral
        };
        let label = if number % 7 == 0 { Label::ALL[rng.below(3)] } else { label };
        rows.push((
            Pair { id: number.to_string().into(), premise: sentence(noun, verb, ""), hypothesis: sentence(other, second, not) },
            label,
        ));
    }
    rows
}

fn trained(settings: LexicalSettings, threads: usize) -> TrainedLexicalModel {
    let mut trainer = LexicalTrainer::new(Variant::Lexical, settings, Seed::new(1)).unwrap();
    let (mut train, mut dev) = (trainer.batch(), trainer.batch());
    for (number, (pair, label)) in rows().iter().enumerate() {
        let batch = if number % 5 == 0 { &mut dev } else { &mut train };
        batch.add(pair, Some(*label));
    }
    trainer.learn(&train);
    trainer.hold_out(dev);
    trainer.train(&pool(threads), &|_| (), &|| false).unwrap()
}

fn written(settings: LexicalSettings, threads: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    trained(settings, threads).write(&path, &Sources::default()).unwrap();
    (folder, path)
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let settings = || LexicalSettings { folds: 3, ..LexicalSettings::default() };
    let (_keep, one) = written(settings(), 1);
    let (_keep_too, three) = written(settings(), 3);
    let names: Vec<String> = files(&one).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["folds.bin", "model.json", "seen.bin", "weights.bin"]);
    assert_eq!(files(&one), files(&three));
}

#[test]
fn the_written_model_has_the_dev_accuracy_it_reports() {
    let settings = LexicalSettings { penalty: Some(0.5), ..LexicalSettings::default() };
    let (_keep, path) = written(settings, 1);
    let model = LexicalModel::load(&path).unwrap();
    let dev: Vec<(Pair<'_>, Label)> = rows().into_iter().step_by(5).collect();
    let pairs: Vec<Pair<'_>> = dev.iter().map(|(pair, _)| pair.clone()).collect();
    let answers = model.predictions(&pairs).unwrap();
    let right = answers.iter().zip(&dev).filter(|(answer, (_, label))| answer.answer == (*label).into()).count();
    assert_eq!(right as u64, model.about().dev_right);
    assert!(right * 10 > dev.len() * 7, "{right} of {}", dev.len());
    for (answer, pair) in answers.iter().zip(&pairs) {
        assert_eq!(answer.scores, Some(model.probabilities(pair).into()));
        assert!((model.probabilities(pair).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn an_explanation_adds_up_to_the_probabilities() {
    let (_keep, path) = written(LexicalSettings { penalty: Some(0.5), ..LexicalSettings::default() }, 1);
    let model = LexicalModel::load(&path).unwrap();
    let pair = Pair { id: "new".into(), premise: sentence("dog", "runs", ""), hypothesis: sentence("dog", "sleeps", " (RB not)") };
    let Explanation { probabilities, bias, features } = model.explain(&pair);
    assert_eq!(probabilities, model.probabilities(&pair));
    let mut scores = bias;
    for push in &features {
        (0..3).for_each(|label| scores[label] += push.weights[label]);
    }
    let again = softmax(scores).1;
    assert!((0..3).all(|label| (again[label] - probabilities[label]).abs() < 1e-9));
    assert!(features.is_sorted_by(|a, b| a.size() >= b.size()));
    assert_eq!(features[0].feature, Feature::Hypothesis("not".to_string()));
    assert!(features[0].weights[Label::Contradiction.index()] > 0.0);
}

#[test]
fn training_examples_are_scored_by_a_model_that_did_not_see_their_premise() {
    let (_keep, path) = written(LexicalSettings { penalty: Some(0.5), folds: 4, ..LexicalSettings::default() }, 2);
    let model = LexicalModel::load(&path).unwrap();
    let rows = rows();
    let (seen, new) = (&rows[1].0, Pair::plain("A bird sings.", "It is loud."));
    assert!(model.saw(seen) && !model.saw(&new));
    assert_eq!(model.unseen_probabilities(&new).unwrap(), model.probabilities(&new));
    // The fold model equals a model that was trained on the other premises only.
    let fold = fold_of(premise_hash(seen), 4);
    let mut trainer = LexicalTrainer::new(
        Variant::Lexical,
        LexicalSettings { penalty: Some(0.5), tolerance: 1e-6, ..LexicalSettings::default() },
        Seed::new(9),
    )
    .unwrap();
    let mut batch = trainer.batch();
    for (number, (pair, label)) in rows.iter().enumerate() {
        if number % 5 != 0 && fold_of(premise_hash(pair), 4) != fold {
            batch.add(pair, Some(*label));
        }
    }
    trainer.learn(&batch);
    let alone = path.with_file_name("alone");
    trainer.train(&pool(1), &|_| (), &|| false).unwrap().write(&alone, &Sources::default()).unwrap();
    let alone = LexicalModel::load(&alone).unwrap();
    let (found, expected) = (model.unseen_probabilities(seen).unwrap(), alone.probabilities(seen));
    assert!((0..3).all(|label| (found[label] - expected[label]).abs() < 0.02), "{found:?} {expected:?}");
    assert_ne!(found, model.probabilities(seen));
    // A slightly changed pair counts as seen too, because of its premise.
    let changed = Pair { hypothesis: sentence("dog", "sleeps", " (RB not)"), ..seen.clone() };
    assert!(!model.saw(&changed));
    assert_ne!(model.unseen_probabilities(&changed).unwrap(), model.probabilities(&changed));
}

#[test]
fn a_model_that_never_saw_a_word_does_not_name_it() {
    let pair = Pair { id: "zebra".into(), premise: sentence("zebra", "runs", ""), hypothesis: sentence("dog", "sleeps", "") };
    let settings = LexicalSettings { penalty: Some(0.5), folds: 2, ..LexicalSettings::default() };
    let mut trainer = LexicalTrainer::new(Variant::Lexical, settings, Seed::new(1)).unwrap();
    let mut batch = trainer.batch();
    batch.add(&pair, Some(Label::Neutral));
    rows().iter().for_each(|(pair, label)| batch.add(pair, Some(*label)));
    trainer.learn(&batch);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    trainer.train(&pool(1), &|_| (), &|| false).unwrap().write(&path, &Sources::default()).unwrap();
    let model = LexicalModel::load(&path).unwrap();
    let names_it = |why: Explanation| why.features.iter().any(|push| push.feature == Feature::Premise("zebra".to_string()));
    assert!(names_it(model.explain(&pair)) && !names_it(model.unseen_explain(&pair).unwrap()));
}

#[test]
fn an_error_explains_how_to_train_with_folds() {
    let (_keep, path) = written(LexicalSettings { penalty: Some(0.5), ..LexicalSettings::default() }, 1);
    let message = LexicalModel::load(&path).unwrap().unseen_probabilities(&rows()[1].0).unwrap_err().to_string();
    assert!(message.contains("trained on example `1`") && message.contains("folds"), "{message}");
}

#[test]
fn a_broken_folder_is_refused_by_name() {
    let (_keep, path) = written(LexicalSettings { penalty: Some(0.5), folds: 2, ..LexicalSettings::default() }, 1);
    for (name, bytes) in files(&path) {
        let refused = |bytes: &[u8]| {
            std::fs::write(path.join(&name), bytes).unwrap();
            let message = LexicalModel::load(&path).err().unwrap_or_else(|| panic!("{name} was taken")).to_string();
            assert!(message.contains(&name), "{name}: {message}");
            assert_eq!(message.lines().count(), 1);
        };
        refused(&bytes[..bytes.len() / 2]);
        refused(b"");
        let step = (bytes.len() * 8 / 400).max(1);
        for bit in (0..bytes.len() * 8).step_by(step) {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            refused(&changed);
        }
        std::fs::remove_file(path.join(&name)).unwrap();
        assert!(LexicalModel::load(&path).is_err());
        std::fs::write(path.join(&name), bytes).unwrap();
    }
    assert!(LexicalModel::load(&path).is_ok());
    let about = std::fs::read_to_string(path.join("model.json")).unwrap();
    std::fs::write(path.join("model.json"), about.replace("\"format\": 3", "\"format\": 9")).unwrap();
    assert!(LexicalModel::load(&path).err().unwrap().to_string().contains("format 9"));
}

#[test]
fn files_of_another_model_are_refused() {
    let settings = |penalty| LexicalSettings { penalty: Some(penalty), folds: 2, ..LexicalSettings::default() };
    let ((_keep, path), (_keep_too, other)) = (written(settings(0.5), 1), written(settings(4.0), 1));
    for name in ["weights.bin", "folds.bin"] {
        let own = std::fs::read(path.join(name)).unwrap();
        std::fs::copy(other.join(name), path.join(name)).unwrap();
        assert!(LexicalModel::load(&path).err().unwrap().to_string().contains(name));
        std::fs::write(path.join(name), own).unwrap();
    }
    assert!(LexicalModel::load(&path).is_ok());
}

#[test]
fn a_folder_is_replaced_if_it_is_a_model_and_left_alone_if_not() {
    let (keep, path) = written(LexicalSettings { penalty: Some(0.5), ..LexicalSettings::default() }, 1);
    let again = trained(LexicalSettings { penalty: Some(4.0), ..LexicalSettings::default() }, 1);
    again.write(&path, &Sources::default()).unwrap();
    assert_eq!(LexicalModel::load(&path).unwrap().about().penalty, 4.0);
    let other = keep.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.txt"), "years of work").unwrap();
    assert!(again.write(&other, &Sources::default()).unwrap_err().to_string().contains("not a trained model"));
    assert!(again.write(&other.join("thesis.txt"), &Sources::default()).is_err());
    std::fs::write(other.join("model.json"), r#"{"format": "layers-model"}"#).unwrap();
    assert!(check_place(&other).unwrap_err().to_string().contains("not a trained model"), "a model of another program");
    std::fs::remove_file(other.join("model.json")).unwrap();
    let left: Vec<String> =
        std::fs::read_dir(keep.path()).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert_eq!(files(&other).len(), 1);
}

#[test]
fn training_needs_labelled_examples() {
    let mut trainer = LexicalTrainer::new(Variant::Lexical, LexicalSettings::default(), Seed::new(1)).unwrap();
    let mut batch = trainer.batch();
    batch.add(&Pair::plain("A dog.", "A cat."), None);
    trainer.learn(&batch);
    assert!(trainer.train(&pool(1), &|_| (), &|| false).unwrap_err().to_string().contains("(1 have none)"));
}
