//! Standard output, which may be closed when a program starts.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// The standard library opens `/dev/null` in place of a closed standard output before `main`, so the program itself has to remember it.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Records that the program was started with standard output closed (`>&-`); writing to it is an error from now on.
pub fn note_closed_standard_output() {
    CLOSED.store(true, Ordering::Relaxed);
}

/// Standard output, unless it is closed.
pub fn standard_output() -> io::Result<io::Stdout> {
    if CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout())
}
