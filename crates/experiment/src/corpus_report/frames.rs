//! Counts the frames in which a training corpus has the verbs of a grammar.

use crate::data::{Data, inputs, set_of_files};
use crate::error::Error;
use crate::frames::{CountedFrames, FrameOptions, count, verbs_of};
use crate::session::Session;
use acidtest_challenge::Mode;
use acidtest_challenge::hans::{
    CorpusFrames, FIXED_VERBS, FrameStrictness, Grammar, GrammarVerbs, NeededVerb, PUBLISHED_EXAMPLES, PUBLISHED_THRESHOLD, VerbClass,
};
use acidtest_evaluate::measurement::{Measurement, Metric, Subject};
use acidtest_evaluate::report::{Cell, Report, Section, SectionId, Table, TableColumn, grouped};
use acidtest_evaluate::statistics::Proportion;
use acidtest_lingua::frames::Frame;
use std::collections::{BTreeMap, BTreeSet};

/// The grammar whose verbs are counted, and the threshold.
#[derive(Debug, Clone, Copy)]
pub struct FramesRequest<'g> {
    /// The grammar.
    pub grammar: &'g Grammar,
    /// The threshold.
    pub options: FrameOptions,
}

/// Counts how often corpora have the verbs of a grammar in the frames that its templates need, and which verbs reach the threshold.
pub fn verb_frames(data: Data, request: FramesRequest<'_>, session: &Session<'_>) -> Result<Report, Error> {
    let verbs = verbs_of(request.grammar, Mode::Clean)?;
    let counted = count(data, &verbs, request.options, session)?;
    let rule = counted.frames.rule;
    let options = [
        ("grammar", request.grammar.path().to_string()),
        ("threshold", rule.threshold.to_string()),
        ("strict frames", (rule.strictness == FrameStrictness::All).to_string()),
    ];
    let options: BTreeMap<String, String> = options.map(|(name, value)| (name.to_string(), value)).into();
    let names: Vec<&str> = counted.files.iter().map(|file| file.name.as_str()).collect();
    let mut report = Report::new(
        format!("Verb frames in {}", names.join(", ")),
        session.provenance(inputs("data", &counted.files), BTreeMap::new(), options),
        vec![frames_section(&verbs, &counted, request.options), classes_section(&verbs, &counted.frames)],
    );
    report.measure(measured(&verbs, &counted.frames, Subject::corpus(&set_of_files(&counted.files))));
    Ok(report)
}

fn frames_section(verbs: &GrammarVerbs, counted: &CountedFrames, options: FrameOptions) -> Section {
    let frames = &counted.frames;
    let verbs = verbs.verbs();
    let columns = ["verb", "occurrences", "result"].map(TableColumn::left).to_vec();
    let row = |verb: &NeededVerb| {
        let result = if frames.keeps(verb) { "ok" } else { "too rare" };
        vec![Cell::text(&verb.word), Cell::text(occurrences(verb, frames)), Cell::text(result)]
    };
    let caption = "Occurrences are counted by lemma, and only in the frames in which templates use the verb. Object: also the gap of an object relative \
                   clause. Clause: a finite complement clause. Reduced participle: a past participle that modifies a noun.";
    let rows = verbs.iter().map(row).collect();
    let table = Table::new(1, columns, rows);
    Section::table(SectionId::VerbFrames, "Verbs", header(&verbs, counted, options), table).captioned([caption.to_string()])
}

/// How often the corpus has a verb in each frame that templates need: `object 94  clause 624 (337 without that)`.
fn occurrences(verb: &NeededVerb, frames: &CorpusFrames) -> String {
    let counts = frames.of(&verb.lemma);
    let in_frame = |frame: &Frame| {
        let count = format!("{} {}", frame.name(), grouped(counts.of(*frame)));
        match frame {
            Frame::Clause => format!("{count} ({} without that)", grouped(counts.clause_without_that)),
            _ => count,
        }
    };
    verb.frames.iter().map(in_frame).collect::<Vec<_>>().join("  ")
}

/// The size of the corpus, the threshold, and how many verbs reach it in how many frames.
fn header(verbs: &[NeededVerb], counted: &CountedFrames, options: FrameOptions) -> Vec<String> {
    let frames = &counted.frames;
    let parses = match (counted.parsed, counted.unparsed) {
        (_, 0) => "all sentences have a parse".to_string(),
        (0, _) => "no sentence has a parse, so Acidtest's own parser was used".to_string(),
        (parsed, unparsed) => {
            let all = grouped(parsed + unparsed);
            format!("{} of {all} sentences have no parse, so Acidtest's own parser was used for them", grouped(unparsed))
        }
    };
    let from = match options.threshold {
        Some(_) => String::new(),
        None => {
            let published = grouped(PUBLISHED_EXAMPLES);
            format!(" ({PUBLISHED_THRESHOLD} in the {published} training examples of MultiNLI, scaled to the size of the corpus)")
        }
    };
    let mut notes = vec![
        format!("{} examples; {parses}.", grouped(frames.examples)),
        format!("Threshold in each frame: {}{from}.", grouped(frames.rule.threshold)),
    ];
    let by_frame = reaching(verbs, frames);
    let (reached, all) = by_frame.values().fold((0, 0), |(reached, all), share| (reached + share.count, all + share.total));
    let each: Vec<String> =
        by_frame.iter().map(|(frame, share)| format!("{} {} of {}", frame.name(), grouped(share.count), grouped(share.total))).collect();
    notes.push(format!("{reached} of {all} verb-frame pairs reach the threshold: {}.", each.join(", ")));
    if frames.rule.strictness == FrameStrictness::Active && by_frame.keys().any(|frame| !frames.rule.requires(*frame)) {
        notes.push("Passives and reduced participles are counted, but do not exclude verbs.".to_string());
    }
    notes
}

/// For each frame, how many of the verbs that need it reach the threshold.
fn reaching(verbs: &[NeededVerb], frames: &CorpusFrames) -> BTreeMap<Frame, Proportion> {
    let mut by_frame: BTreeMap<Frame, Proportion> = BTreeMap::new();
    for verb in verbs {
        for &frame in &verb.frames {
            let share = by_frame.entry(frame).or_insert(Proportion { count: 0, total: 0 });
            share.total += 1;
            share.count += u64::from(frames.reaches(&verb.lemma, frame));
        }
    }
    by_frame
}

fn class_name(class: &VerbClass) -> &str {
    class.name.as_deref().unwrap_or(FIXED_VERBS)
}

fn classes_section(verbs: &GrammarVerbs, frames: &CorpusFrames) -> Section {
    let columns = vec![
        TableColumn::left("class"),
        TableColumn::left("frames"),
        TableColumn::right("verbs"),
        TableColumn::right("kept"),
        TableColumn::left("excluded"),
    ];
    let row = |class: &VerbClass| {
        let needed: BTreeSet<Frame> = class.verbs.iter().flat_map(|verb| verb.frames.iter().copied()).collect();
        let needed: Vec<&str> = needed.into_iter().filter(|frame| frames.rule.requires(*frame)).map(Frame::name).collect();
        let excluded: Vec<&str> = class.verbs.iter().filter(|verb| !frames.keeps(verb)).map(|verb| verb.word.as_str()).collect();
        vec![
            Cell::text(class_name(class)),
            Cell::text(needed.join(", ")),
            Cell::Count { count: class.verbs.len() as u64 },
            Cell::Count { count: (class.verbs.len() - excluded.len()) as u64 },
            if excluded.is_empty() { Cell::Empty {} } else { Cell::text(excluded.join(", ")) },
        ]
    };
    let empty = verbs.classes.iter().filter(|class| !class.verbs.iter().any(|verb| frames.keeps(verb)));
    let note = |class: &VerbClass| format!("No verb of {} is left, which {} needs.", class_name(class), class.subcases.join(", "));
    let table = Table::new(1, columns, verbs.classes.iter().map(row).collect());
    let caption = "A verb is kept in a class if it reaches the threshold in every frame in which templates use the class.";
    Section::table(SectionId::VerbClasses, "Word classes", empty.map(note).collect(), table).captioned([caption.to_string()])
}

/// Occurrences by verb and frame, the shares of verb-frames that reach the threshold, and of verbs that each class keeps.
fn measured(verbs: &GrammarVerbs, frames: &CorpusFrames, corpus: Subject<'_>) -> Vec<Measurement> {
    let mut measured = vec![corpus.examples(frames.examples)];
    let words = verbs.verbs();
    for verb in &words {
        let counts = frames.of(&verb.lemma);
        let number = |count: u64| corpus.number(Metric::Occurrences, count as f64).with("verb", &verb.word);
        measured.extend(verb.frames.iter().map(|frame| number(counts.of(*frame)).with("frame", frame.name())));
        if verb.frames.contains(&Frame::Clause) {
            measured.push(number(counts.clause_without_that).with("frame", "clause without that"));
        }
    }
    for (frame, share) in reaching(&words, frames) {
        measured.extend(corpus.share(Metric::Share, share).map(|one| one.with("property", "frequent enough").with("frame", frame.name())));
    }
    for class in &verbs.classes {
        let kept = class.verbs.iter().filter(|verb| frames.keeps(verb)).count() as u64;
        let share = Proportion { count: kept, total: class.verbs.len() as u64 };
        measured.extend(corpus.share(Metric::Share, share).map(|one| one.with("property", "kept").with("class", class_name(class))));
    }
    measured
}
