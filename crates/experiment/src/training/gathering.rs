//! The examples of corpora, as a network reads them.

use super::augment::{Augmenter, MadeExample, Makers};
use super::examples::{NOT_ENTAILED, TrainingExample, class};
use super::{DataUsed, TrainingError};
use acidtest_corpus::{Examples, IdPolicy, InputFile, LoopOptions, ReadOptions, Reader, for_blocks};
use acidtest_neural::PairFeatures;
use acidtest_nli::Pair;
use acidtest_threads::Threads;

/// How corpora are read for a training.
pub(crate) struct Gathering<'g> {
    pub options: &'g ReadOptions,
    /// What becomes of the pairs of a block.
    pub features: &'g (dyn Fn(&[Pair<'_>]) -> Vec<PairFeatures> + Sync),
    pub threads: &'g Threads,
}

/// The examples of one block.
struct GatheredBlock {
    examples: Vec<TrainingExample>,
    unlabelled: u64,
    made: Vec<MadeExample>,
}

impl Gathering<'_> {
    /// Gives every labelled example of a file to `take`, in order; examples for augmentation are made on the way.
    pub(crate) fn read(
        &self,
        file: &InputFile,
        augmenter: Option<&mut Augmenter>,
        mut take: impl FnMut(TrainingExample) + Send,
    ) -> Result<DataUsed, TrainingError> {
        let mut used = DataUsed { path: file.name(), ..DataUsed::default() };
        let (makers, mut keep) = match augmenter {
            Some(augmenter) => augmenter.parts(),
            None => (None, None),
        };
        let counts = for_blocks(
            &mut Reader::new(vec![file.clone()], self.options.clone()),
            // Training and development files may share ids.
            LoopOptions::new(self.threads, IdPolicy::UniquePerFile),
            |examples| self.gather(examples, makers),
            |gathered| {
                used.rows += gathered.examples.len() as u64;
                used.unlabelled += gathered.unlabelled;
                gathered.examples.into_iter().for_each(&mut take);
                if let Some(keep) = &mut keep {
                    gathered.made.into_iter().for_each(|made| keep.add(made));
                }
                Ok::<(), TrainingError>(())
            },
        )?;
        used.skipped = counts.skipped;
        if let Some(read) = counts.files.first() {
            used.hash = read.hash.to_string();
        }
        if used.rows == 0 {
            return Err(TrainingError::NothingLabelled { path: used.path });
        }
        Ok(used)
    }

    fn gather(&self, examples: &mut Examples<'_>, makers: Option<&Makers>) -> Result<GatheredBlock, TrainingError> {
        let (mut unlabelled, mut made) = (0, Vec::new());
        let (mut pairs, mut classes) = (Vec::new(), Vec::new());
        for row in examples {
            let example = row.example;
            let Some(gold) = example.gold else {
                unlabelled += 1;
                continue;
            };
            if let Some(makers) = makers {
                made.extend(makers.make(&example)?);
            }
            pairs.push(example.pair);
            classes.push(class(gold, NOT_ENTAILED));
        }
        let features = (self.features)(&pairs);
        let examples = features.into_iter().zip(classes).map(|(features, class)| TrainingExample { features, class }).collect();
        Ok(GatheredBlock { examples, unlabelled, made })
    }
}
