//! HANS as a challenge: its settings and its set.

use super::generate::Plan;
use super::{Amount, Generated, Generator, GeneratorError, GeneratorSettings, Grammar, HansRow, Rejections, Template, TemplateSet};
use crate::{
    Build, Case, CaseOutcome, CaseSentence, ChallengeEntry, ChallengeError, Family, Generate, GeneratedExample, GenerationCounts,
    GroupSize, LabelEffect, PerPart,
};
use acidtest_nli::{Example, Judgment, Label, grouped, tag};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) const HANS: ChallengeEntry = ChallengeEntry {
    name: "hans",
    summary: "generates pairs whose hypothesis consists of words of the premise: a model that relies on shortcuts predicts entailment for all of them",
    source: "McCoy et al. 2019, sections 3 and 4, appendices A to C",
    family: Family::Structure,
    label: LabelEffect::Sets,
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
    build: Build::Generate {
        build: |request| {
            let settings: HansSettings = request.settings()?;
            let title = settings.grammar.as_ref().map_or("HANS".to_string(), |path| path.display().to_string());
            let grammar = settings.read_grammar()?;
            let (set, settings, frames) = match &request.resources.frames {
                None => (grammar.set_up(request.mode)?, settings, None),
                Some(frames) => {
                    // Verbs that are needed only by other subcases do not matter.
                    let grammar = grammar.with_subcases(&settings.subcases, &settings.withhold).map_err(GeneratorError::from)?;
                    let described = frames.describe(&grammar.verbs(request.mode)?);
                    let chosen = HansSettings { subcases: Vec::new(), withhold: Vec::new(), ..settings };
                    (grammar.set_up_with_frames(request.mode, frames)?, chosen, Some(described))
                }
            };
            let settings = settings.for_generator(request.seed, &request.resources.exclude);
            let amount = settings.amount;
            let plan = Generator::new(&set, settings)?.plan();
            Ok(Box::new(Hans { title, set, amount, plan, frames }))
        },
        per_part: Some(PerPart { setting: "per_subcase", all: "all" }),
    },
};

/// A pair of the default set.
const fn generated(premise: &'static str, hypothesis: &'static str, gold: Judgment) -> Case {
    let (given, other) = (CaseSentence::plain(premise), CaseSentence::plain(hypothesis));
    Case { premise: given, hypothesis: other, gold, probabilities: None, outcome: CaseOutcome::Made { premise, hypothesis, gold } }
}

/// The settings of a generated set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HansSettings {
    /// The number of pairs per subcase.
    pub per_subcase: PerSubcase,
    /// The number of pairs per human category (appendix E) instead.
    pub per_category: Option<usize>,
    /// The subcases to include; all if empty.
    #[serde(deserialize_with = "names")]
    pub subcases: Vec<String>,
    /// The subcases to exclude.
    #[serde(deserialize_with = "names")]
    pub withhold: Vec<String>,
    /// A grammar file; without one, the grammar of HANS.
    pub grammar: Option<PathBuf>,
}

/// The number of pairs per subcase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerSubcase {
    /// This number.
    Count(usize),
    /// All pairs.
    All,
}

impl Default for PerSubcase {
    /// The size of the released set.
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
        #[serde(untagged, expecting = "per_subcase: expected a number of pairs, 1 or more, or `all`")]
        enum Written {
            Count(NonZeroUsize),
            Word(Word),
        }
        #[derive(Deserialize)]
        enum Word {
            #[serde(rename = "all")]
            All,
        }
        Written::deserialize(deserializer).map(|written| match written {
            Written::Count(count) => PerSubcase::Count(count.get()),
            Written::Word(Word::All) => PerSubcase::All,
        })
    }
}

/// A list of names, or a text with names separated by commas.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected names of subcases, separated by commas")]
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

/// The maximum size of a grammar file.
const LARGEST_GRAMMAR_MB: u64 = 16;

fn read_small(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take((LARGEST_GRAMMAR_MB << 20) + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_GRAMMAR_MB << 20 {
        return Err(std::io::Error::other(format!("the file is larger than {LARGEST_GRAMMAR_MB} MB (is this a grammar?)")));
    }
    Ok(text)
}

impl HansSettings {
    /// The grammar of the set.
    pub fn read_grammar(&self) -> Result<Grammar, ChallengeError> {
        let Some(path) = &self.grammar else { return Ok(Grammar::built_in()) };
        let name = path.display().to_string();
        let text = read_small(path).map_err(|error| ChallengeError::GrammarFile { path: name.clone(), reason: error.to_string() })?;
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

/// A template set with its generation plan.
struct Hans {
    title: String,
    set: TemplateSet,
    amount: Amount,
    plan: Arc<Plan>,
    /// The verb counts that restrict it, for the description.
    frames: Option<Value>,
}

impl Hans {
    fn generator(&self) -> Generator<'_> {
        Generator::with_plan(&self.set, self.plan.clone())
    }

    fn size_of(&self, template: &Template) -> GroupSize {
        let subcase = &self.set.subcases()[template.subcase];
        let shared = vec![
            (tag::HEURISTIC, subcase.heuristic.clone()),
            ("label", subcase.gold.name().to_string()),
            (tag::SUBCASE, subcase.name.clone()),
            (tag::TEMPLATE, template.id.clone()),
        ];
        GroupSize { shared, share: template.share, distinct: template.pairs }
    }
}

impl Generate for Hans {
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

    fn run_part(&self, part: usize, take: &mut dyn FnMut(&dyn GeneratedExample) -> ControlFlow<()>) -> GenerationCounts {
        let mut by_group = vec![0; self.set.templates().len()];
        let generated = self.generator().run_part(part, |row| {
            by_group[row.shape().template] += 1;
            match take(row) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(()),
            }
        });
        let Generated { rows, draws, rejected: Rejections { repeated_word, repeated_pair, excluded } } = generated.unwrap_or_default();
        let rejected = BTreeMap::from([("repeated_word", repeated_word), ("repeated_pair", repeated_pair), ("excluded", excluded)]);
        GenerationCounts { examples: rows, draws, rejected, by_group }
    }

    fn title(&self) -> Option<String> {
        Some(self.title.clone())
    }

    fn text_format(&self) -> Option<&'static str> {
        Some("hans")
    }

    fn inventory(&self) -> Vec<GroupSize> {
        let made = self.generator().subcases();
        let templates = self.set.templates().iter().filter(|template| made.contains(&template.subcase));
        templates.map(|template| self.size_of(template)).collect()
    }

    fn describe(&self, counts: &GenerationCounts) -> Map<String, Value> {
        let mut about = counts.describe();
        let template = |(template, rows): (&Template, &u64)| {
            json!({
                "subcase": self.set.subcases()[template.subcase].name,
                "template": template.id,
                "share": template.share,
                "rows": rows,
                "distinct_pairs": whole(template.pairs),
            })
        };
        self.frames.iter().for_each(|frames| _ = about.insert("frames".to_string(), frames.clone()));
        about.insert("templates".to_string(), self.set.templates().iter().zip(&counts.by_group).map(template).collect());
        about
    }

    fn summary(&self, counts: &GenerationCounts) -> String {
        let used = || self.set.templates().iter().zip(&counts.by_group).filter(|(_, rows)| **rows > 0).map(|(template, _)| template);
        let (templates, distinct) = (used().count(), used().map(|template| template.pairs).sum::<u128>());
        format!(
            "{} pairs from {templates} templates, which can generate {} distinct pairs{}",
            grouped(counts.examples),
            grouped(distinct),
            counts.draws_summary()
        )
    }
}

impl GeneratedExample for HansRow<'_> {
    fn example(&self) -> Example<'static> {
        HansRow::example(self)
    }

    #[inline]
    fn write_text(&self, out: &mut Vec<u8>) -> bool {
        self.write_hans_text(out);
        true
    }
}

/// A number for JSON; very large ones become strings.
fn whole(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Settings, SettingsError};

    fn settings(pairs: &[&str]) -> Result<HansSettings, SettingsError> {
        Settings::parse(pairs.iter().copied()).unwrap().over("hans", &HansSettings::default())
    }

    #[test]
    fn names_are_a_list_or_separated_by_commas() {
        let found = settings(&["subcases=ce_adverb, le_passive", "per_subcase=all"]).unwrap();
        assert_eq!(found.subcases, ["ce_adverb", "le_passive"]);
        assert_eq!(found.per_subcase, PerSubcase::All);
    }

    #[test]
    fn an_invalid_number_of_pairs_is_refused() {
        let error = settings(&["per_subcase=many"]).unwrap_err().to_string();
        assert_eq!(error, "setting of `hans`: per_subcase: expected a number of pairs, 1 or more, or `all`");
    }
}
