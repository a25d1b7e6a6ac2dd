//! The frames of template verbs, and grammars restricted by a corpus.

use super::*;
use acidtest_lingua::frames::{Frame, FrameCounts};
use serde_json::json;
use std::collections::BTreeSet;

const OWN: &str = "\
class people NN
  doctor judge actor

class liked
  admired thanked avoided

class asked
  hoped said

phrase ACT
  1   (VP (VBD $verb=paid) (NP (DT the) (* $whom:people)))
  3   (VP (VBD $verb=met) (NP (DT the) (* $whom:people)))

subcase swap: overlap, non-entailment

template one weight 1
  premise    (S (NP (DT the) (* $a:people)) (VP (VBD $v:liked) (NP (DT the) (* $b:people))) (. .))
  hypothesis (S (NP (DT the) (* $b)) (VP (VBD $v) (NP (DT the) (* $a))) (. .))

subcase under_verb: overlap, non-entailment

template two weight 1
  premise    (S (NP (DT the) (* $a:people)) (VP (VBD $v:asked) (SBAR (S (NP (DT the) (* $b:people)) (VP (VBD was) (ADJP (JJ angry)))))) (. .))
  hypothesis (S (NP (DT the) (* $b)) (VP (VBD was) (ADJP (JJ angry))) (. .))

subcase act: overlap, entailment

template three weight 1
  premise    (S (NP (DT the) (* $a:people)) $act:ACT (. .))
  hypothesis (S (NP (DT the) (* $a)) $act (. .))
";

fn counts(verbs: &[(&str, Frame, u64)]) -> CorpusFrames {
    let mut all: BTreeMap<String, FrameCounts> = BTreeMap::new();
    for (verb, frame, count) in verbs {
        let counts = all.entry(verb.to_string()).or_default();
        match frame {
            Frame::Object => counts.object = *count,
            Frame::Clause => counts.clause = *count,
            Frame::NoObject => counts.no_object = *count,
            Frame::Passive => counts.passive = *count,
            Frame::Participle => counts.participle = *count,
        }
    }
    let rule = FrameRule { threshold: 5, strictness: FrameStrictness::Active };
    CorpusFrames { counts: all, examples: 100, files: Vec::new(), rule }
}

/// Frequencies under which every verb of a grammar is frequent enough.
fn plenty(grammar: &Grammar) -> CorpusFrames {
    let all = FrameCounts { object: 9, clause: 9, clause_without_that: 9, no_object: 9, passive: 9, participle: 9 };
    let lemmas = grammar.verbs(Mode::Clean).unwrap().lemmas();
    CorpusFrames { counts: lemmas.into_iter().map(|lemma| (lemma, all)).collect(), ..counts(&[]) }
}

fn words(verbs: &GrammarVerbs, class: &str) -> BTreeMap<String, Vec<&'static str>> {
    let class = verbs.classes.iter().find(|found| found.name.as_deref().unwrap_or(FIXED_VERBS) == class).unwrap();
    class.verbs.iter().map(|verb| (verb.word.clone(), verb.frames.iter().map(|frame| frame.name()).collect())).collect()
}

#[test]
fn frames_are_read_from_the_template_trees() {
    for mode in [Mode::Clean, Mode::AsPublished] {
        let verbs = Grammar::built_in().verbs(mode).unwrap();
        let frames = |class: &str| words(&verbs, class).into_values().collect::<BTreeSet<_>>();
        for (class, expected) in [
            ("transitive_verbs", vec!["object"]),
            ("intransitive_verbs", vec!["no object"]),
            ("passive_verbs", vec!["object", "passive"]),
            ("nps_verbs", vec!["object", "clause"]),
            ("npz_verbs", vec!["object", "no object"]),
            ("npz_verbs_plural", vec!["object", "no object"]),
            ("past_participles", vec!["no object", "reduced participle"]),
            ("nonentailing_quot_vebs", vec!["clause"]),
            ("const_quot_entailed", vec!["clause"]),
            (FIXED_VERBS, vec!["object", "no object"]),
        ] {
            assert_eq!(frames(class), BTreeSet::from([expected]), "{class}");
        }
        assert_eq!(verbs.classes.len(), 10);
        let merged = verbs.verbs();
        let of = |frame| merged.iter().filter(|verb| verb.frames.contains(&frame)).count();
        assert_eq!(Frame::ALL.map(of), [30, 11, 23, 14, 5], "83 verb-frames");
        let believed = merged.iter().find(|verb| verb.word == "believed").unwrap();
        assert_eq!((believed.lemma.as_str(), believed.frames.len()), ("believe", 3));
        let lemmas: Vec<&str> = ["saw", "hid", "fought", "read", "left", "won"]
            .map(|word| merged.iter().find(|verb| verb.word == word).unwrap().lemma.as_str())
            .to_vec();
        assert_eq!(lemmas, ["see", "hide", "fight", "read", "leave", "win"]);
    }
}

#[test]
fn a_verb_in_an_object_relative_needs_an_object() {
    let grammar = "class verbs\n  saw\n\nsubcase one: h, entailment\n\ntemplate t weight 1\n  \
                   premise    (S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (NP (PRP we)) (VP (VBD $v:verbs))))) (VP (VBD was) (ADJP (JJ late))) (. .))\n  \
                   hypothesis (S (NP (DT the) (NN man)) (VP (VBD was) (ADJP (JJ late))) (. .))\n";
    let verbs = Grammar::read(grammar, "own").unwrap().verbs(Mode::Clean).unwrap();
    assert_eq!(words(&verbs, "verbs")["saw"], ["object"]);
}

#[test]
fn copulas_and_auxiliaries_need_no_frame() {
    let verbs = Grammar::read(OWN, "own").unwrap().verbs(Mode::Clean).unwrap();
    let names: Vec<String> = verbs.verbs().into_iter().map(|verb| verb.word).collect();
    assert_eq!(names, ["admired", "thanked", "avoided", "hoped", "said", "paid", "met"]);
}

#[test]
fn frequent_verbs_leave_the_set_unchanged() {
    let grammar = Grammar::built_in();
    let restricted = grammar.set_up_with_frames(Mode::Clean, &plenty(&grammar)).unwrap();
    let settings = || GeneratorSettings { amount: Amount::PerSubcase(20), ..Default::default() };
    let whole = set(Mode::Clean);
    let texts_of = |set: &TemplateSet| rows(set, settings()).0.iter().map(texts).collect::<Vec<_>>();
    assert_eq!(texts_of(&restricted), texts_of(&whole));
}

#[test]
fn rare_verbs_are_not_drawn() {
    let grammar = Grammar::read(OWN, "own").unwrap();
    let mut frames = plenty(&grammar);
    for (lemma, change) in [("thank", 4), ("hope", 0), ("pay", 4)] {
        let counts = frames.counts.get_mut(lemma).unwrap();
        (counts.object, counts.clause) = (change, change);
    }
    let restricted = grammar.set_up_with_frames(Mode::Clean, &frames).unwrap();
    let (rows, _) = rows(&restricted, GeneratorSettings { amount: Amount::All, ..Default::default() });
    let drawn: BTreeSet<String> = rows.iter().map(|row| texts(row).0.split(' ').nth(2).unwrap().to_string()).collect();
    assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["admired", "avoided", "met", "said"]);
    assert_eq!(rows.len(), 2 * 6 + 6 + 6);
    let shares: Vec<f64> = restricted.templates().iter().map(|template| template.share).collect();
    assert!(shares.iter().all(|share| (share - 1.0).abs() < 1e-9), "{shares:?}");
}

#[test]
fn a_verb_is_judged_separately_in_each_class() {
    let grammar = Grammar::built_in();
    let mut frames = plenty(&grammar);
    frames.counts.get_mut("know").unwrap().object = 0;
    let restricted = grammar.set_up_with_frames(Mode::Clean, &frames).unwrap();
    let category = |name: &str| restricted.categories().iter().any(|category| category.name == name);
    assert!(!category("sn_NP/S:temp37:knew") && category("sn_NP/S:temp37:heard"));
    assert!(category("ce_embedded_under_verb:temp61:knew"));
}

#[test]
fn an_empty_class_is_an_error_that_names_its_subcases() {
    let grammar = Grammar::built_in();
    let mut frames = plenty(&grammar);
    for counts in frames.counts.values_mut() {
        counts.participle = 0;
    }
    assert!(grammar.set_up_with_frames(Mode::Clean, &frames).is_ok(), "participles exclude nothing by default");
    frames.rule.strictness = FrameStrictness::All;
    let error = grammar.set_up_with_frames(Mode::Clean, &frames).unwrap_err().to_string();
    assert!(error.contains("no verb of class `past_participles` occurs at least 5 times"), "{error}");
    assert!(error.contains("(no object, reduced participle); it is needed by sn_past_participle"), "{error}");
    let rest = grammar.with_subcases(&[], &["sn_past_participle".to_string()]).unwrap();
    assert!(rest.set_up_with_frames(Mode::Clean, &frames).is_ok());
    assert!(grammar.with_subcases(&["sn_past".to_string()], &[]).is_err());
}

#[test]
fn a_subcase_with_only_rare_verbs_in_its_trees_is_an_error() {
    let grammar = Grammar::read(OWN, "own.grammar").unwrap();
    let mut frames = plenty(&grammar);
    for verb in ["pay", "meet"] {
        frames.counts.remove(verb);
    }
    let error = grammar.set_up_with_frames(Mode::Clean, &frames).unwrap_err().to_string();
    assert!(error.starts_with("own.grammar:") && error.contains("no verb of subcase `act`"), "{error}");
}

#[test]
fn the_counts_are_described() {
    let grammar = Grammar::read(OWN, "own").unwrap();
    let frames = counts(&[("admire", Frame::Object, 7), ("hope", Frame::Clause, 5)]);
    let about = frames.describe(&grammar.verbs(Mode::Clean).unwrap());
    assert_eq!(about["threshold"], 5);
    assert_eq!(about["verbs"]["admired"]["object"], 7);
    assert_eq!(about["verbs"]["admired"]["needs"], json!(["object"]));
    assert_eq!(about["excluded"], json!({ "liked": ["thanked", "avoided"], "asked": ["said"], FIXED_VERBS: ["paid", "met"] }));
}
