//! Columns: what is known of each word of a sentence, or of all sentences of a batch.

use crate::matrix::Matrix;
use crate::segments::Segments;
use std::collections::HashMap;

/// One kind of information about the words of a sentence or of a batch, one entry for each word if nothing else is said.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// A number out of a list: words, subwords, tags.
    Ids(Vec<u32>),
    /// Some numbers for each word, such as flags that say whether the other sentence has it.
    Numbers(Matrix),
    /// How the words combine to phrases.
    Tree(BinaryTree),
    /// Lists of ids, which several words may share: the characters of the distinct words.
    Nested(Nested),
}

/// Binary trees over words.
///
/// Words are the nodes `0..words`; node `words + i` has the children `left[i]` and `right[i]`, which come before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinaryTree {
    /// The left child of each phrase.
    pub left: Vec<u32>,
    /// The right child of each phrase.
    pub right: Vec<u32>,
    /// Phrases that can be computed at the same time, from the lowest upward: none of a level has a child of the same level.
    pub levels: Segments,
    /// The topmost node of each sentence; [`NO_ROOT`](Self::NO_ROOT) for a sentence without words.
    pub roots: Vec<u32>,
}

/// Lists of ids, and which of them each word has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// The list of each word.
    pub of: Vec<u32>,
    /// Where each list begins and ends among `ids`.
    pub segments: Segments,
    /// The ids of all lists.
    pub ids: Vec<u32>,
}

/// Columns that do not go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KindsDiffer;

impl Column {
    /// What the column is called in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Column::Ids(_) => "ids",
            Column::Numbers(_) => "numbers",
            Column::Tree(_) => "tree",
            Column::Nested(_) => "nested",
        }
    }

    /// How many words it is for; a tree does not say.
    pub(crate) fn words(&self) -> Option<usize> {
        match self {
            Column::Ids(ids) => Some(ids.len()),
            Column::Numbers(matrix) => Some(matrix.rows),
            Column::Tree(_) => None,
            Column::Nested(nested) => Some(nested.of.len()),
        }
    }

    /// The columns of several sentences as one; `lengths` says how many words each has.
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
    // A sentence without words has no rows to count columns by.
    let columns = matrices.iter().find(|matrix| matrix.rows > 0).map_or(0, |matrix| matrix.columns);
    if matrices.iter().any(|matrix| matrix.rows > 0 && matrix.columns != columns) {
        return Err(KindsDiffer);
    }
    let data: Vec<f32> = matrices.iter().flat_map(|matrix| &matrix.data).copied().collect();
    Ok(Matrix::from_vec(matrices.iter().map(|matrix| matrix.rows).sum(), columns, data))
}

impl BinaryTree {
    /// Stands in `roots` for a sentence that has no words.
    pub const NO_ROOT: u32 = u32::MAX;

    /// The tree of one sentence: its phrases in any order in which children come before what is made of them.
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

    /// The trees of several sentences as one; all words come before all phrases.
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

    /// What a node of a tree spans, as text.
    fn bracketed(tree: &BinaryTree, words: usize, node: u32) -> String {
        match (node as usize).checked_sub(words) {
            None => node.to_string(),
            Some(phrase) => format!("({} {})", bracketed(tree, words, tree.left[phrase]), bracketed(tree, words, tree.right[phrase])),
        }
    }

    #[test]
    fn the_phrases_of_a_level_need_only_lower_ones() {
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
