//! Prints our side of `bench/statistics_check.py`: the statistics of right and wrong answers, one `name value` a line.
//!
//! Reads one line a row from the first file: gold label, then the answers of every run, by label number (0, 1, 2), all split by spaces; and
//! from the second file one line a run: its accuracies by subcase.

use acidtest_evaluate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference};
use acidtest_evaluate::statistics::permutation::{LabelPermutation, Verdict, diagnose};
use acidtest_evaluate::statistics::power::{Plan, minimum_detectable};
use acidtest_evaluate::statistics::runs::{Runs, Variance, spread_by_column};
use acidtest_evaluate::statistics::tied::{Family, with_best};
use acidtest_evaluate::statistics::{Interval, PairedCounts, Proportion, kappa, multiple};
use acidtest_nli::{FleissKappa, Label, Seed};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [answers, table] = arguments.as_slice() else { return Err("usage: statistics_check ANSWERS TABLE".into()) };
    let (gold, runs) = read(&std::fs::read_to_string(answers)?)?;
    let right: Vec<Vec<bool>> = runs.iter().map(|run| run.iter().zip(&gold).map(|(answer, gold)| answer == gold).collect()).collect();
    compare(&right)?;
    agreement(&gold, &runs, &right)?;
    subcases(&std::fs::read_to_string(table)?)?;
    doctor(&gold, &runs[0])
}

type Labels = Vec<Label>;

/// Gold labels, and the answers run by run.
fn read(text: &str) -> Result<(Labels, Vec<Labels>), Box<dyn Error>> {
    let (mut gold, mut runs): (Labels, Vec<Labels>) = (Vec::new(), Vec::new());
    for line in text.lines() {
        for (column, field) in line.split(' ').enumerate() {
            let label = *Label::ALL.get(field.parse::<usize>()?).ok_or_else(|| format!("`{field}` is not the number of a label"))?;
            if column == 0 {
                gold.push(label);
                continue;
            }
            if runs.len() < column {
                runs.push(Vec::new());
            }
            runs[column - 1].push(label);
        }
    }
    if runs.len() < 2 {
        return Err("at least two runs are needed".into());
    }
    Ok((gold, runs))
}

/// The first two runs side by side, then all against the first.
fn compare(right: &[Vec<bool>]) -> Result<(), Box<dyn Error>> {
    let first = Proportion::of(&right[0]);
    show("accuracy", first.rate().ok_or("no rows")?);
    show_interval("wilson95", first.wilson());
    show_interval("wilson99", first.wilson_at(0.99));
    let counts = PairedCounts::of(&right[0], &right[1])?;
    show("first_only", counts.first_only as f64);
    show("second_only", counts.second_only as f64);
    show("difference", counts.difference());
    show("mcnemar_exact", counts.exact_p());
    show("mcnemar_mid_p", counts.mid_p());
    show_interval("difference_wald", counts.wald_at(0.95));
    show_interval("difference_agresti_min", counts.interval());
    show(
        "minimum_detectable",
        minimum_detectable(counts.total() as f64, counts.discordance(), Plan::default())?.ok_or("nothing can be detected")?,
    );
    let mut p_values = Vec::new();
    for other in &right[1..] {
        p_values.push(PairedCounts::of(&right[0], other)?.exact_p());
    }
    show_all("holm", &multiple::holm(&p_values)?);
    show_all("benjamini_hochberg", &multiple::benjamini_hochberg(&p_values)?);
    let clusters: Vec<u32> = (0..right[0].len() as u32).collect();
    let ranking = with_best(right, &clusters, 0.05, Family::WithFirst)?;
    show("best", ranking.best as f64);
    show_all("tied", &ranking.tied.iter().map(|&model| model as f64).collect::<Vec<f64>>());
    show_interval("clustered_wilson", ClusteredAccuracy::of(&right[0], &clusters).interval());
    let apart = ClusteredDifference::of(&right[0], &right[1], &clusters)?;
    show("clustered_p", apart.p());
    show_interval("tango", apart.interval().interval);
    Ok(())
}

/// Runs of one model: spread, parts of the variance, agreement.
fn agreement(gold: &[Label], runs: &[Vec<Label>], right: &[Vec<bool>]) -> Result<(), Box<dyn Error>> {
    let found = Runs::of(right)?;
    show("runs_mean", found.accuracy.mean);
    show("runs_deviation", found.accuracy.standard_deviation);
    show_all("runs_variance", &[found.variance.items, found.variance.runs, found.variance.rest]);
    show_all("runs_shares", &found.variance.shares());
    show("runs_icc", found.variance.intraclass_agreement());
    show("runs_agreement", found.agreement);
    show("error_from_items", found.variance.error_from_items());
    show("error_from_runs", found.variance.error_from_runs());
    let mut table = [[0u64; 3]; 3];
    for (gold, answer) in gold.iter().zip(&runs[0]) {
        table[gold.index()][answer.index()] += 1;
    }
    let cohen = kappa::cohen(&table)?;
    show("cohen", cohen.value);
    show_interval("cohen", cohen.interval());
    let mut fleiss = FleissKappa::new(runs.len() as u64);
    (0..gold.len()).for_each(|row| fleiss.add(&Label::ALL.map(|label| runs.iter().filter(|run| run[row] == label).count())));
    show("fleiss", fleiss.value().ok_or("all runs always gave the same answer")?);
    Ok(())
}

/// Runs by subcase.
fn subcases(text: &str) -> Result<(), Box<dyn Error>> {
    let row = |line: &str| line.split(' ').map(str::parse::<f64>).collect::<Result<Vec<f64>, _>>();
    let table = text.lines().map(row).collect::<Result<Vec<Vec<f64>>, _>>()?;
    let spreads = spread_by_column(&table)?;
    show_all("subcase_means", &spreads.iter().map(|spread| spread.mean).collect::<Vec<f64>>());
    show_all("subcase_deviations", &spreads.iter().map(|spread| spread.standard_deviation).collect::<Vec<f64>>());
    show_all("subcase_ranges", &spreads.iter().map(|spread| spread.range()).collect::<Vec<f64>>());
    show_all("subcase_shares", &Variance::of_table(&table)?.shares());
    Ok(())
}

/// Every misreading of the first run's labels, and answers of chance.
fn doctor(gold: &[Label], answers: &[Label]) -> Result<(), Box<dyn Error>> {
    for written in LabelPermutation::ALL {
        let misread: Vec<Label> = answers.iter().map(|&answer| written.meaning(answer)).collect();
        println!("doctor_{written} {}", verdict(gold, &misread)?);
    }
    let mut rng = Seed::new(1).rng();
    let chance: Vec<Label> = (0..50).map(|_| Label::ALL[rng.below(3)]).collect();
    println!("doctor_random_50 {}", verdict(&gold[..50], &chance)?);
    Ok(())
}

fn verdict(gold: &[Label], answers: &[Label]) -> Result<String, Box<dyn Error>> {
    Ok(match diagnose(gold, answers)?.verdict {
        Verdict::Holds => "holds".into(),
        Verdict::Better { order, accuracy, p } => format!("better {order} accuracy {accuracy:.4} p {p:.1e}"),
        Verdict::CannotTell => "inconclusive".into(),
    })
}

fn show(name: &str, value: f64) {
    println!("{name} {value:e}");
}

fn show_interval(name: &str, interval: Interval) {
    show_all(&format!("{name}_interval"), &[interval.low, interval.high]);
}

fn show_all(name: &str, values: &[f64]) {
    let values: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
    println!("{name} {}", values.join(" "));
}
