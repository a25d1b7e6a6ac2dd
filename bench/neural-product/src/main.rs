//! Compares our matrix product with the `gemm` crate: billions of operations per second on one thread, for the shapes of the models.
//!
//! `cargo run --release --manifest-path bench/neural-product/Cargo.toml`

use acidtest_neural::matrix::Matrix;
use acidtest_neural::product::{Packed, Sum, product};
use std::time::Instant;

fn main() {
    println!("{:<40} {:>10} {:>10} {:>10} {:>10}", "rows x depth x columns", "packed", "pack too", "left turned", "gemm");
    for (rows, depth, columns) in [
        (32, 300, 1200),
        (8, 300, 1200),
        (32, 1200, 300),
        (700, 300, 1200),
        (700, 1200, 300),
        (1200, 700, 600),
        (32, 2400, 300),
        (300, 2400, 32),
        (20, 600, 12),
    ] {
        let left = Matrix::from_vec(rows, depth, vec![0.5; rows * depth]);
        let left_turned = Matrix::from_vec(depth, rows, vec![0.5; rows * depth]);
        let right = Matrix::from_vec(depth, columns, vec![0.25; depth * columns]);
        let mut output = Matrix::zeros(rows, columns);
        let packed = Packed::new(right.view());
        let ready = rate(rows * depth * columns, || product(left.view(), &packed, output.view_mut(), Sum::Add));
        let mut fresh = Packed::default();
        let whole = rate(rows * depth * columns, || {
            fresh.fill(right.view());
            product(left.view(), &fresh, output.view_mut(), Sum::Add);
        });
        let turned = rate(rows * depth * columns, || product(left_turned.view().transposed(), &packed, output.view_mut(), Sum::Add));
        let theirs = rate(rows * depth * columns, || library(&left, &right, &mut output));
        println!("{:<40} {ready:>10.1} {whole:>10.1} {turned:>10.1} {theirs:>10.1}", format!("{rows} x {depth} x {columns}"));
    }
}

fn rate(multiplications: usize, mut work: impl FnMut()) -> f64 {
    let repeats = (400_000_000 / multiplications).max(1);
    let mut best = 0.0f64;
    for _ in 0..5 {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        best = best.max(2.0 * (multiplications * repeats) as f64 / start.elapsed().as_secs_f64() / 1e9);
    }
    best
}

#[allow(unsafe_code)]
fn library(left: &Matrix, right: &Matrix, output: &mut Matrix) {
    let (rows, depth, columns) = (left.rows, left.columns, right.columns);
    // SAFETY: the pointers and strides are those of complete matrices with these shapes.
    unsafe {
        gemm::gemm(
            rows,
            columns,
            depth,
            output.data.as_mut_ptr(),
            1,
            columns as isize,
            true,
            left.data.as_ptr(),
            1,
            depth as isize,
            right.data.as_ptr(),
            1,
            columns as isize,
            1.0f32,
            1.0f32,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}
