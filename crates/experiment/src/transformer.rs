//! Transformers in the Hugging Face format as models.

use crate::error::Error;
use crate::network::each_score;
use crate::trained::TrainedError;
use crate::training::{SEEN_FILE, SeenPairs};
use acidtest_files::{ContentHash, FileHashes, check_seal, note_read};
use acidtest_model::{Calls, Model, ModelError, PredictionTaker};
use acidtest_neural::matrix::Matrix;
use acidtest_neural::{ComputePrecision, PairFeatures};
use acidtest_nli::{Judgment, Label, Pair, Prediction, Scores};
use acidtest_threads::Threads;
use acidtest_transformers::{LongPremises, OVERLAP, Outputs, Transformer, combined, transformer_hash};
use serde_json::Value;
use std::path::Path;

/// The number of pairs that are tokenized at a time, unless they are long.
const PAIRS_TOGETHER: usize = 1 << 13;
/// The number of bytes of text that are tokenized at a time; a pair is never split.
const TEXT_TOGETHER: usize = 1 << 22;
/// The number of parts of long pairs that are scored at a time; a pair may have more.
const PARTS_TOGETHER: usize = 64;

/// The file that describes how a transformer was fine-tuned here. The name is our own: `model.json` would make the folder that of another
/// kind of model, and other programs have files such as `training_args.bin`.
pub const FINE_TUNED_FILE: &str = "acidtest.json";

/// How a transformer was fine-tuned here.
pub(crate) struct EarlierTraining {
    /// The content of [`FINE_TUNED_FILE`].
    pub record: Value,
    /// The pairs that it was trained on, then and before.
    pub seen: SeenPairs,
}

/// How the model of a folder was fine-tuned, if it was here. A folder whose files have changed since is refused, because the description
/// and the training pairs would be those of another model.
pub(crate) fn fine_tuned(folder: &Path) -> Result<Option<EarlierTraining>, Error> {
    let path = folder.join(FINE_TUNED_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let name = |path: &Path| path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|source| Error::File { path: name(&path), source })?;
    let damaged = |path: &Path, problem: String| TrainedError::Damaged { path: name(path), problem };
    check_seal(&bytes).map_err(|problem| damaged(&path, problem))?;
    let unreadable = |message: String| TrainedError::About { path: name(&path), message };
    let record: Value = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
    let files: FileHashes = serde_json::from_value(record["files"].clone()).map_err(|error| unreadable(error.to_string()))?;
    for (file, hash) in &files {
        let path = folder.join(file);
        if ContentHash::of_file(&path).ok() != Some(*hash) {
            return Err(TrainedError::ChangedSince { path: name(&path) }.into());
        }
    }
    let path = folder.join(SEEN_FILE);
    let bytes = std::fs::read(&path).map_err(|source| Error::File { path: name(&path), source })?;
    let seen = SeenPairs::from_bytes(&bytes).ok_or_else(|| damaged(&path, "it does not contain whole numbers".to_string()))?;
    Ok(Some(EarlierTraining { record, seen }))
}

/// A transformer that scores pairs.
pub(crate) struct TransformerModel {
    name: String,
    transformer: Transformer,
    long: LongPremises,
    hash: ContentHash,
    /// The pairs that it was fine-tuned on, if it was here.
    seen: Option<SeenPairs>,
}

impl TransformerModel {
    /// Opens a folder; `labels` is the order of the outputs if the user gives one.
    pub(crate) fn open(
        folder: &Path,
        labels: Option<&[Judgment]>,
        (precision, long): (ComputePrecision, LongPremises),
        threads: &Threads,
    ) -> Result<Self, Error> {
        note_read(folder);
        let seen = fine_tuned(folder)?.map(|earlier| earlier.seen);
        let transformer = Transformer::open(folder, labels, precision, threads)?;
        Ok(TransformerModel { name: folder.display().to_string(), transformer, long, hash: transformer_hash(folder)?, seen })
    }

    /// A hash of the files that determine predictions.
    pub(crate) fn hash(&self) -> ContentHash {
        self.hash
    }

    /// The order in which the outputs are read; the usual one if they are not three.
    pub(crate) fn labels(&self) -> [Label; 3] {
        match self.transformer.outputs {
            Outputs::Three(labels) => labels,
            _ => Label::ALL,
        }
    }
}

impl Model for TransformerModel {
    fn calls(&self) -> Calls {
        Calls::OneForAll
    }

    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        self.seen.as_ref().map(|seen| seen.contains(pair))
    }

    fn identity(&self) -> Option<String> {
        let Transformer { outputs, subwords, precision, kernel, .. } = &self.transformer;
        let (precision, length, order) = (precision.name(), subwords.longest(), outputs.order());
        let long = match self.long {
            LongPremises::Windows => format!("windows {OVERLAP}"),
            other => other.name().to_string(),
        };
        Some(format!("transformer {} {precision} {kernel} {length} tokens {long} {order}", self.hash))
    }

    fn description(&self) -> Option<String> {
        let Transformer { outputs, subwords, architecture, precision, kernel, .. } = &self.transformer;
        let (precision, length, order) = (precision.name(), subwords.longest(), outputs.order());
        let long = match self.long {
            LongPremises::Truncate => "",
            LongPremises::Windows => " (longer premises in overlapping windows)",
            LongPremises::Sentences => " (longer premises sentence by sentence)",
        };
        Some(format!("{architecture} in {precision} ({kernel} kernel), inputs of at most {length} tokens{long}, outputs read as {order}"))
    }

    fn agreement(&self, first: &[Pair<'_>]) -> Result<Option<String>, ModelError> {
        if self.transformer.precision == ComputePrecision::F32 {
            return Ok(None);
        }
        let (mut same, mut done) = (0, 0);
        while done < first.len() {
            let part = &first[done..done + together(&first[done..])];
            same += self.same_as_in_f32(part).map_err(|message| ModelError::Failed { model: self.name.clone(), message })?;
            done += part.len();
        }
        Ok(Some(format!("{same} of the first {} predictions agree with f32", first.len())))
    }

    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let mut first = 0;
        while first < pairs.len() {
            let part = &pairs[first..first + together(&pairs[first..])];
            self.predict_part(part, &mut |place, prediction| take(first + place, prediction))?;
            first += part.len();
        }
        Ok(())
    }
}

impl TransformerModel {
    /// The number of pairs with the same prediction in f32.
    fn same_as_in_f32(&self, pairs: &[Pair<'_>]) -> Result<usize, String> {
        let Transformer { classifier, subwords, outputs, .. } = &self.transformer;
        let pairs = classifier.threads().run(|| subwords.encode_all_parts(pairs, self.long)).map_err(|error| error.to_string())?;
        let parts: Vec<&PairFeatures> = pairs.iter().flatten().collect();
        let own = classifier.scores(&parts).map_err(|error| error.to_string())?;
        let exact = classifier.scores_in_f32(&parts).map_err(|error| error.to_string())?;
        let mut first = 0;
        let same = pairs.iter().filter(|pair| {
            let rows = first..first + pair.len();
            first = rows.end;
            let answer = |scores: &Matrix| {
                let scores: Vec<Scores> = rows.clone().map(|row| outputs.scores(scores.row(row))).collect();
                combined(&scores).map(|scores| Prediction::from_scores(scores).answer)
            };
            answer(&own) == answer(&exact)
        });
        Ok(same.count())
    }

    /// Predicts pairs whose features are in memory at the same time.
    fn predict_part(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let Transformer { classifier, subwords, outputs, .. } = &self.transformer;
        let parts = classifier.threads().run(|| subwords.encode_all_parts(pairs, self.long));
        let parts = parts.map_err(|error| ModelError::Failed { model: self.name.clone(), message: error.to_string() })?;
        let mut found: Vec<Vec<Scores>> = vec![Vec::new(); pairs.len()];
        for group in groups(&parts) {
            let places: Vec<(usize, &PairFeatures)> =
                group.into_iter().flat_map(|pair| parts[pair].iter().map(move |part| (pair, part))).collect();
            let features: Vec<&PairFeatures> = places.iter().map(|(_, part)| *part).collect();
            each_score(&self.name, classifier, &features, |place, scores| {
                let (pair, PairFeatures { truncated, .. }) = places[place];
                found[pair].push(outputs.scores(scores));
                if found[pair].len() < parts[pair].len() {
                    return Ok(());
                }
                let scores = combined(&found[pair]).ok_or(ModelError::Silent)?;
                let (truncated, parts) = (*truncated, parts[pair].len() as u32);
                take(pair, Prediction { truncated, parts, ..Prediction::from_scores(scores) })
            })?;
        }
        Ok(())
    }
}

/// Pairs that are scored together: all those of one part, sorted by the network, and the others by and by. Together, most of them would be
/// finished at the very end.
fn groups(parts: &[Vec<PairFeatures>]) -> Vec<Vec<usize>> {
    let (whole, long): (Vec<usize>, Vec<usize>) = (0..parts.len()).partition(|&pair| parts[pair].len() == 1);
    let mut groups = vec![whole];
    let mut room = 0;
    for pair in long {
        if parts[pair].len() > room {
            groups.push(Vec::new());
            room = PARTS_TOGETHER;
        }
        room = room.saturating_sub(parts[pair].len());
        if let Some(group) = groups.last_mut() {
            group.push(pair);
        }
    }
    groups
}

/// How many of these pairs, at least one, are tokenized at a time.
fn together(pairs: &[Pair<'_>]) -> usize {
    let mut bytes = 0;
    let fit = pairs.iter().take(PAIRS_TOGETHER).take_while(|pair| {
        bytes += pair.premise.text.len() + pair.hypothesis.text.len();
        bytes <= TEXT_TOGETHER
    });
    fit.count().max(1)
}
