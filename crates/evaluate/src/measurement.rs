//! Measurements as a flat list: one number of one model on one set, or of the set itself, with everything needed to check, compare or
//! plot it.

use crate::checks::CheckResult;
use crate::report::{IntervalMark, nine_digits};
use crate::scoring::Scoring;
use crate::statistics::clustered::{ClusteredAccuracy, DifferenceInterval, Trust};
use crate::statistics::{Interval, Proportion};
use acidtest_nli::Example;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// Names and values by which examples are grouped, such as `genre` and `fiction`.
pub type GroupValues = Vec<(String, String)>;

/// The set that was measured on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetId {
    /// The name in reports, unique in a report.
    pub name: String,
    /// What all its examples share, if it is part of a larger set: heuristic and gold label of the six sets of HANS.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: GroupValues,
    /// A content hash, with the name of the hash function before a colon.
    pub hash: String,
}

impl SetId {
    /// The set of these examples.
    ///
    /// The hash covers ids, gold labels and texts, and does not depend on the order of the examples, which affects no score.
    pub fn of(name: impl Into<String>, group: GroupValues, examples: &[Example<'_>]) -> Self {
        let sum = examples.iter().fold(0u128, |sum, example| sum.wrapping_add(example_hash(example)));
        SetId { name: name.into(), group, hash: named_sum(sum) }
    }

    /// The set of all examples of these files, by their content hashes: for examples that are streamed.
    pub fn of_files<'h>(name: impl Into<String>, hashes: impl IntoIterator<Item = &'h str>) -> Self {
        let content: String = hashes.into_iter().flat_map(|hash| [hash, "\n"]).collect();
        SetId { name: name.into(), group: Vec::new(), hash: format!("xxh3-files:{:032x}", xxh3_128(content.as_bytes())) }
    }

    /// All examples of these sets together; `None` if their hashes are not sums over examples.
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
        // No text contains this byte, so the boundaries between the texts count.
        content.push(0xff);
    }
    xxh3_128(&content)
}

fn named_sum(sum: u128) -> String {
    format!("xxh3-sum:{sum:032x}")
}

/// What a number measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The share of correct predictions.
    Accuracy,
    /// The mean F1 of the labels.
    MacroF1,
    /// The share of correct predictions among those of a label.
    Precision,
    /// The share of correct predictions among the examples of a label.
    Recall,
    /// The harmonic mean of precision and recall.
    F1,
    /// Accuracy on the original examples minus accuracy on those made from them.
    Drop,
    /// The share of predictions that a challenge changes.
    Changed,
    /// One model's accuracy minus another's, on the same examples.
    Difference,
    /// Where a heuristic is wrong, the share of predictions that follow it.
    Followed,
    /// The share of one kind among the errors.
    Errors,
    /// The number of examples.
    Examples,
    /// The share of examples, or of what the group names, with the property that the group names.
    Share,
    /// The mean number of words.
    MeanWords,
    /// The largest number of words.
    MostWords,
    /// Agreement beyond chance: between annotators (Fleiss), or of predictions with gold labels (Cohen).
    Kappa,
    /// Agreement of judges beyond chance (Krippendorff), also where answers are missing.
    Alpha,
    /// The share of right predictions, corrected by the labels of judges.
    CorrectedAccuracy,
    /// Pointwise mutual information of a word and a label, in nats.
    Information,
    /// The standard deviation of the accuracies of several runs.
    Deviation,
    /// How often what the group names occurs.
    Occurrences,
}

impl Metric {
    const ALL: [Metric; 20] = [
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
        Metric::Occurrences,
    ];

    /// The metric with this title.
    pub(crate) fn titled(title: &str) -> Option<Self> {
        Metric::ALL.into_iter().find(|metric| metric.title() == title)
    }

    /// The title in reports.
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
            Metric::Occurrences => "occurrences",
        }
    }
}

/// What a difference is measured against.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// The same model on another set.
    Set(SetId),
    /// Another model on the same set.
    Model(String),
    /// The predictions of this model in a baseline, for the same set.
    Baseline(String),
}

/// What interval and p value generalise to, if it is not the same as for the other measurements of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldsFor {
    /// New templates: pairs generated from one template are one cluster.
    NewTemplates,
}

/// What holds for new examples of the one cluster that all examples belong to. It says nothing about other clusters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WithinCluster {
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether an end that is 0 is itself left out: the test rejects equality.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zero_left_out: bool,
    /// The p value of a difference, not corrected for other tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
}

impl WithinCluster {
    /// The interval alone.
    pub fn interval(&self) -> Interval {
        Interval { low: self.low, high: self.high }
    }
}

/// Metric, name and group of the set, group within it, and what it holds for.
pub(crate) type PlaceKey<'m> = (Metric, &'m str, &'m [(String, String)], &'m [(String, String)], Option<HoldsFor>);

/// A single measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The model; empty for a measurement of the set itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// The set.
    pub set: SetId,
    /// The scoring rule, if there are predictions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// The group of examples, by names and values; empty for all examples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: GroupValues,
    /// What is measured.
    pub metric: Metric,
    /// The number.
    pub value: f64,
    /// The counts behind a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Proportion>,
    /// How many clusters the examples make, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<u64>,
    /// Its interval of 95 % confidence; none where it cannot be estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// What a reader must know of the interval: that it is rough, or from few clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<IntervalMark>,
    /// Where all examples are of one cluster: what holds within it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_cluster: Option<WithinCluster>,
    /// Whether an end of the interval that is 0 is itself left out: the test rejects equality.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zero_left_out: bool,
    /// The p value of a difference, adjusted for all tests of its family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// What the difference is measured against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// What interval and p value generalise to, if not to what the notes of the report say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds_for: Option<HoldsFor>,
    /// The check of a gate on this number, with its outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<CheckResult>>,
}

/// What is measured: a model on a set.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a str,
    /// The set.
    pub set: &'a SetId,
    /// The scoring rule, if there are predictions.
    pub scoring: Option<Scoring>,
}

impl<'a> Subject<'a> {
    /// The examples of a set themselves, independent of a model.
    pub fn corpus(set: &'a SetId) -> Self {
        Subject { model: "", set, scoring: None }
    }

    /// The number of examples.
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
            clusters: None,
            interval: None,
            mark: None,
            within_cluster: None,
            zero_left_out: false,
            p: None,
            against: None,
            holds_for: None,
            check: None,
        }
    }

    /// A share of this model on this set, with the clustered Wilson interval and what must be known of it; `None` of nothing. One cluster says nothing of
    /// others: the interval is then that within it, under its own name.
    pub fn clustered(&self, metric: Metric, share: &ClusteredAccuracy) -> Option<Measurement> {
        let found = Measurement { interval: None, clusters: Some(share.clusters()), ..self.share(metric, share.proportion())? };
        Some(match share.trust() {
            Trust::NotEstimable => found.within_one_cluster(share.proportion().wilson()),
            Trust::Full => found.within(share.interval()),
            Trust::Rough => Measurement { mark: Some(IntervalMark::Rough), ..found.within(share.interval()) },
            Trust::FewClusters => Measurement { mark: Some(IntervalMark::FewClusters(share.clusters())), ..found.within(share.interval()) },
        })
    }

    /// The accuracy of this model on this set over templates as clusters; `None` of nothing.
    pub fn over_templates(&self, accuracy: &ClusteredAccuracy) -> Option<Measurement> {
        Some(Measurement { holds_for: Some(HoldsFor::NewTemplates), ..self.clustered(Metric::Accuracy, accuracy)? })
    }

    /// A share with the Wilson interval; `None` if there are no examples.
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

    /// The same with the interval within the one cluster that all examples belong to.
    pub fn within_one_cluster(self, Interval { low, high }: Interval) -> Self {
        let within = WithinCluster { low: rounded(low), high: rounded(high), zero_left_out: false, p: None };
        Measurement { within_cluster: Some(within), ..self }
    }

    /// The same with the interval of a difference.
    pub fn within_difference(self, found: DifferenceInterval) -> Self {
        Measurement { zero_left_out: found.is_zero_left_out, ..self.within(found.interval) }
    }

    /// The same for a difference within one cluster, with its p value.
    pub fn within_one_cluster_difference(self, found: DifferenceInterval, p: f64) -> Self {
        let mut one = self.within_one_cluster(found.interval);
        if let Some(within) = &mut one.within_cluster {
            (within.zero_left_out, within.p) = (found.is_zero_left_out, Some(nine_digits(p)));
        }
        one
    }

    /// The same with a corrected p value.
    pub fn tested(self, p: f64) -> Self {
        Measurement { p: Some(nine_digits(p)), ..self }
    }

    /// The same for a group of examples.
    pub fn of_group<'n>(self, names: impl IntoIterator<Item = &'n str>, values: &[String]) -> Self {
        let group = names.into_iter().map(str::to_string).zip(values.iter().cloned()).collect();
        Measurement { group, ..self }
    }

    /// The same, restricted to examples with this value too.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.group.push((name.to_string(), value.into()));
        self
    }

    /// What is measured, independent of model, scoring rule and content of the set.
    pub(crate) fn key(&self) -> PlaceKey<'_> {
        (self.metric, &self.set.name, &self.set.group, &self.group, self.holds_for)
    }

    /// Where it was measured, for readers: the set, and the values of the group.
    pub fn place(&self) -> String {
        let values = self.group.iter().map(|(name, value)| format!(" / {name} {value}"));
        format!("{}{}", self.set.name, values.collect::<String>())
    }
}

/// Rounded, so that reports do not depend on the platform's last bits.
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
        // The boundary between the texts counts.
        assert_ne!(hash(&[example("a", "b", Label::Neutral)]), hash(&[example("ab", "", Label::Neutral)]));
    }

    #[test]
    fn names_in_files_are_those_of_the_metrics() {
        for metric in Metric::ALL {
            assert_eq!(serde_json::to_string(&metric).unwrap(), format!("\"{}\"", metric.name()));
        }
    }
}
