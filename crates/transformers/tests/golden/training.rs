//! Training and saving: the same bits for any number of threads and after an interruption, and folders that open again.

use super::*;
use acidtest_neural::parameters::{Parameter, ParameterUpdate};
use acidtest_nli::{Label, Seed};
use acidtest_transformers::{FineTuning, Outputs, TrainingStart};
use safetensors::SafeTensors;
use serde_json::{Value, json};
use tempfile::TempDir;

fn threads(count: usize) -> Threads {
    Threads::new(count.try_into().unwrap()).unwrap()
}

/// A copy of a folder with another config.json.
fn with_config(folder: &Path, change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in ["model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        std::fs::copy(folder.join(name), copy.path().join(name)).unwrap();
    }
    let mut config: Value = serde_json::from_slice(&std::fs::read(folder.join("config.json")).unwrap()).unwrap();
    change(config.as_object_mut().unwrap());
    std::fs::write(copy.path().join("config.json"), config.to_string()).unwrap();
    copy
}

/// A copy of a folder whose model has dropout everywhere.
fn with_dropout(folder: &Path) -> TempDir {
    with_config(folder, |config| {
        let rates = config.iter_mut().filter(|(key, value)| key.contains("dropout") && value.is_number());
        assert!(rates.map(|(_, rate)| *rate = json!(0.1)).count() > 1);
    })
}

/// Leaves tensors out of the weights of a folder.
fn leave_out(folder: &Path, left_out: impl Fn(&str) -> bool) {
    let path = folder.join("model.safetensors");
    let bytes = std::fs::read(&path).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let kept: Vec<_> = tensors.tensors().into_iter().filter(|(name, _)| !left_out(name)).collect();
    assert!(kept.len() < tensors.len());
    std::fs::write(&path, safetensors::serialize(kept, None).unwrap()).unwrap();
}

fn weights(trainer: &Trainer) -> Vec<(String, Vec<f32>)> {
    trainer.classifier().parameters().iter().map(|parameter| (parameter.name.clone(), parameter.value.data.clone())).collect()
}

fn start(labels: usize, seed: u64) -> TrainingStart {
    TrainingStart { labels: Some(labels), ..TrainingStart::new(Seed::new(seed)) }
}

fn seeded(folder: &Path, seed: u64, count: usize) -> Transformer {
    Transformer::for_training(folder, &start(3, seed), &threads(count)).unwrap()
}

#[test]
fn trained_weights_are_bit_identical_for_any_number_of_threads() {
    for folder in cases() {
        let (golden, folder) = (golden(&folder), with_dropout(&folder));
        let trained = |count: usize, seed: u64| {
            let model = seeded(folder.path(), seed, count);
            let inputs = training_batch(&model, &golden);
            let mut trainer = trainer(model, &golden.training);
            (0..3).for_each(|_| assert!(trainer.step(&inputs).is_ok()));
            weights(&trainer)
        };
        let alone = trained(1, 1);
        assert!(alone == trained(2, 1) && alone == trained(3, 1));
        assert!(alone != trained(1, 2), "the masks of dropout depend on the seed");
    }
}

#[test]
fn dropout_can_be_set_for_every_architecture() {
    for folder in cases() {
        let (golden, name, folder) = (golden(&folder), folder.display().to_string(), with_dropout(&folder));
        let loss = |dropout: f32, seed: u64| {
            let start = TrainingStart { dropout: Some(dropout), ..start(3, seed) };
            let model = Transformer::for_training(folder.path(), &start, &threads(1)).unwrap();
            let inputs = training_batch(&model, &golden);
            trainer(model, &golden.training).step(&inputs).unwrap().loss
        };
        assert_eq!(loss(0.0, 1), loss(0.0, 2), "{name}: no masks are drawn");
        assert_ne!(loss(0.5, 1), loss(0.5, 2), "{name}");
    }
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let checkpoint = tempfile::tempdir().unwrap();
    let path = checkpoint.path().join("state.safetensors");
    for folder in cases() {
        let (golden, folder) = (golden(&folder), with_dropout(&folder));
        let inputs = training_batch(&seeded(folder.path(), 1, 1), &golden);
        // Frozen weights are not in a checkpoint: they are those of the folder.
        let start = || {
            let mut model = seeded(folder.path(), 1, 2);
            model.prepare(&FineTuning { words: ParameterUpdate::Frozen, ..FineTuning::default() }).unwrap();
            trainer(model, &golden.training)
        };
        let steps = |trainer: &mut Trainer, count: usize| (0..count).for_each(|_| assert!(trainer.step(&inputs).is_ok()));
        let (mut undisturbed, mut stopped, mut resumed) = (start(), start(), start());
        steps(&mut undisturbed, 4);
        steps(&mut stopped, 2);
        stopped.save_state(&path, "two steps").unwrap();
        assert_eq!(resumed.load_state(&path).unwrap(), "two steps");
        steps(&mut resumed, 2);
        assert_eq!(weights(&undisturbed), weights(&resumed));
    }
}

#[test]
fn a_step_in_parts_is_that_of_the_whole_batch() {
    for folder in cases() {
        let golden = golden(&folder);
        let count = golden.training.batch.len();
        let gradients = |bounds: &[usize]| {
            let mut model = open(&folder, 2);
            let parts: Vec<Inputs> = bounds.windows(2).map(|range| training_part(&model, &golden, range[0]..range[1])).collect();
            let loss = model.classifier.loss_and_gradients_of_parts(&parts).unwrap();
            (loss, model.classifier.gradients().iter().map(|gradient| gradient.numbers().to_vec()).collect::<Vec<_>>())
        };
        let ((whole, all), (in_parts, sums)) = (gradients(&[0, count]), gradients(&[0, 1, 4, count]));
        check_close(&format!("{}: loss", folder.display()), &[in_parts], &[whole], 1e-6);
        assert_eq!(all.len(), sums.len());
        for (all, sums) in all.iter().zip(&sums) {
            check_close(&format!("{}: gradients", folder.display()), sums, all, 2e-5);
        }
    }
}

#[test]
fn a_saved_folder_opens_with_bit_identical_scores() {
    let variants = std::fs::read_dir(golden_folder().join("variants")).unwrap().map(|entry| entry.unwrap().path());
    let variants: Vec<(Golden, TempDir)> = variants
        .filter(|folder| !folder.ends_with("label-n"))
        .map(|folder| merged(&folder))
        .map(|(variant, merged)| (golden(&golden_folder().join(variant.base)), merged))
        .collect();
    let cases: Vec<(Golden, TempDir)> = cases().iter().map(|folder| (golden(folder), with_dropout(folder))).collect();
    for (golden, folder) in cases.iter().chain(&variants) {
        let mut model = open(folder.path(), 2);
        if model.outputs.count() == 3 {
            let inputs = training_batch(&model, golden);
            let mut trainer = trainer(model, &golden.training);
            (0..2).for_each(|_| assert!(trainer.step(&inputs).is_ok()));
            model = open(folder.path(), 2);
            model.classifier = trainer.into_classifier();
        }
        let saved = tempfile::tempdir().unwrap();
        let path = saved.path().join("model");
        model.save(&path).unwrap();
        let again = open(&path, 1);
        assert_eq!(again.outputs, model.outputs);
        let features = features(&model, &golden.pairs);
        assert_eq!(features, self::features(&again, &golden.pairs));
        let features: Vec<&PairFeatures> = features.iter().collect();
        assert_eq!(again.classifier.scores(&features).unwrap(), model.classifier.scores(&features).unwrap());
        // Saving once more changes nothing, even over the folder that it was opened from.
        let second = saved.path().join("again");
        again.save(&second).unwrap();
        again.save(&path).unwrap();
        for file in std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()) {
            assert!(std::fs::read(path.join(&file)).unwrap() == std::fs::read(second.join(&file)).unwrap(), "{}", file.display());
        }
    }
}

#[test]
fn frozen_layers_do_not_change_and_lower_ones_learn_slower() {
    for folder in cases() {
        let golden = golden(&folder);
        let mut model = open(&folder, 2);
        model.prepare(&FineTuning { layer_decay: 0.5, frozen_layers: 1, ..FineTuning::default() }).unwrap();
        let all: Vec<(String, ParameterUpdate, f32)> = model
            .classifier
            .parameters()
            .iter()
            .map(|Parameter { name, change, rate_factor, .. }| (name.clone(), *change, *rate_factor))
            .collect();
        let is_frozen = |name: &str| all.iter().any(|(own, change, _)| own == name && *change == ParameterUpdate::Frozen);
        let first = |name: &str| name.split('.').find_map(|part| part.parse::<usize>().ok()) == Some(0) && !name.contains("decoder");
        for (name, change, rate) in &all {
            let embeddings =
                ["word_embeddings", "tok_embeddings", "shared", "position", "rel_embeddings"].iter().any(|part| name.contains(part));
            assert_eq!(*change == ParameterUpdate::Frozen, first(name) || embeddings || is_frozen(name), "{name}");
            assert_eq!(*rate == 1.0, name.contains("classifi") || name.contains("pooler") || name.starts_with("head."), "{name}: {rate}");
        }
        let inputs = training_batch(&model, &golden);
        let mut trainer = trainer(model, &golden.training);
        let before = weights(&trainer);
        (0..2).for_each(|_| assert!(trainer.step(&inputs).is_ok()));
        for ((name, after), (_, before)) in weights(&trainer).iter().zip(&before) {
            assert_eq!(after == before, is_frozen(name), "{}: {name}", folder.display());
        }
        let gradients = trainer.classifier().gradients().iter().zip(&all);
        assert!(
            gradients.into_iter().all(|(gradient, (_, change, _))| (*change == ParameterUpdate::Frozen) == gradient.numbers().is_empty())
        );
    }
}

#[test]
fn rates_fall_layer_by_layer() {
    let mut model = open(&golden_folder().join("bart"), 1);
    model.prepare(&FineTuning { layer_decay: 0.5, ..FineTuning::default() }).unwrap();
    let rate = |name: &str| model.classifier.parameters().get(model.classifier.parameters().named(name).unwrap()).rate_factor;
    let names = ["classification_head.dense.bias", "model.decoder.layers.1.fc1.bias", "model.decoder.layers.0.fc1.bias"];
    assert_eq!(names.map(rate), [1.0, 0.5, 0.25]);
    let names = ["model.encoder.layers.1.fc1.bias", "model.encoder.layers.0.fc1.bias", "model.shared.weight"];
    assert_eq!(names.map(rate), [0.125, 0.0625, 0.03125]);
    let mut refused = |layer_decay, frozen_layers| {
        let settings = FineTuning { layer_decay, frozen_layers, ..FineTuning::default() };
        model.prepare(&settings).unwrap_err().to_string()
    };
    assert_eq!(refused(0.0, 0), "setting `layer_decay`: invalid value 0: expected a number above 0, at most 1");
    assert_eq!(refused(1.0, 5), "setting `frozen_layers`: invalid value 5 of 4 layers: expected at most as many layers as there are");
}

#[test]
fn a_missing_head_is_initialised_and_named() {
    let tensors_of = |case: &str| match case {
        "bert" => vec!["bert.pooler.dense", "classifier"],
        "distilbert" => vec!["pre_classifier", "classifier"],
        "albert" => vec!["albert.pooler", "classifier"],
        "deberta-v2" | "deberta-v3" => vec!["pooler.dense", "classifier"],
        "modernbert" | "modernbert-mean" => vec!["classifier"],
        "bart" => vec!["classification_head.dense", "classification_head.out_proj"],
        _ => vec!["classifier.dense", "classifier.out_proj"],
    };
    for folder in cases() {
        let (case, golden) = (folder.file_name().unwrap().to_string_lossy().into_owned(), golden(&folder));
        let encoder = with_config(&folder, |config| {
            config.remove("id2label");
            config.remove("label2id");
        });
        let stems = tensors_of(&case);
        let expected: Vec<String> = stems.iter().flat_map(|stem| [format!("{stem}.weight"), format!("{stem}.bias")]).collect();
        leave_out(encoder.path(), |name| expected.iter().any(|own| own == name));
        assert!(Transformer::open(encoder.path(), None, ComputePrecision::F32, &threads(1)).is_err());
        let opened = |seed: u64| Transformer::for_training(encoder.path(), &start(2, seed), &threads(2)).unwrap();
        let model = opened(1);
        assert_eq!(model.initialised(), expected, "{case}");
        let value = |model: &Transformer, name: &str| {
            let parameters = model.classifier.parameters();
            parameters.get(parameters.named(name).unwrap()).value.data.clone()
        };
        for name in &expected {
            let numbers = value(&model, name);
            if name.ends_with("bias") {
                assert!(numbers.iter().all(|&number| number == 0.0));
                continue;
            }
            let spread = (numbers.iter().map(|number| number * number).sum::<f32>() / numbers.len() as f32).sqrt();
            assert!((0.01..0.03).contains(&spread), "{case}: {name}: {spread}");
            assert_eq!(numbers, value(&opened(1), name));
            assert_ne!(numbers, value(&opened(2), name));
        }
        let saved = tempfile::tempdir().unwrap();
        model.save(saved.path()).unwrap();
        let again = open(saved.path(), 1);
        assert_eq!(again.outputs, Outputs::Two(0));
        let features = features(&model, &golden.pairs);
        let features: Vec<&PairFeatures> = features.iter().collect();
        assert_eq!(again.classifier.scores(&features).unwrap(), model.classifier.scores(&features).unwrap());
    }
}

#[test]
fn a_head_of_other_labels_is_initialised_and_one_of_the_same_is_put_in_our_order() {
    let model = |folder: &Path, classes| Transformer::for_training(folder, &start(classes, 1), &threads(1)).unwrap();
    for folder in cases() {
        let (golden, before) = (golden(&folder), open(&folder, 1));
        let other = model(&folder, 2);
        assert_eq!(other.initialised().len(), 2, "{:?}", other.initialised());
        let same = model(&folder, 3);
        assert!(same.initialised().is_empty());
        assert_eq!(same.outputs, Outputs::Three(Label::ALL));
        for features in features(&before, &golden.pairs) {
            let [old, new] = [&before, &same].map(|model| model.classifier.scores(&[&features]).unwrap().data);
            let Outputs::Three(order) = before.outputs else { panic!("three labels") };
            assert_eq!(order.map(|label| new[label.index()]), old.as_slice(), "{}", folder.display());
        }
    }
    let nameless = with_config(&golden_folder().join("bert"), |config| {
        config.insert("id2label".to_owned(), json!({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}));
    });
    assert_eq!(model(nameless.path(), 3).initialised(), ["classifier.weight", "classifier.bias"]);
    leave_out(nameless.path(), |name| name == "bert.encoder.layer.0.output.dense.weight");
    let refused = Transformer::for_training(nameless.path(), &start(3, 1), &threads(1)).err().unwrap().to_string();
    assert!(refused.contains("no tensor `bert.encoder.layer.0.output.dense.weight`"), "{refused}");
}
