//! `acidtest challenge`: makes challenge sets.

mod compositional;
mod hans;
mod identify;

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::refuse_same;
use crate::progress::Terminal;
use acidtest_challenge::{Mode, Resources};
use acidtest_corpus::{FORMATS, Format};
use acidtest_experiment::spec::{ChallengeSpec, chosen_challenges};
use acidtest_experiment::{Data, Destination, GeneratedSet, Session, SetOutcome, SetToWrite, write_sets};
use acidtest_files::MadeFolder;
use acidtest_nli::Settings;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Make a challenge set from corpora
///
/// Every row of the set carries the id of the row it was made from, the challenge, the seed and the exact span that changed. What came
/// of the rows (made, not applicable and why) is printed and stored beside the set in OUT.about.json.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct Challenge {
    #[command(subcommand)]
    verb: Option<Box<ChallengeVerb>>,
    /// Name of the challenge (see `acidtest list`), several with commas between, or `all` whose needs are met
    #[arg(required = true)]
    name: Option<String>,
    /// Corpora to make the set from: files, folders, or `-` for standard input; challenges that are generated need none
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// Where the set goes; a folder for several, `-` for standard output
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
    /// Makes the sets.
    pub(crate) fn run(mut self) -> Result<()> {
        match self.verb.take().map(|verb| *verb) {
            Some(ChallengeVerb::Compositional(verb)) => return verb.run(),
            Some(ChallengeVerb::Hans(verb)) => return verb.run(),
            Some(ChallengeVerb::Identify(verb)) => return verb.run(),
            None => {}
        }
        let (Some(names), Some(output)) = (&self.name, &self.output) else { bail!("a challenge and an output are needed") };
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let settings = Settings::parse(self.set.iter().map(String::as_str))?.as_json();
        let like = ChallengeSpec {
            settings: settings.as_object().cloned().unwrap_or_default(),
            mode: if self.as_published { Mode::AsPublished } else { Mode::Clean },
            seed: self.seed,
            ..ChallengeSpec::default()
        };
        let resources = Resources::default();
        let (specs, left_out) = chosen_challenges(std::slice::from_ref(names), &like, &resources)?;
        for left_out in left_out {
            session.note(&format!("{} is left out: it needs {}", left_out.name, left_out.need.name()));
        }
        let data = if self.from.is_empty() { None } else { Some(self.read.spec(&self.from)?.resolve_text()?) };
        if specs.len() == 1 {
            refuse_same(&self.from, output)?;
            let to = Destination::new(output, self.to.as_deref())?;
            return make(data, &specs.into_iter().map(|spec| (spec, to)).collect::<Vec<_>>(), &resources, &session);
        }
        self.several(specs, data, &resources, &session)
    }

    /// Makes several sets in one folder.
    fn several(&self, specs: Vec<ChallengeSpec>, data: Option<Data>, resources: &Resources, session: &Session<'_>) -> Result<()> {
        let output = self.output.clone().unwrap_or_default();
        if output.as_os_str() == "-" || self.from.iter().any(|path| path.as_os_str() == "-") {
            bail!("several sets need files to read from and a folder to write to");
        }
        if !self.set.is_empty() {
            bail!("--set goes with one challenge, not with several");
        }
        let format = self.to.as_deref().map(|name| FORMATS.find(name)).transpose()?.copied().unwrap_or(Format::ACIDTEST);
        let paths: Vec<PathBuf> = specs.iter().map(|spec| output.join(format!("{}.{}", spec.name, format.ending()))).collect();
        paths.iter().try_for_each(|path| refuse_same(&self.from, path))?;
        // What cannot be made leaves no folder behind.
        let _folder = MadeFolder::at(&output)?;
        let wanted: Vec<_> = specs.into_iter().zip(&paths).map(|(spec, path)| (spec, Destination { path, format })).collect();
        make(data, &wanted, resources, session)
    }
}

/// Makes sets that appear together, and says what came of each.
fn make(data: Option<Data>, wanted: &[(ChallengeSpec, Destination<'_>)], resources: &Resources, session: &Session<'_>) -> Result<()> {
    let challenges = wanted.iter().map(|(spec, _)| spec.resolve(resources)).collect::<Result<Vec<_>, _>>()?;
    let sets: Vec<SetToWrite<'_>> =
        wanted.iter().zip(&challenges).map(|((spec, to), challenge)| SetToWrite { spec, challenge, to: *to }).collect();
    for (set, (_, to)) in write_sets(data.as_ref(), &sets, resources, session)?.iter().zip(wanted) {
        match &set.outcome {
            SetOutcome::Made(coverage) => session.note(&format!("{}: {coverage}", set.name)),
            SetOutcome::Generated(made) => session.note(&format!("{}: {}", set.name, generated(made, to.format))),
        }
    }
    Ok(())
}

/// What came of a generated set, in one line.
fn generated(made: &GeneratedSet, format: Format) -> String {
    let GeneratedSet { generated, templates, distinct, .. } = made;
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
    format!(
        "{} pairs of {templates} templates written as {} (of {distinct} distinct ones; --count shows them by template){draws}",
        generated.rows,
        format.name()
    )
}
