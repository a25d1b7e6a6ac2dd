//! Catches panics of libraries on damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread is caught and reported as a damaged file, so that a panic hook need not print it.
pub fn panics_are_caught() -> bool {
    CAUGHT.get()
}

/// The result of the work; `None` if it panics, after which its inputs must not be used any more.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    CAUGHT.set(before);
    done
}
