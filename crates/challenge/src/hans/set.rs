//! A grammar prepared for a mode: classes with their words, shapes with their programs, and the number of pairs of each.

use super::count::count_distinct;
use super::expand::{DrawnSlot, Expansion, Flat, Word, expand};
use super::frames::{CorpusFrames, VerbClass, VerbSource, placed_verbs, verbs_of};
use super::grammar::{Class, ClassWords, Grammar, GrammarError, GrammarProblem, SubcaseEntry, TemplateEntry, unknown};
use super::pattern::{NONE, Numbers, Pattern, may_coincide, patterns};
use super::render::{ClassWord, Draft, Program, Store};
use super::row::MOST_SLOTS;
use crate::Mode;
use acidtest_lingua::frames::Frame;
use acidtest_nli::{Judgment, Named};
use std::collections::BTreeSet;
use std::ops::Range;

/// The templates of a grammar in a mode, ready to generate and identify pairs.
#[derive(Debug, Clone)]
pub struct TemplateSet {
    pub(super) mode: Mode,
    pub(super) classes: Vec<ClassTable>,
    pub(super) words: Numbers,
    pub(super) shapes: Vec<Shape>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) store: Store,
    subcases: Vec<Subcase>,
    templates: Vec<Template>,
    categories: Vec<Category>,
}

/// A kind of pair for which one heuristic is always correct or always wrong.
#[derive(Debug, Clone)]
pub struct Subcase {
    /// The name.
    pub name: String,
    /// The heuristic that it tests.
    pub heuristic: String,
    /// The gold label of all its pairs.
    pub gold: Judgment,
    /// The number of distinct pairs.
    pub pairs: u128,
    pub(super) shapes: Range<usize>,
    pub(super) categories: Range<usize>,
}

impl Named for Subcase {
    fn name(&self) -> &str {
        &self.name
    }
}

/// A template; several entries of a grammar may share its id.
#[derive(Debug, Clone)]
pub struct Template {
    /// The id.
    pub id: String,
    /// The index of its subcase.
    pub subcase: usize,
    /// The probability of this template within the subcase.
    pub share: f64,
    /// The number of distinct pairs.
    pub pairs: u128,
}

/// A template variant with the word that it is built around: the categories of the paper's human experiment.
#[derive(Debug, Clone)]
pub struct Category {
    /// Subcase, variant and word, separated by colons.
    pub name: String,
    /// The index of its subcase.
    pub subcase: usize,
    /// The number of distinct pairs.
    pub pairs: u128,
}

/// A word class in a mode.
#[derive(Debug, Clone, Default)]
pub(super) struct ClassTable {
    pub(super) entries: Vec<ClassWord>,
    /// The entries to draw from; an entry that is listed twice occurs twice.
    pub(super) draws: Vec<u16>,
    /// The kind of each entry, stored together because every draw reads them.
    pub(super) kinds: Vec<u32>,
    /// The entries with several tokens.
    pub(super) long: Vec<u16>,
    /// The entry of each numbered word, or [`NONE`].
    by_word: Vec<u16>,
}

impl ClassTable {
    pub(super) fn entry_of(&self, word: u32) -> u16 {
        self.by_word.get(word as usize).copied().unwrap_or(NONE)
    }

    pub(super) fn shares_words_with(&self, other: &ClassTable) -> bool {
        self.by_word.iter().zip(&other.by_word).any(|(&mine, &theirs)| mine != NONE && theirs != NONE)
    }
}

/// A template with chosen phrases and compiled programs.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) template: usize,
    pub(super) subcase: usize,
    /// The probability of this shape within the subcase.
    pub(super) share: f64,
    pub(super) slots: Vec<String>,
    pub(super) classes: Vec<usize>,
    /// The kinds of fixed words in the premise that a slot could repeat.
    pub(super) fixed_kinds: Vec<u32>,
    pub(super) pairs: u128,
    pub(super) category: CategoryOf,
    pub(super) fields: Fields,
    /// A line of HANS text before and after the pair's id.
    pub(super) before_id: Program,
    pub(super) after_id: Program,
    line: usize,
}

#[derive(Debug, Clone)]
pub(super) enum CategoryOf {
    One(usize),
    /// By the entry of a slot.
    BySlot(usize, Vec<usize>),
}

/// The programs for the fields of a row, premise first.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    pub(super) text: [Program; 2],
    pub(super) parse: [Program; 2],
    pub(super) binary: [Program; 2],
}

impl TemplateSet {
    /// With corpus frequencies, only frequent verbs are kept.
    pub(super) fn new(grammar: &Grammar, mode: Mode, frames: Option<&CorpusFrames>) -> Result<Self, GrammarError> {
        let mut words = Numbers::default();
        let (mut classes, kinds) = class_tables(grammar, mode)?;
        if let Some(frames) = frames {
            restrict(&mut classes, grammar, mode, frames)?;
        }
        for class in &mut classes {
            for (n, entry) in class.entries.iter().enumerate() {
                let number = words.of(&entry.text()) as usize;
                if class.by_word.len() <= number {
                    class.by_word.resize(number + 1, NONE);
                }
                class.by_word[number] = n as u16;
            }
        }
        let entries: Vec<Vec<ClassWord>> = classes.iter().map(|class| class.entries.clone()).collect();
        let mut set = TemplateSet {
            mode,
            classes,
            words,
            shapes: Vec::new(),
            patterns: Vec::new(),
            store: Store::new(entries.len()),
            subcases: Vec::new(),
            templates: Vec::new(),
            categories: Vec::new(),
        };
        for subcase in &grammar.subcases {
            let place = set.subcases.len();
            let (first_shape, first_category, first_pattern) = (set.shapes.len(), set.categories.len(), set.patterns.len());
            set.subcases.push(Subcase {
                name: subcase.name.clone(),
                heuristic: subcase.heuristic.clone(),
                gold: subcase.gold,
                pairs: 0,
                shapes: 0..0,
                categories: 0..0,
            });
            if subcase.templates.is_empty() {
                return Err(grammar.error(subcase.line, GrammarProblem::Empty(subcase.name.clone())));
            }
            let total: f64 = subcase.templates.iter().map(|template| template.weight).sum();
            for template in &subcase.templates {
                set.add_template(grammar, template, template.weight / total, (&entries, &kinds), frames)?;
            }
            if let Some(frames) = frames {
                set.rescale(grammar, subcase, first_shape, frames)?;
            }
            let own = &mut set.subcases[place];
            own.shapes = first_shape..set.shapes.len();
            own.categories = first_category..set.categories.len();
            own.pairs = set.shapes[first_shape..].iter().map(|shape| shape.pairs).sum();
            set.check_origins(grammar, first_pattern)?;
        }
        Ok(set)
    }

    /// The mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The subcases in the order of the grammar.
    pub fn subcases(&self) -> &[Subcase] {
        &self.subcases
    }

    /// The templates in the order of the grammar, with the number of pairs of each.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The human categories in the order of the grammar.
    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// The number of pairs of a shape with this entry in this slot.
    pub(super) fn pairs_with(&self, shape: usize, slot: usize, entry: usize) -> u128 {
        let shape = &self.shapes[shape];
        let kinds = |class: &usize| self.classes[*class].kinds.iter().copied().filter(|kind| !shape.fixed_kinds.contains(kind)).collect();
        let mut slot_kinds: Vec<Vec<u32>> = shape.classes.iter().map(kinds).collect();
        let kind = self.classes[shape.classes[slot]].kinds[entry];
        slot_kinds[slot] = slot_kinds[slot].iter().copied().find(|other| *other == kind).into_iter().collect();
        count_distinct(&slot_kinds)
    }

    fn add_template(
        &mut self,
        grammar: &Grammar,
        template: &TemplateEntry,
        share: f64,
        (entries, kinds): (&[Vec<ClassWord>], &Numbers),
        frames: Option<&CorpusFrames>,
    ) -> Result<(), GrammarError> {
        let subcase = self.subcases.len() - 1;
        let mut expansions = expand(grammar, template, self.mode)?;
        if let Some(frames) = frames {
            expansions.retain(|expansion| has_frequent_verbs(expansion, entries, frames));
            if expansions.is_empty() {
                return Ok(());
            }
        }
        let place = self.templates.iter().position(|other| other.id == template.id).unwrap_or_else(|| {
            self.templates.push(Template { id: template.id.clone(), subcase, share: 0.0, pairs: 0 });
            self.templates.len() - 1
        });
        self.templates[place].share += share;
        let before = self.templates[place].pairs;
        for expansion in expansions {
            if expansion.slots.len() > MOST_SLOTS {
                return Err(too_large(grammar, template, "more than 16 words to draw"));
            }
            let shape = self.shape(&expansion, template, place, share, entries, kinds);
            let combinations = shape.classes.iter().try_fold(1u128, |all, &class| all.checked_mul(entries[class].len() as u128));
            if combinations.is_none_or(|all| all >= 1 << 112) {
                return Err(too_large(grammar, template, "its classes combine into more pairs than can be counted"));
            }
            self.templates[place].pairs += shape.pairs;
            let number = self.shapes.len() as u32;
            self.patterns.extend(patterns(
                number,
                &shape.classes,
                [&*expansion.premise, &*expansion.hypothesis],
                &self.classes,
                &mut self.words,
            ));
            self.shapes.push(shape);
            self.count_categories(number as usize);
        }
        if self.templates[place].pairs == before {
            return Err(grammar.error(template.line, GrammarProblem::NoPairs(template.id.clone())));
        }
        Ok(())
    }

    /// Redistributes the probabilities of dropped shapes of the last subcase over the remaining shapes and templates.
    fn rescale(
        &mut self,
        grammar: &Grammar,
        subcase: &SubcaseEntry,
        first_shape: usize,
        frames: &CorpusFrames,
    ) -> Result<(), GrammarError> {
        let total: f64 = self.shapes[first_shape..].iter().map(|shape| shape.share).sum();
        if self.shapes.len() == first_shape {
            let problem = GrammarProblem::RareSubcase { subcase: subcase.name.clone(), threshold: frames.rule.threshold };
            return Err(grammar.error(subcase.line, problem));
        }
        // If nothing was dropped, the sum may differ from 1 by rounding, and dividing by it would change the draws.
        if total > 1.0 - 1e-9 {
            return Ok(());
        }
        self.shapes[first_shape..].iter_mut().for_each(|shape| shape.share /= total);
        for (place, template) in self.templates.iter_mut().enumerate().filter(|(_, template)| template.subcase + 1 == self.subcases.len()) {
            template.share = self.shapes[first_shape..].iter().filter(|shape| shape.template == place).map(|shape| shape.share).sum();
        }
        Ok(())
    }

    fn shape(
        &mut self,
        expansion: &Expansion,
        template: &TemplateEntry,
        place: usize,
        share: f64,
        entries: &[Vec<ClassWord>],
        kinds: &Numbers,
    ) -> Shape {
        let subcase = self.subcases.len() - 1;
        let classes: Vec<usize> = expansion.slots.iter().map(|slot: &DrawnSlot| slot.class).collect();
        let mut fixed_kinds = Vec::new();
        fixed_kinds_of(&expansion.premise, kinds, &mut fixed_kinds);
        fixed_kinds.retain(|kind| classes.iter().any(|&class| entries[class].iter().any(|entry| entry.kind == *kind)));
        let allowed = |class: usize| entries[class].iter().map(|entry| entry.kind).filter(|kind| !fixed_kinds.contains(kind)).collect();
        let slot_kinds: Vec<Vec<u32>> = classes.iter().map(|&class| allowed(class)).collect();
        let pairs = count_distinct(&slot_kinds);
        let variant = template.variant.as_ref().unwrap_or(&template.id);
        let base = format!("{}:{variant}", self.subcases[subcase].name);
        let category = match &expansion.pivot {
            None => CategoryOf::One(self.category(base, subcase)),
            Some(Word::Fixed(words)) => CategoryOf::One(self.category(format!("{base}:{words}"), subcase)),
            Some(Word::Slot(slot)) => {
                let by_entry = entries[classes[*slot]].iter().map(|entry| self.category(format!("{base}:{}", entry.text()), subcase));
                CategoryOf::BySlot(*slot, by_entry.collect())
            }
        };
        let sides = [&*expansion.premise, &*expansion.hypothesis];
        let own = &self.subcases[subcase];
        let mut before_id = Draft::default();
        before_id.text(own.gold.name());
        let mut field = |draft: fn(&Flat) -> Draft| {
            sides.map(|tree| {
                let draft = draft(tree);
                before_id.text("\t");
                before_id.append(&draft);
                self.store.compile(&draft, &classes, entries)
            })
        };
        // In the column order of HANS text.
        let (binary, parse, text) = (field(Draft::binary), field(Draft::parse), field(Draft::sentence));
        before_id.text("\tex");
        let mut after_id = Draft::default();
        after_id.text(&format!("\t{}\t{}\t{}\n", own.heuristic, own.name, template.id));
        Shape {
            template: place,
            subcase,
            share: share * expansion.share,
            slots: expansion.slots.iter().map(|slot| slot.name.to_string()).collect(),
            fixed_kinds,
            pairs,
            category,
            fields: Fields { text, parse, binary },
            before_id: self.store.compile(&before_id, &classes, entries),
            after_id: self.store.compile(&after_id, &classes, entries),
            classes,
            line: template.line,
        }
    }

    fn category(&mut self, name: String, subcase: usize) -> usize {
        self.categories.iter().rposition(|category| category.name == name).unwrap_or_else(|| {
            self.categories.push(Category { name, subcase, pairs: 0 });
            self.categories.len() - 1
        })
    }

    /// Adds the pairs of a shape to its categories.
    fn count_categories(&mut self, shape: usize) {
        match self.shapes[shape].category.clone() {
            CategoryOf::One(place) => self.categories[place].pairs += self.shapes[shape].pairs,
            CategoryOf::BySlot(slot, places) => {
                for (entry, place) in places.into_iter().enumerate() {
                    self.categories[place].pairs += self.pairs_with(shape, slot, entry);
                }
            }
        }
    }

    /// Within a subcase, a pair must come from one shape only; otherwise it would be drawn and counted twice.
    fn check_origins(&self, grammar: &Grammar, first_pattern: usize) -> Result<(), GrammarError> {
        let own = &self.patterns[first_pattern..];
        for (n, pattern) in own.iter().enumerate() {
            let rival = own[..n].iter().find(|other| may_coincide(other, pattern, &self.shapes, &self.classes));
            if let Some(rival) = rival {
                let (one, other) = (&self.shapes[pattern.shape as usize], &self.shapes[rival.shape as usize]);
                let id = |shape: &Shape| self.templates[shape.template].id.clone();
                return Err(grammar.error(one.line, GrammarProblem::SamePairs { template: id(one), other: id(other), line: other.line }));
            }
        }
        Ok(())
    }
}

fn too_large(grammar: &Grammar, template: &TemplateEntry, what: &'static str) -> GrammarError {
    grammar.error(template.line, GrammarProblem::TooLarge { template: template.id.clone(), what })
}

fn fixed_kinds_of(tree: &Flat, kinds: &Numbers, out: &mut Vec<u32>) {
    match tree {
        Flat::Phrase { children, .. } => children.iter().for_each(|child| fixed_kinds_of(child, kinds, out)),
        Flat::TextOnly(words) | Flat::Leaf { word: Word::Fixed(words), .. } => {
            out.extend(words.split_whitespace().filter_map(|word| kinds.get(word)));
        }
        Flat::Leaf { .. } => {}
    }
}

/// The word classes of a grammar, and the numbers of their kinds.
pub(super) fn class_tables(grammar: &Grammar, mode: Mode) -> Result<(Vec<ClassTable>, Numbers), GrammarError> {
    let mut kinds = Numbers::default();
    let mut classes: Vec<ClassTable> = Vec::with_capacity(grammar.classes.len());
    for class in &grammar.classes {
        let table = class_table(grammar, class, &classes, mode, &mut kinds)?;
        classes.push(table);
    }
    Ok((classes, kinds))
}

/// Removes the verbs of each class that are too rare in a corpus in the frames that templates use.
fn restrict(classes: &mut [ClassTable], grammar: &Grammar, mode: Mode, frames: &CorpusFrames) -> Result<(), GrammarError> {
    let entries: Vec<&[ClassWord]> = classes.iter().map(|class| class.entries.as_slice()).collect();
    let verbs = verbs_of(grammar, mode, &entries)?;
    for needed in &verbs.classes {
        let place = grammar.classes.iter().position(|class| Some(&class.name) == needed.name.as_ref());
        let Some(place) = place else { continue };
        let rare: Vec<&str> = needed.verbs.iter().filter(|verb| !frames.keeps(verb)).map(|verb| verb.word.as_str()).collect();
        let old = std::mem::take(&mut classes[place]);
        for &draw in &old.draws {
            let entry = &old.entries[usize::from(draw)];
            if !rare.contains(&entry.text().as_str()) {
                add_entry(&mut classes[place], entry.clone());
            }
        }
        if classes[place].entries.is_empty() {
            return Err(grammar.error(grammar.classes[place].line, rare_class(needed, frames)));
        }
    }
    Ok(())
}

fn rare_class(class: &VerbClass, frames: &CorpusFrames) -> GrammarProblem {
    let needed: BTreeSet<Frame> = class.verbs.iter().flat_map(|verb| verb.frames.iter().copied()).collect();
    let needed = needed.into_iter().filter(|frame| frames.rule.requires(*frame)).map(Frame::name);
    GrammarProblem::RareClass {
        class: class.name.clone().unwrap_or_default(),
        frames: needed.collect::<Vec<_>>().join(", "),
        threshold: frames.rule.threshold,
        subcases: class.subcases.join(", "),
    }
}

/// Whether the verbs in the trees of a shape are frequent enough in a corpus.
fn has_frequent_verbs(expansion: &Expansion, entries: &[Vec<ClassWord>], frames: &CorpusFrames) -> bool {
    let entries: Vec<&[ClassWord]> = entries.iter().map(Vec::as_slice).collect();
    let placed = placed_verbs(expansion, &entries);
    let mut fixed = placed.iter().filter(|verb| verb.source == VerbSource::Fixed);
    fixed.all(|verb| frames.allows(&verb.lemma(), verb.frames.iter().copied()))
}

fn class_table(
    grammar: &Grammar,
    class: &Class,
    earlier: &[ClassTable],
    mode: Mode,
    kinds: &mut Numbers,
) -> Result<ClassTable, GrammarError> {
    let find = |name: &str| {
        let known = &grammar.classes[..earlier.len()];
        let place = known.iter().position(|class| class.name == name);
        place.ok_or_else(|| grammar.error(class.line, unknown("class above this one", name, known.iter().map(|class| class.name.as_str()))))
    };
    let mut table = ClassTable::default();
    match &class.words {
        ClassWords::Union(parts) => {
            for part in parts {
                let part = &earlier[find(part)?];
                part.draws.iter().for_each(|&draw| add_entry(&mut table, part.entries[usize::from(draw)].clone()));
            }
        }
        ClassWords::Listed { tag, forms_of, words } => {
            let words: Vec<_> = words.iter().filter(|line| line.when.holds(mode)).collect();
            let base = forms_of.as_deref().map(find).transpose()?.map(|place| (&grammar.classes[place].name, &earlier[place]));
            if let Some((of, base)) = base
                && base.draws.len() != words.len()
            {
                let problem =
                    GrammarProblem::Forms { class: class.name.clone(), found: words.len(), of: of.clone(), expected: base.draws.len() };
                return Err(grammar.error(class.line, problem));
            }
            for (n, line) in words.iter().enumerate() {
                let kind = match base {
                    Some((_, base)) => base.entries[usize::from(base.draws[n])].kind,
                    None => kinds.of(&line.content.join(" ")),
                };
                add_entry(&mut table, ClassWord { leaves: line.content.clone(), tag: tag.clone(), kind });
            }
        }
    }
    if table.entries.is_empty() {
        return Err(grammar.error(class.line, GrammarProblem::Empty(class.name.clone())));
    }
    if table.entries.len() >= usize::from(NONE) {
        return Err(grammar.error(class.line, GrammarProblem::TooLarge { template: class.name.clone(), what: "more than 65,000 words" }));
    }
    Ok(table)
}

/// Adds an entry, or increases the probability of an existing one.
fn add_entry(table: &mut ClassTable, entry: ClassWord) {
    let place = table.entries.iter().position(|other| other.leaves == entry.leaves).unwrap_or_else(|| {
        if entry.text().contains(' ') {
            table.long.push(table.entries.len() as u16);
        }
        table.kinds.push(entry.kind);
        table.entries.push(entry);
        table.entries.len() - 1
    });
    table.draws.push(place as u16);
}
