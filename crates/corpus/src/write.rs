//! Writing corpora in the formats that other tools read.

use crate::CorpusError;
use crate::parquet_file::ParquetWriter;
use acidtest_files::{Output, Sealed, publish_all};
use acidtest_nli::{Example, Judgment, Named, tag};
use std::path::Path;

/// A format to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Our own JSON lines: MultiNLI's fields, tags, and what was changed.
    Acidtest,
    /// MultiNLI and SNLI JSON lines.
    MultiNli,
    /// MultiNLI and SNLI tab separated text.
    MultiNliText,
    /// HANS' tab separated text.
    Hans,
    /// GLUE's tab separated MNLI.
    Glue,
    /// Hugging Face style JSON lines: `premise`, `hypothesis`, `label` as a number.
    HuggingFace,
    /// The same as comma separated values.
    Csv,
    /// The same as Parquet.
    Parquet,
    /// ANLI's JSON lines.
    Anli,
    /// SICK's tab separated text.
    Sick,
}

impl Format {
    /// All formats with the names that users type.
    pub const ALL: [(&'static str, Format); 10] = [
        ("acidtest", Format::Acidtest),
        ("multinli", Format::MultiNli),
        ("multinli-text", Format::MultiNliText),
        ("hans", Format::Hans),
        ("glue", Format::Glue),
        ("hf", Format::HuggingFace),
        ("csv", Format::Csv),
        ("parquet", Format::Parquet),
        ("anli", Format::Anli),
        ("sick", Format::Sick),
    ];

    /// The format of this name.
    pub fn named(name: &str) -> Result<Self, acidtest_nli::UnknownName> {
        struct Entry(&'static str, Format);
        impl Named for Entry {
            fn name(&self) -> &str {
                self.0
            }
        }
        let entries = Format::ALL.map(|(name, format)| Entry(name, format));
        acidtest_nli::find("format", &entries, name).map(|entry| entry.1)
    }

    /// The name that users type.
    pub fn name(self) -> &'static str {
        Format::ALL.iter().find(|(_, format)| *format == self).map_or("acidtest", |(name, _)| name)
    }

    /// What it is, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Format::Acidtest => "our own JSON lines: MultiNLI's fields, tags, and what was changed (the default)",
            Format::MultiNli => "MultiNLI and SNLI JSON lines",
            Format::MultiNliText => "MultiNLI and SNLI tab separated text (.tsv, .txt)",
            Format::Hans => "HANS' tab separated text",
            Format::Glue => "GLUE's tab separated MNLI",
            Format::HuggingFace => "JSON lines with id, premise, hypothesis and a numbered label",
            Format::Csv => "the same as comma separated values (.csv)",
            Format::Parquet => "the same as Parquet (.parquet)",
            Format::Anli => "ANLI's JSON lines",
            Format::Sick => "SICK's tab separated text",
        }
    }

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Acidtest | Format::MultiNli | Format::HuggingFace | Format::Anli => "jsonl",
            Format::MultiNliText | Format::Hans | Format::Sick => "txt",
            Format::Glue => "tsv",
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }

    /// The format that a file name asks for; our own where it does not.
    pub fn of_path(path: &Path) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => Format::Csv,
            Some("parquet") => Format::Parquet,
            Some("tsv" | "txt") => Format::MultiNliText,
            _ => Format::Acidtest,
        }
    }

    fn header(self) -> &'static str {
        match self {
            Format::MultiNliText => {
                "gold_label\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tlabel1\tlabel2\tlabel3\tlabel4\tlabel5\n"
            }
            Format::Hans => {
                "gold_label\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tpairID\theuristic\tsubcase\ttemplate\n"
            }
            Format::Glue => {
                "index\tpromptID\tpairID\tgenre\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tlabel1\tgold_label\n"
            }
            Format::Csv => "id,premise,hypothesis,label\n",
            Format::Sick => "pair_ID\tsentence_A\tsentence_B\tentailment_judgment\n",
            _ => "",
        }
    }
}

/// Writes examples to an output, in order.
pub struct Writer {
    output: Option<Output>,
    format: Format,
    parquet: Option<ParquetWriter>,
    rows: u64,
}

impl Writer {
    /// Begins an output with the format's header.
    pub fn create(path: &Path, format: Format) -> Result<Self, CorpusError> {
        let mut output = Output::create(path)?;
        if format == Format::Parquet {
            return Ok(Writer { output: None, format, parquet: Some(ParquetWriter::new(output)?), rows: 0 });
        }
        output.write(format.header().as_bytes())?;
        Ok(Writer { output: Some(output), format, parquet: None, rows: 0 })
    }

    /// The format that is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Writes one row.
    pub fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        if let Some(parquet) = &mut self.parquet {
            return parquet.write(example);
        }
        let mut bytes = Vec::with_capacity(512);
        encode(self.format, example, self.rows, &mut bytes).map_err(|reason| self.encoder().not_held(example, reason))?;
        self.rows += 1;
        match &mut self.output {
            Some(output) => Ok(output.write(&bytes)?),
            None => Ok(()),
        }
    }

    /// What encodes rows for this writer, on any thread.
    pub fn encoder(&self) -> Encoder {
        Encoder { format: self.format, output: self.name() }
    }

    /// Writes rows that were encoded by this writer's [`Encoder`].
    pub fn write_rows(&mut self, rows: &EncodedRows) -> Result<(), CorpusError> {
        if let Some(output) = &mut self.output {
            output.write(&rows.bytes)?;
        }
        rows.examples.iter().try_for_each(|example| self.write(example))
    }

    /// Lets the output appear under its name.
    pub fn finish(self) -> Result<(), CorpusError> {
        Ok(publish_all(self.seal()?.into_iter().collect())?)
    }

    /// Completes the output under a temporary name, to appear together with others.
    pub fn seal(self) -> Result<Option<Sealed>, CorpusError> {
        match (self.parquet, self.output) {
            (Some(parquet), _) => Ok(Some(parquet.seal()?)),
            (None, Some(output)) => Ok(Some(output.seal()?)),
            (None, None) => Ok(None),
        }
    }

    fn name(&self) -> String {
        self.output.as_ref().map(Output::name).unwrap_or_default()
    }
}

/// Encodes rows for a [`Writer`], on any thread.
#[derive(Debug, Clone)]
pub struct Encoder {
    format: Format,
    output: String,
}

/// Rows on their way to a [`Writer`].
#[derive(Debug, Default)]
pub struct EncodedRows {
    bytes: Vec<u8>,
    /// Rows of formats that number their rows or keep them in groups: only the writer can encode them.
    examples: Vec<Example<'static>>,
}

impl Encoder {
    /// Encodes rows for outputs in this format; `output` is what errors name.
    pub fn new(format: Format, output: &Path) -> Self {
        Encoder { format, output: output.display().to_string() }
    }

    /// Adds a row.
    pub fn add(&self, example: &Example<'_>, rows: &mut EncodedRows) -> Result<(), CorpusError> {
        if matches!(self.format, Format::Parquet | Format::Glue) {
            rows.examples.push(example.clone().into_owned());
            return Ok(());
        }
        encode(self.format, example, 0, &mut rows.bytes).map_err(|reason| self.not_held(example, reason))
    }

    fn not_held(&self, example: &Example<'_>, reason: String) -> CorpusError {
        CorpusError::NotHeld { path: self.output.clone(), id: example.pair.id.to_string(), format: self.format.name(), reason }
    }
}

impl EncodedRows {
    /// The bytes so far, for rows that are made as text in the writer's format.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether so much is held that it should be written.
    pub fn is_large(&self) -> bool {
        self.bytes.len() >= LARGE_BYTES || self.examples.len() >= LARGE_ROWS
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.examples.clear();
    }
}

/// Bytes of rows that are worth a call of the system.
const LARGE_BYTES: usize = 1 << 16;
/// Rows that are about as large.
const LARGE_ROWS: usize = 256;

/// Encodes one row of a line format at the end of `out`; the error says why the format cannot hold it.
pub(crate) fn encode(format: Format, example: &Example<'_>, row: u64, out: &mut Vec<u8>) -> Result<(), String> {
    match format {
        Format::Acidtest | Format::MultiNli => {
            multinli_json(format, example, out);
            Ok(())
        }
        Format::HuggingFace => {
            out.extend_from_slice(b"{\"id\":");
            json_string(&example.pair.id, out);
            json_value(b",\"premise\":\"", &example.pair.premise.text, out);
            json_value(b",\"hypothesis\":\"", &example.pair.hypothesis.text, out);
            out.extend_from_slice(format!(",\"label\":{}}}\n", number(example.gold)).as_bytes());
            Ok(())
        }
        Format::Anli => {
            out.extend_from_slice(b"{\"uid\":");
            json_string(&example.pair.id, out);
            json_value(b",\"context\":\"", &example.pair.premise.text, out);
            json_value(b",\"hypothesis\":\"", &example.pair.hypothesis.text, out);
            let label = example.gold.and_then(Judgment::label).ok_or("it has no three-way label")?;
            json_value(b",\"label\":\"", &label.name()[..1], out);
            out.extend_from_slice(b"}\n");
            Ok(())
        }
        Format::Csv => csv_row(example, out),
        Format::Parquet => Err("Parquet is not written line by line".to_string()),
        _ => tab_separated(format, example, row, out),
    }
}

/// The label's number in Hugging Face sets; two-way sets have entailment 0 and not entailment 1.
pub(crate) fn number(gold: Option<Judgment>) -> i32 {
    match gold {
        Some(Judgment::Exact(label)) => label.index() as i32,
        Some(Judgment::NotEntailment) => 1,
        None => -1,
    }
}

fn gold_name(gold: Option<Judgment>) -> &'static str {
    gold.map_or("-", Judgment::name)
}

fn multinli_json(format: Format, example: &Example<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"annotator_labels\":[");
    for (n, vote) in example.votes.0.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b",\"" } else { b"\"" });
        out.extend_from_slice(vote.judgment.name().as_bytes());
        out.push(b'"');
    }
    out.push(b']');
    if format == Format::Acidtest && example.votes.0.iter().any(|vote| vote.annotator.is_some()) {
        json_annotators(example, out);
    }
    for (name, value) in example.tags.iter().filter(|(name, _)| is_field(name)) {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(name.as_bytes());
        json_value(b"\":\"", value, out);
    }
    json_value(b",\"gold_label\":\"", gold_name(example.gold), out);
    json_value(b",\"pairID\":\"", &example.pair.id, out);
    let premise = &example.pair.premise;
    json_value(b",\"sentence1\":\"", &premise.text, out);
    json_optional(b",\"sentence1_binary_parse\":\"", &premise.binary_parse, out);
    json_optional(b",\"sentence1_parse\":\"", &premise.parse, out);
    let hypothesis = &example.pair.hypothesis;
    json_value(b",\"sentence2\":\"", &hypothesis.text, out);
    json_optional(b",\"sentence2_binary_parse\":\"", &hypothesis.binary_parse, out);
    json_optional(b",\"sentence2_parse\":\"", &hypothesis.parse, out);
    if format == Format::Acidtest {
        let mut open = false;
        for (name, value) in example.tags.iter().filter(|(name, _)| !is_field(name)) {
            out.extend_from_slice(if open { b"," } else { b",\"tags\":{" });
            open = true;
            json_string(name, out);
            out.push(b':');
            json_string(value, out);
        }
        if open {
            out.push(b'}');
        }
        if !example.changes.is_empty() {
            json_changes(example, out);
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Writes who voted, beside the list of votes; `null` for an unknown annotator.
fn json_annotators(example: &Example<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"annotators\":[");
    for (n, vote) in example.votes.0.iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        match &vote.annotator {
            Some(annotator) => json_string(annotator, out),
            None => out.extend_from_slice(b"null"),
        }
    }
    out.push(b']');
}

/// Whether MultiNLI, SNLI or HANS have the tag as a field of its own.
fn is_field(name: &str) -> bool {
    matches!(name, tag::CAPTION | tag::GENRE | tag::HEURISTIC | tag::PROMPT | tag::SUBCASE | tag::TEMPLATE)
}

fn json_optional(key: &[u8], value: &Option<std::borrow::Cow<'_, str>>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        json_value(key, value, out);
    }
}

fn json_changes(example: &Example<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"changes\":[");
    for (n, change) in example.changes.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b",{\"side\":\"" } else { b"{\"side\":\"" });
        out.extend_from_slice(change.side.name().as_bytes());
        out.extend_from_slice(b"\",\"start\":");
        push_number(change.start, out);
        out.extend_from_slice(b",\"end\":");
        push_number(change.end, out);
        json_value(b",\"before\":\"", &change.before, out);
        if let Some(from) = change.from {
            json_value(b",\"from\":\"", from.name(), out);
        }
        out.push(b'}');
    }
    out.push(b']');
}

fn push_number(number: usize, out: &mut Vec<u8>) {
    if number >= 10 {
        push_number(number / 10, out);
    }
    out.push(b'0' + (number % 10) as u8);
}

/// Writes a field whose key comes with the comma before it and the quotation mark behind it.
fn json_value(key: &[u8], value: &str, out: &mut Vec<u8>) {
    out.reserve(key.len() + value.len() + 1);
    out.extend_from_slice(key);
    json_content(value, out);
    out.push(b'"');
}

/// Writes a JSON string.
pub(crate) fn json_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    json_content(text, out);
    out.push(b'"');
}

/// Writes what stands between the quotation marks of a JSON string.
fn json_content(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    // Nearly every text needs no escape, which these two passes find out by vector instructions.
    let plain = memchr::memchr2(b'"', b'\\', bytes).is_none() && bytes.iter().copied().fold(u8::MAX, u8::min) >= 0x20;
    if plain {
        out.extend_from_slice(bytes);
    } else {
        for &byte in bytes {
            match byte {
                b'"' => out.extend_from_slice(b"\\\""),
                b'\\' => out.extend_from_slice(b"\\\\"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => out.push(byte),
            }
        }
    }
}

fn csv_row(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let number = number(example.gold).to_string();
    let fields = [example.pair.id.as_ref(), &example.pair.premise.text, &example.pair.hypothesis.text, &number];
    let mut writer = csv::WriterBuilder::new().from_writer(out);
    writer.write_record(fields).and_then(|()| Ok(writer.flush()?)).map_err(|error| error.to_string())
}

fn tab_separated(format: Format, example: &Example<'_>, row: u64, out: &mut Vec<u8>) -> Result<(), String> {
    let pair = &example.pair;
    let parse = |parse: &Option<std::borrow::Cow<'_, str>>| parse.as_deref().unwrap_or_default().to_string();
    let tag = |name: &str| example.tags.get(name).unwrap_or_default().to_string();
    let gold = gold_name(example.gold).to_string();
    let parses = || {
        [
            parse(&pair.premise.binary_parse),
            parse(&pair.hypothesis.binary_parse),
            parse(&pair.premise.parse),
            parse(&pair.hypothesis.parse),
            pair.premise.text.to_string(),
            pair.hypothesis.text.to_string(),
        ]
    };
    let vote = |n: usize| example.votes.0.get(n).map_or("", |vote| vote.judgment.name()).to_string();
    let id = pair.id.to_string();
    let mut cells: Vec<String> = Vec::with_capacity(16);
    match format {
        Format::MultiNliText => {
            cells.push(gold);
            cells.extend(parses());
            cells.extend([tag(tag::PROMPT), id, tag(tag::GENRE)]);
            cells.extend((0..5).map(vote));
        }
        Format::Hans => {
            let gold = example.gold.ok_or("it has no label, and HANS has no way to say so")?;
            cells.push(if gold.is_entailment() { "entailment".into() } else { "non-entailment".into() });
            cells.extend(parses());
            cells.extend([id, tag(tag::HEURISTIC), tag(tag::SUBCASE), tag(tag::TEMPLATE)]);
        }
        Format::Glue => {
            cells.extend([row.to_string(), tag(tag::PROMPT), id, tag(tag::GENRE)]);
            cells.extend(parses());
            cells.extend([vote(0), gold]);
        }
        _ => cells.extend([id, pair.premise.text.to_string(), pair.hypothesis.text.to_string(), gold.to_ascii_uppercase()]),
    }
    if let Some(cell) = cells.iter().find(|cell| cell.contains(['\t', '\n', '\r'])) {
        let start: String = cell.chars().take(30).collect();
        return Err(format!("`{}` has a tab or a line break in it", start.escape_debug()));
    }
    out.extend_from_slice(cells.join("\t").as_bytes());
    out.push(b'\n');
    Ok(())
}
