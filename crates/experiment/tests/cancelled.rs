//! Every loop over examples can be cancelled by the caller.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_corpus::embedded_sample;
use acidtest_experiment::spec::DataSpec;
use acidtest_experiment::{
    Data, Destination, Error, OldParts, Session, SplitFolder, SplitInto, annotation_tags, convert, pairs_of, sample, split, statistics,
};
use acidtest_survey::annotation::AnnotationMode;
use acidtest_threads::Threads;
use std::path::Path;
use std::sync::atomic::AtomicBool;

static CANCELLED: AtomicBool = AtomicBool::new(true);

fn session(cancel: &AtomicBool) -> Session<'_> {
    let threads = Threads::new(2.try_into().unwrap()).unwrap();
    Session { threads, cancel, ..Session::quiet().unwrap() }
}

fn files() -> Data {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl");
    DataSpec::of_files([sample]).resolve_text().unwrap()
}

#[track_caller]
fn check<T>(result: Result<T, Error>) {
    assert!(matches!(result.err(), Some(Error::Cancelled(_))));
}

#[test]
fn loading_and_the_corpus_tools_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.jsonl");
    let to = Destination::new(&output, None).unwrap();
    let session = session(&CANCELLED);
    check(files().load(&session));
    check(pairs_of(files(), &session));
    check(convert(files(), to, &session));
    check(sample(files(), 3, 1, to, &session));
    check(split(
        files(),
        &SplitInto::Values("genre".to_string()),
        1,
        SplitFolder { path: &folder.path().join("parts"), old: OldParts::Refused },
        &session,
    ));
    check(statistics(files(), &session));
    let free = AtomicBool::new(false);
    let mut data = files().load(&self::session(&free)).unwrap();
    check(annotation_tags(&mut data, AnnotationMode::Clean, None, &session));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn examples_in_memory_are_read_like_those_of_files() {
    let free = AtomicBool::new(false);
    let session = session(&free);
    let read = |data: Data| statistics(data, &session).unwrap().sections;
    let memory = Data::Examples(embedded_sample(), Vec::new());
    assert_eq!(format!("{:?}", read(memory.clone())), format!("{:?}", read(files())).replace("sample.jsonl", "examples in memory"));
    let cancelled = self::session(&CANCELLED);
    check(convert(memory, Destination::new(Path::new("-"), None).unwrap(), &cancelled));
}
