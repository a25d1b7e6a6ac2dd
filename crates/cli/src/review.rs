//! `acidtest review`: people judge a sample of a set.

use crate::exit::Refused;
use crate::flags::{DataFlags, ThreadFlags};
use crate::page::{PageFlags, PageNote};
use crate::progress::Terminal;
use crate::show::{FormatFlag, grouped, print_text, screen, visible};
use acidtest_experiment::{OldReview, PageTarget, ReviewSpec, ScoreRequest, draw_review, score_review};
use anyhow::{Result, anyhow};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Have people judge a sample of a set, and score their judgements
#[derive(Args)]
#[command(long_about = include_str!("help/review.txt"), after_long_help = include_str!("examples/review.txt"))]
pub(crate) struct Review {
    /// The set to draw from: files or folders, in any format
    #[arg(value_name = "SET", required_unless_present = "score", conflicts_with = "score")]
    sets: Vec<PathBuf>,
    /// Folder for the sheets; with --score, file for the report [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Number of items to draw
    #[arg(short = 'n', long = "items", value_name = "N", default_value = "100", help_heading = "Drawing")]
    items: NonZeroUsize,
    /// Questions, separated by commas: label, grammar, difficulty, or relation instead of label
    ///
    /// `relation` is for sets that keep the label of the corpus: judges see the original and the changed pair and say whether the change alters their relation.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "label,grammar,difficulty", help_heading = "Drawing")]
    questions: Vec<String>,
    /// Number of judges, each of whom gets a sheet
    #[arg(long, value_name = "N", default_value = "3", help_heading = "Drawing")]
    judges: NonZeroUsize,
    /// Random seed of the sample and of the order of each sheet
    #[arg(long, default_value_t = 1, help_heading = "Drawing")]
    seed: u64,
    /// Replace an earlier review in the folder, unless one of its sheets was filled in
    #[arg(long, conflicts_with = "score", help_heading = "Drawing")]
    force: bool,
    /// Score these sheets, one per judge
    #[arg(long, value_name = "SHEET", num_args = 1.., help_heading = "Scoring")]
    score: Vec<PathBuf>,
    /// The key of the review [default: review.json beside the first sheet]
    #[arg(long, value_name = "FILE", requires = "score", help_heading = "Scoring")]
    key: Option<PathBuf>,
    /// Store the result beside this set, as SET.review.json [default: the set of the key, if it is unchanged]
    #[arg(long, value_name = "SET", requires = "score", help_heading = "Scoring")]
    store: Option<PathBuf>,
    /// Break the result down by this tag; may be repeated [default: tags whose values have enough items]
    #[arg(long, value_name = "TAG", requires = "score", help_heading = "Scoring")]
    by: Vec<String>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    page: PageFlags,
}

impl Review {
    pub(crate) fn run(self: Box<Self>) -> Result<()> {
        if self.score.is_empty() { self.draw() } else { self.count() }
    }

    fn draw(&self) -> Result<()> {
        let folder = self.output.as_ref().ok_or_else(|| Refused(anyhow!("no folder for the sheets: pass -o FOLDER")))?;
        let spec = ReviewSpec {
            data: self.read.spec(&self.sets)?,
            items: self.items,
            questions: self.questions.clone(),
            judges: self.judges,
            seed: self.seed,
        };
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let old = if self.force { OldReview::Replaced } else { OldReview::Refused };
        let drawn = draw_review(&spec, folder, old, &session)?;
        drop(terminal);
        let folder = folder.display().to_string();
        eprintln!(
            "{} of {} examples drawn; {} sheets and review.html written to {}",
            grouped(drawn.items),
            grouped(drawn.from),
            drawn.sheets.len(),
            visible(&folder)
        );
        eprintln!("judges fill in a sheet or open review.html; do not give them review.json, which has the labels");
        Ok(())
    }

    fn count(&self) -> Result<()> {
        let read = self.score.iter().chain(&self.key).chain(&self.store).cloned();
        let target = self.page.resolve(&self.format.to_file(self.output.clone()), read)?;
        let request = ScoreRequest { sheets: self.score.clone(), key: self.key.clone(), store: self.store.clone(), by: self.by.clone() };
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let scored = score_review(&request, &session)?;
        drop(terminal);
        let note = PageNote::before(target.page.as_ref().map(PageTarget::index));
        print_text(target.finish_review(&scored, screen(target.output.as_deref()))?)?;
        note.say();
        if let Some((path, _)) = &scored.stored {
            eprintln!("result stored as {}", visible(&path.display().to_string()));
        }
        Ok(())
    }
}
