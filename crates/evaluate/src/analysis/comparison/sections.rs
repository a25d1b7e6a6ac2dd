//! A comparison in words and tables.

use super::{ComparisonResult, ComparisonsByTag, GroupComparison, PairComparison};
use crate::analysis::paired::Paired;
use crate::analysis::wording::{bracket, count, counted, ends, grouped, in_points, listed, number, p_value, points, share};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::statistics::Interval;
use crate::statistics::tied::AgainstBest;

/// As many differences as are told in words before the table takes over.
const TOLD: usize = 6;

impl ComparisonResult {
    /// What a reader should know first.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![self.about_the_best()];
        sentences.extend(self.about_pairs());
        sentences.extend(self.about_new_templates());
        sentences.extend(self.about_what_could_be_seen());
        sentences.extend(self.groups.iter().map(|by| self.about_groups(by)));
        sentences
    }

    /// One section for all rows and one for each list of tags.
    pub fn sections(&self) -> Vec<Section> {
        let mut notes = self.sentences();
        notes.push(self.method());
        let mut sections = vec![Section::new(SectionId::Comparison, "Comparison", notes, vec![self.ranking_table(), self.overall_table()])];
        sections.extend(self.groups.iter().map(|by| {
            let title = format!("Comparison by {}", listed(&by.tags));
            let note = "p values are corrected over all tests of the comparison together.".to_string();
            Section::new(SectionId::ComparisonBy(by.tags.join(",")), title, vec![note], vec![self.group_table(by)])
        }));
        sections
    }

    fn rows(&self) -> String {
        counted(self.overall.rows, "row")
    }

    fn about_the_best(&self) -> String {
        let accuracy = |model: usize| {
            let accuracy = self.overall.accuracies[model];
            share(accuracy.right, accuracy.interval)
        };
        if let [first, second] = &self.models[..] {
            return format!("{first} is right in {} and {second} in {} of {}.", accuracy(0), accuracy(1), self.rows());
        }
        let best = self.ranking.best;
        let head = format!("{} has the highest accuracy, {}", self.models[best], accuracy(best));
        let behind: Vec<&AgainstBest> = self.ranking.others.iter().filter(|other| !self.ranking.tied.contains(&other.model)).collect();
        let told: Vec<String> = behind.iter().take(TOLD).map(|other| self.about_behind(other)).collect();
        let tied: Vec<&str> = self.ranking.tied.iter().filter(|&&model| model != best).map(|&model| self.models[model].as_str()).collect();
        let better = match behind.len() {
            0 => String::new(),
            count if count > TOLD => format!("; it is better than {} others, among them {}", grouped(count), listed(&told)),
            _ => format!("; it is better than {}", listed(&told)),
        };
        let tests = format!("p values corrected over the {} against the best", counted(self.ranking.others.len(), "test"));
        match tied.is_empty() {
            true => format!("{head}{better}; {tests}."),
            false => format!("{head}{better}; {} cannot be told from it on these {}; {tests}.", listed(&tied), self.rows()),
        }
    }

    /// A model behind the best, and how far.
    fn about_behind(&self, other: &AgainstBest) -> String {
        let best = self.ranking.best;
        let of_both =
            |pair: &&PairComparison| [pair.first, pair.second] == [best, other.model] || [pair.first, pair.second] == [other.model, best];
        let interval = self.overall.pairs.iter().find(of_both).map(|pair| format!(" {}", bracket(toward(best, pair))));
        let (name, by) = (&self.models[other.model], points(other.behind));
        format!("{name} by {by} points{} ({})", interval.unwrap_or_default(), p_value(other.adjusted_p))
    }

    fn about_pairs(&self) -> Vec<String> {
        let mut told: Vec<&PairComparison> = self.overall.pairs.iter().filter(|pair| self.winner(pair).is_some()).collect();
        let open = self.overall.pairs.len() - told.len();
        let none = told.is_empty();
        if self.models.len() > 2 {
            // Those with the best model are told with it.
            told.retain(|pair| ![pair.first, pair.second].contains(&self.ranking.best));
        }
        told.sort_by(|a, b| b.paired.difference().abs().total_cmp(&a.paired.difference().abs()));
        let mut sentences: Vec<String> = told.iter().take(TOLD).filter_map(|pair| self.about_pair(pair)).collect();
        if told.len() > TOLD {
            sentences.push(format!("{} more pairs differ; see the table.", grouped(told.len() - TOLD)));
        }
        if let [pair] = self.overall.pairs[..]
            && open == 1
        {
            let (first, second) = (&self.models[pair.first], &self.models[pair.second]);
            let difference = format!("{} points {}", points(pair.paired.difference()), bracket(pair.paired.interval));
            let p = p_value(pair.holm_p);
            let few = pair.paired.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
            sentences.push(format!(
                "{first} and {second} cannot be told apart on these {}: they differ by {difference} ({p}{few}).",
                self.rows()
            ));
        } else if open > 0 {
            let which = if none { "no pair of models" } else { "no other pair" };
            let tests = counted(self.tests(), "test");
            sentences.push(format!(
                "With p values corrected over all {tests} of this comparison, {which} can be told apart on these {}.",
                self.rows()
            ));
        }
        sentences
    }

    /// What the pairs come to as a statement on new templates, not on new sentences of these.
    fn about_new_templates(&self) -> Vec<String> {
        let pairs = self.overall.pairs.iter().zip(self.over_templates.iter().flatten());
        let about = |(pair, paired): (&PairComparison, &Paired)| {
            let (first, second) = (&self.models[pair.first], &self.models[pair.second]);
            let templates = counted(paired.clusters, "template");
            match paired.clusters {
                1 => format!("For new templates the difference of {first} and {second} cannot be estimated: all rows are of one template."),
                _ => {
                    let few = paired.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
                    let difference = format!("{} points {}", points(paired.difference()), bracket(paired.interval));
                    let p = p_value(paired.p);
                    format!(
                        "For new templates, judged by these {templates}, {first} less {second} is {difference} ({p}, uncorrected{few})."
                    )
                }
            }
        };
        pairs.take(TOLD).map(about).collect()
    }

    fn about_pair(&self, pair: &PairComparison) -> Option<String> {
        let (better, worse) = self.winner(pair)?;
        let interval = toward(better, pair);
        let by = format!("{} points {}", points(pair.paired.difference().abs()), bracket(interval));
        Some(format!("{} is better than {} by {by} ({}).", self.models[better], self.models[worse], p_value(pair.holm_p)))
    }

    fn about_what_could_be_seen(&self) -> Option<String> {
        let visible = || self.overall.pairs.iter().filter_map(|pair| pair.paired.minimum_detectable);
        let (least, most) = (points(visible().reduce(f64::min)?), points(visible().reduce(f64::max)?));
        let under = if least == most { format!("{least} points") } else { format!("{least} to {most} points, depending on the pair,") };
        let (chance, alpha) = (100.0 * self.testing.plan.power, self.testing.plan.alpha);
        let rows = self.rows();
        Some(format!(
            "A true difference under {under} had less than {chance:.0} chances in 100 to be seen on these {rows} at the level {alpha}."
        ))
    }

    fn about_groups(&self, by: &ComparisonsByTag) -> String {
        let tests = by.groups.iter().flat_map(|rows| rows.pairs.iter().map(move |pair| (rows, pair)));
        let mut differing: Vec<(&GroupComparison, &PairComparison)> =
            tests.clone().filter(|(_, pair)| self.winner(pair).is_some()).collect();
        let all = tests.clone().count();
        let less_strict = tests.filter(|(_, pair)| pair.benjamini_hochberg_p < self.testing.plan.alpha).count();
        let head = format!(
            "By {}: {} of {} differ after Holm's correction, {} after Benjamini and Hochberg's",
            listed(&by.tags),
            grouped(differing.len()),
            counted(all, "comparison"),
            grouped(less_strict)
        );
        differing.sort_by(|a, b| b.1.paired.difference().abs().total_cmp(&a.1.paired.difference().abs()));
        let told: Vec<String> = differing
            .iter()
            .take(TOLD)
            .filter_map(|(rows, pair)| {
                let (better, _) = self.winner(pair)?;
                Some(format!(
                    "{} is better on {} by {} points",
                    self.models[better],
                    rows.values.join(" "),
                    points(pair.paired.difference().abs())
                ))
            })
            .collect();
        match (told.is_empty(), differing.len() > TOLD) {
            (true, _) => format!("{head}."),
            (false, false) => format!("{head}: {}.", listed(&told)),
            (false, true) => format!("{head}, among others {}.", listed(&told)),
        }
    }

    fn method(&self) -> String {
        let corrected = format!("p values are corrected over {}", counted(self.tests(), "test"));
        if self.overall.clusters == self.overall.rows {
            return format!(
                "Exact McNemar test and Tango's interval, every row on its own: what is said holds for new rows of the same kind; {corrected} by Holm's method after Tarone's, intervals are not."
            );
        }
        let clusters = counted(self.overall.clusters, "cluster");
        format!(
            "Exact sign-flip test and Tango's interval over {clusters}, because rows of one cluster depend on each other: what is said holds for new \
             clusters; {corrected} by Holm's method after Tarone's, intervals are not."
        )
    }

    fn tests(&self) -> usize {
        let groups = self.groups.iter().flat_map(|by| &by.groups);
        self.overall.pairs.len() + groups.map(|rows| rows.pairs.len()).sum::<usize>()
    }

    fn winner(&self, pair: &PairComparison) -> Option<(usize, usize)> {
        pair.winner(self.testing.plan.alpha)
    }

    fn ranking_table(&self) -> ReportBlock {
        let mut order: Vec<usize> = (0..self.models.len()).collect();
        order.sort_by_key(|&model| std::cmp::Reverse(self.overall.accuracies[model].right.count));
        let rows = order.into_iter().map(|model| {
            let accuracy = self.overall.accuracies[model];
            let against = self.ranking.others.iter().find(|other| other.model == model);
            let standing = match against {
                None => "best",
                Some(_) if self.ranking.tied.contains(&model) => "tied",
                Some(_) => "behind",
            };
            vec![
                Cell::text(&self.models[model]),
                Cell::rate_within(accuracy.right, accuracy.interval),
                against.map_or(Cell::Empty {}, |other| in_points(other.behind)),
                against.map_or(Cell::Empty {}, |other| number(other.adjusted_p, 4)),
                Cell::text(standing),
            ]
        });
        ReportBlock::table(&["model"], &["accuracy", "behind the best", "p (Holm)", "standing"], rows.collect())
    }

    fn overall_table(&self) -> ReportBlock {
        let rows = self.overall.pairs.iter().map(|pair| self.pair_cells(pair)).collect();
        ReportBlock::table(&["first", "second"], &PAIR_COLUMNS, rows)
    }

    fn group_table(&self, by: &ComparisonsByTag) -> ReportBlock {
        let keys: Vec<&str> = by.tags.iter().map(String::as_str).chain(["first", "second"]).collect();
        let columns: Vec<&str> = ["rows"].into_iter().chain(PAIR_COLUMNS).collect();
        let mut rows = Vec::new();
        for group in &by.groups {
            for pair in &group.pairs {
                let mut cells: Vec<Cell> = group.values.iter().map(Cell::text).collect();
                let mut of_pair = self.pair_cells(pair);
                let values = of_pair.split_off(2);
                cells.extend(of_pair);
                cells.push(count(group.rows as u64));
                cells.extend(values);
                rows.push(cells);
            }
        }
        ReportBlock::table(&keys, &columns, rows)
    }

    fn pair_cells(&self, pair: &PairComparison) -> Vec<Cell> {
        let paired = &pair.paired;
        let mut cells = vec![Cell::text(&self.models[pair.first]), Cell::text(&self.models[pair.second]), in_points(paired.difference())];
        cells.extend(ends(paired.interval));
        cells.extend([count(paired.counts.first_only), count(paired.counts.second_only)]);
        cells.extend([count(paired.differing_clusters as u64), number(paired.p, 4)]);
        cells.extend([number(pair.holm_p, 4), number(pair.benjamini_hochberg_p, 4)]);
        cells.push(paired.minimum_detectable.map_or(Cell::Empty {}, in_points));
        cells
    }
}

const PAIR_COLUMNS: [&str; 10] =
    ["points", "from", "to", "only first right", "only second right", "clusters that differ", "p", "p (Holm)", "p (BH)", "visible from"];

/// The interval of the difference as seen from one of the two models.
fn toward(model: usize, pair: &PairComparison) -> Interval {
    let interval = pair.paired.interval;
    if model == pair.first { interval } else { Interval { low: -interval.high, high: -interval.low } }
}
