//! Finding out whether the program was started without a standard output.
//!
//! Rust's start-up opens `/dev/null` in the place of a closed one, and everything written would be lost without an error. The linker's list of
//! initialisers runs before that.

use std::ffi::c_int;

#[allow(unsafe_code)]
unsafe extern "C" {
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
}

const STANDARD_OUTPUT: c_int = 1;
/// Asks for the flags of a descriptor, which fails where it is closed; the number is the same on every Unix.
const F_GETFD: c_int = 1;

#[used]
#[allow(unsafe_code)]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    // Reads nothing of ours and changes nothing.
    #[allow(unsafe_code)]
    let flags = unsafe { fcntl(STANDARD_OUTPUT, F_GETFD) };
    if flags == -1 {
        acidtest_files::note_closed_standard_output();
    }
}
