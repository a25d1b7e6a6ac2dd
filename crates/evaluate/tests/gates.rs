//! How often gates fail falsely: never with identical predictions, and no more often than the level with models that differ by chance.

#[path = "../examples/gate_simulation.rs"]
#[allow(dead_code, reason = "the program prints what the test counts")]
mod simulation;

use simulation::{Checked, Setting, allowed, settings, simulate};

const REPLICATES: usize = 300;

#[test]
fn gates_of_sixteen_checks_fail_falsely_no_more_often_than_one_check() {
    let null = |setting: &Setting| setting.drop == 0.0 && setting.discordant > 0.0 && setting.clusters <= 300;
    for setting in settings().into_iter().filter(null) {
        let (failed, _) = simulate(setting, REPLICATES);
        assert!(failed as f64 <= allowed(REPLICATES), "{setting:?}: {failed} of {REPLICATES} gates failed");
    }
}

#[test]
fn identical_predictions_never_fail_and_are_never_inconclusive() {
    for setting in settings().into_iter().filter(|setting| setting.discordant == 0.0) {
        assert_eq!(simulate(setting, 20), (0, 0), "{setting:?}");
    }
}

#[test]
fn a_real_drop_is_found() {
    let setting = Setting { points: 0.0, clusters: 1000, size: 1, alike: false, discordant: 0.1, drop: 5.0, checked: Checked::Apart };
    assert_eq!(simulate(setting, 20).0, 20);
    let setting = Setting { points: 1.0, ..setting };
    assert_eq!(simulate(setting, 20).0, 20);
}
