//! Reports as LaTeX tables in the style of `booktabs`, to be put into a paper with `\input`.

use super::layout::{one_line, provenance_lines};
use super::{Alignment, Cell, CrossTable, Report, ReportBlock, Section, TableColumn};

/// A table of more rows than this does not fit on a page and is broken over several.
const ROWS_ON_PAGE: usize = 40;

/// One table for each block of numbers, with the title of its section as caption; where the numbers come from stands in comments.
pub fn render(report: &Report) -> String {
    let mut page = format!("% {}\n% needs \\usepackage{{booktabs,longtable}} and UTF-8\n", one_line(&report.title));
    for (name, value) in provenance_lines(&report.provenance) {
        page.push_str(&format!("% {}: {}\n", one_line(&name), one_line(&value)));
    }
    for section in &report.sections {
        page.push_str(&rendered(section));
    }
    page
}

fn rendered(section: &Section) -> String {
    let notes = section.notes.iter().map(|note| escaped(note)).collect::<Vec<_>>().join(" ");
    let tables = section.blocks.iter().filter(|block| !matches!(block, ReportBlock::Text(_))).count();
    let mut page = String::new();
    let mut number = 0;
    for block in &section.blocks {
        let (columns, rows) = match block {
            ReportBlock::Text(text) => {
                page.push_str(&format!("\n{}\n", escaped(&text.text)));
                continue;
            }
            ReportBlock::Table(table) => (table.columns.clone(), table.rows.clone()),
            ReportBlock::Matrix(matrix) => matrix_table(matrix),
            ReportBlock::Curve(curve) => {
                let table = curve.table();
                (table.columns, table.rows)
            }
            ReportBlock::Bars(bars) => {
                let rows = bars.bars.iter().map(|bar| vec![Cell::text(&bar.label), bar.value.clone()]);
                (vec![TableColumn::left(""), TableColumn::right(&bars.measure)], rows.collect())
            }
        };
        number += 1;
        // Labels must be unique in a paper.
        let label = if number == 1 { section.key() } else { format!("{}-{number}", section.key()) };
        let notes = if number == 1 { notes.as_str() } else { "" };
        let caption = format!("{}. {notes}", escaped(&section.title));
        page.push_str(&table(&columns, &rows, caption.trim(), &label_name(&label)));
    }
    if tables == 0 && !notes.is_empty() {
        page.push_str(&format!("\n{notes}\n"));
    }
    page
}

fn table(columns: &[TableColumn], rows: &[Vec<Cell>], caption: &str, label: &str) -> String {
    let letters: String = columns
        .iter()
        .map(|column| match column.alignment {
            Alignment::Left => 'l',
            Alignment::Right => 'r',
        })
        .collect();
    let head = line(columns.iter().map(|column| escaped(&column.name)));
    let body: String = rows
        .iter()
        .map(|cells| {
            line(cells.iter().map(|cell| {
                let written = cell.written();
                escaped(&written.head) + &escaped(&written.tail)
            }))
        })
        .collect();
    let caption = format!("\\caption{{{caption}}}\n\\label{{tab:{label}}}");
    if rows.len() > ROWS_ON_PAGE {
        return format!(
            "\n\\begin{{longtable}}{{{letters}}}\n{caption} \\\\\n\\toprule\n{head}\\midrule\n\\endhead\n{body}\\bottomrule\n\\end{{longtable}}\n"
        );
    }
    format!(
        "\n\\begin{{table}}\n\\centering\n{caption}\n\\begin{{tabular}}{{{letters}}}\n\\toprule\n{head}\\midrule\n{body}\\bottomrule\n\
         \\end{{tabular}}\n\\end{{table}}\n"
    )
}

/// The matrix as a table; arrows would need another font, so the corner does without.
fn matrix_table(matrix: &CrossTable) -> (Vec<TableColumn>, Vec<Vec<Cell>>) {
    let (mut columns, rows) = super::layout::matrix_table(matrix);
    if let Some(corner) = columns.first_mut() {
        corner.name = format!("{} / {}", matrix.row_title, matrix.column_title);
    }
    (columns, rows)
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let line = cells.collect::<Vec<_>>().join(" & ") + " \\\\\n";
    // Behind the end of the line before it, an opening bracket would be taken for extra height.
    if line.starts_with('[') { format!("{{}}{line}") } else { line }
}

/// A name of letters, digits and hyphens.
fn label_name(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// Text in which no letter is taken for a command.
fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        match letter {
            '\\' => page.push_str("\\textbackslash{}"),
            '~' => page.push_str("\\textasciitilde{}"),
            '^' => page.push_str("\\textasciicircum{}"),
            '<' => page.push_str("\\textless{}"),
            '>' => page.push_str("\\textgreater{}"),
            '|' => page.push_str("\\textbar{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => page.extend(['\\', letter]),
            '–' => page.push_str("--"),
            '→' => page.push_str("$\\rightarrow$"),
            '−' => page.push_str("$-$"),
            '↓' => page.push_str("$\\downarrow$"),
            other => page.push(other),
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_files_is_never_a_command() {
        assert_eq!(escaped("5 % of $a_b & \\c {d}"), r"5 \% of \$a\_b \& \textbackslash{}c \{d\}");
        assert_eq!(escaped("<a|b> ~^#\n[x]"), r"\textless{}a\textbar{}b\textgreater{} \textasciitilde{}\textasciicircum{}\# [x]");
    }

    #[test]
    fn a_bracket_at_the_start_of_a_row_is_text() {
        assert_eq!(line(["[a]", "[b]"].map(str::to_string).into_iter()), "{}[a] & [b] \\\\\n");
    }

    #[test]
    fn long_tables_are_broken_over_pages() {
        let rows = vec![vec![Cell::Count { count: 1 }]; ROWS_ON_PAGE + 1];
        assert!(table(&[TableColumn::right("rows")], &rows, "", "x").contains("\\begin{longtable}{r}"));
        assert!(table(&[TableColumn::right("rows")], &rows[1..], "", "x").contains("\\begin{tabular}{r}"));
    }
}
