//! Asks a process model about pairs and keeps its answers: `ask FOLDER COMMAND < PAIRS`.
//!
//! A line of input is a premise, a tab and a hypothesis. A line of output is the number of the pair and its label, written once the answer is
//! stored. Killed and started again, it asks only what it has not stored.

use acidtest_model::{AnswerCache, CachedModel, Model, ModelError, ProcessModel, ProcessSettings};
use acidtest_nli::Pair;
use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, command] = arguments.as_slice() else { return Err("usage: ask FOLDER COMMAND < PAIRS".into()) };
    let lines: Vec<String> = stdin().lines().collect::<Result<_, _>>()?;
    let pairs: Vec<Pair<'_>> = lines.iter().filter_map(|line| line.split_once('\t')).map(|(p, h)| Pair::plain(p, h)).collect();

    let model = ProcessModel::start(command, ProcessSettings { batch: 16, ..Default::default() })?;
    let cache = AnswerCache::open(Path::new(folder), &model.identity())?;
    let model = CachedModel::new(model, cache);
    let mut out = stdout();
    model.answer_each(&pairs, &mut |place, prediction| {
        let written = writeln!(out, "{place}\t{}", prediction.answer).and_then(|()| out.flush());
        written.map_err(|error| ModelError::Failed { model: "ask".to_string(), message: error.to_string() })
    })?;
    Ok(())
}
