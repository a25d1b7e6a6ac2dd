//! Flags that several verbs share.

use acidtest_experiment::is_trained_model;
use acidtest_files::{note_read, refuse_inputs};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// Refuses an output that is one of the inputs, or a file in the folder of a trained model among the inputs, before any work is done. Inputs found
/// later are guarded where outputs are created.
pub(crate) fn refuse_same(inputs: &[PathBuf], output: &Path) -> Result<()> {
    let named = inputs.iter().filter(|input| !input.is_dir() || is_trained_model(input));
    named.for_each(|input| note_read(input));
    // Writing to a folder fails with a clear message where the output is created.
    if output.is_dir() { Ok(()) } else { Ok(refuse_inputs(output)?) }
}
