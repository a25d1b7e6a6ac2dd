//! Damage to the weights.

use super::{Damage, broken_link, cut, directory, edit, harmless, refused, remove, write};
use serde_json::{Map, Value, json};
use std::path::Path;

const WEIGHTS: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";
const QUERY: &str = "bert.encoder.layer.1.attention.self.query.weight";

/// The header and the numbers of the weights.
fn read(folder: &Path) -> (Map<String, Value>, Vec<u8>) {
    let bytes = std::fs::read(folder.join(WEIGHTS)).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[8..8 + length]).unwrap(), bytes[8 + length..].to_vec())
}

fn save(folder: &Path, header: &Map<String, Value>, numbers: &[u8]) {
    let text = Value::Object(header.clone()).to_string();
    write(folder, WEIGHTS, [&(text.len() as u64).to_le_bytes(), text.as_bytes(), numbers].concat());
}

/// Changes the entry of a tensor in the header.
fn entry(folder: &Path, name: &str, change: impl Fn(&mut Value)) {
    let (mut header, numbers) = read(folder);
    change(&mut header[name]);
    save(folder, &header, &numbers);
}

/// Puts a tensor with these bytes at the end, in place of an old one if there is one.
fn put(folder: &Path, name: &str, (kind, shape): (&str, Value), bytes: &[u8]) {
    take(folder, name);
    let (mut header, mut numbers) = read(folder);
    header.insert(name.to_owned(), json!({"dtype": kind, "shape": shape, "data_offsets": [numbers.len(), numbers.len() + bytes.len()]}));
    numbers.extend(bytes);
    save(folder, &header, &numbers);
}

/// Takes a tensor out of the file, so that the file itself is whole.
fn take(folder: &Path, name: &str) {
    let (mut header, mut numbers) = read(folder);
    let Some(old) = header.remove(name) else { return };
    let [from, to] = [0, 1].map(|place| old["data_offsets"][place].as_u64().unwrap() as usize);
    numbers.drain(from..to);
    for (_, own) in header.iter_mut().filter(|(name, _)| *name != "__metadata__") {
        for place in own["data_offsets"].as_array_mut().unwrap() {
            let old = place.as_u64().unwrap() as usize;
            *place = json!(if old >= to { old - (to - from) } else { old });
        }
    }
    save(folder, &header, &numbers);
}

/// Splits the weights in an index with one part.
fn index(folder: &Path, change: impl Fn(&mut Value)) {
    let (header, _) = read(folder);
    std::fs::rename(folder.join(WEIGHTS), folder.join("part.safetensors")).unwrap();
    let map: Map<String, Value> = header.keys().map(|name| (name.clone(), json!("part.safetensors"))).collect();
    write(folder, INDEX, json!({ "weight_map": map }).to_string());
    edit(folder, INDEX, change);
}

fn in_file(what: &'static str, part: &'static str, damage: impl Fn(&Path) + 'static) -> Damage {
    refused(what, "bert", (WEIGHTS, part), damage)
}

pub(super) fn all() -> Vec<Damage> {
    [files(), headers(), tensors(), parts()].into_iter().flatten().collect()
}

fn files() -> Vec<Damage> {
    vec![
        in_file("weights of no bytes", "shorter than its header", |at| write(at, WEIGHTS, "")),
        in_file("weights of 5 bytes", "shorter than its header", |at| cut(at, WEIGHTS, |_| 5)),
        in_file("weights cut in the header", "shorter than its header says", |at| cut(at, WEIGHTS, |_| 500)),
        in_file("weights cut after the header", "extends beyond the end of the file", |at| cut(at, WEIGHTS, |all| all / 2)),
        in_file("weights without the last byte", "extends beyond the end of the file", |at| cut(at, WEIGHTS, |all| all - 1)),
        in_file("weights with more bytes", "longer than its tensors", |at| {
            let bytes = std::fs::read(at.join(WEIGHTS)).unwrap();
            write(at, WEIGHTS, [bytes, vec![0; 9]].concat());
        }),
        in_file("an LFS pointer", "LFS pointer", |at| {
            write(at, WEIGHTS, "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 90868376\n");
        }),
        in_file("a web page as weights", "shorter than its header says", |at| write(at, WEIGHTS, "<!doctype html><html></html>")),
        in_file("a folder as weights", "not a file", |at| directory(at, WEIGHTS)),
        in_file("a socket as weights", "not a file", |at| {
            remove(at, WEIGHTS);
            drop(std::os::unix::net::UnixListener::bind(at.join(WEIGHTS)).unwrap());
        }),
        in_file("a link to no weights", "No such file", |at| broken_link(at, WEIGHTS)),
        refused("no weights", "bert", ("", "no weights"), |at| remove(at, WEIGHTS)),
        refused("weights of PyTorch only", "bert", ("", "only pytorch_model.bin; convert it in Python"), |at| {
            std::fs::rename(at.join(WEIGHTS), at.join("pytorch_model.bin")).unwrap();
        }),
        refused("weights of TensorFlow only", "bert", ("", "only tf_model.h5"), |at| {
            std::fs::rename(at.join(WEIGHTS), at.join("tf_model.h5")).unwrap();
        }),
    ]
}

fn headers() -> Vec<Damage> {
    let length = |bytes: u64| {
        move |at: &Path| {
            let mut file = std::fs::read(at.join(WEIGHTS)).unwrap();
            file[..8].copy_from_slice(&bytes.to_le_bytes());
            write(at, WEIGHTS, file);
        }
    };
    vec![
        in_file("a header of 2^64 - 1 bytes", "shorter than its header says", length(u64::MAX)),
        in_file("a header of 2^40 bytes", "shorter than its header says", length(1 << 40)),
        in_file("a header of no bytes", "EOF", length(0)),
        in_file("a header that is too short", "EOF", length(900)),
        in_file("a header that is not JSON", "expected", |at| {
            let mut bytes = std::fs::read(at.join(WEIGHTS)).unwrap();
            bytes[8..40].fill(b'x');
            write(at, WEIGHTS, bytes);
        }),
        in_file("offsets after the file", "extends beyond the end of the file", |at| {
            entry(at, QUERY, |own| own["data_offsets"][1] = json!(1_u64 << 50))
        }),
        in_file("offsets that end before they begin", "extends beyond the end of the file", |at| {
            entry(at, QUERY, |own| own["data_offsets"] = json!([64, 0]))
        }),
        in_file("negative offsets", "expected usize", |at| entry(at, QUERY, |own| own["data_offsets"][0] = json!(-4))),
        in_file("offsets of another tensor", "does not begin where the one before it ends", |at| {
            let (mut header, numbers) = read(at);
            header[QUERY]["data_offsets"] = header["bert.pooler.dense.weight"]["data_offsets"].clone();
            save(at, &header, &numbers);
        }),
        in_file("a shape whose size overflows", "not as long as its shape", |at| {
            entry(at, QUERY, |own| own["shape"] = json!([1_u64 << 40, 1_u64 << 40]));
        }),
        in_file("a huge shape of a type that is not read", "not as long as its shape", |at| {
            entry(at, QUERY, |own| (own["dtype"], own["shape"]) = (json!("BOOL"), json!([1_u64 << 40, 16])));
        }),
        in_file("a shape of more numbers", "not as long as its shape", |at| entry(at, QUERY, |own| own["shape"] = json!([16, 17]))),
        in_file("an unknown type", "unknown variant", |at| entry(at, QUERY, |own| own["dtype"] = json!("F33"))),
        in_file("an entry that is not an object", "invalid type", |at| entry(at, QUERY, |own| *own = json!(3))),
    ]
}

fn floats(number: f32, count: usize) -> Vec<u8> {
    number.to_le_bytes().repeat(count)
}

fn tensors() -> Vec<Damage> {
    let square = json!([16, 16]);
    let of = |kind: &'static str, bytes: Vec<u8>| {
        let shape = square.clone();
        move |at: &Path| put(at, QUERY, (kind, shape.clone()), &bytes)
    };
    vec![
        in_file("NaN", "query.weight` has numbers that are NaN", of("F32", floats(f32::NAN, 256))),
        in_file("an infinite number", "NaN or infinite", of("F32", [floats(1.0, 255), floats(f32::INFINITY, 1)].concat())),
        in_file("minus infinity", "NaN or infinite", of("F32", [floats(f32::NEG_INFINITY, 1), floats(1.0, 255)].concat())),
        in_file("NaN in f16", "NaN or infinite", of("F16", 0x7e00_u16.to_le_bytes().repeat(256))),
        in_file("an infinite number in f16", "NaN or infinite", of("F16", 0x7c00_u16.to_le_bytes().repeat(256))),
        in_file("NaN in bf16", "NaN or infinite", of("BF16", 0x7fc0_u16.to_le_bytes().repeat(256))),
        in_file("an infinite number in bf16", "NaN or infinite", of("BF16", 0xff80_u16.to_le_bytes().repeat(256))),
        in_file("whole numbers", "of type I64 (expected F32, F16 or BF16)", of("I64", vec![0; 2048])),
        in_file("numbers of 64 bits", "of type F64", of("F64", vec![0; 2048])),
        in_file("truth values", "of type BOOL", of("BOOL", vec![0; 256])),
        in_file("numbers of 8 bits", "of type F8_E4M3", of("F8_E4M3", vec![0; 256])),
        in_file("a transposed shape", "word_embeddings.weight` is 16 x 33 (expected 33 x 16)", |at| {
            entry(at, "bert.embeddings.word_embeddings.weight", |own| own["shape"] = json!([16, 33]));
        }),
        in_file("a smaller tensor", "query.weight` is 8 x 16 (expected 16 x 16)", |at| {
            put(at, QUERY, ("F32", json!([8, 16])), &floats(0.5, 128));
        }),
        in_file("a missing tensor", "no tensor `bert.encoder.layer.1.attention.self.query.weight`", |at| take(at, QUERY)),
        in_file("a missing head", "no tensor `classifier.weight`", |at| {
            take(at, "classifier.weight");
            take(at, "classifier.bias");
        }),
        in_file("missing embeddings", "no tensor `bert.embeddings.word_embeddings.weight`", |at| {
            take(at, "bert.embeddings.word_embeddings.weight");
        }),
        in_file("no tensors at all", "no tensor `classifier.weight`", |at| save(at, &Map::new(), &[])),
        refused("a missing head of RoBERTa", "roberta", (WEIGHTS, "no tensor `classifier.out_proj.weight`"), |at| {
            take(at, "classifier.out_proj.weight");
        }),
        refused("missing distances of DeBERTa", "deberta-v3", (WEIGHTS, "no tensor `deberta.encoder.rel_embeddings.weight`"), |at| {
            take(at, "deberta.encoder.rel_embeddings.weight");
        }),
        refused("a missing decoder of BART", "bart", (WEIGHTS, "no tensor `model.decoder.layers.1.fc1.weight`"), |at| {
            take(at, "model.decoder.layers.1.fc1.weight");
        }),
        refused("a classifier with four rows", "bert", ("config.json", "3 labels, but the weights have 4 outputs"), |at| {
            put(at, "classifier.weight", ("F32", json!([4, 16])), &floats(0.5, 64));
            put(at, "classifier.bias", ("F32", json!([4])), &floats(0.5, 4));
        }),
        // Files from before the head was trained hold position ids and the head of the language model, which `transformers` ignores too.
        harmless("tensors that are not used", "bert", |at| {
            put(at, "bert.embeddings.position_ids", ("I64", json!([1, 4])), &[0; 32]);
            put(at, "cls.predictions.bias", ("F32", json!([2])), &floats(f32::NAN, 2));
        }),
        // A tensor without numbers is nothing.
        harmless("an empty tensor", "bert", |at| put(at, "extra", ("F32", json!([0, 7])), &[])),
    ]
}

fn parts() -> Vec<Damage> {
    let in_index = |what, part, damage: fn(&Path)| refused(what, "bert", (INDEX, part), damage);
    vec![
        harmless("an index with one part", "bert", |at| index(at, |_| ())),
        in_index("an index that names a missing part", "the part `other.safetensors` is missing", |at| {
            index(at, |index| index["weight_map"][QUERY] = json!("other.safetensors"));
        }),
        in_index("a part outside the folder", "`../part.safetensors` is not the name of a file", |at| {
            index(at, |index| index["weight_map"][QUERY] = json!("../part.safetensors"));
        }),
        in_index("a part anywhere on the disk", "`/etc/passwd` is not the name of a file", |at| {
            index(at, |index| index["weight_map"][QUERY] = json!("/etc/passwd"));
        }),
        in_index("a part that is the folder itself", "`.` is not the name of a file", |at| {
            index(at, |index| index["weight_map"][QUERY] = json!("."));
        }),
        in_index("an index that is not JSON", "not valid JSON", |at| {
            index(at, |_| ());
            write(at, INDEX, "weight_map:");
        }),
        in_index("an index without weight_map", "missing field `weight_map`", |at| index(at, |index| *index = json!({"metadata": {}}))),
        in_index("an index with an empty weight_map", "weight_map is empty", |at| index(at, |index| index["weight_map"] = json!({}))),
        in_index("an index whose parts are numbers", "invalid type", |at| index(at, |index| index["weight_map"][QUERY] = json!(1))),
        refused("a part that is cut off", "bert", ("part.safetensors", "extends beyond the end of the file"), |at| {
            index(at, |_| ());
            cut(at, "part.safetensors", |all| all - 100);
        }),
        refused("a folder as a part", "bert", ("part.safetensors", "not a file"), |at| {
            index(at, |_| ());
            directory(at, "part.safetensors");
        }),
    ]
}
