//! Examples in memory as a source of blocks.

use crate::CorpusError;
use crate::block::{Block, Content};
use crate::reader::ReadOptions;
use crate::source::{BlockSource, FinishedFile};
use acidtest_files::{ContentHash, ContentHasher};
use acidtest_nli::{Example, LooseLabels};
use std::sync::Arc;

/// Examples of a block.
const TOGETHER: usize = 1024;

/// Yields examples in blocks. In messages, an example's line is its number, from 1.
pub struct ExampleSource {
    name: Arc<str>,
    examples: Arc<[Example<'static>]>,
    options: Arc<ReadOptions>,
    given: usize,
    finished: Vec<FinishedFile>,
}

impl ExampleSource {
    /// A source of these examples, which messages call `name`.
    pub fn new(name: &str, examples: impl Into<Arc<[Example<'static>]>>) -> Self {
        let options = Arc::new(ReadOptions { keys_allowed: true, ..ReadOptions::default() });
        ExampleSource { name: name.into(), examples: examples.into(), options, given: 0, finished: Vec::new() }
    }
}

impl BlockSource for ExampleSource {
    fn next_block(&mut self) -> Result<Option<Block>, CorpusError> {
        let left = &self.examples[self.given..];
        if left.is_empty() {
            if self.finished.is_empty() {
                self.finished.push(FinishedFile {
                    name: self.name.to_string(),
                    hash: content_hash(&self.examples),
                    notes: Vec::new(),
                    label_names: None,
                });
            }
            return Ok(None);
        }
        let first = self.given as u64 + 1;
        let taken = &left[..left.len().min(TOGETHER)];
        let rows = (first..).zip(taken).map(|(number, example)| (number, Ok(example.clone()))).collect();
        let content = Content::Rows(rows, LooseLabels::default());
        self.given += taken.len();
        Ok(Some(Block { path: Arc::clone(&self.name), file: 0, options: Arc::clone(&self.options), content, duplicates: Vec::new() }))
    }

    fn finished(&self) -> &[FinishedFile] {
        &self.finished
    }

    fn again(&self) -> Option<Box<dyn BlockSource>> {
        Some(Box::new(ExampleSource::new(&self.name, Arc::clone(&self.examples))))
    }
}

/// A hash of ids, texts, parses and labels.
fn content_hash(examples: &[Example<'_>]) -> ContentHash {
    let mut hash = ContentHasher::default();
    for example in examples {
        let mut add = |text: Option<&str>| {
            // A missing field differs from an empty one.
            hash.update(&text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
            hash.update(text.unwrap_or_default().as_bytes());
        };
        add(Some(&example.pair.id));
        for sentence in [&example.pair.premise, &example.pair.hypothesis] {
            add(Some(&sentence.text));
            add(sentence.parse.as_deref());
            add(sentence.binary_parse.as_deref());
        }
        add(example.gold.map(|gold| gold.name()));
    }
    hash.hash()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IdPolicy, LoopOptions, embedded_sample, read_source};
    use acidtest_threads::Threads;

    fn read(examples: Vec<Example<'static>>) -> Result<crate::Corpus, CorpusError> {
        let threads = Threads::new(2.try_into().unwrap()).unwrap();
        read_source(&mut ExampleSource::new("memory", examples), LoopOptions::new(&threads, IdPolicy::Unique))
    }

    #[test]
    fn examples_keep_their_order_and_the_hash_covers_their_content() {
        let mut sample: Vec<Example<'static>> = (0..30)
            .flat_map(|copy| {
                embedded_sample().into_iter().map(move |mut example| {
                    example.pair.id = format!("{copy}-{}", example.pair.id).into();
                    example
                })
            })
            .collect();
        assert!(sample.len() > 2 * TOGETHER);
        let first = read(sample.clone()).unwrap();
        assert!(first.examples == sample);
        assert_eq!(first.files[0].rows, sample.len() as u64);
        sample[7].gold = None;
        assert_ne!(read(sample).unwrap().files[0].hash, first.files[0].hash);
        assert!(read(Vec::new()).unwrap().examples.is_empty());
    }

    #[test]
    fn a_duplicate_id_is_refused_with_both_numbers() {
        let mut sample = embedded_sample();
        sample[4].pair.id = sample[1].pair.id.clone();
        let refused = read(sample).err().unwrap().to_string();
        assert!(refused.starts_with("memory:5: duplicate id") && refused.contains("first seen at line 2"), "{refused}");
    }
}
