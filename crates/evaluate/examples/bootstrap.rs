//! Times the paired cluster bootstrap on made-up rows; `bench/bootstrap.py` runs it in turn with the same in numpy.
//!
//! Reads lines `first second cluster` (0 or 1, 0 or 1, a number) from the file given, then prints one line of numbers for each repeat:
//! milliseconds, estimate, standard error and the two ends of the interval.

use acidtest_evaluate::statistics::bootstrap::{Resampling, difference};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, replicates, threads, repeats] = arguments.as_slice() else {
        return Err("usage: bootstrap FILE REPLICATES THREADS REPEATS".into());
    };
    let (mut first, mut second, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
    for line in std::fs::read_to_string(path)?.lines() {
        let mut fields = line.split(' ');
        let mut field = || fields.next().ok_or_else(|| format!("`{line}` has fewer than three fields"));
        first.push(field()? == "1");
        second.push(field()? == "1");
        clusters.push(field()?.parse::<u32>()?);
    }
    let threads = Threads::new(threads.parse()?)?;
    let settings = Resampling { replicates: replicates.parse()?, ..Resampling::new(Seed::new(1)) };
    for _ in 0..repeats.parse::<usize>()? {
        let start = Instant::now();
        let found = threads.run(|| difference(&first, &second, &clusters, &settings))?;
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        println!("{milliseconds:.3} {} {} {} {}", found.value, found.standard_error, found.interval.low, found.interval.high);
    }
    Ok(())
}
