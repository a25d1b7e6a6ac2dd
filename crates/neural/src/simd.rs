//! Vector instructions, chosen at run time.
//!
//! [`vectorised!`] compiles one loop three times, for AVX-512, AVX2 and the baseline of the target, and calls the best version that the
//! machine supports. The loop itself is plain Rust without `unsafe`; the compiler vectorises it.

/// The vector instructions of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// 16 numbers at a time, 32 registers.
    Avx512,
    /// 8 numbers at a time with fused multiply-add, 16 registers.
    Avx2,
    /// What the target always has.
    Portable,
}

/// The best level that this machine supports; detected once.
#[inline]
pub(crate) fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
            return Level::Avx512;
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
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
                    // SAFETY: `level` has detected these instructions.
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
    }
}
