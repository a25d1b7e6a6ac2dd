//! Counts the pairs of a shape without generating them.

/// The number of ways to fill the slots so that no two slots have words of the same kind.
///
/// `kinds[slot]` has the kind of each word of the slot; `doctor` and `doctors` are of one kind, which is then listed twice.
pub(super) fn count_distinct(kinds: &[Vec<u32>]) -> u128 {
    let counted: Vec<Counted> = kinds.iter().map(|kinds| counted(kinds)).collect();
    let mut groups: Vec<Vec<&Counted>> = Vec::new();
    for slot in &counted {
        let (touching, mut apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.iter().any(|other| touch(slot, other)));
        let mut merged: Vec<&Counted> = touching.into_iter().flatten().collect();
        merged.push(slot);
        apart.push(merged);
        groups = apart;
    }
    groups.iter().map(|group| count_group(group)).product()
}

/// The kinds in order, with the number of words of each.
type Counted = Vec<(u32, i128)>;

fn counted(kinds: &[u32]) -> Counted {
    let mut sorted = kinds.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as i128)).collect()
}

fn words_of(kind: u32, slot: &Counted) -> i128 {
    slot.binary_search_by_key(&kind, |&(other, _)| other).map_or(0, |at| slot[at].1)
}

fn touch(a: &Counted, b: &Counted) -> bool {
    a.iter().any(|&(kind, _)| words_of(kind, b) > 0)
}

/// Möbius inversion over the partitions of the slots: a block of slots that share a kind counts with the sign and number of its cycles.
fn count_group(slots: &[&Counted]) -> u128 {
    let sets = 1usize << slots.len();
    let block = |set: usize| -> i128 {
        let mut members = (0..slots.len()).filter(|slot| set >> slot & 1 == 1).map(|slot| slots[slot]);
        let Some(first) = members.next() else { return 0 };
        let together = |&(kind, words): &(u32, i128)| words * members.clone().map(|slot| words_of(kind, slot)).product::<i128>();
        let together: i128 = first.iter().map(together).sum();
        let size = i128::from(set.count_ones());
        let cycles: i128 = (1..size).product();
        if size % 2 == 1 { cycles * together } else { -cycles * together }
    };
    let blocks: Vec<i128> = (0..sets).map(block).collect();
    let mut ways = vec![0i128; sets];
    ways[0] = 1;
    for set in 1..sets {
        let lowest = set & set.wrapping_neg();
        let rest = set ^ lowest;
        // Every block with the lowest slot and any of the others.
        let mut others = rest;
        loop {
            ways[set] += blocks[others | lowest] * ways[rest ^ others];
            if others == 0 {
                break;
            }
            others = (others - 1) & rest;
        }
    }
    ways[sets - 1] as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand(kinds: &[Vec<u32>], taken: &mut Vec<u32>) -> u128 {
        let Some((first, rest)) = kinds.split_first() else { return 1 };
        let mut count = 0;
        for &kind in first {
            if !taken.contains(&kind) {
                taken.push(kind);
                count += by_hand(rest, taken);
                taken.pop();
            }
        }
        count
    }

    #[track_caller]
    fn check(kinds: &[Vec<u32>]) {
        assert_eq!(count_distinct(kinds), by_hand(kinds, &mut Vec::new()), "{kinds:?}");
    }

    #[test]
    fn counting_agrees_with_enumeration() {
        let nouns: Vec<u32> = (0..5).chain(0..5).collect();
        let verbs: Vec<u32> = (10..14).collect();
        check(&[]);
        check(std::slice::from_ref(&nouns));
        check(&[nouns.clone(), verbs.clone(), nouns.clone(), vec![12, 13, 20], nouns.clone(), verbs.clone()]);
        check(&[vec![1], vec![1]]);
        check(&[vec![1, 2], vec![2, 3], vec![3, 1], vec![7, 7]]);
    }
}
