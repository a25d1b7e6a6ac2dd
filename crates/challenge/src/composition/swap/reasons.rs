//! Why a sentence is left out.

use crate::NotApplicable;
pub(super) use crate::writing::SLIP;

macro_rules! reasons {
    ($($name:ident = $text:literal;)*) => {
        $(pub(super) const $name: NotApplicable = NotApplicable($text);)*
    };
}

reasons! {
    NO_CLAUSE = "no subject and verb";
    NO_OBJECT = "no direct object";
    QUESTION = "a question or an inverted clause";
    OTHER_PARTS = "other phrases besides subject, verb and object";
    NOT_TOGETHER = "discontinuous subject or object";
    NO_NOUN = "subject or object without a head noun at its end";
    COMMA = "a comma in or after subject or object";
    COORDINATION = "coordinated clauses, verbs or objects";
    TWO_OBJECTS = "two objects";
    PASSIVE = "passive";
    COPULA = "copula";
    EXPLETIVE = "expletive or indefinite subject";
    REFLEXIVE = "reflexive or reciprocal pronoun";
    PRONOUN = "pronoun or quantifier as subject or object";
    PRONOUN_AFTER = "a pronoun after the object that would refer to something else";
    NEGATION = "negation";
    MODAL = "modal verb";
    QUANTIFIER = "quantified subject or object";
    DISJUNCTION = "a disjunction";
    SYMMETRIC = "symmetric or reciprocal verb";
    MUTUAL = "verb whose relation may hold in both directions";
    LIGHT = "light, stative or labile verb";
    PARTICLE = "verb with a particle that may be a preposition";
    TIME = "object of time or measure";
    EVENT = "object that goes with a light verb";
    ABSTRACT = "subject or object that is not concrete";
    DEPICTION = "a picture of something as subject";
    BODY_PART = "body part of the subject as object";
    SAME_HEAD = "the same noun as subject and object";
    SAME_MEANING = "the result means the same";
    BARE = "singular noun without a determiner";
    NUMBER = "determiner, noun and verb that do not agree in number";
    VERB_FORM = "verb form that does not fit its tag";
    CLAUSE_AFTER = "a clause or noun after the object that would stay behind when the object moves";
    OTHER_VERB = "a caption with another finite verb";
    DISAGREE = "the corpus's parse and our own disagree";
    CONTROL_CLAUSE = "no control: another clause without a subject of its own";
    CONTROL_PHRASE = "no control: a phrase that may go with subject or object";
    CONTROL_PRONOUN = "no control: a pronoun after the object";
    CONTROL_MODIFIER = "no control: a modifier of the object would stay behind";
    CONTROL_VERB = "no control: the passive of the verb is unusual";
    CONTROL_BARE = "no control: a noun without a determiner";
}
