//! The loss of a batch of sentences and its slope for every weight.

use super::{
    Example,
    lstm::{Direction, Slopes, Trace, add_product},
};
use acidtest_lingua::{
    parse::{
        Glance, Relation,
        batch::Batch,
        distance_bucket,
        kernel::Matrix,
        leaky,
        weights::{Part, Weights},
    },
    tag::Tag,
    words::{VECTOR, VECTOR_STEP, WordList},
};
use acidtest_nli::{Rng, Seed};

/// The shares that are dropped in training.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dropout {
    pub input: f32,
    pub state: f32,
    pub roles: f32,
    /// Weighs a word's count against: a word seen `n` times is taken for unknown with `word / (word + n)`.
    pub word: f32,
}

/// The weights packed for work, shared by the threads that look at parts of a batch.
pub(super) struct Packed<'a> {
    weights: &'a Weights,
    layers: Vec<[Direction; 2]>,
    roles: Matrix,
    roles_back: Matrix,
    arc: Matrix,
    arc_back: Matrix,
    label: Matrix,
    label_back: Matrix,
    retag: Matrix,
    retag_back: Matrix,
}

impl<'a> Packed<'a> {
    pub(super) fn new(weights: &'a Weights) -> Self {
        let direction = |layer, way| {
            Direction::new(
                weights.tensor(Part::Input(layer, way)),
                weights.tensor(Part::State(layer, way)),
                weights.tensor(Part::Bias(layer, way)),
            )
        };
        let both = |part: Part| {
            let (place, rows, columns) = weights.place(part);
            let numbers = &weights.numbers[place];
            (Matrix::new(rows, columns, numbers), Matrix::transposed(columns, rows, numbers))
        };
        let ((roles, roles_back), (arc, arc_back), (label, label_back)) = (both(Part::Roles), both(Part::Arc), both(Part::Label));
        let (retag, retag_back) = both(Part::Retag);
        let layers = (0..weights.sizes.layers).map(|layer| [direction(layer, 0), direction(layer, 1)]).collect();
        Packed { weights, layers, roles, roles_back, arc, arc_back, label, label_back, retag, retag_back }
    }
}

/// Adds the slopes of the loss of some sentences to `slopes`; gives the loss, summed over words.
pub(super) fn add_slopes(
    packed: &Packed,
    list: &WordList,
    examples: &[&Example],
    dropout: Dropout,
    seed: Seed,
    slopes: &mut Weights,
) -> f64 {
    let sizes = packed.weights.sizes;
    let mut rng = seed.rng();
    let lengths: Vec<usize> = examples.iter().map(|example| example.glances.len()).collect();
    let batch = Batch::new(&lengths);
    let rows = batch.rows();
    if rows == 0 {
        return 0.0;
    }
    let sentence_of: Vec<usize> = (0..batch.moments()).flat_map(|moment| 0..batch.begins[moment + 1] - batch.begins[moment]).collect();

    // Inputs, with some words taken for unknown ones.
    let width = sizes.input();
    let mut inputs = vec![0f32; rows * width];
    let mut seen: Vec<Option<Glance>> = vec![None; rows];
    for (place, &member) in batch.order.iter().enumerate() {
        for (word, glance) in examples[member].glances.iter().enumerate() {
            let row = batch.row(place, word);
            let rare = dropout.word / (dropout.word + examples[member].counts[word] as f32);
            let known = dropout.word == 0.0 || rng.unit() as f32 >= rare;
            let glance = Glance { word: if known { glance.word } else { 0 }, ..*glance };
            seen[row] = Some(glance);
            let input = &mut inputs[row * width..(row + 1) * width];
            if let Some(listed) = glance.listed {
                let vector = list.vector(listed as usize);
                input.iter_mut().zip(vector).for_each(|(number, step)| *number = f32::from(step) * VECTOR_STEP);
            }
            let mut at = VECTOR;
            for ((part, size), rows) in embeddings(packed.weights).iter().zip(glance.rows()) {
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

    // Roles of the words.
    let output_mask = mask(&mut rng, sentences * 2 * sizes.hidden, dropout.input);
    apply_by_sentence(&mut states, &output_mask, &sentence_of, 2 * sizes.hidden);
    let roles_width = sizes.roles();
    let mut roles: Vec<f32> = packed.weights.tensor(Part::RolesBias).iter().copied().cycle().take(rows * roles_width).collect();
    packed.roles.multiply_add(&states, &mut roles);
    let roles_mask = mask(&mut rng, rows * roles_width, dropout.roles);
    let mut roles_slopes = vec![0f32; rows * roles_width];
    let mut loss = attach(packed, &batch, examples, &roles, &roles_mask, &mut roles_slopes, slopes);

    // And all the way back.
    add_product(&states, &roles_slopes, rows, part(slopes, Part::Roles));
    add_rows(&roles_slopes, part(slopes, Part::RolesBias));
    let mut back = vec![0f32; states.len()];
    packed.roles_back.multiply_add(&roles_slopes, &mut back);
    let mut tags: Vec<f32> = packed.weights.tensor(Part::RetagBias).iter().copied().cycle().take(rows * Tag::COUNT).collect();
    packed.retag.multiply_add(&states, &mut tags);
    for (place, &member) in batch.order.iter().enumerate() {
        for (word, &tag) in examples[member].tags.iter().enumerate() {
            loss += softmax_loss(&mut tags[batch.row(place, word) * Tag::COUNT..][..Tag::COUNT], tag as usize);
        }
    }
    add_product(&states, &tags, rows, part(slopes, Part::Retag));
    add_rows(&tags, part(slopes, Part::RetagBias));
    packed.retag_back.multiply_add(&tags, &mut back);
    apply_by_sentence(&mut back, &output_mask, &sentence_of, 2 * sizes.hidden);
    for (number, layer) in packed.layers.iter().enumerate().rev() {
        let (traces, masks) = &traces[number];
        let hidden = sizes.hidden;
        let side = |from: usize| -> Vec<f32> { back.chunks_exact(2 * hidden).flat_map(|row| &row[from..from + hidden]).copied().collect() };
        let (left, right) = (side(0), mirror(&side(hidden), &batch, hidden));
        let mut inputs = way_back(&layer[0], (number, 0), &batch, &traces[0], left, &masks[1], slopes);
        let mirrored = way_back(&layer[1], (number, 1), &batch, &traces[1], right, &masks[2], slopes);
        let width = inputs.len() / rows.max(1);
        inputs.iter_mut().zip(mirror(&mirrored, &batch, width)).for_each(|(sum, number)| *sum += number);
        apply_by_sentence(&mut inputs, &masks[0], &sentence_of, width);
        back = inputs;
    }
    for (row, glance) in seen.iter().enumerate() {
        let Some(glance) = glance else { continue };
        let mut at = row * width + VECTOR;
        for ((table, size), rows) in embeddings(packed.weights).iter().zip(glance.rows()) {
            for from in rows {
                let to = &mut part(slopes, *table)[from * size..(from + 1) * size];
                to.iter_mut().zip(&back[at..at + size]).for_each(|(slope, number)| *slope += number);
            }
            at += size;
        }
    }
    loss
}

fn way_back(
    direction: &Direction,
    (layer, way): (usize, usize),
    batch: &Batch,
    trace: &Trace,
    states: Vec<f32>,
    thin: &[f32],
    slopes: &mut Weights,
) -> Vec<f32> {
    // The three tensors of a direction lie one after the other.
    let (input, ..) = slopes.place(Part::Input(layer, way));
    let (state, ..) = slopes.place(Part::State(layer, way));
    let (bias, ..) = slopes.place(Part::Bias(layer, way));
    let (first, rest) = slopes.numbers[input.start..bias.end].split_at_mut(input.len());
    let (second, third) = rest.split_at_mut(state.len());
    direction.backward(batch, trace, states, thin, Slopes { input: first, state: second, bias: third })
}

/// The losses of heads and relations, and their slopes for the roles.
fn attach(
    packed: &Packed,
    batch: &Batch,
    examples: &[&Example],
    roles: &[f32],
    roles_mask: &[f32],
    roles_slopes: &mut [f32],
    slopes: &mut Weights,
) -> f64 {
    let sizes = packed.weights.sizes;
    let (arc, label, width) = (sizes.arc, sizes.label, sizes.roles());
    let root_head = packed.weights.tensor(Part::RootHead);
    let root_label = packed.weights.tensor(Part::RootLabel);
    let distance = packed.weights.tensor(Part::Distance);
    let mut loss = 0.0;
    for (place, &member) in batch.order.iter().enumerate() {
        let example = examples[member];
        let words = example.glances.len();
        let at = |word: usize, from: usize| batch.row(place, word) * width + from;
        let value = |index: usize| leaky(roles[index]) * roles_mask[index];
        let slope_of = |index: usize| if roles[index] > 0.0 { roles_mask[index] } else { 0.1 * roles_mask[index] };

        let dependents: Vec<f32> =
            (0..words).flat_map(|word| (0..arc).map(move |k| (word, k))).map(|(word, k)| value(at(word, k))).collect();
        let mut asking: Vec<f32> = packed.weights.tensor(Part::ArcBias).iter().copied().cycle().take(words * arc).collect();
        packed.arc.multiply_add(&dependents, &mut asking);
        let mut offering = root_head.to_vec();
        offering.extend((0..words).flat_map(|word| (0..arc).map(move |k| (word, k))).map(|(word, k)| value(at(word, arc + k))));
        let mut scores = vec![0f32; words * (words + 1)];
        Matrix::transposed(arc, words + 1, &offering).multiply_add(&asking, &mut scores);
        for (word, row) in scores.chunks_exact_mut(words + 1).enumerate() {
            for head in 0..words {
                row[head + 1] += distance[distance_bucket(word, head)];
            }
            row[word + 1] = f32::NEG_INFINITY;
            loss += softmax_loss(row, example.heads[word]);
            let distances = part(slopes, Part::Distance);
            for head in 0..words {
                distances[distance_bucket(word, head)] += row[head + 1];
            }
        }
        let mut asking_slopes = vec![0f32; words * arc];
        Matrix::new(words + 1, arc, &offering).multiply_add(&scores, &mut asking_slopes);
        let mut offering_slopes = vec![0f32; (words + 1) * arc];
        add_product(&scores, &asking, words, &mut offering_slopes);
        part(slopes, Part::RootHead).iter_mut().zip(&offering_slopes[..arc]).for_each(|(slope, number)| *slope += number);
        for word in 0..words {
            for k in 0..arc {
                let index = at(word, arc + k);
                roles_slopes[index] += offering_slopes[(word + 1) * arc + k] * slope_of(index);
            }
        }
        add_product(&dependents, &asking_slopes, words, part(slopes, Part::Arc));
        add_rows(&asking_slopes, part(slopes, Part::ArcBias));
        let mut dependent_slopes = vec![0f32; words * arc];
        packed.arc_back.multiply_add(&asking_slopes, &mut dependent_slopes);
        for word in 0..words {
            for k in 0..arc {
                let index = at(word, k);
                roles_slopes[index] += dependent_slopes[word * arc + k] * slope_of(index);
            }
        }

        // Relations, given the right heads.
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
        let mut scores: Vec<f32> = packed.weights.tensor(Part::LabelBias).iter().copied().cycle().take(words * Relation::COUNT).collect();
        packed.label.multiply_add(&bent, &mut scores);
        for (row, &relation) in scores.chunks_exact_mut(Relation::COUNT).zip(&example.relations) {
            loss += softmax_loss(row, relation as usize);
        }
        add_product(&bent, &scores, words, part(slopes, Part::Label));
        add_rows(&scores, part(slopes, Part::LabelBias));
        let mut back = vec![0f32; words * label];
        packed.label_back.multiply_add(&scores, &mut back);
        for word in 0..words {
            let head = example.heads[word];
            for k in 0..label {
                let index = word * label + k;
                let slope = back[index] * mask_at(word, k) * if joined[index] > 0.0 { 1.0 } else { 0.1 };
                roles_slopes[at(word, 2 * arc + k)] += slope;
                if head == 0 {
                    part(slopes, Part::RootLabel)[k] += slope;
                } else {
                    roles_slopes[at(head - 1, 2 * arc + label + k)] += slope;
                }
            }
        }
    }
    loss
}

/// Turns scores into the slopes of their softmax loss; gives the loss.
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

fn part(slopes: &mut Weights, part: Part) -> &mut [f32] {
    let (place, ..) = slopes.place(part);
    &mut slopes.numbers[place]
}

fn add_rows(rows: &[f32], sums: &mut [f32]) {
    for row in rows.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
}

fn embeddings(weights: &Weights) -> [(Part, usize); 5] {
    let s = &weights.sizes;
    [(Part::Word, s.word), (Part::Tag, s.tag), (Part::Affix, s.affix), (Part::Classes, s.classes), (Part::Case, s.case)]
}

/// A mask that drops a share and makes up for it in the rest.
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

fn mirror(rows: &[f32], batch: &Batch, width: usize) -> Vec<f32> {
    batch.mirror.iter().flat_map(|&row| &rows[row * width..(row + 1) * width]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::{parse::weights::Sizes, words::ListedWord};

    const NO_DROPOUT: Dropout = Dropout { input: 0.0, state: 0.0, roles: 0.0, word: 0.0 };

    fn example(words: usize) -> Example {
        let glance = |word: usize| Glance {
            listed: word.is_multiple_of(2).then_some(0),
            word: word as u32 % 3,
            tag: word as u8,
            affixes: [0, 1, 1, 0, word as u16 % 2],
            classes: word as u8,
            case: 1,
        };
        Example {
            glances: (0..words).map(glance).collect(),
            counts: vec![5; words],
            tags: (0..words).map(|word| Tag::from_number(word * 2).unwrap()).collect(),
            heads: (0..words).collect(),
            relations: (0..words).map(|word| Relation::from_number(word * 3).unwrap()).collect(),
        }
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let sizes = Sizes { words: 3, word: 3, tag: 2, affixes: 2, affix: 2, classes: 2, case: 2, hidden: 4, layers: 2, arc: 5, label: 6 };
        let mut weights = Weights::zeros(sizes);
        let mut rng = Seed::new(3).rng();
        weights.numbers.iter_mut().for_each(|number| *number = rng.unit() as f32 - 0.5);
        let word = ListedWord { word: "a", cluster: 0, classes: 0, vector: [0.4; VECTOR] };
        let list = WordList::from_bytes(WordList::to_bytes(&[word])).unwrap();
        let (first, second) = (example(4), example(2));
        let examples = [&second, &first];
        let loss =
            |weights: &Weights, slopes: &mut Weights| add_slopes(&Packed::new(weights), &list, &examples, NO_DROPOUT, Seed::new(1), slopes);
        let mut slopes = Weights::zeros(sizes);
        loss(&weights, &mut slopes);
        for (part, rows, columns) in sizes.tensors() {
            let (place, ..) = weights.place(part);
            for at in [0, rows * columns / 2, rows * columns - 1] {
                let mut moved = weights.clone();
                moved.numbers[place.start + at] += 0.01;
                let above = loss(&moved, &mut Weights::zeros(sizes));
                moved.numbers[place.start + at] -= 0.02;
                let below = loss(&moved, &mut Weights::zeros(sizes));
                let (measured, told) = ((above - below) / 0.02, f64::from(slopes.numbers[place.start + at]));
                assert!((measured - told).abs() < 0.02 + 0.03 * measured.abs(), "{part:?} {at}: {measured} measured, {told} told");
            }
        }
    }
}
