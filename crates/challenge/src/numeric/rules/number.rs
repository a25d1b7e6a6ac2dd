//! Rules about a number and the words around it.

use super::{Rule, Stops};
use crate::numeric::candidate::Candidate;
use crate::numeric::lists::List;
use acidtest_lingua::analyzer::Word;
use acidtest_lingua::numbers::NumberKind;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;

pub(super) const YEAR: Rule = Rule {
    name: "year",
    reason: "a year",
    stops: Stops::Number(|candidate| candidate.number.kind == NumberKind::Year),
    stopped: "Tom counted 1970 apples.",
    passed: "Tom counted 970 apples.",
};

pub(super) const DATE: Rule = Rule {
    name: "date",
    reason: "a date or a time of day",
    stops: Stops::Number(|candidate| {
        let near = |word: &String| List::Month.has(word) || List::Clock.has(word);
        candidate.before().last().is_some_and(near) || candidate.after().first().is_some_and(near)
    }),
    stopped: "Tom picked on Aug. 12 apples.",
    passed: "Tom picked 12 apples on Aug. 3.",
};

pub(super) const LABEL: Rule = Rule {
    name: "label",
    reason: "the number of a page, a room, a grade and the like",
    stops: Stops::Number(|candidate| List::Label.ends(candidate.before())),
    stopped: "Tom sat in row 12 seats away.",
    passed: "Tom sat 12 seats away.",
};

pub(super) const HYPHEN: Rule = Rule {
    name: "hyphen",
    reason: "a hyphen, a slash or a colon beside the number, or no space before it",
    stops: Stops::Number(|candidate| {
        let joins = |word: &Word| word.form.starts_with(['-', '–', '/', ':', '~', '#']);
        // `6 red ties,10 blue ties`
        let touches = |word: &Word| word.end == candidate.words()[candidate.first].start && matches!(word.form.as_str(), "," | ";" | ".");
        let joined_before = |word: &Word| joins(word) || word.form.ends_with(['-', '/', '#']) || touches(word);
        candidate.previous().is_some_and(joined_before) || candidate.next().is_some_and(joins)
    }),
    stopped: "Tom ate #12 apples.",
    passed: "Tom ate 12 well-washed apples.",
};

pub(super) const COMPARATOR: Rule = Rule {
    name: "comparator",
    reason: "a comparison before the number",
    stops: Stops::Number(|candidate| List::Comparator.ends(candidate.before())),
    stopped: "Tom went biking at least 10 miles.",
    passed: "Tom went biking 10 miles.",
};

pub(super) const APPROXIMATION: Rule = Rule {
    name: "approximation",
    reason: "an approximation before the number",
    stops: Stops::Number(|candidate| List::Approximation.ends(candidate.before())),
    stopped: "Tom ate about 12 apples.",
    passed: "Tom ate 12 apples.",
};

pub(super) const EXACTNESS: Rule = Rule {
    name: "exactness",
    reason: "a word before the number that `more than` cannot follow",
    stops: Stops::Number(|candidate| {
        let modifies = |word: &Word| is_adjective(word) || is_adverb(word) || matches!(word.tag, Tag::CD | Tag::PDT | Tag::WDT | Tag::WRB);
        // `16 of 36 delegates` is a share.
        let share = candidate.before().last().is_some_and(|word| word == "of")
            && candidate.first.checked_sub(2).is_some_and(|place| candidate.words()[place].tag == Tag::CD);
        List::Exactness.ends(candidate.before()) || candidate.previous().is_some_and(modifies) || share
    }),
    stopped: "Tom ate another 12 apples.",
    passed: "Tom ate 12 sour apples.",
};

pub(super) const RANGE: Rule = Rule {
    name: "range",
    reason: "one end of a range",
    stops: Stops::Number(|candidate| {
        let is_number = |place: usize| candidate.words().get(place).is_some_and(|word| word.tag == Tag::CD);
        let joined_before = candidate.first.checked_sub(2).is_some_and(|place| {
            List::Range.has(&candidate.lower[candidate.first - 1]) && (is_number(place) || place.checked_sub(1).is_some_and(is_number))
        });
        let joins_after =
            |place: usize| candidate.lower.get(place).is_some_and(|word| List::Range.has(word)) && is_number_or_sign(candidate, place + 1);
        joined_before || (candidate.end..candidate.end + 3).any(joins_after)
    }),
    stopped: "Tom ate five or six apples.",
    passed: "Tom ate five apples or pears.",
};

pub(super) const DEFINITE: Rule = Rule {
    name: "definite",
    reason: "a definite number, such as `these two` or `his three`",
    stops: Stops::Number(|candidate| {
        let definite = |word: &Word| List::Definite.has(&word.form.to_lowercase()) || matches!(word.tag, Tag::PRPS | Tag::POS);
        let of_noun = |noun: usize| {
            let mut dependents = candidate.dependents(noun).filter(|(place, _)| *place < candidate.first);
            dependents.any(|(_, word)| matches!(word.relation, Relation::Det | Relation::NmodPoss | Relation::DetPredet))
        };
        candidate.previous().is_some_and(definite) || candidate.noun().is_some_and(of_noun) || says_how_much(candidate)
    }),
    stopped: "Tom ate these 12 apples.",
    passed: "Tom ate 12 of these apples and 13 pears.",
};

/// Whether the number says how much something definite is (`at the speed of 80 miles an hour`), or what each is one of (`each of 12 games`): `of`
/// takes no bound there.
fn says_how_much(candidate: &Candidate<'_>) -> bool {
    let Some(of) = candidate.first.checked_sub(1).filter(|&of| candidate.lower[of] == "of") else {
        return false;
    };
    let of_noun = |word: &&Word| matches!(word.tag, Tag::NN | Tag::NNS | Tag::NNP | Tag::JJ | Tag::JJR | Tag::JJS | Tag::VBG | Tag::CD);
    let run = candidate.words()[..of].iter().rev().take_while(of_noun).count();
    let Some(before) = (of - run).checked_sub(1).map(|place| (&candidate.words()[place], candidate.lower[place].as_str())) else {
        return false;
    };
    match before {
        (_, "each" | "all" | "both" | "any" | "either") if run == 0 => true,
        (word, lower) => {
            run > 0 && (matches!(word.tag, Tag::PRPS | Tag::POS) || matches!(lower, "the" | "this" | "that" | "these" | "those"))
        }
    }
}

pub(super) const EVERY: Rule = Rule {
    name: "every",
    reason: "`every`, `each` or `per` before the number",
    stops: Stops::Number(|candidate| candidate.before().last().is_some_and(|word| List::Every.has(word))),
    stopped: "Tom eats every 12 hours.",
    passed: "Tom eats 12 apples every day.",
};

pub(super) const TIME: Rule = Rule {
    name: "time",
    reason: "a measure after `in`, `by`, `after`, `before` and the like, or one whose end points are given",
    stops: Stops::Number(|candidate| {
        let behind = candidate.noun().map_or(candidate.end, |noun| noun + 1);
        let from = candidate.lower.get(behind).is_some_and(|word| word == "from");
        let ends = from && candidate.lower[behind..].iter().any(|word| matches!(word.as_str(), "to" | "until" | "through"));
        List::Time.ends(candidate.before()) || ends
    }),
    stopped: "Tom left after 12 days.",
    passed: "Tom stayed for 12 days.",
};

pub(super) const AFTER: Rule = Rule {
    name: "after",
    reason: "`times`, `of the`, `more` and the like after the number",
    stops: Stops::Number(|candidate| {
        // `pounds` and `dollars` belong to the number, but are followed by what follows nouns.
        let has_unit = List::Unit.has(&candidate.lower[candidate.end - 1]);
        let noun = if has_unit { Some(candidate.end - 1) } else { candidate.noun() };
        let behind_noun = noun.map_or(&[][..], |noun| &candidate.lower[noun + 1..]);
        let follows_noun = |word: &String| matches!(word.as_str(), "of" | "to" | "by" | "or");
        let after_noun = List::After.begins(behind_noun) && !behind_noun.first().is_some_and(follows_noun);
        (!has_unit && List::After.begins(candidate.after())) || after_noun
    }),
    stopped: "Tom ate 12 of the apples.",
    passed: "Tom ate 12 boxes of apples.",
};

/// Whether the number is one side of something that is measured in two directions: `12 inches by 6 inches`.
fn is_side_of_area(candidate: &Candidate<'_>) -> bool {
    let is_by = |place: usize| candidate.lower.get(place).is_some_and(|word| matches!(word.as_str(), "by" | "x"));
    let is_number = |place: usize| candidate.words().get(place).is_some_and(|word| word.tag == Tag::CD);
    let behind = candidate.noun().map_or(candidate.end, |noun| noun + 1);
    let second =
        candidate.first.checked_sub(1).is_some_and(|by| is_by(by) && candidate.words()[..by].iter().any(|word| word.tag == Tag::CD));
    second || (is_by(behind) && is_number(behind + 1))
}

pub(super) const LIST: Rule = Rule {
    name: "list",
    reason: "one of several numbers in a row",
    stops: Stops::Number(|candidate| {
        let is_join = |place: usize| candidate.lower.get(place).is_some_and(|word| matches!(word.as_str(), "," | "and" | "&"));
        let skipped = |place: usize| place + usize::from(is_join(place)) + usize::from(is_join(place) && is_join(place + 1));
        let after = skipped(candidate.end);
        let number_after = after > candidate.end && is_number_or_sign(candidate, after) && !begins_counted(candidate, after);
        let number_before = (1..=2).any(|back| {
            let joined = (1..=back).all(|place| candidate.first.checked_sub(place).is_some_and(is_join));
            joined && candidate.first.checked_sub(back + 1).is_some_and(|place| candidate.words()[place].tag == Tag::CD)
        });
        number_after || number_before || in_compound_measure(candidate) || is_side_of_area(candidate)
    }),
    stopped: "Tom ran 5 feet 6 inches.",
    passed: "Tom ran 5 miles and ate 6 apples.",
};

pub(super) const NOUN: Rule = Rule {
    name: "noun",
    reason: "the number does not count a plural noun",
    stops: Stops::Number(|candidate| {
        if matches!(candidate.number.kind, NumberKind::Percent) || candidate.is_money() {
            return false;
        }
        let Some(noun) = candidate.noun() else { return true };
        let plural = matches!(candidate.words()[noun].tag, Tag::NNS) || List::Unit.has(&candidate.lower[noun]);
        let between = &candidate.words()[candidate.end..noun];
        let fits = |word: &Word| {
            is_adjective(word) || matches!(word.tag, Tag::NN | Tag::NNS | Tag::NNP | Tag::VBG | Tag::VBN | Tag::CC | Tag::Comma)
        };
        !plural || between.len() > 4 || !between.iter().all(fits)
    }),
    stopped: "Tom lives at 12 Oak Street.",
    passed: "Tom planted 12 tall oak trees.",
};

pub(super) const DENOMINATION: Rule = Rule {
    name: "denomination",
    reason: "the number is part of a measure or price before a noun",
    stops: Stops::Number(|candidate| {
        let noun_follows = candidate.next().is_some_and(|word| is_noun(word) || is_adjective(word) || word.tag == Tag::VBG);
        let unit_between =
            candidate.noun().is_some_and(|noun| candidate.lower[candidate.end..noun].iter().any(|word| List::Unit.has(word)));
        (candidate.is_money() && noun_follows) || unit_between
    }),
    stopped: "Tom has 50 paise coins.",
    passed: "Tom has 50 paise in coins.",
};

pub(super) const NAME: Rule = Rule {
    name: "name",
    reason: "the number is part of a name",
    stops: Stops::Number(|candidate| {
        let inside = candidate.sentence.names.iter().any(|name| name.start < candidate.end && candidate.first < name.end);
        let capital = candidate.next().is_some_and(|word| word.form.starts_with(char::is_uppercase));
        inside || capital
    }),
    stopped: "Tom watches 60 Minutes.",
    passed: "Tom watches 60 films.",
};

pub(super) const REPEATED: Rule = Rule {
    name: "repeated",
    reason: "the same number occurs twice in the sentence",
    stops: Stops::Number(|candidate| candidate.numbers.iter().filter(|other| other.value == candidate.number.value).count() > 1),
    stopped: "Tom has 12 apples and sells 12 apples.",
    passed: "Tom has 12 apples and sells 13 pears.",
};

pub(super) const GENERAL: Rule = Rule {
    name: "general",
    reason: "the number is part of a general description, such as `a box of 12 eggs`",
    stops: Stops::Number(|candidate| {
        let Some(counted) = candidate.noun().or_else(|| candidate.head_of(candidate.end - 1)) else { return false };
        let mut at = counted;
        for _ in 0..candidate.words().len() {
            let Some(head) = candidate.head_of(at) else { return false };
            if is_general(candidate, head, at) {
                return true;
            }
            at = head;
        }
        false
    }),
    stopped: "A box of 12 apples costs money.",
    passed: "Tom bought a box of 12 apples.",
};

pub(super) const CONSTANT: Rule = Rule {
    name: "constant",
    reason: "a well-known number, such as the number of days in a week",
    stops: Stops::Number(|candidate| {
        let contains = |place: usize| List::Container.has(&candidate.lower[place]) && is_any(candidate, place);
        let behind = candidate.noun().map_or(candidate.end, |noun| noun + 1);
        let within = candidate.lower.get(behind).is_some_and(|word| matches!(word.as_str(), "in" | "to"));
        let contained = within && (behind + 1..(behind + 4).min(candidate.lower.len())).any(contains);
        let root = candidate.words().iter().position(|word| word.relation == Relation::Root);
        let subject = root.and_then(|root| candidate.dependents(root).find(|(_, word)| word.relation.is_subject()));
        contained || subject.is_some_and(|(place, _)| contains(place))
    }),
    stopped: "There are 16 ounces in each pound.",
    passed: "There are 16 apples in each bag.",
};

pub(super) const CLAUSE: Rule = Rule {
    name: "clause",
    reason: "not a full sentence",
    stops: Stops::Number(|candidate| {
        let words = candidate.words();
        let Some(root) = words.iter().position(|word| word.relation == Relation::Root) else { return true };
        let subject = |(_, word): (usize, &Word)| word.relation.is_subject() || matches!(word.relation, Relation::Expl | Relation::Csubj);
        let auxiliary = |word: &Word| matches!(word.relation, Relation::Aux | Relation::AuxPass | Relation::Cop);
        let finite = is_finite(&words[root]) || candidate.dependents(root).any(|(_, word)| auxiliary(word) && is_finite(word));
        !candidate.dependents(root).any(subject) || !finite
    }),
    stopped: "Twelve apples on a plate.",
    passed: "Twelve apples are on a plate.",
};

fn is_finite(word: &Word) -> bool {
    matches!(word.tag, Tag::VBD | Tag::VBZ | Tag::VBP)
}

fn is_noun(word: &Word) -> bool {
    matches!(word.tag, Tag::NN | Tag::NNS | Tag::NNP | Tag::NNPS)
}

fn is_adjective(word: &Word) -> bool {
    matches!(word.tag, Tag::JJ | Tag::JJR | Tag::JJS)
}

fn is_adverb(word: &Word) -> bool {
    matches!(word.tag, Tag::RB | Tag::RBR | Tag::RBS)
}

/// Whether a number begins at a word, with or without a currency sign.
fn is_number_or_sign(candidate: &Candidate<'_>, place: usize) -> bool {
    candidate.words().get(place).is_some_and(|word| word.tag == Tag::CD || List::Currency.has(&candidate.lower[place]))
}

/// Whether the number at a word counts a noun of its own, and is not the rest of a list of bare numbers.
fn begins_counted(candidate: &Candidate<'_>, place: usize) -> bool {
    candidate.noun().is_some_and(|noun| noun < place) || candidate.is_money()
}

/// Whether the number and another are one measure: `5 feet 6 inches`, `2 hours and 30 minutes`.
fn in_compound_measure(candidate: &Candidate<'_>) -> bool {
    let unit = |place: usize| candidate.lower.get(place).is_some_and(|word| List::Unit.has(word));
    let number = |place: usize| candidate.words().get(place).is_some_and(|word| word.tag == Tag::CD);
    let and = |place: usize| candidate.lower.get(place).is_some_and(|word| matches!(word.as_str(), "and" | ","));
    let measure_end = if candidate.number.unit().is_some() || !unit(candidate.end) { candidate.end } else { candidate.end + 1 };
    let measured = unit(measure_end - 1);
    let next = measure_end + usize::from(and(measure_end));
    let followed = measured && number(next) && unit(next + 1);
    let Some(before) = candidate.first.checked_sub(1) else { return followed };
    let before = if and(before) { before.checked_sub(1) } else { Some(before) };
    let follows = measured && before.is_some_and(|place| unit(place) && place.checked_sub(1).is_some_and(number));
    followed || follows
}

/// Whether a noun speaks of things in general and one of its dependents describes them: `a box costs`, `every box`, `boxes`.
fn is_general(candidate: &Candidate<'_>, noun: usize, describes: usize) -> bool {
    let word = &candidate.words()[noun];
    let described = matches!(candidate.words()[describes].relation.base_name(), "nmod" | "acl" | "amod" | "appos" | "compound");
    if !is_noun(word) || !described {
        return false;
    }
    let mut determiners = candidate.dependents(noun).filter(|(_, word)| matches!(word.relation.base_name(), "det" | "nummod"));
    let possessed = candidate.dependents(noun).any(|(_, word)| word.relation == Relation::NmodPoss);
    match determiners.next() {
        _ if possessed => false,
        Some((place, _)) if word.relation.is_subject() => List::Universal.has(&candidate.lower[place]),
        Some((place, _)) => matches!(candidate.lower[place].as_str(), "each" | "every" | "any" | "all" | "no"),
        None => word.tag == Tag::NNS || (word.tag == Tag::NN && word.relation.is_subject()),
    }
}

/// Whether a noun means any thing of its kind: `a week`, `each pound`, `one mile`.
fn is_any(candidate: &Candidate<'_>, noun: usize) -> bool {
    let any = |word: &str| List::Universal.has(word) || matches!(word, "one" | "1");
    noun.checked_sub(1).is_some_and(|place| any(&candidate.lower[place]))
}
