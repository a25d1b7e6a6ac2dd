//! HANS as a challenge: its settings, and the set that they give.

use super::generate::Plan;
use super::{Amount, Generated, Generator, GeneratorSettings, Grammar, HansRow, TemplateSet};
use crate::{Build, Case, CaseSentence, ChallengeEntry, ChallengeError, Family, Generate, LabelEffect, Outcome, Unit};
use acidtest_nli::{Judgment, Label, tag};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) const HANS: ChallengeEntry = ChallengeEntry {
    name: "hans",
    summary: "pairs from a grammar whose hypothesis is made of the premise's words: always entailment for a reader of shortcuts",
    source: "McCoy et al. 2019, sections 3 and 4, appendices A to C",
    family: Family::Structure,
    label: LabelEffect::Sets,
    unit: Unit::Grammar,
    in_run: &[("per_subcase", 50)],
    needs: &[],
    split_by: &[tag::HEURISTIC, "gold"],
    examples: &[
        generated(
            "The artists and the authors encouraged the scientists .",
            "The authors encouraged the scientists .",
            Judgment::Exact(Label::Entailment),
        ),
        generated("The secretaries recognized the judge .", "The judge recognized the secretaries .", Judgment::NotEntailment),
    ],
    defaults: || json!(HansSettings::default()),
    build: Build::Generate(|request| {
        let settings: HansSettings = request.settings()?;
        let grammar = settings.read_grammar()?;
        let set = grammar.set_up(request.mode)?;
        let settings = settings.for_generator(request.seed, &request.resources.exclude);
        let amount = settings.amount;
        let plan = Generator::new(&set, settings)?.plan();
        Ok(Box::new(Hans { set, amount, plan }))
    }),
};

/// A pair of the default set.
const fn generated(premise: &'static str, hypothesis: &'static str, gold: Judgment) -> Case {
    let (given, other) = (CaseSentence::plain(premise), CaseSentence::plain(hypothesis));
    Case { premise: given, hypothesis: other, gold, probabilities: None, outcome: Outcome::Made { premise, hypothesis, gold } }
}

/// What to generate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HansSettings {
    /// Pairs of each subcase.
    pub per_subcase: PerSubcase,
    /// Pairs of each human category (appendix E) instead.
    pub per_category: Option<usize>,
    /// The subcases to make pairs of; all if empty.
    #[serde(deserialize_with = "names")]
    pub subcases: Vec<String>,
    /// Subcases to leave out.
    #[serde(deserialize_with = "names")]
    pub withhold: Vec<String>,
    /// The file of a grammar; without one, that of HANS.
    pub grammar: Option<PathBuf>,
}

/// Pairs of each subcase: a number, or all there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerSubcase {
    /// So many.
    Count(usize),
    /// All there are.
    All,
}

impl Default for PerSubcase {
    /// As many as the released set has.
    fn default() -> Self {
        PerSubcase::Count(1000)
    }
}

impl Serialize for PerSubcase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            PerSubcase::Count(count) => count.serialize(serializer),
            PerSubcase::All => "all".serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for PerSubcase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "per_subcase: expected a number or `all`")]
        enum Written {
            Count(usize),
            Word(Word),
        }
        #[derive(Deserialize)]
        enum Word {
            #[serde(rename = "all")]
            All,
        }
        Written::deserialize(deserializer).map(|written| match written {
            Written::Count(count) => PerSubcase::Count(count),
            Written::Word(Word::All) => PerSubcase::All,
        })
    }
}

/// A list of names, or one text with commas between them.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected names of subcases, with commas between them")]
    enum Written {
        List(Vec<String>),
        Text(String),
    }
    let trimmed = |name: &str| Some(name.trim().to_string()).filter(|name| !name.is_empty());
    Written::deserialize(deserializer).map(|written| match written {
        Written::List(names) => names,
        Written::Text(text) => text.split(',').filter_map(trimmed).collect(),
    })
}

impl HansSettings {
    /// The grammar that the pairs come from.
    pub fn read_grammar(&self) -> Result<Grammar, ChallengeError> {
        let Some(path) = &self.grammar else { return Ok(Grammar::built_in()) };
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|error| ChallengeError::GrammarFile { path: name.clone(), reason: error.to_string() })?;
        Ok(Grammar::read(&text, &name)?)
    }

    fn for_generator(self, seed: u64, exclude: &[(String, String)]) -> GeneratorSettings {
        let amount = match (self.per_category, self.per_subcase) {
            (Some(count), _) => Amount::PerCategory(count),
            (None, PerSubcase::Count(count)) => Amount::PerSubcase(count),
            (None, PerSubcase::All) => Amount::All,
        };
        GeneratorSettings { amount, subcases: self.subcases, withhold: self.withhold, exclude: exclude.to_vec(), seed }
    }
}

/// A template set with what is made of it.
struct Hans {
    set: TemplateSet,
    amount: Amount,
    plan: Arc<Plan>,
}

impl Hans {
    fn generator(&self) -> Generator<'_> {
        Generator::with_plan(&self.set, self.plan.clone())
    }
}

impl Generate for Hans {
    fn templates(&self) -> &TemplateSet {
        &self.set
    }

    fn parts(&self) -> usize {
        self.generator().parts()
    }

    fn most_in_part(&self) -> Option<usize> {
        match self.amount {
            Amount::PerSubcase(count) => Some(count),
            Amount::PerCategory(count) => Some(count * self.set.categories().len()),
            Amount::All => None,
        }
    }

    fn run_part(&self, part: usize, take: &mut dyn FnMut(&HansRow<'_>) -> ControlFlow<()>) -> Generated {
        let generated = self.generator().run_part(part, |row| match take(row) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(()),
        });
        generated.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Settings, SettingsError};

    fn settings(pairs: &[&str]) -> Result<HansSettings, SettingsError> {
        Settings::parse(pairs.iter().copied()).unwrap().over("hans", &HansSettings::default())
    }

    #[test]
    fn names_are_a_list_or_a_text_with_commas() {
        let found = settings(&["subcases=ce_adverb, le_passive", "per_subcase=all"]).unwrap();
        assert_eq!(found.subcases, ["ce_adverb", "le_passive"]);
        assert_eq!(found.per_subcase, PerSubcase::All);
    }

    #[test]
    fn a_number_of_pairs_that_is_none_is_refused() {
        let error = settings(&["per_subcase=many"]).unwrap_err().to_string();
        assert_eq!(error, "setting of `hans`: per_subcase: expected a number or `all`");
    }
}
