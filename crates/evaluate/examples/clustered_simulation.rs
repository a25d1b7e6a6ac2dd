//! Type I error of the exact cluster test and coverage of the clustered intervals, by simulation over a grid of clustered data.
//!
//!     cargo run --release -p acidtest-evaluate --example clustered_simulation [REPLICATES]
//!
//! Both models have the same accuracy; examples of a cluster are alike to the degree `correlation`. It fails where the test rejects too often,
//! where an interval covers too seldom, or where p value and interval disagree.

use acidtest_evaluate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference};
use acidtest_nli::{Rng, Seed};

const CLUSTERS: [usize; 5] = [5, 10, 30, 100, 1000];
const SIZES: [ClusterSize; 4] = [ClusterSize::Fixed(1), ClusterSize::Fixed(3), ClusterSize::Fixed(30), ClusterSize::Unequal];
const ACCURACIES: [f64; 3] = [0.5, 0.85, 0.98];
const CORRELATIONS: [f64; 4] = [0.0, 0.1, 0.5, 1.0];
const LEVELS: [f64; 3] = [0.05, 0.01, 0.001];

#[derive(Clone, Copy)]
enum ClusterSize {
    Fixed(usize),
    /// From 1 to 200, most of them small.
    Unequal,
}

/// One setting of the grid.
struct Cell {
    clusters: usize,
    size: ClusterSize,
    accuracy: f64,
    correlation: f64,
}

/// What came of a setting.
#[derive(Default)]
struct Counts {
    rejected: [usize; LEVELS.len()],
    accuracy_covered: usize,
    difference_covered: usize,
    disagreements: usize,
}

fn main() -> std::process::ExitCode {
    let replicates: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let mut cells = Vec::new();
    for (clusters, size) in CLUSTERS.iter().flat_map(|&clusters| SIZES.map(|size| (clusters, size))) {
        for (accuracy, correlation) in ACCURACIES.iter().flat_map(|&accuracy| CORRELATIONS.map(|correlation| (accuracy, correlation))) {
            // Single examples have nothing to be alike to.
            if !matches!(size, ClusterSize::Fixed(1)) || correlation == 0.0 {
                cells.push(Cell { clusters, size, accuracy, correlation });
            }
        }
    }
    let counts: Vec<Counts> = std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let part = cells.len().div_ceil(workers);
        let started: Vec<_> =
            cells.chunks(part).map(|own| scope.spawn(|| own.iter().map(|cell| cell.simulate(replicates)).collect::<Vec<_>>())).collect();
        started.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    report(&cells, &counts, replicates)
}

impl Cell {
    fn simulate(&self, replicates: usize) -> Counts {
        let name = format!("{} {} {} {}", self.clusters, self.mean_size(), self.accuracy, self.correlation);
        let mut rng = Seed::new(1).child(&name).rng();
        let mut counts = Counts::default();
        for _ in 0..replicates {
            let (first, second, clusters) = self.draw(&mut rng);
            let Ok(found) = ClusteredDifference::of(&first, &second, &clusters) else { continue };
            let (p, interval) = (found.p(), found.interval());
            for (rejected, level) in counts.rejected.iter_mut().zip(LEVELS) {
                *rejected += usize::from(p < level);
            }
            let zero_inside = interval.interval.contains(0.0) && !interval.is_zero_left_out;
            counts.difference_covered += usize::from(zero_inside);
            counts.disagreements += usize::from(zero_inside == (p < 0.05));
            counts.accuracy_covered += usize::from(ClusteredAccuracy::of(&first, &clusters).interval().contains(self.accuracy));
        }
        counts
    }

    /// Right and wrong of two models of the same accuracy, with the cluster of every example.
    fn draw(&self, rng: &mut Rng) -> (Vec<bool>, Vec<bool>, Vec<u32>) {
        let (mut first, mut second, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
        for cluster in 0..self.clusters {
            let mut seen: Vec<(bool, bool)> = Vec::new();
            for _ in 0..self.draw_size(rng) {
                // A Pólya urn: each example is like an earlier one of its cluster, or new.
                let new_weight = if self.correlation >= 1.0 { 0.0 } else { (1.0 - self.correlation) / self.correlation.max(1e-12) };
                let is_new = seen.is_empty() || uniform(rng) * (seen.len() as f64 + new_weight) >= seen.len() as f64;
                let answer = match is_new {
                    true => (uniform(rng) < self.accuracy, uniform(rng) < self.accuracy),
                    false => seen[((uniform(rng) * seen.len() as f64) as usize).min(seen.len() - 1)],
                };
                seen.push(answer);
                first.push(answer.0);
                second.push(answer.1);
                clusters.push(cluster as u32);
            }
        }
        (first, second, clusters)
    }

    fn draw_size(&self, rng: &mut Rng) -> usize {
        match self.size {
            ClusterSize::Fixed(size) => size,
            // The logarithm is normal with mean 1.2 and standard deviation 1.3.
            ClusterSize::Unequal => ((1.2 + 1.3 * gaussian(rng)).exp().round() as usize).clamp(1, 200),
        }
    }

    fn mean_size(&self) -> &'static str {
        match self.size {
            ClusterSize::Fixed(1) => "1",
            ClusterSize::Fixed(3) => "3",
            ClusterSize::Fixed(_) => "30",
            ClusterSize::Unequal => "unequal",
        }
    }
}

fn uniform(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 / (1u64 << 53) as f64
}

fn gaussian(rng: &mut Rng) -> f64 {
    let (a, b) = (1.0 - uniform(rng), uniform(rng));
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

fn report(cells: &[Cell], counts: &[Counts], replicates: usize) -> std::process::ExitCode {
    println!("clusters size     settings  type I error in %, mean (worst)                        coverage in %, mean (worst)");
    println!("                            at 0.05          at 0.01          at 0.001         accuracy         difference");
    let share = |count: usize| 100.0 * count as f64 / replicates as f64;
    for (clusters, size) in CLUSTERS.iter().flat_map(|&clusters| SIZES.map(|size| (clusters, size))) {
        let same = |cell: &Cell| {
            cell.clusters == clusters
                && std::mem::discriminant(&cell.size) == std::mem::discriminant(&size)
                && cell.mean_size() == (Cell { clusters, size, accuracy: 0.0, correlation: 0.0 }).mean_size()
        };
        let own: Vec<&Counts> = cells.iter().zip(counts).filter(|(cell, _)| same(cell)).map(|(_, counts)| counts).collect();
        let mean = |of: &dyn Fn(&Counts) -> f64| own.iter().map(|counts| of(counts)).sum::<f64>() / own.len() as f64;
        let worst =
            |of: &dyn Fn(&Counts) -> f64, pick: fn(f64, f64) -> f64| own.iter().map(|counts| of(counts)).reduce(pick).unwrap_or(0.0);
        let mut line =
            format!("{clusters:8} {:8} {:8}  ", (Cell { clusters, size, accuracy: 0.0, correlation: 0.0 }).mean_size(), own.len());
        for level in 0..LEVELS.len() {
            let of = |counts: &Counts| share(counts.rejected[level]);
            line.push_str(&format!("{:5.2} ({:5.2})    ", mean(&of), worst(&of, f64::max)));
        }
        for of in [&(|counts: &Counts| share(counts.accuracy_covered)) as &dyn Fn(&Counts) -> f64, &|counts: &Counts| {
            share(counts.difference_covered)
        }] {
            line.push_str(&format!("{:5.1} ({:5.1})    ", mean(of), worst(of, f64::min)));
        }
        println!("{}", line.trim_end());
    }
    let mean_coverage = counts.iter().map(|counts| share(counts.accuracy_covered)).sum::<f64>() / counts.len() as f64;
    let checks = [
        ("type I error at 0.05 is at most 7 % everywhere", counts.iter().all(|counts| share(counts.rejected[0]) <= 7.0)),
        ("type I error at 0.01 is at most 2 % everywhere", counts.iter().all(|counts| share(counts.rejected[1]) <= 2.0)),
        ("type I error at 0.001 is at most 0.5 % everywhere", counts.iter().all(|counts| share(counts.rejected[2]) <= 0.5)),
        ("clustered Wilson covers at least 80 % everywhere", counts.iter().all(|counts| share(counts.accuracy_covered) >= 80.0)),
        ("clustered Wilson covers at least 94 % on average", mean_coverage >= 94.0),
        ("clustered Tango covers at least 92 % everywhere", counts.iter().all(|counts| share(counts.difference_covered) >= 92.0)),
        ("no p value disagrees with its interval", counts.iter().all(|counts| counts.disagreements == 0)),
    ];
    for (what, holds) in checks {
        println!("{} {what}", if holds { "ok     " } else { "FAILED " });
    }
    if checks.iter().all(|(_, holds)| *holds) { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::FAILURE }
}
