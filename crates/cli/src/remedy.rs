//! What a user can do about an error of a library, in the words of the command line.

use acidtest_evaluate::JoinError;
use acidtest_experiment::{JudgeError, RunError};

/// The flag that helps, with what it does; libraries know no flags.
pub fn remedy(error: &anyhow::Error) -> Option<&'static str> {
    // A run has no such flag.
    if error.chain().any(|cause| cause.is::<RunError>()) {
        return None;
    }
    let judge = error.chain().find_map(|cause| cause.downcast_ref::<JudgeError>())?;
    matches!(judge, JudgeError::Join(JoinError::Missing { .. })).then_some("--allow-missing counts them as wrong")
}
