//! Word problems and plain texts: read where passages are accepted, refused with one line elsewhere.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_corpus::{BadRows, Corpus, CorpusError, InputFile, Passages, ReadOptions, read_all};
use acidtest_nli::{is_content_id, tag};
use acidtest_threads::Threads;
use proptest::prelude::*;

const AQUA: &str = r#"{"question": "A ship takes 240 seconds.", "options": ["A)100 m", "B)150 m", "D)250 m"], "rationale": "Let x be 3.\n\nThen D", "correct": "D"}"#;
const GSM8K: &str = r#"{"question": "Weng earns $12 an hour.", "answer": "12/60 = <<12/60=0.2>>0.2.\nSo 10.\n#### 1,010"}"#;

fn accept() -> ReadOptions {
    ReadOptions { passages: Passages::Accept, ..ReadOptions::default() }
}

/// The examples of a file with this name and content, the same on one thread and on three; or the error without the folder's name.
fn read(name: &str, content: &str, options: ReadOptions) -> Result<Corpus, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let read = |threads: usize| {
        let threads = Threads::new(threads.try_into().unwrap()).unwrap();
        let shown = |error: CorpusError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        read_all(vec![InputFile::new(path.clone())], options.clone(), &threads).map_err(shown)
    };
    let (one, three) = (read(1), read(3));
    match (&one, &three) {
        (Ok(one), Ok(three)) => assert_eq!(one.examples, three.examples),
        (Err(one), Err(three)) => assert_eq!(one, three),
        _ => panic!("one thread and three differ"),
    }
    one
}

#[test]
fn word_problems_are_texts_with_their_answers() {
    let corpus = read("problems.jsonl", &format!("{AQUA}\n{GSM8K}\n"), accept()).unwrap();
    let seen: Vec<_> = corpus
        .examples
        .iter()
        .map(|example| {
            assert!(example.pair.hypothesis.text.is_empty() && example.gold.is_none() && is_content_id(&example.pair.id));
            let tag = |name| example.tags.get(name).unwrap();
            (example.pair.premise.text.as_ref(), tag(tag::PASSAGE), tag(tag::ANSWER), tag(tag::RATIONALE_LINES))
        })
        .collect();
    assert_eq!(seen, [("A ship takes 240 seconds.", "aqua", "250 m", "2"), ("Weng earns $12 an hour.", "gsm8k", "1,010", "2")]);
}

#[test]
fn an_array_of_word_problems_is_read_too() {
    let corpus = read("problems.json", &format!("[\n{AQUA},\n{GSM8K}]"), accept()).unwrap();
    assert_eq!(corpus.examples.len(), 2);
}

#[test]
fn lines_of_a_text_file_are_texts() {
    for name in ["news.txt", "news.TEXT", "news.md"] {
        let corpus = read(name, "Tom has 5 dogs. He ran.\r\n\n  Ann left.  \n", accept()).unwrap();
        let texts: Vec<&str> = corpus.examples.iter().map(|example| example.pair.premise.text.as_ref()).collect();
        assert_eq!(texts, ["Tom has 5 dogs. He ran.", "Ann left."]);
        assert_eq!(corpus.examples[0].tags.get(tag::PASSAGE), Some("text"));
        assert_eq!(corpus.files[0].notes, ["read as plain text, one text per line"]);
    }
}

#[test]
fn a_corpus_is_recognised_by_its_content_whatever_its_name() {
    let pairs = "gold_label\tsentence1\tsentence2\nneutral\tA dog runs.\tA cat.\n";
    let corpus = read("pairs.txt", pairs, accept()).unwrap();
    assert_eq!((corpus.examples[0].pair.hypothesis.text.as_ref(), corpus.examples[0].tags.get(tag::PASSAGE)), ("A cat.", None));
    assert_eq!(read("problems.txt", AQUA, accept()).unwrap().examples[0].tags.get(tag::PASSAGE), Some("aqua"));
}

#[track_caller]
fn refused(name: &str, content: &str, options: ReadOptions, expected: &str) {
    let error = read(name, content, options).err().unwrap();
    assert_eq!(error, expected);
}

#[test]
fn work_that_needs_pairs_refuses_texts() {
    let line = ", without a hypothesis: expected pairs of premise and hypothesis (texts and word problems are read only to make challenges from single \
                sentences, such as numeric)";
    refused("p.jsonl", AQUA, ReadOptions::default(), &format!("p.jsonl:1: a word problem{line}"));
    refused("p.txt", "\nTom has 5 dogs.", ReadOptions::default(), &format!("p.txt:2: plain text{line}"));
    let unknown = "unknown format; expected JSON lines, a tab- or comma-separated header that names premise and hypothesis, or Parquet";
    refused("p.dat", "Tom has 5 dogs.", accept(), &format!("p.dat:1: {unknown}"));
    refused("p.txt", "", accept(), "p.txt:1: the file is empty; expected at least one example");
}

#[test]
fn damaged_problems_are_named_with_their_line() {
    let check = |row: &str, what: &str| refused("p.jsonl", &format!("{AQUA}\n{row}\n"), accept(), &format!("p.jsonl:2: {what}"));
    let wrong = "not a word problem of AQuA or GSM8K: ";
    check(&AQUA.replace("\"D\"", "\"E\""), &format!("{wrong}the letter in `correct` matches none of its `options`"));
    check(&AQUA.replace("\"D\"", "\"\""), &format!("{wrong}the letter in `correct` matches none of its `options`"));
    check(&AQUA.replace("\"correct\"", "\"right\""), &format!("{wrong}`correct` does not say which option is right"));
    check(&GSM8K.replace("####", "so"), &format!("{wrong}its `answer` has no number after ####"));
    check(r#"{"question": "Why?"}"#, &format!("{wrong}it has no answer: expected `options` and `correct`, or `answer`"));
    check(r#"{"question": " ", "answer": "1\n#### 1"}"#, &format!("{wrong}its question is empty"));
    check(r#"{"question": "Q", "options": "A", "correct": "A"}"#, &format!("{wrong}its `options` are not a list of texts"));
    check(&AQUA[..40], "not a JSON object: EOF while parsing an object at column 40");
    let skip = ReadOptions { bad_rows: BadRows::Skip, ..accept() };
    let corpus = read("p.jsonl", &format!("{AQUA}\n{{}}\n{GSM8K}\n"), skip).unwrap();
    assert_eq!((corpus.examples.len(), corpus.skipped), (2, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_line_of_a_text_is_read_once(lines in prop::collection::vec("[ a-cé🙂.\t]{0,30}", 1..40)) {
        // The first line decides the layout, and one with a tab is a table.
        let first = "x".to_string();
        let content = std::iter::once(&first).chain(&lines).map(|line| format!("{line}\n")).collect::<String>();
        let corpus = read("a.txt", &content, accept()).unwrap();
        let read: Vec<&str> = corpus.examples.iter().map(|example| example.pair.premise.text.as_ref()).collect();
        let expected: Vec<&str> = std::iter::once(first.as_str()).chain(lines.iter().map(|line| line.trim())).filter(|line| !line.is_empty()).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn questions_and_answers_are_read_as_they_are_written(question in "[^ \\PC]{1,20}", steps in "\\PC{0,20}", number in "[0-9,.]{1,6}") {
        let row = serde_json::json!({ "question": format!("{question}x"), "answer": format!("{steps}\n#### {number}"), "id": "7", "level": "easy" });
        let corpus = read("a.jsonl", &row.to_string(), accept()).unwrap();
        let example = &corpus.examples[0];
        prop_assert_eq!(example.pair.premise.text.as_ref(), format!("{question}x"));
        prop_assert_eq!((example.tags.get(tag::ANSWER), example.pair.id.as_ref(), example.tags.get("level")), (Some(number.as_str()), "7", Some("easy")));
    }

    #[test]
    fn no_problem_makes_the_reader_panic(fields in prop::collection::btree_map("question|options|correct|answer|rationale|id|label", "\"[A-E)#\\\\\\\\n]{0,9}\"|[0-9]|null|\\[\"A\\)1\"\\]|\\{\\}", 0..6)) {
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        let _ = read("a.jsonl", &format!("{{{}}}", fields.join(", ")), accept());
    }
}
