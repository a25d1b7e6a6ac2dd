//! Files and folders that appear complete or not at all, locks, and content hashes.
//!
//! Outputs are written next to their final place under a temporary name and renamed when they are complete. A program that is interrupted calls
//! [`remove_unfinished`] and leaves nothing behind; one that is killed leaves at most a file whose name begins with `.acidtest-`, never a
//! partial file under the final name.

mod error;
mod folder;
mod hash;
mod lock;
mod manifest;
mod output;
mod protect;
mod reserve;
mod spool;
mod standard;
mod temporary;

pub use error::FileError;
pub use folder::{MadeFolder, OutputFolder};
pub use hash::{ContentHash, ContentHasher};
pub use lock::{LockFile, lock};
pub use manifest::{FileHashes, check_file, check_seal, seal_json};
pub use output::{Output, Sealed, publish_all, write_file, write_file_synced, write_pieces_synced};
pub use protect::{InputGuard, note_read, refuse_inputs};
pub use spool::{Spool, scratch_file};
pub use standard::{note_closed_standard_output, standard_output};
pub use temporary::{finished, finished_note, is_temporary_name, remove_leftovers, remove_unfinished};
