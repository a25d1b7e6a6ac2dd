//! The word lists that ship with the program: modifiers with their classes, and nouns that are left alone.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists::read().expect("the shipped lists can be read, as a test reads them"));

/// All word lists.
#[derive(Debug)]
pub(super) struct Lists {
    modifiers: HashMap<&'static str, Modifier>,
    nouns: HashMap<&'static str, HashSet<&'static str>>,
}

/// An adjective with its class and the nouns it may be added to.
#[derive(Debug)]
pub(super) struct Modifier {
    pub(super) word: &'static str,
    pub(super) class: ModifierClass,
    /// Empty for an adjective that is only known where it already stands.
    nouns: Vec<NounClass>,
    not: Vec<&'static str>,
}

/// The class of an adjective, in the order in which classes follow one another before a noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ModifierClass {
    Opinion,
    Feeling,
    Means,
    Size,
    Build,
    Condition,
    Age,
    Dress,
    Shape,
    Pattern,
    Colour,
    Material,
}

impl ModifierClass {
    const ALL: [ModifierClass; 12] = [
        ModifierClass::Opinion,
        ModifierClass::Feeling,
        ModifierClass::Means,
        ModifierClass::Size,
        ModifierClass::Build,
        ModifierClass::Condition,
        ModifierClass::Age,
        ModifierClass::Dress,
        ModifierClass::Shape,
        ModifierClass::Pattern,
        ModifierClass::Colour,
        ModifierClass::Material,
    ];

    /// The name in the list and in tags.
    pub(super) fn name(self) -> &'static str {
        match self {
            ModifierClass::Opinion => "opinion",
            ModifierClass::Feeling => "feeling",
            ModifierClass::Means => "means",
            ModifierClass::Size => "size",
            ModifierClass::Build => "build",
            ModifierClass::Condition => "condition",
            ModifierClass::Age => "age",
            ModifierClass::Dress => "dress",
            ModifierClass::Shape => "shape",
            ModifierClass::Pattern => "pattern",
            ModifierClass::Colour => "colour",
            ModifierClass::Material => "material",
        }
    }

    /// Whether two adjectives of these classes can contradict or imply each other.
    pub(super) fn clashes(self, other: ModifierClass) -> bool {
        use ModifierClass::{Build, Colour, Pattern, Size};
        self == other || matches!((self, other), (Colour, Pattern) | (Pattern, Colour) | (Size, Build) | (Build, Size))
    }
}

/// What a noun stands for, by the first sense of WordNet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NounClass {
    Person,
    Animal,
    Plant,
    Food,
    Artifact,
    Object,
}

impl NounClass {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "person" => NounClass::Person,
            "animal" => NounClass::Animal,
            "plant" => NounClass::Plant,
            "food" => NounClass::Food,
            "artifact" => NounClass::Artifact,
            "object" => NounClass::Object,
            _ => return None,
        })
    }
}

impl Modifier {
    /// Whether it may be added to a noun of this class.
    pub(super) fn fits(&self, noun: &str, class: NounClass) -> bool {
        self.nouns.contains(&class) && !self.not.iter().any(|list| Lists::get().is_in(list, noun))
    }
}

impl Lists {
    /// The lists, read once.
    pub(super) fn get() -> &'static Lists {
        &LISTS
    }

    /// A modifier that may be added to nouns, in lower case.
    pub(super) fn addable(&self, word: &str) -> Option<&Modifier> {
        self.modifiers.get(word).filter(|modifier| !modifier.nouns.is_empty())
    }

    /// The class of an adjective that is listed, in lower case.
    pub(super) fn class_of(&self, word: &str) -> Option<ModifierClass> {
        self.modifiers.get(word).map(|modifier| modifier.class)
    }

    /// Whether a noun, by its dictionary form, is in a list.
    pub(super) fn is_in(&self, list: &str, noun: &str) -> bool {
        self.nouns.get(list).is_some_and(|nouns| nouns.contains(noun))
    }

    fn read() -> Result<Lists, String> {
        let lines = |text: &'static str| text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut nouns: HashMap<&'static str, HashSet<&'static str>> = HashMap::new();
        for line in lines(include_str!("../../../data/composition/nouns.tsv")) {
            let (list, words) = line.split_once('\t').ok_or(line)?;
            nouns.entry(list).or_default().extend(words.split_whitespace());
        }
        let mut modifiers = HashMap::new();
        for line in lines(include_str!("../../../data/composition/modifiers.tsv")) {
            let mut fields = line.split('\t');
            let mut field = || fields.next().ok_or(line);
            let (word, class, added_to, not) = (field()?, field()?, field()?, field()?);
            let class = ModifierClass::ALL.into_iter().find(|known| known.name() == class).ok_or(line)?;
            let names = added_to.split_whitespace().filter(|name| *name != "-");
            let classes = names.map(|name| NounClass::from_name(name).ok_or(line)).collect::<Result<Vec<_>, _>>()?;
            let not: Vec<&'static str> = not.split_whitespace().collect();
            if let Some(unknown) = not.iter().find(|list| !nouns.contains_key(*list)) {
                return Err(format!("{unknown}: {line}"));
            }
            if modifiers.insert(word, Modifier { word, class, nouns: classes, not }).is_some() {
                return Err(format!("twice: {line}"));
            }
        }
        Ok(Lists { modifiers, nouns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_read() {
        let lists = Lists::read().unwrap();
        assert_eq!(lists.class_of("large"), Some(ModifierClass::Size));
        assert!(lists.addable("large").is_some() && lists.addable("shirtless").is_none() && lists.addable("chinese").is_none());
    }

    #[test]
    fn modifiers_keep_to_the_nouns_they_fit() {
        let fits = |modifier: &str, noun: &str, class| Lists::get().addable(modifier).unwrap().fits(noun, class);
        assert!(fits("old", "man", NounClass::Person) && !fits("old", "boy", NounClass::Person));
        assert!(
            !fits("red", "man", NounClass::Person) && !fits("blue", "dog", NounClass::Animal) && fits("brown", "dog", NounClass::Animal)
        );
        assert!(!fits("colorful", "man", NounClass::Person) && fits("colorful", "hat", NounClass::Artifact));
    }

    #[test]
    fn classes_stand_in_the_order_of_adjectives() {
        assert!(ModifierClass::Size < ModifierClass::Age && ModifierClass::Age < ModifierClass::Colour);
        assert!(ModifierClass::Colour < ModifierClass::Material && ModifierClass::Opinion < ModifierClass::Size);
        assert!(ModifierClass::Colour.clashes(ModifierClass::Pattern) && !ModifierClass::Size.clashes(ModifierClass::Age));
    }
}
