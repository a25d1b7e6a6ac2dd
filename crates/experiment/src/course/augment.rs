//! Rows that are added to the training rows: challenges made from them, and HANS.

use super::CourseError;
use acidtest_challenge::hans::{Amount, Generator, GeneratorSettings, Grammar};
use acidtest_challenge::{Build, CATALOG, Challenge, Coverage, Entry, Mode, Resources};
use acidtest_nli::{Example, Named, Seed, Settings};
use std::collections::BTreeMap;

/// The name that stands for pairs of HANS' grammar.
const HANS: &str = "hans";

/// A row that a challenge made, with the number by which rows are chosen.
pub(crate) struct Kept {
    challenge: usize,
    number: u64,
    id: String,
    example: Example<'static>,
}

/// What makes the rows.
pub(crate) struct Makers {
    makers: Vec<Challenge>,
    seed: Seed,
}

impl Makers {
    /// The rows that all challenges make of one row.
    pub fn make(&self, example: &Example<'_>) -> Vec<Kept> {
        let mut kept = Vec::new();
        for (challenge, maker) in self.makers.iter().enumerate() {
            for made in maker.rows(example, &mut Coverage::default()).unwrap_or_default() {
                let number = self.seed.child(maker.name()).child(&made.pair.id).number();
                let id = made.pair.id.to_string();
                if made.gold.is_some() {
                    kept.push(Kept { challenge, number, id, example: made.into_owned() });
                }
            }
        }
        kept
    }
}

/// The rows that are kept: of each challenge those with the smallest numbers, so that no order of rows matters.
pub(crate) struct Choice {
    wanted: Vec<usize>,
    rows: Vec<BTreeMap<(u64, String), Example<'static>>>,
}

impl Choice {
    /// Keeps a row while it is among the chosen ones.
    pub fn add(&mut self, made: Kept) {
        let rows = &mut self.rows[made.challenge];
        rows.insert((made.number, made.id), made.example);
        if rows.len() > self.wanted[made.challenge] {
            rows.pop_last();
        }
    }
}

/// Makes and chooses rows beside the reading of the corpora.
pub(crate) struct Augmenter {
    makers: Makers,
    choice: Choice,
    hans: usize,
}

/// Rewriting cannot fail, unlike asking a model.
fn rewrites(entry: &Entry) -> bool {
    matches!(entry.build, Build::Rewrite(_))
}

struct Known(&'static str);

impl Named for Known {
    fn name(&self) -> &str {
        self.0
    }
}

impl Augmenter {
    /// One that makes so many rows of each challenge.
    pub fn new(wanted: &[(String, usize)], seed: u64) -> Result<Self, CourseError> {
        let known: Vec<Known> =
            CATALOG.iter().filter(|entry| rewrites(entry)).map(|entry| Known(entry.name)).chain([Known(HANS)]).collect();
        let mut makers = Makers { makers: Vec::new(), seed: Seed::new(seed).child("augment") };
        let (mut counts, mut hans) = (Vec::new(), 0);
        for (name, rows) in wanted {
            acidtest_nli::find("challenge to augment with", &known, name)?;
            if name == HANS {
                hans = *rows;
                continue;
            }
            let entry = CATALOG.find(name)?;
            makers.makers.push(Challenge::new(entry, &Settings::default(), Mode::Clean, seed, &Resources::default())?);
            counts.push(*rows);
        }
        let rows = counts.iter().map(|_| BTreeMap::new()).collect();
        Ok(Augmenter { makers, choice: Choice { wanted: counts, rows }, hans })
    }

    /// What makes rows and what keeps them; nothing where no challenge is asked for.
    pub fn parts(&mut self) -> (Option<&Makers>, Option<&mut Choice>) {
        if self.makers.makers.is_empty() {
            return (None, None);
        }
        (Some(&self.makers), Some(&mut self.choice))
    }

    /// All rows, with the name and number of each challenge's.
    pub fn finish(self, seed: u64) -> Result<(Vec<Example<'static>>, BTreeMap<String, u64>), CourseError> {
        let (mut rows, mut counts) = (Vec::new(), BTreeMap::new());
        for (maker, chosen) in self.makers.makers.iter().zip(self.choice.rows) {
            counts.insert(maker.name().to_string(), chosen.len() as u64);
            rows.extend(chosen.into_values());
        }
        if self.hans > 0 {
            let made = hans_rows(self.hans, seed)?;
            counts.insert(HANS.to_string(), made.len() as u64);
            rows.extend(made);
        }
        Ok((rows, counts))
    }
}

/// So many pairs of HANS' grammar, as evenly over its subcases as can be.
fn hans_rows(wanted: usize, seed: u64) -> Result<Vec<Example<'static>>, CourseError> {
    let set = Grammar::built_in().set_up(Mode::Clean)?;
    let subcases = set.subcases().len();
    // With the seed itself these would be the very pairs that `run` and `challenge hans` test with.
    let seed = Seed::new(seed).child("augment").child(HANS).number();
    let settings = GeneratorSettings { amount: Amount::PerSubcase(wanted.div_ceil(subcases)), seed, ..GeneratorSettings::default() };
    let generator = Generator::new(&set, settings)?;
    let mut rows = Vec::new();
    for part in 0..generator.parts() {
        let share = wanted / subcases + usize::from(part < wanted % subcases);
        let mut taken = 0;
        generator.run_part::<CourseError>(part, |row| {
            if taken < share {
                taken += 1;
                rows.push(row.example());
            }
            Ok(())
        })?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

    #[test]
    fn as_many_rows_are_made_as_were_asked_for() {
        let sample = acidtest_corpus::embedded_sample();
        let augmented = |backwards: bool| {
            let mut augmenter = Augmenter::new(&[("negation".to_string(), 7), ("hans".to_string(), 65)], 1).unwrap();
            let mut examples: Vec<_> = sample.iter().filter(|example| example.gold.is_some()).collect();
            if backwards {
                examples.reverse();
            }
            for example in examples {
                let (makers, choice) = augmenter.parts();
                let choice = choice.unwrap();
                makers.unwrap().make(example).into_iter().for_each(|made| choice.add(made));
            }
            augmenter.finish(1).unwrap()
        };
        let (rows, counts) = augmented(false);
        assert_eq!(counts, BTreeMap::from([("hans".to_string(), 65), ("negation".to_string(), 7)]));
        assert_eq!(rows.len(), 72);
        assert!(rows[..7].iter().all(|row| row.pair.hypothesis.text.contains("false is not true")));
        let entailed = rows[7..].iter().filter(|row| row.gold == Some(Label::Entailment.into())).count();
        assert!((30..=35).contains(&entailed), "{entailed}");
        assert!(rows == augmented(true).0, "the order of the corpus does not matter");
    }

    #[test]
    fn pairs_of_hans_are_not_those_that_are_tested_with() {
        let added = hans_rows(60, 1).unwrap();
        let tested = crate::hans_sets(2, Mode::Clean, 1).unwrap();
        let texts = |example: &Example<'static>| (example.pair.premise.text.to_string(), example.pair.hypothesis.text.to_string());
        let tested: Vec<(String, String)> = tested.iter().flat_map(|set| &set.examples).map(texts).collect();
        let shared = added.iter().filter(|row| tested.contains(&texts(row))).count();
        assert!(tested.len() == 60 && shared < 6, "{shared} of {} pairs", added.len());
    }

    #[test]
    fn an_unknown_challenge_is_refused() {
        let refused = Augmenter::new(&[("negatoin".to_string(), 1)], 1).err().unwrap().to_string();
        assert!(refused.contains("did you mean `negation`?") && refused.contains("hans"), "{refused}");
    }
}
