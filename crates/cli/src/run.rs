//! `acidtest run`: models through every challenge.

use crate::exit::failed;
use crate::flags::{RunFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use anyhow::Result;
use clap::Args;

/// Stress-test models and say where they break
///
/// You get the accuracy of each model on the original examples and on every challenge made from them, with intervals and significant drops, and a verdict. --details
/// and the page of --report add which predictions changed and which shortcuts the model takes. Without flags, a small embedded network and the lexical-overlap
/// heuristic are tested on embedded examples.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Run {
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    page: PageFlags,
}

const EXAMPLES: &str = "Examples:
  acidtest run
  acidtest run --data dev.jsonl --model 'process:python3 model.py' --challenge negation
  acidtest run --model esim-small --challenge hans --set hans.per_subcase=10 --report page";

impl Run {
    /// Runs and prints.
    pub(crate) fn run(self) -> Result<()> {
        let target = self.page.resolve(&self.show, self.run.inputs())?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let run = self.run.spec()?.resolve(&session)?;
        let results = run.run(&session).map_err(failed)?;
        drop(terminal);
        finish(&target, &results)
    }
}
