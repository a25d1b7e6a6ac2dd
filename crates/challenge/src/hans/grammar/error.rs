//! Errors in grammars.

/// An invalid grammar, with the line at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {problem}")]
pub struct GrammarError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: GrammarProblem,
}

/// What is wrong with a line of a grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrammarProblem {
    /// An unindented line begins with an unknown keyword.
    #[error("unknown entry `{0}`; expected quirk, class, phrase, subcase or template")]
    UnknownEntry(String),
    /// The first line of an entry is malformed.
    #[error("expected `{form}`")]
    Form {
        /// What is accepted.
        form: &'static str,
    },
    /// An indented line does not belong to an entry.
    #[error("this line belongs to no entry; a class, phrase or template must come before it")]
    Stray,
    /// A duplicate name.
    #[error("`{0}` is defined twice")]
    Twice(String),
    /// A name that is used but not defined.
    #[error("unknown {kind} `{name}`{}", did_you_mean(.nearest))]
    Unknown {
        /// The kind of name.
        kind: &'static str,
        /// The name.
        name: String,
        /// The most similar known name.
        nearest: Option<String>,
    },
    /// A weight is not a positive number.
    #[error("invalid weight `{0}`: expected a positive number such as 2, 0.25 or 1/6")]
    Weight(String),
    /// An unknown label.
    #[error("{0}")]
    Label(#[from] acidtest_nli::UnknownLabel),
    /// A malformed tree.
    #[error("column {column}: {message}")]
    Tree {
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A slot refers to one that is not defined.
    #[error("slot ${slot} is not drawn before it is used{}", did_you_mean(.nearest))]
    UnknownSlot {
        /// The slot.
        slot: String,
        /// The most similar known slot.
        nearest: Option<String>,
    },
    /// A slot is defined twice.
    #[error("slot ${0} is drawn twice (write ${0} without its class to use the first draw again)")]
    SlotTwice(String),
    /// A slot occurs twice in a premise, where drawn words must not repeat.
    #[error("slot ${0} is used twice in the premise; drawn words must not repeat")]
    SlotRepeated(String),
    /// A word slot occurs where only a phrase is allowed.
    #[error("slot ${0} is a word and needs a tag, as in (NN ${0})")]
    SlotNeedsTag(String),
    /// `(* $slot)` for words that have no tag.
    #[error("slot ${slot} takes its tag from class `{class}`, which has none (write `class {class} TAG`)")]
    NoTag {
        /// The slot.
        slot: String,
        /// Its class.
        class: String,
    },
    /// A class or phrase has no alternatives.
    #[error("`{0}` is empty")]
    Empty(String),
    /// Phrases contain themselves.
    #[error("phrase `{0}` contains itself")]
    Recursion(String),
    /// A class of forms and the class of its words differ in size.
    #[error("`{class}` has {found} words and `{of}` has {expected}: forms must be listed in the order of their words")]
    Forms {
        /// The class of the forms.
        class: String,
        /// Its size.
        found: usize,
        /// The class of the words.
        of: String,
        /// Its size.
        expected: usize,
    },
    /// A template does not have exactly one tree per side in a mode.
    #[error("template `{template}` has {found} {side} trees {mode} (expected one)")]
    Sides {
        /// The template.
        template: String,
        /// Premise or hypothesis.
        side: &'static str,
        /// The number of trees.
        found: usize,
        /// The mode.
        mode: &'static str,
    },
    /// Templates with the same id belong to different subcases.
    #[error("template `{0}` already belongs to another subcase")]
    SharedId(String),
    /// A template has too many slots or shapes.
    #[error("template `{template}` is too large: {what}")]
    TooLarge {
        /// The template.
        template: String,
        /// What exceeds the limit.
        what: &'static str,
    },
    /// Two templates of a subcase generate the same pair.
    #[error(
        "template `{template}` generates pairs that template `{other}` (line {line}) generates too; a pair must come from one template of its subcase"
    )]
    SamePairs {
        /// The template.
        template: String,
        /// The other template.
        other: String,
        /// The line of the other template.
        line: usize,
    },
    /// No verb of a class is frequent enough in a corpus.
    #[error(
        "no verb of class `{class}` occurs at least {threshold} times in the corpus in each of its frames ({frames}); it is needed by {subcases}"
    )]
    RareClass {
        /// The class.
        class: String,
        /// The frames that its templates use.
        frames: String,
        /// The required frequency.
        threshold: u64,
        /// The subcases that need it.
        subcases: String,
    },
    /// No verb that the trees of a subcase contain is frequent enough in a corpus.
    #[error("no verb of subcase `{subcase}` occurs at least {threshold} times in the corpus in each of its frames")]
    RareSubcase {
        /// The subcase.
        subcase: String,
        /// The required frequency.
        threshold: u64,
    },
    /// A template that generates no pair.
    #[error("template `{0}` generates no pair: its words repeat in every draw")]
    NoPairs(String),
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}
