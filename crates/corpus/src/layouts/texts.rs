//! Plain text: one text without a hypothesis per line, recognised by the name of the file because its content cannot show it.

use super::{CorpusFile, OpenResult, TextFile};
use crate::CorpusError;
use crate::block::Content;
use crate::input::InputFile;
use acidtest_files::ContentHash;

/// The extensions of plain texts.
const ENDINGS: [&str; 3] = ["txt", "text", "md"];

/// Whether the name is that of a plain text; checked only if no other layout matches.
pub(super) fn is_named_so(file: &InputFile) -> bool {
    let name = file.path().file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Opens a plain text.
pub(super) fn open(text: TextFile) -> OpenResult {
    Ok(Box::new(Texts(text)))
}

struct Texts(TextFile);

impl CorpusFile for Texts {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        Ok(self.0.next()?.map(Content::Texts))
    }

    fn content_hash(&self) -> ContentHash {
        self.0.blocks.content_hash()
    }

    fn notes(&self) -> Vec<String> {
        vec!["read as plain text, one text per line".to_string()]
    }
}
