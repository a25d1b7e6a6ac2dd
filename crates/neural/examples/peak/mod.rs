//! How fast this processor multiplies and adds.

/// A billion multiply-adds without memory access or dependent results: the processor's peak.
pub(crate) fn billion_operations() {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: the features were detected above.
    unsafe {
        if is_x86_feature_detected!("avx512f") {
            return in_registers::avx512();
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return in_registers::avx2();
        }
    }
    let mut sums = [0.0f32; 48];
    for _ in 0..1_000_000_000 / (2 * sums.len()) {
        sums.iter_mut().for_each(|sum| *sum = *sum * 0.5 + 1.0);
    }
    std::hint::black_box(sums);
}

#[cfg(target_arch = "x86_64")]
mod in_registers {
    use std::arch::x86_64::*;

    macro_rules! sums {
        ($name:ident, $features:literal, $lanes:literal, $splat:ident, $multiply_add:ident) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name() {
                const SUMS: usize = 12;
                let (half, one) = (std::hint::black_box($splat(0.5)), std::hint::black_box($splat(1.0)));
                let mut sums = [one; SUMS];
                for _ in 0..1_000_000_000 / (2 * SUMS * $lanes) {
                    sums.iter_mut().for_each(|sum| *sum = $multiply_add(*sum, half, one));
                }
                std::hint::black_box(sums);
            }
        };
    }
    sums!(avx512, "avx512f", 16, _mm512_set1_ps, _mm512_fmadd_ps);
    sums!(avx2, "avx2,fma", 8, _mm256_set1_ps, _mm256_fmadd_ps);
}
