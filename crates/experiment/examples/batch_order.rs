//! Prints the batches of an epoch as JSON, for `bench/fine_tuning.py`, which trains another program on the same ones.
//!
//!     cargo run -p acidtest-experiment --example batch_order -- SEED EPOCH BATCH_SIZE < LENGTHS
//!
//! LENGTHS is a JSON list of the lengths of all examples in tokens.

use acidtest_experiment::training::batch_order;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, seed, epoch, batch_size] = arguments.as_slice() else { return Err("expected SEED EPOCH BATCH_SIZE".into()) };
    let lengths: Vec<usize> = serde_json::from_reader(std::io::stdin())?;
    println!("{}", serde_json::to_string(&batch_order(&lengths, batch_size.parse()?, seed.parse()?, epoch.parse()?))?);
    Ok(())
}
