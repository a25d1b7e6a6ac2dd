//! How many pairs a shape has, counted without making them.

/// The number of ways to fill the slots so that no two slots take words of one kind.
///
/// `kinds[slot]` has the kinds of the slot's words; a kind stands there once for each word of it (`doctor` and `doctors` are one kind).
pub(super) fn count_distinct(kinds: &[Vec<u32>]) -> u128 {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for slot in 0..kinds.len() {
        let touches = |group: &Vec<usize>| group.iter().any(|&other| kinds[other].iter().any(|kind| kinds[slot].contains(kind)));
        let (touching, mut apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        let mut merged: Vec<usize> = touching.into_iter().flatten().collect();
        merged.push(slot);
        apart.push(merged);
        groups = apart;
    }
    groups.iter().map(|group| count_group(&group.iter().map(|&slot| kinds[slot].as_slice()).collect::<Vec<_>>())).product()
}

/// Möbius inversion over the partitions of the slots: a block of slots that take one kind counts with the sign and number of its cycles.
fn count_group(kinds: &[&[u32]]) -> u128 {
    let mut all: Vec<u32> = kinds.concat();
    all.sort_unstable();
    all.dedup();
    let words_of = |slot: usize, kind: u32| kinds[slot].iter().filter(|&&other| other == kind).count() as i128;
    let table: Vec<Vec<i128>> = (0..kinds.len()).map(|slot| all.iter().map(|&kind| words_of(slot, kind)).collect()).collect();
    let sets = 1usize << kinds.len();
    let block = |set: usize| -> i128 {
        let members = (0..kinds.len()).filter(|slot| set >> slot & 1 == 1);
        let together: i128 = (0..all.len()).map(|kind| members.clone().map(|slot| table[slot][kind]).product::<i128>()).sum();
        let size = set.count_ones() as i128;
        let cycles: i128 = (1..size).product();
        if size % 2 == 1 { cycles * together } else { -cycles * together }
    };
    let blocks: Vec<i128> = (0..sets).map(|set| if set == 0 { 0 } else { block(set) }).collect();
    let mut ways = vec![0i128; sets];
    ways[0] = 1;
    for set in 1..sets {
        let lowest = set & set.wrapping_neg();
        let rest = set ^ lowest;
        // Every block that holds the lowest slot, with any of the others.
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
    fn counting_agrees_with_trying_all() {
        let nouns: Vec<u32> = (0..5).chain(0..5).collect();
        let verbs: Vec<u32> = (10..14).collect();
        check(&[]);
        check(std::slice::from_ref(&nouns));
        check(&[nouns.clone(), verbs.clone(), nouns.clone(), vec![12, 13, 20], nouns.clone(), verbs.clone()]);
        check(&[vec![1], vec![1]]);
        check(&[vec![1, 2], vec![2, 3], vec![3, 1], vec![7, 7]]);
    }
}
