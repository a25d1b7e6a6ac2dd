//! A comparison as sentences and tables.

use super::{ComparisonResult, ComparisonsByTag, GroupComparison, OverTemplates, PairComparison, Pairing};
use crate::analysis::paired::Paired;
use crate::analysis::wording::{clustered_share, count, counted, grouped, in_points, listed, p_cell, p_value, points};
use crate::breakdown::NO_VALUE;
use crate::report::{Cell, ReportBlock, SMALL_GROUP, Section, SectionId, Table};
use crate::statistics::tied::AgainstBest;

/// The number of differences that are stated in sentences; the table has all.
const TOLD: usize = 6;

impl ComparisonResult {
    /// The verdict.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![self.about_the_best()];
        sentences.extend(self.about_pairs());
        sentences.extend(self.about_new_templates());
        sentences.extend(self.about_what_could_be_seen());
        sentences.extend(self.groups.iter().map(|by| self.about_groups(by)));
        sentences
    }

    /// One section for all examples and one for each list of tags.
    pub fn sections(&self) -> Vec<Section> {
        let blocks = vec![self.ranking_table(), self.overall_table()];
        let mut caption = vec![self.method()];
        if self.models.len() > 2 {
            let best = &self.models[self.ranking.best];
            caption
                .push(format!("Leaderboard: each model is tested against {best}, the best; p values are adjusted for {}.", self.family()));
        }
        let mut sections = vec![Section::new(SectionId::Comparison, "Comparison", Vec::new(), blocks).captioned(caption)];
        sections.extend(self.over_templates.as_deref().map(|pairs| self.new_templates(pairs)));
        sections.extend(self.groups.iter().map(|by| {
            let title = format!("Comparison by {}", listed(&by.tags));
            let tests = counted(by.groups.iter().map(|rows| rows.pairs.len()).sum::<usize>(), "test");
            let caption = [
                self.generalisation.sentence_of_sets(),
                format!(
                    "p values are adjusted for the {tests} in this table and given where at least 6 clusters differ. Differences are \
                     given for groups with at least 10 effective clusters."
                ),
            ];
            let blocks = vec![self.group_accuracies(by), self.group_table(by)];
            Section::new(SectionId::ComparisonBy(by.tags.join(",")), title, self.untagged(by).into_iter().collect(), blocks)
                .captioned(caption)
        }));
        sections.push(self.counts());
        sections
    }

    /// The pairs with templates as clusters.
    fn new_templates(&self, pairs: &[OverTemplates]) -> Section {
        let rows = self.overall.pairs.iter().zip(pairs).map(|(pair, OverTemplates { paired, holm_p })| {
            let mut cells = self.models_of(pair).to_vec();
            cells.extend([count(paired.clusters as u64), count(paired.differing_clusters as u64), paired.cell(*holm_p)]);
            match paired.is_one_cluster() {
                true => cells.extend([Cell::Empty {}, Cell::Empty {}]),
                false => cells.extend([p_cell(paired.p), p_cell(*holm_p)]),
            }
            cells
        });
        let columns = ["templates", "differing templates", "difference (points)", "p", "p (Holm)"];
        let caption = "Intervals and p values generalise to new templates: pairs from one template form one cluster. In the section \
                       Comparison, they generalise only to new sentences from the same templates."
            .to_string();
        let table = ReportBlock::table(&["models"], &columns, rows.collect());
        Section::new(SectionId::NewTemplates, "New templates", Vec::new(), vec![table]).captioned([caption])
    }

    fn examples(&self) -> String {
        counted(self.overall.rows, "example")
    }

    fn about_the_best(&self) -> String {
        let accuracy = |model: usize| clustered_share(&self.overall.accuracies[model].clustered);
        if let [first, second] = &self.models[..] {
            return format!("{first} is correct on {} and {second} on {} of {}.", accuracy(0), accuracy(1), self.examples());
        }
        let best = self.ranking.best;
        let head = format!("{} has the highest accuracy, {}", self.models[best], accuracy(best));
        let behind: Vec<&AgainstBest> = self.ranking.others.iter().filter(|other| !self.ranking.tied.contains(&other.model)).collect();
        let told: Vec<String> = behind.iter().take(TOLD).map(|other| self.about_behind(other)).collect();
        let tied: Vec<&str> = self.ranking.tied.iter().filter(|&&model| model != best).map(|&model| self.models[model].as_str()).collect();
        let better = match behind.len() {
            0 => String::new(),
            count if count > TOLD => {
                format!("; it is significantly better than {} other models, including {}", grouped(count), listed(&told))
            }
            _ => format!("; it is significantly better than {}", listed(&told)),
        };
        let tests = format!("p values are adjusted for {}", self.family());
        match tied.is_empty() {
            true => format!("{head}{better}; {tests}."),
            false => {
                let are = if tied.len() == 1 { "is" } else { "are" };
                let (tied, examples) = (listed(&tied), self.examples());
                format!("{head}{better}; {tied} {are} not significantly different from it on these {examples}; {tests}.")
            }
        }
    }

    /// The tests for which statements about the best model are adjusted.
    fn family(&self) -> String {
        let others = self.ranking.others.len();
        match self.ranking.tests == others {
            true => format!("the {} with it", counted(others, "comparison")),
            false => format!("all {} of models", counted(self.ranking.tests, "pair")),
        }
    }

    /// Whether a pair is told with the best model: the other is significantly worse.
    fn is_told_with_the_best(&self, pair: &PairComparison) -> bool {
        let best = self.ranking.best;
        let other = if pair.first == best { pair.second } else { pair.first };
        [pair.first, pair.second].contains(&best) && !self.ranking.tied.contains(&other)
    }

    /// A model behind the best, and how far.
    fn about_behind(&self, other: &AgainstBest) -> String {
        let best = self.ranking.best;
        let of_both =
            |pair: &&PairComparison| [pair.first, pair.second] == [best, other.model] || [pair.first, pair.second] == [other.model, best];
        let interval = self.overall.pairs.iter().find(of_both).map(|pair| format!(" {}", toward(best, pair)));
        let (name, by) = (&self.models[other.model], points(other.behind));
        format!("{name} (by {by} points{}, {})", interval.unwrap_or_default(), p_value(other.adjusted_p))
    }

    fn about_pairs(&self) -> Vec<String> {
        let mut told: Vec<&PairComparison> = self.overall.pairs.iter().filter(|pair| self.winner(pair).is_some()).collect();
        let open = self.overall.pairs.len() - told.len();
        let none = told.is_empty();
        if self.models.len() > 2 {
            told.retain(|pair| !self.is_told_with_the_best(pair));
        }
        told.sort_by(|a, b| b.paired.difference().abs().total_cmp(&a.paired.difference().abs()));
        let mut sentences: Vec<String> = told.iter().take(TOLD).filter_map(|pair| self.about_pair(pair)).collect();
        if told.len() > TOLD {
            sentences.push(format!("{} more pairs differ significantly; see the table.", grouped(told.len() - TOLD)));
        }
        let identical = self.identical.iter().map(|&(first, second)| {
            format!("{} and {} make the same prediction on every example.", self.models[first], self.models[second])
        });
        sentences.extend(identical.take(TOLD));
        if let [pair] = self.overall.pairs[..]
            && open == 1
        {
            if self.identical.is_empty() {
                sentences.push(self.about_open_pair(&pair));
            }
        } else if open > 0 && !(self.pairing == Pairing::WithFirst && self.ranking.best == 0) {
            // Of a first model that is the best, all is told already.
            let tests = counted(self.overall.pairs.len(), "comparison");
            let first = &self.models[0];
            let (family, which) = match (self.pairing, none) {
                (Pairing::WithFirst, true) => (format!("{tests} with {first}"), format!("No model differs significantly from {first}")),
                (Pairing::WithFirst, false) => {
                    (format!("{tests} with {first}"), format!("No other model differs significantly from {first}"))
                }
                (Pairing::Every, true) => (format!("{tests} on all examples"), "No pair of models differs significantly".to_string()),
                (Pairing::Every, false) => (format!("{tests} on all examples"), "No other pair differs significantly".to_string()),
            };
            sentences.push(format!("{which} on these {}; p values are adjusted for the {family}.", self.examples()));
        }
        sentences
    }

    /// The only pair, where it does not differ significantly.
    fn about_open_pair(&self, pair: &PairComparison) -> String {
        let (first, second) = (&self.models[pair.first], &self.models[pair.second]);
        let difference = format!("{} points {}", points(pair.paired.difference()), pair.paired.bracket());
        let p = p_value(pair.holm_p);
        let few = pair.paired.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
        format!("{first} and {second} are not significantly different on these {}: {difference} ({p}{few}).", self.examples())
    }

    /// What the pairs come to as a statement on new templates, not on new sentences of these.
    fn about_new_templates(&self) -> Vec<String> {
        let pairs = self.overall.pairs.iter().zip(self.over_templates.iter().flatten());
        let about = |(pair, OverTemplates { paired, holm_p }): (&PairComparison, &OverTemplates)| {
            let (first, second) = (&self.models[pair.first], &self.models[pair.second]);
            let templates = counted(paired.clusters, "template");
            match paired.is_one_cluster() {
                true => format!("New templates: not estimable for {first} and {second}, because all examples come from one template."),
                false => {
                    let few = paired.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
                    let difference = format!("{} points {}", points(paired.difference()), paired.bracket());
                    let p = p_value(*holm_p);
                    format!("New templates: {first} minus {second} is {difference} over {templates} ({p}{few}).")
                }
            }
        };
        pairs.take(TOLD).map(about).collect()
    }

    fn about_pair(&self, pair: &PairComparison) -> Option<String> {
        let (better, worse) = self.winner(pair)?;
        let by = format!("{} points {}", points(pair.paired.difference().abs()), toward(better, pair));
        Some(format!("{} is significantly better than {} by {by} ({}).", self.models[better], self.models[worse], p_value(pair.holm_p)))
    }

    fn about_what_could_be_seen(&self) -> Option<String> {
        let visible = || self.overall.pairs.iter().filter_map(|pair| pair.paired.minimum_detectable);
        let (least, most) = (points(visible().reduce(f64::min)?), points(visible().reduce(f64::max)?));
        let under = if least == most { format!("{least} points") } else { format!("{least} to {most} points, depending on the pair") };
        let (power, alpha) = (100.0 * self.testing.plan.power, self.testing.plan.alpha);
        Some(format!("Minimum detectable difference ({power:.0} % power, alpha = {alpha}): {under}."))
    }

    fn about_groups(&self, by: &ComparisonsByTag) -> String {
        let tests = by.groups.iter().flat_map(|rows| rows.pairs.iter().map(move |pair| (rows, pair)));
        let mut differing: Vec<(&GroupComparison, &PairComparison)> =
            tests.clone().filter(|(_, pair)| self.winner(pair).is_some()).collect();
        let all = tests.clone().count();
        let less_strict = tests.filter(|(_, pair)| pair.benjamini_hochberg_p < self.testing.plan.alpha).count();
        let head = format!(
            "By {}: {} of {} are significant after Holm correction, {} after Benjamini-Hochberg correction",
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
                let (better, worse) = self.winner(pair)?;
                let (better, worse, by) = (&self.models[better], &self.models[worse], points(pair.paired.difference().abs()));
                Some(format!("{better} is better than {worse} on {} by {by} points", rows.values.join(" ")))
            })
            .collect();
        match (told.is_empty(), differing.len() > TOLD) {
            (true, _) => format!("{head}."),
            (false, false) => format!("{head}: {}.", listed(&told)),
            (false, true) => format!("{head}, among others {}.", listed(&told)),
        }
    }

    /// The number of examples that lack one of the tags.
    fn untagged(&self, by: &ComparisonsByTag) -> Option<String> {
        let without = by.groups.iter().filter(|group| group.values.iter().any(|value| value == NO_VALUE));
        let count: usize = without.map(|group| group.rows).sum();
        let have = if count == 1 { "has" } else { "have" };
        (count > 0).then(|| format!("{} of {} {have} no {} (group {NO_VALUE}).", grouped(count), self.examples(), by.tags.join(" or ")))
    }

    fn method(&self) -> String {
        let test = match self.overall.clusters == self.overall.rows {
            true => "Exact McNemar test",
            false => "Exact sign-flip test over clusters",
        };
        let adjusted = match self.overall.pairs.len() {
            1 => "one test, so its p value is not adjusted".to_string(),
            tests => format!("p values are adjusted for {tests} comparisons (Tarone-Holm)"),
        };
        format!(
            "n = {}. Difference: accuracy of the first model minus that of the second. {test}, Tango intervals; {adjusted}. {}",
            grouped(self.overall.rows),
            self.generalisation.sentence()
        )
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
                Some(_) if self.ranking.tied.contains(&model) => "not significant",
                Some(_) => "worse",
            };
            vec![
                Cell::text(&self.models[model]),
                Cell::clustered(&accuracy.clustered),
                against.map_or(Cell::Empty {}, |other| in_points(other.behind)),
                against.map_or(Cell::Empty {}, |other| p_cell(other.adjusted_p)),
                Cell::text(standing),
            ]
        });
        let table = Table::keyed(&["model"], &["accuracy", "behind the best (points)", "p (Holm)", "vs. the best"], rows.collect());
        ReportBlock::Table(if self.models.len() > 2 { table.titled("Leaderboard") } else { table })
    }

    fn overall_table(&self) -> ReportBlock {
        let rows = self.overall.pairs.iter().map(|pair| self.models_of(pair).into_iter().chain(self.test_cells(pair)).collect()).collect();
        let table = Table::keyed(&["models"], &TEST_COLUMNS, rows);
        ReportBlock::Table(if self.models.len() > 2 { table.titled("Pairs of models") } else { table })
    }

    /// What the tests are based on: counts, unadjusted p values and power.
    fn counts(&self) -> Section {
        let of_pair = |pair: &PairComparison| self.models_of(pair).into_iter().chain(count_cells(pair)).collect::<Vec<Cell>>();
        let overall = self.overall.pairs.iter().map(of_pair).collect();
        let mut blocks = vec![ReportBlock::table(&["models"], &COUNT_COLUMNS, overall)];
        for by in &self.groups {
            let keys: Vec<&str> = by.tags.iter().map(String::as_str).chain(["models"]).collect();
            let columns: Vec<&str> = ["clusters"].into_iter().chain(COUNT_COLUMNS).collect();
            let row = |group: &GroupComparison, pair: &PairComparison| {
                let mut values = count_cells(pair);
                hide_what_says_little(&pair.paired, &COUNT_COLUMNS, &mut values);
                let clusters = count(group.clusters as u64);
                group.values.iter().map(Cell::text).chain(self.models_of(pair)).chain([clusters]).chain(values).collect()
            };
            let rows = by.groups.iter().flat_map(|group| group.pairs.iter().map(move |pair| row(group, pair))).collect();
            blocks.push(ReportBlock::Table(Table::keyed(&keys, &columns, rows).titled(format!("By {}", listed(&by.tags)))));
        }
        let caption = "For each pair of models: examples that only one of them predicts correctly, clusters in which one is ahead, unadjusted p values, p values adjusted by \
                       the Benjamini-Hochberg method (exploratory), and the minimum detectable difference in points.";
        Section::new(SectionId::ComparisonCounts, "Counts and power", Vec::new(), blocks).captioned([caption.to_string()])
    }

    /// The accuracy of each model in each group.
    fn group_accuracies(&self, by: &ComparisonsByTag) -> ReportBlock {
        let keys: Vec<&str> = by.tags.iter().map(String::as_str).collect();
        let columns: Vec<&str> = ["n"].into_iter().chain(self.models.iter().map(String::as_str)).collect();
        let row = |group: &GroupComparison| {
            let accuracies = group.accuracies.iter().map(|accuracy| Cell::of_group(&accuracy.clustered));
            group.values.iter().map(Cell::text).chain([count(group.rows as u64)]).chain(accuracies).collect()
        };
        ReportBlock::Table(Table::keyed(&keys, &columns, by.groups.iter().map(row).collect()).titled("Accuracy"))
    }

    fn group_table(&self, by: &ComparisonsByTag) -> ReportBlock {
        let keys: Vec<&str> = by.tags.iter().map(String::as_str).chain(["models"]).collect();
        let columns: Vec<&str> = TEST_COLUMNS.into_iter().chain(["n"]).collect();
        let mut rows = Vec::new();
        for group in &by.groups {
            for pair in &group.pairs {
                let mut values = self.test_cells(pair);
                hide_what_says_little(&pair.paired, &TEST_COLUMNS, &mut values);
                let names = group.values.iter().map(Cell::text).chain(self.models_of(pair));
                rows.push(names.chain(values).chain([count(group.rows as u64)]).collect());
            }
        }
        ReportBlock::Table(Table::keyed(&keys, &columns, rows).titled("Differences"))
    }

    fn models_of(&self, pair: &PairComparison) -> [Cell; 1] {
        [Cell::text(format!("{} vs. {}", self.models[pair.first], self.models[pair.second]))]
    }

    fn test_cells(&self, pair: &PairComparison) -> [Cell; 3] {
        let result = match self.winner(pair) {
            Some((better, worse)) => format!("{} better than {}", self.models[better], self.models[worse]),
            None => "not significant".to_string(),
        };
        [pair.paired.cell(pair.holm_p), p_cell(pair.holm_p), Cell::text(result)]
    }
}

/// Results of the tests.
const TEST_COLUMNS: [&str; 3] = ["difference (points)", "p (Holm)", "result"];

/// What the tests are based on.
const COUNT_COLUMNS: [&str; 6] =
    ["only first correct", "only second correct", "differing clusters", "p", "p (BH)", "minimum detectable difference (80 % power)"];

fn count_cells(pair: &PairComparison) -> [Cell; 6] {
    let paired = &pair.paired;
    [
        count(paired.counts.first_only),
        count(paired.counts.second_only),
        count(paired.differing_clusters as u64),
        p_cell(paired.p),
        p_cell(pair.benjamini_hochberg_p),
        match paired.minimum_detectable {
            Some(least) => in_points(least),
            None if paired.counts.discordant() == 0 => Cell::text("not estimable"),
            None => Cell::text("none"),
        },
    ]
}

/// In small groups: no p value if few clusters differ, and only counts if there are few clusters.
fn hide_what_says_little(paired: &Paired, columns: &[&str], cells: &mut [Cell]) {
    let hidden = columns.iter().map(|column| match *column {
        "p" | "p (Holm)" | "p (BH)" => !paired.has_p_in_groups(),
        "difference (points)" | "result" | "minimum detectable difference (80 % power)" => paired.equal_clusters < SMALL_GROUP,
        _ => false,
    });
    cells.iter_mut().zip(hidden).filter(|(_, hidden)| *hidden).for_each(|(cell, _)| *cell = Cell::Empty {});
}

/// The interval of the difference, as the better model minus the worse one.
fn toward(model: usize, pair: &PairComparison) -> String {
    if model == pair.first { pair.paired.bracket() } else { pair.paired.mirrored_bracket() }
}
