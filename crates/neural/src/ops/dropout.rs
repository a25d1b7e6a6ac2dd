//! Dropout. The mask is drawn from the seed by step and position, so it is never stored.

use crate::matrix::Matrix;
use crate::simd::vectorised;
use crate::tape::{Node, Operation, Pass, Tape, TapeMode};
use acidtest_nli::Seed;
use acidtest_threads::{Grain, for_each};

impl Tape<'_> {
    /// Sets each element to 0 with probability `rate` and scales the others up accordingly; the identity in inference.
    pub fn dropout(&mut self, input: Node, rate: f32) -> Node {
        let place = self.next_dropout();
        let TapeMode::Training(step) = self.mode else { return input };
        if rate <= 0.0 {
            return input;
        }
        let seed = step.child("dropout").child(&place.to_string());
        let (rows, columns) = (self.value(input).rows, self.value(input).columns);
        let mut output = self.uninitialised(rows, columns);
        output.data.copy_from_slice(&self.value(input).data);
        drop_numbers(&mut output, seed, rate);
        self.record(output, &[input], &[], |output| Record { input, output, seed, rate })
    }
}

struct Record {
    input: Node,
    output: Node,
    seed: Seed,
    rate: f32,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(mut gradient) = pass.take(self.output) else { return };
        drop_numbers(&mut gradient, self.seed, self.rate);
        pass.gradients.give(self.input, gradient);
    }
}

/// Each 64-bit random number decides on four elements. Parts are processed in parallel, each with its part of the sequence.
pub(super) fn drop_numbers(matrix: &mut Matrix, seed: Seed, rate: f32) {
    let threshold = (f64::from(rate) * 65536.0) as u32;
    let parts: Vec<_> = matrix.data.chunks_mut(PART).enumerate().collect();
    for_each(parts, Grain::Single, |(part, numbers)| {
        let mut rng = seed.rng();
        rng.skip((part * PART / 4) as u64);
        for numbers in numbers.chunks_mut(4 * DRAWS) {
            let mut bits = [[0; 8]; DRAWS];
            bits[..numbers.len().div_ceil(4)].fill_with(|| rng.next().to_le_bytes());
            drop_block(numbers, bits.as_flattened(), threshold, 1.0 / (1.0 - rate));
        }
    });
}

const DRAWS: usize = 64;
/// The number of elements that one thread processes at a time.
const PART: usize = 1 << 16;

vectorised! {
    fn drop_block(numbers: &mut [f32], bits: &[u8], threshold: u32, kept: f32) {
        let (drawn, _) = bits.as_chunks::<2>();
        for (number, &drawn) in numbers.iter_mut().zip(drawn) {
            *number *= if u32::from(u16::from_le_bytes(drawn)) < threshold { 0.0 } else { kept };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        check(&[(5, 3)], |_| (), |tape, (), inputs| tape.dropout(inputs[0], 0.4));
    }

    #[test]
    fn each_part_has_its_part_of_the_sequence() {
        let dropped = |count: usize| {
            let mut matrix = Matrix::from_vec(1, count, vec![1.0; count]);
            drop_numbers(&mut matrix, Seed::new(1), 0.5);
            matrix.data
        };
        let mut rng = Seed::new(1).rng();
        let drawn = (0..PART / 2).flat_map(|_| rng.next().to_le_bytes().as_chunks::<2>().0.to_vec());
        let expected: Vec<f32> = drawn.map(|drawn| if u16::from_le_bytes(drawn) < 32768 { 0.0 } else { 2.0 }).collect();
        assert!(dropped(2 * PART) == expected && dropped(PART + 3) == expected[..PART + 3]);
    }

    #[test]
    fn the_rate_is_respected_and_the_mean_is_preserved() {
        let mut matrix = Matrix::from_vec(100, 100, vec![1.0; 10_000]);
        drop_numbers(&mut matrix, Seed::new(1), 0.25);
        let dropped = matrix.data.iter().filter(|&&number| number == 0.0).count();
        assert!((2400..2600).contains(&dropped), "{dropped}");
        let mean = matrix.data.iter().sum::<f32>() / 10_000.0;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
    }
}
