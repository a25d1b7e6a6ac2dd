//! Phrases that read as if translated stay out of everything that users see.
//!
//! Checked are the pages (the reference page is the help of all commands), the examples, and the texts of the program: code without comments and
//! unit tests, including scripts and styles of the HTML page. Ordinary words are not on the list; they need a reader.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::{Path, PathBuf};

/// Phrases in lower case, and what to say instead.
const PHRASES: &[(&str, &str)] = &[
    ("surely", "significantly"),
    ("hold for new", "generalise to new"),
    ("adjusted over", "adjusted for"),
    ("no sure loss", "no significant drop"),
    ("cannot be told from", "is not significantly different from"),
    ("clean against stressed", "original vs. perturbed"),
    ("flips of", "prediction changes under"),
    ("telling words", "label-indicative words (PMI)"),
    ("chances in 100", "80 % power"),
    ("visible from", "minimum detectable difference"),
    ("judged by the beginning", "truncated"),
    ("goes on from", "continues from"),
    ("how far a step goes", "initial learning rate"),
    ("gradients are shortened", "maximum gradient norm"),
    ("will not do", "invalid value: expected"),
    ("stands in an earlier row", "duplicate id (first seen at line N)"),
    ("is no share", "invalid share"),
    ("takes its unfinished file away", "removes the partial output"),
    ("made anew", "regenerated"),
    ("drawn anew", "resampled"),
    ("gone through", "processed"),
    ("told at once", "reported immediately"),
    ("for want of", "without"),
    ("will do too", "is also accepted"),
    ("a line for every", "one line per"),
    ("arguments that make no sense", "usage error"),
    ("told to stop", "interrupted"),
    ("held against", "compared with"),
    ("right answers", "gold labels"),
    ("pairs that follow", "entailed pairs"),
    ("is answered rightly", "is predicted correctly"),
    ("rows answered by", "predictions by"),
    ("costs it", "drops by"),
    ("as you like", "at your option"),
    ("go on all the same", "continue anyway"),
    ("goes on where", "continues where"),
    ("is told so", "gets an error"),
    ("in silence", "silently"),
    ("said in one line", "error"),
    ("something went wrong", "error"),
    ("a line for each", "one line per"),
    ("passed over", "ignored"),
    ("so many percent", "this percentage"),
    ("so many points", "this many points"),
    ("work side by side", "run in parallel"),
    ("answers flip", "predictions change"),
    ("row against row", "paired"),
    ("what came of it", "the result"),
    ("plain pairs", "easy pairs"),
    ("clean rows", "original examples"),
    ("plain and clean", "easy-pairs and original"),
    ("as good as none", "ignored"),
    ("at hand", "available"),
    ("what would do", "what is accepted"),
    ("what comes in", "the replacement"),
    ("came of it", "the result"),
    ("worked out", "computed"),
    ("nobody asked", "not requested"),
    ("taken for granted", "assumed"),
    ("asked about", "predicted"),
    ("answered by", "predicted by"),
    ("walked through", "processed"),
    ("are told apart", "are distinguished"),
    ("told by its", "recognised by its"),
    ("whole or not at all", "complete or not at all"),
    ("wrong answers", "errors"),
];

/// Phrases that are not allowed in comments either.
const IN_COMMENTS: &[(&str, &str)] = &[
    ("surely", "significantly"),
    ("hold for new", "generalise to new"),
    ("adjusted over", "adjusted for"),
    ("held against", "compared with"),
    ("gone through", "processed"),
    ("for want of", "without"),
    ("anew", "again"),
    ("as good as none", "ignored"),
    ("what would do", "what is accepted"),
    ("what comes in", "the replacement"),
    ("came of it", "the result"),
    ("worked out", "computed"),
    ("nobody asked", "not requested"),
    ("is told what", "receives"),
    ("walked through", "processed"),
    ("are told apart", "are distinguished"),
    ("told by", "recognised by"),
    ("whole or not at all", "complete or not at all"),
];

/// Folders whose comments are not checked yet.
const NOT_YET: &[&str] = &["composition"];

#[test]
fn no_text_for_users_has_a_phrase_of_the_list() {
    let mut found = Vec::new();
    for (path, text) in seen() {
        for (n, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            for (phrase, better) in PHRASES.iter().filter(|(phrase, _)| has_words(&lower, phrase)) {
                found.push(format!("{}:{}: `{phrase}`: say `{better}`", path.display(), n + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_comment_has_a_phrase_of_the_list() {
    let mut found = Vec::new();
    for path in files("crates", &["rs"]) {
        let is_part = |name: &str| path.components().any(|part| part.as_os_str() == name);
        if !is_part("src") || NOT_YET.iter().any(|name| is_part(name)) {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&path)).unwrap();
        for (n, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//")) {
            let lower = line.to_lowercase();
            for (phrase, better) in IN_COMMENTS.iter().filter(|(phrase, _)| has_words(&lower, phrase)) {
                found.push(format!("{}:{}: `{phrase}`: say `{better}`", path.display(), n + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn phrases_are_found_as_whole_words_only() {
    assert!(has_words("it is surely so", "surely"));
    assert!(!has_words("leisurely", "surely"));
    assert!(has_words("surely", "surely"));
}

fn has_words(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let letter = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
        !letter(line[..at].chars().next_back()) && !letter(line[at + phrase.len()..].chars().next())
    })
}

/// Every text that a user can see, with its file.
fn seen() -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    let pages = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff"].map(PathBuf::from).into_iter();
    let examples = files("docs", &["md"]).into_iter().chain(files("examples", &["py", "yml", "toml"]));
    for path in pages.chain(examples) {
        texts.push((path.clone(), std::fs::read_to_string(root().join(&path)).unwrap()));
    }
    for path in files("crates", &["rs", "html", "js", "css"]) {
        let in_sources = path.components().any(|part| part.as_os_str() == "src");
        let is_test = path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("test"));
        if in_sources && !is_test {
            let text = std::fs::read_to_string(root().join(&path)).unwrap();
            texts.push((path, without_comments(&text)));
        }
    }
    assert!(texts.len() > 100, "{}", texts.len());
    texts
}

/// The lines of code up to the unit tests, comments emptied so that lines keep their numbers.
fn without_comments(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect::<Vec<_>>().join("\n")
}

/// The files with these endings in a folder of the repository, relative to its root.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let path = Path::new(folder).join(&name);
        if root().join(&path).is_dir() {
            if !["target", "node_modules", "snapshots"].contains(&name.as_str()) {
                found.extend(files(&path.to_string_lossy(), endings));
            }
        } else if endings.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
