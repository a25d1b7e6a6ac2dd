//! `acidtest corpus tags`: the annotation tags of MultiNLI.

use crate::flags::{DataFlags, PredictionFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::{annotation_tags, write_examples};
use acidtest_survey::annotation::AnnotationMode;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Compute the annotation tags of MultiNLI
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-tags.txt"), after_long_help = include_str!("../examples/corpus-tags.txt"))]
pub(crate) struct TagRows {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Match as the MultiNLI authors' script does, substrings of the parses included
    #[arg(long)]
    as_published: bool,
    /// Write the examples with their tags to this file
    #[arg(long, value_name = "OUT")]
    rows: Option<PathBuf>,
    /// Saved predictions (FILE, or FILE@COLUMN), for the accuracy on each tag
    #[arg(long, value_name = "FILE")]
    predictions: Option<String>,
    #[command(flatten)]
    models: PredictionFlags,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl TagRows {
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let mut data = self.read.spec(&self.files)?.resolve_text()?.load(&session)?;
        self.models.refuse_without(self.predictions.as_deref())?;
        let spec = self.predictions.as_ref().map(|file| self.models.predictions(file, &self.read)).transpose()?;
        let model = spec.map(|spec| spec.resolve(data.label_counts(), &session)).transpose()?;
        let mode = if self.as_published { AnnotationMode::AsPublished } else { AnnotationMode::Clean };
        let report = annotation_tags(&mut data, mode, model.as_ref(), &session)?;
        if let Some(path) = &self.rows {
            write_examples(&data.examples, path, &session)?;
        }
        self.show.show(&report)
    }
}
