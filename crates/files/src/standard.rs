//! Standard output, which a program may be started without.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// The standard library opens `/dev/null` in place of a closed standard output before `main` begins, so that only the program can know.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Notes that the program was started with its standard output closed (`>&-`); writing to it is an error from now on.
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
