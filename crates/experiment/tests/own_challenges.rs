//! Challenges from outside the catalog work in every entry point: a second generator, and a rewrite that needs a parse.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_challenge::{
    Build, Case, CaseOutcome, CaseSentence, Challenge, ChallengeEntry, Family, FromSentences, Generate, GeneratedExample, GenerationCounts,
    GroupSize, LabelEffect, Mode, Need, NotApplicable, PairView, PerPart, Resources, Rewrite, Rewritten, SentencePair, SentenceVersion,
    ShareLimit, SourceSentence, Trace,
};
use acidtest_corpus::{Format, InputFile, ReadOptions};
use acidtest_experiment::spec::UnlabelledRule;
use acidtest_experiment::{Data, Destination, LoadedData, Session, SetOutcome, SetToWrite, make, write_sets};
use acidtest_nli::{Example, Judgment, Label, Pair, Rng, Sentence, Settings, Side, Tags};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use tempfile::TempDir;

/// Pairs such as "3 dogs bark." and "More than 2 dogs bark.", in two parts: entailed ones, and ones that contradict.
static COUNTING: ChallengeEntry = ChallengeEntry {
    name: "counting",
    summary: "numbers and what is more than them",
    source: "none",
    family: Family::Competence,
    label: LabelEffect::Sets,
    in_run: &[],
    needs: &[],
    split_by: &["gold"],
    examples: &[Case {
        premise: CaseSentence::plain("2 dogs bark."),
        hypothesis: CaseSentence::plain("More than 1 dogs bark."),
        gold: Judgment::Exact(Label::Entailment),
        probabilities: None,
        outcome: CaseOutcome::NotApplicable("it is generated"),
    }],
    defaults: || json!(Counting { numbers: 3 }),
    build: Build::Generate {
        build: |request| Ok(Box::new(request.settings::<Counting>()?)),
        per_part: Some(PerPart { setting: "numbers", all: "9" }),
    },
};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counting {
    numbers: usize,
}

impl Generate for Counting {
    fn parts(&self) -> usize {
        2
    }

    fn most_in_part(&self) -> Option<usize> {
        Some(self.numbers)
    }

    fn run_part(&self, part: usize, take: &mut dyn FnMut(&dyn GeneratedExample) -> ControlFlow<()>) -> GenerationCounts {
        let (gold, more) = [(Label::Entailment, 0), (Label::Contradiction, 2)][part];
        let mut counts = GenerationCounts { by_group: vec![0; 2], ..GenerationCounts::default() };
        for number in 1..=self.numbers {
            let premise = Sentence::plain(format!("{} dogs bark.", number + 1));
            let hypothesis = Sentence::plain(format!("More than {} dogs bark.", number + more));
            let pair = Pair { id: format!("{part}-{number}").into(), premise, hypothesis };
            counts.examples += 1;
            counts.by_group[part] += 1;
            if take(&Example { pair, gold: Some(gold.into()), ..Example::default() }).is_break() {
                break;
            }
        }
        counts
    }

    fn inventory(&self) -> Vec<GroupSize> {
        let group = |gold: Label| GroupSize { shared: vec![("label", gold.to_string())], share: 1.0, distinct: self.numbers as u128 };
        vec![group(Label::Entailment), group(Label::Contradiction)]
    }
}

/// Repeats the subject before the hypothesis, and tags only sentences that were parsed beforehand.
static ECHO: ChallengeEntry = ChallengeEntry {
    name: "echo",
    summary: "says the first noun phrase twice",
    source: "none",
    family: Family::Distraction,
    label: LabelEffect::Keeps,
    in_run: &[],
    needs: &[Need::Analysis],
    split_by: &[],
    examples: &[Case::changed(Side::Hypothesis, "A dog barks.", "A A dog barks.")],
    defaults: || json!({}),
    build: Build::Rewrite(|_| Ok(Box::new(Echo))),
};

struct Echo;

impl Rewrite for Echo {
    fn rewrite(&self, pair: &PairView<'_>, _: &mut Rng) -> Result<Vec<Rewritten>, NotApplicable> {
        let view = pair.side(Side::Hypothesis);
        if !view.is_analyzed() {
            return Err(NotApplicable("nobody parsed the sentence"));
        }
        let first = view.words().first().ok_or(NotApplicable("no words"))?;
        let mut edit = view.edit();
        edit.replace(0..1, &format!("{} {}", first.form, first.form));
        Ok(vec![Rewritten::of_side(pair, Side::Hypothesis, edit.finish()?)])
    }
}

fn challenge(entry: &'static ChallengeEntry) -> Challenge {
    Challenge::new(entry, &Settings::default(), Mode::Clean, 1, &Resources::default()).unwrap()
}

fn corpus(folder: &Path, rows: usize) -> Data {
    let row = |n: usize| json!({ "pairID": n.to_string(), "sentence1": "Some dogs bark.", "sentence2": format!("Dog {n} barks."), "gold_label": "neutral" });
    let text: String = (0..rows).map(|n| format!("{}\n", row(n))).collect();
    let path = folder.join("in.jsonl");
    std::fs::write(&path, text).unwrap();
    Data::Files(vec![InputFile::new(&path)], ReadOptions::default())
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_second_generator_is_written_in_any_format_and_described() {
    let folder = TempDir::new().unwrap();
    let counting = challenge(&COUNTING);
    let paths = ["set.jsonl", "set.txt"].map(|name| folder.path().join(name));
    for (path, format) in paths.iter().zip([Format::ACIDTEST, Format::MULTINLI_TEXT]) {
        let to = Destination { path, format };
        let written = write_sets(
            None,
            &[SetToWrite { challenge: &counting, to, unlabelled: UnlabelledRule::Keep }],
            &Resources::default(),
            &Session::quiet().unwrap(),
        )
        .unwrap();
        let SetOutcome::Generated { counts, summary } = &written[0].outcome else { panic!("it is generated") };
        assert_eq!((counts.examples, &counts.by_group[..], summary.as_str()), (6, &[3, 3][..], "6 pairs"));
    }
    let set = lines(&paths[0]);
    assert_eq!((&set[0]["sentence2"], &set[3]["gold_label"]), (&json!("More than 1 dogs bark."), &json!("contradiction")));
    assert!(std::fs::read_to_string(&paths[1]).unwrap().contains("More than 5 dogs bark."));
    let about = std::fs::read_to_string(folder.path().join("set.jsonl.about.json")).unwrap();
    let about: Value = serde_json::from_str(&about).unwrap();
    assert_eq!((&about["generated"]["rows"], &about["settings"]["numbers"]), (&json!(6), &json!(3)));
}

#[test]
fn a_second_generator_gives_sets_to_run_on() {
    let (data, counting) = (LoadedData::embedded(), challenge(&COUNTING));
    let made = make(&data, &counting, &Session::quiet().unwrap()).unwrap();
    let names: Vec<&str> = made.sets.iter().map(|set| set.name()).collect();
    assert_eq!(names, ["counting-entailment", "counting-contradiction"]);
    assert_eq!(made.sets[0].made_by.as_deref(), Some("counting"));
}

#[test]
fn sentences_are_parsed_together_for_a_challenge_that_needs_it() {
    let (folder, session, echo) = (TempDir::new().unwrap(), Session::quiet().unwrap(), challenge(&ECHO));
    let data = corpus(folder.path(), 300);
    let path = folder.path().join("set.jsonl");
    let to = Destination { path: &path, format: Format::ACIDTEST };
    let written =
        write_sets(Some(&data), &[SetToWrite { challenge: &echo, to, unlabelled: UnlabelledRule::Keep }], &Resources::default(), &session)
            .unwrap();
    let SetOutcome::Made(coverage) = &written[0].outcome else { panic!("it is made from a corpus") };
    assert_eq!(coverage.made, 300, "{coverage}");
    assert_eq!(lines(&path)[299]["sentence2"], "Dog Dog 299 barks.");
    let loaded = data.load(&session).unwrap();
    assert_eq!(make(&loaded, &echo, &session).unwrap().sets[0].examples.len(), 300);
}

#[test]
fn sets_written_together_equal_those_written_alone() {
    let (folder, session) = (TempDir::new().unwrap(), Session::quiet().unwrap());
    let data = corpus(folder.path(), 40);
    let challenges = [challenge(&ECHO), named("negation"), challenge(&COUNTING), named("spelling-swap")];
    let write = |challenges: &[&Challenge], prefix: &str| {
        let name = |challenge: &Challenge| folder.path().join(format!("{prefix}-{}.jsonl", challenge.name()));
        let paths: Vec<_> = challenges.iter().map(|challenge| name(challenge)).collect();
        let to = paths.iter().map(|path| Destination { path, format: Format::ACIDTEST });
        let sets: Vec<_> = challenges
            .iter()
            .copied()
            .zip(to)
            .map(|(challenge, to)| SetToWrite { challenge, to, unlabelled: UnlabelledRule::Keep })
            .collect();
        let written = write_sets(Some(&data), &sets, &Resources::default(), &session).unwrap();
        assert!(written.iter().zip(challenges).all(|(set, challenge)| set.name == challenge.name()));
        let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap();
        let about = |path: &std::path::PathBuf| std::fs::read_to_string(format!("{}.about.json", path.display())).unwrap();
        paths.iter().flat_map(|path| [read(path), about(path)]).collect::<Vec<String>>()
    };
    let together = write(&challenges.iter().collect::<Vec<_>>(), "together");
    let alone: Vec<String> = challenges.iter().flat_map(|challenge| write(&[challenge], "alone")).collect();
    assert_eq!(together, alone);
}

fn named(name: &str) -> Challenge {
    challenge(acidtest_challenge::CATALOG.find(name).unwrap())
}

/// Doubles the first word of a parsed sentence; no first word may begin more than a quarter of a set.
static STUTTER: ChallengeEntry = ChallengeEntry {
    name: "stutter",
    label: LabelEffect::Sets,
    examples: &[],
    build: Build::FromSentences(|_| Ok(Box::new(Stutter))),
    ..ECHO
};

struct Stutter;

impl FromSentences for Stutter {
    fn screen(&self, sentence: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        if sentence.view.text().starts_with("Cats") { Err(NotApplicable("about cats")) } else { Ok(()) }
    }

    fn pairs(&self, sentence: &SourceSentence<'_, '_>, rng: &mut Rng, trace: &mut Trace) -> Result<Vec<SentencePair>, NotApplicable> {
        let first = sentence.view.words().first().ok_or(NotApplicable("no words"))?.form;
        if !sentence.view.is_analyzed() {
            return Err(NotApplicable("nobody parsed the sentence"));
        }
        trace.skipped(|| "the second word".to_string(), NotApplicable("not the first word"));
        let mut edit = sentence.view.edit();
        edit.replace(0..1, &format!("{first} {first}"));
        let mut tags = Tags::default();
        tags.set("first", first.to_string());
        tags.set("drawn", rng.below(1000).to_string());
        let gold = Label::Entailment.into();
        Ok(vec![SentencePair {
            premise: SentenceVersion::Original,
            hypothesis: SentenceVersion::Changed(edit.finish()?),
            gold,
            tags,
            control: None,
        }])
    }

    fn limit(&self) -> Option<ShareLimit> {
        Some(ShareLimit { tag: "first", share: 0.25 })
    }
}

/// Twelve unlabelled pairs: one premise, and hypotheses that begin with five different words, one of them much more often than the
/// others.
fn unlabelled_pairs(folder: &Path) -> Data {
    let hypothesis = |n: usize| match n {
        0..8 => format!("Dogs bark {n} times."),
        _ => format!("{} bark.", ["Foxes", "Cats", "Seals", "Deer"][n - 8]),
    };
    let row = |n: usize| json!({ "pairID": n.to_string(), "sentence1": "Some dogs bark.", "sentence2": hypothesis(n), "gold_label": "-" });
    let path = folder.join("in.jsonl");
    std::fs::write(&path, (0..12).map(|n| format!("{}\n", row(n))).collect::<String>()).unwrap();
    Data::Files(vec![InputFile::new(&path)], ReadOptions::default())
}

#[test]
fn pairs_from_single_sentences_are_distinct_and_limited_and_need_no_gold_label() {
    let (folder, session, stutter) = (TempDir::new().unwrap(), Session::quiet().unwrap(), challenge(&STUTTER));
    let data = unlabelled_pairs(folder.path());
    let path = folder.path().join("set.jsonl");
    let to = Destination { path: &path, format: Format::ACIDTEST };
    let set = SetToWrite { challenge: &stutter, to, unlabelled: UnlabelledRule::Drop };
    let written = write_sets(Some(&data), &[set], &Resources::default(), &session).unwrap();
    let SetOutcome::Made(coverage) = &written[0].outcome else { panic!("it is made from a corpus") };
    // Five sentences begin with different words; seven more begin with `Dogs`.
    assert_eq!((coverage.read, coverage.made, coverage.not_applicable["about cats"]), (24, 5, 1), "{coverage}");
    assert_eq!(coverage.excluded["the set has enough pairs of the same kind"], 7);
    assert_eq!(coverage.excluded["the pair is already in the set"], 11);
    assert_eq!(coverage.skipped["not the first word"], 23);
    let written = lines(&path);
    assert_eq!(written.len(), 5);
    let loaded = data.load(&session).unwrap();
    let made = make(&loaded, &stutter, &session).unwrap();
    let in_memory: Vec<Value> = made.sets[0].examples.iter().map(|example| json!(example.pair.hypothesis.text)).collect();
    assert_eq!(written.iter().map(|row| row["sentence2"].clone()).collect::<Vec<_>>(), in_memory);
    assert!(written.iter().all(|row| row["gold_label"] == "entailment"));
}
