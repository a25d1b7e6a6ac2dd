//! Reads FlatBuffers with bounds checks: a value outside of the bytes counts as missing.

/// A table: values by their number.
#[derive(Clone, Copy)]
pub(super) struct Table<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// A list of values.
#[derive(Clone, Copy)]
pub(super) struct Vector<'b> {
    bytes: &'b [u8],
    /// The offset of the first value.
    at: usize,
    length: usize,
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// The target of the offset at this position.
fn follow(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32::from_le_bytes(array(bytes, at)?) as usize)
}

impl<'b> Table<'b> {
    /// The root table.
    pub(super) fn root(bytes: &'b [u8]) -> Option<Self> {
        Some(Table { bytes, at: follow(bytes, 0)? })
    }

    /// The position of the value with this number, if the table has it.
    fn place(self, number: usize) -> Option<usize> {
        let back = i64::from(i32::from_le_bytes(array(self.bytes, self.at)?));
        let list = usize::try_from(self.at as i64 - back).ok()?;
        let slot = 4 + 2 * number;
        if slot + 2 > usize::from(u16::from_le_bytes(array(self.bytes, list)?)) {
            return None;
        }
        match u16::from_le_bytes(array(self.bytes, list + slot)?) {
            0 => None,
            offset => self.at.checked_add(usize::from(offset)),
        }
    }

    pub(super) fn byte(self, number: usize) -> Option<u8> {
        self.bytes.get(self.place(number)?).copied()
    }

    pub(super) fn short(self, number: usize) -> Option<i16> {
        Some(i16::from_le_bytes(array(self.bytes, self.place(number)?)?))
    }

    pub(super) fn int(self, number: usize) -> Option<i32> {
        Some(i32::from_le_bytes(array(self.bytes, self.place(number)?)?))
    }

    pub(super) fn long(self, number: usize) -> Option<i64> {
        Some(i64::from_le_bytes(array(self.bytes, self.place(number)?)?))
    }

    pub(super) fn table(self, number: usize) -> Option<Table<'b>> {
        Some(Table { bytes: self.bytes, at: follow(self.bytes, self.place(number)?)? })
    }

    pub(super) fn vector(self, number: usize) -> Option<Vector<'b>> {
        let at = follow(self.bytes, self.place(number)?)?;
        let length = u32::from_le_bytes(array(self.bytes, at)?) as usize;
        Some(Vector { bytes: self.bytes, at: at + 4, length })
    }

    pub(super) fn text(self, number: usize) -> Option<&'b str> {
        let Vector { bytes, at, length } = self.vector(number)?;
        std::str::from_utf8(bytes.get(at..at.checked_add(length)?)?).ok()
    }
}

impl<'b> Vector<'b> {
    /// The tables of a list; `None` for one outside of the bytes.
    pub(super) fn tables(self) -> impl Iterator<Item = Option<Table<'b>>> {
        // No list has more values than there are bytes.
        (0..self.length.min(self.bytes.len())).map(move |number| {
            let at = follow(self.bytes, self.at.checked_add(4 * number)?)?;
            Some(Table { bytes: self.bytes, at })
        })
    }

    /// The two numbers of eight bytes each at this place of a list of such pairs.
    pub(super) fn pair(self, place: usize) -> Option<(i64, i64)> {
        if place >= self.length {
            return None;
        }
        let at = self.at.checked_add(place.checked_mul(16)?)?;
        Some((i64::from_le_bytes(array(self.bytes, at)?), i64::from_le_bytes(array(self.bytes, at + 8)?)))
    }
}
