//! Compares simplified Lesk as published with our default, on hand-annotated sentences.

use acidtest_lingua::{
    analyzer::Analyzer,
    tokens::tokenize,
    wordnet::{WordNet, lesk, lesk_as_published},
};

/// Sentence, word, and the names of the correct senses.
const CASES: &[(&str, &str, &[&str])] = &[
    ("He sat on the bank of the river and watched the water.", "bank", &["bank.n.01"]),
    ("She went to the bank to deposit money in her account.", "bank", &["depository_financial_institution.n.01"]),
    ("The dog ran across the street.", "dog", &["dog.n.01"]),
    ("A bass swam in the lake until the fisherman caught the fish.", "bass", &["sea_bass.n.01", "freshwater_bass.n.01", "bass.n.08"]),
    ("The plant produces cars and employs five hundred workers in industrial labor.", "plant", &["plant.n.01"]),
    ("The plant needs water and its leaves are green.", "plant", &["plant.n.02"]),
    ("The judge read the sentence to the court and sent the guilty man to prison.", "sentence", &["conviction.n.02", "prison_term.n.01"]),
    ("A sentence has words and satisfies the rules of grammar of a language.", "sentence", &["sentence.n.01"]),
    ("The mouse ran from the cat.", "mouse", &["mouse.n.01"]),
    ("The crane lifted heavy objects with its machine arm.", "crane", &["crane.n.04"]),
    ("The man is tall.", "man", &["man.n.01"]),
    ("The woman plays music on her instrument.", "plays", &["play.v.03", "play.v.06", "play.v.07"]),
    ("Two children run on the beach.", "run", &["run.v.01"]),
    ("A bat is a nocturnal animal with wings.", "bat", &["bat.n.01"]),
    ("The player swung his bat in the baseball game to hit the ball.", "bat", &["bat.n.05", "baseball_bat.n.01"]),
    ("The spring flowers bloom after the winter season.", "spring", &["spring.n.01"]),
    ("The party won the election and took political power.", "party", &["party.n.01"]),
    ("The guests danced at the birthday party with food and drinks.", "party", &["party.n.02", "party.n.04"]),
    ("The letter was written and sent by mail.", "letter", &["letter.n.01"]),
    ("A letter of the alphabet stands for a speech sound.", "letter", &["letter.n.02"]),
    ("The boy is wearing a blue shirt.", "wearing", &["wear.v.01", "wear.v.09", "wear.v.02"]),
    ("A woman is reading a book.", "book", &["book.n.01", "book.n.02"]),
    ("The people wait in line for a ticket.", "line", &["line.n.01", "line.n.02", "line.n.03"]),
    ("The star shines in the night sky far from the earth.", "star", &["star.n.01", "star.n.03"]),
];

#[test]
fn our_default_beats_the_published_method() {
    let net = WordNet::get();
    let (mut ours, mut published) = (0, 0);
    for (text, word, right) in CASES {
        let forms: Vec<&str> = tokenize(text).iter().map(|token| token.text(text)).collect();
        let place = forms.iter().position(|form| form == word).unwrap();
        let tags = Analyzer::shared().tags(forms.iter().copied());
        let tagged: Vec<_> = forms.iter().copied().zip(tags).collect();
        let name = |id| net.synset(id).name();
        let found = lesk(&tagged, place).map(|found| name(found.synset)).unwrap_or_default();
        let before = lesk_as_published(forms.iter().copied(), word, None).map(name).unwrap_or_default();
        ours += usize::from(right.contains(&found.as_str()));
        published += usize::from(right.contains(&before.as_str()));
        println!("{word}: {found} (as published {before}) of {right:?}");
    }
    println!("{ours} of {} right, {published} as published", CASES.len());
    assert!(ours * 10 >= CASES.len() * 7, "only {ours} of {} right", CASES.len());
    assert!(ours > published, "{ours} right is no better than {published} as published");
}
