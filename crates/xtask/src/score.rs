//! Attachment scores of a parser.

use crate::treebank::Sentence;
use acidtest_lingua::{
    parse::{Parser, Relation},
    tag::{Tag, Tagger},
    words::{SurfaceFeatures, WordList},
};
use std::fmt;

/// Counts of correct attachments.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Attachment {
    words: usize,
    heads: usize,
    labelled: usize,
    tags: usize,
    /// For subject, object and adjective: correct, predicted, gold.
    relations: [(usize, usize, usize); 3],
}

const WATCHED: [Relation; 3] = [Relation::Nsubj, Relation::Obj, Relation::Amod];

impl fmt::Display for Attachment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: usize| 100.0 * count as f64 / self.words as f64;
        write!(out, "tags {:.2} UAS {:.2} LAS {:.2}", share(self.tags), share(self.heads), share(self.labelled))?;
        for (relation, (right, found, gold)) in WATCHED.iter().zip(self.relations) {
            write!(out, " {relation} {:.1}", 200.0 * right as f64 / (found + gold) as f64)?;
        }
        Ok(())
    }
}

/// Scores treebank sentences with tags from the tagger; subtypes of relations are ignored.
pub(crate) fn attachment(words: &WordList, tagger: &Tagger, parser: &Parser, sentences: &[Sentence]) -> Attachment {
    let surfaces: Vec<Vec<SurfaceFeatures>> = sentences.iter().map(|sentence| crate::tagger::surfaces(words, tagger, sentence)).collect();
    let tags: Vec<Vec<Tag>> = surfaces.iter().map(|surfaces| tagger.tag(surfaces)).collect();
    let inputs: Vec<(&[SurfaceFeatures], &[Tag])> =
        surfaces.iter().zip(&tags).map(|(surfaces, tags)| (surfaces.as_slice(), tags.as_slice())).collect();
    let mut score = Attachment::default();
    for (sentence, arcs) in sentences.iter().zip(parser.parse_all(words, &inputs)) {
        for (word, arc) in sentence.iter().zip(arcs) {
            let (head, relation) = (word.head == arc.head, word.relation.base_name() == arc.relation.base_name());
            score.words += 1;
            score.tags += usize::from(arc.tag == word.tag);
            score.heads += usize::from(head);
            score.labelled += usize::from(head && relation);
            for (watched, (right, found, gold)) in WATCHED.iter().zip(&mut score.relations) {
                let name = watched.base_name();
                *right += usize::from(head && relation && word.relation.base_name() == name);
                *found += usize::from(arc.relation.base_name() == name);
                *gold += usize::from(word.relation.base_name() == name);
            }
        }
    }
    score
}
