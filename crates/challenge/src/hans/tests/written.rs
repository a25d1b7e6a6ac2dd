//! Tests of grammars written by users, valid and invalid.

use super::*;
use proptest::prelude::*;

/// A grammar with these lines after eleven valid ones.
fn grammar(lines: &str) -> Result<Grammar, GrammarError> {
    let beginning = "class nouns NN\n  doctor judge actor\nclass plurals NNS forms of nouns\n  doctors judges actors\nclass verbs\n  saw helped\n\
                     class all = nouns + plurals\nphrase NP\n  1 (NP (DT the) (* $noun:all))\nsubcase s: h, neutral\n";
    Grammar::read(&format!("{beginning}{lines}"), "my.grammar")
}

#[track_caller]
fn check(lines: &str, expected: &str) {
    let found = grammar(lines).map_or_else(|error| error.to_string(), |_| "sound".to_string());
    assert_eq!(found, expected, "{lines}");
}

const PREMISE: &str = "template t weight 1\n  premise (S $a:NP (VP (VBD $v:verbs) $b:NP) (. .))\n";

#[test]
fn a_valid_grammar_is_read() {
    check(&format!("{PREMISE}  hypothesis (S $b (VP (VBD $v) $a) (. .))\n"), "sound");
}

#[test]
fn errors_name_line_and_slot() {
    let hypothesis = |tree: &str, expected: &str| check(&format!("{PREMISE}  hypothesis {tree}\n"), expected);
    hypothesis("(S $c (VP (VBD $v) $a) (. .))", "my.grammar:13: slot $c is not drawn before it is used; did you mean `a`?");
    hypothesis("(S $a.nouns (VP (VBD $v)))", "my.grammar:13: slot $a.nouns is not drawn before it is used; did you mean `a.noun`?");
    hypothesis("(S $a (VP $v $b) (. .))", "my.grammar:13: slot $v is a word and needs a tag, as in (NN $v)");
    hypothesis(
        "(S $a (VP (* $v) $b) (. .))",
        "my.grammar:13: slot $v takes its tag from class `verbs`, which has none (write `class verbs TAG`)",
    );
    hypothesis("(S $a:NP (VP (VBD $v)))", "my.grammar:13: slot $a is drawn twice (write $a without its class to use the first draw again)");
    hypothesis("(S $c:NPP (VP (VBD $v)))", "my.grammar:13: unknown class or phrase `NPP`; did you mean `NP`?");
    hypothesis("(S $a (VP (VBD $v)", "my.grammar:13: column 32: the bracket `(VP` is not closed");
    hypothesis("(S $a (VP (VBD $v))) x", "my.grammar:13: column 35: unexpected text after the end of the tree");
    hypothesis("S", "my.grammar:13: column 14: a tree begins with `(`");
    hypothesis("(TEXT a)", "my.grammar:13: column 1: the outermost bracket needs a phrase label, such as S");
    hypothesis("(S (VP (TEXT a) (TEXT b)) $a)", "my.grammar:13: column 1: in `(VP ...)`: this bracket would be empty in the parses");
    hypothesis("(S (NN \"\") $a)", "my.grammar:13: column 21: a word is empty or contains a bracket (write -LRB- and -RRB- for brackets)");
    hypothesis(
        "(S $a ran)",
        "my.grammar:13: column 1: in `(S ...)`: a word next to a phrase needs its own bracket with a tag, such as (DT the)",
    );
}

#[test]
fn other_mistakes_are_reported() {
    check("", "my.grammar:10: `the grammar` is empty");
    check(
        "subcase t: h, maybe\n",
        "my.grammar:11: `maybe` is not a label (expected entailment, neutral, contradiction, non-entailment, e/n/c, yes/no/unknown, or a number below 3)",
    );
    check("noun x\n", "my.grammar:11: unknown entry `noun`; expected quirk, class, phrase, subcase or template");
    check("  doctor\n", "my.grammar:11: this line belongs to no entry; a class, phrase or template must come before it");
    check("class nouns\n", "my.grammar:11: `nouns` is defined twice");
    check(
        &format!("class more forms of verbs\n  sees\n{PREMISE}"),
        "my.grammar:11: `more` has 1 words and `verbs` has 2: forms must be listed in the order of their words",
    );
    check("template t weight -1\n", "my.grammar:11: invalid weight `-1`: expected a positive number such as 2, 0.25 or 1/6");
    check(PREMISE, "my.grammar:11: template `t` has 0 hypothesis trees in the clean mode (expected one)");
    check(
        "template t weight 1\n  premise (S $a:NP $a (. .))\n  hypothesis (S $a (. .))\n",
        "my.grammar:12: slot $a.noun is used twice in the premise; drawn words must not repeat",
    );
    check(
        "phrase X\n  1 (X $x:X (. .))\ntemplate t weight 1\n  premise (S $x:X)\n  hypothesis (S $x)\n",
        "my.grammar:11: phrase `X` contains itself",
    );
    let wide = format!("phrase W\n{}template t weight 1\n  premise (S $a:W $b:W $c:W)\n  hypothesis (S $a)\n", "  1 (X x)\n".repeat(30));
    check(&wide, "my.grammar:43: template `t` is too large: its phrases combine in more than 10,000 ways");
    check("template t weight 1\n  premise (S $a:NP) [odd]\n", "my.grammar:12: unknown quirk `odd`");
    let twice = format!("{PREMISE}  hypothesis (S $a)\n{}  hypothesis (S $a)\n", PREMISE.replace(" t ", " u "));
    check(
        &twice,
        "my.grammar:14: template `u` generates pairs that template `t` (line 11) generates too; a pair must come from one template of its subcase",
    );
    let one = "class one\n  x\ntemplate t weight 1\n  premise (S (X $a:one) (X $b:one))\n  hypothesis (S (X $a))\n";
    check(one, "my.grammar:13: template `t` generates no pair: its words repeat in every draw");
}

#[test]
fn drawn_words_do_not_repeat_fixed_ones_or_forms_of_each_other() {
    let lines =
        "template t weight 1\n  premise (S (NP (NN doctor)) (VP (VBD $v:verbs) $b:NP) (. .))\n  hypothesis (S $b (VP (VBD $v)) (. .))\n";
    let set = grammar(lines).unwrap().set_up(Mode::Clean).unwrap();
    assert_eq!(set.templates()[0].pairs, 2 * 4, "neither doctor nor doctors");
    let (made, _) = rows(&set, GeneratorSettings { amount: Amount::All, ..Default::default() });
    assert_eq!(made.len(), 8);
    assert_eq!(made[0].gold().name(), "neutral");
    let (drawn, _) = rows(&set, GeneratorSettings { amount: Amount::PerSubcase(8), ..Default::default() });
    assert_eq!(drawn.iter().map(texts).collect::<HashSet<_>>(), made.iter().map(texts).collect());
}

#[test]
fn a_hypothesis_may_draw_its_own_words() {
    let lines = "template t weight 1\n  premise (S $a:NP (VP (VBD $v:verbs)) (. .))\n  hypothesis (S $c:NP (VP (VBD $v)) (. .))\n";
    let set = grammar(lines).unwrap().set_up(Mode::Clean).unwrap();
    assert_eq!(set.templates()[0].pairs, 6 * 4 * 2);
    let (made, _) = rows(&set, GeneratorSettings { amount: Amount::All, ..Default::default() });
    for row in made {
        let (premise, hypothesis) = texts(&row);
        assert_eq!(Identifier::new([&set]).readings(&premise, &hypothesis).len(), 1);
    }
}

#[test]
fn the_worked_example_of_the_manual_is_correct() {
    let manual = include_str!("../../../../../docs/grammar.md");
    let block = |fence: &str| manual.split(fence).nth(1).and_then(|rest| rest.split("```").next()).expect("the manual has its example");
    let grammar = Grammar::read(block("```grammar\n"), "docs/grammar.md").unwrap();
    let set = grammar.set_up(Mode::Clean).unwrap();
    let (made, _) = rows(&set, GeneratorSettings { amount: Amount::PerSubcase(2), ..Default::default() });
    let lines: String =
        made.iter().map(|row| format!("{}: {} -> {}\n", row.gold(), row.text(Side::Premise), row.text(Side::Hypothesis))).collect();
    assert_eq!(lines, block("```pairs\n"));
}

/// Random grammars, about half of them valid, with fragments of others mixed in.
fn any_grammar() -> impl Strategy<Value = String> {
    let beginnings = ["class c NN\n  a b \"x y\" p+q\nclass f NN forms of c\n  as bs xs ps\n", "class c NN\n  é z z\nclass f = c + c\n"];
    let phrases = [
        "phrase P\n  2 (NP (DT the) (* $n:c))\n  1/3 (NP (* $n:f))\n",
        "phrase P\n  1 (NP (NN $n:f) (NN $m=a))\n",
        "phrase P\n  1 (P $x:P)\n",
    ];
    let premises = ["(S $a:P (. .))", "(S $a:P (V (VB sees)) $b:P)", "(S (NN $a:c) (TEXT the) (* $b:f))", "(S $a:P (NN"];
    let hypotheses = ["(S $a)", "(S (NN $a))", "(S $a $a (X $b))", "(S $a.n)", "(S (X $a.n) $q:P)"];
    let noise =
        ["", "", "", "quirk q: x\n", "  a\n", "template u weight 1 pivot $a.n\n", "  hypothesis (S é) [q]\n", "(", "$", "\"", "é\n", "\t"];
    let one = |of: &[&'static str]| prop::sample::select(of.to_vec());
    let parts = (one(&beginnings), one(&noise), one(&phrases), one(&premises), one(&hypotheses), one(&noise));
    parts.prop_map(|(beginning, early, phrase, premise, hypothesis, late)| {
        let template = format!("template t weight 1/2\n  premise {premise}\n  hypothesis {hypothesis}\n");
        format!("{beginning}{early}{phrase}subcase s: h, neutral\n{template}{late}")
    })
}

proptest! {
    #[test]
    fn any_grammar_is_refused_or_generates_as_many_pairs_as_it_counts(text in any_grammar()) {
        let Ok(grammar) = Grammar::read(&text, "any") else { return Ok(()) };
        let set = grammar.set_up(Mode::AsPublished).unwrap();
        let (made, _) = rows(&set, GeneratorSettings { amount: Amount::All, ..Default::default() });
        prop_assert_eq!(made.len() as u128, set.subcases().iter().map(|subcase| subcase.pairs).sum::<u128>());
        for row in made {
            let (premise, hypothesis) = texts(&row);
            prop_assert!(Identifier::new([&set]).readings(&premise, &hypothesis).iter().any(|reading| reading.row.key() == row.key()));
            prop_assert!(acidtest_lingua::Tree::read(&row.parse(Side::Hypothesis)).is_ok());
        }
    }
}
