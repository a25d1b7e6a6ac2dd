//! The findings of an evaluation, in sentences: only what is based on enough examples and significant.

use super::AnalysisError;
use super::contrasts::Contrasts;
use super::paired::Testing;
use super::reliance::LEAST_EXAMPLES;
use super::slices::{Slice, slices};
use super::standing::Standing;
use super::wording::{clustered_share, counted, listed, points};
use crate::breakdown::{GOLD, NO_VALUE};
use crate::score::{Confusion, Score};
use crate::scoring::Judged;
use crate::statistics::PairedCounts;
use acidtest_nli::UnknownName;

/// Accuracy, the groups where it is significantly lower or higher than elsewhere, and the most frequent confusion.
pub fn findings(model: &str, judged: &Judged<'_>, by: &[Vec<String>]) -> Result<Vec<String>, AnalysisError> {
    let score = Score::of(judged);
    let mut sentences = vec![standing(model, judged, &score)?];
    for tags in by {
        let (groups, contrasts) = by_tags(judged, tags)?;
        sentences.extend(contrasts.sentences(&by_name(tags), &|place| format!("on {}", groups[place].values.join(" "))));
    }
    sentences.extend(about_confusion(&score.confusion));
    Ok(sentences)
}

fn standing(model: &str, judged: &Judged<'_>, score: &Score) -> Result<String, AnalysisError> {
    let examples = counted(score.accuracy.total as usize, "example");
    let head = format!("{model}: accuracy {} on {examples}", clustered_share(&score.clustered));
    let clause = Standing::of(judged, &Testing::default())?.and_then(|standing| standing.clause());
    Ok(clause.map_or_else(|| format!("{head}."), |clause| format!("{head}, {clause}.")))
}

/// The groups of these tags, each against the other groups. Examples without one of the tags are of no group.
pub(crate) fn by_tags(judged: &Judged<'_>, tags: &[String]) -> Result<(Vec<Slice>, Contrasts), UnknownName> {
    let groups = slices(judged, tags)?;
    let right = judged.right();
    let mut group_of = vec![None; right.len()];
    for (place, group) in groups.iter().enumerate().filter(|(_, group)| group.values.iter().all(|value| value != NO_VALUE)) {
        group.rows.iter().for_each(|&row| group_of[row] = Some(place));
    }
    let found = Contrasts::of(&right, &judged.clusters(), &group_of, groups.len());
    Ok((groups, found))
}

/// What a sentence calls the tags.
fn by_name(tags: &[String]) -> String {
    let names: Vec<&str> = tags.iter().map(|tag| if tag == GOLD { "gold label" } else { tag.as_str() }).collect();
    listed(&names)
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
                if row.2 != NO_VALUE {
                    tags.set("genre", row.2);
                }
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
    fn examples_without_the_tag_are_not_among_the_others() {
        let sentences = found(&[
            (Entailment, Entailment, "news", 300),
            (Entailment, Neutral, "news", 20),
            (Neutral, Neutral, "talk", 300),
            (Neutral, Entailment, "talk", 21),
            (Contradiction, Entailment, NO_VALUE, 500),
        ]);
        assert_eq!(sentences[1], "By genre, no group differs significantly from the other examples.", "{sentences:?}");
    }

    #[test]
    fn nothing_is_said_of_few_examples_or_of_chance() {
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
