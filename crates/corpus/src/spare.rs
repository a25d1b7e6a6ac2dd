//! Memory that blocks have given back, so that it need not be asked for and cleared again for every block.

use std::sync::{Arc, Mutex, PoisonError};

/// Buffers that are filled again; a clone is the same store.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spare(Arc<Mutex<Vec<Vec<u8>>>>);

/// Buffers that are kept.
const MOST: usize = 16;

/// The largest buffer that is kept: one that a long line has made larger goes.
const LARGEST: usize = 1 << 20;

impl Spare {
    /// A buffer of whatever bytes; an empty one where none was given back.
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
    fn buffers_come_back_unless_they_are_empty_or_large() {
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
