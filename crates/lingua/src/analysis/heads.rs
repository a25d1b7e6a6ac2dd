//! Which child of a phrase is its head: the rules of Collins (1999).

/// Where to begin the search among the children.
#[derive(Clone, Copy)]
enum From {
    Left,
    Right,
}

fn rule(label: &str) -> (From, &'static [&'static str]) {
    match label {
        "ADJP" => (
            From::Left,
            &["NNS", "QP", "NN", "$", "ADVP", "JJ", "VBN", "VBG", "ADJP", "JJR", "NP", "JJS", "DT", "FW", "RBR", "RBS", "SBAR", "RB"],
        ),
        "ADVP" => (From::Right, &["RB", "RBR", "RBS", "FW", "ADVP", "TO", "CD", "JJR", "JJ", "IN", "NP", "JJS", "NN"]),
        "CONJP" => (From::Right, &["CC", "RB", "IN"]),
        "LST" => (From::Right, &["LS", ":"]),
        "PP" | "WHPP" => (From::Right, &["IN", "TO", "VBG", "VBN", "RP", "FW"]),
        "PRT" => (From::Right, &["RP"]),
        "QP" => (From::Left, &["$", "IN", "NNS", "NN", "JJ", "RB", "DT", "CD", "NCD", "QP", "JJR", "JJS"]),
        "S" => (From::Left, &["VP", "S", "SBAR", "ADJP", "UCP", "NP"]),
        "SBAR" => (From::Left, &["WHNP", "WHPP", "WHADVP", "WHADJP", "IN", "DT", "S", "SQ", "SINV", "SBAR", "FRAG"]),
        "SBARQ" => (From::Left, &["SQ", "S", "SINV", "SBARQ", "FRAG"]),
        "SINV" => (From::Left, &["VBZ", "VBD", "VBP", "VB", "MD", "VP", "S", "SINV", "ADJP", "NP"]),
        "SQ" => (From::Left, &["VBZ", "VBD", "VBP", "VB", "MD", "VP", "SQ"]),
        "VP" => (From::Left, &["VBD", "VBN", "MD", "VBZ", "VB", "VBG", "VBP", "TO", "VP", "ADJP", "NN", "NNS", "NP"]),
        "WHADJP" => (From::Left, &["CC", "WRB", "JJ", "ADJP"]),
        "WHADVP" => (From::Right, &["CC", "WRB"]),
        "WHNP" => (From::Left, &["WDT", "WP", "WP$", "WHADJP", "WHPP", "WHNP"]),
        _ => (From::Left, &[]),
    }
}

/// The place of the head among the children's labels.
///
/// ```
/// use acidtest_lingua::analysis::head_child;
/// assert_eq!(head_child("NP", &["DT", "JJ", "NN"]), 2);
/// assert_eq!(head_child("S", &["NP", "VP", "."]), 1);
/// ```
pub fn head_child(label: &str, children: &[&str]) -> usize {
    if matches!(label, "NP" | "NX") {
        return head_of_noun_phrase(children);
    }
    let (from, wanted) = rule(label);
    for want in wanted {
        let found = match from {
            From::Left => children.iter().position(|child| child == want),
            From::Right => children.iter().rposition(|child| child == want),
        };
        if let Some(place) = found {
            return place;
        }
    }
    match from {
        From::Left => 0,
        From::Right => children.len().saturating_sub(1),
    }
}

fn head_of_noun_phrase(children: &[&str]) -> usize {
    let from_right = |wanted: &[&str]| children.iter().rposition(|child| wanted.contains(child));
    if children.last() == Some(&"POS") {
        return children.len() - 1;
    }
    // Inside "the dog on the chair" the phrase before the rest is the head.
    let first_phrase = children.iter().position(|child| *child == "NP");
    let nouns = from_right(&["NN", "NNP", "NNPS", "NNS", "NX", "JJR", "PRP"]);
    nouns
        .filter(|place| first_phrase.is_none_or(|phrase| *place > phrase))
        .or(first_phrase)
        .or_else(|| from_right(&["$", "ADJP", "PRN"]))
        .or_else(|| from_right(&["CD"]))
        .or_else(|| from_right(&["JJ", "JJS", "RB", "QP", "DT", "VBG"]))
        .unwrap_or(children.len().saturating_sub(1))
}
