//! `acidtest challenge hans`: makes HANS, or pairs from a grammar of the user's own.

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::{files, tell_skipped};
use crate::show::{FormatFlag, provenance};
use acidtest_challenge::hans::{Amount, GeneratorSettings, Grammar, Template, TemplateSet};
use acidtest_challenge::{CATALOG, Mode};
use acidtest_corpus::{FORMATS, Format};
use acidtest_evaluate::report::{Block, Cell, Column, Report, Section, Table};
use acidtest_experiment::{HansRequest, HansSet, make_hans, pairs_of};
use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Make a HANS set from its grammar, or pairs from a grammar of your own
///
/// Every pair has its label, both sentences with Penn-style and binary parses, and the tags heuristic, subcase, template and category. How
/// many draws it took and how many different pairs each template has is stored beside the set in OUT.about.json.
#[derive(Args)]
pub struct Hans {
    /// Where the set goes; `-` for standard output
    #[arg(short, long, value_name = "OUT", required_unless_present = "count")]
    output: Option<PathBuf>,
    /// Pairs of each subcase: a number, or `all` there are
    #[arg(long, value_name = "N|all", default_value = "1000", value_parser = per_subcase, conflicts_with = "per_category")]
    per_subcase: Amount,
    /// Pairs of each human category (appendix E) instead
    #[arg(long, value_name = "N")]
    per_category: Option<usize>,
    /// Make pairs of this subcase alone; may be given several times
    #[arg(long, value_name = "NAME")]
    subcase: Vec<String>,
    /// Make no pairs of this subcase; may be given several times
    #[arg(long, value_name = "NAME")]
    withhold: Vec<String>,
    /// Make no pair that is in this corpus, of any format; may be given several times
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,
    /// Grammar to make pairs from (see docs/grammar.md) [default: that of HANS]
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep the quirks of the released set instead of mending them
    #[arg(long)]
    as_published: bool,
    /// Format of the set (see `acidtest list formats`) [default: told by the output's name (.txt is HANS text), else our own]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Show how many different pairs each template has, and make none
    #[arg(long, conflicts_with_all = ["output", "exclude", "to", "per_category"])]
    count: bool,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    format: FormatFlag,
}

fn per_subcase(text: &str) -> Result<Amount, String> {
    if text == "all" {
        return Ok(Amount::All);
    }
    text.parse().map(Amount::PerSubcase).map_err(|_| "expected a number or `all`".to_string())
}

/// The grammar of a file; that of HANS without one.
pub fn grammar(path: Option<&Path>) -> Result<Grammar> {
    let Some(path) = path else { return Ok(Grammar::built_in()) };
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(Grammar::read(&text, &path.display().to_string())?)
}

/// The format of an output of HANS rows: text means HANS text.
pub fn format_of(to: Option<&str>, output: &Path) -> Result<Format> {
    match to {
        Some(name) => Ok(*FORMATS.find(name)?),
        None if Format::of_path(output) == Format::MULTINLI_TEXT => Ok(Format::HANS),
        None => Ok(Format::of_path(output)),
    }
}

impl Hans {
    /// Makes the set, or counts.
    pub fn run(self) -> Result<()> {
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let set = grammar(self.grammar.as_deref())?.set_up(mode)?;
        let Some(output) = &self.output else { return self.format.show(&self.counted(&set)?) };
        let format = format_of(self.to.as_deref(), output)?;
        let exclude = if self.exclude.is_empty() { Vec::new() } else { self.excluded()? };
        let amount = self.per_category.map_or(self.per_subcase, Amount::PerCategory);
        let about = self.about(amount, exclude.len());
        let settings =
            GeneratorSettings { amount, subcases: self.subcase.clone(), withhold: self.withhold.clone(), exclude, seed: self.seed };
        let threads = &self.threads.threads()?;
        let made = make_hans(HansRequest { set: &set, settings, output: output.clone(), format, threads, about })?;
        tell(&made, &set, format);
        Ok(())
    }

    fn excluded(&self) -> Result<Vec<(String, String)>> {
        let (pairs, skipped) = pairs_of(files(&self.exclude)?, self.read.options()?, &self.threads.threads()?).context("--exclude")?;
        tell_skipped(skipped);
        Ok(pairs)
    }

    fn about(&self, amount: Amount, excluded: usize) -> Value {
        let path = |path: &PathBuf| path.display().to_string();
        let amount = match amount {
            Amount::PerSubcase(count) => json!({ "per_subcase": count }),
            Amount::PerCategory(count) => json!({ "per_category": count }),
            Amount::All => json!({ "per_subcase": "all" }),
        };
        json!({
            "tool_version": env!("CARGO_PKG_VERSION"),
            "challenge": "hans",
            "source": CATALOG.get("hans").map(|entry| entry.source),
            "mode": if self.as_published { "as-published" } else { "clean" },
            "seed": self.seed,
            "settings": {
                "amount": amount,
                "subcases": self.subcase,
                "withhold": self.withhold,
                "exclude": self.exclude.iter().map(path).collect::<Vec<_>>(),
                "excluded_pairs": excluded,
                "grammar": self.grammar.as_ref().map_or("hans".to_string(), path),
            },
        })
    }

    /// The number of different pairs of every template.
    fn counted(&self, set: &TemplateSet) -> Result<Report> {
        for name in self.subcase.iter().chain(&self.withhold) {
            acidtest_nli::find("subcase", set.subcases(), name)?;
        }
        let wanted = |template: &&Template| {
            let name = &set.subcases()[template.subcase].name;
            (self.subcase.is_empty() || self.subcase.contains(name)) && !self.withhold.contains(name)
        };
        let templates: Vec<&Template> = set.templates().iter().filter(wanted).collect();
        let rows: Vec<Vec<Cell>> = templates.iter().map(|template| row(set, template)).collect();
        let total: u128 = templates.iter().map(|template| template.pairs).sum();
        let all = [Cell::text("all"), Cell::Empty {}, Cell::Empty {}, Cell::Empty {}, Cell::Empty {}, pairs(total)].to_vec();
        let columns = vec![
            Column::left("heuristic"),
            Column::left("label"),
            Column::left("subcase"),
            Column::left("template"),
            Column::right("share of draws"),
            Column::right("distinct pairs"),
        ];
        let section = Section::new(
            "templates",
            "Distinct pairs",
            vec!["Pairs in which no drawn word repeats; more than these cannot be asked for.".to_string()],
            vec![Block::Table(Table { key_columns: 4, columns, rows: rows.into_iter().chain([all]).collect() })],
        );
        let options = BTreeMap::from([("mode".to_string(), if self.as_published { "as-published" } else { "clean" }.to_string())]);
        let title = self.grammar.as_ref().map_or("Templates of HANS".to_string(), |path| format!("Templates of {}", path.display()));
        let provenance = provenance(Vec::new(), BTreeMap::new(), options);
        Ok(Report::new(title, provenance, vec![section]))
    }
}

fn row(set: &TemplateSet, template: &Template) -> Vec<Cell> {
    let subcase = &set.subcases()[template.subcase];
    vec![
        Cell::text(&subcase.heuristic),
        Cell::text(subcase.gold.name()),
        Cell::text(&subcase.name),
        Cell::text(&template.id),
        Cell::number(Some(template.share), 3),
        pairs(template.pairs),
    ]
}

fn pairs(count: u128) -> Cell {
    u64::try_from(count).map_or_else(|_| Cell::text(count.to_string()), |count| Cell::Count { count })
}

/// What came of it, in one line.
fn tell(made: &HansSet, set: &TemplateSet, format: Format) {
    let generated = &made.generated;
    let used: Vec<&Template> =
        set.templates().iter().zip(&made.rows_by_template).filter(|(_, rows)| **rows > 0).map(|(template, _)| template).collect();
    let distinct: u128 = used.iter().map(|template| template.pairs).sum();
    let rejected = &generated.rejected;
    let draws = match generated.draws {
        0 => String::new(),
        draws => format!(
            "; {draws} draws, {:.1} % rejected ({} repeated a word, {} a pair, {} excluded)",
            100.0 * generated.rejection_rate(),
            rejected.repeated_word,
            rejected.repeated_pair,
            rejected.excluded
        ),
    };
    eprintln!(
        "hans: {} pairs of {} templates written as {} (of {distinct} distinct ones; --count shows them by template){draws}",
        generated.rows,
        used.len(),
        format.name()
    );
}
