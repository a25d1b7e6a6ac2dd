//! The loss of a batch of sentences and its gradient for every weight.

use super::{
    Example,
    lstm::{Direction, Gradients, Trace, add_product},
};
use acidtest_lingua::{
    parse::{
        Relation, WordFeatures,
        batch::SentenceBatch,
        distance_bucket,
        kernel::PackedMatrix,
        leaky,
        weights::{ParserTensor, Weights},
    },
    tag::Tag,
    words::{VECTOR, VECTOR_STEP, WordList},
};
use acidtest_nli::{Rng, Seed};

/// Dropout rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dropout {
    pub input: f32,
    pub state: f32,
    pub roles: f32,
    /// Word dropout: a word that occurs `n` times is replaced by the unknown word with probability `word / (word + n)`.
    pub word: f32,
}

/// The weights, packed for matrix products and shared by the threads.
pub(super) struct Packed<'a> {
    weights: &'a Weights,
    layers: Vec<[Direction; 2]>,
    roles: PackedMatrix,
    roles_back: PackedMatrix,
    arc: PackedMatrix,
    arc_back: PackedMatrix,
    label: PackedMatrix,
    label_back: PackedMatrix,
    retag: PackedMatrix,
    retag_back: PackedMatrix,
}

impl<'a> Packed<'a> {
    pub(super) fn new(weights: &'a Weights) -> Self {
        let direction = |layer, way| {
            Direction::new(
                weights.tensor(ParserTensor::Input(layer, way)),
                weights.tensor(ParserTensor::State(layer, way)),
                weights.tensor(ParserTensor::Bias(layer, way)),
            )
        };
        let both = |part: ParserTensor| {
            let (place, rows, columns) = weights.place(part);
            let numbers = &weights.numbers[place];
            (PackedMatrix::new(rows, columns, numbers), PackedMatrix::transposed(columns, rows, numbers))
        };
        let ((roles, roles_back), (arc, arc_back), (label, label_back)) =
            (both(ParserTensor::Roles), both(ParserTensor::Arc), both(ParserTensor::Label));
        let (retag, retag_back) = both(ParserTensor::Retag);
        let layers = (0..weights.sizes.layers).map(|layer| [direction(layer, 0), direction(layer, 1)]).collect();
        Packed { weights, layers, roles, roles_back, arc, arc_back, label, label_back, retag, retag_back }
    }
}

/// Adds the gradients of the loss of some sentences to `gradients`; returns the loss, summed over words.
pub(super) fn add_gradients(
    packed: &Packed,
    list: &WordList,
    examples: &[&Example],
    dropout: Dropout,
    seed: Seed,
    gradients: &mut Weights,
) -> f64 {
    let sizes = packed.weights.sizes;
    let mut rng = seed.rng();
    let lengths: Vec<usize> = examples.iter().map(|example| example.words.len()).collect();
    let batch = SentenceBatch::new(&lengths);
    let rows = batch.rows();
    if rows == 0 {
        return 0.0;
    }
    let sentence_of: Vec<usize> =
        (0..batch.time_steps()).flat_map(|time_step| 0..batch.begins[time_step + 1] - batch.begins[time_step]).collect();

    // Inputs, with word dropout.
    let width = sizes.input();
    let mut inputs = vec![0f32; rows * width];
    let mut seen: Vec<Option<WordFeatures>> = vec![None; rows];
    for (place, &member) in batch.order.iter().enumerate() {
        for (word, features) in examples[member].words.iter().enumerate() {
            let row = batch.row(place, word);
            let rare = dropout.word / (dropout.word + examples[member].counts[word] as f32);
            let known = dropout.word == 0.0 || rng.unit() as f32 >= rare;
            let features = WordFeatures { word: if known { features.word } else { 0 }, ..*features };
            seen[row] = Some(features);
            let input = &mut inputs[row * width..(row + 1) * width];
            if let Some(listed) = features.listed {
                let vector = list.vector(listed as usize);
                input.iter_mut().zip(vector).for_each(|(number, step)| *number = f32::from(step) * VECTOR_STEP);
            }
            let mut at = VECTOR;
            for ((part, size), rows) in embeddings(packed.weights).iter().zip(features.rows()) {
                let table = packed.weights.tensor(*part);
                for from in rows {
                    let vector = &table[from * size..(from + 1) * size];
                    input[at..at + size].iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
                }
                at += size;
            }
        }
    }

    // The encoder.
    let sentences = examples.len();
    let mut states = inputs;
    let mut traces: Vec<([Trace; 2], [Vec<f32>; 3])> = Vec::new();
    for layer in &packed.layers {
        let width = states.len() / rows.max(1);
        let input_mask = mask(&mut rng, sentences * width, dropout.input);
        let state_masks = [0, 1].map(|_| mask(&mut rng, sentences * sizes.hidden, dropout.state));
        apply_by_sentence(&mut states, &input_mask, &sentence_of, width);
        let mirrored = mirror(&states, &batch, width);
        let forward = layer[0].forward(&batch, states, &state_masks[0]);
        let backward = layer[1].forward(&batch, mirrored, &state_masks[1]);
        let unmirrored = mirror(&backward.states, &batch, sizes.hidden);
        states = Vec::with_capacity(rows * 2 * sizes.hidden);
        for (left, right) in forward.states.chunks_exact(sizes.hidden).zip(unmirrored.chunks_exact(sizes.hidden)) {
            states.extend_from_slice(left);
            states.extend_from_slice(right);
        }
        let [first, second] = state_masks;
        traces.push(([forward, backward], [input_mask, first, second]));
    }

    // Projections of the words as heads and dependents.
    let output_mask = mask(&mut rng, sentences * 2 * sizes.hidden, dropout.input);
    apply_by_sentence(&mut states, &output_mask, &sentence_of, 2 * sizes.hidden);
    let roles_width = sizes.roles();
    let mut roles: Vec<f32> = packed.weights.tensor(ParserTensor::RolesBias).iter().copied().cycle().take(rows * roles_width).collect();
    packed.roles.multiply_add(&states, &mut roles);
    let roles_mask = mask(&mut rng, rows * roles_width, dropout.roles);
    let mut roles_gradients = vec![0f32; rows * roles_width];
    let mut loss = attach(packed, &batch, examples, &roles, &roles_mask, &mut roles_gradients, gradients);

    // Backward pass.
    add_product(&states, &roles_gradients, rows, part(gradients, ParserTensor::Roles));
    add_rows(&roles_gradients, part(gradients, ParserTensor::RolesBias));
    let mut back = vec![0f32; states.len()];
    packed.roles_back.multiply_add(&roles_gradients, &mut back);
    let mut tags: Vec<f32> = packed.weights.tensor(ParserTensor::RetagBias).iter().copied().cycle().take(rows * Tag::COUNT).collect();
    packed.retag.multiply_add(&states, &mut tags);
    for (place, &member) in batch.order.iter().enumerate() {
        for (word, &tag) in examples[member].tags.iter().enumerate() {
            loss += softmax_loss(&mut tags[batch.row(place, word) * Tag::COUNT..][..Tag::COUNT], tag as usize);
        }
    }
    add_product(&states, &tags, rows, part(gradients, ParserTensor::Retag));
    add_rows(&tags, part(gradients, ParserTensor::RetagBias));
    packed.retag_back.multiply_add(&tags, &mut back);
    apply_by_sentence(&mut back, &output_mask, &sentence_of, 2 * sizes.hidden);
    for (number, layer) in packed.layers.iter().enumerate().rev() {
        let (traces, masks) = &traces[number];
        let hidden = sizes.hidden;
        let side = |from: usize| -> Vec<f32> { back.chunks_exact(2 * hidden).flat_map(|row| &row[from..from + hidden]).copied().collect() };
        let (left, right) = (side(0), mirror(&side(hidden), &batch, hidden));
        let mut inputs = way_back(&layer[0], (number, 0), &batch, &traces[0], left, &masks[1], gradients);
        let mirrored = way_back(&layer[1], (number, 1), &batch, &traces[1], right, &masks[2], gradients);
        let width = inputs.len() / rows.max(1);
        inputs.iter_mut().zip(mirror(&mirrored, &batch, width)).for_each(|(sum, number)| *sum += number);
        apply_by_sentence(&mut inputs, &masks[0], &sentence_of, width);
        back = inputs;
    }
    for (row, features) in seen.iter().enumerate() {
        let Some(features) = features else { continue };
        let mut at = row * width + VECTOR;
        for ((table, size), rows) in embeddings(packed.weights).iter().zip(features.rows()) {
            for from in rows {
                let to = &mut part(gradients, *table)[from * size..(from + 1) * size];
                to.iter_mut().zip(&back[at..at + size]).for_each(|(gradient, number)| *gradient += number);
            }
            at += size;
        }
    }
    loss
}

fn way_back(
    direction: &Direction,
    (layer, way): (usize, usize),
    batch: &SentenceBatch,
    trace: &Trace,
    states: Vec<f32>,
    thin: &[f32],
    gradients: &mut Weights,
) -> Vec<f32> {
    // The three tensors of a direction are adjacent.
    let (input, ..) = gradients.place(ParserTensor::Input(layer, way));
    let (state, ..) = gradients.place(ParserTensor::State(layer, way));
    let (bias, ..) = gradients.place(ParserTensor::Bias(layer, way));
    let (first, rest) = gradients.numbers[input.start..bias.end].split_at_mut(input.len());
    let (second, third) = rest.split_at_mut(state.len());
    direction.backward(batch, trace, states, thin, Gradients { input: first, state: second, bias: third })
}

/// The losses of heads and relations, and their gradients for the projections.
fn attach(
    packed: &Packed,
    batch: &SentenceBatch,
    examples: &[&Example],
    roles: &[f32],
    roles_mask: &[f32],
    roles_gradients: &mut [f32],
    gradients: &mut Weights,
) -> f64 {
    let sizes = packed.weights.sizes;
    let (arc, label, width) = (sizes.arc, sizes.label, sizes.roles());
    let root_head = packed.weights.tensor(ParserTensor::RootHead);
    let root_label = packed.weights.tensor(ParserTensor::RootLabel);
    let distance = packed.weights.tensor(ParserTensor::Distance);
    let mut loss = 0.0;
    for (place, &member) in batch.order.iter().enumerate() {
        let example = examples[member];
        let words = example.words.len();
        let at = |word: usize, from: usize| batch.row(place, word) * width + from;
        let value = |index: usize| leaky(roles[index]) * roles_mask[index];
        let slope_of = |index: usize| if roles[index] > 0.0 { roles_mask[index] } else { 0.1 * roles_mask[index] };

        let dependents: Vec<f32> =
            (0..words).flat_map(|word| (0..arc).map(move |k| (word, k))).map(|(word, k)| value(at(word, k))).collect();
        let mut asking: Vec<f32> = packed.weights.tensor(ParserTensor::ArcBias).iter().copied().cycle().take(words * arc).collect();
        packed.arc.multiply_add(&dependents, &mut asking);
        let mut offering = root_head.to_vec();
        offering.extend((0..words).flat_map(|word| (0..arc).map(move |k| (word, k))).map(|(word, k)| value(at(word, arc + k))));
        let mut scores = vec![0f32; words * (words + 1)];
        PackedMatrix::transposed(arc, words + 1, &offering).multiply_add(&asking, &mut scores);
        for (word, row) in scores.chunks_exact_mut(words + 1).enumerate() {
            for head in 0..words {
                row[head + 1] += distance[distance_bucket(word, head)];
            }
            row[word + 1] = f32::NEG_INFINITY;
            loss += softmax_loss(row, example.heads[word]);
            let distances = part(gradients, ParserTensor::Distance);
            for head in 0..words {
                distances[distance_bucket(word, head)] += row[head + 1];
            }
        }
        let mut asking_gradients = vec![0f32; words * arc];
        PackedMatrix::new(words + 1, arc, &offering).multiply_add(&scores, &mut asking_gradients);
        let mut offering_gradients = vec![0f32; (words + 1) * arc];
        add_product(&scores, &asking, words, &mut offering_gradients);
        part(gradients, ParserTensor::RootHead)
            .iter_mut()
            .zip(&offering_gradients[..arc])
            .for_each(|(gradient, number)| *gradient += number);
        for word in 0..words {
            for k in 0..arc {
                let index = at(word, arc + k);
                roles_gradients[index] += offering_gradients[(word + 1) * arc + k] * slope_of(index);
            }
        }
        add_product(&dependents, &asking_gradients, words, part(gradients, ParserTensor::Arc));
        add_rows(&asking_gradients, part(gradients, ParserTensor::ArcBias));
        let mut dependent_gradients = vec![0f32; words * arc];
        packed.arc_back.multiply_add(&asking_gradients, &mut dependent_gradients);
        for word in 0..words {
            for k in 0..arc {
                let index = at(word, k);
                roles_gradients[index] += dependent_gradients[word * arc + k] * slope_of(index);
            }
        }

        // Relations, given the gold heads.
        let mut joined = vec![0f32; words * label];
        for word in 0..words {
            let head = example.heads[word];
            for k in 0..label {
                let own = roles[at(word, 2 * arc + k)];
                let other = if head == 0 { root_label[k] } else { roles[at(head - 1, 2 * arc + label + k)] };
                joined[word * label + k] = own + other;
            }
        }
        let mask_at = |word: usize, k: usize| roles_mask[at(word, 2 * arc + k)];
        let bent: Vec<f32> = (0..words * label).map(|index| leaky(joined[index]) * mask_at(index / label, index % label)).collect();
        let mut scores: Vec<f32> =
            packed.weights.tensor(ParserTensor::LabelBias).iter().copied().cycle().take(words * Relation::COUNT).collect();
        packed.label.multiply_add(&bent, &mut scores);
        for (row, &relation) in scores.chunks_exact_mut(Relation::COUNT).zip(&example.relations) {
            loss += softmax_loss(row, relation as usize);
        }
        add_product(&bent, &scores, words, part(gradients, ParserTensor::Label));
        add_rows(&scores, part(gradients, ParserTensor::LabelBias));
        let mut back = vec![0f32; words * label];
        packed.label_back.multiply_add(&scores, &mut back);
        for word in 0..words {
            let head = example.heads[word];
            for k in 0..label {
                let index = word * label + k;
                let gradient = back[index] * mask_at(word, k) * if joined[index] > 0.0 { 1.0 } else { 0.1 };
                roles_gradients[at(word, 2 * arc + k)] += gradient;
                if head == 0 {
                    part(gradients, ParserTensor::RootLabel)[k] += gradient;
                } else {
                    roles_gradients[at(head - 1, 2 * arc + label + k)] += gradient;
                }
            }
        }
    }
    loss
}

/// Replaces scores by the gradients of their softmax loss; returns the loss.
fn softmax_loss(scores: &mut [f32], gold: usize) -> f64 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0f32;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
    let loss = -f64::from(scores[gold].max(1e-30)).ln();
    scores[gold] -= 1.0;
    loss
}

fn part(gradients: &mut Weights, part: ParserTensor) -> &mut [f32] {
    let (place, ..) = gradients.place(part);
    &mut gradients.numbers[place]
}

fn add_rows(rows: &[f32], sums: &mut [f32]) {
    for row in rows.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
}

fn embeddings(weights: &Weights) -> [(ParserTensor, usize); 5] {
    let s = &weights.sizes;
    [
        (ParserTensor::Word, s.word),
        (ParserTensor::Tag, s.tag),
        (ParserTensor::Affix, s.affix),
        (ParserTensor::Classes, s.classes),
        (ParserTensor::Case, s.case),
    ]
}

/// An inverted dropout mask.
fn mask(rng: &mut Rng, length: usize, share: f32) -> Vec<f32> {
    if share == 0.0 {
        return vec![1.0; length];
    }
    (0..length).map(|_| if (rng.unit() as f32) < share { 0.0 } else { 1.0 / (1.0 - share) }).collect()
}

fn apply_by_sentence(numbers: &mut [f32], mask: &[f32], sentence_of: &[usize], width: usize) {
    for (row, &sentence) in numbers.chunks_exact_mut(width).zip(sentence_of) {
        row.iter_mut().zip(&mask[sentence * width..]).for_each(|(number, mask)| *number *= mask);
    }
}

fn mirror(rows: &[f32], batch: &SentenceBatch, width: usize) -> Vec<f32> {
    batch.mirror.iter().flat_map(|&row| &rows[row * width..(row + 1) * width]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::{parse::weights::ParserSizes, words::ListedWord};

    const NO_DROPOUT: Dropout = Dropout { input: 0.0, state: 0.0, roles: 0.0, word: 0.0 };

    fn example(words: usize) -> Example {
        let features = |word: usize| WordFeatures {
            listed: word.is_multiple_of(2).then_some(0),
            word: word as u32 % 3,
            tag: word as u8,
            affixes: [0, 1, 1, 0, word as u16 % 2],
            classes: word as u8,
            case: 1,
        };
        Example {
            words: (0..words).map(features).collect(),
            counts: vec![5; words],
            tags: (0..words).map(|word| Tag::from_number(word * 2).unwrap()).collect(),
            heads: (0..words).collect(),
            relations: (0..words).map(|word| Relation::from_number(word * 3).unwrap()).collect(),
        }
    }

    #[test]
    fn gradients_are_those_of_the_loss() {
        let sizes =
            ParserSizes { words: 3, word: 3, tag: 2, affixes: 2, affix: 2, classes: 2, case: 2, hidden: 4, layers: 2, arc: 5, label: 6 };
        let mut weights = Weights::zeros(sizes);
        let mut rng = Seed::new(3).rng();
        weights.numbers.iter_mut().for_each(|number| *number = rng.unit() as f32 - 0.5);
        let word = ListedWord { word: "a", cluster: 0, classes: 0, vector: [0.4; VECTOR] };
        let list = WordList::from_bytes(WordList::to_bytes(&[word])).unwrap();
        let (first, second) = (example(4), example(2));
        let examples = [&second, &first];
        let loss = |weights: &Weights, gradients: &mut Weights| {
            add_gradients(&Packed::new(weights), &list, &examples, NO_DROPOUT, Seed::new(1), gradients)
        };
        let mut gradients = Weights::zeros(sizes);
        loss(&weights, &mut gradients);
        for (part, rows, columns) in sizes.tensors() {
            let (place, ..) = weights.place(part);
            for at in [0, rows * columns / 2, rows * columns - 1] {
                let mut moved = weights.clone();
                moved.numbers[place.start + at] += 0.01;
                let above = loss(&moved, &mut Weights::zeros(sizes));
                moved.numbers[place.start + at] -= 0.02;
                let below = loss(&moved, &mut Weights::zeros(sizes));
                let (measured, told) = ((above - below) / 0.02, f64::from(gradients.numbers[place.start + at]));
                assert!((measured - told).abs() < 0.02 + 0.03 * measured.abs(), "{part:?} {at}: {measured} measured, {told} told");
            }
        }
    }
}
