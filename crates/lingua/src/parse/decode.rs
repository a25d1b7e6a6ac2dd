//! Decoding: from the scores of all possible heads to the best tree.

/// The heads of the best tree with a single root.
///
/// `scores` has one row per word: the score of the root as its head, then of every word. Heads are counted from 1; 0 is the root.
pub fn best_tree(scores: &[f32], words: usize) -> Vec<usize> {
    let columns = words + 1;
    let greedy: Vec<usize> = (0..words).map(|word| best_head(&scores[word * columns..(word + 1) * columns], word)).collect();
    if is_tree(&greedy) {
        return greedy;
    }
    // Some word must be the root: try words in order of the cost of attaching them to the root.
    let cost = |word: usize| scores[word * columns + best_head(&scores[word * columns..][..columns], word)] - scores[word * columns];
    let mut roots: Vec<usize> = (0..words).collect();
    roots.sort_by(|&left, &right| cost(left).total_cmp(&cost(right)));
    let mut best: Option<(f64, Vec<usize>)> = None;
    for &root in roots.iter().take(4) {
        let heads = tree_under(scores, words, root);
        let total = heads.iter().enumerate().map(|(word, &head)| f64::from(scores[word * columns + head])).sum::<f64>();
        if best.as_ref().is_none_or(|(most, _)| total > *most) {
            best = Some((total, heads));
        }
    }
    best.map(|(_, heads)| heads).unwrap_or_default()
}

fn best_head(row: &[f32], word: usize) -> usize {
    let mut best = 0;
    for (head, &score) in row.iter().enumerate() {
        if head != word + 1 && score > row[best] {
            best = head;
        }
    }
    best
}

/// Whether the heads form one tree with a single root.
pub fn is_tree(heads: &[usize]) -> bool {
    if heads.iter().filter(|&&head| head == 0).count() != 1 {
        return false;
    }
    // 0: not visited; otherwise the word whose walk first reached this one.
    let mut seen = vec![0; heads.len()];
    for begin in 0..heads.len() {
        let mut at = begin;
        while seen[at] == 0 {
            seen[at] = begin + 1;
            if heads[at] == 0 {
                break;
            }
            at = heads[at] - 1;
        }
        if seen[at] == begin + 1 && heads[at] != 0 {
            return false;
        }
    }
    true
}

/// The best tree in which only `root` is attached to the root: the algorithm of Chu, Liu and Edmonds.
fn tree_under(scores: &[f32], words: usize, root: usize) -> Vec<usize> {
    let columns = words + 1;
    // Node 0 stands for the chosen word, which replaces the root.
    let node = |word: usize| {
        if word == root {
            0
        } else if word < root {
            word + 1
        } else {
            word
        }
    };
    let mut word_of = vec![root];
    word_of.extend((0..words).filter(|&word| word != root));
    let mut table = vec![vec![f32::NEG_INFINITY; words]; words];
    for word in (0..words).filter(|&word| word != root) {
        for head in (0..words).filter(|&head| head != word) {
            table[node(word)][node(head)] = scores[word * columns + head + 1];
        }
    }
    let parents = arborescence(&table);
    let mut heads = vec![0; words];
    for place in 1..words {
        heads[word_of[place]] = word_of[parents[place]] + 1;
    }
    heads
}

/// The parents in the best tree rooted at node 0; `table[child][parent]` are the scores.
fn arborescence(table: &[Vec<f32>]) -> Vec<usize> {
    let count = table.len();
    let mut parents = vec![0; count];
    for child in 1..count {
        for parent in 0..count {
            if parent != child && (table[child][parent] > table[child][parents[child]] || parents[child] == child) {
                parents[child] = parent;
            }
        }
    }
    let Some(cycle) = find_cycle(&parents) else { return parents };
    // Contract the cycle to one node, solve the smaller problem, and break the cycle where the tree enters it.
    let in_cycle = |node: usize| cycle.contains(&node);
    let outside: Vec<usize> = (0..count).filter(|&node| !in_cycle(node)).collect();
    let shrunk = outside.len();
    let mut smaller = vec![vec![f32::NEG_INFINITY; shrunk + 1]; shrunk + 1];
    let (mut entry, mut exit) = (vec![cycle[0]; shrunk], vec![cycle[0]; shrunk]);
    for (place, &node) in outside.iter().enumerate() {
        for (other, &parent) in outside.iter().enumerate() {
            smaller[place][other] = table[node][parent];
        }
        let gain = |child: usize| table[child][node] - table[child][parents[child]];
        entry[place] = most(&cycle, gain);
        smaller[shrunk][place] = gain(entry[place]);
        exit[place] = most(&cycle, |parent| table[node][parent]);
        smaller[place][shrunk] = table[node][exit[place]];
    }
    let solved = arborescence(&smaller);
    for (place, &node) in outside.iter().enumerate().skip(1) {
        parents[node] = if solved[place] == shrunk { exit[place] } else { outside[solved[place]] };
    }
    let from = solved[shrunk];
    parents[entry[from]] = outside[from];
    parents
}

fn most(nodes: &[usize], score: impl Fn(usize) -> f32) -> usize {
    let mut best = nodes[0];
    for &node in nodes {
        if score(node) > score(best) {
            best = node;
        }
    }
    best
}

fn find_cycle(parents: &[usize]) -> Option<Vec<usize>> {
    let mut seen = vec![0; parents.len()];
    for begin in 1..parents.len() {
        let mut at = begin;
        while at != 0 && seen[at] == 0 {
            seen[at] = begin;
            at = parents[at];
        }
        if at != 0 && seen[at] == begin {
            let mut cycle = vec![at];
            let mut next = parents[at];
            while next != at {
                cycle.push(next);
                next = parents[next];
            }
            return Some(cycle);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every tree.
    fn by_trial(scores: &[f32], words: usize) -> f32 {
        let columns = words + 1;
        let mut best = f32::NEG_INFINITY;
        for mut code in 0..columns.pow(words as u32) {
            let heads: Vec<usize> = (0..words).map(|_| (code % columns, code /= columns).0).collect();
            if is_tree(&heads) {
                best = best.max(heads.iter().enumerate().map(|(word, head)| scores[word * columns + head]).sum());
            }
        }
        best
    }

    #[test]
    fn the_tree_is_optimal() {
        for case in 0..400usize {
            let words = 1 + case % 4;
            let number = |at: usize| ((case * 7919 + at * 104_729) % 211) as f32 / 10.0;
            let scores: Vec<f32> = (0..words * (words + 1)).map(number).collect();
            let heads = best_tree(&scores, words);
            assert!(is_tree(&heads), "{heads:?}");
            let total: f32 = heads.iter().enumerate().map(|(word, head)| scores[word * (words + 1) + head]).sum();
            assert!((total - by_trial(&scores, words)).abs() < 1e-3, "case {case}: {total} is not {}", by_trial(&scores, words));
        }
    }

    #[test]
    fn no_words_have_no_heads() {
        assert!(best_tree(&[], 0).is_empty());
    }

    #[test]
    fn cycles_and_forests_are_not_trees() {
        assert!(is_tree(&[2, 0, 2]));
        assert!(!is_tree(&[2, 1, 0]));
        assert!(!is_tree(&[0, 0]));
    }
}
