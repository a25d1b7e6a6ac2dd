//! Reuses the buffers of blocks, so that they need not be allocated and cleared again.

use std::sync::{Arc, Mutex, PoisonError};

/// A shared store of buffers; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spare(Arc<Mutex<Vec<Vec<u8>>>>);

/// The maximum number of buffers.
const MOST: usize = 16;

/// The largest buffer that is kept: larger ones, after long lines, are dropped.
const LARGEST: usize = 1 << 20;

impl Spare {
    /// A buffer with arbitrary content; an empty one if the store is empty.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps a buffer for the next block.
    pub(crate) fn give(&self, buffer: Vec<u8>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MOST && (1..=LARGEST).contains(&buffer.capacity()) {
            spare.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_kept_unless_they_are_empty_or_large() {
        let spare = Spare::default();
        spare.give(Vec::new());
        spare.give(Vec::with_capacity(LARGEST + 1));
        assert_eq!(spare.take().capacity(), 0);
        spare.give(vec![7; 5]);
        assert_eq!(spare.take(), [7; 5]);
        (0..MOST + 1).for_each(|_| spare.give(vec![7]));
        assert_eq!(spare.0.lock().unwrap().len(), MOST);
    }
}
