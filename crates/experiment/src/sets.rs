//! Test sets in memory: the original examples, and those that challenges make from them.

use crate::data::LoadedData;
use crate::error::Error;
use crate::make::count_of;
use crate::session::Session;
use acidtest_challenge::{Challenge, ChallengeKind, Coverage, Family, PairView, SetSelection};
use acidtest_evaluate::measurement::{GroupValues, SetId};
use acidtest_evaluate::report::{counted, grouped};
use acidtest_evaluate::{ClusterRule, GOLD, Item};
use acidtest_nli::{Example, Judgment, Label, tag};
use acidtest_threads::in_order;
use std::borrow::Cow;
use std::collections::HashMap;

/// A named set of examples.
pub struct TestSet<'d> {
    /// Its name in tables, what its examples share, and a content hash.
    pub id: SetId,
    /// The name of its challenge in sentences; `None` for original examples.
    pub made_by: Option<String>,
    /// What it is compared with.
    pub role: Role,
    /// The family of its challenge; `None` for original examples.
    pub family: Option<Family>,
    /// The examples.
    pub examples: Cow<'d, [Example<'d>]>,
}

/// What a set is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing: the others are compared with it.
    Original,
    /// The original examples that it was made from.
    Perturbed,
    /// Nothing: its examples are easy pairs.
    Easy,
    /// Nothing: its examples come from elsewhere.
    Separate,
}

/// The name of the set of original examples.
pub const ORIGINAL: &str = "original";

impl<'d> TestSet<'d> {
    /// A set of these examples, which share these values.
    pub fn new(name: impl Into<String>, group: GroupValues, role: Role, examples: Cow<'d, [Example<'d>]>) -> Self {
        TestSet { id: SetId::of(name, group, &examples), made_by: None, role, family: None, examples }
    }

    /// The name in tables.
    pub fn name(&self) -> &str {
        &self.id.name
    }

    /// Its examples, as scoring needs them.
    pub fn items(&self) -> Vec<Item<'_>> {
        self.examples.iter().map(Item::of).collect()
    }

    /// The same with the clusters of this rule.
    pub fn clustered_items<'a>(&'a self, rule: &'a ClusterRule) -> Vec<Item<'a>> {
        self.examples.iter().map(|example| Item::clustered(example, rule)).collect()
    }

    /// Whether its examples were made to be compared with the original ones.
    pub fn is_compared(&self) -> bool {
        matches!(self.role, Role::Original | Role::Perturbed)
    }
}

/// The examples of all sets, as scoring needs them, the original examples first: a perturbed example is in the cluster of its parent.
pub(crate) fn items_of_all<'a>(sets: &'a [TestSet<'_>], rule: &'a ClusterRule) -> Vec<Vec<Item<'a>>> {
    let mut all: Vec<Vec<Item<'a>>> = sets.iter().map(|set| set.clustered_items(rule)).collect();
    let Some((original, others)) = all.split_first_mut() else { return all };
    let parents: HashMap<&str, &Item<'a>> = original.iter().map(|item| (item.id, item)).collect();
    for (_, items) in sets[1..].iter().zip(others).filter(|(set, _)| set.role == Role::Perturbed) {
        for item in items {
            if let Some(parent) = item.tags.get(tag::PARENT).and_then(|parent| parents.get(parent)) {
                *item = Item { cluster: parent.cluster, template: parent.template, unit: parent.unit, ..*item };
            }
        }
    }
    all
}

/// The sets of a run, and what was excluded.
pub struct MadeSets<'d> {
    /// The original examples first, then the sets made from them, then the others.
    pub sets: Vec<TestSet<'d>>,
    /// What was excluded, one sentence each.
    pub notes: Vec<String>,
}

/// The number of examples that a thread perturbs at a time; their sentences are parsed together.
pub(crate) const PREPARED_TOGETHER: usize = 256;

/// The test sets that a challenge makes from the examples; a generator ignores the examples.
pub fn make<'d>(data: &'d LoadedData, challenge: &'d Challenge, session: &Session<'_>) -> Result<MadeSets<'d>, Error> {
    let mut made = make_all(data, std::slice::from_ref(challenge), session)?;
    made.sets.retain(|set| !matches!(set.role, Role::Original | Role::Easy));
    Ok(made)
}

/// The original examples, and the sets of every challenge.
pub(crate) fn make_all<'d>(data: &'d LoadedData, challenges: &'d [Challenge], session: &Session<'_>) -> Result<MadeSets<'d>, Error> {
    count_of(&data.examples, challenges, session)?;
    let mut notes = Vec::new();
    let unlabelled = data.examples.iter().filter(|example| example.gold.is_none()).count();
    if unlabelled > 0 {
        notes.push(excluded_unlabelled(unlabelled));
    }
    let of_corpus: Vec<&Challenge> = challenges.iter().filter(|challenge| challenge.generator().is_none()).collect();
    let mut sets = vec![TestSet::new(ORIGINAL, Vec::new(), Role::Original, Cow::Borrowed(&data.examples[..]))];
    for (challenge, (mut examples, mut coverage)) in of_corpus.iter().zip(made_of(&data.examples, &of_corpus, session)?) {
        let name = challenge.name();
        if let Some(selection) = SetSelection::of(challenge) {
            let (chosen, note) = selection.choose(examples, &mut coverage);
            examples = chosen;
            notes.extend(note.map(|note| format!("{name}: {note}.")));
        }
        let unit = if matches!(challenge.kind(), ChallengeKind::FromSentences(_)) { "sentence" } else { "example" };
        if !coverage.not_applicable.is_empty() {
            let all = counted(coverage.not_applicable.values().sum::<u64>(), unit);
            notes.push(format!("{name}: not applicable to {all}: {}.", Coverage::reasons(&coverage.not_applicable)));
        }
        let role = if matches!(challenge.kind(), ChallengeKind::Rewrite(_)) { Role::Perturbed } else { Role::Separate };
        sets.extend(split(challenge, role, examples));
    }
    for part in &data.parts {
        let examples = Cow::Borrowed(&data.examples[part.range.clone()]);
        sets.push(TestSet::new(part.name, Vec::new(), Role::Easy, examples));
    }
    for challenge in challenges {
        if let Some(generator) = challenge.generator() {
            let mut examples = Vec::new();
            generator.run::<Error>(|generated| {
                examples.push(generated.example());
                Ok(())
            })?;
            sets.extend(split(challenge, Role::Separate, examples));
        }
        session.check_cancelled()?;
    }
    Ok(MadeSets { sets, notes })
}

/// A note that unlabelled examples are not scored.
fn excluded_unlabelled(count: usize) -> String {
    match count {
        1 => "1 example has no gold label and is not scored.".to_string(),
        _ => format!("{} examples have no gold label and are not scored.", grouped(count as u64)),
    }
}

type MadeOf<'d> = Vec<(Vec<Example<'d>>, Coverage)>;

/// The examples that each challenge makes, in order.
fn made_of<'d>(examples: &'d [Example<'d>], challenges: &[&'d Challenge], session: &Session<'_>) -> Result<MadeOf<'d>, Error> {
    // Nearly every challenge makes one example from each.
    let mut all: MadeOf<'d> = challenges.iter().map(|_| (Vec::with_capacity(examples.len()), Coverage::default())).collect();
    let mut parts = examples.chunks(PREPARED_TOGETHER);
    in_order(
        &session.threads,
        || Ok(parts.next()),
        |part| {
            let mut made: MadeOf<'d> = challenges.iter().map(|_| Default::default()).collect();
            // All challenges share the analysis of a sentence.
            let pairs: Vec<PairView<'d>> = part.iter().map(PairView::new).collect();
            PairView::prepare(&pairs, challenges.iter().copied());
            for (challenge, (rows, coverage)) in challenges.iter().zip(&mut made) {
                for pair in &pairs {
                    rows.extend(challenge.rows_of(pair, coverage)?);
                }
            }
            Ok::<_, Error>(made)
        },
        |made| {
            for ((all, coverage), (rows, more)) in all.iter_mut().zip(made) {
                all.extend(rows);
                coverage.add(&more);
            }
            Ok(session.check_cancelled()?)
        },
    )?;
    Ok(all)
}

/// The set of a challenge, or its sets by the tags that it is split by; empty without examples.
fn split<'d>(challenge: &Challenge, role: Role, examples: Vec<Example<'d>>) -> Vec<TestSet<'d>> {
    let (split_by, family) = (challenge.entry().split_by, Some(challenge.entry().family));
    if split_by.is_empty() && !examples.is_empty() {
        return vec![TestSet { family, ..TestSet::new(challenge.name(), Vec::new(), role, Cow::Owned(examples)) }];
    }
    let mut parts: Vec<(Vec<String>, Vec<Example<'d>>)> = Vec::new();
    for example in examples {
        let value = |tag: &&str| match *tag {
            GOLD => example.gold.map_or("-", Judgment::name).to_string(),
            tag => example.tags.get(tag).unwrap_or("-").to_string(),
        };
        let values: Vec<String> = split_by.iter().map(value).collect();
        match parts.iter_mut().find(|(known, _)| *known == values) {
            Some((_, examples)) => examples.push(example),
            None => parts.push((values, vec![example])),
        }
    }
    let set = |(values, examples): (Vec<String>, Vec<Example<'d>>)| {
        let name = std::iter::once(challenge.name()).chain(values.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
        let group = split_by.iter().map(|tag| tag.to_string()).zip(values).collect();
        TestSet { made_by: Some(challenge.title()), family, ..TestSet::new(name, group, role, Cow::Owned(examples)) }
    };
    let mut sets: Vec<TestSet<'d>> = parts.into_iter().map(set).collect();
    // Entailed pairs come first.
    sets.sort_by_key(|set| set.id.value(GOLD).is_some_and(|gold| gold != Label::Entailment.name()));
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::ChallengeSpec;
    use acidtest_challenge::Resources;
    use acidtest_evaluate::Unit;

    fn challenge(name: &str) -> Challenge {
        let settings = if name == "hans" { serde_json::json!({ "per_subcase": 2 }) } else { serde_json::json!({}) };
        let settings = settings.as_object().cloned().unwrap_or_default();
        ChallengeSpec { name: name.to_string(), settings, ..ChallengeSpec::default() }.resolve(&Resources::default()).unwrap()
    }

    #[test]
    fn sets_are_the_same_for_any_number_of_threads() {
        let data = LoadedData::embedded();
        let challenges = [challenge("negation"), challenge("spelling-swap")];
        let texts = |threads: usize| {
            let threads = acidtest_threads::Threads::new(threads.try_into().unwrap()).unwrap();
            let session = Session { threads, ..Session::quiet().unwrap() };
            let made = make_all(&data, &challenges, &session).unwrap();
            made.sets.iter().map(|set| format!("{} {:?}", set.name(), set.examples)).collect::<Vec<_>>()
        };
        assert_eq!(texts(1), texts(3));
    }

    #[test]
    fn perturbed_examples_are_in_the_cluster_of_their_parents_premise() {
        let (data, challenges) = (LoadedData::embedded(), [challenge("spelling-swap")]);
        let made = make_all(&data, &challenges, &Session::quiet().unwrap()).unwrap();
        let items = items_of_all(&made.sets, &ClusterRule::Premise);
        let perturbed = made.sets.iter().position(|set| set.role == Role::Perturbed).unwrap();
        let count = |items: &[Item<'_>]| items.iter().map(|item| item.cluster).collect::<std::collections::BTreeSet<_>>().len();
        // The misspelt premises all differ; those of the parents do not.
        assert!(count(&items[perturbed]) < items[perturbed].len());
        assert_eq!(count(&items[perturbed]), count(&items[0]));
        let rule = ClusterRule::Tag("genre".to_string());
        let by_genre = items_of_all(&made.sets, &rule);
        assert!(by_genre[0].iter().any(|item| item.unit == Unit::Tag("genre")));
        assert!(by_genre[0].iter().any(|item| item.unit == Unit::Untagged("genre")), "easy pairs have no genre");
        assert_eq!(count(&by_genre[perturbed]), count(&by_genre[0]));
    }

    #[test]
    fn a_split_challenge_gives_one_set_per_group_with_entailed_pairs_first() {
        let (data, hans) = (LoadedData::embedded(), challenge("hans"));
        let made = make(&data, &hans, &Session::quiet().unwrap()).unwrap();
        let names: Vec<&str> = made.sets.iter().map(|set| set.name()).collect();
        assert_eq!(names.len(), 6);
        assert!(names[..3].iter().all(|name| name.ends_with("-entailment") && !name.ends_with("non-entailment")), "{names:?}");
        assert_eq!(made.sets[5].id.value(GOLD), Some("non-entailment"));
    }
}
