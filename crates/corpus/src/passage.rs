//! Texts without hypotheses: word problems and lines of plain text, from which pairs are made.

use crate::{Passages, ReadOptions, RowProblem};
use acidtest_nli::{Example, Tags, content_id, tag};
use std::borrow::Cow;

/// The text field of a word problem.
const QUESTION: &str = "question";

/// The marker before the final number of a GSM8K answer.
const RESULT_MARK: &str = "####";

/// Whether the fields of a row are those of a word problem.
pub(crate) fn is_problem(fields: &Tags<'_>) -> bool {
    fields.get(QUESTION).is_some()
}

/// The word problem made from the fields of a row, of AQuA or GSM8K.
pub(crate) fn problem<'a>(id: Option<Cow<'a, str>>, mut fields: Tags<'a>, options: &ReadOptions) -> Result<Example<'a>, RowProblem> {
    if options.passages == Passages::Refuse {
        return Err(RowProblem::NoHypotheses("a word problem"));
    }
    let question = fields.remove(QUESTION).filter(|text| !text.trim().is_empty()).ok_or(RowProblem::Problem("its question is empty"))?;
    let (kind, solution) = match (fields.remove("options"), fields.remove("correct"), fields.remove(tag::ANSWER)) {
        (Some(choices), Some(letter), _) => ("aqua", of_choice(&choices, &letter, fields.remove("rationale"))?),
        (Some(_), None, _) => return Err(RowProblem::Problem("`correct` does not say which option is right")),
        (None, _, Some(answer)) => ("gsm8k", of_steps(&answer)?),
        (None, ..) => return Err(RowProblem::Problem("it has no answer: expected `options` and `correct`, or `answer`")),
    };
    fields.set(tag::ANSWER, solution.answer);
    fields.set(tag::RATIONALE_LINES, solution.lines.to_string());
    Ok(passage(id, question, kind, fields))
}

/// A line of plain text.
pub(crate) fn line(text: &str) -> Example<'_> {
    passage(None, text.trim().into(), "text", Tags::default())
}

fn passage<'a>(id: Option<Cow<'a, str>>, text: Cow<'a, str>, kind: &'static str, mut tags: Tags<'a>) -> Example<'a> {
    tags.set(tag::PASSAGE, kind);
    let mut example = Example { tags, ..Example::default() };
    example.pair.id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| content_id(&text, "").into());
    example.pair.premise.text = text;
    example
}

/// The correct answer of a word problem, and the number of lines of its rationale.
struct Solution {
    answer: String,
    lines: usize,
}

/// AQuA: a letter names the correct option, such as `B` for `B)250 m`.
fn of_choice(choices: &str, letter: &str, rationale: Option<Cow<'_, str>>) -> Result<Solution, RowProblem> {
    let wrong = RowProblem::Problem("its `options` are not a list of texts");
    let choices: Vec<String> = serde_json::from_str(choices).map_err(|_| wrong)?;
    let letter = letter.trim();
    let text = |choice: &String| Some(choice.trim().strip_prefix(letter)?.strip_prefix([')', '.', ':'])?.trim().to_string());
    let answer = choices.iter().find_map(text).filter(|_| !letter.is_empty());
    let answer = answer.ok_or(RowProblem::Problem("the letter in `correct` matches none of its `options`"))?;
    Ok(Solution { answer, lines: lines_in(rationale.as_deref().unwrap_or_default()) })
}

/// GSM8K: the steps of the solution, and the number after `####`.
fn of_steps(answer: &str) -> Result<Solution, RowProblem> {
    let (steps, number) = answer.rsplit_once(RESULT_MARK).ok_or(RowProblem::Problem("its `answer` has no number after ####"))?;
    Ok(Solution { answer: number.trim().to_string(), lines: lines_in(steps) })
}

fn lines_in(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}
