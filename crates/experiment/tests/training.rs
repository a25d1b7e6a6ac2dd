//! Training through the library: examples in memory, cancelling and resuming, and unique ids.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_corpus::embedded_sample;
use acidtest_experiment::spec::{AugmentSpec, DataSpec, TrainSpec};
use acidtest_experiment::training::{NetworkOutcome, TrainingEvent};
use acidtest_experiment::{Data, Error, Event, Observer, Session, TrainRequest, TrainingOutcome, train};
use serde_json::{Map, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn sample() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl")
}

fn spec(model: &str, output: &Path) -> TrainSpec {
    let small = [("hidden", json!(8)), ("embedding_dimension", json!(8)), ("epochs", json!(2))];
    let settings = if model == "lexical" { Map::new() } else { small.map(|(key, value)| (key.to_string(), value)).into_iter().collect() };
    let train = DataSpec::of_files([sample()]);
    TrainSpec { model: model.to_string(), settings, train, output: output.to_path_buf(), ..TrainSpec::default() }
}

/// Cancels after this many steps; any event before the first step counts as one.
struct CancelAfter {
    steps: AtomicBool,
    cancel: AtomicBool,
}

impl Observer for CancelAfter {
    fn notice(&self, event: Event<'_>) {
        if matches!(event, Event::Training(TrainingEvent::Step(_))) && self.steps.swap(true, Ordering::Relaxed) {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

fn weights(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("weights.safetensors")).unwrap()
}

#[test]
fn examples_in_memory_train_the_same_model_as_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::quiet().unwrap();
    for (model, file) in [("cbow", "weights.safetensors"), ("lexical", "weights.bin")] {
        let [of_file, of_memory] = ["file", "memory"].map(|name| folder.path().join(format!("{model}-{name}")));
        train(spec(model, &of_file).resolve().unwrap(), &session).unwrap();
        let memory = Data::Examples(embedded_sample(), Vec::new());
        let request = TrainRequest { train: memory, ..spec(model, &of_memory).resolve().unwrap() };
        train(request, &session).unwrap();
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert!(read(&of_file) == read(&of_memory), "{model}");
    }
}

#[test]
fn a_cancelled_training_run_resumes_to_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cancelled] = ["whole", "cancelled"].map(|name| folder.path().join(name));
    let session = Session::quiet().unwrap();
    train(spec("cbow", &whole).resolve().unwrap(), &session).unwrap();
    let observer = CancelAfter { steps: AtomicBool::new(false), cancel: AtomicBool::new(false) };
    let stopped = Session { observer: &observer, cancel: &observer.cancel, ..Session::quiet().unwrap() };
    let result = train(spec("cbow", &cancelled).resolve().unwrap(), &stopped);
    assert!(matches!(result.err(), Some(Error::Cancelled(_))));
    assert!(!cancelled.join("model.json").exists());
    let TrainingOutcome::Network(NetworkOutcome::Trained(_)) = train(spec("cbow", &cancelled).resolve().unwrap(), &session).unwrap() else {
        panic!("a network that was not trained yet")
    };
    assert!(weights(&whole) == weights(&cancelled));
}

#[test]
fn a_cancelled_session_trains_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = AtomicBool::new(true);
    let session = Session { cancel: &cancel, ..Session::quiet().unwrap() };
    for model in ["cbow", "lexical"] {
        let output = folder.path().join(model);
        assert!(matches!(train(spec(model, &output).resolve().unwrap(), &session).err(), Some(Error::Cancelled(_))), "{model}");
        assert!(!output.exists(), "{model}");
    }
}

#[test]
fn a_network_that_is_too_large_for_the_machine_is_refused_with_the_figure() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session { memory: Some(10_000), ..Session::quiet().unwrap() };
    let output = folder.path().join("model");
    let message = train(spec("cbow", &output).resolve().unwrap(), &session).err().unwrap().to_string();
    assert!(message.starts_with("training this network needs about 0.0 GB of memory, and only 0.0 GB are available"), "{message}");
    assert!(!output.exists());
}

#[test]
fn an_id_in_two_training_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.jsonl");
    std::fs::copy(sample(), &copy).unwrap();
    let session = Session::quiet().unwrap();
    for model in ["cbow", "lexical"] {
        for files in [[sample(), copy.clone()], [sample(), sample()]] {
            let spec = TrainSpec { train: DataSpec::of_files(files), ..spec(model, &folder.path().join(model)) };
            let refused = train(spec.resolve().unwrap(), &session).err().unwrap().to_string();
            assert!(refused.contains("duplicate id") && refused.contains("first seen at line 1"), "{model}: {refused}");
        }
        // Development files may repeat them.
        let dev = DataSpec::of_files([copy.clone()]);
        let spec = TrainSpec { dev, ..spec(model, &folder.path().join(model)) };
        train(spec.resolve().unwrap(), &session).unwrap();
    }
}

#[test]
fn repeated_examples_are_augmented_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::quiet().unwrap();
    let added = |name: &str, examples: Vec<acidtest_nli::Example<'static>>| {
        let augment = vec![AugmentSpec::parse("negation=all").unwrap()];
        let request = TrainSpec { augment, ..spec("cbow", &folder.path().join(name)) }.resolve().unwrap();
        let request = TrainRequest { train: Data::Examples(examples, Vec::new()), ..request };
        let TrainingOutcome::Network(NetworkOutcome::Trained(trained)) = train(request, &session).unwrap() else {
            panic!("a network that was not trained yet")
        };
        trained.augmented["negation"]
    };
    let mut once: Vec<_> = embedded_sample().into_iter().take(20).collect();
    for example in &mut once {
        example.pair.id = acidtest_nli::content_id(&example.pair.premise.text, &example.pair.hypothesis.text).into();
    }
    let twice: Vec<_> = once.iter().chain(&once).cloned().collect();
    let (once, twice) = (added("once", once), added("twice", twice));
    assert!(once > 0 && twice == 2 * once, "{once} and {twice}");
}
