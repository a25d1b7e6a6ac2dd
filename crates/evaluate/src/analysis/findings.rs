//! The findings of an evaluation, in sentences: only what is based on enough examples and significant.

use super::paired::{Paired, Testing};
use super::reliance::LEAST_EXAMPLES;
use super::wording::{bracket, clustered_share, counted, grouped, listed, p_value, points};
use super::{AnalysisError, perturbation};
use crate::breakdown::{Group, NO_VALUE};
use crate::report::SMALL_GROUP;
use crate::score::{Confusion, Score};
use crate::scoring::Judged;
use crate::statistics::PairedCounts;
use crate::statistics::clustered::ClusteredAccuracy;

/// Accuracy, the groups where it is significantly lower or higher than elsewhere, and the most frequent confusion.
pub fn findings(model: &str, judged: &Judged<'_>, by: &[Vec<String>]) -> Result<Vec<String>, AnalysisError> {
    let score = Score::of(judged);
    let mut sentences = vec![standing(model, judged, &score)?];
    for tags in by {
        sentences.extend(about_groups(&judged.breakdown(tags)?, tags));
    }
    sentences.extend(about_confusion(&score.confusion));
    Ok(sentences)
}

fn standing(model: &str, judged: &Judged<'_>, score: &Score) -> Result<String, AnalysisError> {
    let examples = counted(score.accuracy.total as usize, "example");
    let head = format!("{model}: accuracy {} on {examples}", clustered_share(&score.clustered));
    let Some((label, share)) = score.majority() else { return Ok(format!("{head}.")) };
    Ok(match perturbation::no_better_than_majority(judged, &Testing::default())? {
        Some(_) => {
            let right = judged.right();
            let majority: Vec<bool> = judged.scored().map(|(_, outcome)| outcome.gold == label).collect();
            let testing = Testing::default();
            let found = Paired::of(&right, &majority, &judged.clusters(), &testing)?;
            let (share, p) = (points(share.rate().unwrap_or(0.0)), p_value(found.p));
            let standing =
                if found.difference() < 0.0 && found.p < testing.plan.alpha { "significantly below" } else { "not significantly above" };
            format!("{head}, {standing} the majority baseline (always {label}: {share} %, {p}).")
        }
        None => format!("{head}, significantly above the majority baseline (always {label}: {} %).", points(share.rate().unwrap_or(0.0))),
    })
}

/// The groups with the lowest and the highest accuracy among those that differ significantly from all other examples.
fn about_groups(groups: &[Group], tags: &[String]) -> Vec<String> {
    let rests = |place: usize| {
        let others = groups.iter().enumerate().filter(|(other, _)| *other != place);
        others.fold(ClusteredAccuracy::default(), |sum, (_, group)| sum.and(&group.score.clustered))
    };
    let is_large = |group: &Group| group.score.accuracy.total >= LEAST_EXAMPLES && group.score.clustered.equal_clusters() >= SMALL_GROUP;
    let is_named = |group: &Group| group.values.iter().any(|value| value != NO_VALUE);
    let tested: Vec<(usize, &Group)> = groups.iter().enumerate().filter(|(_, group)| is_large(group) && is_named(group)).collect();
    if tested.len() < 2 {
        return Vec::new();
    }
    // Bonferroni correction, because all groups are examined.
    let confidence = 1.0 - 0.05 / tested.len() as f64;
    let rate = |share: &ClusteredAccuracy| share.proportion().rate().unwrap_or(0.0);
    let differing = tested.iter().filter_map(|(place, group)| {
        let (own, rest) = (group.score.clustered, rests(*place));
        let interval = own.less_at(&rest, confidence);
        let is_significant = rest.proportion().total >= LEAST_EXAMPLES && (interval.low > 0.0 || interval.high < 0.0);
        is_significant.then(|| (rate(&own) - rate(&rest), *group, own, rest))
    });
    let differing: Vec<_> = differing.collect();
    let told = |found: Option<&(f64, &Group, ClusteredAccuracy, ClusteredAccuracy)>, word: &str| {
        let (difference, group, own, rest) = found?;
        let interval = bracket(own.less_at(rest, confidence));
        Some(format!(
            "By {}, accuracy is {word} on {}: {} % against {} % on the other examples, {} points {interval} (n = {}; significant after Bonferroni correction over {} groups).",
            listed(tags),
            group.values.join(" "),
            points(rate(own)),
            points(rate(rest)),
            points(*difference),
            grouped(own.proportion().total as usize),
            tested.len()
        ))
    };
    let lowest = differing.iter().filter(|found| found.0 < 0.0).min_by(|a, b| a.0.total_cmp(&b.0));
    let highest = differing.iter().filter(|found| found.0 > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    let sentences: Vec<String> = told(lowest, "lowest").into_iter().chain(told(highest, "highest")).collect();
    if sentences.is_empty() {
        vec![format!("By {}, no group differs significantly from the other examples.", listed(tags))]
    } else {
        sentences
    }
}

/// The most frequent error, where it is significantly more frequent than the next one.
fn about_confusion(confusion: &Confusion) -> Option<String> {
    let classes = &confusion.classes;
    let mut kinds: Vec<(u64, usize, usize)> = Vec::new();
    for (gold, counts) in confusion.counts.iter().enumerate() {
        kinds.extend(
            counts.iter().enumerate().filter(|(predicted, _)| *predicted != gold).map(|(predicted, count)| (*count, gold, predicted)),
        );
    }
    kinds.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let errors: u64 = kinds.iter().map(|(count, ..)| count).sum();
    let [(most, gold, predicted), (next, ..), ..] = kinds[..] else { return None };
    let counts = PairedCounts { first_only: most, second_only: next, ..PairedCounts::default() };
    let others = kinds.len() as f64 - 1.0;
    (most >= LEAST_EXAMPLES && counts.exact_p() * others < 0.05).then(|| {
        let share = points(most as f64 / errors as f64);
        format!(
            "The most frequent error is predicting {} for {}: {} ({share} % of {}).",
            classes[predicted],
            classes[gold],
            counted(most as usize, "example"),
            counted(errors as usize, "error")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction, Tags};

    /// Examples of a gold label, a prediction and a genre, repeated.
    fn found(rows: &[(Label, Label, &'static str, usize)]) -> Vec<String> {
        let rows: Vec<&(Label, Label, &str, usize)> = rows.iter().flat_map(|row| std::iter::repeat_n(row, row.3)).collect();
        let tags: Vec<Tags<'_>> = rows
            .iter()
            .map(|row| {
                let mut tags = Tags::default();
                tags.set("genre", row.2);
                tags
            })
            .collect();
        let examples = rows.iter().zip(&tags).zip(0..);
        let items: Vec<Item<'_>> =
            examples.map(|((row, tags), cluster)| Item { gold: Some(row.0.into()), cluster, tags, ..Item::default() }).collect();
        let predictions: Vec<Prediction> = rows.iter().map(|row| Prediction::of(row.1)).collect();
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        findings("m", &judged, &[vec!["genre".to_string()]]).unwrap()
    }

    use Label::{Contradiction, Entailment, Neutral};

    #[test]
    fn groups_and_confusions_are_named_where_they_are_significant() {
        let sentences = found(&[
            (Entailment, Entailment, "news", 300),
            (Neutral, Neutral, "news", 300),
            (Entailment, Neutral, "talk", 100),
            (Contradiction, Contradiction, "talk", 100),
            (Contradiction, Neutral, "talk", 10),
        ]);
        assert_eq!(sentences.len(), 4, "{sentences:?}");
        assert!(sentences[1].starts_with("By genre, accuracy is lowest on talk: 47.6 % against 100.0 %"), "{sentences:?}");
        assert!(sentences[2].starts_with("By genre, accuracy is highest on news"), "{sentences:?}");
        assert_eq!(sentences[3], "The most frequent error is predicting neutral for entailment: 100 examples (90.9 % of 110 errors).");
    }

    #[test]
    fn few_examples_and_chance_give_no_findings() {
        let sentences = found(&[
            (Entailment, Entailment, "news", 100),
            (Entailment, Neutral, "news", 20),
            (Neutral, Entailment, "talk", 19),
            (Neutral, Neutral, "talk", 96),
            (Contradiction, Entailment, "mail", 5),
        ]);
        assert_eq!(sentences[1..], ["By genre, no group differs significantly from the other examples."]);
    }
}
