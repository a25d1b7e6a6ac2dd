//! A comparison of arms as sentences and tables.

use super::{ArmPair, ArmsOnRows, ArmsResult, Claim, LEAST_SEEDS};
use crate::analysis::wording::{bracket, count, counted, difference_bracket, in_points, listed, p_cell, p_value, points, spread_in_points};
use crate::measurement::{Against, Measurement, Metric, SetId, Subject};
use crate::report::{Cell, ReportBlock, SMALL_GROUP, Section, SectionId};
use crate::statistics::clustered::DifferenceInterval;

impl ArmsResult {
    /// The verdict: each pair of arms, both questions, and what can be claimed.
    pub fn sentences(&self) -> Vec<String> {
        self.overall.pairs.iter().map(|pair| self.about(pair)).collect()
    }

    fn about(&self, pair: &ArmPair) -> String {
        let (first, second) = (&self.arms[pair.first], &self.arms[pair.second]);
        let examples = &pair.new_examples;
        let few = examples.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
        let head = format!(
            "{first} minus {second} is {} points. For these trained models on new examples: {} ({}{few}).",
            points(examples.difference()),
            examples.bracket(),
            p_value(examples.p)
        );
        let seeds = match pair.new_seeds {
            Some(seeds) => format!("For new seeds: {} ({}).", bracket(seeds.interval), p_value(seeds.p)),
            None if pair.fewest_seeds < 2 => "For new seeds: not estimable from one seed.".to_string(),
            None => "For new seeds: not estimable, because all seeds have the same accuracy.".to_string(),
        };
        format!("{head} {seeds} {}", self.claim(pair))
    }

    /// What can be claimed about the two training methods, in one sentence.
    fn claim(&self, pair: &ArmPair) -> String {
        let (first, second) = (&self.arms[pair.first], &self.arms[pair.second]);
        let wider = pair.wider_interval().map(difference_bracket).unwrap_or_default();
        let p = p_value(pair.holm_p);
        match pair.claim(self.testing.plan.alpha) {
            Claim::FirstIsBetter => format!("As a training method, {first} is significantly better than {second}: {wider} ({p})."),
            Claim::SecondIsBetter => format!("As a training method, {second} is significantly better than {first}: {wider} ({p})."),
            Claim::NotSignificant => format!("As training methods, they are not significantly different: {wider} ({p})."),
            Claim::TooFewSeeds => {
                format!(
                    "No claim about the training methods: at least {LEAST_SEEDS} seeds of each are needed, and one has only {}.",
                    pair.fewest_seeds
                )
            }
            Claim::SeedsDoNotDiffer => "No claim about the training methods.".to_string(),
            Claim::OneCluster => "No claim about the training methods: all examples are in one cluster.".to_string(),
        }
    }

    /// One section for all examples and one for each list of tags.
    pub fn sections(&self) -> Vec<Section> {
        let caption = format!(
            "{} \"New seeds\" is Welch's t test over the accuracies of the seeds. The claim about training methods rests on the larger of the two p \
             values, adjusted for all pairs (Tarone-Holm), and on the interval that covers both, which is not adjusted.",
            self.generalisation.sentence()
        );
        let arms = self.arms.iter().zip(&self.overall.arms).map(|(name, arm)| {
            let spread = arm.spread();
            let of = |value: Option<f64>, cell: fn(f64) -> Cell| value.map_or(Cell::Empty {}, cell);
            vec![
                Cell::text(name),
                count(arm.of_seeds.len() as u64),
                Cell::clustered(&arm.pooled),
                of(spread.map(|spread| spread.standard_deviation), spread_in_points),
                of(spread.map(|spread| spread.low), in_points),
                of(spread.map(|spread| spread.high), in_points),
            ]
        });
        let columns = ["seeds", "mean accuracy", "standard deviation", "lowest", "highest"];
        let blocks = vec![
            ReportBlock::table(&["arm"], &columns, arms.collect()),
            ReportBlock::table(&["methods"], &PAIR_COLUMNS, self.overall.pairs.iter().map(|pair| self.cells(pair)).collect()),
        ];
        let mut sections = vec![Section::new(SectionId::Arms, "Training methods", Vec::new(), blocks).captioned([caption])];
        sections.extend(self.groups.iter().map(|(tags, groups)| self.group_section(tags, groups)));
        sections
    }

    fn cells(&self, pair: &ArmPair) -> Vec<Cell> {
        let examples = &pair.new_examples;
        let mut cells = vec![Cell::text(format!("{} vs. {}", self.arms[pair.first], self.arms[pair.second]))];
        cells.extend([untested(examples.cell(examples.p)), p_cell(examples.p)]);
        match pair.new_seeds {
            Some(seeds) => {
                let interval = DifferenceInterval { interval: seeds.interval, is_zero_left_out: false };
                cells.extend([Cell::excess(examples.difference(), interval), p_cell(seeds.p)]);
            }
            None => cells.extend([Cell::text("not estimable"), Cell::Empty {}]),
        }
        let is_claimed = !matches!(pair.claim(self.testing.plan.alpha), Claim::TooFewSeeds | Claim::SeedsDoNotDiffer | Claim::OneCluster);
        match pair.wider_interval().filter(|_| is_claimed) {
            Some(wider) => cells.extend([Cell::difference(examples.difference(), wider, pair.holm_p), p_cell(pair.holm_p)]),
            None => cells.extend([Cell::text("no claim"), Cell::Empty {}]),
        }
        cells
    }

    fn group_section(&self, tags: &[String], groups: &[ArmsOnRows]) -> Section {
        let keys: Vec<&str> = tags.iter().map(String::as_str).chain(["methods"]).collect();
        let columns: Vec<&str> = ["n", "clusters"].into_iter().chain(PAIR_COLUMNS).collect();
        let mut rows = Vec::new();
        for group in groups {
            for pair in &group.pairs {
                let mut names = self.cells(pair);
                let mut values = names.split_off(1);
                // There is no p value if few clusters differ, and only counts if there are few clusters.
                for (cell, column) in values.iter_mut().zip(PAIR_COLUMNS) {
                    let is_p = column.contains(" p");
                    if pair.new_examples.equal_clusters < SMALL_GROUP || (is_p && !pair.new_examples.has_p_in_groups()) {
                        *cell = Cell::Empty {};
                    }
                }
                let counts = [count(group.rows as u64), count(pair.new_examples.clusters as u64)];
                rows.push(group.values.iter().map(Cell::text).chain(names).chain(counts).chain(values).collect());
            }
        }
        let caption = [
            self.generalisation.sentence_of_sets(),
            "p values of claims are adjusted for all tests in this table; intervals are not. A p value is given where at least 6 clusters \
             differ; groups with fewer than 10 effective clusters show counts only."
                .to_string(),
        ];
        let (id, title) = (SectionId::ComparisonBy(tags.join(",")), format!("Training methods by {}", listed(tags)));
        Section::new(id, title, Vec::new(), vec![ReportBlock::table(&keys, &columns, rows)]).captioned(caption)
    }

    /// Every arm's pooled accuracy, every seed's accuracy, and every difference, on all examples and in each group.
    pub fn measurements(&self, set: &SetId) -> Vec<Measurement> {
        let mut all = self.measured(set, &self.overall, &[]);
        for (tags, groups) in &self.groups {
            all.extend(groups.iter().flat_map(|rows| self.measured(set, rows, tags)));
        }
        all
    }

    fn measured(&self, set: &SetId, rows: &ArmsOnRows, tags: &[String]) -> Vec<Measurement> {
        let subject = |arm: usize| Subject { model: &self.arms[arm], set, scoring: Some(self.scoring) };
        let mut found: Vec<Measurement> = Vec::new();
        for (place, arm) in rows.arms.iter().enumerate() {
            found.extend(subject(place).clustered(Metric::Accuracy, &arm.pooled));
            for (seed, accuracy) in self.seeds[place].iter().zip(&arm.of_seeds) {
                found.push(Subject { model: seed, set, scoring: Some(self.scoring) }.number(Metric::Accuracy, *accuracy));
            }
        }
        for pair in &rows.pairs {
            let number = subject(pair.first).number(Metric::Difference, pair.new_examples.difference());
            let against = Some(Against::Model(self.arms[pair.second].clone()));
            let tested = match pair.wider_interval() {
                Some(wider) => number.within_difference(wider).tested(pair.holm_p),
                None => pair.new_examples.measured(number, pair.holm_p),
            };
            found.push(Measurement { against, ..tested });
        }
        found.into_iter().map(|one| one.of_group(tags.iter().map(String::as_str), &rows.values)).collect()
    }

    /// The title of the report.
    pub fn title(&self) -> String {
        let arms = self.arms.iter().zip(&self.seeds).map(|(name, seeds)| format!("{name} ({})", counted(seeds.len(), "seed")));
        format!("Comparison of {}", arms.collect::<Vec<_>>().join(", "))
    }
}

/// A difference without a significance mark: its p value is not adjusted.
fn untested(cell: Cell) -> Cell {
    match cell {
        Cell::Difference { points, interval, mark, .. } => Cell::Difference { points, interval, p: None, mark },
        other => other,
    }
}

const PAIR_COLUMNS: [&str; 6] =
    ["new examples (points)", "new examples p", "new seeds (points)", "new seeds p", "claim (points)", "claim p (Holm)"];
