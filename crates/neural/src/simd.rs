//! Vector instructions, chosen at run time.
//!
//! [`vectorised!`] compiles one loop three times, for AVX-512, AVX2 and the baseline of the target, and calls the best version that the
//! machine supports. The loop itself is plain Rust without `unsafe`; the compiler vectorises it.

use std::sync::atomic::{AtomicU8, Ordering};

/// A set of vector instructions. AVX2 and AVX-512 give the same bits; portable code rounds products before it adds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// What the target always has.
    Portable = 1,
    /// 8 numbers at a time with fused multiply-add, 16 registers.
    Avx2,
    /// 16 numbers at a time, 32 registers.
    Avx512,
}

/// The name of the vector instructions that products use, for reports.
pub fn instructions() -> &'static str {
    match level() {
        Level::Avx512 => "AVX-512",
        Level::Avx2 => "AVX2",
        Level::Portable => "portable",
    }
}

/// The level in use, or 0 until it is first needed.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The level in use: the best that this machine supports, unless it is limited.
#[inline]
pub(crate) fn level() -> Level {
    const AVX512: u8 = Level::Avx512 as u8;
    const AVX2: u8 = Level::Avx2 as u8;
    const PORTABLE: u8 = Level::Portable as u8;
    match CHOSEN.load(Ordering::Relaxed) {
        AVX512 => Level::Avx512,
        AVX2 => Level::Avx2,
        PORTABLE => Level::Portable,
        _ => {
            // A limit that another thread sets meanwhile stays.
            let _ = CHOSEN.compare_exchange(0, detected() as u8, Ordering::Relaxed, Ordering::Relaxed);
            level()
        }
    }
}

/// The levels that this machine supports, the best first.
#[doc(hidden)]
pub fn levels() -> impl Iterator<Item = Level> {
    [Level::Avx512, Level::Avx2, Level::Portable].into_iter().filter(|level| *level <= detected())
}

/// Makes the whole process use this level, so that a test can compare levels. One that the machine does not support changes nothing.
/// Matrices that were packed before stay valid.
#[doc(hidden)]
pub fn use_level(level: Level) {
    if level <= detected() {
        CHOSEN.store(level as u8, Ordering::Relaxed);
    }
}

/// The best level that this machine supports.
#[cold]
fn detected() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        let fused = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        if fused && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
            return Level::Avx512;
        }
        if fused {
            return Level::Avx2;
        }
    }
    Level::Portable
}

/// Compiles a function once per [`Level`]. In its body, `FUSED` says whether the level has fused multiply-add.
macro_rules! vectorised {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        $vis fn $name($($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn body<const FUSED: bool>($($arg: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
                #[allow(clippy::too_many_arguments)]
                fn avx512($($arg: $type),*) $(-> $result)? { body::<true>($($arg),*) }
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments)]
                fn avx2($($arg: $type),*) $(-> $result)? { body::<true>($($arg),*) }
                match $crate::simd::level() {
                    // SAFETY: `level` gives only what the machine supports.
                    #[allow(unsafe_code)]
                    $crate::simd::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    #[allow(unsafe_code)]
                    $crate::simd::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::simd::Level::Portable => {}
                }
            }
            body::<false>($($arg),*)
        }
    };
}
pub(crate) use vectorised;

/// e to the power of `x`, with a relative error of about 1e-7, in a form that the compiler can vectorise.
#[inline(always)]
pub(crate) fn exp<const FUSED: bool>(x: f32) -> f32 {
    // Adding this rounds to an integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = multiply_add::<FUSED>(x, std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    // ln 2 in two parts, so that the first product is exact.
    let rest = multiply_add::<FUSED>(whole, 2.121_944_4e-4, multiply_add::<FUSED>(whole, -0.693_359_4, x));
    // The polynomial of the Cephes library for the remaining range of ± ln 2 / 2.
    let mut series = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5] {
        series = multiply_add::<FUSED>(series, rest, coefficient);
    }
    let fraction = multiply_add::<FUSED>(series * rest, rest, rest) + 1.0;
    fraction * f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23))
}

/// `left * right + other`, fused if the level supports it; without the instruction, `mul_add` would be a slow library call.
#[inline(always)]
fn multiply_add<const FUSED: bool>(left: f32, right: f32, other: f32) -> f32 {
    if FUSED { left.mul_add(right, other) } else { left * right + other }
}

/// The logistic function.
#[inline(always)]
pub(crate) fn sigmoid<const FUSED: bool>(x: f32) -> f32 {
    1.0 / (1.0 + exp::<FUSED>(-x))
}

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh<const FUSED: bool>(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + exp::<FUSED>(2.0 * x))
}

/// The distribution function of the standard normal distribution, with an error below 1e-7, and its density. The lower tail is computed
/// without cancellation.
#[inline(always)]
pub(crate) fn normal<const FUSED: bool>(x: f32) -> (f32, f32) {
    // Abramowitz and Stegun, formula 7.1.26, for the complementary error function.
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / multiply_add::<FUSED>(0.327_591_1, z, 1.0);
    let mut series = 1.061_405_4;
    for coefficient in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6] {
        series = multiply_add::<FUSED>(series, t, coefficient);
    }
    let bell = exp::<FUSED>(-(z * z));
    let tail = 0.5 * series * t * bell;
    // 1 / sqrt(2 pi)
    (if x < 0.0 { tail } else { 1.0 - tail }, bell * 0.398_942_3)
}

/// GELU (Hendrycks and Gimpel 2016): `x` times the normal distribution function.
#[inline(always)]
pub(crate) fn gelu<const FUSED: bool>(x: f32) -> f32 {
    x * normal::<FUSED>(x).0
}

/// The derivative of [`gelu`].
#[inline(always)]
pub(crate) fn gelu_derivative<const FUSED: bool>(x: f32) -> f32 {
    let (below, density) = normal::<FUSED>(x);
    multiply_add::<FUSED>(x, density, below)
}

/// The two constants of the tanh approximation of GELU: the square root of 2 / pi, and the weight of the cube.
const GELU_TANH: (f32, f32) = (0.797_884_6, 0.044_715);

/// The tanh approximation of GELU.
#[inline(always)]
pub(crate) fn gelu_tanh<const FUSED: bool>(x: f32) -> f32 {
    let (scale, cubic) = GELU_TANH;
    0.5 * x * (1.0 + tanh::<FUSED>(scale * multiply_add::<FUSED>(cubic * x * x, x, x)))
}

/// The derivative of [`gelu_tanh`].
#[inline(always)]
pub(crate) fn gelu_tanh_derivative<const FUSED: bool>(x: f32) -> f32 {
    let (scale, cubic) = GELU_TANH;
    let bent = tanh::<FUSED>(scale * multiply_add::<FUSED>(cubic * x * x, x, x));
    let slope = scale * multiply_add::<FUSED>(3.0 * cubic * x, x, 1.0);
    0.5 * (1.0 + bent) + 0.5 * x * (1.0 - bent * bent) * slope
}

/// How many partial sums a sum in fixed order has, so that it is the same for all vector lengths.
pub(crate) const LANES: usize = 16;

/// The sum of partial sums, in pairs.
#[inline(always)]
pub(crate) fn sum_of_lanes(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

vectorised! {
    /// Adds `from` to `to`, element by element.
    pub(crate) fn add(to: &mut [f32], from: &[f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += from;
        }
    }
}

vectorised! {
    /// Adds `factor` times `from` to `to`.
    pub(crate) fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += factor * from;
        }
    }
}

vectorised! {
    /// Multiplies all elements by a factor.
    pub(crate) fn scale(numbers: &mut [f32], factor: f32) {
        for number in numbers {
            *number *= factor;
        }
    }
}

vectorised! {
    /// The dot product, with an order of addition that does not depend on the machine.
    pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
        // Enough accumulators that no addition waits for the previous one.
        const LANES: usize = 32;
        let mut lanes = [0.0f32; LANES];
        let (left_blocks, left_rest) = left.as_chunks::<LANES>();
        let (right_blocks, right_rest) = right.as_chunks::<LANES>();
        for (left, right) in left_blocks.iter().zip(right_blocks) {
            for lane in 0..LANES {
                lanes[lane] += left[lane] * right[lane];
            }
        }
        let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
        lanes.iter().sum::<f32>() + rest
    }
}

vectorised! {
    /// The softmax of `scores` in place; an empty slice stays empty.
    pub(crate) fn softmax(scores: &mut [f32]) {
        let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for score in scores.iter_mut() {
            *score = exp::<FUSED>(*score - highest);
        }
        let total: f32 = scores.iter().sum();
        for score in scores.iter_mut() {
            *score /= total;
        }
    }
}

/// The highest of as many numbers.
#[inline(always)]
fn highest_of_lanes(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] = lanes[lane].max(lanes[lane + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// The softmax of blocks of scores in place; the unused places of the last block are minus infinity.
#[inline(always)]
fn softmax_of_blocks<const FUSED: bool>(blocks: &mut [[f32; LANES]], last: &mut [f32; LANES]) {
    let mut highest = *last;
    for block in blocks.iter() {
        for lane in 0..LANES {
            highest[lane] = highest[lane].max(block[lane]);
        }
    }
    let highest = highest_of_lanes(highest);
    let mut totals = [0.0; LANES];
    for block in blocks.iter_mut().chain(std::iter::once(&mut *last)) {
        for lane in 0..LANES {
            block[lane] = exp::<FUSED>(block[lane] - highest);
            totals[lane] += block[lane];
        }
    }
    // The unused places are at most e to the power of -87, which changes no sum of at least 1.
    let factor = 1.0 / sum_of_lanes(totals);
    for block in blocks.iter_mut().chain(std::iter::once(last)) {
        for number in block.iter_mut() {
            *number *= factor;
        }
    }
}

vectorised! {
    /// The softmax of `scores` in place, with sums in a fixed order of partial sums; an empty slice stays empty.
    pub(crate) fn softmax_in_lanes(scores: &mut [f32]) {
        let (blocks, rest) = scores.as_chunks_mut::<LANES>();
        let mut last = [f32::NEG_INFINITY; LANES];
        last[..rest.len()].copy_from_slice(rest);
        softmax_of_blocks::<FUSED>(blocks, &mut last);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

vectorised! {
    /// The same for rows of whole blocks, of which only the first numbers are scores; these are multiplied by `factor` first.
    pub(crate) fn softmax_of_rows(rows: &mut [f32], stride: usize, scores: usize, factor: f32) {
        for row in rows.chunks_exact_mut(stride.max(1)) {
            row.iter_mut().for_each(|score| *score *= factor);
            let (blocks, _) = row.as_chunks_mut::<LANES>();
            let mut none = [f32::NEG_INFINITY; LANES];
            let rest = scores % LANES;
            match blocks.split_last_mut() {
                Some((last, blocks)) if rest > 0 => {
                    for (lane, number) in last.iter_mut().enumerate() {
                        *number = if lane < rest { *number } else { f32::NEG_INFINITY };
                    }
                    softmax_of_blocks::<FUSED>(blocks, last);
                }
                _ => softmax_of_blocks::<FUSED>(blocks, &mut none),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ours: fn(f32) -> f32, exact: fn(f64) -> f64, relative: bool) {
        for step in -8000..=8000 {
            let x = step as f32 / 100.0;
            let expected = exact(f64::from(x));
            let allowed = 2.5e-7 * if relative { expected } else { 1.0 };
            assert!((f64::from(ours(x)) - expected).abs() <= allowed, "at {x}: {} is not {expected}", ours(x));
        }
    }

    #[test]
    fn exp_is_exact_to_a_few_units() {
        check(exp::<true>, f64::exp, true);
        check(exp::<false>, f64::exp, true);
    }

    #[test]
    fn sigmoid_and_tanh_agree_with_the_standard_library() {
        for sigmoid in [sigmoid::<true>, sigmoid::<false>] {
            check(sigmoid, |x| 1.0 / (1.0 + (-x).exp()), false);
        }
        for tanh in [tanh::<true>, tanh::<false>] {
            check(tanh, f64::tanh, false);
        }
    }

    #[test]
    fn softmax_of_large_scores_does_not_overflow() {
        let mut scores = [1000.0, 1000.0];
        softmax(&mut scores);
        assert_eq!(scores, [0.5, 0.5]);
        softmax_in_lanes(&mut scores);
        assert_eq!(scores, [0.5, 0.5]);
    }

    #[test]
    fn softmax_in_lanes_agrees_with_softmax_for_all_lengths() {
        for length in 0..70usize {
            let mut scores: Vec<f32> = (0..length).map(|place| ((place * 37 % 23) as f32 - 11.0) / 3.0).collect();
            let mut lanes = scores.clone();
            // Two rows with rubbish after the scores.
            let stride = length.next_multiple_of(LANES);
            let mut row = lanes.clone();
            row.resize(stride, 1e9);
            let mut rows = [row.clone(), row].concat();
            softmax(&mut scores);
            softmax_in_lanes(&mut lanes);
            softmax_of_rows(&mut rows, stride, length, 1.0);
            assert!(scores.iter().zip(&lanes).all(|(one, other)| (one - other).abs() < 1e-6), "{length}");
            assert!((0..length).all(|place| [rows[place], rows[stride + place]] == [lanes[place]; 2]), "{length}");
        }
    }

    /// The error function by its Taylor series, which converges for all arguments of the test.
    fn erf(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn gelu_and_its_derivative_are_exact_to_a_few_units() {
        for step in -480..=480 {
            let x = f64::from(step) / 100.0;
            let below = 0.5 * (1.0 + erf(x * std::f64::consts::FRAC_1_SQRT_2));
            let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
            let cube = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
            for (found, expected) in [
                (gelu::<true>(x as f32), x * below),
                (gelu::<false>(x as f32), x * below),
                (gelu_derivative::<true>(x as f32), below + x * density),
                (gelu_tanh::<true>(x as f32), 0.5 * x * (1.0 + cube.tanh())),
            ] {
                assert!((f64::from(found) - expected).abs() < 6e-7 * (1.0 + x.abs()), "at {x}: {found} is not {expected}");
            }
        }
    }
}
