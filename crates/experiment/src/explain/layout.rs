//! An explanation as text: the pair, bars of the labels, and the words behind them.

use super::{ExplainedBy, ExplainedPair};
use acidtest_evaluate::report::terminal::TerminalStyle;
use acidtest_model::lexical::Feature;
use acidtest_nli::{Label, Misleading, Prediction, is_content_id};

/// How an explanation is laid out.
#[derive(Debug, Clone, Copy)]
pub struct ExplanationLayout {
    /// Features shown for each label.
    pub top: usize,
    /// Whether to use colours.
    pub style: TerminalStyle,
}

/// The longest bar of a probability.
const LONGEST: f64 = 40.0;
/// The longest bar of a feature.
const LONGEST_PUSH: f64 = 24.0;
const BOLD: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";

impl ExplanationLayout {
    /// Writes one explanation, followed by an empty line.
    pub fn write(&self, explained: &ExplainedPair<'_>, out: &mut String) {
        let pair = explained.pair;
        for (name, text) in [("premise", &pair.premise.text), ("hypothesis", &pair.hypothesis.text)] {
            *out += &format!("{} {}\n", self.paint(FAINT, &format!("{name:<10}")), self.paint(BOLD, &plain(text)));
        }
        if !is_content_id(&pair.id) {
            *out += &format!("{} {}\n", self.paint(FAINT, "id        "), plain(&pair.id));
        }
        let answer = Prediction::from_scores(explained.why.probabilities).answer;
        for label in Label::ALL {
            let probability = explained.why.probabilities[label.index()];
            let bar = "━".repeat((LONGEST * probability).round() as usize);
            let colour = if explained.gold.is_some_and(|gold| gold != label) { RED } else { GREEN };
            let standing = match (explained.gold == Some(label), answer == label.into()) {
                (true, true) => "  gold, prediction",
                (true, false) => "  gold",
                (false, true) => "  prediction",
                (false, false) => "",
            };
            let bar = self.paint(colour, &bar);
            let line = format!("  {:<13} {:>5.1} %  {bar}{}", label.name(), 100.0 * probability, self.paint(FAINT, standing));
            *out += &format!("{}\n", line.trim_end());
        }
        if explained.by == ExplainedBy::TrainedOnIt {
            *out += "  The model was trained on this pair; train with `--set folds=5` to explain it with a model that has not seen it.\n";
        }
        let mut groups = Vec::new();
        if let (Some(gold), Some(Misleading { score, toward })) = (explained.gold, explained.misleading()) {
            *out += &format!("  lexically-misleading score (LMS) {score:.4}, the probability of {toward}\n");
            groups.push((format!("for {toward} rather than {gold}:"), explained.pushes(toward, Some(gold), self.top)));
        }
        groups.extend(Label::ALL.map(|label| (format!("for {label}:"), explained.pushes(label, None, self.top))));
        self.features(&groups, out);
        if explained.why.features.is_empty() {
            *out += "  None of these words are in the model's vocabulary.\n";
        }
        out.push('\n');
    }

    /// Features below their titles, all bars on one scale.
    fn features(&self, groups: &[(String, Vec<(&Feature, f64)>)], out: &mut String) {
        if groups.iter().any(|(_, pushes)| !pushes.is_empty()) {
            *out += "  contributions in log-odds; a pair is (premise word, hypothesis word):\n";
        }
        let all = || groups.iter().flat_map(|(_, pushes)| pushes);
        let longest = all().map(|(_, push)| *push).fold(0.0, f64::max);
        let name = |feature: &Feature| plain(&feature.to_string());
        let width = all().map(|(feature, _)| name(feature).chars().count()).max().unwrap_or(0);
        for (title, pushes) in groups.iter().filter(|(_, pushes)| !pushes.is_empty()) {
            *out += &format!("  {title}\n");
            for (feature, push) in pushes {
                let bar = "━".repeat(((LONGEST_PUSH * push / longest).round() as usize).max(1));
                *out += &format!("    {:<width$} {push:>+6.2}  {}\n", name(feature), self.paint(GREEN, &bar));
            }
        }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.style == TerminalStyle::Coloured && !text.is_empty() { format!("{code}{text}\x1b[0m") } else { text.to_string() }
    }
}

/// Text from a file must not contain line breaks or control characters.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_model::lexical::{Explanation, FeatureWeight};
    use acidtest_nli::Pair;

    #[test]
    fn misleading_words_come_first() {
        let push = |feature, weights| FeatureWeight { feature, weights };
        let features = vec![
            push(Feature::Hypothesis("not".to_string()), [-1.0, 0.0, 1.0]),
            push(Feature::Cross("sitting".to_string(), "standing".to_string()), [0.0, -0.5, 0.5]),
        ];
        let why = Explanation { probabilities: [0.05, 0.025, 0.925], bias: [0.0; 3], features };
        let pair = Pair::plain("Two people sit.", "They are\nnot standing.");
        let mut text = String::new();
        let explained = ExplainedPair { pair: &pair, gold: Some(Label::Entailment), why, by: ExplainedBy::Unseen };
        ExplanationLayout { top: 3, style: TerminalStyle::Plain }.write(&explained, &mut text);
        let expected = "\
premise    Two people sit.
hypothesis They are not standing.
  entailment      5.0 %  ━━  gold
  neutral         2.5 %  ━
  contradiction  92.5 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  prediction
  lexically-misleading score (LMS) 0.9250, the probability of contradiction
  contributions in log-odds; a pair is (premise word, hypothesis word):
  for contradiction rather than entailment:
    hypothesis: not      +2.00  ━━━━━━━━━━━━━━━━━━━━━━━━
    (sitting, standing)  +0.50  ━━━━━━
  for contradiction:
    hypothesis: not      +1.00  ━━━━━━━━━━━━
    (sitting, standing)  +0.50  ━━━━━━

";
        assert_eq!(text, expected);
    }
}
