//! Preparation before the first step: examples, featurizer, word vectors.

use super::augment::{Augmentation, Augmenter, ExampleAmount};
use super::embeddings::read_vectors;
use super::epoch::{Epochs, MixedIn, course_seed};
use super::examples::{NOT_ENTAILED, TrainingExample};
use super::gathering::Gathering;
use super::learner::Learner;
use super::seen::{SeenPairs, hash_of};
use super::{DataUsed, NetworkTraining, TrainingError};
use crate::data::Data;
use crate::make::count_in;
use crate::train::MixedData;
use acidtest_neural::{Embeddings, Featurizer, FeaturizerBuilder, KnownVectors, Sizes};
use acidtest_nli::{Pair, grouped};
use serde_json::Value;
use std::collections::BTreeMap;

/// The inputs of a training run.
pub(crate) struct Prepared {
    pub epochs: Epochs,
    pub dev: Vec<TrainingExample>,
    pub featurizer: Box<dyn Featurizer>,
    /// The sizes for a network that reads these features.
    pub sizes: Sizes,
    /// The settings of the featurizer, for the record.
    pub featurizer_settings: Value,
    /// The initial word vectors, if any.
    pub vectors: Option<Embeddings>,
    pub data: Vec<DataUsed>,
    /// The training pairs.
    pub seen: SeenPairs,
    /// The number of added examples by challenge.
    pub augmented: BTreeMap<String, u64>,
    /// The hash that identifies this training run.
    pub identity: String,
}

/// Reads the corpora and builds the featurizer.
pub(crate) fn prepare(request: &NetworkTraining<'_>, learner: &mut dyn Learner) -> Result<Prepared, TrainingError> {
    let builder = learner.reader()?;
    let learner = &*learner;
    if let Some(file) = request.embeddings.as_ref().filter(|_| builder.wanted_vectors().is_none()) {
        return Err(TrainingError::NoVectors { path: file.name(), network: learner.name().to_owned() });
    }
    let mut data = Vec::new();
    let TrainingData { mut examples, mut mixed_in, augmented, mut seen } = read_training(request, learner, &*builder, &mut data)?;
    note_single_label(&examples, &mixed_in, learner.classes(), request);
    seen.extend(learner.seen_before());
    let vectors = match &request.embeddings {
        Some(file) => {
            let (vectors, hash) = read_vectors(file, &builder.wanted_vectors().unwrap_or_default(), request.session)?;
            let (path, kept) = (file.name(), vectors.words.len() as u64);
            data.push(DataUsed { role: "embeddings".to_string(), path, hash: hash.to_string(), rows: kept, ..DataUsed::default() });
            vectors
        }
        None => KnownVectors::default(),
    };
    let built = builder.finish(&vectors)?;
    let all = examples.iter_mut().chain(mixed_in.iter_mut().flat_map(|mixed_in| &mut mixed_in.rows));
    all.for_each(|example| (built.settle)(&mut example.features));
    let featurizer = built.featurizer;
    let mut dev = Vec::new();
    let features = |pairs: &[Pair<'_>]| featurizer.try_features_of_many(pairs);
    if let Some(held_out) = &request.dev {
        let gathering = Gathering { features: &features, class: &|gold| learner.class(gold, NOT_ENTAILED), session: request.session };
        data.extend(gathering.read(held_out.clone(), "dev", None, |example, _| dev.push(example))?);
    }
    let seed = course_seed(request.seed);
    let epochs = Epochs { rows: examples, mixed_in, order: request.order, batch: learner.course().batch_size, seed };
    let identity = identity(request, learner, &data)?;
    Ok(Prepared {
        epochs,
        dev,
        featurizer,
        sizes: built.sizes,
        featurizer_settings: built.settings,
        vectors: built.vectors,
        data,
        seen: SeenPairs::of(seen),
        augmented,
        identity,
    })
}

/// The training data.
struct TrainingData {
    /// The examples of every epoch.
    examples: Vec<TrainingExample>,
    /// The corpora from which an epoch samples a share.
    mixed_in: Vec<MixedIn>,
    /// The number of added examples by challenge.
    augmented: BTreeMap<String, u64>,
    /// The hashes of all training pairs.
    seen: Vec<u64>,
}

/// Reads the training data; its features are provisional.
fn read_training(
    request: &NetworkTraining<'_>,
    learner: &dyn Learner,
    builder: &dyn FeaturizerBuilder,
    data: &mut Vec<DataUsed>,
) -> Result<TrainingData, TrainingError> {
    let features = |pairs: &[Pair<'_>]| builder.see_all(pairs);
    let gathering = Gathering { features: &features, class: &|gold| learner.class(gold, NOT_ENTAILED), session: request.session };
    let mut augmenter = Augmenter::new(&request.augment, request.seed)?;
    count_in::<TrainingError>(&request.train, augmenter.challenges(), request.session)?;
    let (mut examples, mut seen) = (Vec::new(), Vec::new());
    let train = gathering.read(request.train.clone(), "train", Some(&mut augmenter), |example, hash| {
        examples.push(example);
        seen.push(hash);
    });
    data.extend(train?);
    if examples.is_empty() {
        return Err(TrainingError::NoExamples);
    }
    let mut mixed_in = Vec::new();
    for MixedData { data: mixed, share } in &request.mix {
        let mut rows = Vec::new();
        let used = gathering.read(mixed.clone(), "mix", None, |example, hash| {
            rows.push(example);
            seen.push(hash);
        })?;
        data.extend(used.into_iter().map(|used| DataUsed { share: Some(share.to_string()), ..used }));
        mixed_in.push(MixedIn { rows, share: *share });
    }
    let (made, augmented) = augmenter.finish()?;
    for augmentation in &request.augment {
        let there = augmented.get(&augmentation.challenge).copied().unwrap_or(0);
        if let ExampleAmount::Count(wanted) = augmentation.examples
            && there < wanted as u64
        {
            let name = &augmentation.challenge;
            request.session.note(&format!(
                "{name}: {} examples were requested, but only {} exist; each is used once",
                grouped(wanted),
                grouped(there)
            ));
        }
    }
    for (example, not_entailed) in &made {
        let Some(gold) = example.gold else { continue };
        let features = builder.see_all(std::slice::from_ref(&example.pair))?;
        let class = learner.class(gold, *not_entailed);
        examples.extend(features.into_iter().map(|features| TrainingExample { features, class }));
    }
    seen.extend(made.iter().map(|(example, _)| hash_of(&example.pair)));
    Ok(TrainingData { examples, mixed_in, augmented, seen })
}

/// Warns of data with a single label, from which a network learns to give it always.
fn note_single_label(examples: &[TrainingExample], mixed_in: &[MixedIn], classes: usize, request: &NetworkTraining<'_>) {
    let mut found = vec![false; classes];
    examples.iter().chain(mixed_in.iter().flat_map(|mixed_in| &mixed_in.rows)).for_each(|example| found[example.class] = true);
    if found.iter().filter(|found| **found).count() == 1 {
        request.session.note("all training examples have the same label, so the network learns to predict it always");
    }
}

/// A hash of everything that determines the weights.
fn identity(request: &NetworkTraining<'_>, learner: &dyn Learner, data: &[DataUsed]) -> Result<String, TrainingError> {
    let options = |data: &Data| match data {
        Data::Files(_, options) => format!("{options:?}"),
        Data::Examples(..) => "memory".to_string(),
    };
    let all = [&request.train].into_iter().chain(request.mix.iter().map(|mixed| &mixed.data)).chain(&request.dev);
    let read: Vec<String> = all.map(options).collect();
    let data: Vec<_> = data.iter().map(|used| (&used.role, &used.hash, used.rows, &used.share)).collect();
    let mut all = serde_json::json!({
        "data": data,
        "augment": request.augment.iter().map(Augmentation::as_json).collect::<Vec<_>>(),
        "order": request.order,
        "seed": request.seed,
        // The same bytes give other examples if columns or labels are read differently.
        "read": read,
        "version": request.version,
    });
    learner.identity().into_iter().for_each(|(key, value)| all[key] = value);
    Ok(acidtest_files::ContentHash::of(serde_json::to_string(&all)?.as_bytes()).to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{AllSettings, FromScratch, TrainingSettings, WordOrder};
    use super::*;
    use crate::session::Session;
    use acidtest_corpus::InputFile;
    use acidtest_neural::featurizers::words::pair_of_ids;
    use acidtest_neural::{BuiltFeaturizer, FeaturizerEntry, NetworkEntry, NetworkSettings, PairFeatures};
    use std::path::PathBuf;
    use std::time::Duration;

    /// A builder that does not use word vectors.
    struct NoWords;

    impl FeaturizerBuilder for NoWords {
        fn see(&self, _: &Pair<'_>) -> PairFeatures {
            pair_of_ids(&[], &[])
        }

        fn finish(self: Box<Self>, _: &KnownVectors) -> acidtest_neural::Result<BuiltFeaturizer> {
            panic!("nothing is to be built")
        }
    }

    static READS_NO_WORDS: NetworkEntry = NetworkEntry {
        name: "reads-no-words",
        summary: "",
        source: "",
        featurizer: FeaturizerEntry {
            name: "no-words",
            settings: |settings| Ok(settings.clone()),
            builder: |_| Ok(Box::new(NoWords)),
            open: |_, _| panic!("nothing is to be opened"),
        },
        settings: |settings| Ok(settings.clone()),
        build: |_, _, _, _| panic!("nothing is to be built"),
    };

    #[test]
    fn word_vectors_are_refused_for_networks_that_do_not_use_them() {
        let session = Session::quiet().unwrap();
        let nothing = serde_json::json!({});
        let network = NetworkSettings::with(&READS_NO_WORDS, &nothing).unwrap();
        let mut learner = FromScratch { settings: AllSettings { network, featurizer: nothing, training: TrainingSettings::default() } };
        let training = NetworkTraining {
            train: Data::Examples(acidtest_corpus::embedded_sample(), Vec::new()),
            mix: Vec::new(),
            dev: None,
            embeddings: Some(InputFile::new("glove.txt")),
            augment: Vec::new(),
            order: WordOrder::default(),
            seed: 1,
            session: &session,
            output: PathBuf::new(),
            checkpoint: Duration::ZERO,
            command: String::new(),
            version: String::new(),
        };
        assert_eq!(
            prepare(&training, &mut learner).err().unwrap().to_string(),
            "glove.txt: `reads-no-words` does not use word vectors; leave them out"
        );
    }
}
