//! temporary
fn main() {
    use acidtest_lingua::dictionary::is_english_word;
    use acidtest_lingua::wordnet::*;
    let text = std::fs::read_to_string("/tmp/mod16_sents.tsv").unwrap();
    let mut c = std::collections::BTreeMap::new();
    for line in text.lines().filter(|l| l.starts_with("P")) {
        let t = line.split('\t').nth(1).unwrap();
        for (n, w) in t.split(|c: char| !c.is_alphabetic() && c != '-' && c != '\'').enumerate() {
            if w.len() < 3 || (n > 0 && w.starts_with(char::is_uppercase)) || !w.to_lowercase().bytes().all(|b| b.is_ascii_lowercase()) {
                continue;
            }
            let w = w.to_lowercase();
            let net = WordNet::get();
            if !is_english_word(&w) && !PartOfSpeech::ALL.iter().any(|p| net.morphy(&w, *p).iter().any(|b| net.has(b, *p))) {
                *c.entry(w).or_insert(0) += 1;
            }
        }
    }
    let mut v: Vec<_> = c.into_iter().collect();
    v.sort_by_key(|x| std::cmp::Reverse(x.1));
    for (w, n) in v.iter().take(260) {
        print!("{w} {n}; ");
    }
}
