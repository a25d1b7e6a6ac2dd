//! `acidtest run`: stress-tests models on every challenge.

use crate::exit::failed;
use crate::flags::{RunFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use anyhow::Result;
use clap::Args;

/// Stress-test models and say where they break
#[derive(Args)]
#[command(long_about = include_str!("help/run.txt"), after_long_help = include_str!("examples/run.txt"))]
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
    pub(crate) fn run(self) -> Result<()> {
        let target = self.page.resolve(&self.show, self.run.inputs())?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let run = self.run.spec()?.resolve(&session)?;
        let results = run.run(&session).map_err(|error| failed(error, 1))?;
        drop(terminal);
        finish(&target, &results)
    }
}
