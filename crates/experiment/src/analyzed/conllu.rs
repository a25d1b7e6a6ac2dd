//! The analysis as CoNLL-U, version 2 of the format of Universal Dependencies.

use super::view::{SentenceView, TextView};
use std::fmt::Write;

/// Writes the sentences of a text. Ids are line and sentence, preceded by the number of the file if there are several.
pub(super) fn write(view: &TextView<'_>, file: Option<usize>, out: &mut String) {
    for (number, sentence) in view.sentences.iter().enumerate() {
        // Writing to a string does not fail.
        if number == 0 {
            let _ = writeln!(out, "# newpar");
        }
        let file = file.map(|file| format!("{file}-")).unwrap_or_default();
        let text = sentence.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "# sent_id = {file}{}-{}\n# text = {text}", view.place(), number + 1);
        if !file.is_empty() {
            let _ = writeln!(out, "# path = {}", view.path);
        }
        for (place, word) in sentence.words.iter().enumerate() {
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}\t_\t{}\t{}\t_\t{}",
                place + 1,
                word.form,
                word.lemma,
                word.universal,
                word.tag,
                word.head,
                word.relation,
                notes(sentence, place)
            );
        }
        out.push('\n');
    }
}

/// The last column: names, numbers, spacing and position, in alphabetical order.
fn notes(sentence: &SentenceView<'_>, place: usize) -> String {
    let word = &sentence.words[place];
    let mut notes = Vec::new();
    if let Some(name) = sentence.names.iter().find(|name| (name.first..=name.last).contains(&(place + 1))) {
        notes.push(format!("Name={}-{}", if name.first == place + 1 { "B" } else { "I" }, name.kind));
    }
    let number = sentence.numbers.iter().find(|number| number.start < word.end && word.start < number.end);
    if let Some(number) = number {
        notes.push(format!("Number={}-{}", if number.start >= word.start { "B" } else { "I" }, number.kind.to_uppercase()));
    }
    if word.joins {
        notes.push("SpaceAfter=No".to_string());
    }
    notes.push(format!("TokenRange={}:{}", word.start, word.end));
    if let Some(number) = number.filter(|number| number.start >= word.start) {
        notes.push(format!("Value={}", number.value));
    }
    notes.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::analyzer::Analyzer;

    #[test]
    fn it_can_be_read_back_with_its_notes() {
        let document = Analyzer::shared().analyze("Mary  didn't pay $2.5 million in London. She left.");
        let mut out = String::new();
        write(&TextView::new("f", 7, None, &document), None, &mut out);
        let sentences = acidtest_lingua::conllu::read(&out).unwrap();
        assert_eq!(sentences.iter().map(Vec::len).collect::<Vec<_>>(), [10, 3]);
        assert!(out.starts_with("# newpar\n# sent_id = 7-1\n# text = Mary didn't pay $2.5 million in London.\n1\tMary\t"), "{out}");
        let last = |form: &str| out.lines().find(|line| line.contains(&format!("\t{form}\t"))).unwrap().rsplit('\t').next().unwrap();
        assert_eq!(last("did"), "SpaceAfter=No|TokenRange=6:9");
        assert_eq!(last("$"), "Number=B-MONEY|SpaceAfter=No|TokenRange=17:18|Value=2500000");
        assert_eq!(last("million"), "Number=I-MONEY|TokenRange=22:29");
        assert_eq!(last("London"), "Name=B-LOCATION|SpaceAfter=No|TokenRange=33:39");
    }
}
