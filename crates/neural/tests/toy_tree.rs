//! A network over trees and characters in one file: its featurizer, an operation of its own, two classes.
//!
//! No other file refers to it. It shows what a network needs that reads more than words, and fails to compile if that ever needs a change
//! elsewhere.
#![allow(clippy::unwrap_used)] // A test that fails has found something.

use acidtest_neural::check::check;
use acidtest_neural::column::{BinaryTree, Column, Nested};
use acidtest_neural::matrix::Matrix;
use acidtest_neural::networks::{Encoded, ListedNetwork, ListedSettings, TwoStepNetwork, build, check_size, complete_settings};
use acidtest_neural::ops::{Activation, Linear, Pooling, WordRows};
use acidtest_neural::parameters::{Initial, ParameterId, ParameterUpdate, Parameters};
use acidtest_neural::tape::{Node, Operation, Pass, Tape};
use acidtest_neural::{
    BuiltFeaturizer, Classifier, Definition, Featurizer, FeaturizerBuilder, FeaturizerEntry, Inputs, KnownVectors, ModelFiles,
    NetworkEntry, NetworkSettings, PairFeatures, Result, SentenceFeatures, Sizes, Trainer, TrainerSettings,
};
use acidtest_nli::{Pair, Seed, Sentence};
use acidtest_threads::Threads;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

static TOY: NetworkEntry = NetworkEntry {
    name: "toy-tree",
    summary: "a recursive network over binary trees, words spelt by characters",
    source: "Socher et al. 2011, made small",
    featurizer: TREES,
    settings: complete_settings::<Toy>,
    build: build::<Toy>,
};

#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ToySettings {
    hidden: usize,
}

impl Default for ToySettings {
    fn default() -> Self {
        ToySettings { hidden: 6 }
    }
}

impl ListedSettings for ToySettings {
    fn check(&self) -> Result<()> {
        check_size("hidden", self.hidden)
    }
}

const CHARACTERS: usize = 128;

struct Toy {
    words: ParameterId,
    characters: ParameterId,
    compose: ParameterId,
    output: Linear,
}

impl ListedNetwork for Toy {
    type Settings = ToySettings;

    fn new(&ToySettings { hidden }: &ToySettings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self> {
        Ok(Toy {
            words: parameters.table("words", sizes.required("words")?, hidden, ParameterUpdate::Rows),
            characters: parameters.table("characters", CHARACTERS, hidden, ParameterUpdate::Rows),
            compose: parameters.declare("compose", hidden, 2 * hidden, Initial::Glorot),
            output: Linear::new(parameters, "output", 2 * hidden, classes, Activation::None),
        })
    }
}

impl TwoStepNetwork for Toy {
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
        let (Some(Column::Nested(spelling)), Some(tree)) = (inputs.column("characters").map(|column| &**column), inputs.column("tree"))
        else {
            panic!("the featurizer gives both");
        };
        let letters = tape.embed(self.characters, &Arc::new(spelling.ids.clone())); // [letters of distinct words × hidden]
        let spelt = tape.pool(letters, &Arc::new(spelling.segments.clone()), Pooling::Mean); // [distinct words × hidden]
        let spelt = tape.spread(&WordRows { rows: spelt, places: Some(Arc::new(spelling.of.clone())) }); // [words × hidden]
        let known = tape.embed(self.words, &Arc::new(inputs.ids("words").to_vec()));
        let leaves = add(tape, known, spelt);
        let roots = compose(tape, self.compose, leaves, tree); // [sentences × hidden]
        Encoded::of_sentences(inputs, roots)
    }

    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
        let (premises, hypotheses) = encoded.sides(tape);
        let both = tape.concatenate(&[premises, hypotheses]);
        tape.linear(&self.output, both) // [pairs × 2]
    }
}

/// The sum of two values.
fn add(tape: &mut Tape<'_>, left: Node, right: Node) -> Node {
    let mut sum = tape.value(left).clone();
    sum.data.iter_mut().zip(&tape.value(right).data).for_each(|(sum, number)| *sum += number);
    tape.record(sum, &[left, right], &[], |output| Add { left, right, output })
}

struct Add {
    left: Node,
    right: Node,
    output: Node,
}

impl Operation for Add {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        pass.gradients.give(self.left, gradient.clone());
        pass.gradients.give(self.right, gradient);
    }
}

/// The root vector of each tree, where each phrase is `tanh(W [left, right])`; zeros for a sentence without words.
fn compose(tape: &mut Tape<'_>, weight: ParameterId, leaves: Node, column: &Arc<Column>) -> Node {
    let Column::Tree(tree) = &**column else { panic!("a tree is needed") };
    let matrix = &tape.parameter(weight).value;
    let (words, hidden) = (tape.value(leaves).rows, tape.value(leaves).columns);
    let mut nodes = Matrix::zeros(words + tree.left.len(), hidden);
    nodes.data[..words * hidden].copy_from_slice(&tape.value(leaves).data);
    for phrase in tree.levels.ranges().flatten() {
        let children = [nodes.row(tree.left[phrase] as usize), nodes.row(tree.right[phrase] as usize)].concat();
        for number in 0..hidden {
            let sum: f32 = matrix.row(number).iter().zip(&children).map(|(weight, child)| weight * child).sum();
            nodes.row_mut(words + phrase)[number] = sum.tanh();
        }
    }
    let mut roots = Matrix::zeros(tree.roots.len(), hidden);
    for (sentence, &root) in tree.roots.iter().enumerate().filter(|(_, root)| **root != BinaryTree::NO_ROOT) {
        roots.row_mut(sentence).copy_from_slice(nodes.row(root as usize));
    }
    let column = Arc::clone(column);
    tape.record(roots, &[leaves], &[weight], |output| Compose { weight, leaves, column, nodes, output })
}

struct Compose {
    weight: ParameterId,
    leaves: Node,
    column: Arc<Column>,
    nodes: Matrix,
    output: Node,
}

impl Operation for Compose {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Column::Tree(tree) = &*self.column else { return };
        let Some(gradient) = pass.take(self.output) else { return };
        let (words, hidden) = (pass.values[self.leaves].rows, self.nodes.columns);
        let mut by_node = Matrix::zeros(self.nodes.rows, hidden);
        for (sentence, &root) in tree.roots.iter().enumerate().filter(|(_, root)| **root != BinaryTree::NO_ROOT) {
            by_node.row_mut(root as usize).iter_mut().zip(gradient.row(sentence)).for_each(|(to, from)| *to += from);
        }
        let weight = &pass.parameters.get(self.weight).value;
        let by_weight = pass.parameter_gradients.zeroed(self.weight, hidden, 2 * hidden);
        for phrase in (0..tree.left.len()).rev() {
            let (left, right) = (tree.left[phrase] as usize, tree.right[phrase] as usize);
            let value = self.nodes.row(words + phrase);
            let inner: Vec<f32> = by_node.row(words + phrase).iter().zip(value).map(|(from, value)| from * (1.0 - value * value)).collect();
            let children = [self.nodes.row(left), self.nodes.row(right)].concat();
            for (number, inner) in inner.iter().enumerate() {
                by_weight.row_mut(number).iter_mut().zip(&children).for_each(|(to, child)| *to += inner * child);
                for place in 0..hidden {
                    by_node.row_mut(left)[place] += inner * weight.row(number)[place];
                    by_node.row_mut(right)[place] += inner * weight.row(number)[hidden + place];
                }
            }
        }
        by_node.data.truncate(words * hidden);
        pass.gradients.give(self.leaves, Matrix::from_vec(words, hidden, by_node.data));
    }
}

const TREES: FeaturizerEntry = FeaturizerEntry {
    name: "toy-trees",
    settings: |values| Ok(values.clone()),
    builder: |_| Ok(Box::new(TreesBuilder::default())),
    open: |_, files| {
        let words = files.read_text("words.json")?;
        Ok(Box::new(Trees { words: serde_json::from_str(&words)? }))
    },
};

/// A vocabulary with ids from 1; 0 is for unknown words.
struct Trees {
    words: BTreeMap<String, u32>,
}

impl Featurizer for Trees {
    fn features(&self, pair: &Pair<'_>) -> PairFeatures {
        features(pair, |word| self.words.get(word).copied().unwrap_or(0))
    }

    fn sizes(&self) -> Sizes {
        Sizes::new([("words", self.words.len() + 1)])
    }

    fn settings(&self) -> Value {
        Value::Null
    }

    fn summary(&self) -> String {
        format!("{} words in trees", self.words.len())
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("words.json", serde_json::to_vec(&self.words).unwrap())]
    }
}

#[derive(Default)]
struct TreesBuilder {
    words: Mutex<BTreeMap<String, u32>>,
}

impl FeaturizerBuilder for TreesBuilder {
    fn see(&self, pair: &Pair<'_>) -> PairFeatures {
        let mut words = self.words.lock().unwrap();
        features(pair, |word| {
            let next = words.len() as u32 + 1;
            *words.entry(word.to_owned()).or_insert(next)
        })
    }

    fn finish(self: Box<Self>, _: &KnownVectors) -> Result<BuiltFeaturizer> {
        let trees = Trees { words: self.words.into_inner().unwrap() };
        let (sizes, settings) = (trees.sizes(), trees.settings());
        Ok(BuiltFeaturizer { featurizer: Box::new(trees), sizes, settings, vectors: None, settle: Box::new(|_| {}) })
    }
}

fn features(pair: &Pair<'_>, mut id: impl FnMut(&str) -> u32) -> PairFeatures {
    let mut sentence = |sentence: &Sentence<'_>| {
        let (words, phrases) = tree(sentence);
        let letters: Vec<Vec<u32>> =
            words.iter().map(|word| word.bytes().map(|byte| u32::from(byte) % CHARACTERS as u32).collect()).collect();
        Arc::new(SentenceFeatures {
            length: words.len(),
            columns: vec![
                ("words", Column::Ids(words.iter().map(|word| id(word)).collect())),
                ("characters", Column::Nested(Nested::of_lists(letters.iter().map(Vec::as_slice)))),
                ("tree", Column::Tree(BinaryTree::of_sentence(words.len(), &phrases))),
            ],
        })
    };
    PairFeatures { sentences: vec![sentence(&pair.premise), sentence(&pair.hypothesis)], truncated: false }
}

/// The words and phrases of a sentence: from its binary parse, or right-branching without one.
fn tree<'s>(sentence: &'s Sentence<'_>) -> (Vec<&'s str>, Vec<(u32, u32)>) {
    let Some(parse) = &sentence.binary_parse else {
        let words: Vec<&str> = sentence.text.split_whitespace().collect();
        let count = words.len() as u32;
        let phrases = (1..count).map(|place| (count - 1 - place, if place == 1 { count - 1 } else { count + place - 2 })).collect();
        return (words, phrases);
    };
    let words: Vec<&str> = parse.split_whitespace().filter(|token| !matches!(*token, "(" | ")")).collect();
    let (mut phrases, mut stack, mut next) = (Vec::new(), Vec::new(), 0u32);
    for token in parse.split_whitespace().filter(|token| *token != "(") {
        if token == ")" {
            let (right, left) = (stack.pop().unwrap(), stack.pop().unwrap());
            stack.push((words.len() + phrases.len()) as u32);
            phrases.push((left, right));
        } else {
            stack.push(next);
            next += 1;
        }
    }
    (words, phrases)
}

/// Pairs labelled by whether the hypothesis contains `not`, some with a parse.
fn examples() -> Vec<(Pair<'static>, usize)> {
    let mut parsed = Pair::plain("the dog barks loudly", "the dog barks");
    parsed.premise.binary_parse = Some("( ( the dog ) ( barks loudly ) )".into());
    parsed.hypothesis.binary_parse = Some("( ( the dog ) barks )".into());
    vec![
        (parsed, 0),
        (Pair::plain("the dog barks loudly", "the dog does not bark"), 1),
        (Pair::plain("rain falls", "rain"), 0),
        (Pair::plain("rain falls", "rain does not fall"), 1),
        (Pair::plain("", "nothing"), 0),
        (Pair::plain("nothing", ""), 0),
    ]
}

/// A trained toy network with its featurizer, and the losses of its first and last step.
fn trained(threads: &Threads) -> (Classifier, Box<dyn Featurizer>, f32, f32) {
    let settings = NetworkSettings::with(&TOY, &serde_json::json!({"hidden": 5})).unwrap();
    let builder = (settings.entry().featurizer.builder)(&Value::Null).unwrap();
    let (seen, labels): (Vec<PairFeatures>, Vec<usize>) = examples().iter().map(|(pair, label)| (builder.see(pair), *label)).unzip();
    let built = builder.finish(&KnownVectors::default()).unwrap();
    let definition = Definition { settings, sizes: built.sizes, classes: 2 };
    let network = Classifier::new(&definition, built.vectors.as_ref(), Seed::new(1), threads).unwrap();
    let mut trainer = Trainer::new(network, TrainerSettings { learning_rate: 0.02, ..TrainerSettings::default() }).unwrap();
    let batch = built.featurizer.batch(&seen.iter().collect::<Vec<_>>()).unwrap().labelled(labels).unwrap();
    let losses: Vec<f32> = (0..60).map(|_| trainer.step(&batch).unwrap().loss).collect();
    (trainer.into_classifier(), built.featurizer, losses[0], losses[59])
}

#[test]
fn the_toy_network_learns_and_survives_a_round_trip() {
    let threads = Threads::new(2.try_into().unwrap()).unwrap();
    let (network, featurizer, first, last) = trained(&threads);
    assert!(last < 0.2 * first, "from {first} to {last}");
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.safetensors");
    network.save(&weights).unwrap();
    for (name, bytes) in featurizer.files() {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let opened = (TREES.open)(&featurizer.settings(), &ModelFiles::Folder(folder.path())).unwrap();
    let loaded = Classifier::load(network.definition(), &weights, &threads).unwrap();
    let pairs: Vec<Pair<'static>> = examples().into_iter().map(|(pair, _)| pair).collect();
    let features = opened.features_of_many(&pairs);
    let features: Vec<&PairFeatures> = features.iter().collect();
    let scores = loaded.scores(&features).unwrap();
    assert_eq!((scores.rows, scores.columns), (6, 2));
    assert_eq!(scores, network.scores(&features).unwrap());
    assert_eq!(scores, loaded.scores_of_batch(&opened.batch(&features).unwrap()).unwrap(), "in two steps and at once");
    for (place, (pair, label)) in examples().iter().enumerate() {
        let row = scores.row(place);
        assert_eq!(usize::from(row[1] > row[0]), *label, "{pair:?}");
        assert_eq!(loaded.scores(&[&opened.features(pair)]).unwrap().row(0), row, "alone and among others");
    }
}

#[test]
fn without_a_parse_the_tree_is_right_branching() {
    let sentence = Sentence::plain("a b c d");
    let (words, phrases) = tree(&sentence);
    assert_eq!((words.len(), phrases), (4, vec![(2, 3), (1, 4), (0, 5)]));
}

#[test]
fn words_of_a_tree_cannot_be_shuffled() {
    let (_, featurizer, ..) = trained(&Threads::new(1.try_into().unwrap()).unwrap());
    let mut inputs = featurizer.batch(&[&featurizer.features(&examples()[0].0)]).unwrap();
    let refused = inputs.shuffle_words(&mut Seed::new(1).rng()).unwrap_err().to_string();
    assert_eq!(refused, "words cannot be shuffled: the column `tree` is a tree over them");
}

#[test]
fn gradients_of_its_operations_agree_with_finite_differences() {
    let column = Arc::new(Column::Tree(BinaryTree::of_sentence(4, &[(0, 1), (2, 3), (4, 5)])));
    check(
        &[(4, 3)],
        |parameters: &mut Parameters| parameters.declare("weight", 3, 6, Initial::Glorot),
        |tape, weight, inputs| compose(tape, *weight, inputs[0], &column),
    );
    check(&[(2, 3), (2, 3)], |_| (), |tape, (), inputs| add(tape, inputs[0], inputs[1]));
}
