//! A comparison in words and tables.

use super::{ComparisonResult, ComparisonsByTag, GroupComparison, OverTemplates, PairComparison};
use crate::analysis::paired::Paired;
use crate::analysis::wording::{clustered_share, count, counted, grouped, in_points, listed, p_cell, p_value, points};
use crate::report::{Cell, PForm, ReportBlock, SMALL_GROUP, Section, SectionId};
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
        sections.extend(self.over_templates.as_deref().map(|pairs| self.new_templates(pairs)));
        sections.extend(self.groups.iter().map(|by| {
            let title = format!("Comparison by {}", listed(&by.tags));
            let tests = counted(by.groups.iter().map(|rows| rows.pairs.len()).sum(), "test");
            let notes = vec![
                self.generalisation.sentence_of_sets(),
                format!(
                    "p values are corrected over the {tests} of this table by Holm's method after Tarone's, intervals are not. A p value is given where \
                     at least 6 clusters differ; those of Benjamini and Hochberg are for exploring. Groups of fewer than 10 clusters (as if all \
                     were of one size) show counts alone."
                ),
            ];
            Section::new(SectionId::ComparisonBy(by.tags.join(",")), title, notes, vec![self.group_table(by)])
        }));
        sections
    }

    /// The pairs with templates as clusters.
    fn new_templates(&self, pairs: &[OverTemplates]) -> Section {
        let rows = self.overall.pairs.iter().zip(pairs).map(|(pair, OverTemplates { paired, holm_p })| {
            let names = [pair.first, pair.second].map(|model| Cell::text(&self.models[model]));
            let mut cells = names.to_vec();
            cells.extend([count(paired.clusters as u64), count(paired.differing_clusters as u64), in_points(paired.difference())]);
            match paired.is_one_cluster() {
                true => cells.extend([Cell::text("not estimable"), Cell::text("not estimable"), Cell::Empty {}, Cell::Empty {}]),
                false => {
                    cells.extend(paired.end_cells());
                    cells.extend([Cell::p(paired.p, PForm::Exact), p_cell(*holm_p)]);
                }
            }
            cells
        });
        let columns = ["templates", "templates that differ", "points", "from", "to", "p", "p (Holm)"];
        let mut notes = self.about_new_templates();
        notes.push(
            "Intervals and p values hold for new templates, as pairs of one template are one cluster; the section Comparison is about new \
             sentences of the same templates."
                .to_string(),
        );
        let table = ReportBlock::table(&["first", "second"], &columns, rows.collect());
        Section::new(SectionId::NewTemplates, "New templates", notes, vec![table])
    }

    fn rows(&self) -> String {
        counted(self.overall.rows, "row")
    }

    fn about_the_best(&self) -> String {
        let accuracy = |model: usize| clustered_share(&self.overall.accuracies[model].clustered);
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
        let interval = self.overall.pairs.iter().find(of_both).map(|pair| format!(" {}", toward(best, pair)));
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
            let difference = format!("{} points {}", points(pair.paired.difference()), pair.paired.bracket());
            let p = p_value(pair.holm_p);
            let few = pair.paired.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
            sentences.push(format!(
                "{first} and {second} cannot be told apart on these {}: they differ by {difference} ({p}{few}).",
                self.rows()
            ));
        } else if open > 0 {
            let which = if none { "no pair of models" } else { "no other pair" };
            let tests = counted(self.overall.pairs.len(), "test");
            sentences
                .push(format!("With p values corrected over the {tests} on all rows, {which} can be told apart on these {}.", self.rows()));
        }
        sentences
    }

    /// What the pairs come to as a statement on new templates, not on new sentences of these.
    fn about_new_templates(&self) -> Vec<String> {
        let pairs = self.overall.pairs.iter().zip(self.over_templates.iter().flatten());
        let about = |(pair, OverTemplates { paired, holm_p }): (&PairComparison, &OverTemplates)| {
            let (first, second) = (&self.models[pair.first], &self.models[pair.second]);
            let templates = counted(paired.clusters, "template");
            match paired.is_one_cluster() {
                true => format!("New templates: not estimable for {first} and {second}, as all rows are of one template."),
                false => {
                    let few = paired.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
                    let difference = format!("{} points {}", points(paired.difference()), paired.bracket());
                    let p = p_value(*holm_p);
                    format!("New templates: {first} less {second} is {difference} over {templates} ({p}{few}).")
                }
            }
        };
        pairs.take(TOLD).map(about).collect()
    }

    fn about_pair(&self, pair: &PairComparison) -> Option<String> {
        let (better, worse) = self.winner(pair)?;
        let by = format!("{} points {}", points(pair.paired.difference().abs()), toward(better, pair));
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
        let test = match self.overall.clusters == self.overall.rows {
            true => "Exact McNemar test",
            false => "Exact sign-flip test of the clusters",
        };
        let corrected = match self.overall.pairs.len() {
            1 => "the p value is that of one test and needs no correction".to_string(),
            tests => {
                format!("p values are corrected over the {tests} tests of this table by Holm's method after Tarone's, intervals are not")
            }
        };
        format!("{} {test} and Tango's interval; {corrected}.", self.generalisation.sentence())
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
                Cell::clustered(&accuracy.clustered),
                against.map_or(Cell::Empty {}, |other| in_points(other.behind)),
                against.map_or(Cell::Empty {}, |other| p_cell(other.adjusted_p)),
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
        let columns: Vec<&str> = ["rows", "clusters"].into_iter().chain(PAIR_COLUMNS).collect();
        let mut rows = Vec::new();
        for group in &by.groups {
            for pair in &group.pairs {
                let mut cells: Vec<Cell> = group.values.iter().map(Cell::text).collect();
                let mut of_pair = self.pair_cells(pair);
                let mut values = of_pair.split_off(2);
                hide_what_says_little(&pair.paired, &mut values);
                cells.extend(of_pair);
                cells.extend([count(group.rows as u64), count(group.clusters as u64)]);
                cells.extend(values);
                rows.push(cells);
            }
        }
        ReportBlock::table(&keys, &columns, rows)
    }

    fn pair_cells(&self, pair: &PairComparison) -> Vec<Cell> {
        let paired = &pair.paired;
        let mut cells = vec![Cell::text(&self.models[pair.first]), Cell::text(&self.models[pair.second]), in_points(paired.difference())];
        cells.extend(paired.end_cells());
        cells.extend([count(paired.counts.first_only), count(paired.counts.second_only)]);
        cells.extend([count(paired.differing_clusters as u64), Cell::p(paired.p, PForm::Exact)]);
        cells.extend([p_cell(pair.holm_p), p_cell(pair.benjamini_hochberg_p)]);
        cells.push(match paired.minimum_detectable {
            Some(least) => in_points(least),
            None if paired.counts.discordant() == 0 => Cell::text("not estimable"),
            None => Cell::text("none"),
        });
        cells
    }
}

const PAIR_COLUMNS: [&str; 10] =
    ["points", "from", "to", "only first right", "only second right", "clusters that differ", "p", "p (Holm)", "p (BH)", "visible from"];

/// In one of many groups: where few clusters differ there is no p value, and where there are few of them there are only counts.
fn hide_what_says_little(paired: &Paired, cells: &mut [Cell]) {
    let hidden = PAIR_COLUMNS.iter().map(|column| match *column {
        "p" | "p (Holm)" | "p (BH)" => !paired.has_p_in_groups(),
        "points" | "from" | "to" | "visible from" => paired.equal_clusters < SMALL_GROUP,
        _ => false,
    });
    cells.iter_mut().zip(hidden).filter(|(_, hidden)| *hidden).for_each(|(cell, _)| *cell = Cell::Empty {});
}

/// The interval of the difference as seen from one of the two models.
fn toward(model: usize, pair: &PairComparison) -> String {
    if model == pair.first { pair.paired.bracket() } else { pair.paired.mirrored_bracket() }
}
