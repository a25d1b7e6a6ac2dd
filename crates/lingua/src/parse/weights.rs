//! The weights of the parser's network and their serialisation.

use super::Relation;
use crate::{linear::read_u32, tag::Tag, words::VECTOR};

/// The number of combinations of word and sentence capitalisation.
pub const CASES: usize = 24;
/// The distance at which all farther words are grouped.
pub const FAR: usize = 12;

/// The hyperparameters of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParserSizes {
    /// The number of words with a trained vector, including the unknown word.
    pub words: usize,
    /// The dimension of a word's trained vector.
    pub word: usize,
    /// The dimension of a tag's vector.
    pub tag: usize,
    /// The number of hash buckets for affixes.
    pub affixes: usize,
    /// The dimension of an affix's vector; those of a word are added up.
    pub affix: usize,
    /// The dimension of the vector for dictionary word classes.
    pub classes: usize,
    /// The dimension of the vector for capitalisation.
    pub case: usize,
    /// The number of LSTM cells of each direction of a layer.
    pub hidden: usize,
    /// The number of layers of the encoder.
    pub layers: usize,
    /// The dimension of the vectors that score heads.
    pub arc: usize,
    /// The dimension of the vectors that score relations.
    pub label: usize,
}

/// The tensors of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParserTensor {
    /// Word vectors.
    Word,
    /// Tag vectors.
    Tag,
    /// Affix vectors.
    Affix,
    /// Vectors of dictionary word classes.
    Classes,
    /// Vectors of capitalisations.
    Case,
    /// Input weights of a layer, by layer and direction (0 forward, 1 backward).
    Input(usize, usize),
    /// Recurrent weights of a layer.
    State(usize, usize),
    /// Biases of a layer.
    Bias(usize, usize),
    /// The projection of a word's state to its four roles: dependent and head, for arcs and for relations.
    Roles,
    /// Biases of the roles.
    RolesBias,
    /// The bilinear form that scores a dependent with a head.
    Arc,
    /// The bias of a head, independent of the dependent.
    ArcBias,
    /// The root as a head.
    RootHead,
    /// The bias of a head by distance.
    Distance,
    /// The root as a head, for relations.
    RootLabel,
    /// The projection of concatenated roles to relations.
    Label,
    /// Biases of the relations.
    LabelBias,
    /// The projection of a word's state to its tag, predicted again from the whole sentence.
    Retag,
    /// Biases of the tags.
    RetagBias,
}

impl ParserSizes {
    /// The length of a word's input vector.
    pub fn input(&self) -> usize {
        VECTOR + self.word + self.tag + self.affix + self.classes + self.case
    }

    /// The length of a word's four roles together.
    pub fn roles(&self) -> usize {
        2 * self.arc + 2 * self.label
    }

    /// Every tensor with its rows and columns, in storage order.
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

/// The weights of a network, tensor by tensor, each row-major.
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

    /// The range of a tensor in `numbers`, with its rows and columns.
    pub fn place(&self, part: ParserTensor) -> (std::ops::Range<usize>, usize, usize) {
        let found = self.places.iter().find(|place| place.0 == part);
        let &(_, begin, rows, columns) = found.unwrap_or(&(part, 0, 0, 0));
        (begin..begin + rows * columns, rows, columns)
    }

    /// The elements of a tensor.
    pub fn tensor(&self, part: ParserTensor) -> &[f32] {
        &self.numbers[self.place(part).0]
    }

    /// Quantises the network to 8 bits with a scale per column.
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

    /// Reads what [`Weights::to_bytes`] wrote; returns the weights and the remaining bytes, or `None` if the bytes are incomplete.
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
    fn weights_survive_a_round_trip_up_to_quantisation() {
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
