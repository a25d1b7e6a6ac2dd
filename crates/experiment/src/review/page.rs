//! The page on which judges work: by keyboard, offline, in an order of their own; it saves a sheet.

use super::key::{columns, texts_hash};
use super::sheet::ItemTexts;
use acidtest_evaluate::analysis::review::{AnswerChoice, Question};
use acidtest_evaluate::report::html::OwnPage;
use serde::Serialize;

/// What the script of the page works on: no label, no id, no tag and not even the name of the set.
#[derive(Serialize)]
struct PageData<'a> {
    /// Tells the drafts of this review from those of others in the browser's storage.
    review: String,
    seed: u64,
    columns: Vec<&'static str>,
    questions: Vec<PageQuestion>,
    /// The sentences of each item, in the order of their columns.
    items: &'a [ItemTexts],
}

#[derive(Serialize)]
struct PageQuestion {
    name: &'static str,
    text: &'static str,
    choices: &'static [AnswerChoice],
}

/// The page, whole by itself.
pub(super) fn review_page(questions: &[Question], texts: &[ItemTexts], seed: u64) -> String {
    let asked = |question: &Question| PageQuestion { name: question.name(), text: question.text(), choices: question.choices() };
    let names = questions.iter().map(|question| question.name());
    let data = PageData {
        review: texts_hash(texts.iter().flatten().map(String::as_str).chain(names)).to_string(),
        seed,
        columns: columns(questions),
        questions: questions.iter().map(asked).collect(),
        items: texts,
    };
    let page = OwnPage {
        title: "Review of sentence pairs",
        body: include_str!("page.html"),
        style: include_str!("page.css"),
        data: &serde_json::to_string(&data).expect("texts are JSON"),
        script: include_str!("page.js"),
    };
    page.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_sentences_stay_data() {
        let texts = vec![vec!["</script><img src=x onerror=alert(1)>".to_string(), "{{title}} \u{2028}".to_string()]];
        let page = review_page(&[Question::Label], &texts, 1);
        assert!(!page.contains("<img src=x") && page.contains("\\u003c/script>"), "{page}");
        assert!(page.contains("{{title}}"), "what is filled in is not filled again");
    }
}
