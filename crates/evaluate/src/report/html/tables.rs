//! Blocks of a section as HTML: tables with bars beside their shares, matrices, charts, sentences.

use super::Page;
use super::charts::{FEW_NOTE, bars, is_small, step};
use super::curve::{curve, shared_range};
use super::escape::{breakable, escaped};
use super::facets::{GOLD, ORIGINAL_PREDICTION, PREDICTION, RIGHT, SET, is_right_facet};
use super::scale::ShareScale;
use crate::report::layout::percent;
use crate::report::{Alignment, Cell, CrossTable, ReportBlock, Section, SectionId, Table};

/// With more shares than this in a row there is no room for bars beside the numbers: they go below.
const BARS_BESIDE: usize = 2;

impl Page<'_> {
    pub(super) fn block(&self, section: &Section, block: &ReportBlock, title: &str) -> String {
        match block {
            ReportBlock::Text(text) => format!("<p class=\"finding\">{}</p>", self.prose(&text.text, section.model.as_deref())),
            ReportBlock::Table(table) => self.table(section, &self.measured.table(section, table), title),
            ReportBlock::Bars(chart) => bars(chart),
            ReportBlock::Curve(chart) => curve(chart, shared_range(&section.blocks, chart)),
            ReportBlock::Matrix(matrix) => self.matrix(section, matrix, title),
        }
    }

    fn table(&self, section: &Section, table: &Table, title: &str) -> String {
        let is_rate = |at: &usize| table.rows.iter().any(|row| matches!(row.get(*at), Some(Cell::Rate { .. })));
        let rates = (0..table.columns.len()).filter(is_rate).count();
        let layout = if rates > BARS_BESIDE { "stacked" } else { "beside" };
        let scale = ShareScale::of(table.rows.iter().flatten());
        let mut head = String::new();
        for (at, column) in table.columns.iter().enumerate() {
            let name = format!("<span><span class=\"name\">{}</span>{}</span>", escaped(&column.name), self.explained(&column.name));
            head.push_str(&match column.alignment {
                _ if is_rate(&at) => format!("<th scope=\"col\" class=\"rates\"><div>{name}{}</div></th>", scale.axis()),
                Alignment::Left => format!("<th scope=\"col\" class=\"words\">{name}</th>"),
                Alignment::Right => format!("<th scope=\"col\" class=\"numbers\">{name}</th>"),
            });
        }
        let row = |(place, row): (usize, &Vec<Cell>)| {
            let heading = table.group_at(place).map(|name| {
                format!("<tr class=\"heading\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>", table.columns.len(), escaped(name))
            });
            heading.unwrap_or_default() + &self.row(section, table, row, &scale)
        };
        let rows: String = table.rows.iter().enumerate().map(row).collect();
        let few = if table.rows.iter().flatten().any(is_small) { FEW_NOTE } else { "" };
        format!(
            "<div class=\"scroll\"><table class=\"data {layout}\"><caption class=\"unseen\">{title}</caption>\
             <thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{few}"
        )
    }

    fn row(&self, section: &Section, table: &Table, row: &[Cell], scale: &ShareScale) -> String {
        let address = self.address(section, table, row);
        let mut cells = String::new();
        for (at, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
            let written = cell.written();
            let head = escaped(&written.head);
            cells.push_str(&match cell {
                _ if at < table.key_columns => {
                    let name = breakable(&written.head);
                    let name = match &address {
                        Some(address) if at + 1 == table.key_columns => format!("<a href=\"{address}\">{name}</a>"),
                        _ => name,
                    };
                    format!("<th scope=\"row\">{name}</th>")
                }
                Cell::Rate { count, total, low, high, .. } => {
                    let share = *count as f64 / *total as f64;
                    let bar = if cell.has_interval() { scale.interval_bar(share, *low, *high) } else { String::new() };
                    let few = if is_small(cell) { " few" } else { "" };
                    format!(
                        "<td class=\"rates{few}\" data-value=\"{share}\" data-low=\"{low}\" data-high=\"{high}\"><div><span>{head}</span> <span class=\"interval\">{}</span>{bar}</div></td>",
                        escaped(written.tail.trim())
                    )
                }
                Cell::Difference { points, interval, .. } => {
                    let ends = interval.map(|ends| format!(" data-low=\"{}\" data-high=\"{}\"", ends.low, ends.high)).unwrap_or_default();
                    let tail = escaped(written.tail.trim());
                    format!("<td class=\"numbers\" data-value=\"{points}\"{ends}>{head} <span class=\"interval\">{tail}</span></td>")
                }
                Cell::Count { count } => {
                    let head = match self.pair_address(table, row, &column.name).filter(|_| *count > 0) {
                        Some(address) => format!("<a href=\"{address}\">{head}</a>"),
                        None => head,
                    };
                    format!("<td class=\"numbers\" data-value=\"{count}\">{head}</td>")
                }
                Cell::Number { value, .. } | Cell::P { value, .. } => format!("<td class=\"numbers\" data-value=\"{value}\">{head}</td>"),
                Cell::Empty {} => "<td class=\"numbers\">–</td>".to_string(),
                _ if column.alignment == Alignment::Right => format!("<td class=\"numbers\">{head}</td>"),
                _ => format!("<td>{head}</td>"),
            });
        }
        let rates = || row.iter().filter(|cell| matches!(cell, Cell::Rate { .. }));
        let few = if rates().next().is_some() && rates().all(is_small) { super::charts::FEW } else { "" };
        format!("<tr{few}>{cells}</tr>")
    }

    /// The examples that a row of a table counts, if all its names are filters.
    fn address(&self, section: &Section, table: &Table, row: &[Cell]) -> Option<String> {
        let keys = table.columns.iter().zip(row).take(table.key_columns);
        let mut values: Vec<(&str, &str)> = keys.map(|(column, cell)| (column.name.as_str(), words(cell))).collect();
        // The column `challenge` corresponds to the filter for sets.
        if let (SectionId::Perturbed, [(name, _)]) = (&section.id, &mut values[..]) {
            *name = SET;
        }
        // Totals over all values of a tag are not filtered by it.
        values.retain(|(name, value)| *value != "all" || self.facets.has(name, value));
        // Tables of several models in one section are titled with their names.
        let model = section.model.as_deref().or(table.title.as_deref());
        self.facets.address(model, &values)
    }

    /// The examples that only one model of a pair predicts correctly, for the columns that count them.
    fn pair_address(&self, table: &Table, row: &[Cell], column: &str) -> Option<String> {
        let keys = || table.columns.iter().zip(row).take(table.key_columns);
        let pair = keys().find(|(column, _)| column.name == "models").map(|(_, cell)| words(cell))?;
        let models = &self.facets.models;
        let mut pairs = models.iter().flat_map(|first| models.iter().map(move |second| (first, second)));
        let (first, second) = pairs.find(|(first, second)| format!("{first} vs. {second}") == pair)?;
        let (right, wrong) = match column {
            "only first correct" => (first, second),
            "only second correct" => (second, first),
            _ => return None,
        };
        let of_wrong = is_right_facet(wrong);
        let groups = keys().filter(|(column, _)| column.name != "models").map(|(column, cell)| (column.name.as_str(), words(cell)));
        let filters: Vec<(&str, &str)> = [(RIGHT, "right"), (of_wrong.as_str(), "wrong")].into_iter().chain(groups).collect();
        self.facets.address(Some(right), &filters)
    }

    fn matrix(&self, section: &Section, matrix: &CrossTable, title: &str) -> String {
        // If rows and columns have the same names, agreement and disagreement are coloured differently.
        let square = !matrix.row_names.is_empty() && matrix.column_names.starts_with(&matrix.row_names);
        let names: String = matrix.column_names.iter().map(|name| format!("<th scope=\"col\">{}</th>", escaped(name))).collect();
        let mut rows = String::new();
        for (at, (name, cells)) in matrix.row_names.iter().zip(&matrix.cells).enumerate() {
            let sum: u64 = cells.iter().filter_map(count).sum();
            rows.push_str(&format!("<tr><th scope=\"row\">{}</th>", escaped(name)));
            for (column, cell) in cells.iter().enumerate() {
                let shade = match cell {
                    Cell::Rate { count, total, .. } => format!("h{}", step(*count as f64 / *total as f64)),
                    Cell::Count { count } => format!("{}{}", tint(square, at == column), step(*count as f64 / sum.max(1) as f64)),
                    _ => String::new(),
                };
                let written = cell.written();
                let below = match cell {
                    Cell::Count { count } if sum > 0 => format!("{:.1} %", percent(*count, sum)),
                    _ => escaped(written.tail.trim()),
                };
                let head = escaped(&written.head);
                let column_name = matrix.column_names.get(column).map_or("", String::as_str);
                let address = self.matrix_address(section, matrix, (name, column_name));
                let head = match address.filter(|_| count(cell) != Some(0)) {
                    Some(address) => format!("<a href=\"{address}\">{head}</a>"),
                    None => head,
                };
                rows.push_str(&format!("<td class=\"{shade}\">{head} <small>{below}</small></td>"));
            }
            rows.push_str("</tr>");
        }
        format!(
            "<figure class=\"picture\"><div class=\"scroll\"><table class=\"matrix\"><caption class=\"unseen\">{title}</caption><thead>\
             <tr><td></td><th scope=\"colgroup\" colspan=\"{}\" class=\"axis-title\">{}</th></tr>\
             <tr><th class=\"axis-title\" scope=\"col\">{}</th>{names}</tr></thead><tbody>{rows}</tbody></table></div></figure>",
            matrix.column_names.len().max(1),
            escaped(&matrix.column_title),
            escaped(&matrix.row_title),
        )
    }

    fn matrix_address(&self, section: &Section, matrix: &CrossTable, (row, column): (&str, &str)) -> Option<String> {
        let model = section.model.as_deref();
        match &section.id {
            SectionId::Confusion => self.facets.address(model, &[(GOLD, row), (PREDICTION, column)]),
            SectionId::PredictionChanges(set) => {
                self.facets.address(model, &[(SET, set), (ORIGINAL_PREDICTION, row), (PREDICTION, column)])
            }
            _ => self.facets.address(model, &[(&matrix.row_title, row), (&matrix.column_title, column)]),
        }
    }
}

/// The colour of a count: that of agreement, of disagreement, or neither.
fn tint(square: bool, agrees: bool) -> &'static str {
    match (square, agrees) {
        (false, _) => "s",
        (true, true) => "y",
        (true, false) => "n",
    }
}

pub(super) fn words(cell: &Cell) -> &str {
    match cell {
        Cell::Text { text } => text,
        _ => "",
    }
}

fn count(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Count { count } => Some(*count),
        _ => None,
    }
}
