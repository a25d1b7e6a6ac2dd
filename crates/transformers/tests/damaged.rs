//! Damaged folders: each is refused in one line that names the file and says what to do, quickly and without taking much memory.
#![allow(clippy::unwrap_used)] // A test that cannot prepare its folder has failed.
#![allow(unsafe_code)] // The allocator that counts.

mod damage;

use acidtest_neural::ComputePrecision;
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use acidtest_transformers::Transformer;
use damage::{Damage, Outcome};
use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Counts the bytes in use and the most that were.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(used, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the regular expressions, the buffers and the threads of the smallest model take.
const FIXED_MEMORY: usize = 16 << 20;

fn copy(base: &str, to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(base);
    for entry in std::fs::read_dir(from).unwrap() {
        let file = entry.unwrap().path();
        if file.file_name().is_some_and(|name| name != "golden.json") {
            std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
        }
    }
}

fn size(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).unwrap().filter_map(|entry| std::fs::metadata(entry.unwrap().path()).ok());
    files.map(|file| file.len() as usize).sum()
}

/// What is wrong with how a damaged folder is treated.
fn complaint(case: &Damage, threads: &Threads) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    copy(case.base, folder.path());
    (case.damage)(folder.path());
    let (start, before) = (Instant::now(), USED.load(Relaxed));
    MOST.store(before, Relaxed);
    let opened = std::panic::catch_unwind(AssertUnwindSafe(|| Transformer::open(folder.path(), None, ComputePrecision::F32, threads)));
    let (time, memory) = (start.elapsed(), MOST.load(Relaxed) - before);
    let Ok(opened) = opened else { return Some("panics".to_owned()) };
    if time > Duration::from_secs(1) {
        return Some(format!("takes {time:?}"));
    }
    if memory > 8 * size(folder.path()) + FIXED_MEMORY {
        return Some(format!("takes {memory} bytes"));
    }
    match (opened, &case.outcome) {
        (Ok(_), Outcome::Refused { .. }) => Some("is opened".to_owned()),
        (Ok(model), Outcome::Opened) => {
            let pair = Pair::plain("A man is playing.", "The dog is not sleeping.");
            let features = model.subwords.encode_all(&[pair]).unwrap();
            let scores = model.classifier.scores(&features.iter().collect::<Vec<_>>()).unwrap();
            (!scores.data.iter().all(|score| score.is_finite())).then(|| format!("gives {:?}", scores.data))
        }
        (Err(error), Outcome::Opened) => Some(format!("is refused: {error}")),
        (Err(error), Outcome::Refused { file, part }) => {
            let message = error.to_string();
            let named = if file.is_empty() { folder.path().to_owned() } else { folder.path().join(file) }.display().to_string();
            let says = message.starts_with(&format!("{named}:")) && message.contains(part) && !message.contains('\n');
            // What to do stands after the problem.
            let remedy = [";", "expected", "convert it", "supported:"].iter().any(|word| message.contains(word));
            (!says || !remedy).then(|| format!("should name {file} and say `{part}`: {message}"))
        }
    }
}

#[test]
fn damaged_folders_are_refused_in_one_line() {
    let threads = Threads::new(2.try_into().unwrap()).unwrap();
    let cases = damage::all();
    assert!(cases.len() >= 50, "{}", cases.len());
    let mut names: Vec<&str> = cases.iter().map(|case| case.what).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "two kinds of damage have the same name");
    let complaints: Vec<String> = cases.iter().filter_map(|case| Some(format!("{}: {}", case.what, complaint(case, &threads)?))).collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), cases.len(), complaints.join("\n"));
}
