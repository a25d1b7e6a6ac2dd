//! The numbers of the parser's network, as training makes them and as they are shipped.

use super::Relation;
use crate::{linear::read_u32, tag::Tag, words::VECTOR};

/// Kinds of capitalisation of a word times those of a sentence.
pub const CASES: usize = 24;
/// Words further away than this are all equally far.
pub const FAR: usize = 12;

/// The sizes of the network that training may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParserSizes {
    /// Words with a vector of their own, the unknown word among them.
    pub words: usize,
    /// Length of a word's own vector.
    pub word: usize,
    /// Length of a tag's vector.
    pub tag: usize,
    /// Buckets that beginnings and endings of words are hashed to.
    pub affixes: usize,
    /// Length of the vector of a beginning or an ending; those of a word are added up.
    pub affix: usize,
    /// Length of the vector of the dictionary's word classes.
    pub classes: usize,
    /// Length of a capitalisation's vector.
    pub case: usize,
    /// Cells of each direction of a layer.
    pub hidden: usize,
    /// Layers of the encoder.
    pub layers: usize,
    /// Length of the vectors that heads are found with.
    pub arc: usize,
    /// Length of the vectors that relations are found with.
    pub label: usize,
}

/// Which tensor of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParserTensor {
    /// Vectors of words.
    Word,
    /// Vectors of tags.
    Tag,
    /// Vectors of beginnings and endings of words.
    Affix,
    /// Vectors of the dictionary's word classes.
    Classes,
    /// Vectors of capitalisations.
    Case,
    /// Weights of a layer's inputs; layer and direction (0 forwards, 1 backwards).
    Input(usize, usize),
    /// Weights of a layer's own last state.
    State(usize, usize),
    /// Biases of a layer.
    Bias(usize, usize),
    /// From a word's state to its four roles: dependent and head, for arcs and for relations.
    Roles,
    /// Biases of the roles.
    RolesBias,
    /// The bilinear form between dependent and head.
    Arc,
    /// How likely a head is whatever the dependent.
    ArcBias,
    /// The root as a head.
    RootHead,
    /// How likely a head is by its distance.
    Distance,
    /// The root as a head, for relations.
    RootLabel,
    /// From the joined roles to relations.
    Label,
    /// Biases of the relations.
    LabelBias,
    /// From a word's state to its tag, seen again with the whole sentence in view.
    Retag,
    /// Biases of the tags.
    RetagBias,
}

impl ParserSizes {
    /// The length of the network's input for a word.
    pub fn input(&self) -> usize {
        VECTOR + self.word + self.tag + self.affix + self.classes + self.case
    }

    /// The length of a word's four roles together.
    pub fn roles(&self) -> usize {
        2 * self.arc + 2 * self.label
    }

    /// Every tensor with its rows and columns, in the order they are stored in.
    pub fn tensors(&self) -> Vec<(ParserTensor, usize, usize)> {
        let mut tensors = vec![
            (ParserTensor::Word, self.words, self.word),
            (ParserTensor::Tag, Tag::COUNT, self.tag),
            (ParserTensor::Affix, self.affixes, self.affix),
            (ParserTensor::Classes, 256, self.classes),
            (ParserTensor::Case, CASES, self.case),
        ];
        for layer in 0..self.layers {
            let input = if layer == 0 { self.input() } else { 2 * self.hidden };
            for direction in 0..2 {
                tensors.push((ParserTensor::Input(layer, direction), input, 4 * self.hidden));
                tensors.push((ParserTensor::State(layer, direction), self.hidden, 4 * self.hidden));
                tensors.push((ParserTensor::Bias(layer, direction), 1, 4 * self.hidden));
            }
        }
        tensors.extend([
            (ParserTensor::Roles, 2 * self.hidden, self.roles()),
            (ParserTensor::RolesBias, 1, self.roles()),
            (ParserTensor::Arc, self.arc, self.arc),
            (ParserTensor::ArcBias, 1, self.arc),
            (ParserTensor::RootHead, 1, self.arc),
            (ParserTensor::Distance, 1, 2 * FAR + 1),
            (ParserTensor::RootLabel, 1, self.label),
            (ParserTensor::Label, self.label, Relation::COUNT),
            (ParserTensor::LabelBias, 1, Relation::COUNT),
            (ParserTensor::Retag, 2 * self.hidden, Tag::COUNT),
            (ParserTensor::RetagBias, 1, Tag::COUNT),
        ]);
        tensors
    }

    fn numbers(&self) -> [usize; 11] {
        let s = self;
        [s.words, s.word, s.tag, s.affixes, s.affix, s.classes, s.case, s.hidden, s.layers, s.arc, s.label]
    }
}

/// All numbers of a network, tensor after tensor, each row by row.
#[derive(Debug, Clone)]
pub struct Weights {
    /// The sizes of the tensors.
    pub sizes: ParserSizes,
    /// The numbers.
    pub numbers: Vec<f32>,
    places: Vec<(ParserTensor, usize, usize, usize)>,
}

impl Weights {
    /// A network of zeros.
    pub fn zeros(sizes: ParserSizes) -> Weights {
        let count = sizes.tensors().iter().map(|(_, rows, columns)| rows * columns).sum();
        Weights::new(sizes, vec![0.0; count])
    }

    fn new(sizes: ParserSizes, numbers: Vec<f32>) -> Weights {
        let mut begin = 0;
        let place = |(part, rows, columns): (ParserTensor, usize, usize)| {
            begin += rows * columns;
            (part, begin - rows * columns, rows, columns)
        };
        let places = sizes.tensors().into_iter().map(place).collect();
        Weights { sizes, numbers, places }
    }

    /// Where a tensor lies, with its rows and columns.
    pub fn place(&self, part: ParserTensor) -> (std::ops::Range<usize>, usize, usize) {
        let found = self.places.iter().find(|place| place.0 == part);
        let &(_, begin, rows, columns) = found.unwrap_or(&(part, 0, 0, 0));
        (begin..begin + rows * columns, rows, columns)
    }

    /// The numbers of a tensor.
    pub fn tensor(&self, part: ParserTensor) -> &[f32] {
        &self.numbers[self.place(part).0]
    }

    /// Packs the network: a scale for each column, then each number as one byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.sizes.numbers().iter().flat_map(|&size| (size as u32).to_le_bytes()).collect();
        for (part, rows, columns) in self.sizes.tensors() {
            let tensor = self.tensor(part);
            let largest = |column: usize| (0..rows).map(|row| tensor[row * columns + column].abs()).fold(0f32, f32::max);
            let scales: Vec<f32> = (0..columns).map(|column| largest(column) / 127.0).collect();
            scales.iter().for_each(|scale| bytes.extend(scale.to_le_bytes()));
            for row in tensor.chunks_exact(columns.max(1)) {
                bytes.extend(
                    row.iter().zip(&scales).map(|(number, scale)| if *scale > 0.0 { (number / scale).round() as i8 as u8 } else { 0 }),
                );
            }
        }
        bytes
    }

    /// Reads what [`Weights::to_bytes`] wrote, giving also the bytes after it; none when the bytes are cut short.
    pub fn from_bytes(bytes: &[u8]) -> Option<(Weights, &[u8])> {
        let mut rest = bytes;
        let mut next = || {
            let (number, after) = read_u32(rest)?;
            rest = after;
            (number < 1 << 20).then_some(number as usize)
        };
        let [words, word, tag, affixes, affix, classes] = [next()?, next()?, next()?, next()?, next()?, next()?];
        let [case, hidden, layers, arc, label] = [next()?, next()?, next()?, next()?, next()?];
        let sizes = ParserSizes { words, word, tag, affixes, affix, classes, case, hidden, layers, arc, label };
        let mut numbers = Vec::new();
        for (_, rows, columns) in sizes.tensors() {
            let (scales, after) = rest.split_at_checked(columns.checked_mul(4)?)?;
            let (body, after) = after.split_at_checked(rows.checked_mul(columns)?)?;
            let scales: Vec<f32> =
                scales.chunks_exact(4).map(|scale| f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]])).collect();
            for row in body.chunks_exact(columns.max(1)) {
                numbers.extend(row.iter().zip(&scales).map(|(&byte, scale)| f32::from(byte as i8) * scale));
            }
            rest = after;
        }
        Some((Weights::new(sizes, numbers), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_their_bytes_to_a_step() {
        let sizes =
            ParserSizes { words: 3, word: 2, tag: 1, affixes: 2, affix: 1, classes: 1, case: 1, hidden: 2, layers: 1, arc: 2, label: 2 };
        let mut weights = Weights::zeros(sizes);
        weights.numbers.iter_mut().enumerate().for_each(|(at, number)| *number = (at % 11) as f32 / 5.0 - 1.0);
        let bytes = weights.to_bytes();
        let (read, rest) = Weights::from_bytes(&bytes).unwrap();
        assert!(rest.is_empty());
        assert_eq!(read.sizes, sizes);
        for (left, right) in read.numbers.iter().zip(&weights.numbers) {
            assert!((left - right).abs() < 0.005);
        }
        assert!(Weights::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    }
}
