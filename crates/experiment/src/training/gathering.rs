//! Reads the examples of corpora as features.

use super::augment::{Augmenter, MadeExample, Makers};
use super::examples::TrainingExample;
use super::seen::hash_of;
use super::{DataUsed, TrainingError};
use crate::data::Data;
use crate::session::Session;
use acidtest_corpus::{Examples, FileRead, IdPolicy, for_blocks};
use acidtest_neural::PairFeatures;
use acidtest_nli::{Judgment, Pair};

/// How examples are read for training.
pub(crate) struct Gathering<'g> {
    /// Computes the features of a block of pairs.
    pub features: &'g (dyn Fn(&[Pair<'_>]) -> acidtest_neural::Result<Vec<PairFeatures>> + Sync),
    /// The class of a gold label.
    pub class: &'g (dyn Fn(Judgment) -> usize + Sync),
    pub session: &'g Session<'g>,
}

/// The examples of one block.
struct GatheredBlock {
    /// The index of their file.
    file: usize,
    examples: Vec<TrainingExample>,
    /// The hash of each pair.
    hashes: Vec<u64>,
    unlabelled: u64,
    made: Vec<MadeExample>,
}

impl Gathering<'_> {
    /// Passes every labelled example to `take`, in order, with the hash of its texts; examples for augmentation are made on the way. Ids
    /// must be unique across all files.
    pub(crate) fn read(
        &self,
        data: Data,
        role: &str,
        augmenter: Option<&mut Augmenter>,
        mut take: impl FnMut(TrainingExample, u64) + Send,
    ) -> Result<Vec<DataUsed>, TrainingError> {
        let (makers, mut keep) = match augmenter {
            Some(augmenter) => augmenter.parts(),
            None => (None, None),
        };
        // The number of labelled and unlabelled examples of each file.
        let mut counted: Vec<[u64; 2]> = Vec::new();
        let counts = for_blocks(
            &mut *data.source(),
            self.session.loop_options(IdPolicy::Unique),
            |examples| self.gather(examples, makers),
            |gathered| {
                counted.resize(counted.len().max(gathered.file + 1), [0; 2]);
                let [labelled, unlabelled] = &mut counted[gathered.file];
                *labelled += gathered.examples.len() as u64;
                *unlabelled += gathered.unlabelled;
                gathered.examples.into_iter().zip(gathered.hashes).for_each(|(example, hash)| take(example, hash));
                if let Some(keep) = &mut keep {
                    gathered.made.into_iter().for_each(|made| keep.add(made));
                }
                Ok::<(), TrainingError>(())
            },
        )?;
        for file in &counts.files {
            file.notes.iter().for_each(|note| self.session.note(&format!("{}: {note}", file.name)));
        }
        let used = |(file, [rows, unlabelled]): (FileRead, [u64; 2])| {
            if rows == 0 {
                return Err(TrainingError::NothingLabelled { path: file.name });
            }
            Ok(DataUsed {
                role: role.to_string(),
                path: file.name,
                hash: file.hash.to_string(),
                rows,
                unlabelled,
                skipped: file.rows - rows - unlabelled,
                share: None,
            })
        };
        counts.files.into_iter().zip(counted).map(used).collect()
    }

    fn gather(&self, examples: &mut Examples<'_>, makers: Option<&Makers>) -> Result<GatheredBlock, TrainingError> {
        let (file, mut unlabelled, mut made) = (examples.file(), 0, Vec::new());
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
            classes.push((self.class)(gold));
        }
        let hashes = pairs.iter().map(hash_of).collect();
        let features = (self.features)(&pairs)?;
        let examples = features.into_iter().zip(classes).map(|(features, class)| TrainingExample { features, class }).collect();
        Ok(GatheredBlock { file, examples, hashes, unlabelled, made })
    }
}
