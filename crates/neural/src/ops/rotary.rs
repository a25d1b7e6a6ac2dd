//! Rotary position embeddings (Su et al. 2021).

use crate::ops::for_rows;
use crate::segments::Segments;
use crate::tape::{Node, Operation, Pass, Tape};
use std::sync::Arc;

/// The direction of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Forward,
    Back,
}

impl Tape<'_> {
    /// Rotates the two halves of each head by angles that grow with the position in the segment; `base` is that of the frequencies.
    pub fn rotate(&mut self, input: Node, segments: &Arc<Segments>, heads: usize, base: f32) -> Node {
        let (rows, columns) = (self.value(input).rows, self.value(input).columns);
        let mut output = self.uninitialised(rows, columns);
        output.data.copy_from_slice(&self.value(input).data);
        let angles = Arc::new(Angles::new(segments, columns / heads, base));
        angles.rotate(&mut output.data, columns, Turn::Forward);
        self.record(output, &[input], &[], |output| Record { input, angles, output })
    }
}

struct Record {
    input: Node,
    angles: Arc<Angles>,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(mut gradient) = pass.take(self.output) else { return };
        let columns = gradient.columns;
        self.angles.rotate(&mut gradient.data, columns, Turn::Back);
        pass.gradients.give(self.input, gradient);
    }
}

/// Sines and cosines by position.
struct Angles {
    /// The position of each row in its segment.
    positions: Vec<u32>,
    /// Half the size of a head.
    half: usize,
    /// The sines of a position, then its cosines.
    table: Vec<f32>,
}

impl Angles {
    fn new(segments: &Segments, size: usize, base: f32) -> Self {
        let half = size / 2;
        let longest = segments.ranges().map(|range| range.len()).max().unwrap_or(0);
        let positions = segments.ranges().flat_map(|range| 0..range.len() as u32).collect();
        let mut table = Vec::with_capacity(longest * size);
        for position in 0..longest {
            // In f32, as the reference implementation computes them.
            let angle = |place: usize| position as f32 * (1.0 / base.powf(2.0 * place as f32 / size as f32));
            table.extend((0..half).map(|place| angle(place).sin()));
            table.extend((0..half).map(|place| angle(place).cos()));
        }
        Angles { positions, half, table }
    }

    fn rotate(&self, data: &mut [f32], columns: usize, turn: Turn) {
        let half = self.half;
        for_rows(data, columns, |row, numbers| {
            let (sines, cosines) = self.table[self.positions[row] as usize * 2 * half..][..2 * half].split_at(half);
            for head in numbers.chunks_exact_mut(2 * half) {
                let (first, second) = head.split_at_mut(half);
                for place in 0..half {
                    let sine = if turn == Turn::Forward { sines[place] } else { -sines[place] };
                    let (one, other) = (first[place], second[place]);
                    first[place] = one * cosines[place] - other * sine;
                    second[place] = other * cosines[place] + one * sine;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        let segments = Arc::new(Segments::of_lengths([2, 0, 3]));
        check(&[(5, 8)], |_| (), |tape, (), nodes| tape.rotate(nodes[0], &segments, 2, 100.0));
    }
}
