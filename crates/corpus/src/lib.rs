//! Reads and writes all common formats of NLI corpora.
//!
//! Formats are recognised by content, never by name; `.gz` and `.zst` files are decompressed. A [`Reader`] returns a corpus in blocks that
//! several threads can parse ([`for_blocks`]), so memory does not grow with the corpus. Parsing is strict: a row that cannot be read is an
//! error with path and line, or is counted if skipping was requested.

mod block;
mod blocks;
mod caught;
mod class_names;
mod error;
mod example_spool;
mod field;
mod formats;
mod ids;
mod input;
mod layouts;
mod lines;
mod memory;
mod passage;
mod plain;
mod predictions;
mod reader;
mod run_table;
mod sample;
mod select;
mod source;
mod spare;
mod text;
mod writer;

pub use block::{Block, Examples, Row};
pub use caught::panics_are_caught;
pub use error::{CorpusError, Place, RowProblem};
pub use example_spool::ExampleSpool;
pub use field::{ColumnNames, Field};
pub use formats::{FORMATS, Format};
pub use ids::IdPolicy;
pub use input::{InputFile, resolve};
pub use lines::each_line;
pub use memory::ExampleSource;
pub use predictions::{PredictionFile, PredictionForm, PredictionOptions, add_csv_line, read_predictions};
pub use reader::{BadRows, IdSource, Passages, ReadOptions, Reader, Unlabelled};
pub use run_table::{ResultTable, read_result_table};
pub use sample::{embedded_sample, embedded_sample_hash, plain_pairs, plain_pairs_hash};
pub use select::{Sampler, Split, SplitError, Splitter};
pub use source::{BlockSource, BlocksAtOnce, Corpus, FileRead, FinishedFile, LoopCounts, LoopOptions, for_blocks, read_all, read_source};
pub use text::{LONGEST_PIECE_KB, TextBlock, TextPiece, TextReader, TextUnit};
pub use writer::{EncodedRows, Encoder, Writer};
