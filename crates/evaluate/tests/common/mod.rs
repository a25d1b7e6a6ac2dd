//! Items for tests, which borrow from examples that are never given back.

use acidtest_evaluate::Item;
use acidtest_nli::{Judgment, Tags};

/// An item of this id and these tags; its memory stays until the test's process ends.
pub(crate) fn item(id: String, gold: Option<Judgment>, tags: impl IntoIterator<Item = (&'static str, String)>) -> Item<'static> {
    let mut own = Tags::default();
    tags.into_iter().for_each(|(name, value)| own.set(name, value));
    // Every row is a cluster of its own.
    let cluster = id.bytes().fold(0u64, |number, byte| number.wrapping_mul(31).wrapping_add(byte.into()));
    Item { id: Box::leak(id.into_boxed_str()), gold, tags: Box::leak(Box::new(own)), cluster, ..Item::default() }
}
