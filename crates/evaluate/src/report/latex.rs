//! Reports as LaTeX tables in the style of `booktabs`, to be put into a paper with `\input`.

use super::layout::{one_line, provenance_lines};
use super::{Alignment, Cell, CrossTable, Report, ReportBlock, Section, Table, TableColumn};

/// A table of more rows than this does not fit on a page and is broken over several.
const ROWS_ON_PAGE: usize = 40;

/// A table of more letters side by side is scaled down to the width of the text.
const LETTERS_ON_LINE: usize = 85;

/// One table for each block of numbers, ready for a paper: the caption has the title of the section, and notes below the first table of a section say how to
/// read the numbers. What was found, and where the numbers come from, stands in comments.
pub fn render(report: &Report) -> String {
    let mut page = format!("% {}\n% needs \\usepackage{{booktabs,graphicx,longtable}} and UTF-8\n", one_line(&report.title));
    for (name, value) in provenance_lines(&report.provenance) {
        page.push_str(&format!("% {}: {}\n", one_line(&name), one_line(&value)));
    }
    for section in &report.sections {
        page.push_str(&rendered(section));
    }
    page
}

fn rendered(section: &Section) -> String {
    let mut page = String::new();
    if !section.notes.is_empty() {
        let notes: String = section.notes.iter().map(|note| format!("% {}\n", one_line(note))).collect();
        page.push_str(&format!("\n% {}\n{notes}", one_line(&section.title)));
    }
    let mut number = 0;
    for block in &section.blocks {
        let shown = match block {
            ReportBlock::Text(text) => {
                page.push_str(&format!("\n{}\n", escaped(&text.text)));
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
        number += 1;
        // Labels must be unique in a paper.
        let label = if number == 1 { section.key() } else { format!("{}-{number}", section.key()) };
        let title = shown.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
        let caption = escaped(&format!("{}{title}.", section.title));
        let notes = match number {
            1 => section.caption.iter().map(|sentence| escaped(sentence)).collect::<Vec<_>>().join(" "),
            _ if section.caption.is_empty() => String::new(),
            _ => format!("Notes as for Table~\\ref{{tab:{}}}.", label_name(&section.key())),
        };
        page.push_str(&table(&shown, (&caption, &notes), &label_name(&label)));
    }
    page
}

fn table(table: &Table, (caption, notes): (&str, &str), label: &str) -> String {
    let letters: String = table
        .columns
        .iter()
        .map(|column| match column.alignment {
            Alignment::Left => 'l',
            Alignment::Right => 'r',
        })
        .collect();
    let head = line(table.columns.iter().map(|column| escaped(&column.name)));
    let mut body = String::new();
    for (row, cells) in table.rows.iter().enumerate() {
        if let Some(group) = table.group_at(row) {
            let rule = if row > 0 { "\\addlinespace\n" } else { "" };
            body.push_str(&format!("{rule}\\multicolumn{{{}}}{{l}}{{\\textit{{{}}}}} \\\\\n", table.columns.len(), escaped(group)));
        }
        body.push_str(&line(cells.iter().map(|cell| {
            let written = cell.written();
            escaped(&written.head) + &escaped(&written.tail)
        })));
    }
    let notes = if notes.is_empty() { String::new() } else { format!("\n\\par\\smallskip\n{{\\footnotesize {notes}\\par}}\n") };
    let caption = format!("\\caption{{{caption}}}\n\\label{{tab:{label}}}");
    if table.rows.len() > ROWS_ON_PAGE {
        return format!(
            "\n\\begin{{longtable}}{{{letters}}}\n{caption} \\\\\n\\toprule\n{head}\\midrule\n\\endhead\n{body}\\bottomrule\n\\end{{longtable}}\n{notes}"
        );
    }
    let tabular = format!("\\begin{{tabular}}{{{letters}}}\n\\toprule\n{head}\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n");
    let tabular = if width(table) > LETTERS_ON_LINE { format!("\\resizebox{{\\linewidth}}{{!}}{{%\n{tabular}}}\n") } else { tabular };
    format!("\n\\begin{{table}}\n\\centering\n{caption}\n{tabular}{notes}\\end{{table}}\n")
}

/// How many letters the widest cells of the columns have together.
fn width(table: &Table) -> usize {
    let of_column = |(at, column): (usize, &TableColumn)| {
        let cells = table.rows.iter().filter_map(|row| row.get(at)).map(|cell| {
            let written = cell.written();
            written.head.chars().count() + written.tail.chars().count()
        });
        cells.chain([column.name.chars().count()]).max().unwrap_or(0) + 2
    };
    table.columns.iter().enumerate().map(of_column).sum()
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
    // Behind the end of the line before it, an opening bracket would be taken for extra height, and an asterisk for a ban on page breaks.
    if line.starts_with(['[', '*']) { format!("{{}}{line}") } else { line }
}

/// A name of letters, digits and hyphens.
fn label_name(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// Text in which no letter is taken for a command.
fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    let text = one_line(text).replace("->", "→");
    let letters: Vec<char> = text.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        let is_number = letters.get(at + 1).is_some_and(char::is_ascii_digit);
        match letter {
            // A minus is longer than a hyphen.
            '-' if is_number && (at == 0 || matches!(letters[at - 1], ' ' | '[')) => page.push_str("$-$"),
            '\\' => page.push_str("\\textbackslash{}"),
            '~' => page.push_str("\\textasciitilde{}"),
            '^' => page.push_str("\\textasciicircum{}"),
            '<' => page.push_str("$<$"),
            '>' => page.push_str("$>$"),
            // Marks of significance stand above the line.
            '*' if at > 0 && letters[at - 1] == '*' => {}
            '*' => {
                let marks: String = letters[at..].iter().take_while(|next| **next == '*').collect();
                page.push_str(&format!("$^{{{marks}}}$"));
            }
            '|' => page.push_str("\\textbar{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => page.extend(['\\', letter]),
            '–' => page.push_str("--"),
            '→' => page.push_str("$\\rightarrow$"),
            '−' => page.push_str("$-$"),
            '↓' => page.push_str("$\\downarrow$"),
            'λ' => page.push_str("$\\lambda$"),
            'κ' => page.push_str("$\\kappa$"),
            '≥' => page.push_str("$\\geq$"),
            '≤' => page.push_str("$\\leq$"),
            '×' => page.push_str("$\\times$"),
            '…' => page.push_str("\\ldots{}"),
            '“' | '”' => page.push('"'),
            '‘' | '’' => page.push('\''),
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
        assert_eq!(escaped("<a|b> ~^#\n[x]"), r"$<$a\textbar{}b$>$ \textasciitilde{}\textasciicircum{}\# [x]");
    }

    #[test]
    fn a_bracket_at_the_start_of_a_row_is_text() {
        assert_eq!(line(["[a]", "[b]"].map(str::to_string).into_iter()), "{}[a] & [b] \\\\\n");
    }

    #[test]
    fn signs_of_reports_need_no_font_of_their_own() {
        assert_eq!(escaped("CS_λ ≥ 0.5 -> 1"), r"CS\_$\lambda$ $\geq$ 0.5 $\rightarrow$ 1");
        assert_eq!(escaped("-1.5 [-2, spelling-2]"), r"$-$1.5 [$-$2, spelling-2]");
    }

    #[test]
    fn marks_of_significance_stand_above_the_line() {
        assert_eq!(escaped("1.5 *** p < 0.001"), r"1.5 $^{***}$ p $<$ 0.001");
    }

    #[test]
    fn notes_stand_below_the_first_table_of_a_section() {
        let table = || ReportBlock::Table(Table::new(0, vec![TableColumn::right("n")], vec![vec![Cell::Count { count: 1 }]]));
        let section = Section::new(super::super::SectionId::Sets, "Accuracy", vec!["Said.".to_string()], vec![table(), table()]);
        let page = rendered(&section.captioned(["95 % intervals.".to_string()]));
        assert!(page.contains("% Said.\n") && page.contains("\\caption{Accuracy.}\n"), "{page}");
        assert_eq!(page.matches("95 \\% intervals.").count(), 1, "{page}");
        assert!(page.contains("Notes as for Table~\\ref{tab:sets}."), "{page}");
    }

    #[test]
    fn long_tables_are_broken_over_pages() {
        let of = |rows: usize| Table::new(0, vec![TableColumn::right("n")], vec![vec![Cell::Count { count: 1 }]; rows]);
        assert!(table(&of(ROWS_ON_PAGE + 1), ("", ""), "x").contains("\\begin{longtable}{r}"));
        assert!(table(&of(ROWS_ON_PAGE), ("", ""), "x").contains("\\begin{tabular}{r}"));
    }
}
