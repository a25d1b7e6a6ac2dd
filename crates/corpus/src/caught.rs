//! Libraries that panic over damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread is caught and told as a damaged file, so that a panic hook need not print it.
pub fn panics_are_caught() -> bool {
    CAUGHT.get()
}

/// What the work gives; `None` where it panics. What the work was done on must not be used any more then.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    CAUGHT.set(before);
    done
}
