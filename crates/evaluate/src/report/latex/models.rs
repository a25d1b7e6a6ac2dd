//! Tables of several models, side by side: one table per measure, with the models as its columns.

use crate::report::{Cell, ReportBlock, RowGroup, Table, TableColumn};

/// The blocks of a section, in which tables that differ only in their model are merged. The title of such a table begins with the name of the model.
pub(super) fn side_by_side(blocks: &[ReportBlock], models: &[&str]) -> Vec<ReportBlock> {
    let mut merged = Vec::new();
    let mut done = vec![false; blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        if done[at] {
            continue;
        }
        let alike: Vec<usize> = match of_model(block, models) {
            Some(first) => {
                (at..blocks.len()).filter(|&other| of_model(&blocks[other], models).is_some_and(|o| o.is_like(&first))).collect()
            }
            None => vec![at],
        };
        if alike.len() < 2 {
            merged.push(block.clone());
            continue;
        }
        alike.iter().for_each(|&other| done[other] = true);
        let tables: Vec<OfModel<'_>> = alike.iter().filter_map(|&other| of_model(&blocks[other], models)).collect();
        merged.extend(by_measure(&tables).into_iter().map(ReportBlock::Table));
    }
    merged
}

/// A table about one model.
struct OfModel<'a> {
    model: &'a str,
    /// The rest of its title.
    about: &'a str,
    table: &'a Table,
}

impl OfModel<'_> {
    fn is_like(&self, other: &OfModel<'_>) -> bool {
        self.about == other.about && self.table.columns == other.table.columns && self.table.key_columns == other.table.key_columns
    }

    /// The group of a row, or nothing before the first group.
    fn group(&self, row: usize) -> Option<&str> {
        self.table.groups.iter().rfind(|group| group.first_row <= row).map(|group| group.name.as_str())
    }

    fn row(&self, key: &[Cell]) -> Option<&Vec<Cell>> {
        self.table.rows.iter().find(|row| row.starts_with(key))
    }
}

fn of_model<'a>(block: &'a ReportBlock, models: &[&'a str]) -> Option<OfModel<'a>> {
    let ReportBlock::Table(table) = block else { return None };
    let title = table.title.as_deref()?;
    let of = |model: &&'a str| {
        let rest = title.strip_prefix(*model)?;
        (rest.is_empty() || rest.starts_with(' ')).then_some((*model, rest.trim_start().trim_start_matches("on ")))
    };
    let (model, about) = models.iter().filter_map(of).max_by_key(|(model, _)| model.len())?;
    Some(OfModel { model, about, table })
}

/// One table for each column that is not a key, without the rows in which no model has a value. Counts that are the same for all models are put beside the
/// keys.
fn by_measure(tables: &[OfModel<'_>]) -> Vec<Table> {
    let first = &tables[0];
    let keys = first.table.key_columns;
    // The rows of all models, by group, as the first model that has them orders them.
    let mut rows: Vec<(Option<&str>, &[Cell])> = Vec::new();
    for table in tables {
        for (at, row) in table.table.rows.iter().enumerate() {
            let (group, key) = (table.group(at), &row[..keys]);
            if rows.iter().any(|(_, known)| *known == key) {
                continue;
            }
            let end = rows.iter().rposition(|(known, _)| *known == group).map_or(rows.len(), |last| last + 1);
            rows.insert(end, (group, key));
        }
    }
    let value = |table: &OfModel<'_>, key: &[Cell], column: usize| table.row(key).map_or(Cell::Empty {}, |row| row[column].clone());
    let is_shared = |column: usize| {
        rows.iter().all(|(_, key)| {
            let of_first = value(first, key, column);
            matches!(of_first, Cell::Count { .. }) && tables.iter().all(|table| value(table, key, column) == of_first)
        })
    };
    let (shared, measures): (Vec<usize>, Vec<usize>) = (keys..first.table.columns.len()).partition(|&column| is_shared(column));
    let mut merged = Vec::new();
    for &measure in &measures {
        let beside = (0..keys).chain(shared.iter().copied()).map(|column| first.table.columns[column].clone());
        let models = tables.iter().map(|table| TableColumn { name: table.model.to_string(), ..first.table.columns[measure].clone() });
        let row = |key: &[Cell]| {
            let shared = shared.iter().map(|&column| value(first, key, column));
            key.iter().cloned().chain(shared).chain(tables.iter().map(|table| value(table, key, measure))).collect::<Vec<Cell>>()
        };
        let (mut of_measure, mut groups): (Vec<Vec<Cell>>, Vec<RowGroup>) = (Vec::new(), Vec::new());
        for (group, key) in &rows {
            let cells = row(key);
            if cells[keys + shared.len()..].iter().all(|cell| *cell == Cell::Empty {}) {
                continue;
            }
            if let Some(name) = group.filter(|name| groups.last().is_none_or(|last| last.name != *name)) {
                groups.push(RowGroup { name: name.to_string(), first_row: of_measure.len() });
            }
            of_measure.push(cells);
        }
        let name = &first.table.columns[measure].name;
        let title = if first.about.is_empty() { name.clone() } else { format!("{}: {name}", first.about) };
        if !of_measure.is_empty() {
            let table = Table::new(keys + shared.len(), beside.chain(models).collect(), of_measure).titled(title);
            merged.push(Table { groups, ..table });
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(count: u64) -> Cell {
        Cell::Count { count }
    }

    fn of(title: &str, rows: &[(&str, u64, u64)]) -> ReportBlock {
        let rows = rows.iter().map(|(name, n, correct)| vec![Cell::text(*name), count(*n), count(*correct)]).collect();
        let groups = vec![RowGroup { name: "noise".to_string(), first_row: 1 }];
        ReportBlock::Table(Table { groups, ..Table::keyed(&["set"], &["n", "correct"], rows).titled(title) })
    }

    fn merged(blocks: &[ReportBlock]) -> Vec<Table> {
        let table = |block| if let ReportBlock::Table(table) = block { table } else { panic!("{block:?}") };
        side_by_side(blocks, &["a", "a b", "c"]).into_iter().map(table).collect()
    }

    fn heads(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn models_become_columns_and_shared_counts_stay_beside_the_names() {
        let [table] = &merged(&[of("a", &[("original", 9, 8), ("swap", 7, 5)]), of("c", &[("original", 9, 6), ("swap", 7, 4)])])[..] else {
            panic!("one measure, one table")
        };
        assert_eq!(heads(table), ["set", "n", "a", "c"]);
        assert_eq!((table.key_columns, table.title.as_deref(), table.group_at(1)), (2, Some("correct"), Some("noise")));
        assert_eq!(table.rows[1], [Cell::text("swap"), count(7), count(5), count(4)]);
    }

    #[test]
    fn a_count_that_differs_is_a_measure() {
        let tables = merged(&[of("a", &[("original", 9, 8)]), of("c", &[("original", 3, 2)])]);
        assert_eq!(tables.iter().map(heads).collect::<Vec<_>>(), [["set", "a", "c"], ["set", "a", "c"]]);
    }

    #[test]
    fn a_set_that_one_model_lacks_has_no_value_there() {
        let tables = merged(&[of("a", &[("original", 9, 8)]), of("c", &[("original", 9, 6), ("swap", 7, 4)])]);
        assert_eq!(tables[1].rows[1], [Cell::text("swap"), Cell::Empty {}, count(4)]);
    }

    #[test]
    fn tables_of_one_model_or_another_kind_stay_as_they_are() {
        let tables = merged(&[of("a b on HANS", &[("x", 1, 1)]), of("c", &[("x", 1, 1)]), of("other", &[("x", 1, 1)])]);
        let titles: Vec<Option<&str>> = tables.iter().map(|table| table.title.as_deref()).collect();
        assert_eq!(titles, [Some("a b on HANS"), Some("c"), Some("other")]);
    }

    #[test]
    fn what_the_titles_share_is_kept() {
        let tables = merged(&[of("a b on HANS", &[("x", 1, 1)]), of("c on HANS", &[("x", 1, 0)])]);
        assert_eq!((tables[0].title.as_deref(), heads(&tables[0])), (Some("HANS: correct"), vec!["set", "n", "a b", "c"]));
    }
}
