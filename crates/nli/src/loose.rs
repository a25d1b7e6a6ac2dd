//! Labels whose meaning is ambiguous.

/// Ambiguous labels that were read: numbers in an order that nobody gave, and `no` or `false`, which mean contradiction if there is
/// a third label and non-entailment in two-way data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LooseLabels {
    pub(crate) numbers: [bool; 3],
    pub(crate) no: bool,
    pub(crate) neutral: bool,
    pub(crate) named: bool,
    /// Whether unambiguous words were read.
    pub(crate) words: bool,
    /// Whether a number was read in the order that was given.
    pub(crate) ordered: bool,
}

/// Why the meaning of labels is ambiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LabelDoubt {
    /// At most two of three numbers occur.
    #[error("the labels are the numbers 0 and 1 without names, which is ambiguous (0 is entailment in RTE and non-entailment in WNLI)")]
    TwoNumbers,
    /// Numbers without 0.
    #[error("the labels are numbers without 0, perhaps counted from 1, and their meaning is not defined")]
    NoZero,
    /// Words and numbers.
    #[error("some labels are words and others are numbers, whose meaning is not defined")]
    WordsAndNumbers,
    /// `yes` and `no` alone.
    #[error("the labels are only yes and no (or true and false), so `no` could mean contradiction or non-entailment")]
    YesNo,
}

impl LooseLabels {
    /// Why these labels are ambiguous, if they are.
    pub fn doubt(self) -> Option<LabelDoubt> {
        match self {
            LooseLabels { words: true, .. } if self.has_numbers() => Some(LabelDoubt::WordsAndNumbers),
            LooseLabels { numbers: [zero, one, false], .. } if zero || one => Some(LabelDoubt::TwoNumbers),
            LooseLabels { numbers: [false, _, true], .. } => Some(LabelDoubt::NoZero),
            LooseLabels { no: true, neutral: false, .. } => Some(LabelDoubt::YesNo),
            _ => None,
        }
    }

    /// The same for predictions, in which a class may be missing: numbers without 0 are read in the usual order.
    pub fn doubt_of_answers(self) -> Option<LabelDoubt> {
        self.doubt().filter(|doubt| *doubt != LabelDoubt::NoZero)
    }

    /// Whether numbers were read in an order that nobody gave.
    pub fn has_numbers(self) -> bool {
        self.numbers.contains(&true)
    }

    /// Whether numbers were read in the order that the data gives them.
    pub fn has_named_numbers(self) -> bool {
        self.named
    }

    /// Whether numbers were read in the order that the user gave.
    pub fn has_ordered_numbers(self) -> bool {
        self.ordered
    }

    /// Whether any ambiguous label was read.
    pub fn any(self) -> bool {
        self.no || self.has_numbers()
    }

    /// Merges what was read elsewhere.
    pub fn add(&mut self, other: LooseLabels) {
        self.numbers.iter_mut().zip(other.numbers).for_each(|(seen, more)| *seen |= more);
        self.no |= other.no;
        self.neutral |= other.neutral;
        self.named |= other.named;
        self.words |= other.words;
        self.ordered |= other.ordered;
    }

    /// Merges the labels of annotators, which may be written in another way than the gold label.
    pub fn add_votes(&mut self, votes: LooseLabels) {
        let words = self.words;
        self.add(votes);
        self.words = words;
    }
}
