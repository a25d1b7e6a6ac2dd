//! Coverage of corrected accuracy, by simulation: judges give the true labels of some of the scored examples.
//!
//!     cargo run --release -p acidtest-evaluate --example judged_simulation [REPLICATES]
//!
//! It fails where the interval covers too seldom, or too often although wrong labels were seen.

use acidtest_evaluate::statistics::judged_labels::{JudgedExample, accuracy_against_judges};
use acidtest_nli::{Rng, Seed};

/// Examples, judged ones among them, and how many examples form a cluster.
const SAMPLES: [(usize, usize, usize); 5] = [(500, 100, 1), (1500, 100, 1), (1500, 200, 1), (6000, 100, 1), (1500, 200, 2)];
const VALID: [f64; 3] = [0.85, 0.95, 0.99];
const RIGHT: [f64; 3] = [0.4, 0.7, 0.9];

fn main() -> std::process::ExitCode {
    let replicates: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    // What so many replicates leave to chance.
    let slack = 3.0 * (0.95f64 * 0.05 / replicates as f64).sqrt();
    let mut failed = false;
    println!("examples  judged  cluster  valid  right  covered");
    for ((examples, judged, cluster), valid) in SAMPLES.iter().flat_map(|sample| VALID.map(|valid| (*sample, valid))) {
        for right in RIGHT {
            let mut covered = 0;
            let name = format!("{examples} {judged} {cluster} {valid} {right}");
            let mut rng = Seed::new(1).child(&name).rng();
            for _ in 0..replicates {
                let (set, judge) = drawn(&mut rng, (examples, cluster), (valid, right));
                let clusters: Vec<u32> = (0..examples).map(|place| (place / cluster) as u32).collect();
                let seen = |place: usize| JudgedExample { agrees_with_set: set[place], agrees_with_judge: judge[place] };
                let seen: Vec<JudgedExample> = (0..judged).map(seen).collect();
                let Ok(found) = accuracy_against_judges((&set, &clusters), (&seen, &clusters[..judged])) else { continue };
                covered += usize::from(found.interval.contains(right));
            }
            let covered = covered as f64 / replicates as f64;
            println!("{examples:8}  {judged:6}  {cluster:7}  {valid:5}  {right:5}  {covered:7.3}");
            let many = judged as f64 * (1.0 - valid) >= 5.0 - 1e-9;
            failed |= covered < 0.94 - slack || (many && covered > 0.98 + slack);
        }
    }
    std::process::ExitCode::from(u8::from(failed))
}

/// Whether a model agrees with the set, and with the true label. Labels and answers are the true label or one of two others; half of the examples
/// of a cluster are as its first.
fn drawn(rng: &mut Rng, (examples, cluster): (usize, usize), (valid, right): (f64, f64)) -> (Vec<bool>, Vec<bool>) {
    let mut draw = |chance: f64| if rng.unit() < chance { 0 } else { 1 + rng.below(2) };
    let mut first = (0, 0);
    let pair = |place: usize| {
        let own = (draw(valid), draw(right));
        let same = !place.is_multiple_of(cluster) && draw(0.5) == 0;
        if place.is_multiple_of(cluster) {
            first = own;
        }
        let (label, answer) = if same { first } else { own };
        (answer == label, answer == 0)
    };
    (0..examples).map(pair).unzip()
}
