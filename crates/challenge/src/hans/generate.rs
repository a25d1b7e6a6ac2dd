//! Generates rows: random draws by weight without repetition, or all pairs.

use super::identify::{Identifier, WordRepetition};
use super::row::{HansRow, MOST_SLOTS, key, words_differ};
use super::set::{CategoryOf, Subcase, TemplateSet};
use acidtest_nli::{Rng, Seed, UnknownName, find};
use std::collections::HashSet;
use std::io::Write;
use std::ops::AddAssign;
use std::sync::Arc;

/// The number of bytes that are buffered before writing: small enough for the processor's cache.
const WRITTEN_AT_ONCE: usize = 1 << 16;

/// The number of rows to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This many per subcase.
    PerSubcase(usize),
    /// This many per human category.
    PerCategory(usize),
    /// All pairs.
    All,
}

/// What to generate.
#[derive(Debug, Clone)]
pub struct GeneratorSettings {
    /// The number of rows.
    pub amount: Amount,
    /// The subcases to include; all if empty.
    pub subcases: Vec<String>,
    /// The subcases to exclude.
    pub withhold: Vec<String>,
    /// Pairs (premise, hypothesis) that must not be generated.
    pub exclude: Vec<(String, String)>,
    /// The seed.
    pub seed: u64,
}

impl Default for GeneratorSettings {
    /// A thousand rows per subcase, as published, with seed 1.
    fn default() -> Self {
        GeneratorSettings { amount: Amount::PerSubcase(1000), subcases: Vec::new(), withhold: Vec::new(), exclude: Vec::new(), seed: 1 }
    }
}

/// Why rows cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorError {
    /// A subcase that the grammar does not have.
    #[error(transparent)]
    UnknownSubcase(#[from] UnknownName),
    /// Fewer rows exist than were requested.
    #[error("`{name}`: cannot generate {asked} pairs; there are only {available}{}", excluded_note(.excluded))]
    NotEnough {
        /// The subcase or category.
        name: String,
        /// The number requested.
        asked: usize,
        /// The number available.
        available: u128,
        /// The number that is excluded by the `exclude` pairs.
        excluded: u128,
    },
    /// Every subcase is withheld.
    #[error("no subcase is left to generate pairs for")]
    Nothing,
}

fn excluded_note(excluded: &u128) -> String {
    if *excluded == 0 { String::new() } else { format!(" that are not excluded ({excluded} are)") }
}

/// Rejected draws by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Rejections {
    /// A word occurred twice in the premise.
    pub repeated_word: u64,
    /// The pair was already generated.
    pub repeated_pair: u64,
    /// The pair is one of those to exclude.
    pub excluded: u64,
}

impl Rejections {
    /// The total number.
    pub fn total(&self) -> u64 {
        self.repeated_word + self.repeated_pair + self.excluded
    }
}

/// The outcome of generating rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Generated {
    /// The number of rows.
    pub rows: u64,
    /// The number of draws; 0 if all pairs were enumerated.
    pub draws: u64,
    /// The rejected draws.
    pub rejected: Rejections,
}

impl Generated {
    /// The proportion of draws that were rejected.
    pub fn rejection_rate(&self) -> f64 {
        if self.draws == 0 { 0.0 } else { self.rejected.total() as f64 / self.draws as f64 }
    }
}

impl AddAssign for Generated {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.draws += other.draws;
        self.rejected.repeated_word += other.rejected.repeated_word;
        self.rejected.repeated_pair += other.rejected.repeated_pair;
        self.rejected.excluded += other.rejected.excluded;
    }
}

/// Generates the rows of a template set. A subcase has the same rows whichever other subcases are generated.
#[derive(Debug, Clone)]
pub struct Generator<'s> {
    set: &'s TemplateSet,
    plan: Arc<Plan>,
}

/// The validated plan of a generator.
#[derive(Debug)]
pub(super) struct Plan {
    amount: Amount,
    seed: Seed,
    excluded: HashSet<u128>,
    parts: Vec<Part>,
}

/// The rows of one subcase.
#[derive(Debug)]
struct Part {
    subcase: usize,
    first_number: u64,
}

impl<'s> Generator<'s> {
    /// Validates the settings.
    pub fn new(set: &'s TemplateSet, settings: GeneratorSettings) -> Result<Self, GeneratorError> {
        for name in settings.subcases.iter().chain(&settings.withhold) {
            find("subcase", set.subcases(), name)?;
        }
        let wanted = |subcase: &Subcase| settings.subcases.is_empty() || settings.subcases.contains(&subcase.name);
        let withheld = |subcase: &Subcase| settings.withhold.contains(&subcase.name);
        let chosen = set.subcases().iter().enumerate().filter(|(_, subcase)| wanted(subcase) && !withheld(subcase)).map(|(place, _)| place);
        let excluded = excluded_keys(set, &settings.exclude);
        let plan = Plan { amount: settings.amount, seed: Seed::new(settings.seed).child("hans"), excluded, parts: Vec::new() };
        let mut generator = Generator { set, plan: Arc::new(plan) };
        let mut number = 0u64;
        let mut parts = Vec::new();
        for subcase in chosen {
            parts.push(Part { subcase, first_number: number });
            number += generator.rows_of(subcase)?;
        }
        if parts.is_empty() {
            return Err(GeneratorError::Nothing);
        }
        Arc::get_mut(&mut generator.plan).expect("nobody else has the plan yet").parts = parts;
        Ok(generator)
    }

    /// A generator with an existing plan for this set.
    pub(super) fn with_plan(set: &'s TemplateSet, plan: Arc<Plan>) -> Self {
        Generator { set, plan }
    }

    /// The plan.
    pub(super) fn plan(&self) -> Arc<Plan> {
        self.plan.clone()
    }

    /// The number of parts: one per included subcase.
    pub fn parts(&self) -> usize {
        self.plan.parts.len()
    }

    /// The indices of the included subcases.
    pub(super) fn subcases(&self) -> Vec<usize> {
        self.plan.parts.iter().map(|part| part.subcase).collect()
    }

    /// Passes every row to `take`, in order; stops at its first error.
    pub fn run<E>(&self, mut take: impl FnMut(&HansRow<'s>) -> Result<(), E>) -> Result<Generated, E> {
        let mut generated = Generated::default();
        for part in 0..self.plan.parts.len() {
            generated += self.run_part(part, &mut take)?;
        }
        Ok(generated)
    }

    /// Generates the rows of one part, with their numbers in the whole set. Parts can be generated in any order and on any thread.
    pub fn run_part<E>(&self, part: usize, mut take: impl FnMut(&HansRow<'s>) -> Result<(), E>) -> Result<Generated, E> {
        let Part { subcase, first_number } = self.plan.parts[part];
        let own = &self.set.subcases()[subcase];
        let seed = self.plan.seed.child(&own.name);
        let mut sink = Sink { generated: Generated::default(), number: first_number, take: &mut take };
        match self.plan.amount {
            Amount::All => self.all(subcase, &mut sink)?,
            Amount::PerSubcase(count) => self.draw(self.choices(subcase, None), count, seed.rng(), &mut sink)?,
            Amount::PerCategory(count) => {
                for category in own.categories.clone() {
                    let rng = seed.child(&self.set.categories()[category].name).rng();
                    self.draw(self.choices(subcase, Some(category)), count, rng, &mut sink)?;
                }
            }
        }
        Ok(sink.generated)
    }

    /// Generates the whole set and writes it as HANS text, including the header.
    pub fn write_hans_text(&self, out: &mut impl Write) -> std::io::Result<Generated> {
        let mut buffer = super::HANS_TEXT_HEADER.as_bytes().to_vec();
        let generated = self.run(|row| {
            row.write_hans_text(&mut buffer);
            if buffer.len() < WRITTEN_AT_ONCE {
                return Ok(());
            }
            let written = out.write_all(&buffer);
            buffer.clear();
            written
        })?;
        out.write_all(&buffer)?;
        Ok(generated)
    }

    /// The number of rows of a subcase, or an error if there are not enough pairs.
    fn rows_of(&self, subcase: usize) -> Result<u64, GeneratorError> {
        let own = &self.set.subcases()[subcase];
        let available = |category| self.choices(subcase, category).iter().map(|choice| choice.left).sum::<u128>();
        let enough = |name: &str, asked: usize, available: u128, pairs: u128| {
            let short = GeneratorError::NotEnough { name: name.to_string(), asked, available, excluded: pairs - available };
            if available < asked as u128 { Err(short) } else { Ok(asked as u64) }
        };
        match self.plan.amount {
            Amount::All => Ok(available(None) as u64),
            Amount::PerSubcase(asked) => enough(&own.name, asked, available(None), own.pairs),
            Amount::PerCategory(asked) => {
                let categories = own.categories.clone().map(|category| (&self.set.categories()[category], available(Some(category))));
                categories.map(|(category, available)| enough(&category.name, asked, available, category.pairs)).sum()
            }
        }
    }

    /// The shapes to draw from; within a category, with its word fixed.
    fn choices(&self, subcase: usize, category: Option<usize>) -> Vec<Choice> {
        let mut choices = Vec::new();
        for shape in self.set.subcases()[subcase].shapes.clone() {
            let own = &self.set.shapes[shape];
            match (category, &own.category) {
                (None, _) => choices.push(Choice { shape: shape as u32, chosen: None, share: own.share, left: own.pairs }),
                (Some(category), CategoryOf::One(place)) if category == *place => {
                    choices.push(Choice { shape: shape as u32, chosen: None, share: own.share, left: own.pairs });
                }
                (Some(_), CategoryOf::One(_)) => {}
                (Some(category), CategoryOf::BySlot(slot, places)) => {
                    let class = &self.set.classes[own.classes[*slot]];
                    for entry in (0..places.len()).filter(|&entry| places[entry] == category) {
                        let drawn = class.draws.iter().filter(|&&draw| usize::from(draw) == entry).count();
                        let share = own.share * drawn as f64 / class.draws.len() as f64;
                        let left = self.set.pairs_with(shape, *slot, entry);
                        choices.push(Choice { shape: shape as u32, chosen: Some((*slot, entry as u16)), share, left });
                    }
                }
            }
        }
        for &key in &self.plan.excluded {
            let shape = (key >> 112) as u32;
            let matches =
                |choice: &&mut Choice| choice.shape == shape && choice.chosen.is_none_or(|(slot, entry)| self.entry_in(key, slot) == entry);
            choices.iter_mut().filter(matches).for_each(|choice| choice.left -= 1);
        }
        choices
    }

    /// The entry of a slot in the key of a pair.
    fn entry_in(&self, key: u128, slot: usize) -> u16 {
        let classes = &self.set.shapes[(key >> 112) as usize].classes;
        let size = |class: &usize| self.set.classes[*class].kinds.len() as u128;
        let below: u128 = classes[slot + 1..].iter().map(size).product();
        ((key & ((1 << 112) - 1)) / below % size(&classes[slot])) as u16
    }

    fn draw<E>(&self, mut choices: Vec<Choice>, count: usize, mut rng: Rng, sink: &mut Sink<'_, 's, E>) -> Result<(), E> {
        let mut made: HashSet<u128> = HashSet::with_capacity(count);
        choices.retain(|choice| choice.left > 0);
        let mut total: f64 = choices.iter().map(|choice| choice.share).sum();
        while made.len() < count {
            let mut point = rng.unit() * total;
            // Rounding may put the point past the last choice, which is then chosen.
            let at = choices.iter().position(|choice| {
                point -= choice.share;
                point < 0.0
            });
            let at = at.unwrap_or(choices.len() - 1);
            let Choice { shape: number, chosen, .. } = choices[at];
            let shape = &self.set.shapes[number as usize];
            let mut drawn = [0u16; MOST_SLOTS];
            for (entry, &class) in drawn.iter_mut().zip(&shape.classes) {
                let draws = &self.set.classes[class].draws;
                *entry = draws[rng.below(draws.len())];
            }
            if let Some((slot, entry)) = chosen {
                drawn[slot] = entry;
            }
            sink.generated.draws += 1;
            if !words_differ(self.set, shape, &drawn) {
                sink.generated.rejected.repeated_word += 1;
                continue;
            }
            let key = key(self.set, number, &drawn);
            if !self.plan.excluded.is_empty() && self.plan.excluded.contains(&key) {
                sink.generated.rejected.excluded += 1;
                continue;
            }
            if !made.insert(key) {
                sink.generated.rejected.repeated_pair += 1;
                continue;
            }
            sink.give(self.set, number, drawn)?;
            choices[at].left -= 1;
            if choices[at].left == 0 {
                // An exhausted shape is removed; the others keep their proportions.
                choices.remove(at);
                total = choices.iter().map(|choice| choice.share).sum();
            }
        }
        Ok(())
    }

    fn all<E>(&self, subcase: usize, sink: &mut Sink<'_, 's, E>) -> Result<(), E> {
        for number in self.set.subcases()[subcase].shapes.clone() {
            self.fill(number as u32, 0, &mut [0; MOST_SLOTS], sink)?;
        }
        Ok(())
    }

    /// Enumerates all ways to fill the slots from this one on.
    fn fill<E>(&self, number: u32, slot: usize, drawn: &mut [u16; MOST_SLOTS], sink: &mut Sink<'_, 's, E>) -> Result<(), E> {
        let shape = &self.set.shapes[number as usize];
        let Some(&class) = shape.classes.get(slot) else {
            if self.plan.excluded.is_empty() || !self.plan.excluded.contains(&key(self.set, number, drawn)) {
                sink.give(self.set, number, *drawn)?;
            }
            return Ok(());
        };
        let kinds = &self.set.classes[class].kinds;
        for (entry, kind) in kinds.iter().enumerate() {
            let before = shape.classes[..slot].iter().zip(drawn.iter());
            let mut taken =
                before.map(|(&class, &entry)| self.set.classes[class].kinds[usize::from(entry)]).chain(shape.fixed_kinds.iter().copied());
            if !taken.any(|other| other == *kind) {
                drawn[slot] = entry as u16;
                self.fill(number, slot + 1, drawn, sink)?;
            }
        }
        Ok(())
    }
}

/// A shape that can be drawn.
#[derive(Debug, Clone, Copy)]
struct Choice {
    shape: u32,
    /// A slot with a fixed word.
    chosen: Option<(usize, u16)>,
    share: f64,
    /// The number of pairs that are neither generated nor excluded yet.
    left: u128,
}

/// The receiver of rows, with counts.
struct Sink<'t, 's, E> {
    generated: Generated,
    number: u64,
    take: &'t mut dyn FnMut(&HansRow<'s>) -> Result<(), E>,
}

impl<'s, E> Sink<'_, 's, E> {
    #[inline]
    fn give(&mut self, set: &'s TemplateSet, shape: u32, drawn: [u16; MOST_SLOTS]) -> Result<(), E> {
        (self.take)(&HansRow { set, shape, drawn, number: self.number })?;
        self.number += 1;
        self.generated.rows += 1;
        Ok(())
    }
}

/// The keys of all excluded pairs that the set can generate.
fn excluded_keys(set: &TemplateSet, pairs: &[(String, String)]) -> HashSet<u128> {
    if pairs.is_empty() {
        return HashSet::new();
    }
    let identifier = Identifier::of_set(set);
    let mut keys = HashSet::with_capacity(pairs.len());
    for (premise, hypothesis) in pairs {
        let readings = identifier.readings(premise, hypothesis);
        keys.extend(readings.iter().filter(|reading| reading.words == WordRepetition::Differ).map(|reading| reading.row.key()));
    }
    keys
}
