//! temporary
use acidtest_challenge::*;
use acidtest_nli::*;
use std::sync::Arc;
fn main() {
    let text = std::fs::read_to_string("/tmp/mod16_sents.tsv").unwrap();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut table = ModifierTable::default();
    let rows: Vec<(&str, Example<'_>)> = text
        .lines()
        .enumerate()
        .map(|(n, line)| {
            let f: Vec<&str> = line.split('\t').collect();
            let s = Sentence { text: f[1].into(), parse: Some(f[2].into()), binary_parse: None };
            let e = Sentence { text: "x".into(), parse: Some("(X x)".into()), binary_parse: None };
            (f[0], Example { pair: Pair { id: n.to_string().into(), premise: s, hypothesis: e }, ..Example::default() })
        })
        .collect();
    for (_, e) in &rows {
        table.add(ModifierCounts::of(e));
    }
    eprintln!("{} pairs", table.pairs(3));
    let resources = Resources { modifiers: Some(Arc::new(table)), ..Resources::default() };
    let both = args.iter().any(|a| a == "--both");
    let args: Vec<&str> = args.iter().map(|a| a.as_str()).filter(|a| *a != "--both").collect();
    let c = Challenge::new(CATALOG.find("added-modifier").unwrap(), &Settings::parse(args).unwrap(), Mode::Clean, 1, &resources).unwrap();
    let mut coverage = Coverage::default();
    let mut all = Vec::new();
    let rows: Vec<&Example<'_>> = rows.iter().filter(|(k, _)| both || *k == "P").map(|(_, e)| e).collect();
    for chunk in rows.chunks(500) {
        let pairs: Vec<PairView<'_>> = chunk.iter().map(|e| PairView::new(e)).collect();
        PairView::prepare(&pairs, [&c]);
        for p in &pairs {
            all.extend(c.rows_of(p, &mut coverage).unwrap().into_iter().map(Example::into_owned));
        }
    }
    if std::env::var("WHY").is_ok() {
        let mut why: std::collections::BTreeMap<String, u32> = Default::default();
        for e in &rows {
            for s in c.explain(e).unwrap().sentences.iter().take(1) {
                if s.reason.is_some() {
                    for d in &s.decisions {
                        *why.entry(d.clone()).or_default() += 1;
                    }
                }
            }
        }
        let mut why: Vec<_> = why.into_iter().collect();
        why.sort_by_key(|x| std::cmp::Reverse(x.1));
        for (d, n) in why.iter().take(400) {
            eprintln!("WHY {n} {d}");
        }
    }
    let (chosen, note) = SetSelection::of(&c).unwrap().choose(all, &mut coverage);
    for e in &chosen {
        println!(
            "{}\t{}\t{}\t{}\t{}",
            e.tags.get("part").unwrap(),
            e.tags.get("modifier").unwrap(),
            e.tags.get("modified").unwrap(),
            e.pair.premise.text,
            e.pair.hypothesis.text
        );
    }
    eprintln!("{:?}\n{:#?}", note, coverage);
}
