//! Clauses, modifiers and constituents of a sentence, in one representation for the Penn trees of corpora and our own dependency parses.

mod from_dependencies;
mod from_tree;
mod heads;

pub use heads::head_child;

use crate::tag::Tag;

/// The analysis of a sentence. Words are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysis {
    /// The words with their tags; `None` for a tag that is missing or not a Penn tag.
    pub words: Vec<(String, Option<Tag>)>,
    /// The clauses, in order of their verbs.
    pub clauses: Vec<Clause>,
    /// Modifiers, in order.
    pub modifiers: Vec<Modifier>,
    /// Phrases, outer before inner, from left to right.
    pub constituents: Vec<Constituent>,
}

/// A verb with its subject and object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause {
    /// The main verb; in `is tall`, the copula.
    pub verb: usize,
    /// The subject, if there is one.
    pub subject: Option<Phrase>,
    /// The direct object, if there is one.
    pub object: Option<Phrase>,
    /// Active, passive or copular.
    pub voice: Voice,
}

/// The voice of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Voice {
    /// The subject is the agent.
    Active,
    /// The subject is the patient.
    Passive,
    /// The verb is a copula: `is tall`, `was a doctor`.
    Copular,
}

/// A span of words with its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Phrase {
    /// The head word.
    pub head: usize,
    /// The first word.
    pub start: usize,
    /// The word after the last one.
    pub end: usize,
}

/// A word that modifies another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modifier {
    /// The modifying word.
    pub word: usize,
    /// The word it modifies.
    pub head: usize,
    /// The kind of modifier.
    pub kind: ModifierKind,
}

/// The kinds of modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModifierKind {
    /// An adjective that modifies a noun.
    Adjective,
    /// An adverb.
    Adverb,
    /// A number that modifies a noun.
    Number,
    /// A noun that modifies a noun.
    Noun,
}

/// A constituent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constituent {
    /// Its kind.
    pub kind: ConstituentKind,
    /// Its span and head.
    pub phrase: Phrase,
}

/// The kinds of constituents that both sources have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstituentKind {
    /// A clause, `S`.
    Sentence,
    /// A subordinate clause, `SBAR`.
    SubordinateClause,
    /// A noun phrase, `NP`.
    NounPhrase,
    /// A verb phrase, `VP`.
    VerbPhrase,
    /// A prepositional phrase, `PP`.
    PrepositionalPhrase,
}

impl ConstituentKind {
    /// The Penn label: `NP`.
    pub fn label(self) -> &'static str {
        match self {
            ConstituentKind::Sentence => "S",
            ConstituentKind::SubordinateClause => "SBAR",
            ConstituentKind::NounPhrase => "NP",
            ConstituentKind::VerbPhrase => "VP",
            ConstituentKind::PrepositionalPhrase => "PP",
        }
    }

    /// The kind for a Penn label, ignoring function tags.
    pub fn from_label(label: &str) -> Option<ConstituentKind> {
        match label.split(['-', '=']).next().unwrap_or_default() {
            "S" | "SINV" | "SQ" => Some(ConstituentKind::Sentence),
            "SBAR" | "SBARQ" => Some(ConstituentKind::SubordinateClause),
            "NP" | "WHNP" => Some(ConstituentKind::NounPhrase),
            "VP" => Some(ConstituentKind::VerbPhrase),
            "PP" | "WHPP" => Some(ConstituentKind::PrepositionalPhrase),
            _ => None,
        }
    }
}

impl Analysis {
    /// The words of a phrase, joined by spaces.
    pub fn text(&self, phrase: Phrase) -> String {
        self.words[phrase.start..phrase.end].iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The main clause: the first one with a subject, else the first.
    pub fn main_clause(&self) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.subject.is_some()).or_else(|| self.clauses.first())
    }

    /// The modifiers of a word.
    pub fn modifiers_of(&self, head: usize) -> impl Iterator<Item = &Modifier> {
        self.modifiers.iter().filter(move |modifier| modifier.head == head)
    }

    /// Sorts everything into the documented order.
    fn sorted(mut self) -> Self {
        self.clauses.sort_by_key(|clause| clause.verb);
        self.clauses.dedup();
        self.modifiers.sort_by_key(|modifier| (modifier.word, modifier.head));
        self.modifiers.dedup();
        self.constituents
            .sort_by_key(|constituent| (constituent.phrase.start, std::cmp::Reverse(constituent.phrase.end), constituent.kind));
        self.constituents.dedup();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tree, analyzer::Analyzer};

    fn summary(analysis: &Analysis) -> String {
        let phrase = |phrase: Option<Phrase>| phrase.map_or("-".to_owned(), |phrase| analysis.text(phrase));
        let clause = |clause: &Clause| {
            format!("{} | {} | {} | {:?}", phrase(clause.subject), analysis.words[clause.verb].0, phrase(clause.object), clause.voice)
        };
        analysis.clauses.iter().map(clause).collect::<Vec<_>>().join("; ")
    }

    fn check(tree: &str, expected: &str) {
        let tree = Tree::read(tree).unwrap();
        assert_eq!(summary(&Analysis::from_tree(&tree)), expected, "from the tree");
        let text = crate::tokens::detokenize(tree.leaves().map(|leaf| leaf.word));
        let document = Analyzer::shared().analyze(&text);
        assert_eq!(summary(&Analysis::from_sentence(&document.sentences[0])), expected, "from our parse of {text}");
    }

    #[test]
    fn tree_and_dependency_parse_agree() {
        check(
            "(ROOT (S (NP (DT The) (JJ young) (NN doctor)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .)))",
            "The young doctor | saw | a dog | Active",
        );
        check(
            "(ROOT (S (NP (DT A) (NN man)) (VP (VBZ is) (VP (VBG selling) (NP (NNS donuts)))) (. .)))",
            "A man | selling | donuts | Active",
        );
        check(
            "(ROOT (S (NP (DT The) (NN window)) (VP (VBD was) (VP (VBN broken) (PP (IN by) (NP (DT a) (NN boy))))) (. .)))",
            "The window | broken | - | Passive",
        );
        check("(ROOT (S (NP (DT The) (NN woman)) (VP (VBZ is) (ADJP (JJ tall))) (. .)))", "The woman | is | - | Copular");
        check("(ROOT (S (NP (DT The) (NN woman)) (VP (VBZ is) (NP (DT a) (NN teacher))) (. .)))", "The woman | is | - | Copular");
    }

    #[test]
    fn modifiers_are_found_in_both() {
        let tree =
            Tree::read("(ROOT (S (NP (CD Two) (JJ young) (NN tennis) (NNS players)) (VP (VBP run) (ADVP (RB quickly))) (. .)))").unwrap();
        let kinds = |analysis: &Analysis| {
            analysis.modifiers.iter().map(|modifier| (modifier.word, modifier.head, modifier.kind)).collect::<Vec<_>>()
        };
        let expected =
            vec![(0, 3, ModifierKind::Number), (1, 3, ModifierKind::Adjective), (2, 3, ModifierKind::Noun), (5, 4, ModifierKind::Adverb)];
        assert_eq!(kinds(&Analysis::from_tree(&tree)), expected);
        let document = Analyzer::shared().analyze("Two young tennis players run quickly.");
        assert_eq!(kinds(&Analysis::from_sentence(&document.sentences[0])), expected);
    }

    #[test]
    fn constituents_are_found_in_both() {
        let tree = Tree::read("(ROOT (S (NP (DT The) (NN man)) (VP (VBZ sits) (PP (IN on) (NP (DT a) (NN chair)))) (. .)))").unwrap();
        let spans = |analysis: &Analysis| {
            let span = |constituent: &Constituent| format!("{} {}", constituent.kind.label(), analysis.text(constituent.phrase));
            analysis.constituents.iter().map(span).collect::<Vec<_>>()
        };
        let expected = ["S The man sits on a chair .", "NP The man", "VP sits on a chair", "PP on a chair", "NP a chair"];
        assert_eq!(spans(&Analysis::from_tree(&tree)), expected);
        let document = Analyzer::shared().analyze("The man sits on a chair.");
        assert_eq!(spans(&Analysis::from_sentence(&document.sentences[0])), expected);
    }

    #[test]
    fn a_binary_parse_has_only_words() {
        let analysis = Analysis::from_tree(&Tree::read("( ( A dog ) runs )").unwrap());
        assert_eq!(analysis.words.len(), 3);
        assert!(analysis.clauses.is_empty() && analysis.constituents.is_empty());
    }
}
