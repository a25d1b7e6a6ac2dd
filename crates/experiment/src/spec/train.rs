//! A training run: the model, its data, and the output folder.

use super::{DataSpec, SpecError};
use crate::data::Data;
use crate::error::Error;
use crate::train::{MixedData, TrainRequest};
use crate::trainable::ModelToTrain;
use crate::training::{Augmentation, ExampleAmount, PRESETS, Redraw, WordOrder};
use acidtest_corpus::{InputFile, resolve};
use acidtest_nli::{Label, Settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;

/// A model to train.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainSpec {
    /// The name of the model, or the folder of a transformer to fine-tune.
    pub model: String,
    /// The name of a published training recipe, whose settings apply below the given ones.
    pub preset: Option<String>,
    /// Settings of the model and its training.
    pub settings: Map<String, Value>,
    /// Training examples.
    pub train: DataSpec,
    /// Corpora from which every epoch samples a share.
    pub mix: Vec<MixSpec>,
    /// Development examples, for model selection and early stopping.
    pub dev: DataSpec,
    /// Challenge examples to add.
    pub augment: Vec<AugmentSpec>,
    /// Initial word vectors.
    pub embeddings: Option<PathBuf>,
    /// Whether the words of every sentence are shuffled.
    pub word_order: WordOrder,
    /// The seed of all random choices.
    pub seed: u64,
    /// Minutes between checkpoints of a network [default: 3].
    pub checkpoint_minutes: Option<f64>,
    /// The folder of the model.
    pub output: PathBuf,
}

impl Default for TrainSpec {
    fn default() -> Self {
        TrainSpec {
            model: String::new(),
            preset: None,
            settings: Map::new(),
            train: DataSpec::default(),
            mix: Vec::new(),
            dev: DataSpec::default(),
            augment: Vec::new(),
            embeddings: None,
            word_order: WordOrder::default(),
            seed: 1,
            checkpoint_minutes: None,
            output: PathBuf::new(),
        }
    }
}

impl TrainSpec {
    /// Resolves the model, its settings and the corpora; the data may then be replaced by examples in memory.
    pub fn resolve(&self) -> Result<TrainRequest, Error> {
        let mut mix = Vec::new();
        for part in &self.mix {
            let (files, options) = (resolve(&part.data.files)?, part.data.options()?);
            mix.extend(files.into_iter().map(|file| MixedData { data: Data::Files(vec![file], options.clone()), share: part.share }));
        }
        let mut augment: Vec<Augmentation> = Vec::new();
        for wanted in &self.augment {
            if augment.iter().any(|known| known.challenge == wanted.challenge) {
                return Err(SpecError::new("augment", wanted.challenge.clone(), "each challenge once").into());
            }
            augment.push(wanted.augmentation());
        }
        let preset = self.preset.as_deref().map(|name| PRESETS.find(name)).transpose()?;
        let request = TrainRequest {
            model: ModelToTrain::named(&self.model, preset, &self.settings)?,
            train: self.train.resolve_text()?,
            mix,
            dev: if self.dev.files.is_empty() { None } else { Some(self.dev.resolve_text()?) },
            augment,
            embeddings: self.embeddings.as_ref().map(InputFile::new),
            word_order: self.word_order,
            seed: self.seed,
            checkpoint: self.checkpoint_minutes.map(checkpoint).transpose()?,
            output: self.output.clone(),
        };
        request.check()?;
        Ok(request)
    }
}

fn checkpoint(minutes: f64) -> Result<Duration, SpecError> {
    if !(minutes.is_finite() && minutes >= 0.0) {
        return Err(SpecError::new("checkpoint_minutes", minutes.to_string(), "a number of at least 0"));
    }
    Ok(Duration::from_secs_f64(60.0 * minutes.min(1e6)))
}

/// A corpus from which every epoch samples a share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixSpec {
    /// The files, and how they are read.
    pub data: DataSpec,
    /// The share, above 0 and at most 1.
    pub share: f64,
}

impl MixSpec {
    /// Reads `FILE=SHARE`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let wrong = || SpecError::new("mix", text, "FILE=SHARE with a share above 0 and at most 1, such as snli.jsonl=0.15");
        let (file, share) = text.rsplit_once('=').filter(|(file, _)| !file.is_empty()).ok_or_else(wrong)?;
        let share: f64 = share.trim().parse().ok().filter(|share| *share > 0.0 && *share <= 1.0).ok_or_else(wrong)?;
        Ok(MixSpec { data: DataSpec::of_files([file]), share })
    }

    /// Reads several of them; `read` says how their files are read.
    pub fn parse_all<E: From<SpecError>>(texts: &[String], read: impl Fn(&[PathBuf]) -> Result<DataSpec, E>) -> Result<Vec<Self>, E> {
        let parsed = |text: &String| {
            let MixSpec { data, share } = MixSpec::parse(text)?;
            Ok(MixSpec { data: read(&data.files)?, share })
        };
        texts.iter().map(parsed).collect()
    }
}

/// Challenge examples that are added to the training examples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AugmentSpec {
    /// The challenge.
    pub challenge: String,
    /// Its settings, on top of its defaults.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// The number of examples.
    pub examples: ExampleAmount,
    /// When they are sampled.
    #[serde(default)]
    pub redraw: Redraw,
    /// The training label of non-entailed pairs in two-way challenges.
    #[serde(default = "neutral")]
    pub not_entailed: Label,
}

fn neutral() -> Label {
    Label::Neutral
}

impl AugmentSpec {
    /// Parses `CHALLENGE=EXAMPLES`, where the amount is a number, a share such as `0.5`, or `all`; settings of the challenge may follow,
    /// as in `subject-object-swap=20000,sides=both`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let wrong = || SpecError::new("augment", text, "CHALLENGE=N[,KEY=VALUE], such as negation=5000, negation=0.5 or negation=all");
        let (challenge, examples) = text.split_once('=').ok_or_else(wrong)?;
        let (examples, settings) = examples.split_once(',').unwrap_or((examples, ""));
        let settings = Settings::parse(settings.split(',').filter(|setting| !setting.is_empty())).map_err(|_| wrong())?;
        let settings = settings.as_json().as_object().cloned().unwrap_or_default();
        let examples = match examples.trim() {
            "all" => ExampleAmount::All,
            number => match (number.parse::<usize>(), number.parse::<f64>()) {
                (Ok(count), _) if count > 0 => ExampleAmount::Count(count),
                (Err(_), Ok(share)) if share > 0.0 && share <= 1.0 => ExampleAmount::Share(share),
                _ => return Err(wrong()),
            },
        };
        let challenge = challenge.to_string();
        Ok(AugmentSpec { challenge, settings, examples, redraw: Redraw::Once, not_entailed: neutral() })
    }

    /// The resolved augmentation.
    pub(crate) fn augmentation(&self) -> Augmentation {
        Augmentation {
            challenge: self.challenge.clone(),
            settings: Settings::from_map(self.settings.clone()),
            examples: self.examples,
            redraw: self.redraw,
            not_entailed: self.not_entailed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_corpus_has_its_own_reading_options() {
        let dev = DataSpec { labels: Some("C,N,E".to_string()), ..DataSpec::of_files(["dev.jsonl"]) };
        let mix = MixSpec { data: DataSpec { labels: Some("N,E,C".to_string()), ..DataSpec::of_files(["mix.jsonl"]) }, share: 0.5 };
        let train = DataSpec::of_files(["train.jsonl"]);
        let spec = TrainSpec { model: "cbow".to_string(), train, dev, mix: vec![mix], ..TrainSpec::default() };
        let request = spec.resolve().unwrap();
        let first = |data: &Data| match data {
            Data::Files(_, options) => options.labels.order()[0],
            Data::Examples(..) => panic!("files"),
        };
        let found = [first(&request.train), first(&request.mix[0].data), first(&request.dev.unwrap())];
        assert_eq!(found, [Label::Entailment, Label::Neutral, Label::Contradiction].map(Into::into));
    }

    #[test]
    fn settings_keep_their_types() {
        let refused = |value: Value| {
            let settings = Map::from_iter([("hidden".to_string(), value)]);
            TrainSpec { model: "esim".to_string(), settings, ..TrainSpec::default() }.resolve().err().map(|error| error.to_string())
        };
        assert_eq!(refused(7.into()), None);
        let array = refused(serde_json::json!([7])).unwrap();
        assert!(array.starts_with("setting `hidden`: invalid type: sequence"), "{array}");
    }

    #[test]
    fn options_for_networks_are_refused_for_lexical_models() {
        let lexical = TrainSpec { model: "lexical".to_string(), ..TrainSpec::default() };
        let refused = |spec: TrainSpec| spec.resolve().err().unwrap().to_string();
        let mix = vec![MixSpec::parse("a.jsonl=0.5").unwrap()];
        assert_eq!(refused(TrainSpec { mix, ..lexical.clone() }), "mix: applies to networks, and `lexical` is not one");
        let checkpoint = refused(TrainSpec { checkpoint_minutes: Some(3.0), ..lexical });
        assert_eq!(checkpoint, "checkpoint_minutes: applies to networks, and `lexical` is not one");
    }

    #[test]
    fn amounts_are_numbers_shares_or_all() {
        let amount = |text: &str| AugmentSpec::parse(text).map(|spec| spec.examples).map_err(|error| error.field);
        assert_eq!(amount("negation=5000"), Ok(ExampleAmount::Count(5000)));
        assert_eq!(amount("negation=0.5"), Ok(ExampleAmount::Share(0.5)));
        assert_eq!(amount("negation=all"), Ok(ExampleAmount::All));
        let swaps = AugmentSpec::parse("subject-object-swap=20000,sides=both,analysis=tree").unwrap();
        assert_eq!((swaps.examples, &swaps.settings["sides"]), (ExampleAmount::Count(20000), &"both".into()));
        assert_eq!(swaps.settings["analysis"], "tree");
        for wrong in ["negation", "negation=5,side", "negation=0", "negation=-1", "negation=1.5", "negation=some"] {
            assert_eq!(amount(wrong), Err("augment".to_string()), "{wrong}");
        }
    }
}
