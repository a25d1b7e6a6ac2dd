//! Everything before the first step: examples, featurizer, word vectors.

use super::augment::{Augmentation, Augmenter};
use super::embeddings::read_vectors;
use super::epoch::{Epochs, MixedIn};
use super::examples::{CLASSES, TrainingExample, class};
use super::gathering::Gathering;
use super::{DataUsed, TrainingError, TrainingRequest};
use acidtest_neural::{Definition, Embeddings, Featurizer, FeaturizerBuilder, KnownVectors, PairFeatures};
use acidtest_nli::{Example, Label, Pair, Seed};
use std::collections::BTreeMap;

/// What a training run is made of.
pub(crate) struct Prepared {
    pub epochs: Epochs,
    pub dev: Vec<TrainingExample>,
    pub featurizer: Box<dyn Featurizer>,
    pub definition: Definition,
    /// The word vectors that the network begins with, if it has some.
    pub vectors: Option<Embeddings>,
    pub data: Vec<DataUsed>,
    /// Examples that were added, by challenge.
    pub augmented: BTreeMap<String, u64>,
    /// The hash that identifies this training run.
    pub identity: String,
}

/// Reads and makes everything.
pub(crate) fn prepare(request: &TrainingRequest) -> Result<Prepared, TrainingError> {
    let builder = (request.network.entry().featurizer.builder)(&request.featurizer)?;
    let mut data = Vec::new();
    let (mut examples, mut mixed_in, augmented) = read_training(request, &*builder, &mut data)?;
    let vectors = match &request.embeddings {
        Some(file) => {
            let (vectors, hash) = read_vectors(file, &builder.wanted_vectors())?;
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
    let features = |pairs: &[Pair<'_>]| featurizer.features_of_many(pairs);
    let gathering = Gathering { options: &request.options, features: &features, threads: &request.threads };
    for file in &request.dev {
        let used = gathering.read(file, None, |example| dev.push(example))?;
        data.push(DataUsed { role: "dev".to_string(), ..used });
    }
    let seed = Seed::new(request.seed).child("course");
    let epochs = Epochs { rows: examples, mixed_in, order: request.order, batch: request.settings.batch, seed };
    let identity = identity(request, &data)?;
    let definition = Definition { settings: request.network.clone(), sizes: built.sizes, classes: CLASSES };
    Ok(Prepared { epochs, dev, featurizer, definition, vectors: built.vectors, data, augmented, identity })
}

/// The examples of every epoch, those of which an epoch draws a share, and how many each challenge has added.
type TrainingData = (Vec<TrainingExample>, Vec<MixedIn>, BTreeMap<String, u64>);

/// Reads what is learnt from; its features are provisional.
fn read_training(
    request: &TrainingRequest,
    builder: &dyn FeaturizerBuilder,
    data: &mut Vec<DataUsed>,
) -> Result<TrainingData, TrainingError> {
    let features = |pairs: &[Pair<'_>]| -> Vec<PairFeatures> { pairs.iter().map(|pair| builder.see(pair)).collect() };
    let gathering = Gathering { options: &request.options, features: &features, threads: &request.threads };
    let mut augmenter = Augmenter::new(&request.augment, request.seed)?;
    let mut examples = Vec::new();
    for file in &request.train {
        let used = gathering.read(file, Some(&mut augmenter), |example| examples.push(example))?;
        data.push(DataUsed { role: "train".to_string(), ..used });
    }
    let mut mixed_in = Vec::new();
    for (file, share) in &request.mix {
        let mut rows = Vec::new();
        let used = gathering.read(file, None, |example| rows.push(example))?;
        data.push(DataUsed { role: "mix".to_string(), share: Some(share.to_string()), ..used });
        mixed_in.push(MixedIn { rows, share: *share });
    }
    let (made, augmented) = augmenter.finish()?;
    let learnt = |(example, not_entailed): &(Example<'static>, Label)| {
        example.gold.map(|gold| TrainingExample { features: builder.see(&example.pair), class: class(gold, *not_entailed) })
    };
    examples.extend(made.iter().filter_map(learnt));
    Ok((examples, mixed_in, augmented))
}

/// A hash of everything that bears on the weights.
fn identity(request: &TrainingRequest, data: &[DataUsed]) -> Result<String, TrainingError> {
    let data: Vec<_> = data.iter().map(|used| (&used.role, &used.hash, used.rows, &used.share)).collect();
    let all = serde_json::json!({
        "network": request.network,
        "featurizer": request.featurizer,
        "settings": request.settings,
        "data": data,
        "augment": request.augment.iter().map(Augmentation::as_json).collect::<Vec<_>>(),
        "order": request.order,
        "seed": request.seed,
        // The same bytes are other examples where columns or labels are read otherwise.
        "read": format!("{:?}", request.options),
        "version": request.version,
    });
    Ok(acidtest_files::ContentHash::of(serde_json::to_string(&all)?.as_bytes()).to_string())
}
