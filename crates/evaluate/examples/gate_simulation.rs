//! How often gates of 16 checks fail falsely, by simulation.
//!
//!     cargo run --release -p acidtest-evaluate --example gate_simulation [REPLICATES]
//!
//! Every gate compares a candidate with a baseline on 16 sets of clustered examples. Where both are equally good and disagree at random, it fails if more gates fail than the
//! level allows. Where the candidate is worse by exactly the margin on every set, there is a drop, and nothing is promised: the ends that are compared with the margin are
//! those of single intervals.

use acidtest_evaluate::checks::{Check, LEVEL, Outcome, PairedEvidence, Rule, decide};
use acidtest_evaluate::measurement::{Metric, SetId, Subject};
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::statistics::clustered::ClusteredDifference;
use acidtest_nli::{Rng, Seed};

/// The checks of a gate.
pub(crate) const CHECKS: usize = 16;

/// How the checks of a gate hang together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Checked {
    /// Each looks at examples of its own.
    Apart,
    /// They look at more and more of the same examples, as checks of a set and of groups of it do.
    Nested,
    /// What one loses the next one wins, in the same clusters: a model that shifts from one label to another.
    Opposite,
}

/// How candidate and baseline differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// What is asked.
    pub(crate) points: f64,
    /// How many clusters a set has.
    pub(crate) clusters: usize,
    /// How many examples a cluster has.
    pub(crate) size: usize,
    /// Whether clusters are wholly alike, or their examples are independent.
    pub(crate) alike: bool,
    /// The share of examples on which the two differ.
    pub(crate) discordant: f64,
    /// By how many points the candidate is worse.
    pub(crate) drop: f64,
    /// How the checks hang together.
    pub(crate) checked: Checked,
}

/// How many of so many gates had a check that failed, and one that did not pass.
pub(crate) fn simulate(setting: Setting, replicates: usize) -> (usize, usize) {
    let seed = Seed::new(1).child(&format!("{setting:?}"));
    let mut ended = (0, 0);
    for replicate in 0..replicates {
        let mut rng = seed.child(&replicate.to_string()).rng();
        let checks = checks(setting, &mut rng);
        let decided = decide(checks).expect("p values are probabilities");
        let outcomes: Vec<Outcome> = decided.into_iter().filter_map(|measured| Some(measured.check?.outcome)).collect();
        ended.0 += usize::from(outcomes.contains(&Outcome::Failed));
        ended.1 += usize::from(outcomes.iter().any(|outcome| *outcome != Outcome::Passed));
    }
    ended
}

/// What the candidate and the baseline got right, and the clusters.
type Drawn = (Vec<bool>, Vec<bool>, Vec<u32>);

fn checks(setting: Setting, rng: &mut Rng) -> Vec<Check> {
    let all = |drawn: &Drawn| check(setting, drawn, drawn.0.len());
    match setting.checked {
        Checked::Apart => (0..CHECKS).map(|_| all(&drawn(setting, rng))).collect(),
        Checked::Nested => {
            let drawn = drawn(setting, rng);
            let clusters = |number: usize| (setting.clusters * number / CHECKS).max(1);
            (1..=CHECKS).map(|number| check(setting, &drawn, setting.size * clusters(number))).collect()
        }
        Checked::Opposite => {
            let both = |_| {
                let (now, before, numbers) = drawn(setting, rng);
                [all(&(now.clone(), before.clone(), numbers.clone())), all(&(before, now, numbers))]
            };
            (0..CHECKS / 2).flat_map(both).collect()
        }
    }
}

fn drawn(setting: Setting, rng: &mut Rng) -> Drawn {
    let Setting { clusters, size, alike, discordant, drop, .. } = setting;
    // Lost and won examples differ by the drop.
    let lost = (discordant + drop / 100.0) / 2.0;
    let (mut now, mut before, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for cluster in 0..clusters {
        let shared = rng.unit();
        for _ in 0..size {
            let drawn = if alike { shared } else { rng.unit() };
            now.push(drawn >= lost);
            before.push(!(lost..discordant).contains(&drawn));
            numbers.push(cluster as u32);
        }
    }
    (now, before, numbers)
}

/// A check of the first so many examples.
fn check(setting: Setting, (now, before, numbers): &Drawn, examples: usize) -> Check {
    let (now, before) = (&now[..examples], &before[..examples]);
    let found = PairedEvidence {
        before: Proportion::of(before),
        now: Proportion::of(now),
        difference: ClusteredDifference::of(now, before, &numbers[..examples]).expect("as many of each"),
        identical: setting.discordant == 0.0,
        meaningless: None,
    };
    let set = SetId { name: "s".to_string(), group: Vec::new(), hash: String::new() };
    let measured = Subject { model: "m", set: &set, scoring: None }.number(Metric::Drop, 0.0);
    Check { rule: Rule::MaxRegression(setting.points), measured, paired: Some(Box::new(found)) }
}

/// The settings that are simulated.
pub(crate) fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for (clusters, size, alike) in [(6, 3, false), (30, 3, false), (200, 1, false), (300, 3, false), (300, 3, true), (1000, 1, false)] {
        for discordant in [0.0, 0.02, 0.1, 0.3] {
            let null = Setting { points: 0.0, clusters, size, alike, discordant, drop: 0.0, checked: Checked::Apart };
            settings.push(null);
            settings.push(Setting { points: 1.0, ..null });
            if discordant > 0.0 {
                settings.push(Setting { points: 1.0, drop: 1.0, ..null });
                settings.extend([Checked::Nested, Checked::Opposite].map(|checked| Setting { checked, ..null }));
            }
        }
    }
    settings
}

/// The largest number of `replicates` gates that may fail: the level, and what chance adds to it in three standard errors.
pub(crate) fn allowed(replicates: usize) -> f64 {
    let replicates = replicates as f64;
    LEVEL * replicates + 3.0 * (LEVEL * (1.0 - LEVEL) * replicates).sqrt()
}

#[allow(dead_code, reason = "tests use the functions above")]
fn main() -> std::process::ExitCode {
    let replicates: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    println!("{CHECKS} checks a gate, {replicates} gates a line");
    println!("checks    margin  clusters  size  alike  discordant  true drop  gates failed  gates not passed");
    let mut too_many = 0;
    for setting in settings() {
        let (failed, not_passed) = simulate(setting, replicates);
        let percent = |count: usize| 100.0 * count as f64 / replicates as f64;
        let Setting { points, clusters, size, alike, discordant, drop, checked } = setting;
        let wrong = drop == 0.0 && failed as f64 > allowed(replicates);
        too_many += usize::from(wrong);
        println!(
            "{:<8}  {points:>6}  {clusters:>8}  {size:>4}  {alike:>5}  {discordant:>10}  {drop:>9}  {:>10.2} %  {:>14.2} %{}",
            format!("{checked:?}"),
            percent(failed),
            percent(not_passed),
            if wrong { "  TOO MANY" } else { "" }
        );
    }
    if too_many > 0 { std::process::ExitCode::FAILURE } else { std::process::ExitCode::SUCCESS }
}
