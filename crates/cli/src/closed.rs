//! Detects whether the program was started with standard output closed.
//!
//! Rust's runtime replaces a closed standard output by `/dev/null`, and everything written would be lost without an error. The linker's list of
//! initialisers runs before that.

use std::ffi::c_int;

#[allow(unsafe_code)]
unsafe extern "C" {
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
}

const STANDARD_OUTPUT: c_int = 1;
/// `F_GETFD`, which fails for a closed descriptor; the number is the same on every Unix.
const F_GETFD: c_int = 1;

#[used]
#[allow(unsafe_code)]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    // Only calls `fcntl` and stores a flag; no Rust state is touched before the runtime is up.
    #[allow(unsafe_code)]
    let flags = unsafe { fcntl(STANDARD_OUTPUT, F_GETFD) };
    if flags == -1 {
        acidtest_files::note_closed_standard_output();
    }
}
