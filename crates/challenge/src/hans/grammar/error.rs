//! What can be wrong with a grammar.

/// A grammar that cannot be used, with the line that is to blame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {problem}")]
pub struct GrammarError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: GrammarProblem,
}

/// What is wrong with a line of a grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrammarProblem {
    /// A line at the margin begins with no known word.
    #[error("unknown entry `{0}`; expected quirk, class, phrase, subcase or template")]
    UnknownEntry(String),
    /// The first line of an entry is not of its form.
    #[error("expected `{form}`")]
    Form {
        /// What would do.
        form: &'static str,
    },
    /// An indented line belongs to nothing.
    #[error("this line belongs to no entry; a class, phrase or template must come before it")]
    Stray,
    /// A name is given twice.
    #[error("`{0}` is defined twice")]
    Twice(String),
    /// A name that is used but not defined.
    #[error("unknown {kind} `{name}`{}", did_you_mean(.nearest))]
    Unknown {
        /// What kind of thing was looked for.
        kind: &'static str,
        /// The name.
        name: String,
        /// The known name that is nearest to it.
        nearest: Option<String>,
    },
    /// A weight is no positive number.
    #[error("invalid weight `{0}`: expected a positive number such as 2, 0.25 or 1/6")]
    Weight(String),
    /// A label is not known.
    #[error("{0}")]
    Label(#[from] acidtest_nli::UnknownLabel),
    /// A tree is not written as one.
    #[error("column {column}: {message}")]
    Tree {
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A slot takes what was not drawn.
    #[error("slot ${slot} is not drawn before it is used{}", did_you_mean(.nearest))]
    UnknownSlot {
        /// The slot.
        slot: String,
        /// The known slot that is nearest to it.
        nearest: Option<String>,
    },
    /// A slot is drawn twice.
    #[error("slot ${0} is drawn twice (write ${0} without its class to use the first draw again)")]
    SlotTwice(String),
    /// A slot stands twice in a premise, where no drawn word may repeat.
    #[error("slot ${0} is used twice in the premise; drawn words must not repeat")]
    SlotRepeated(String),
    /// A word slot stands where only a phrase can.
    #[error("slot ${0} is a word and needs a tag, as in (NN ${0})")]
    SlotNeedsTag(String),
    /// `(* $slot)` for words that have no tag.
    #[error("slot ${slot} takes its tag from class `{class}`, which gives none (write `class {class} TAG`)")]
    NoTag {
        /// The slot.
        slot: String,
        /// Its class.
        class: String,
    },
    /// A class or phrase has nothing to choose from.
    #[error("`{0}` is empty")]
    Empty(String),
    /// Phrases that contain themselves.
    #[error("phrase `{0}` contains itself")]
    Recursion(String),
    /// Forms and their words do not go together.
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
    /// A template lacks one of its trees, or has more than one, in a mode.
    #[error("template `{template}` has {found} {side} trees {mode} (expected one)")]
    Sides {
        /// The template.
        template: String,
        /// Premise or hypothesis.
        side: &'static str,
        /// How many.
        found: usize,
        /// The mode.
        mode: &'static str,
    },
    /// Templates that share an id are not of one subcase.
    #[error("template `{0}` already belongs to another subcase")]
    SharedId(String),
    /// More slots or shapes than can be dealt with.
    #[error("template `{template}` is too large: {what}")]
    TooLarge {
        /// The template.
        template: String,
        /// What there is too much of.
        what: &'static str,
    },
    /// Two ways to make one pair within a subcase.
    #[error(
        "template `{template}` generates pairs that template `{other}` (line {line}) generates too; a pair must come from one template of its subcase"
    )]
    SamePairs {
        /// The template.
        template: String,
        /// The other one.
        other: String,
        /// Where that stands.
        line: usize,
    },
    /// A corpus has no verb of a class often enough.
    #[error(
        "no verb of class `{class}` occurs at least {threshold} times in the corpus in each of its frames ({frames}); it is needed by {subcases}"
    )]
    RareClass {
        /// The class.
        class: String,
        /// The frames that its templates need.
        frames: String,
        /// How often is often enough.
        threshold: u64,
        /// The subcases that need it.
        subcases: String,
    },
    /// A corpus has no verb that the trees of a subcase name often enough.
    #[error("no verb of subcase `{subcase}` occurs at least {threshold} times in the corpus in each of its frames")]
    RareSubcase {
        /// The subcase.
        subcase: String,
        /// How often is often enough.
        threshold: u64,
    },
    /// A template of which no pair can be made.
    #[error("template `{0}` generates no pair: its words repeat in every draw")]
    NoPairs(String),
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}
