use acidtest_challenge::{CATALOG, Challenge, Coverage, Mode, PairView, Resources};
use acidtest_nli::{Example, Pair, Settings, tag};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let file = &args[1];
    let mut settings = Vec::new();
    let mut mode = Mode::Clean;
    let mut quiet = false;
    let mut seed = 1;
    for arg in &args[2..] {
        match arg.as_str() {
            "published" => mode = Mode::AsPublished,
            "quiet" => quiet = true,
            a if a.starts_with("seed:") => seed = a[5..].parse().unwrap(),
            a => settings.push(a.to_string()),
        }
    }
    let settings = Settings::parse(settings.iter().map(String::as_str)).unwrap();
    let challenge = Challenge::new(CATALOG.find("numeric").unwrap(), &settings, mode, seed, &Resources::default()).unwrap();
    let mut coverage = Coverage::default();
    let text = std::fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = std::collections::HashSet::new();
    let mut distinct = 0;
    for (chunk_no, chunk) in lines.chunks(200).enumerate() {
        let examples: Vec<Example<'static>> = chunk
            .iter()
            .enumerate()
            .map(|(n, line)| {
                let v: serde_json::Value = serde_json::from_str(line).unwrap();
                let q = v["question"].as_str().unwrap().to_string();
                let mut e = Example { pair: Pair::plain(&q, ""), ..Example::default() }.into_owned();
                e.pair.id = format!("{}", chunk_no * 200 + n + 1).into();
                e.tags.set(tag::PASSAGE, "x");
                if let Some(r) = v["rationale"].as_str() {
                    let c = v["correct"].as_str().unwrap();
                    let o = v["options"].as_array().unwrap().iter().find(|o| o.as_str().unwrap().starts_with(c)).unwrap().as_str().unwrap();
                    e.tags.set(tag::ANSWER, o[2..].to_string());
                    e.tags.set(tag::RATIONALE_LINES, r.lines().count().to_string());
                } else if let Some(a) = v["answer"].as_str() {
                    let (r, n) = a.split_once("####").unwrap();
                    e.tags.set(tag::ANSWER, n.trim().to_string());
                    e.tags.set(tag::RATIONALE_LINES, r.trim().lines().count().to_string());
                }
                e
            })
            .collect();
        let views: Vec<PairView<'_>> = examples.iter().map(PairView::new).collect();
        PairView::prepare(&views, [&challenge]);
        for view in &views {
            for row in challenge.rows_of(view, &mut coverage).unwrap() {
                if !seen.insert((row.pair.premise.text.to_string(), row.pair.hypothesis.text.to_string())) {
                    continue;
                }
                distinct += 1;
                if !quiet {
                    println!(
                        "{}\t{}\t{}\t{}\t{}",
                        row.pair.id,
                        row.gold.unwrap().name(),
                        row.tags.get("number_phrase").unwrap(),
                        row.pair.premise.text,
                        row.pair.hypothesis.text
                    );
                }
            }
        }
    }
    eprintln!("{} distinct {distinct}", coverage.made);
    if std::env::var("REASONS").is_ok() {
        eprintln!("{:#?}\n{:#?}", coverage.not_applicable, coverage.skipped);
    }
}
