//! Measures pairs per CPU second of HANS generation and identification: `cargo bench -p acidtest-challenge --bench hans`.

use acidtest_challenge::Mode;
use acidtest_challenge::hans::{Generator, GeneratorSettings, Grammar, Identifier};
use acidtest_nli::Side;
use std::time::Instant;

/// The number of pairs that the original generator makes per CPU second.
const ORIGINAL: f64 = 7_000.0;
const ROUNDS: usize = 15;

fn main() {
    let start = Clock::start();
    let set = Grammar::built_in().set_up(Mode::AsPublished).expect("the built-in grammar is sound");
    println!("set up: {:.2} ms", start.seconds() * 1e3);

    let mut times = Vec::new();
    let mut bytes = 0;
    let mut report = None;
    for seed in 0..ROUNDS as u64 {
        let start = Clock::start();
        let generator = Generator::new(&set, GeneratorSettings { seed, ..Default::default() }).expect("there are enough pairs");
        let mut out = Counter(0);
        let generated = generator.write_hans_text(&mut out).expect("a counter takes all bytes");
        times.push(start.seconds());
        bytes = out.0;
        report = Some(generated);
    }
    let generated = report.expect("there was a round");
    let rate = generated.rows as f64 / median(&mut times);
    println!(
        "generation, HANS text with four parses, one core: {rate:.0} pairs/s ({:.0} times the original; {bytes} bytes)",
        rate / ORIGINAL
    );
    println!("rejected: {:.1} % of {} draws", 100.0 * generated.rejection_rate(), generated.draws);

    let mut times = Vec::new();
    let path = std::env::temp_dir().join(format!("hans-bench-{}.txt", std::process::id()));
    for seed in 0..ROUNDS as u64 {
        let start = Clock::start();
        let set = Grammar::built_in().set_up(Mode::AsPublished).expect("the built-in grammar is sound");
        let generator = Generator::new(&set, GeneratorSettings { seed, ..Default::default() }).expect("there are enough pairs");
        let mut file = std::fs::File::create(&path).expect("the temporary folder can be written to");
        generator.write_hans_text(&mut file).expect("there is room for the file");
        times.push(start.seconds());
    }
    std::fs::remove_file(&path).expect("the file was written");
    println!("grammar read, set made and written to disk: {:.1} ms", median(&mut times) * 1e3);

    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Clock::start();
        let generator = Generator::new(&set, GeneratorSettings::default()).expect("there are enough pairs");
        let Ok(_) = generator.run(|row| {
            std::hint::black_box(row.example());
            Ok::<(), std::convert::Infallible>(())
        });
        times.push(start.seconds());
    }
    println!("generation, as examples: {:.0} pairs/s", generated.rows as f64 / median(&mut times));

    let mut pairs = Vec::new();
    let generator = Generator::new(&set, GeneratorSettings::default()).expect("there are enough pairs");
    let Ok(_) = generator.run(|row| {
        pairs.push((row.text(Side::Premise), row.text(Side::Hypothesis)));
        Ok::<(), std::convert::Infallible>(())
    });
    let identifier = Identifier::new([&set]);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Clock::start();
        let found = pairs.iter().filter(|(premise, hypothesis)| !identifier.readings(premise, hypothesis).is_empty()).count();
        times.push(start.seconds());
        assert_eq!(found, pairs.len());
    }
    println!("identification: {:.0} pairs/s", pairs.len() as f64 / median(&mut times));
}

/// Counts and discards bytes.
struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += std::hint::black_box(bytes).len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The CPU time of this thread on Linux, so that other processes do not matter; elsewhere the wall time.
struct Clock {
    wall: Instant,
    processor: Option<u64>,
}

impl Clock {
    fn start() -> Self {
        Clock { wall: Instant::now(), processor: processor_nanoseconds() }
    }

    fn seconds(&self) -> f64 {
        match (self.processor, processor_nanoseconds()) {
            (Some(before), Some(now)) => (now - before) as f64 * 1e-9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn processor_nanoseconds() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
