//! Reports as LaTeX tables in the style of `booktabs`, for papers: to be included with `\input`.

mod fit;
mod models;
mod text;

use super::layout::{one_line, provenance_lines};
use super::{Cell, CrossTable, Report, ReportBlock, Section, Table, TableColumn};
use fit::{Fitted, Intervals, fitted};
use models::side_by_side;
use std::collections::BTreeSet;
use text::{escaped, label_name};

/// A table with more rows than this does not fit on a page and is broken over several.
const ROWS_ON_PAGE: usize = 40;

/// One table for each block of numbers; where tables differ only in their model, one for each measure with the models as columns. Captions have the title of
/// the section and say how to read the numbers; findings and provenance are in comments. Tables that are too wide for the text get smaller type, line
/// breaks or fewer columns.
pub fn render(report: &Report) -> String {
    let mut page = format!("% {}\n% needs \\usepackage{{booktabs,longtable}} and UTF-8\n", one_line(&report.title));
    for (name, value) in provenance_lines(&report.provenance) {
        page.push_str(&format!("% {}: {}\n", one_line(&name), one_line(&value)));
    }
    let models: BTreeSet<&str> = report.measurements.iter().map(|one| one.model.as_str()).collect();
    let models: Vec<&str> = models.into_iter().collect();
    for section in &report.sections {
        page.push_str(&rendered(section, &models));
    }
    page
}

fn rendered(section: &Section, models: &[&str]) -> String {
    let mut page = String::new();
    if !section.notes.is_empty() {
        let notes: String = section.notes.iter().map(|note| format!("% {}\n", one_line(note))).collect();
        page.push_str(&format!("\n% {}\n{notes}", one_line(&section.title)));
    }
    let mut number = 0;
    for block in &side_by_side(&section.blocks, models) {
        let shown = match block {
            ReportBlock::Text(text) => {
                page.push_str(&format!("\n{{\\sloppy {}\\par}}\n", escaped(&text.text)));
                continue;
            }
            ReportBlock::Table(table) => table.clone(),
            ReportBlock::Matrix(matrix) => matrix_table(matrix),
            ReportBlock::Curve(curve) => curve.table(),
            ReportBlock::Bars(bars) => {
                let rows = bars.bars.iter().map(|bar| vec![Cell::text(&bar.label), bar.value.clone()]);
                Table::new(1, vec![TableColumn::left(""), TableColumn::right(&bars.measure)], rows.collect())
            }
        };
        let parts = fitted(&shown, Intervals::of(&shown, models));
        for (place, part) in parts.iter().enumerate() {
            number += 1;
            // Labels must be unique in a paper.
            let first = label_name(&section.key());
            let label = if number == 1 { first.clone() } else { format!("{first}-{number}") };
            let part_of = if parts.len() > 1 { format!(" (part {} of {})", place + 1, parts.len()) } else { String::new() };
            let title = shown.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
            let mut caption = escaped(&format!("{}{title}{part_of}.", section.title));
            if number == 1 {
                caption.extend(section.caption.iter().map(|sentence| format!(" {}", escaped(sentence))));
                if parts.len() > 1 {
                    caption.push_str(&format!(" The columns are split over {} tables to fit the text width.", parts.len()));
                }
            } else if !section.caption.is_empty() {
                caption.push_str(&format!(" Examples, tests and intervals are those of Table~\\ref{{tab:{first}}}."));
            }
            page.push_str(&table(part, &caption, &label));
        }
    }
    page
}

fn table(fitted: &Fitted, caption: &str, label: &str) -> String {
    let Table { columns, rows, .. } = &fitted.table;
    let head = line((0..columns.len()).map(|at| fitted.heading(at)));
    let mut body = String::new();
    for (row, cells) in rows.iter().enumerate() {
        if let Some(group) = fitted.table.group_at(row) {
            let rule = if row > 0 { "\\addlinespace\n" } else { "" };
            body.push_str(&format!("{rule}\\multicolumn{{{}}}{{l}}{{\\textit{{{}}}}} \\\\\n", columns.len(), escaped(group)));
        }
        body.push_str(&line(cells.iter().enumerate().map(|(at, cell)| fitted.cell(at, cell))));
    }
    let (spec, size) = (fitted.columns(), fitted.size());
    let size = if size.is_empty() { String::new() } else { format!("{size}\n") };
    let caption = format!("\\caption{{{caption}}}\n\\label{{tab:{label}}}");
    if rows.len() > ROWS_ON_PAGE {
        return format!(
            "\n\\begingroup\n{size}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\\begin{{longtable}}{{{spec}}}\n{caption} \\\\\n\\toprule\n{head}\
             \\midrule\n\\endfirsthead\n\\toprule\n{head}\\midrule\n\\endhead\n{body}\\bottomrule\n\\end{{longtable}}\n\\endgroup\n"
        );
    }
    // Captions above tables have no space below them in the standard classes.
    format!(
        "\n\\begin{{table}}\n\\centering\n\\setlength{{\\belowcaptionskip}}{{6pt}}\n{caption}\n{size}\\begin{{tabular}}{{{spec}}}\n\\toprule\n{head}\
         \\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
    )
}

/// The matrix as a table; arrows would need another font, so the corner does without.
fn matrix_table(matrix: &CrossTable) -> Table {
    let (mut columns, rows) = super::layout::matrix_table(matrix);
    if let Some(corner) = columns.first_mut() {
        corner.name = format!("{} / {}", matrix.row_title, matrix.column_title);
    }
    Table::new(1, columns, rows)
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let line = cells.collect::<Vec<_>>().join(" & ") + " \\\\\n";
    // After the end of the previous row, an opening bracket would be read as extra height, and an asterisk as a ban on page breaks.
    if line.starts_with(['[', '*']) { format!("{{}}{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_at_the_start_of_a_row_is_text() {
        assert_eq!(line(["[a]", "[b]"].map(str::to_string).into_iter()), "{}[a] & [b] \\\\\n");
    }

    #[test]
    fn findings_are_comments_and_the_caption_says_how_to_read_the_numbers() {
        let table = || ReportBlock::Table(Table::new(0, vec![TableColumn::right("n")], vec![vec![Cell::Count { count: 1 }]]));
        let section = Section::new(super::super::SectionId::Sets, "Accuracy", vec!["Said.".to_string()], vec![table(), table()]);
        let page = rendered(&section.captioned(["95 % intervals.".to_string()]), &[]);
        assert!(page.contains("% Said.\n") && page.contains("\\caption{Accuracy. 95 \\% intervals.}\n"), "{page}");
        assert_eq!(page.matches("95 \\% intervals.").count(), 1, "{page}");
        assert!(page.contains("are those of Table~\\ref{tab:sets}."), "{page}");
    }

    #[test]
    fn long_tables_are_broken_over_pages() {
        let of = |rows: usize| {
            let shown = Table::new(0, vec![TableColumn::right("n")], vec![vec![Cell::Count { count: 1 }]; rows]);
            fitted(&shown, Intervals::Beside).iter().map(|part| table(part, "", "x")).collect::<String>()
        };
        assert!(of(ROWS_ON_PAGE + 1).contains("\\begin{longtable}{r}"));
        assert!(of(ROWS_ON_PAGE).contains("\\begin{tabular}{r}"));
    }
}
