//! Damage to config.json.

use super::{Damage, broken_link, cut, directory, edit, harmless, refused, remove, write};
use serde_json::{Value, json};
use std::path::Path;

const CONFIG: &str = "config.json";

/// A value of a key.
fn key(what: &'static str, base: &'static str, (key, value): (&'static str, Value), part: &'static str) -> Damage {
    refused(what, base, (CONFIG, part), move |at| edit(at, CONFIG, |config| config[key] = value.clone()))
}

fn whole(what: &'static str, part: &'static str, damage: impl Fn(&Path) + 'static) -> Damage {
    refused(what, "bert", (CONFIG, part), damage)
}

pub(super) fn all() -> Vec<Damage> {
    [files(), sizes(), others(), labels()].into_iter().flatten().collect()
}

fn files() -> Vec<Damage> {
    vec![
        whole("no config.json", "No such file", |at| remove(at, CONFIG)),
        whole("an empty config.json", "not valid JSON", |at| write(at, CONFIG, "")),
        whole("a config.json that is cut off", "not valid JSON", |at| cut(at, CONFIG, |all| all / 2)),
        whole("a config.json that is not JSON", "not valid JSON", |at| write(at, CONFIG, "model_type: bert")),
        whole("a config.json that is not UTF-8", "not valid JSON", |at| write(at, CONFIG, b"{\"model_type\": \"b\xff\"}")),
        whole("a config.json of a hundred thousand brackets", "not valid JSON", |at| write(at, CONFIG, "[".repeat(100_000))),
        whole("a config.json that is a list", "not a JSON object", |at| write(at, CONFIG, "[]")),
        whole("a config.json that is a number", "not a JSON object", |at| write(at, CONFIG, "3")),
        whole("a folder as config.json", "not a file", |at| directory(at, CONFIG)),
        whole("a link to no config.json", "No such file", |at| broken_link(at, CONFIG)),
        whole("an empty folder", "No such file", |at| {
            std::fs::read_dir(at).unwrap().for_each(|entry| std::fs::remove_file(entry.unwrap().path()).unwrap());
        }),
        refused("an adapter", "bert", ("", "holds an adapter"), |at| write(at, "adapter_config.json", "{}")),
    ]
}

fn sizes() -> Vec<Damage> {
    let bert = |what, entry, part| key(what, "bert", entry, part);
    let shape = |what, entry, part| {
        let (name, value): (&'static str, Value) = entry;
        refused(what, "bert", ("model.safetensors", part), move |at| edit(at, CONFIG, |config| config[name] = value.clone()))
    };
    vec![
        whole("no hidden_size", "missing field `hidden_size`", |at| {
            edit(at, CONFIG, |config| drop(config.as_object_mut().unwrap().remove("hidden_size")));
        }),
        bert("a negative hidden_size", ("hidden_size", json!(-16)), "`hidden_size` is -16 (expected a whole number"),
        bert("a hidden_size of 0", ("hidden_size", json!(0)), "`hidden_size` is 0"),
        bert("a hidden_size of 2^60", ("hidden_size", json!(1_u64 << 60)), "`hidden_size` is 1152921504606846976"),
        bert("a hidden_size over 64 bits", ("hidden_size", json!(1e300)), "`hidden_size` is 1e+300"),
        bert("a hidden_size with a fraction", ("hidden_size", json!(16.5)), "`hidden_size` is 16.5"),
        bert("a hidden_size in quotes", ("hidden_size", json!("16")), "`hidden_size` is \"16\""),
        shape("another hidden_size", ("hidden_size", json!(32)), "word_embeddings.weight` is 33 x 16 (expected 33 x 32)"),
        shape("another intermediate_size", ("intermediate_size", json!(25)), "(expected 25 x 16)"),
        bert("no heads", ("num_attention_heads", json!(0)), "`num_attention_heads` is 0"),
        bert("heads that do not divide", ("num_attention_heads", json!(3)), "3 heads for 16 columns"),
        bert("no layers", ("num_hidden_layers", json!(0)), "`num_hidden_layers` is 0"),
        bert("a billion layers", ("num_hidden_layers", json!(1_000_000_000)), "`num_hidden_layers` is 1000000000"),
        shape("more layers than the weights", ("num_hidden_layers", json!(3)), "no tensor `bert.encoder.layer.2."),
        bert("fewer layers than the weights", ("num_hidden_layers", json!(1)), "it has 1 layers, but the weights have `encoder.layer.1`"),
        key("a short decoder", "bart", ("decoder_layers", json!(1)), "it has 1 layers, but the weights have `decoder.layers.1`"),
        shape("a larger vocabulary", ("vocab_size", json!(34)), "is 33 x 16 (expected 34 x 16)"),
        shape("a smaller vocabulary", ("vocab_size", json!(32)), "is 33 x 16 (expected 32 x 16)"),
        bert("no positions", ("max_position_embeddings", json!(0)), "`max_position_embeddings` is 0"),
        bert("one position", ("max_position_embeddings", json!(1)), "the model reads 1 tokens (expected at least 8)"),
        bert("2^50 positions", ("max_position_embeddings", json!(1_u64 << 50)), "`max_position_embeddings` is"),
        key("2^50 positions of DeBERTa", "deberta-v3", ("max_position_embeddings", json!(1_u64 << 50)), "`max_position_embeddings` is"),
        shape("a million positions", ("max_position_embeddings", json!(1_000_000)), "(expected 1000000 x 16)"),
        key("positions in quotes", "modernbert", ("max_position_embeddings", json!("64")), "`max_position_embeddings` is \"64\""),
        key("a huge padding index", "roberta", ("pad_token_id", json!(1_u64 << 40)), "the model reads 0 tokens"),
        refused("too many segments", "bert", ("model.safetensors", "token_type_embeddings.weight` is 2 x 16 (expected 9 x 16)"), |at| {
            edit(at, CONFIG, |config| config["type_vocab_size"] = json!(9));
        }),
        key("no buckets of distances", "mpnet", ("relative_attention_num_buckets", json!(0)), "`relative_attention_num_buckets` is 0"),
    ]
}

fn others() -> Vec<Damage> {
    let bert = |what, entry, part| key(what, "bert", entry, part);
    vec![
        whole("no model_type", "no `model_type`", |at| {
            edit(at, CONFIG, |config| drop(config.as_object_mut().unwrap().remove("model_type")))
        }),
        bert("an unknown model_type", ("model_type", json!("t5")), "unknown model_type `t5`; supported: "),
        bert("a model_type that is a number", ("model_type", json!(7)), "no `model_type`"),
        refused("the model_type of another model", "bert", ("model.safetensors", "no tensor `classifier.out_proj.weight`"), |at| {
            edit(at, CONFIG, |config| config["model_type"] = json!("roberta"));
        }),
        bert("an unknown hidden_act", ("hidden_act", json!("swiglu")), "`hidden_act` is `swiglu` (expected gelu"),
        bert("a hidden_act that is a number", ("hidden_act", json!(3)), "invalid type"),
        bert("code of its own", ("auto_map", json!({"AutoModel": "modeling.Model"})), "brings its own code"),
        bert("a negative epsilon", ("layer_norm_eps", json!(-1e-5)), "`layer_norm_eps` is -0.00001"),
        bert("an epsilon in quotes", ("layer_norm_eps", json!("1e-5")), "`layer_norm_eps` is \"1e-5\""),
        bert("dropout of everything", ("hidden_dropout_prob", json!(1.0)), "`hidden_dropout_prob` is 1.0"),
        key("scaled embeddings", "bart", ("scale_embedding", json!(true)), "`scale_embedding` is true"),
        key("a start token outside the vocabulary", "bart", ("decoder_start_token_id", json!(9_000)), "`decoder_start_token_id` is 9000"),
        key("attention without distances", "deberta-v3", ("pos_att_type", json!("none")), "`pos_att_type`"),
        key("a convolution of two words", "deberta-v2", ("conv_kernel_size", json!(2)), "`conv_kernel_size` is 2"),
        key("an unknown pooling", "modernbert", ("classifier_pooling", json!("max")), "unknown variant `max`"),
        key("rotation by 0", "modernbert", ("rope_parameters", json!({"full_attention": {"rope_theta": 0}})), "`rope_theta` is 0"),
        harmless("keys that nobody knows", "bert", |at| edit(at, CONFIG, |config| config["quantum"] = json!({"depth": [1, 2]}))),
    ]
}

fn labels() -> Vec<Damage> {
    let of = |what, names: Value, part| key(what, "bert", ("id2label", names), part);
    vec![
        of("too few labels", json!({"0": "entailment", "1": "neutral"}), "id2label has 2 labels, but the weights have 3 outputs"),
        of("a label twice", json!({"0": "neutral", "1": "neutral", "2": "entailment"}), "neutral, neutral, entailment"),
        of("labels of sentiments", json!({"0": "negative", "1": "neutral", "2": "positive"}), "not those of natural language inference"),
        of("labels that say nothing", json!({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}), "does not say what they mean; usual orders are"),
        of("labels that are null", Value::Null, "the labels are missing"),
        of("labels in a list", json!(["entailment", "neutral", "contradiction"]), "`id2label` is not an object"),
        of("labels that are numbers", json!({"0": 0, "1": 1, "2": 2}), "does not say what they mean; usual orders are"),
        of("labels from 1", json!({"1": "entailment", "2": "neutral", "3": "contradiction"}), "the number 1 where 0 is expected"),
        of("labels by name", json!({"entailment": 0, "neutral": 1, "contradiction": 2}), "has the key `contradiction`"),
        whole("no id2label", "the labels are missing", |at| {
            edit(at, CONFIG, |config| drop(config.as_object_mut().unwrap().remove("id2label")));
        }),
    ]
}
