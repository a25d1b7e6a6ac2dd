//! The entries of the glossary, one file per group.

mod challenges;
mod checks;
mod corpora;
mod data;
mod intervals;
mod scores;
mod shortcuts;
mod tests;

use super::Term;

const GROUPS: [&[Term]; 8] =
    [data::TERMS, challenges::TERMS, scores::TERMS, intervals::TERMS, tests::TERMS, shortcuts::TERMS, corpora::TERMS, checks::TERMS];

const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

/// All terms, group by group.
pub(super) static TERMS: &[Term] = &{
    let mut terms = [GROUPS[0][0]; COUNT];
    let (mut place, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut own = 0;
        while own < GROUPS[group].len() {
            terms[place] = GROUPS[group][own];
            place += 1;
            own += 1;
        }
        group += 1;
    }
    terms
};
