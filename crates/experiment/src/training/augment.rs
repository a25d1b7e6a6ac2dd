//! Data augmentation: adds examples from any challenge, made from the training examples or generated.

use super::TrainingError;
use super::examples::NOT_ENTAILED;
use acidtest_challenge::{CATALOG, Challenge, Coverage, Generate, Mode, Resources, Selected, SetSelection};
use acidtest_nli::{Example, Label, Seed, Settings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A challenge whose examples are added.
#[derive(Debug, Clone, PartialEq)]
pub struct Augmentation {
    /// The name of the challenge.
    pub challenge: String,
    /// Its settings.
    pub settings: Settings,
    /// The number of examples.
    pub examples: ExampleAmount,
    /// When they are sampled.
    pub redraw: Redraw,
    /// The training label of non-entailed pairs in two-way challenges.
    pub not_entailed: Label,
}

/// How many examples of a challenge are added.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExampleAmount {
    /// This number, or all if there are fewer.
    Count(usize),
    /// This share of all available ones, from 0 to 1.
    Share(f64),
    /// All available ones.
    All,
}

/// When the examples of a challenge are sampled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Redraw {
    /// Once; every epoch has the same.
    #[default]
    Once,
}

impl Augmentation {
    /// This number of examples of a challenge with its default settings.
    pub fn of(challenge: impl Into<String>, examples: usize) -> Self {
        Augmentation {
            challenge: challenge.into(),
            settings: Settings::default(),
            examples: ExampleAmount::Count(examples),
            redraw: Redraw::Once,
            not_entailed: NOT_ENTAILED,
        }
    }

    /// Everything that determines the examples, for the identity of a training run.
    pub(crate) fn as_json(&self) -> serde_json::Value {
        serde_json::json!([self.challenge, self.settings.as_json(), self.examples, self.redraw, self.not_entailed.to_string()])
    }
}

/// An added example, with the training label to use if it is non-entailed.
pub(crate) type AddedExample = (Example<'static>, Label);

/// An example made by a challenge, with its random number for sampling.
pub(crate) struct MadeExample {
    challenge: usize,
    number: u64,
    id: String,
    example: Example<'static>,
}

/// The challenges that make examples from those of a corpus.
pub(crate) struct Makers {
    /// Each with its index among all challenges.
    makers: Vec<(usize, Challenge)>,
    seed: Seed,
}

impl Makers {
    /// The examples that all challenges make from one example.
    pub(crate) fn make(&self, example: &Example<'_>) -> Result<Vec<MadeExample>, TrainingError> {
        let mut kept = Vec::new();
        for (challenge, maker) in &self.makers {
            for made in maker.rows(example, &mut Coverage::default())? {
                let number = self.seed.child(maker.name()).child(&made.pair.id).number();
                let id = made.pair.id.to_string();
                if made.gold.is_some() {
                    kept.push(MadeExample { challenge: *challenge, number, id, example: made.into_owned() });
                }
            }
        }
        Ok(kept)
    }
}

/// The sampled examples: those of each challenge with the smallest random numbers, so that the sample does not depend on the order.
pub(crate) struct Choice {
    wanted: Vec<ExampleAmount>,
    /// By number and id; several examples may share an id that is derived from their content.
    examples: Vec<BTreeMap<(u64, String, u32), Example<'static>>>,
    /// The selections of challenges that need all their examples at once, with these examples.
    selections: Vec<Option<(SetSelection, Vec<MadeExample>)>>,
}

impl Choice {
    /// Keeps an example as long as it is in the sample.
    pub(crate) fn add(&mut self, made: MadeExample) {
        if let Some((selection, examples)) = &mut self.selections[made.challenge] {
            if selection.add(&made.example) {
                examples.push(made);
            }
            return;
        }
        self.keep(made);
    }

    fn keep(&mut self, made: MadeExample) {
        let examples = &mut self.examples[made.challenge];
        let mut key = (made.number, made.id, 0);
        while examples.contains_key(&key) {
            key.2 += 1;
        }
        examples.insert(key, made.example);
        if matches!(self.wanted[made.challenge], ExampleAmount::Count(wanted) if examples.len() > wanted) {
            examples.pop_last();
        }
    }
}

impl Choice {
    /// Keeps the examples that the challenges select.
    fn select(&mut self) {
        for (selection, examples) in std::mem::take(&mut self.selections).into_iter().flatten() {
            let Selected { kept, .. } = selection.finish(&mut Coverage::default());
            examples.into_iter().zip(kept).filter(|(_, kept)| *kept).for_each(|(made, _)| self.keep(made));
        }
    }
}

/// Makes and samples examples while the corpora are read.
pub(crate) struct Augmenter {
    wanted: Vec<Augmentation>,
    makers: Makers,
    choice: Choice,
    seed: u64,
}

impl Augmenter {
    /// Sets up the challenges.
    pub(crate) fn new(wanted: &[Augmentation], seed: u64) -> Result<Self, TrainingError> {
        let mut makers = Makers { makers: Vec::new(), seed: Seed::new(seed).child("augment") };
        let mut selections = Vec::new();
        for (place, augmentation) in wanted.iter().enumerate() {
            let challenge = built(augmentation, &augmentation.settings, seed)?;
            selections.push(SetSelection::of(&challenge).map(|selection| (selection, Vec::new())));
            if challenge.generator().is_none() {
                makers.makers.push((place, challenge));
            }
        }
        let choice = Choice {
            wanted: wanted.iter().map(|augmentation| augmentation.examples).collect(),
            examples: wanted.iter().map(|_| BTreeMap::new()).collect(),
            selections,
        };
        Ok(Augmenter { wanted: wanted.to_vec(), makers, choice, seed })
    }

    /// The challenges that make examples from a corpus.
    pub(crate) fn challenges(&self) -> impl Iterator<Item = &Challenge> {
        self.makers.makers.iter().map(|(_, challenge)| challenge)
    }

    /// Its parts for making and sampling examples; `None` if no challenge is made from a corpus.
    pub(crate) fn parts(&mut self) -> (Option<&Makers>, Option<&mut Choice>) {
        if self.makers.makers.is_empty() {
            return (None, None);
        }
        (Some(&self.makers), Some(&mut self.choice))
    }

    /// All added examples with the training label of non-entailed pairs, those made from a corpus first; and the number of each
    /// challenge.
    pub(crate) fn finish(mut self) -> Result<(Vec<AddedExample>, BTreeMap<String, u64>), TrainingError> {
        self.choice.select();
        let (mut made, mut generated) = (Vec::new(), Vec::new());
        let mut counts = BTreeMap::new();
        for (place, (augmentation, chosen)) in self.wanted.iter().zip(self.choice.examples).enumerate() {
            let from_corpus = self.makers.makers.iter().any(|(own, _)| *own == place);
            let (examples, to) = if from_corpus {
                let all = chosen.len();
                let wanted = match augmentation.examples {
                    ExampleAmount::Share(share) => (all as f64 * share).round() as usize,
                    ExampleAmount::Count(_) | ExampleAmount::All => all,
                };
                (chosen.into_values().take(wanted).collect(), &mut made)
            } else {
                (generate(augmentation, self.seed)?, &mut generated)
            };
            counts.insert(augmentation.challenge.clone(), examples.len() as u64);
            to.extend(examples.into_iter().map(|example: Example<'static>| (example, augmentation.not_entailed)));
        }
        made.extend(generated);
        Ok((made, counts))
    }
}

fn built(augmentation: &Augmentation, settings: &Settings, seed: u64) -> Result<Challenge, TrainingError> {
    let entry = CATALOG.find(&augmentation.challenge)?;
    Ok(Challenge::new(entry, settings, Mode::Clean, seed, &Resources::default())?)
}

/// Generates examples, spread evenly over the parts of the challenge.
fn generate(augmentation: &Augmentation, seed: u64) -> Result<Vec<Example<'static>>, TrainingError> {
    // With the seed itself, these would be the same pairs that `run` and `challenge` test with.
    let seed = Seed::new(seed).child("augment").child(&augmentation.challenge).number();
    let mut challenge = built(augmentation, &augmentation.settings, seed)?;
    let parts = challenge.generator().map_or(0, Generate::parts).max(1);
    if let ExampleAmount::Count(count) = augmentation.examples
        && let Some(per_part) = challenge.entry().per_part()
        && augmentation.settings.as_json().get(per_part.setting).is_none()
    {
        challenge = built(augmentation, &augmentation.settings.clone().with(per_part.setting, count.div_ceil(parts)), seed)?;
    }
    let Some(generator) = challenge.generator() else { return Ok(Vec::new()) };
    let mut examples = Vec::new();
    for part in 0..parts {
        let share = match augmentation.examples {
            ExampleAmount::Count(count) => count / parts + usize::from(part < count % parts),
            ExampleAmount::Share(_) | ExampleAmount::All => usize::MAX,
        };
        let mut own = Vec::new();
        generator.run_part(part, &mut |row| {
            if own.len() == share {
                return ControlFlow::Break(());
            }
            own.push(row.example());
            ControlFlow::Continue(())
        });
        if let ExampleAmount::Share(share) = augmentation.examples {
            own.truncate((own.len() as f64 * share).round() as usize);
        }
        examples.extend(own);
    }
    Ok(examples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn augmented(wanted: &[Augmentation], backwards: bool) -> (Vec<(Example<'static>, Label)>, BTreeMap<String, u64>) {
        let sample = acidtest_corpus::embedded_sample();
        let mut augmenter = Augmenter::new(wanted, 1).unwrap();
        let mut examples: Vec<_> = sample.iter().filter(|example| example.gold.is_some()).collect();
        if backwards {
            examples.reverse();
        }
        for example in examples {
            if let (Some(makers), Some(choice)) = augmenter.parts() {
                makers.make(example).unwrap().into_iter().for_each(|made| choice.add(made));
            }
        }
        augmenter.finish().unwrap()
    }

    #[test]
    fn the_requested_number_of_examples_is_made_for_every_kind_of_challenge() {
        // Generated examples come last, whatever the order of the requests.
        let wanted = [Augmentation::of("hans", 65), Augmentation::of("negation", 7)];
        let (examples, counts) = augmented(&wanted, false);
        assert_eq!(counts, BTreeMap::from([("hans".to_string(), 65), ("negation".to_string(), 7)]));
        assert_eq!(examples.len(), 72);
        assert!(examples[..7].iter().all(|(example, _)| example.pair.hypothesis.text.contains("false is not true")));
        let entailed = examples[7..].iter().filter(|(example, _)| example.gold == Some(Label::Entailment.into())).count();
        assert!((30..=35).contains(&entailed), "{entailed}");
        assert!(examples == augmented(&wanted, true).0, "the order of the corpus does not matter");
    }

    #[test]
    fn a_share_and_all_of_the_examples_can_be_added() {
        let count = |examples: ExampleAmount| {
            let wanted = [Augmentation { examples, ..Augmentation::of("negation", 0) }];
            augmented(&wanted, false).1["negation"]
        };
        let all = count(ExampleAmount::All);
        assert!(
            all > 100 && count(ExampleAmount::Share(0.5)) == (all as f64 / 2.0).round() as u64 && count(ExampleAmount::Count(0)) == 0,
            "{all}"
        );
        let few = Augmentation { settings: Settings::parse(["per_subcase=2"]).unwrap(), ..Augmentation::of("hans", 1) };
        let generated = |examples: ExampleAmount| augmented(&[Augmentation { examples, ..few.clone() }], false).1["hans"];
        assert_eq!(
            [generated(ExampleAmount::All), generated(ExampleAmount::Share(0.5)), generated(ExampleAmount::Count(90))],
            [60, 30, 60]
        );
    }

    #[test]
    fn antonym_pairs_come_from_training_sentences_without_duplicates() {
        let (examples, counts) = augmented(&[Augmentation::of("antonym", 20_000)], false);
        assert_eq!(counts["antonym"], examples.len() as u64);
        assert!(examples.len() > 20, "{}", examples.len());
        let sample = acidtest_corpus::embedded_sample();
        let sentences: std::collections::BTreeSet<&str> =
            sample.iter().flat_map(|example| [&*example.pair.premise.text, &*example.pair.hypothesis.text]).collect();
        let mut pairs = std::collections::BTreeSet::new();
        for (example, _) in &examples {
            let pair = (example.pair.premise.text.to_string(), example.pair.hypothesis.text.to_string());
            assert!(sentences.contains(pair.0.as_str()) || sentences.contains(pair.1.as_str()), "{pair:?} has no sentence of the corpus");
            assert!(pairs.insert(pair.clone()), "{pair:?} is there twice");
        }
        assert_eq!(augmented(&[Augmentation::of("antonym", 5)], false).1["antonym"], 5);
    }

    #[test]
    fn generated_training_pairs_differ_from_the_test_pairs() {
        let added = generate(&Augmentation::of("hans", 60), 1).unwrap();
        let settings = serde_json::json!({ "per_subcase": 2 }).as_object().cloned().unwrap_or_default();
        let spec = crate::spec::ChallengeSpec { name: "hans".to_string(), settings, ..Default::default() };
        let challenge = spec.resolve(&Resources::default()).unwrap();
        let mut tested = Vec::new();
        challenge
            .generator()
            .unwrap()
            .run(|row| {
                tested.push(row.example());
                Ok::<(), TrainingError>(())
            })
            .unwrap();
        let texts = |example: &Example<'static>| (example.pair.premise.text.to_string(), example.pair.hypothesis.text.to_string());
        let tested: Vec<(String, String)> = tested.iter().map(texts).collect();
        let shared = added.iter().filter(|example| tested.contains(&texts(example))).count();
        assert!(tested.len() == 60 && added.len() == 60 && shared < 6, "{shared} of {} pairs", added.len());
    }

    #[test]
    fn an_unknown_challenge_is_refused() {
        let refused = Augmenter::new(&[Augmentation::of("negatoin", 1)], 1).err().unwrap().to_string();
        assert!(refused.contains("did you mean `negation`?") && refused.contains("hans"), "{refused}");
        let needy = Augmenter::new(&[Augmentation::of("compositional", 1)], 1).err().unwrap().to_string();
        assert!(needy.contains("needs a lexical model"), "{needy}");
    }
}
