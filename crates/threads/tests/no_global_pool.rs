//! Work outside a pool leaves rayon's global pool alone. A test of its own: the global pool belongs to the process.

use acidtest_threads::{Grain, count_here, for_each, join, map};

#[test]
fn work_outside_a_pool_does_not_start_the_global_pool() {
    assert_eq!(count_here(), 1);
    assert_eq!(map(0..4, Grain::Single, |n| n + 1), [1, 2, 3, 4]);
    for_each(0..4, Grain::AtLeast(2), |_| ());
    assert_eq!(join(|| 1, || 2), (1, 2));
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the global pool was started before");
}
