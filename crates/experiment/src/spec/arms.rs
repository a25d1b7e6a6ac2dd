//! Arms of a comparison as users name them: `bert=a.csv@seed1,a.csv@seed2`.

use super::{ArmSpec, ModelSpec, SpecError};
use crate::models::is_command;

/// Models, given arm by arm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelsByArm {
    /// All models, in the order in which they were given.
    pub models: Vec<String>,
    arms: Vec<(String, Vec<usize>)>,
}

const EXPECTED: &str = "NAME=MODEL,MODEL..., such as bert=a.csv@seed1,a.csv@seed2,a.csv@seed3";

impl ModelsByArm {
    /// Parses arms, of which there must be at least two; further seeds of an arm may be given under the same name. A command is not split,
    /// whatever commas it contains.
    pub fn parse(texts: &[String]) -> Result<Self, SpecError> {
        let mut given = ModelsByArm::default();
        for text in texts {
            let named = text.split_once('=').filter(|(name, seeds)| !name.is_empty() && !seeds.is_empty());
            let (name, seeds) = named.ok_or_else(|| refused(text, EXPECTED))?;
            let seeds: Vec<&str> = if is_command(seeds) { vec![seeds] } else { seeds.split(',').collect() };
            if seeds.contains(&"") {
                return Err(refused(text, EXPECTED));
            }
            let places = given.models.len()..given.models.len() + seeds.len();
            given.models.extend(seeds.into_iter().map(str::to_string));
            match given.arms.iter_mut().find(|(other, _)| other == name) {
                Some((_, known)) => known.extend(places),
                None => given.arms.push((name.to_string(), places.collect())),
            }
        }
        match &given.arms[..] {
            [(only, _)] => Err(refused(only, "another arm to compare it with")),
            _ => Ok(given),
        }
    }

    /// The arms by the names of their models; unnamed models get their default names.
    pub fn named(&self, specs: &mut [ModelSpec]) -> Vec<ArmSpec> {
        let name = |spec: &mut ModelSpec| spec.name.get_or_insert_with(|| spec.model.clone()).clone();
        let models = |places: &[usize], specs: &mut [ModelSpec]| places.iter().map(|&place| name(&mut specs[place])).collect();
        self.arms.iter().map(|(arm, places)| ArmSpec { name: arm.clone(), models: models(places, specs) }).collect()
    }
}

fn refused(value: &str, expected: &str) -> SpecError {
    SpecError::new("evaluation.arms", value, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<ModelsByArm, SpecError> {
        ModelsByArm::parse(&texts.iter().map(|text| text.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn models_belong_to_arms_and_commands_are_not_split() {
        let given = parse(&["a=x,y", "b=process:run --of 1,2", "a=z"]).unwrap();
        assert_eq!(given.models, ["x", "y", "process:run --of 1,2", "z"]);
        let mut specs: Vec<ModelSpec> = given.models.iter().map(|model| ModelSpec::parse(model)).collect();
        specs[1].name = Some("second".to_string());
        let arms = given.named(&mut specs);
        assert_eq!(arms[0], ArmSpec { name: "a".to_string(), models: ["x", "second", "z"].map(str::to_string).to_vec() });
        assert_eq!(arms[1].models, ["process:run --of 1,2"]);
        assert_eq!(specs[0].name.as_deref(), Some("x"));
    }

    #[test]
    fn one_arm_and_empty_models_are_refused() {
        assert_eq!(parse(&["a=x,y"]).unwrap_err(), refused("a", "another arm to compare it with"));
        for text in ["a", "=x", "a=", "a=x,,y"] {
            assert_eq!(parse(&[text, "b=z"]).unwrap_err(), refused(text, EXPECTED));
        }
        assert_eq!(parse(&[]).unwrap(), ModelsByArm::default());
    }
}
