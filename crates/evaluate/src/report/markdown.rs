//! Reports as Markdown with GitHub's tables.

use super::layout::{matrix_table, one_line, provenance_lines};
use super::{Alignment, Cell, Report, ReportBlock, Table, TableColumn};

/// The report as a page with a heading for each section.
pub fn render(report: &Report) -> String {
    let mut page = format!("# {}\n", escaped(&report.title));
    for section in &report.sections {
        page.push_str(&format!("\n## {}\n", escaped(&section.title)));
        for note in &section.notes {
            page.push_str(&format!("\n{}\n", escaped(note)));
        }
        for block in &section.blocks {
            page.push('\n');
            page.push_str(&rendered(block));
        }
        if !section.caption.is_empty() {
            page.push_str(&format!("\n<sub>{}</sub>\n", escaped(&section.caption.join(" "))));
        }
    }
    page.push_str("\n## Provenance\n\n");
    for (name, value) in provenance_lines(&report.provenance) {
        page.push_str(&format!("- {}: {}\n", escaped(&name), escaped(&value)));
    }
    page
}

fn rendered(block: &ReportBlock) -> String {
    match block {
        ReportBlock::Text(text) => format!("{}\n", escaped(&text.text)),
        ReportBlock::Table(table) => {
            let title = table.title.as_ref().map(|title| format!("**{}**\n\n", escaped(title)));
            title.unwrap_or_default() + &pipes(table)
        }
        ReportBlock::Bars(bars) => {
            let rows = bars.bars.iter().map(|bar| vec![Cell::text(&bar.label), bar.value.clone()]).collect();
            pipes(&Table::new(1, vec![TableColumn::left(""), TableColumn::right(&bars.measure)], rows))
        }
        ReportBlock::Curve(curve) => pipes(&curve.table()),
        ReportBlock::Matrix(matrix) => {
            let (columns, rows) = matrix_table(matrix);
            pipes(&Table::new(1, columns, rows))
        }
    }
}

fn pipes(table: &Table) -> String {
    let mut lines = vec![line(table.columns.iter().map(|column| escaped(&column.name)))];
    lines.push(line(table.columns.iter().map(|column| match column.alignment {
        Alignment::Left => ":---".to_string(),
        Alignment::Right => "---:".to_string(),
    })));
    for (row, cells) in table.rows.iter().enumerate() {
        if let Some(group) = table.group_at(row) {
            let others = table.columns.iter().skip(1).map(|_| String::new());
            lines.push(line([format!("*{}*", escaped(group))].into_iter().chain(others)));
        }
        lines.push(line(cells.iter().map(|cell| {
            let written = cell.written();
            escaped(&written.head) + &escaped_marks(&written.tail)
        })));
    }
    lines.concat()
}

/// Brackets of an interval must not become links, nor significance marks emphasis.
fn escaped_marks(text: &str) -> String {
    text.replace('*', "\\*")
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut line = "|".to_string();
    for cell in cells {
        line.push_str(&format!(" {cell} |"));
    }
    line.push('\n');
    line
}

/// Escapes everything that Markdown would interpret.
fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut page = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let after = letters.peek().copied().unwrap_or(' ');
        let markup = match letter {
            '\\' | '|' | '*' | '`' | '<' | '[' | ']' | '&' | '~' => true,
            // Inside a word, as in `ln_passive`, it is not markup, and the page is easier to read without the backslash.
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            _ => false,
        };
        if markup {
            page.push('\\');
        }
        page.push(letter);
        before = letter;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_files_is_never_markup() {
        assert_eq!(escaped("a|b *c* ln_passive _d_ <e>\nf &amp;"), r"a\|b \*c\* ln_passive \_d\_ \<e> f \&amp;");
    }
}
