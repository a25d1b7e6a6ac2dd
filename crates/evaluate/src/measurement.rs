//! What was measured, as a flat list: one number of one model on one set, or of the set itself, with all that is needed to check it, compare
//! it or plot it.

use crate::scoring::Scoring;
use crate::statistics::clustered::{ClusteredAccuracy, DifferenceInterval, Trust};
use crate::statistics::{Interval, Proportion};
use acidtest_nli::Example;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// Names and values by which examples are grouped, such as `genre` and `fiction`.
pub type GroupValues = Vec<(String, String)>;

/// Which set was measured on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetId {
    /// What reports call it, unique in a report.
    pub name: String,
    /// What all its examples share, where it is a part of a larger set: heuristic and gold label of the six sets of HANS.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: GroupValues,
    /// A hash of its content, with the name of the hash function before a colon.
    pub hash: String,
}

impl SetId {
    /// The set of these examples.
    ///
    /// The hash is over ids, gold labels and texts, and does not depend on the order of the examples: that order changes no score.
    pub fn of(name: impl Into<String>, group: GroupValues, examples: &[Example<'_>]) -> Self {
        let sum = examples.iter().fold(0u128, |sum, example| sum.wrapping_add(example_hash(example)));
        SetId { name: name.into(), group, hash: named_sum(sum) }
    }

    /// The set of all examples of these files, by their content hashes: for examples that are counted as they pass.
    pub fn of_files<'h>(name: impl Into<String>, hashes: impl IntoIterator<Item = &'h str>) -> Self {
        let content: String = hashes.into_iter().flat_map(|hash| [hash, "\n"]).collect();
        SetId { name: name.into(), group: Vec::new(), hash: format!("xxh3-files:{:032x}", xxh3_128(content.as_bytes())) }
    }

    /// All examples of these sets together; nothing where their hashes are not sums over examples.
    pub fn together<'s>(name: impl Into<String>, sets: impl IntoIterator<Item = &'s SetId>) -> Option<Self> {
        let sum = |set: &SetId| u128::from_str_radix(set.hash.strip_prefix("xxh3-sum:")?, 16).ok();
        let sums: Vec<u128> = sets.into_iter().map(sum).collect::<Option<_>>()?;
        let hash = named_sum(sums.iter().fold(0, |all: u128, sum| all.wrapping_add(*sum)));
        (!sums.is_empty()).then(|| SetId { name: name.into(), group: Vec::new(), hash })
    }

    /// The value that all examples of the set share under this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.group.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// A hash of id, gold label and texts.
pub(crate) fn example_hash(example: &Example<'_>) -> u128 {
    let gold = example.gold.map_or("-", |gold| gold.name());
    texts_hash(&[example.pair.id.as_ref(), gold, &example.pair.premise.text, &example.pair.hypothesis.text])
}

/// A hash of these texts of every example, whatever their order.
pub(crate) fn content_sum<const N: usize>(examples: impl Iterator<Item = [String; N]>) -> String {
    named_sum(examples.fold(0u128, |sum, texts| sum.wrapping_add(texts_hash(&texts.each_ref().map(String::as_str)))))
}

fn texts_hash(texts: &[&str]) -> u128 {
    let mut content = Vec::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for text in texts {
        content.extend_from_slice(text.as_bytes());
        // No text holds this byte, so that the borders between the texts count.
        content.push(0xff);
    }
    xxh3_128(&content)
}

fn named_sum(sum: u128) -> String {
    format!("xxh3-sum:{sum:032x}")
}

/// What a number says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The share of right predictions.
    Accuracy,
    /// The mean F1 of the labels.
    MacroF1,
    /// Of the predictions of a label, the share that is right.
    Precision,
    /// Of the examples of a label, the share that is found.
    Recall,
    /// The harmonic mean of the two.
    F1,
    /// Accuracy on the original examples less accuracy on those made from them.
    Drop,
    /// The share of predictions that a challenge changes.
    Changed,
    /// One model's accuracy less another's, on the same examples.
    Difference,
    /// Where a heuristic is wrong, the share of predictions that follow it.
    Followed,
    /// Of the errors, the share of one kind.
    Errors,
    /// How many examples there are.
    Examples,
    /// The share of examples, or of what the group names, that have the property that the group names.
    Share,
    /// The mean number of words.
    MeanWords,
    /// The largest number of words.
    MostWords,
    /// Agreement beyond chance: of annotators (Fleiss), or of predictions with gold labels (Cohen).
    Kappa,
    /// Agreement of judges beyond chance (Krippendorff), also where answers are missing.
    Alpha,
    /// The share of right predictions, corrected by the labels of judges.
    CorrectedAccuracy,
    /// Pointwise mutual information of a word and a label, in nats.
    Information,
    /// The standard deviation of the accuracies of several runs.
    Deviation,
}

impl Metric {
    const ALL: [Metric; 19] = [
        Metric::Accuracy,
        Metric::MacroF1,
        Metric::Precision,
        Metric::Recall,
        Metric::F1,
        Metric::Drop,
        Metric::Changed,
        Metric::Difference,
        Metric::Followed,
        Metric::Errors,
        Metric::Examples,
        Metric::Share,
        Metric::MeanWords,
        Metric::MostWords,
        Metric::Kappa,
        Metric::Alpha,
        Metric::CorrectedAccuracy,
        Metric::Information,
        Metric::Deviation,
    ];

    /// The metric that readers call so.
    pub(crate) fn titled(title: &str) -> Option<Self> {
        Metric::ALL.into_iter().find(|metric| metric.title() == title)
    }

    /// What readers call it.
    pub fn title(self) -> &'static str {
        match self {
            Metric::MacroF1 => "macro F1",
            Metric::F1 => "F1",
            Metric::MeanWords => "mean words",
            Metric::MostWords => "most words",
            Metric::CorrectedAccuracy => "corrected accuracy",
            other => other.name(),
        }
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Accuracy => "accuracy",
            Metric::MacroF1 => "macro-f1",
            Metric::Precision => "precision",
            Metric::Recall => "recall",
            Metric::F1 => "f1",
            Metric::Drop => "drop",
            Metric::Changed => "changed",
            Metric::Difference => "difference",
            Metric::Followed => "followed",
            Metric::Errors => "errors",
            Metric::Examples => "examples",
            Metric::Share => "share",
            Metric::MeanWords => "mean-words",
            Metric::MostWords => "most-words",
            Metric::Kappa => "kappa",
            Metric::Alpha => "alpha",
            Metric::CorrectedAccuracy => "corrected-accuracy",
            Metric::Information => "information",
            Metric::Deviation => "deviation",
        }
    }
}

/// What a difference is taken against.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// The same model on another set.
    Set(SetId),
    /// Another model on the same set.
    Model(String),
}

/// What an interval and a p value hold for, where that is not what those of the other measurements of the set hold for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldsFor {
    /// New templates: pairs that are generated from one template are one cluster.
    NewTemplates,
}

/// Metric, name and group of the set, group within it, and what it holds for.
pub(crate) type PlaceKey<'m> = (Metric, &'m str, &'m [(String, String)], &'m [(String, String)], Option<HoldsFor>);

/// One number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The model; empty for a number of the set itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// The set.
    pub set: SetId,
    /// The rule by which predictions were right or wrong, where there are predictions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// Which examples of the set, by names and values; none for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: GroupValues,
    /// What is measured.
    pub metric: Metric,
    /// The number.
    pub value: f64,
    /// What it is a share of, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Proportion>,
    /// Its interval of 95 % confidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Whether an end of the interval that is 0 is itself left out: the test rejects equality.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zero_left_out: bool,
    /// The p value of a difference, corrected for all tests of the report that belong together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// What the difference is taken against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// What interval and p value hold for, where not for what a note of the report says of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds_for: Option<HoldsFor>,
}

/// Where measurements are taken: a model on a set.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a str,
    /// The set.
    pub set: &'a SetId,
    /// The rule by which the model's predictions are scored, where there are predictions.
    pub scoring: Option<Scoring>,
}

impl<'a> Subject<'a> {
    /// The examples of a set themselves, whatever a model makes of them.
    pub fn corpus(set: &'a SetId) -> Self {
        Subject { model: "", set, scoring: None }
    }

    /// How many examples there are.
    pub fn examples(&self, count: u64) -> Measurement {
        self.number(Metric::Examples, count as f64)
    }

    /// A number of this model on this set.
    pub fn number(&self, metric: Metric, value: f64) -> Measurement {
        Measurement {
            model: self.model.to_string(),
            set: self.set.clone(),
            scoring: self.scoring,
            group: Vec::new(),
            metric,
            value: rounded(value),
            counts: None,
            interval: None,
            zero_left_out: false,
            p: None,
            against: None,
            holds_for: None,
        }
    }

    /// A share of this model on this set, with the clustered Wilson interval; `None` of nothing.
    pub fn clustered(&self, metric: Metric, share: &ClusteredAccuracy) -> Option<Measurement> {
        Some(self.share(metric, share.proportion())?.within(share.interval()))
    }

    /// The accuracy of this model on this set over templates as clusters; without an interval where there is one template, `None` of nothing.
    pub fn over_templates(&self, accuracy: &ClusteredAccuracy) -> Option<Measurement> {
        let found = self.clustered(Metric::Accuracy, accuracy)?;
        let interval = found.interval.filter(|_| accuracy.trust() != Trust::NotEstimable);
        Some(Measurement { interval, holds_for: Some(HoldsFor::NewTemplates), ..found })
    }

    /// A share of this model on this set, with Wilson's interval; `None` of nothing.
    pub fn share(&self, metric: Metric, counts: Proportion) -> Option<Measurement> {
        let value = counts.rate()?;
        Some(Measurement { value, counts: Some(counts), ..self.number(metric, value).within(counts.wilson()) })
    }
}

impl Measurement {
    /// The same with an interval.
    pub fn within(self, interval: Interval) -> Self {
        Measurement { interval: Some(Interval { low: rounded(interval.low), high: rounded(interval.high) }), ..self }
    }

    /// The same with the interval of a difference.
    pub fn within_difference(self, found: DifferenceInterval) -> Self {
        Measurement { zero_left_out: found.is_zero_left_out, ..self.within(found.interval) }
    }

    /// The same with a corrected p value.
    pub fn tested(self, p: f64) -> Self {
        Measurement { p: Some(format!("{p:.8e}").parse().unwrap_or(p)), ..self }
    }

    /// The same of some examples of the set.
    pub fn of_group<'n>(self, names: impl IntoIterator<Item = &'n str>, values: &[String]) -> Self {
        let group = names.into_iter().map(str::to_string).zip(values.iter().cloned()).collect();
        Measurement { group, ..self }
    }

    /// The same of the part of them that has this value, too.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.group.push((name.to_string(), value.into()));
        self
    }

    /// What is measured, whatever model, scoring rule and content of the set.
    pub(crate) fn key(&self) -> PlaceKey<'_> {
        (self.metric, &self.set.name, &self.set.group, &self.group, self.holds_for)
    }

    /// What was measured on, for readers: the set, and the values of the group.
    pub fn place(&self) -> String {
        let values = self.group.iter().map(|(name, value)| format!(" / {name} {value}"));
        format!("{}{}", self.set.name, values.collect::<String>())
    }
}

/// Logarithms and roots may differ in their last bits between platforms; a report must not.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Label, Pair, Sentence};

    fn example(id: &str, premise: &str, gold: Label) -> Example<'static> {
        let sentence = |text: &str| Sentence::plain(text.to_string());
        Example {
            pair: Pair { id: id.to_string().into(), premise: sentence(premise), hypothesis: sentence("h") },
            gold: Some(gold.into()),
            ..Example::default()
        }
    }

    fn hash(examples: &[Example<'_>]) -> String {
        SetId::of("clean", Vec::new(), examples).hash
    }

    #[test]
    fn order_does_not_count_and_content_does() {
        let [a, b] = [example("a", "p", Label::Neutral), example("b", "q", Label::Neutral)];
        let found = hash(&[a.clone(), b.clone()]);
        assert_eq!(hash(&[b.clone(), a.clone()]), found);
        for other in [
            vec![a.clone()],
            vec![a.clone(), a.clone()],
            vec![a.clone(), example("b", "q", Label::Entailment)],
            vec![a.clone(), example("b", "r", Label::Neutral)],
            vec![a.clone(), example("c", "q", Label::Neutral)],
            vec![],
        ] {
            assert_ne!(hash(&other), found);
        }
        // The border between the texts counts.
        assert_ne!(hash(&[example("a", "b", Label::Neutral)]), hash(&[example("ab", "", Label::Neutral)]));
    }

    #[test]
    fn names_in_files_are_those_of_the_metrics() {
        for metric in Metric::ALL {
            assert_eq!(serde_json::to_string(&metric).unwrap(), format!("\"{}\"", metric.name()));
        }
    }
}
