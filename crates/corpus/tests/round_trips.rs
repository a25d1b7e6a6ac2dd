//! Examples are read back as written, in every format that keeps tags.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_corpus::{FORMATS, InputFile, ReadOptions, Writer, read_all};
use acidtest_nli::{Example, Judgment, Label, Pair, Sentence, Tags};
use acidtest_threads::Threads;
use proptest::prelude::*;

/// The formats that keep every tag and every label.
const WITH_TAGS: [&str; 5] = ["acidtest", "hf", "csv", "tsv", "parquet"];

/// Texts that test quoting, escaping and recognition.
const TEXT: &str = "[a-c,\"'\\\\ \n\r\té🙂;#|{}\\[\\]<-]{0,8}";

/// Names of fields, names that escape them, and anything else.
fn tag_name() -> impl Strategy<Value = String> {
    let known = [
        "genre",
        "label",
        "sentence1",
        "premise",
        "id",
        "tags",
        "changes",
        "annotators",
        "label1",
        "tag:label",
        "tag:",
        "gold",
        "heuristic",
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_string), TEXT.prop_map(|text| text)]
}

fn example(golds: Vec<Option<Judgment>>) -> impl Strategy<Value = Example<'static>> {
    let tags = prop::collection::btree_map(tag_name(), TEXT.prop_map(|text| format!("x{text}")), 0..4);
    (TEXT, TEXT, prop::sample::select(golds), tags).prop_map(|(premise, hypothesis, gold, named)| {
        let mut tags = Tags::default();
        named.into_iter().for_each(|(name, value)| tags.set(name, value));
        let pair = Pair { id: "".into(), premise: Sentence::plain(premise), hypothesis: Sentence::plain(hypothesis) };
        Example { pair, gold, tags, ..Example::default() }
    })
}

fn examples() -> impl Strategy<Value = Vec<Example<'static>>> {
    let [e, n, c, not] = Judgment::ALL.map(Some);
    let golds =
        prop_oneof![Just(vec![e, n, c]), Just(vec![e, not]), Just(vec![e, not, None]), Just(vec![e, n, c, not, None]), Just(vec![None])];
    golds.prop_flat_map(|golds| prop::collection::vec(example(golds), 1..6)).prop_map(|mut examples| {
        examples.iter_mut().enumerate().for_each(|(n, example)| example.pair.id = format!("{n}").into());
        examples
    })
}

fn written_and_read(format: &str, examples: &[Example<'static>]) -> Vec<Example<'static>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let mut writer = Writer::create(&path, *FORMATS.find(format).unwrap()).unwrap();
    examples.iter().for_each(|example| writer.write(example).unwrap());
    writer.finish().unwrap();
    let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
    let read = read_all(vec![InputFile::new(path.clone())], ReadOptions::default(), &threads);
    read.unwrap_or_else(|error| panic!("{format}: {error}\n{}", String::from_utf8_lossy(&std::fs::read(path).unwrap()))).examples
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn examples_with_tags_are_read_as_they_were_written(examples in examples()) {
        for format in WITH_TAGS {
            prop_assert_eq!(&written_and_read(format, &examples), &examples, "{}", format);
        }
    }
}

#[test]
fn two_way_labels_stay_two_way_in_every_format_that_has_them() {
    let of = |id: &str, gold| Example {
        pair: Pair { id: id.to_string().into(), ..Pair::plain("A", "B") },
        gold: Some(gold),
        ..Example::default()
    };
    let examples = [of("1", Label::Entailment.into()), of("2", Judgment::NotEntailment)];
    for format in FORMATS.iter().filter(|format| format.name() != "anli") {
        let golds: Vec<_> = written_and_read(format.name(), &examples).iter().map(|example| example.gold).collect();
        assert_eq!(golds, [Some(Label::Entailment.into()), Some(Judgment::NotEntailment)], "{}", format.name());
    }
}
