//! The picture at the top of the page: one coloured cell per model and set, group or pair of models, read from the measurements.

use super::Page;
use super::charts::step;
use super::escape::{breakable, escaped};
use super::facets::{RIGHT, SET};
use super::scale::ShareScale;
use crate::measurement::{Against, Measurement, Metric};
use crate::report::FEWEST_EXAMPLES;
use crate::report::{SectionId, significance_mark};

/// The maximum number of rows of a picture.
const MOST_ROWS: usize = 40;
/// With more models than this, pairs of models are shown as a square, not as columns.
const MOST_BESIDE: usize = 3;
/// Drops and differences are coloured up to this many points, or up to the largest if that is more.
const LEAST_RANGE: f64 = 20.0;

/// One cell: its text and its colour.
#[derive(Default)]
struct HeatCell {
    figure: String,
    detail: String,
    shade: String,
    address: Option<String>,
}

/// A row of cells, with the heading above it if it begins a group.
struct HeatRow {
    heading: Option<&'static str>,
    name: String,
    cells: Vec<HeatCell>,
}

struct HeatMap {
    caption: String,
    corner: &'static str,
    columns: Vec<String>,
    rows: Vec<HeatRow>,
}

impl Page<'_> {
    /// The picture, if the report has one.
    pub(super) fn overview(&self) -> String {
        let has = |metric: Metric| self.report.measured().any(|one| one.metric == metric && one.against.is_some());
        let map = if has(Metric::Drop) {
            self.drops()
        } else if has(Metric::Difference) {
            self.differences()
        } else {
            self.groups()
        };
        map.filter(|map| (1..=MOST_ROWS).contains(&map.rows.len())).map(|map| map.html()).unwrap_or_default()
    }

    fn own(&self) -> impl Iterator<Item = &Measurement> {
        self.report.measured().filter(|one| !one.model.is_empty() && one.holds_for.is_none())
    }

    fn accuracies(&self) -> impl Iterator<Item = &Measurement> {
        self.own().filter(|one| one.metric == Metric::Accuracy && one.against.is_none())
    }

    /// Every model on every set, coloured by the drop; sets without a drop are coloured by accuracy.
    fn drops(&self) -> Option<HeatMap> {
        let whole = || self.accuracies().filter(|one| one.group.is_empty());
        let (models, sets) = (distinct(whole().map(|one| one.model.as_str())), distinct(whole().map(|one| one.set.name.as_str())));
        let drops: Vec<&Measurement> = self.own().filter(|one| one.metric == Metric::Drop && one.against.is_some()).collect();
        let range = range_of(&drops);
        let original = drops.iter().find_map(|one| match &one.against {
            Some(Against::Set(set)) => Some(set.name.as_str()),
            _ => None,
        })?;
        let is_perturbed = |set: &str| drops.iter().any(|one| one.set.name == set);
        let of = |set: &str, heading: Option<&'static str>| {
            let cell = |model: &&str| {
                let Some(accuracy) = whole().find(|one| one.model == **model && one.set.name == set) else { return HeatCell::default() };
                let drop = drops.iter().find(|one| one.model == **model && one.set.name == set);
                let few = accuracy.counts.filter(|_| is_small(accuracy));
                HeatCell {
                    figure: few.map_or_else(|| share(accuracy.value), |counts| format!("{} of {}", counts.count, counts.total)),
                    detail: drop.map(|drop| points(-drop.value, drop.p)).unwrap_or_default(),
                    shade: match drop {
                        _ if few.is_some() => "few".to_string(),
                        Some(drop) => shade_of(-drop.value, range),
                        None if set == original || is_perturbed(set) => String::new(),
                        None => format!("h{}", step(accuracy.value)),
                    },
                    address: self.facets.address(Some(model), &[(SET, set), (RIGHT, "wrong")]),
                }
            };
            HeatRow { heading, name: set.to_string(), cells: models.iter().map(cell).collect() }
        };
        let mut rows = vec![of(original, None)];
        let perturbed = sets.iter().filter(|set| is_perturbed(set));
        rows.extend(perturbed.enumerate().map(|(place, set)| of(set, (place == 0).then_some("Perturbed: coloured by drop"))));
        // Sums over several sets are not sets of the page.
        let is_shown = |set: &str| self.facets.examples == 0 || self.facets.has(SET, set);
        let others = sets.iter().filter(|set| !is_perturbed(set) && **set != original && is_shown(set));
        rows.extend(others.enumerate().map(|(place, set)| of(set, (place == 0).then_some("Other sets: coloured by accuracy"))));
        let caption = format!(
            "Accuracy in %, and the change in points from <b>{}</b>. {} {}",
            escaped(original),
            self.prose(MARKS, None),
            legend(&[&format!("−{range:.0} points"), "no change", &format!("+{range:.0}")])
        );
        Some(HeatMap { caption, corner: "set", columns: models.into_iter().map(str::to_string).collect(), rows })
    }

    /// The accuracies of all models and the differences between them, for all examples and by the groups of the first breakdown.
    fn differences(&self) -> Option<HeatMap> {
        let all: Vec<&Measurement> = self.own().filter(|one| one.metric == Metric::Difference && one.against.is_some()).collect();
        let models = distinct(self.accuracies().map(|one| one.model.as_str()));
        let range = range_of(&all);
        let caption = |what: &str| {
            let legend = legend(&[&format!("−{range:.0} points"), "equal", &format!("+{range:.0}")]);
            format!("{what} {} {legend}", self.prose(MARKS, None))
        };
        let whole = |one: &&&Measurement| one.group.is_empty();
        let accuracy_of = |model: &str, group: &[(String, String)]| {
            let found = self.accuracies().find(|one| one.model == model && one.group == group);
            found.map_or_else(HeatCell::default, |one| self.accuracy_cell(one))
        };
        if models.len() > MOST_BESIDE {
            let seconds: Vec<&str> = models.iter().copied().filter(|model| all.iter().any(|one| is_against(one, model))).collect();
            let row = |first: &&str| {
                let pair = |second: &&str| {
                    let found = all.iter().filter(whole).find(|one| one.model == **first && is_against(one, second));
                    found.map_or_else(HeatCell::default, |one| difference_cell(one, range))
                };
                let cells = std::iter::once(accuracy_of(first, &[])).chain(seconds.iter().map(pair)).collect();
                HeatRow { heading: None, name: first.to_string(), cells }
            };
            let columns = std::iter::once("accuracy".to_string()).chain(seconds.iter().map(|model| format!("vs. {model}"))).collect();
            let caption = caption("Accuracy in %, and the difference in points: row minus column.");
            return Some(HeatMap { caption, corner: "model", columns, rows: models.iter().map(row).collect() });
        }
        let pairs: Vec<(&str, &str)> = distinct(all.iter().filter_map(|one| match &one.against {
            Some(Against::Model(other)) => Some((one.model.as_str(), other.as_str())),
            _ => None,
        }));
        let tags = self.first_breakdown();
        let mut groups = distinct(all.iter().map(|one| &one.group[..]).filter(|group| group.is_empty() || has_tags(group, &tags)));
        groups.sort_by_key(|group| !group.is_empty());
        let row = |group: &&[(String, String)]| {
            let pair = |(first, second): &(&str, &str)| {
                let found = all.iter().find(|one| one.model == *first && is_against(one, second) && one.group == **group);
                found.map_or_else(HeatCell::default, |one| difference_cell(one, range))
            };
            let cells = models.iter().map(|model| accuracy_of(model, group)).chain(pairs.iter().map(pair)).collect();
            HeatRow { heading: None, name: if group.is_empty() { "all examples".to_string() } else { values(group) }, cells }
        };
        let columns = models.iter().map(|model| model.to_string());
        let columns = columns.chain(pairs.iter().map(|(first, second)| format!("{first} − {second}"))).collect();
        let rows = groups.iter().map(row).collect();
        Some(HeatMap { caption: caption("Accuracy in %, and differences in points."), corner: "examples", columns, rows })
    }

    /// Accuracy by the groups of the first breakdown.
    fn groups(&self) -> Option<HeatMap> {
        let tags = self.first_breakdown();
        let grouped = || self.accuracies().filter(|one| has_tags(&one.group, &tags));
        let models = distinct(grouped().map(|one| one.model.as_str()));
        let groups = distinct(grouped().map(|one| &one.group[..]));
        if tags.is_empty() || groups.len() < 2 {
            return None;
        }
        let scale = ShareScale::of_shares(grouped().filter(|one| !is_small(one)).map(|one| one.value));
        let shade =
            |one: &Measurement| if is_small(one) { "few".to_string() } else { format!("h{}", step(scale.place(one.value) / 100.0)) };
        let row = |group: &&[(String, String)]| {
            let cell = |model: &&str| {
                let found = grouped().find(|one| one.model == **model && one.group == **group);
                found.map_or_else(HeatCell::default, |one| HeatCell { shade: shade(one), ..self.accuracy_cell(one) })
            };
            HeatRow { heading: None, name: values(group), cells: models.iter().map(cell).collect() }
        };
        let [low, high] = scale.ends();
        let caption = format!(
            "Accuracy in % by {}, with the number of examples. {}",
            escaped(&tags.join(" and ")),
            legend(&[&low, "the middle", &high])
        );
        let rows = groups.iter().map(row).collect();
        Some(HeatMap { caption, corner: "group", columns: models.into_iter().map(str::to_string).collect(), rows })
    }

    fn accuracy_cell(&self, one: &Measurement) -> HeatCell {
        let counts = one.counts;
        let filters: Vec<(&str, &str)> = one.group.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let filters: Vec<(&str, &str)> = filters.into_iter().chain([(RIGHT, "wrong")]).collect();
        HeatCell {
            figure: share(one.value),
            detail: counts.map(|counts| format!("n = {}", acidtest_nli::grouped(counts.total))).unwrap_or_default(),
            shade: if is_small(one) { "few".to_string() } else { format!("h{}", step(one.value)) },
            address: self.facets.address(Some(&one.model), &filters),
        }
    }

    /// The tags of the first breakdown; none without one.
    fn first_breakdown(&self) -> Vec<&str> {
        let by = self.report.sections.iter().find_map(|section| match &section.id {
            SectionId::By(tags) | SectionId::ComparisonBy(tags) => Some(tags),
            _ => None,
        });
        by.map(|tags| tags.split(',').collect()).unwrap_or_default()
    }
}

impl HeatMap {
    fn html(&self) -> String {
        let head: String = self.columns.iter().map(|name| format!("<th scope=\"col\">{}</th>", breakable(name))).collect();
        let mut body = String::new();
        for row in &self.rows {
            if let Some(heading) = row.heading {
                body.push_str(&format!(
                    "<tr class=\"heading\"><th scope=\"rowgroup\" colspan=\"{}\">{heading}</th></tr>",
                    self.columns.len() + 1
                ));
            }
            let cells: String = row.cells.iter().map(HeatCell::html).collect();
            body.push_str(&format!("<tr><th scope=\"row\">{}</th>{cells}</tr>", breakable(&row.name)));
        }
        let size = match self.columns.len() {
            0..=2 => "",
            3..=4 => " several",
            _ => " wide-map",
        };
        format!(
            "<figure class=\"overview picture{size}\" id=\"overview\"><div class=\"scroll\"><table class=\"heat\">\
             <caption class=\"unseen\">Overview</caption>\
             <thead><tr><th scope=\"col\">{}</th>{head}</tr></thead><tbody>{body}</tbody></table></div>\
             <figcaption>{}</figcaption></figure>",
            self.corner, self.caption
        )
    }
}

impl HeatCell {
    fn html(&self) -> String {
        let detail = if self.detail.is_empty() { String::new() } else { format!(" <small>{}</small>", escaped(&self.detail)) };
        let content = format!("{}{detail}", escaped(&self.figure));
        let content = match &self.address {
            Some(address) => format!("<a href=\"{address}\">{content}</a>"),
            None if self.figure.is_empty() => String::new(),
            None => format!("<span>{content}</span>"),
        };
        format!("<td class=\"{}\">{content}</td>", self.shade)
    }
}

/// The meaning of the marks after drops and differences.
const MARKS: &str = "* p < 0.05, ** p < 0.01, *** p < 0.001 (adjusted p).";

/// The colour scale with labels for both ends and the middle.
fn legend([low, middle, high]: &[&str; 3]) -> String {
    let rect = |step: usize| format!("<rect class=\"h{step}\" x=\"{}\" width=\"12\" height=\"10\"/>", 12 * step);
    let rects: String = (0..=10).map(rect).collect();
    format!(
        "<span class=\"legend\">{low} <svg width=\"132\" height=\"10\" role=\"img\" aria-label=\"{middle} in the middle\">{rects}</svg> {high}</span>"
    )
}

/// Whether the share is based on too few examples to be informative.
fn is_small(one: &Measurement) -> bool {
    one.counts.is_some_and(|counts| counts.total < FEWEST_EXAMPLES)
}

fn difference_cell(one: &Measurement, range: f64) -> HeatCell {
    HeatCell { figure: points(one.value, one.p), shade: shade_of(one.value, range), ..HeatCell::default() }
}

fn share(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

/// A change in points with its sign and the mark of its adjusted p value.
fn points(value: f64, p: Option<f64>) -> String {
    let mark = p.map_or("", significance_mark);
    let text = format!("{:.1}", 100.0 * value.abs());
    let sign = if text == "0.0" {
        ""
    } else if value < 0.0 {
        "−"
    } else {
        "+"
    };
    format!("{sign}{text}{mark}")
}

/// The step on the scale whose middle is no change.
fn shade_of(value: f64, range: f64) -> String {
    format!("h{}", step(0.5 + 0.5 * (100.0 * value / range).clamp(-1.0, 1.0)))
}

/// The largest change in points, rounded up to a multiple of ten.
fn range_of(all: &[&Measurement]) -> f64 {
    let largest = all.iter().map(|one| 100.0 * one.value.abs()).fold(LEAST_RANGE, f64::max);
    (largest / 10.0).ceil() * 10.0
}

fn is_against(one: &Measurement, model: &str) -> bool {
    matches!(&one.against, Some(Against::Model(other)) if other == model)
}

fn has_tags(group: &[(String, String)], tags: &[&str]) -> bool {
    !group.is_empty() && group.iter().map(|(name, _)| name.as_str()).eq(tags.iter().copied())
}

fn values(group: &[(String, String)]) -> String {
    group.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" · ")
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign_and_a_mark() {
        assert_eq!([points(-0.215, Some(0.0004)), points(0.012, Some(0.03)), points(0.0, Some(1.0))], ["−21.5***", "+1.2*", "0.0"]);
    }

    #[test]
    fn no_change_is_in_the_middle_of_the_colours() {
        assert_eq!([shade_of(0.0, 20.0), shade_of(-0.2, 20.0), shade_of(0.5, 20.0)], ["h5", "h0", "h10"]);
    }
}
