//! `acidtest challenge hans`: makes HANS, or pairs from a grammar of the user's own.

use super::make;
use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::FormatFlag;
use acidtest_challenge::hans::{HansSettings, PerSubcase};
use acidtest_challenge::{Mode, Resources};
use acidtest_corpus::{FORMATS, Format};
use acidtest_experiment::spec::ChallengeSpec;
use acidtest_experiment::{Destination, pairs_of, template_counts};
use anyhow::{Context, Result};
use clap::Args;
use std::path::{Path, PathBuf};

/// Make a HANS set from its grammar, or pairs from a grammar of your own
///
/// Every pair has its label, both sentences with Penn-style and binary parses, and the tags heuristic, subcase, template and category. How
/// many draws it took and how many different pairs each template has is stored beside the set in OUT.about.json.
#[derive(Args)]
pub(super) struct Hans {
    /// Where the set goes; `-` for standard output
    #[arg(short, long, value_name = "OUT", required_unless_present = "count")]
    output: Option<PathBuf>,
    /// Pairs of each subcase: a number, or `all` there are
    #[arg(long, value_name = "N|all", default_value = "1000", value_parser = per_subcase, conflicts_with = "per_category")]
    per_subcase: PerSubcase,
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

fn per_subcase(text: &str) -> Result<PerSubcase, String> {
    if text == "all" {
        return Ok(PerSubcase::All);
    }
    text.parse().map(PerSubcase::Count).map_err(|_| "expected a number or `all`".to_string())
}

/// The format of an output of HANS rows: text means HANS text.
pub(super) fn format_of(to: Option<&str>, output: &Path) -> Result<Format> {
    match to {
        Some(name) => Ok(*FORMATS.find(name)?),
        None if Format::of_path(output) == Format::MULTINLI_TEXT => Ok(Format::HANS),
        None => Ok(Format::of_path(output)),
    }
}

impl Hans {
    /// Makes the set, or counts.
    pub(super) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let settings = HansSettings {
            per_subcase: self.per_subcase,
            per_category: self.per_category,
            subcases: self.subcase.clone(),
            withhold: self.withhold.clone(),
            grammar: self.grammar.clone(),
        };
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let Some(output) = &self.output else {
            let set = settings.read_grammar()?.set_up(mode)?;
            for name in self.subcase.iter().chain(&self.withhold) {
                acidtest_nli::find("subcase", set.subcases(), name)?;
            }
            let wanted = |name: &str| {
                let among = |names: &[String]| names.iter().any(|other| other == name);
                (self.subcase.is_empty() || among(&self.subcase)) && !among(&self.withhold)
            };
            let title = self.grammar.as_ref().map_or("Templates of HANS".to_string(), |path| format!("Templates of {}", path.display()));
            return self.format.show(&template_counts(&title, &set, &wanted, mode, &session));
        };
        let exclude = match self.exclude.is_empty() {
            true => Vec::new(),
            false => pairs_of(self.read.spec(&self.exclude)?.resolve_text()?, &session).context("--exclude")?,
        };
        let settings = serde_json::to_value(settings)?.as_object().cloned().unwrap_or_default();
        let spec = ChallengeSpec { name: "hans".to_string(), settings, mode, seed: self.seed };
        let to = Destination { path: output, format: format_of(self.to.as_deref(), output)? };
        make(None, &[(spec, to)], &Resources { exclude: exclude.into(), ..Resources::default() }, &session)
    }
}
