//! Columns: the features of the words of a sentence or batch.

use crate::matrix::Matrix;
use crate::segments::Segments;
use std::collections::HashMap;

/// One kind of feature, with one entry per word unless stated otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Ids from a vocabulary: words, subwords, tags.
    Ids(Vec<u32>),
    /// A vector per word, such as a flag for words that are also in the other sentence.
    Numbers(Matrix),
    /// The binary tree over the words.
    Tree(BinaryTree),
    /// Id lists that words may share, such as the characters of each distinct word.
    Nested(Nested),
}

/// Binary trees over words.
///
/// Words are the nodes `0..words`; node `words + i` has the children `left[i]` and `right[i]`, both with smaller numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinaryTree {
    /// The left child of each phrase.
    pub left: Vec<u32>,
    /// The right child of each phrase.
    pub right: Vec<u32>,
    /// The phrases grouped by height: no phrase has a child in its own level, so each level can be computed in parallel.
    pub levels: Segments,
    /// The root of each sentence; [`NO_ROOT`](Self::NO_ROOT) for a sentence without words.
    pub roots: Vec<u32>,
}

/// Id lists, and which list each word has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// The index of each word's list.
    pub of: Vec<u32>,
    /// The range of each list in `ids`.
    pub segments: Segments,
    /// The ids of all lists.
    pub ids: Vec<u32>,
}

/// The columns are of different kinds and cannot be joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KindsDiffer;

impl Column {
    /// The name of this kind of column in error messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Column::Ids(_) => "ids",
            Column::Numbers(_) => "numbers",
            Column::Tree(_) => "tree",
            Column::Nested(_) => "nested",
        }
    }

    /// The number of words; `None` for a tree, which does not store it.
    pub(crate) fn words(&self) -> Option<usize> {
        match self {
            Column::Ids(ids) => Some(ids.len()),
            Column::Numbers(matrix) => Some(matrix.rows),
            Column::Tree(_) => None,
            Column::Nested(nested) => Some(nested.of.len()),
        }
    }

    /// Joins the columns of several sentences; `lengths` has the number of words of each.
    pub(crate) fn joined(columns: &[&Column], lengths: &[usize]) -> Result<Column, KindsDiffer> {
        macro_rules! all {
            ($kind:ident) => {
                columns
                    .iter()
                    .map(|column| match column {
                        Column::$kind(content) => Ok(content),
                        _ => Err(KindsDiffer),
                    })
                    .collect::<Result<Vec<_>, _>>()?
            };
        }
        Ok(match columns.first() {
            None => Column::Ids(Vec::new()),
            Some(Column::Ids(_)) => Column::Ids(all!(Ids).into_iter().flatten().copied().collect()),
            Some(Column::Numbers(_)) => Column::Numbers(stacked(&all!(Numbers))?),
            Some(Column::Tree(_)) => Column::Tree(BinaryTree::joined(&all!(Tree), lengths)),
            Some(Column::Nested(_)) => Column::Nested(Nested::joined(&all!(Nested))),
        })
    }
}

fn stacked(matrices: &[&Matrix]) -> Result<Matrix, KindsDiffer> {
    // A sentence without words has a matrix without rows, which says nothing about the number of columns.
    let columns = matrices.iter().find(|matrix| matrix.rows > 0).map_or(0, |matrix| matrix.columns);
    if matrices.iter().any(|matrix| matrix.rows > 0 && matrix.columns != columns) {
        return Err(KindsDiffer);
    }
    let data: Vec<f32> = matrices.iter().flat_map(|matrix| &matrix.data).copied().collect();
    Ok(Matrix::from_vec(matrices.iter().map(|matrix| matrix.rows).sum(), columns, data))
}

impl BinaryTree {
    /// The value in `roots` for a sentence without words.
    pub const NO_ROOT: u32 = u32::MAX;

    /// The tree of one sentence; phrases may come in any order in which children precede their parents.
    ///
    /// The last phrase is the root; a sentence of one word is its own root.
    pub fn of_sentence(words: usize, phrases: &[(u32, u32)]) -> Self {
        let mut heights = vec![0usize; words + phrases.len()];
        for (place, &(left, right)) in phrases.iter().enumerate() {
            heights[words + place] = 1 + heights[left as usize].max(heights[right as usize]);
        }
        let mut order: Vec<usize> = (0..phrases.len()).collect();
        order.sort_by_key(|&place| heights[words + place]);
        let mut numbers: Vec<u32> = (0..heights.len() as u32).collect();
        for (new, &old) in order.iter().enumerate() {
            numbers[words + old] = (words + new) as u32;
        }
        let highest = heights.iter().copied().max().unwrap_or(0);
        let count = |level: usize| heights[words..].iter().filter(|&&height| height == level).count();
        BinaryTree {
            left: order.iter().map(|&place| numbers[phrases[place].0 as usize]).collect(),
            right: order.iter().map(|&place| numbers[phrases[place].1 as usize]).collect(),
            levels: Segments::of_lengths((1..=highest).map(count)),
            roots: vec![if words == 0 { BinaryTree::NO_ROOT } else { numbers[heights.len() - 1] }],
        }
    }

    /// Joins the trees of several sentences; all words come before all phrases.
    fn joined(trees: &[&BinaryTree], lengths: &[usize]) -> Self {
        let words: usize = lengths.iter().sum();
        let mut numbers: Vec<Vec<u32>> = Vec::with_capacity(trees.len());
        let mut first = 0u32;
        for (tree, &length) in trees.iter().zip(lengths) {
            let mut own: Vec<u32> = (first..first + length as u32).collect();
            own.resize(length + tree.left.len(), 0);
            numbers.push(own);
            first += length as u32;
        }
        let highest = trees.iter().map(|tree| tree.levels.count()).max().unwrap_or(0);
        let (mut left, mut right, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for level in 0..highest {
            let before = left.len();
            for ((tree, own), &length) in trees.iter().zip(&mut numbers).zip(lengths).filter(|((tree, _), _)| level < tree.levels.count()) {
                for phrase in tree.levels.range(level) {
                    own[length + phrase] = (words + left.len()) as u32;
                    left.push(own[tree.left[phrase] as usize]);
                    right.push(own[tree.right[phrase] as usize]);
                }
            }
            sizes.push(left.len() - before);
        }
        let root = |own: &[u32], root: u32| if root == BinaryTree::NO_ROOT { root } else { own[root as usize] };
        let roots = trees.iter().zip(&numbers).flat_map(|(tree, own)| tree.roots.iter().map(|&node| root(own, node))).collect();
        BinaryTree { left, right, levels: Segments::of_lengths(sizes), roots }
    }
}

impl Nested {
    /// The list of each word; words with the same list share it.
    pub fn of_lists<'l>(lists: impl IntoIterator<Item = &'l [u32]>) -> Self {
        let mut places: HashMap<&[u32], u32> = HashMap::new();
        let (mut of, mut lengths, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        for list in lists {
            let next = lengths.len() as u32;
            let place = *places.entry(list).or_insert(next);
            if place == next {
                lengths.push(list.len());
                ids.extend_from_slice(list);
            }
            of.push(place);
        }
        Nested { of, segments: Segments::of_lengths(lengths), ids }
    }

    fn joined(all: &[&Nested]) -> Self {
        Nested::of_lists(all.iter().flat_map(|nested| nested.of.iter().map(|&list| &nested.ids[nested.segments.range(list as usize)])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the span of a node with brackets.
    fn bracketed(tree: &BinaryTree, words: usize, node: u32) -> String {
        match (node as usize).checked_sub(words) {
            None => node.to_string(),
            Some(phrase) => format!("({} {})", bracketed(tree, words, tree.left[phrase]), bracketed(tree, words, tree.right[phrase])),
        }
    }

    #[test]
    fn phrases_depend_only_on_lower_levels() {
        // ((0 1) (2 (3 4)))
        let tree = BinaryTree::of_sentence(5, &[(3, 4), (2, 5), (0, 1), (7, 6)]);
        assert_eq!(bracketed(&tree, 5, tree.roots[0]), "((0 1) (2 (3 4)))");
        assert_eq!(tree.levels, Segments::of_lengths([2, 1, 1]));
    }

    #[test]
    fn joined_trees_keep_their_shapes() {
        let trees = [
            BinaryTree::of_sentence(3, &[(1, 2), (0, 3)]),
            BinaryTree::of_sentence(0, &[]),
            BinaryTree::of_sentence(1, &[]),
            BinaryTree::of_sentence(2, &[(0, 1)]),
        ];
        let lengths = [3, 0, 1, 2];
        let joined = BinaryTree::joined(&trees.iter().collect::<Vec<_>>(), &lengths);
        assert_eq!(joined.roots[1], BinaryTree::NO_ROOT);
        let texts = [0, 2, 3].map(|sentence| bracketed(&joined, 6, joined.roots[sentence]));
        assert_eq!(texts, ["(0 (1 2))", "3", "(4 5)"]);
        assert_eq!(joined.levels, Segments::of_lengths([2, 1]));
    }

    #[test]
    fn equal_lists_are_kept_once_also_across_sentences() {
        let first = Nested::of_lists([&[1, 2][..], &[3], &[1, 2]]);
        assert_eq!((&first.of[..], &first.ids[..]), (&[0, 1, 0][..], &[1, 2, 3][..]));
        let joined = Nested::joined(&[&first, &Nested::of_lists([&[3][..], &[4]])]);
        assert_eq!((&joined.of[..], &joined.ids[..]), (&[0, 1, 0, 1, 2][..], &[1, 2, 3, 4][..]));
    }

    #[test]
    fn only_columns_of_one_kind_are_joined() {
        let (ids, numbers) = (Column::Ids(vec![1]), Column::Numbers(Matrix::zeros(1, 2)));
        assert_eq!(Column::joined(&[&ids, &numbers], &[1, 1]), Err(KindsDiffer));
        let empty = Column::Numbers(Matrix::zeros(0, 0));
        assert_eq!(Column::joined(&[&empty, &numbers], &[0, 1]), Ok(numbers.clone()));
        assert_eq!(Column::joined(&[&numbers, &Column::Numbers(Matrix::zeros(1, 3))], &[1, 1]), Err(KindsDiffer));
    }
}
