//! Packs the files of WordNet 3.0 for `lingua`.

use acidtest_lingua::wordnet::{PartOfSpeech, WordNetRelation, packed};
use anyhow::{Context, Result, bail};
use flate2::{Compression, write::ZlibEncoder};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    io::Write,
    path::Path,
};

const PARTS: [(PartOfSpeech, &str); 4] =
    [(PartOfSpeech::Noun, "noun"), (PartOfSpeech::Verb, "verb"), (PartOfSpeech::Adjective, "adj"), (PartOfSpeech::Adverb, "adv")];

/// The packed files: synsets, glosses, and irregular forms.
pub(crate) struct PackedWordNet {
    pub net: Vec<u8>,
    pub glosses: Vec<u8>,
    pub exceptions: Vec<u8>,
}

/// Builds the packed files from the folder with `data.noun`, `index.noun`, `noun.exc` and so on.
pub(crate) fn build(folder: &Path) -> Result<PackedWordNet> {
    let read = |name: String| -> Result<String> {
        let path = folder.join(&name);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let mut synsets = Vec::new();
    let mut numbers: HashMap<(PartOfSpeech, u32), u32> = HashMap::new();
    for (part, name) in PARTS {
        let text = read(format!("data.{name}"))?;
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.starts_with("  ")) {
            let synset = synset(line, part).with_context(|| format!("data.{name}:{number}"))?;
            numbers.insert((part, synset.offset), synsets.len() as u32);
            synsets.push(synset);
        }
    }
    // Senses are listed in lower case, so every word also exists in lower case.
    let spelled = synsets.iter().flat_map(|synset| &synset.words);
    let all: BTreeSet<String> = spelled.flat_map(|word| [word.clone(), word.to_lowercase()]).collect();
    let words: Vec<&str> = all.iter().map(String::as_str).collect();
    let word_numbers: HashMap<&str, u32> = words.iter().zip(0..).map(|(&word, number)| (word, number)).collect();
    let counts = counts(&read("cntlist.rev".to_owned())?);

    let mut net = Vec::new();
    let text = words.join("\n");
    packed::push(&mut net, text.len() as u64);
    net.extend(text.as_bytes());
    packed::push(&mut net, synsets.len() as u64);
    for (number, synset) in synsets.iter().enumerate() {
        let head = synset.kind == 's';
        packed::push(&mut net, u64::from(synset.part as u8) * 2 + u64::from(head));
        packed::push(&mut net, synset.words.len() as u64);
        synset.words.iter().for_each(|word| packed::push(&mut net, u64::from(word_numbers[word.as_str()])));
        packed::push(&mut net, synset.pointers.len() as u64);
        for pointer in &synset.pointers {
            let target = numbers.get(&(pointer.part, pointer.offset)).context("a pointer leads nowhere")?;
            net.extend([pointer.relation as u8, pointer.from, pointer.to]);
            packed::push_signed(&mut net, i64::from(*target) - number as i64);
        }
    }
    let mut senses: BTreeMap<(u32, PartOfSpeech), Vec<(u32, u32)>> = BTreeMap::new();
    for (part, name) in PARTS {
        for (line, number) in read(format!("index.{name}"))?.lines().zip(1..).filter(|(line, _)| !line.starts_with("  ")) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let at = || format!("index.{name}:{number}");
            let count: usize = fields.get(2).and_then(|field| field.parse().ok()).with_context(at)?;
            let offsets = fields.len().checked_sub(count).map(|from| &fields[from..]).with_context(at)?;
            for (place, offset) in offsets.iter().enumerate() {
                let synset = numbers[&(part, offset.parse::<u32>().with_context(at)?)];
                let count = counts.get(&(fields[0].to_owned(), part, place + 1)).copied().unwrap_or(0);
                let word = word_numbers.get(fields[0]).copied().with_context(at)?;
                senses.entry((word, part)).or_default().push((synset, count));
            }
        }
    }
    packed::push(&mut net, senses.len() as u64);
    for ((word, part), list) in &senses {
        packed::push(&mut net, u64::from(*word) * 4 + *part as u64);
        packed::push(&mut net, list.len() as u64);
        for &(synset, count) in list {
            packed::push(&mut net, u64::from(synset));
            packed::push(&mut net, u64::from(count));
        }
    }
    let glosses = synsets.iter().map(|synset| synset.gloss.as_str()).collect::<Vec<_>>().join("\n");
    let mut exceptions = String::new();
    for (part, name) in PARTS {
        for line in read(format!("{name}.exc"))?.lines() {
            let mut fields = line.split_whitespace();
            if let (Some(form), Some(base)) = (fields.next(), fields.next()) {
                exceptions += &format!("{} {form} {base}\n", part.letter());
            }
        }
    }
    Ok(PackedWordNet { net: deflate(&net)?, glosses: deflate(glosses.as_bytes())?, exceptions: deflate(exceptions.as_bytes())? })
}

struct Synset {
    offset: u32,
    part: PartOfSpeech,
    kind: char,
    words: Vec<String>,
    pointers: Vec<Pointer>,
    gloss: String,
}

struct Pointer {
    relation: WordNetRelation,
    part: PartOfSpeech,
    offset: u32,
    from: u8,
    to: u8,
}

fn synset(line: &str, part: PartOfSpeech) -> Result<Synset> {
    let (facts, gloss) = line.split_once('|').context("no gloss")?;
    let mut fields = facts.split_whitespace();
    let mut next = || fields.next().context("cut short");
    let offset = next()?.parse()?;
    next()?;
    let kind = next()?.chars().next().context("no kind")?;
    let count = usize::from_str_radix(next()?, 16)?;
    let mut words = Vec::with_capacity(count);
    for _ in 0..count {
        let word = next()?;
        // Adjectives have a syntactic marker: `galore(ip)`.
        words.push(word.split('(').next().unwrap_or(word).to_owned());
        next()?;
    }
    let mut pointers = Vec::new();
    for _ in 0..next()?.parse::<usize>()? {
        let (symbol, offset, part, places) = (next()?, next()?.parse()?, next()?, next()?);
        let part = match part {
            "n" => PartOfSpeech::Noun,
            "v" => PartOfSpeech::Verb,
            "a" | "s" => PartOfSpeech::Adjective,
            "r" => PartOfSpeech::Adverb,
            other => bail!("`{other}` is no part of speech"),
        };
        if let Some(relation) = WordNetRelation::from_symbol(symbol) {
            let places = u16::from_str_radix(places, 16)?;
            pointers.push(Pointer { relation, part, offset, from: (places >> 8) as u8, to: places as u8 });
        }
    }
    Ok(Synset { offset, part, kind, words, pointers, gloss: gloss.trim().to_owned() })
}

/// The count of each sense in tagged text, by word, part of speech and sense number.
fn counts(text: &str) -> HashMap<(String, PartOfSpeech, usize), u32> {
    let entry = |line: &str| {
        let mut fields = line.split_whitespace();
        let (key, sense, count) = (fields.next()?, fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let (word, rest) = key.split_once('%')?;
        let part = match rest.chars().next()? {
            '1' => PartOfSpeech::Noun,
            '2' => PartOfSpeech::Verb,
            '3' | '5' => PartOfSpeech::Adjective,
            _ => PartOfSpeech::Adverb,
        };
        Some(((word.to_owned(), part, sense), count))
    };
    text.lines().filter_map(entry).collect()
}

pub(crate) fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
