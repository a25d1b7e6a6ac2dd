//! `acidtest run`: models through every challenge.

use crate::failed;
use crate::flags::{RunFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use anyhow::Result;
use clap::Args;

/// Put models through every challenge and print one table
///
/// Without arguments, a small trained network that the program carries and the overlap heuristic are put through plain pairs, an
/// embedded sample corpus, every challenge made from both, and HANS. What each challenge costs, which answers flip and which shortcuts
/// are taken is shown with --details and on the page of --report.
#[derive(Args)]
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
