//! Sections and their blocks as HTML.

use super::charts::{Tile, bars, heat_column, interval_bar, step};
use super::curve::curve;
use super::escape::{breakable, escaped};
use super::facets::Facets;
use super::measured::Measured;
use crate::measurement::{Measurement, Metric};
use crate::report::layout::percent;
use crate::report::{Alignment, Cell, CrossTable, Report, ReportBlock, Section, SectionId, Table};

/// What a page is made from.
pub(super) struct Page<'a> {
    pub report: &'a Report,
    pub measured: Measured<'a>,
    pub facets: &'a Facets,
}

/// With fewer rows than this the eye needs no heat map.
const LEAST_TILES: usize = 8;
/// With more rows than this a heat map is as long as its table.
const MOST_TILES: usize = 150;
/// So many columns of a heat map fit beside each other.
const COLUMNS_BESIDE: usize = 3;
/// With more rates than this in a row there is no room for bars beside the numbers: they go below.
const BARS_BESIDE: usize = 2;

impl Page<'_> {
    pub(super) fn section(&self, section: &Section, anchor: &str) -> String {
        let title = escaped(&section.title);
        let notes: String = section.notes.iter().map(|note| format!("<p class=\"note\">{}</p>", escaped(note))).collect();
        let blocks: String = section.blocks.iter().map(|block| self.block(section, block, &title)).collect();
        format!(
            "<section id=\"{anchor}\" aria-labelledby=\"{anchor}-title\"><h2 id=\"{anchor}-title\">{title}</h2>{notes}{blocks}</section>"
        )
    }

    /// The scores of one model on one set, in large letters.
    pub(super) fn figures(&self) -> String {
        let is_scored = self.report.sections.iter().any(|section| section.id == SectionId::Overall);
        let measured: Vec<&Measurement> = self.report.measurements.iter().filter(|one| !one.model.is_empty()).collect();
        let Some(first) = measured.first().filter(|_| is_scored) else { return String::new() };
        if measured.iter().any(|one| one.model != first.model || one.set != first.set) {
            return String::new();
        }
        let mut cells = Vec::new();
        let is_score = |one: &&&Measurement| matches!(one.metric, Metric::Accuracy | Metric::MacroF1);
        for one in measured.iter().filter(|one| one.group.is_empty() && one.against.is_none() && one.holds_for.is_none()).filter(is_score) {
            match (one.counts, one.interval) {
                (Some(counts), Some(interval)) => {
                    cells.push(("examples", Cell::Count { count: counts.total }));
                    cells.push((one.metric.title(), Cell::rate_within(counts, interval)));
                }
                _ => cells.push((one.metric.title(), Cell::number(Some(one.value), 3))),
            }
        }
        let mut figures = String::new();
        for (name, cell) in &cells {
            let written = cell.written();
            let bar = match cell {
                Cell::Rate { count, total, low, high, .. } => interval_bar(*count as f64 / *total as f64, *low, *high),
                _ => String::new(),
            };
            figures.push_str(&format!(
                "<div><dt>{}</dt><dd>{}<span class=\"interval\">{}</span>{bar}</dd></div>",
                escaped(name),
                escaped(&written.head),
                escaped(&written.tail),
            ));
        }
        format!("<dl class=\"figures\">{figures}</dl>")
    }

    fn block(&self, section: &Section, block: &ReportBlock, title: &str) -> String {
        match block {
            ReportBlock::Text(text) => format!("<p class=\"finding\">{}</p>", escaped(&text.text)),
            ReportBlock::Table(table) => {
                let table = self.measured.table(section, table);
                self.heat_map(&table, title) + &self.table(&table, title)
            }
            ReportBlock::Bars(chart) => bars(chart),
            ReportBlock::Curve(chart) => curve(chart),
            ReportBlock::Matrix(matrix) => self.matrix(matrix, title),
        }
    }

    /// The first rate of every row as a coloured tile; rows that share all names but the last stand together.
    fn heat_map(&self, table: &Table, title: &str) -> String {
        let rates = |row: &Vec<Cell>| row.iter().position(|cell| matches!(cell, Cell::Rate { .. }));
        let Some(column) = table.rows.iter().find_map(rates) else { return String::new() };
        if !(LEAST_TILES..=MOST_TILES).contains(&table.rows.len()) || table.key_columns == 0 {
            return String::new();
        }
        let mut groups: Vec<(String, Vec<Tile>)> = Vec::new();
        for row in &table.rows {
            let Some((names, Cell::Rate { count, total, .. })) = row.get(..table.key_columns).zip(row.get(column)) else { continue };
            let names: Vec<&str> = names.iter().map(words).collect();
            let Some((label, group)) = names.split_last() else { continue };
            let tile = Tile { label, share: *count as f64 / *total as f64, address: self.address(table, row) };
            let group = group.join(" · ");
            match groups.last_mut() {
                Some((last, tiles)) if *last == group => tiles.push(tile),
                _ => groups.push((group, vec![tile])),
            }
        }
        let beside = COLUMNS_BESIDE.div_ceil(groups.len().max(1));
        let columns: String = groups.iter().flat_map(|(group, tiles)| columns_of(group, tiles, beside)).collect();
        let measure = escaped(&table.columns[column].name);
        format!(
            "<figure class=\"heatmap\" role=\"group\" aria-label=\"Heat map of {title}, the same numbers as in the table below\">\
             <figcaption>{measure}{LEGEND}</figcaption><div class=\"columns\">{columns}</div></figure>"
        )
    }

    fn table(&self, table: &Table, title: &str) -> String {
        let is_rate = |at: &usize| table.rows.iter().any(|row| matches!(row.get(*at), Some(Cell::Rate { .. })));
        let rates = (0..table.columns.len()).filter(is_rate).count();
        let layout = if rates > BARS_BESIDE { "stacked" } else { "beside" };
        let mut head = String::new();
        for (at, column) in table.columns.iter().enumerate() {
            let class = match column.alignment {
                _ if is_rate(&at) => "rates",
                Alignment::Left => "words",
                Alignment::Right => "numbers",
            };
            head.push_str(&format!("<th scope=\"col\" class=\"{class}\">{}</th>", escaped(&column.name)));
        }
        let rows: String = table.rows.iter().map(|row| self.row(table, row)).collect();
        format!(
            "<div class=\"scroll\"><table class=\"{layout}\"><caption class=\"unseen\">{title}</caption>\
             <thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )
    }

    fn row(&self, table: &Table, row: &[Cell]) -> String {
        let address = self.address(table, row);
        let mut cells = String::new();
        for (at, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
            let written = cell.written();
            let head = escaped(&written.head);
            cells.push_str(&match cell {
                _ if at < table.key_columns => {
                    let last = at + 1 == table.key_columns;
                    let name = breakable(&written.head);
                    let name = match &address {
                        Some(address) if last => format!("<a href=\"{address}\">{name}</a>"),
                        _ => name,
                    };
                    format!("<th scope=\"row\">{name}</th>")
                }
                Cell::Rate { count, total, low, high, .. } => {
                    let share = *count as f64 / *total as f64;
                    let bar = if cell.has_interval() { interval_bar(share, *low, *high) } else { String::new() };
                    format!(
                        "<td class=\"rates\" data-value=\"{share}\"><div><span>{head}</span><span class=\"interval\">{}</span>{bar}</div></td>",
                        written.tail.trim()
                    )
                }
                Cell::Count { count } => format!("<td class=\"numbers\" data-value=\"{count}\">{head}</td>"),
                Cell::Number { value, .. } | Cell::P { value, .. } => format!("<td class=\"numbers\" data-value=\"{value}\">{head}</td>"),
                Cell::Empty {} => "<td class=\"numbers\"><span aria-label=\"none\">–</span></td>".to_string(),
                _ if column.alignment == Alignment::Right => format!("<td class=\"numbers\">{head}</td>"),
                _ => format!("<td>{head}</td>"),
            });
        }
        format!("<tr>{cells}</tr>")
    }

    /// The rows of the browser that a row of a table counts, where its names are all filters.
    fn address(&self, table: &Table, row: &[Cell]) -> Option<String> {
        let keys = table.columns.iter().zip(row).take(table.key_columns);
        self.facets.address(&keys.map(|(column, cell)| (column.name.as_str(), words(cell))).collect::<Vec<_>>())
    }

    fn matrix(&self, matrix: &CrossTable, title: &str) -> String {
        // Where rows and columns are the same things, the cells where both agree are told from those where they do not.
        let square = !matrix.row_names.is_empty() && matrix.column_names.starts_with(&matrix.row_names);
        let names: String = matrix.column_names.iter().map(|name| format!("<th scope=\"col\">{}</th>", escaped(name))).collect();
        let mut rows = String::new();
        for (at, (name, cells)) in matrix.row_names.iter().zip(&matrix.cells).enumerate() {
            let sum: u64 = cells.iter().filter_map(count).sum();
            rows.push_str(&format!("<tr><th scope=\"row\">{}</th>", escaped(name)));
            for (column, cell) in cells.iter().enumerate() {
                let shade = match cell {
                    Cell::Rate { count, total, .. } => format!("h{}", step(*count as f64 / *total as f64)),
                    Cell::Count { count } => {
                        let scale = if !square {
                            "s"
                        } else if at == column {
                            "y"
                        } else {
                            "n"
                        };
                        format!("{scale}{}", step(*count as f64 / sum.max(1) as f64))
                    }
                    _ => String::new(),
                };
                let written = cell.written();
                let below = match cell {
                    Cell::Count { count } if sum > 0 => format!("{:.1} %", percent(*count, sum)),
                    _ => escaped(written.tail.trim()),
                };
                let head = escaped(&written.head);
                let column_name = matrix.column_names.get(column).map_or("", String::as_str);
                let head = match self.facets.address(&[(&matrix.row_title, name), (&matrix.column_title, column_name)]) {
                    Some(address) => format!("<a href=\"{address}\">{head}</a>"),
                    None => head,
                };
                rows.push_str(&format!("<td class=\"{shade}\">{head}<small>{below}</small></td>"));
            }
            rows.push_str("</tr>");
        }
        format!(
            "<div class=\"scroll\"><table class=\"matrix\"><caption class=\"unseen\">{title}</caption><thead>\
             <tr><td></td><th scope=\"colgroup\" colspan=\"{}\" class=\"axis-title\">{}</th></tr>\
             <tr><th class=\"axis-title\" scope=\"col\">{}</th>{names}</tr></thead><tbody>{rows}</tbody></table></div>",
            matrix.column_names.len().max(1),
            escaped(&matrix.column_title),
            escaped(&matrix.row_title),
        )
    }
}

/// The colours of the heat map from 0 to 100 %.
const LEGEND: &str = "<span class=\"legend\" aria-hidden=\"true\">0 <svg width=\"110\" height=\"10\">\
    <rect class=\"h0\" x=\"0\" width=\"10\" height=\"10\"/><rect class=\"h1\" x=\"10\" width=\"10\" height=\"10\"/>\
    <rect class=\"h2\" x=\"20\" width=\"10\" height=\"10\"/><rect class=\"h3\" x=\"30\" width=\"10\" height=\"10\"/>\
    <rect class=\"h4\" x=\"40\" width=\"10\" height=\"10\"/><rect class=\"h5\" x=\"50\" width=\"10\" height=\"10\"/>\
    <rect class=\"h6\" x=\"60\" width=\"10\" height=\"10\"/><rect class=\"h7\" x=\"70\" width=\"10\" height=\"10\"/>\
    <rect class=\"h8\" x=\"80\" width=\"10\" height=\"10\"/><rect class=\"h9\" x=\"90\" width=\"10\" height=\"10\"/>\
    <rect class=\"h10\" x=\"100\" width=\"10\" height=\"10\"/></svg> 100 %</span>";

/// A group is set in so many columns, but in no shorter ones than the eye can take in at once, and a long one in more.
fn columns_of(group: &str, tiles: &[Tile], columns: usize) -> Vec<String> {
    let length = tiles.len().div_ceil(columns).clamp(5, 14);
    tiles.chunks(length).map(|tiles| heat_column(group, tiles)).collect()
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
