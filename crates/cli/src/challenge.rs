//! `acidtest challenge`: builds challenge sets.

mod identify;

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::options::refuse_same;
use crate::progress::Terminal;
use crate::show::FormatFlag;
use acidtest_challenge::hans::{CorpusFrames, FrameStrictness};
use acidtest_challenge::{Challenge, Mode, Need, Resources};
use acidtest_experiment::spec::{ChallengeSpec, add_settings, chosen_challenges};
use acidtest_experiment::{
    Data, Destination, FrameOptions, ScoringModel, Session, SetToWrite, count_examples, explain_example, fit_to_standard_input, frames_for,
    modifier_table, pairs_of, set_files, training_counts, use_own_parse, write_sets,
};
use acidtest_files::MadeFolder;
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Build a challenge set
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true, long_about = include_str!("help/challenge.txt"), after_long_help = include_str!("examples/challenge.txt"))]
pub(crate) struct MakeSets {
    #[command(subcommand)]
    verb: Option<Box<ChallengeVerb>>,
    /// Challenges, separated by commas (see `acidtest list challenges`), or `all`
    ///
    /// `all` builds every challenge, and skips those whose requirements are not met.
    #[arg(required = true)]
    name: Option<String>,
    #[arg(hide = true)]
    misplaced: Vec<String>,
    /// Corpora to make the set from: files, folders, or `-` for standard input; generated challenges need none
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// File for the set, or folder for several sets; `-` is standard output
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["count", "explain"])]
    output: Option<PathBuf>,
    /// Setting of the challenge, such as `per_subcase=100`, or with several challenges `hans.per_subcase=100`; may be repeated
    #[arg(long, value_name = "[CHALLENGE.]KEY=VALUE")]
    set: Vec<String>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Follow the authors' released scripts, quirks included, instead of the paper
    #[arg(long)]
    as_published: bool,
    /// Folder of a trained lexical model, for challenges that need one
    #[arg(long, value_name = "FOLDER")]
    lexical: Option<PathBuf>,
    /// Training corpora: tag each antonym pair with the number of contradictions there that contain it
    #[arg(long, value_name = "FILE", num_args = 1..)]
    training: Vec<PathBuf>,
    /// Corpora in which added-modifier counts which modifiers occur with which nouns [default: the corpora of --from]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    modifiers_from: Vec<PathBuf>,
    /// For added-modifier: minimum number of sentences in which the modifier occurs with each of the two nouns [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seen_at_least: Option<u64>,
    /// Do not generate pairs that are in this corpus; may be repeated
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,
    /// Training corpora: hans uses only verbs that are frequent there in the frames that its templates need
    ///
    /// `acidtest corpus frames` shows the counts. They are also written to OUT.about.json.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    frames_from: Vec<PathBuf>,
    /// Minimum number of occurrences in a frame [default: 50 in 392,702 examples, scaled to the corpus]
    #[arg(long, value_name = "N", requires = "frames_from", value_parser = clap::value_parser!(u64).range(1..))]
    frame_threshold: Option<u64>,
    /// Also exclude verbs that are too rare as passives or reduced participles
    #[arg(long, requires = "frames_from")]
    strict_frames: bool,
    /// Format of the set (see `acidtest list formats`) [default: by file extension]
    ///
    /// For hans, .txt means HANS text; without an extension the format is `acidtest`.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Only count the distinct pairs that a challenge can generate
    #[arg(long, conflicts_with_all = ["output", "exclude", "to", "from"])]
    count: bool,
    /// Show the analysis of this example and why it is changed or skipped
    #[arg(long, value_name = "ID", conflicts_with_all = ["output", "exclude", "to", "count"], requires = "from")]
    explain: Option<String>,
    /// What to do with examples without a gold label
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = UnlabelledRows::Drop)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    format: FormatFlag,
}

/// Subcommands that do not build sets.
#[derive(Subcommand)]
enum ChallengeVerb {
    Identify(identify::Identify),
}

impl MakeSets {
    pub(crate) fn run(mut self) -> Result<()> {
        if let Some(ChallengeVerb::Identify(verb)) = self.verb.take().map(|verb| *verb) {
            return verb.run();
        }
        if let Some(first) = self.misplaced.first() {
            bail!("unexpected argument `{first}`; did you mean --from {}?", self.misplaced.join(" "));
        }
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let mut resources = self.resources(&session)?;
        let mut specs = self.specs(&resources, &session)?;
        fit_to_standard_input(self.name.as_slice(), &mut specs, self.corpora(&self.from)?.as_ref(), &resources, &session)?;
        resources.frames = self.counted_frames(&specs, &session)?;
        match (&self.output, &self.explain) {
            (Some(output), _) => self.write(output, &specs, &resources, &session),
            (None, Some(id)) => {
                let [spec] = specs.as_slice() else { bail!("--explain: expected a single challenge, not {}", specs.len()) };
                print!("{}", explain_example(&self.read.spec(&self.from)?.resolve_text()?, &spec.resolve(&resources)?, id, &session)?);
                Ok(())
            }
            (None, None) => {
                let [spec] = specs.as_slice() else { bail!("--count: expected a single challenge, not {}", specs.len()) };
                self.format.show(&count_examples(spec, &resources, &session)?)
            }
        }
    }

    fn resources(&self, session: &Session<'_>) -> Result<Resources> {
        let scorer = self.lexical.as_deref().map(ScoringModel::open).transpose().context("--lexical")?;
        let exclude = self.corpora(&self.exclude)?.map(|data| pairs_of(data, session)).transpose().context("--exclude")?;
        let training = self.corpora(&self.training)?.map(|data| training_counts(data, session)).transpose().context("--training")?;
        let modifiers = self.corpora(&self.modifiers_from)?.map(|data| modifier_table(data, session)).transpose();
        let (exclude, modifiers) = (exclude.unwrap_or_default().into(), modifiers.context("--modifiers-from")?.map(Arc::new));
        Ok(Resources { scorer, exclude, training: training.map(Arc::new), modifiers, ..Resources::default() })
    }

    fn corpora(&self, files: &[PathBuf]) -> Result<Option<Data>> {
        Ok(if files.is_empty() { None } else { Some(self.read.spec(files)?.resolve_text()?) })
    }

    fn counted_frames(&self, specs: &[ChallengeSpec], session: &Session<'_>) -> Result<Option<Arc<CorpusFrames>>> {
        let Some(data) = self.corpora(&self.frames_from)? else { return Ok(None) };
        let strictness = if self.strict_frames { FrameStrictness::All } else { FrameStrictness::Active };
        let options = FrameOptions { threshold: self.frame_threshold, strictness };
        let counted = frames_for(specs, data, options, session).context("--frames-from")?;
        Ok(Some(Arc::new(counted.context("--frames-from: applies to hans, which is not among the challenges; leave --frames-from out")?)))
    }

    fn specs(&self, resources: &Resources, session: &Session<'_>) -> Result<Vec<ChallengeSpec>> {
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let like = ChallengeSpec { mode, seed: self.seed, ..ChallengeSpec::default() };
        let (mut specs, left_out) = chosen_challenges(self.name.as_slice(), &like, resources)?;
        left_out.iter().for_each(|left_out| session.note(&left_out.to_string()));
        let seen = self.seen_at_least.map(|times| format!("added-modifier.seen_at_least={times}"));
        ensure!(seen.is_none() || specs.iter().any(|spec| spec.name == "added-modifier"), "--seen-at-least: only added-modifier uses it");
        Ok(add_settings(&mut specs, &self.set.iter().cloned().chain(seen).collect::<Vec<_>>()).map(|()| specs)?)
    }

    /// Refuses flags that none of the challenges uses.
    fn refuse_unused(&self, challenges: &[Challenge]) -> Result<()> {
        let names = challenges.iter().map(Challenge::name).collect::<Vec<_>>().join(", ");
        let none = |uses: fn(&Challenge) -> bool| !challenges.iter().any(uses);
        let flags = [
            ("--from", !self.from.is_empty() && none(|own| own.generator().is_none()), "generates its pairs and reads no corpus"),
            ("--exclude", !self.exclude.is_empty() && none(|own| own.generator().is_some()), "generates no pairs"),
            ("--training", !self.training.is_empty() && none(Challenge::counts_training), "does not use training data"),
            ("--modifiers-from", !self.modifiers_from.is_empty() && none(|own| own.modifiers().is_some()), "adds no modifiers"),
            ("--lexical", self.lexical.is_some() && none(|own| own.entry().needs.contains(&Need::LexicalModel)), "needs no lexical model"),
        ];
        let Some((flag, _, why)) = flags.iter().find(|(_, is_unused, _)| *is_unused) else { return Ok(()) };
        bail!("{flag}: {names} {why}; leave {flag} out")
    }

    /// Builds sets that appear together, and says how many examples each has. A failure leaves no folder behind.
    fn write(&self, output: &Path, specs: &[ChallengeSpec], resources: &Resources, session: &Session<'_>) -> Result<()> {
        let challenges = specs.iter().map(|spec| spec.resolve(resources)).collect::<Result<Vec<_>, _>>()?;
        self.refuse_unused(&challenges)?;
        let (files, data) = (set_files(&challenges, output, self.to.as_deref())?, self.corpora(&self.from)?);
        let grammars = specs.iter().filter_map(|spec| spec.settings.get("grammar")?.as_str().map(PathBuf::from));
        let corpora = [&self.from, &self.exclude, &self.frames_from, &self.training, &self.modifiers_from].into_iter().flatten();
        let read: Vec<PathBuf> = corpora.chain(&self.lexical).cloned().chain(grammars).collect();
        files.iter().try_for_each(|(path, _)| refuse_same(&read, path))?;
        let folder = if challenges.len() > 1 { Some(MadeFolder::at(output)?) } else { None };
        let to = files.iter().map(|(path, format)| Destination { path, format: *format });
        let set = |(challenge, to)| SetToWrite { challenge, to, unlabelled: self.unlabelled.rule() };
        let sets: Vec<SetToWrite<'_>> = challenges.iter().zip(to).map(set).collect();
        let (written, mut specs) = (write_sets(data.as_ref(), &sets, resources, session), specs.to_vec());
        drop(folder);
        if matches!(&written, Err(error) if use_own_parse(error, self.name.as_slice(), &mut specs, data.as_ref(), session)) {
            return self.write(output, &specs, resources, session);
        }
        written?.iter().for_each(|set| session.note(&format!("{}: {}", set.name, set.outcome)));
        Ok(())
    }
}
