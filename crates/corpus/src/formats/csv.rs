//! The columns of Hugging Face as comma separated values.

use super::{Encoding, FormatEntry, number};
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "csv",
    summary: "the same as comma separated values (.csv)",
    ending: "csv",
    claims: &["csv"],
    encoding: Encoding::Lines { header: "id,premise,hypothesis,label\n", encode },
};

/// Rows are small, and each is written by itself.
const BUFFER: usize = 1 << 10;

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let number = number(example.gold).to_string();
    let fields = [example.pair.id.as_ref(), &example.pair.premise.text, &example.pair.hypothesis.text, &number];
    let mut writer = csv::WriterBuilder::new().buffer_capacity(BUFFER).from_writer(out);
    writer.write_record(fields).and_then(|()| Ok(writer.flush()?)).map_err(|error| error.to_string())
}
