//! Phrases of a report's sentences that link to the examples they are about.

use super::facets::{Facets, GOLD, HEURISTIC_FACET, MODELS, PREDICTION, RIGHT, SET, is_fixed, is_right_facet};
use crate::analysis::wording::{grouped, points};
use crate::measurement::{Against, Measurement, Metric};
use crate::report::Report;
use acidtest_nli::{Judgment, tag};

/// A phrase, and the filters that select its examples.
pub(super) struct ExampleLink {
    words: String,
    /// The model whose predictions are filtered; without one, the model that the sentence is about.
    model: Option<String>,
    filters: Vec<(String, String)>,
    sentences: Sentences,
}

/// The sentences in which a phrase is a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sentences {
    All,
    /// Those that mention heuristics: elsewhere, names such as `length` are ordinary words.
    OnHeuristics,
    /// All but those that compare a model with a reference heuristic: these are about the original examples, the links about generated pairs.
    NotOnReferenceHeuristics,
}

impl Sentences {
    fn include(self, text: &str) -> bool {
        match self {
            Sentences::All => true,
            Sentences::OnHeuristics => text.contains("heuristic"),
            Sentences::NotOnReferenceHeuristics => !text.contains(" follows the "),
        }
    }
}

/// Shorter values of tags are also ordinary words.
const SHORTEST_VALUE: usize = 4;

impl ExampleLink {
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Whether the phrase is a link in this sentence.
    pub(super) fn is_for(&self, sentence: &str) -> bool {
        self.sentences.include(sentence)
    }

    /// The address of the examples; `None` if the browser cannot show exactly these.
    pub(super) fn address(&self, facets: &Facets, about: Option<&str>) -> Option<String> {
        let filters: Vec<(&str, &str)> = self.filters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        facets.address(self.model.as_deref().or(about), &filters)
    }

    /// All phrases that the sentences of a report may contain, the longest first.
    pub(super) fn all(report: &Report, facets: &Facets) -> Vec<Self> {
        let mut links = Links { facets, found: Vec::new() };
        links.add_sets(report);
        links.add_groups(report);
        links.add_labels();
        links.add_heuristics();
        links.add_comparisons(report);
        links.add_totals(report);
        let mut found = links.found;
        found.sort_by(|a, b| b.words.len().cmp(&a.words.len()).then_with(|| a.words.cmp(&b.words)));
        found
    }
}

struct Links<'a> {
    facets: &'a Facets,
    found: Vec<ExampleLink>,
}

impl Links<'_> {
    /// Adds a phrase unless an earlier one has the same words.
    fn add(&mut self, words: String, model: Option<&str>, filters: &[(&str, &str)]) {
        self.add_in(Sentences::All, words, model, filters);
    }

    fn add_in(&mut self, sentences: Sentences, words: String, model: Option<&str>, filters: &[(&str, &str)]) {
        let is_known = |link: &ExampleLink| link.words == words && (link.sentences == sentences || link.sentences == Sentences::All);
        if !self.found.iter().any(is_known) {
            let filters = filters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            self.found.push(ExampleLink { words, model: model.map(str::to_string), filters, sentences });
        }
    }

    /// Names of sets, and the original examples as the set that drops are measured from.
    fn add_sets(&mut self, report: &Report) {
        for one in report.measured() {
            let name = one.set.name.as_str();
            let is_name = matches!(one.against, Some(Against::Set(_))) || !one.set.group.is_empty() || name.contains('-');
            if self.facets.has(SET, name) && is_name {
                self.add(name.to_string(), None, &[(SET, name), (RIGHT, "wrong")]);
            }
            if let Some(Against::Set(original)) = &one.against
                && self.facets.has(SET, &original.name)
            {
                self.add("the original examples".to_string(), None, &[(SET, &original.name), (RIGHT, "wrong")]);
            }
        }
    }

    /// The values of tags by which accuracy was broken down.
    fn add_groups(&mut self, report: &Report) {
        for one in report.measured().filter(|one| one.metric == Metric::Accuracy) {
            if let [(tag, value)] = &one.group[..]
                && value.len() >= SHORTEST_VALUE
                && !is_fixed(tag)
                && self.facets.has(tag, value)
            {
                self.add(value.clone(), None, &[(tag, value), (RIGHT, "wrong")]);
            }
        }
    }

    /// Kinds of errors, and what papers call the pairs of two-way sets.
    fn add_labels(&mut self) {
        for gold in Judgment::ALL {
            for predicted in Judgment::ALL.into_iter().filter(|predicted| *predicted != gold) {
                let words = format!("predicting {predicted} for {gold}");
                self.add(words, None, &[(GOLD, gold.name()), (PREDICTION, predicted.name())]);
            }
        }
        if self.facets.has_two_way_gold {
            for (words, gold) in [("non-entailed pairs", "non-entailment"), ("entailed pairs", "entailment")] {
                let filters = [(GOLD, gold), (RIGHT, "wrong")];
                self.add_in(Sentences::NotOnReferenceHeuristics, words.to_string(), None, &filters);
            }
        }
    }

    /// Heuristics: the non-entailed pairs that were generated to contradict them, and the errors where they are wrong.
    fn add_heuristics(&mut self) {
        let generated = self.facets.facets.iter().filter(|facet| facet.name == tag::HEURISTIC && self.facets.has_two_way_gold);
        for value in generated.flat_map(|facet| &facet.values) {
            let filters = [(tag::HEURISTIC, value.as_str()), (GOLD, "non-entailment"), (RIGHT, "wrong")];
            self.add_in(Sentences::NotOnReferenceHeuristics, value.replace('_', " "), None, &filters);
        }
        for facet in &self.facets.facets {
            if let Some(name) = facet.name.strip_suffix(HEURISTIC_FACET) {
                let filters = [(facet.name.as_str(), "wrong"), (RIGHT, "wrong")];
                self.add(facet.name.clone(), None, &filters);
                if !self.facets.models.iter().any(|model| model == name) {
                    self.add_in(Sentences::OnHeuristics, name.to_string(), None, &filters);
                }
            }
        }
    }

    /// Pairs of models: the examples that only the better one predicts correctly.
    fn add_comparisons(&mut self, report: &Report) {
        for one in report.measured() {
            let (Some(Against::Model(other)), Metric::Difference) = (&one.against, one.metric) else { continue };
            let (better, worse) = if one.value < 0.0 { (other, &one.model) } else { (&one.model, other) };
            let of_worse = is_right_facet(worse);
            let mut filters = vec![(RIGHT, "right"), (of_worse.as_str(), "wrong")];
            if one.group.is_empty() {
                let model = Some(better.as_str());
                self.add(format!("{better} is significantly better than {worse}"), model, &filters);
                self.add(format!("{worse} by {} points", points(one.value.abs())), model, &filters);
                self.add(format!("{} and {other} are not significantly different", one.model), model, &filters);
            } else {
                filters.extend(one.group.iter().map(|(tag, value)| (tag.as_str(), value.as_str())));
                let values: Vec<&str> = one.group.iter().map(|(_, value)| value.as_str()).collect();
                self.add(format!("{better} is better than {worse} on {}", values.join(" ")), Some(better), &filters);
            }
        }
    }

    /// The number of examples: all errors, or where models are compared, the examples on which they disagree.
    fn add_totals(&mut self, report: &Report) {
        let compares = report.measured().any(|one| matches!(one.against, Some(Against::Model(_))));
        let filter = if compares { (MODELS, "disagree") } else { (RIGHT, "wrong") };
        let is_whole = |one: &&Measurement| one.metric == Metric::Accuracy && one.group.is_empty() && one.against.is_none();
        for counts in report.measured().filter(is_whole).filter_map(|one| one.counts) {
            if counts.total as usize == self.facets.examples {
                self.add(format!("{} examples", grouped(counts.total as usize)), None, &[filter]);
            }
        }
    }
}
