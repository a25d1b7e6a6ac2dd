//! A diagnosis as sentences and tables.

use super::{DiagnosisResult, Following, HeuristicResult};
use crate::analysis::reliance::{Doubt, LEAST_EXAMPLES, MARGIN, Reliance};
use crate::analysis::wording::{clustered_share, count, counted, grouped, listed, number, points};
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, Label};

impl DiagnosisResult {
    /// One sentence for each heuristic and model, and one for each heuristic that was skipped.
    pub fn sentences(&self) -> Vec<String> {
        let asked = self.heuristics.iter().flat_map(|heuristic| {
            let models = self.models.iter().zip(&heuristic.models);
            models.map(|(model, following)| heuristic.sentence(self.subject(model), following))
        });
        let skipped = self.skipped.iter().map(|(name, reason)| format!("The {name} heuristic was skipped: {reason}."));
        asked.chain(skipped).collect()
    }

    /// The heuristics that a model relies on, those that it does not, and those of which nobody can tell, in one paragraph; `on` says which examples.
    /// Nothing is said of heuristics that are `settled` elsewhere and open here.
    pub fn relied_on(&self, model: &str, on: &str, settled: &[String]) -> Option<String> {
        let place = self.models.iter().position(|name| name == model)?;
        let (mut relies, mut not, mut slight, mut little, mut few, mut open) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for HeuristicResult { name, models, .. } in &self.heuristics {
            let reliance = &models[place].reliance;
            match reliance {
                Reliance::ReliesOn(excess) => relies.push(format!("{name} (excess {})", excess.written())),
                Reliance::DoesNotRelyOn(excess) => {
                    not.push(name.clone());
                    slight.extend(reliance.is_slight().then(|| format!("{name} (excess {})", excess.written())));
                }
                Reliance::CannotTell { why: Doubt::MostlyMissing, .. } => {
                    return Some(format!("Whether {model} relies on shortcuts {on} is inconclusive: {}.", Doubt::MostlyMissing));
                }
                Reliance::CannotTell { why: Doubt::NotAboveMajority, .. } => little.push(name.clone()),
                Reliance::CannotTell { .. } if settled.contains(name) => {}
                Reliance::CannotTell { why: Doubt::FewWrong(count), .. } => few.push((name.clone(), grouped(*count as usize))),
                Reliance::CannotTell { why, .. } => open.push((name.clone(), why.to_string())),
            }
        }
        let mut said: Vec<String> = Vec::new();
        if !relies.is_empty() {
            let them = if relies.len() == 1 { "it" } else { "them" };
            said.push(format!("{model} relies on {} {on}, or on cues correlated with {them}.", heuristics(&relies)));
        }
        let subject = |said: &[String]| if said.is_empty() { model.to_string() } else { "It".to_string() };
        if !not.is_empty() {
            said.push(format!("{} does not rely on {} {on}.", subject(&said), heuristics(&not)));
        }
        if !slight.is_empty() {
            said.push(format!(
                "It leans slightly on {}; an excess above {:.0} points counts as reliance.",
                heuristics(&slight),
                100.0 * MARGIN
            ));
        }
        if !little.is_empty() {
            let why = Doubt::NotAboveMajority;
            said.push(format!("{} does not follow {} {on}, but this is weak evidence: {why}.", subject(&said), heuristics(&little)));
        }
        let whom = |said: &[String]| if said.is_empty() { model.to_string() } else { "it".to_string() };
        if !open.is_empty() {
            let (names, reasons): (Vec<String>, Vec<String>) = open.into_iter().unzip();
            let why = match &reasons[..] {
                [one] => one.clone(),
                several => names.iter().zip(several).map(|(name, why)| format!("for {name}, {why}")).collect::<Vec<_>>().join("; "),
            };
            said.push(format!("Whether {} relies on {} {on} is inconclusive: {why}.", whom(&said), heuristics(&names)));
        }
        if !few.is_empty() {
            let (names, counts): (Vec<String>, Vec<String>) = few.into_iter().unzip();
            let wrong = match &counts[..] {
                [one] => format!("the heuristic is wrong on {one}, and at least {LEAST_EXAMPLES} are needed"),
                several => format!("the heuristics are wrong on {}, and at least {LEAST_EXAMPLES} are needed for each", listed(several)),
            };
            said.push(format!("There are too few examples to say whether {} relies on {}: {wrong}.", whom(&said), heuristics(&names)));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// How sentences refer to a model: by name if there are several.
    fn subject<'m>(&self, model: &'m str) -> &'m str {
        if self.models.len() == 1 { "this model" } else { model }
    }

    /// How often each heuristic applies and is right, and how often each model follows it.
    pub fn measurements(&self, set: &SetId) -> Vec<Measurement> {
        let mut found = Vec::new();
        for heuristic in &self.heuristics {
            let of_heuristic = |one: Measurement, property: &str| one.with("heuristic", &*heuristic.name).with("property", property);
            let corpus = Subject::corpus(set);
            let shares = [("applies", heuristic.applies), ("heuristic correct", heuristic.accuracy)];
            found.extend(shares.into_iter().filter_map(|(name, share)| Some(of_heuristic(corpus.clustered(Metric::Share, &share)?, name))));
            for (model, following) in self.models.iter().zip(&heuristic.models) {
                let subject = Subject { model, set, scoring: Some(self.scoring) };
                let followed = subject.clustered(Metric::Followed, &following.where_wrong);
                found.extend(followed.map(|share| share.with("heuristic", &*heuristic.name)));
                let shares = [
                    ("followed where correct", Some(following.where_right)),
                    ("same error elsewhere", following.elsewhere),
                    ("errors toward it", following.errors_toward),
                ];
                found.extend(
                    shares.into_iter().filter_map(|(name, share)| Some(of_heuristic(subject.clustered(Metric::Share, &share?)?, name))),
                );
                found.extend(following.kappa.map(|kappa| subject.number(Metric::Kappa, kappa.value).with("heuristic", &*heuristic.name)));
            }
        }
        found
    }

    /// The sentences, a table of all figures, and the breakdown.
    pub fn sections(&self) -> Vec<Section> {
        let pairs =
            || self.heuristics.iter().flat_map(|heuristic| self.models.iter().zip(&heuristic.models).map(move |pair| (heuristic, pair)));
        let rows = pairs().map(|(heuristic, (model, following))| numbers(heuristic, model, following)).collect();
        let columns = [
            "n where wrong",
            "followed where wrong",
            "excess (points)",
            "verdict",
            "applies",
            "heuristic correct",
            "kappa",
            "followed where correct",
            "same error elsewhere",
            "errors toward it",
        ];
        let described =
            self.heuristics.iter().map(|heuristic| vec![Cell::text(&heuristic.name), Cell::text(&heuristic.description)]).collect();
        let mut caption = self.notes.clone();
        caption.push(
            "Kappa: chance-corrected agreement between model and heuristic over all examples; undefined if a heuristic assigns the same label to all of them. \
             Same error elsewhere: how often the model wrongly predicts the heuristic's label where the heuristic does not apply. \
             Errors toward it: the share of the heuristic's label among the model's errors where the heuristic is wrong."
                .to_string(),
        );
        caption.push(format!(
            "Excess: how much more often a model predicts the heuristic's wrong label than it would without the heuristic. It relies on the heuristic \
             if the 95 % interval of the excess lies above {margin} points, and does not if it lies below; otherwise, and with fewer than {LEAST_EXAMPLES} examples, the result is inconclusive.",
            margin = points(MARGIN)
        ));
        caption.push(match self.over_templates {
            true => format!("{} Excess and verdict generalise to new templates.", self.generalisation.sentence_of_sets()),
            false => self.generalisation.sentence_of_sets(),
        });
        let blocks = vec![
            ReportBlock::table(&["shortcut", "model"], &columns, rows),
            ReportBlock::table(&["shortcut", "assumes that"], &[], described),
        ];
        let mut sections = vec![Section::new(SectionId::Diagnosis, "Shortcuts", self.sentences(), blocks).captioned(caption)];
        if !self.by.is_empty() {
            let keys: Vec<&str> = ["shortcut"].into_iter().chain(self.by.iter().map(String::as_str)).collect();
            let models: Vec<&str> = self.models.iter().map(String::as_str).collect();
            let rows = self.heuristics.iter().flat_map(breakdown).collect();
            let note = "How often each model follows the heuristic where the heuristic is wrong.".to_string();
            let unit = self.generalisation.sentence_of_sets();
            let (name, title) = (SectionId::DiagnosisBy(self.by.join(",")), format!("Shortcuts by {}", listed(&self.by)));
            sections.push(Section::new(name, title, Vec::new(), vec![ReportBlock::table(&keys, &models, rows)]).captioned([note, unit]));
        }
        sections
    }
}

impl HeuristicResult {
    /// How often the model follows the heuristic where it is wrong, in one sentence.
    pub fn sentence(&self, model: &str, following: &Following) -> String {
        let name = &self.name;
        let applies = self.applies.proportion();
        if applies.count == 0 {
            let examples = counted(applies.total as usize, "example");
            return format!("The {name} heuristic applies to none of {examples}, so the result is inconclusive.");
        }
        let where_wrong = following.where_wrong.proportion();
        if where_wrong.total == 0 {
            let examples = counted(applies.count as usize, "example");
            return format!(
                "The {name} heuristic is never wrong on the {examples} it applies to: whether {model} follows it blindly is inconclusive."
            );
        }
        let examples = counted(where_wrong.total as usize, "example");
        let followed = clustered_share(&following.where_wrong);
        let head = format!("On {}, {model} follows the {name} heuristic in {followed} of {examples}", self.wrong_where);
        let verdict = following.reliance.clause();
        let any = |share: Option<ClusteredAccuracy>| share.filter(|share| share.proportion().total > 0);
        if let (Some(answer), Some(elsewhere)) = (self.only_answer, any(following.elsewhere)) {
            let same = clustered_share(&elsewhere);
            return format!("{head}; on the other {} it makes the same error in {same}; {verdict}.", without(answer));
        }
        match any(following.errors_toward) {
            Some(toward) => {
                format!("{head}; these are {} of its errors there (chance: half); {verdict}.", clustered_share(&toward))
            }
            None => format!("{head}; {verdict}."),
        }
    }
}

/// The heuristics as a phrase; a note in brackets follows its name, or the noun if there is one name only.
fn heuristics(names: &[String]) -> String {
    match names {
        [one] => match one.split_once(" (") {
            Some((name, note)) => format!("the {name} heuristic ({note}"),
            None => format!("the {one} heuristic"),
        },
        several => format!("the {} heuristics", listed(several)),
    }
}

/// Pairs with another gold label.
fn without(answer: Judgment) -> &'static str {
    match answer {
        Judgment::Exact(Label::Entailment) => "non-entailed pairs",
        Judgment::Exact(Label::Neutral) => "non-neutral pairs",
        Judgment::Exact(Label::Contradiction) => "pairs that are not contradictions",
        Judgment::NotEntailment => "entailed pairs",
    }
}

fn numbers(heuristic: &HeuristicResult, model: &str, following: &Following) -> Vec<Cell> {
    let maybe = |share: &Option<ClusteredAccuracy>| share.as_ref().map_or(Cell::Empty {}, Cell::of_set);
    let excess = following.reliance.excess().map_or(Cell::Empty {}, |excess| Cell::excess(excess.estimate, excess.interval));
    vec![
        Cell::text(&heuristic.name),
        Cell::text(model),
        count(following.where_wrong.proportion().total),
        Cell::of_set(&following.where_wrong),
        excess,
        Cell::text(following.reliance.verdict()),
        Cell::clustered(&heuristic.applies),
        Cell::of_set(&heuristic.accuracy),
        following.kappa.map_or(Cell::Empty {}, |kappa| number(kappa.value, 3)),
        Cell::of_set(&following.where_right),
        maybe(&following.elsewhere),
        maybe(&following.errors_toward),
    ]
}

fn breakdown(heuristic: &HeuristicResult) -> Vec<Vec<Cell>> {
    let Some(first) = heuristic.models.first() else { return Vec::new() };
    let row = |place: usize, values: &[String]| {
        let names = [&heuristic.name].into_iter().chain(values).map(Cell::text);
        names.chain(heuristic.models.iter().map(|following| Cell::of_group(&following.groups[place].1))).collect()
    };
    let with_rows = first.groups.iter().enumerate().filter(|(_, (_, share))| share.proportion().total > 0);
    with_rows.map(|(place, (values, _))| row(place, values)).collect()
}
