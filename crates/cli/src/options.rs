//! Flags that several verbs share.

use acidtest_experiment::is_trained_model;
use acidtest_files::same_place;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Refuses an output that is one of the inputs, or a file in the folder of a trained model among them.
pub(crate) fn refuse_same(inputs: &[PathBuf], output: &Path) -> Result<()> {
    let parent = output.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    for input in inputs {
        if same_place(input, output) {
            bail!("{}: is both read and written (expected another name for the output)", input.display());
        }
        if is_trained_model(input) && parent.is_some_and(|parent| same_place(input, parent)) {
            bail!("{}: lies in the folder of a trained model (expected another place for the output)", output.display());
        }
    }
    Ok(())
}
