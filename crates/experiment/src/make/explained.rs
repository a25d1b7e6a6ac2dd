//! Explains why one example was changed or left unchanged, as readable text.

use crate::analyzed::analysis_table;
use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use acidtest_challenge::{Challenge, Explanation};
use acidtest_corpus::{IdPolicy, for_blocks};
use acidtest_nli::{Example, Judgment};
use std::fmt::Write;

/// Explains what a challenge does with the example of this id: the analysis of its sentences, and every decision. The id of an example
/// made by the challenge stands for its original.
pub fn explain_example(data: &Data, challenge: &Challenge, id: &str, session: &Session<'_>) -> Result<String, Error> {
    if challenge.generator().is_some() {
        return Err(acidtest_challenge::ChallengeError::MakesItsOwn { name: challenge.name() }.into());
    }
    super::count_in::<Error>(data, [challenge], session)?;
    let made_of = |example: &Example<'_>| {
        let rest = id.strip_prefix(&*example.pair.id).and_then(|rest| rest.strip_prefix('/'));
        example.pair.id == id
            || rest.and_then(|rest| rest.strip_prefix(challenge.name())).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut found: Option<Example<'static>> = None;
    let counts = for_blocks(
        super::read_for(data, std::iter::once(challenge)).source().as_mut(),
        session.loop_options(IdPolicy::Unchecked),
        |examples| Ok::<_, Error>(examples.map(|row| row.example).find(made_of).map(Example::into_owned)),
        |example| {
            found = found.take().or(example);
            Ok(())
        },
    )?;
    note_read(&counts.files, session);
    let Some(example) = found else {
        let path = counts.files.first().map(|file| file.name.clone()).unwrap_or_default();
        return Err(Error::NoSuchExample { id: id.to_string(), path });
    };
    Ok(written(challenge, &example, &challenge.explain(&example)?))
}

fn written(challenge: &Challenge, example: &Example<'_>, explanation: &Explanation) -> String {
    let gold = |gold: Option<Judgment>| gold.map_or("no gold label", Judgment::name);
    let mut out = format!("{} of example {} ({})\n", challenge.name(), example.pair.id, gold(example.gold));
    for sentence in &explanation.sentences {
        // Writing to a string does not fail.
        let _ = writeln!(out, "\n{}\n", sentence.side.name());
        out += &analysis_table(&sentence.text);
        example.pair.side(sentence.side).parse.iter().for_each(|parse| _ = writeln!(out, "  parse of the corpus: {parse}"));
        sentence.decisions.iter().for_each(|decision| _ = writeln!(out, "  {decision}"));
        sentence.reason.iter().for_each(|reason| _ = writeln!(out, "  nothing made: {reason}"));
    }
    explanation.reasons.iter().for_each(|reason| _ = writeln!(out, "\nnot applicable: {reason}"));
    for made in &explanation.made {
        let pair = &made.pair;
        let _ = writeln!(
            out,
            "\n{} ({})\n  premise     {}\n  hypothesis  {}",
            pair.id,
            gold(made.gold),
            pair.premise.text,
            pair.hypothesis.text
        );
    }
    out
}
