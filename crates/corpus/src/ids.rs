//! Finds duplicate ids, at eight bytes per row.

use crate::block::Block;
use crate::error::Place;
use crate::source::BlockSource;
use crate::{CorpusError, Row};
use acidtest_nli::is_content_id;
use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64;

/// Which ids may occur twice. Ids made from content always may.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdPolicy {
    /// None, across all files.
    #[default]
    Unique,
    /// All: nothing depends on ids.
    Unchecked,
}

/// The hash of an id; `None` for one that may occur twice.
pub(crate) fn id_hash(id: &str) -> Option<u64> {
    (!is_content_id(id)).then(|| xxh3_64(id.as_bytes()))
}

/// The ids of a corpus so far.
pub(crate) struct IdCheck {
    policy: IdPolicy,
    hashes: HashSet<u64, std::hash::BuildHasherDefault<AlreadyHashed>>,
    /// The same corpus from its beginning, to find where an id occurred first; `None` for input that can only be read once.
    again: Option<Box<dyn BlockSource>>,
}

impl IdCheck {
    pub(crate) fn new(policy: IdPolicy, again: Option<Box<dyn BlockSource>>) -> Self {
        IdCheck { policy, hashes: HashSet::default(), again }
    }

    /// Marks the rows of a block with duplicate ids, so that they are skipped; a source that is checked this way is
    /// not checked again.
    pub(crate) fn skip_duplicates(&mut self, block: &mut Block) {
        if self.policy == IdPolicy::Unchecked {
            return;
        }
        let mut examples = block.examples();
        examples.by_ref().for_each(drop);
        let ids = examples.into_counts().ids;
        block.duplicates = ids.into_iter().filter(|&(_, hash)| !self.hashes.insert(hash)).map(|(line, _)| line).collect();
    }

    /// Refuses a duplicate id; `ids` has the line and the hash of the id of each row.
    pub(crate) fn check(&mut self, block: &Block, ids: &[(u64, u64)]) -> Result<(), CorpusError> {
        if self.policy == IdPolicy::Unchecked {
            return Ok(());
        }
        for &(line, hash) in ids {
            if !self.hashes.insert(hash) {
                self.refuse(block, line)?;
            }
        }
        Ok(())
    }

    /// The error for a duplicate id; none if two different ids have the same hash.
    fn refuse(&mut self, block: &Block, line: u64) -> Result<(), CorpusError> {
        let double = block.examples().find(|row| row.line == line);
        let Some(id) = double.map(|row| row.example.pair.id.into_owned()) else { return Ok(()) };
        let path = block.path.to_string();
        let Some(mut again) = self.again.take() else { return Err(CorpusError::DuplicateId { path, line, id, first: None }) };
        while let Some(earlier) = again.next_block()? {
            if earlier.file > block.file {
                break;
            }
            let before = |row: &Row<'_>| earlier.file < block.file || row.line < line;
            if let Some(first) = earlier.examples().take_while(before).find(|row| row.example.pair.id == id) {
                let first = Place { path: earlier.path.to_string(), line: first.line };
                return Err(CorpusError::DuplicateId { path, line, id, first: Some(first) });
            }
        }
        Ok(())
    }
}

/// Ids are hashed before they are stored, so the set does not hash them again.
#[derive(Debug, Default)]
struct AlreadyHashed(u64);

impl std::hash::Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
