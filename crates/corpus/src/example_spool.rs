//! Holds examples until it is known which of them are written.

use crate::layouts::json::RowReader;
use crate::{CorpusError, EncodedRows, Encoder, Format, ReadOptions};
use acidtest_files::{FileError, Spool};
use acidtest_nli::{Example, LooseLabels};
use std::io::{BufRead, BufReader, Error};
use std::path::Path;

/// Holds a few examples in memory, and more in an anonymous file.
pub struct ExampleSpool {
    name: String,
    encoder: Encoder,
    rows: Spool,
}

impl ExampleSpool {
    /// No examples yet, for an output of this name.
    pub fn new(output: &Path) -> Self {
        let encoder = Encoder::new(Format::ACIDTEST, output);
        ExampleSpool { name: output.display().to_string(), encoder, rows: Spool::new(output) }
    }

    /// Adds an example.
    pub fn add(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let mut row = EncodedRows::default();
        self.encoder.add(example, &mut row)?;
        Ok(self.rows.write(row.text())?)
    }

    /// Passes every example to `take`, in the order in which they were added.
    pub fn for_each<E: From<CorpusError>>(self, mut take: impl FnMut(&Example<'_>) -> Result<(), E>) -> Result<(), E> {
        let unread = |source: Error| CorpusError::from(FileError::Unwritten { path: self.name.clone(), source });
        let reader = self.rows.into_reader().map_err(CorpusError::from)?;
        for line in BufReader::new(reader).lines() {
            let line = line.map_err(unread)?;
            let row = RowReader::default().read(&line, &ReadOptions::default(), &mut LooseLabels::default());
            take(&row.map_err(|problem| unread(Error::other(problem.to_string())))?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Change, Label, Side};

    #[test]
    fn examples_come_back_as_they_were() {
        let mut example = crate::embedded_sample()[0].clone();
        example.gold = Some(Label::Contradiction.into());
        example.changes =
            vec![Change { side: Side::Hypothesis, start: 0, end: 3, before: "A\t\"b\"".to_string(), from: Some(Side::Premise) }];
        example.tags.set("antonym_pair", "new-old");
        let mut spool = ExampleSpool::new(Path::new("-"));
        (0..3).for_each(|_| spool.add(&example).unwrap());
        let mut seen = 0;
        spool
            .for_each(|back| {
                assert_eq!(back, &example);
                seen += 1;
                Ok::<(), CorpusError>(())
            })
            .unwrap();
        assert_eq!(seen, 3);
    }
}
