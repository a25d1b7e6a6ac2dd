//! `acidtest challenge`: makes challenge sets.

mod compositional;
mod hans;
mod identify;

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::{files, refuse_same, tell_skipped};
use acidtest_challenge::{Build, CATALOG, Challenge as Built, Entry, Mode, Resources};
use acidtest_corpus::{FORMATS, Format};
use acidtest_experiment::{SetRequest, seal_set};
use acidtest_files::{MadeFolder, Sealed, publish_all};
use acidtest_nli::Settings;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Make a challenge set from corpora
///
/// Every row of the set carries the id of the row it was made from, the challenge, the seed and the exact span that changed. What came
/// of the rows (made, not applicable and why) is printed and stored beside the set in OUT.about.json.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub struct Challenge {
    #[command(subcommand)]
    verb: Option<Box<ChallengeVerb>>,
    /// Name of the challenge (see `acidtest list`), or `all`
    #[arg(required = true)]
    name: Option<String>,
    /// Corpora to make the set from: files, folders, or `-` for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// Where the set goes; a folder for `all`, `-` for standard output
    #[arg(short, long, value_name = "OUT", required = true)]
    output: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Follow the authors' released scripts, quirks included, instead of what the paper means
    #[arg(long)]
    as_published: bool,
    /// Setting of the challenge, such as `statement=green is not red`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Format of the set (see `acidtest list formats`) [default: told by the output's name, else our own]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

/// Challenges with flags of their own.
#[derive(Subcommand)]
enum ChallengeVerb {
    /// Take the rows out of a corpus whose words mislead
    Compositional(compositional::Compositional),
    /// Make a HANS set from its grammar, or pairs from a grammar of your own
    Hans(hans::Hans),
    /// Find heuristic, subcase, template and parses of HANS pairs that have lost them
    Identify(identify::Identify),
}

impl Challenge {
    /// Makes the set.
    pub fn run(mut self) -> Result<()> {
        match self.verb.take().map(|verb| *verb) {
            Some(ChallengeVerb::Compositional(verb)) => return verb.run(),
            Some(ChallengeVerb::Hans(verb)) => return verb.run(),
            Some(ChallengeVerb::Identify(verb)) => return verb.run(),
            None => {}
        }
        let (Some(name), Some(output)) = (&self.name, &self.output) else { bail!("a challenge and an output are needed") };
        if name != "all" {
            let entry = CATALOG.find(name)?;
            return Ok(publish_all(self.make(entry, output)?)?);
        }
        if output.as_os_str() == "-" || self.from.iter().any(|path| path.as_os_str() == "-") {
            bail!("`all` makes several sets: it needs files to read from and a folder to write to");
        }
        if !self.set.is_empty() {
            bail!("--set goes with one challenge, not with `all`");
        }
        let _folder = MadeFolder::at(output)?;
        let ending = self.to.as_deref().map(|name| FORMATS.find(name)).transpose()?.map_or(Format::ACIDTEST, |format| *format).ending();
        let mut sets = Vec::new();
        for entry in CATALOG.iter().filter(|entry| matches!(entry.build, Build::Rewrite(_))) {
            sets.extend(self.make(entry, &output.join(format!("{}.{ending}", entry.name)))?);
        }
        Ok(publish_all(sets)?)
    }

    /// Makes a set whose files are not yet in their places.
    fn make(&self, entry: &'static Entry, output: &Path) -> Result<Vec<Sealed>> {
        refuse_same(&self.from, output)?;
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let settings = Settings::parse(self.set.iter().map(String::as_str))?;
        let challenge = Built::new(entry, &settings, mode, self.seed, &Resources::default())?;
        let format = match &self.to {
            Some(name) => *FORMATS.find(name)?,
            None => Format::of_path(output),
        };
        let about = json!({
            "tool_version": env!("CARGO_PKG_VERSION"),
            "challenge": entry.name,
            "source": entry.source,
            "mode": if self.as_published { "as-published" } else { "clean" },
            "seed": self.seed,
            "settings": settings.as_json(),
        });
        let (set, files) = seal_set(SetRequest {
            challenge: &challenge,
            files: files(&self.from)?,
            options: self.read.options()?,
            output: output.to_path_buf(),
            format,
            threads: &self.threads.threads()?,
            about,
        })?;
        eprintln!("{}: {}", entry.name, set.coverage);
        tell_skipped(set.skipped);
        Ok(files)
    }
}
