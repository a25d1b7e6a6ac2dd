//! Head rules for phrases (Collins 1999).

/// The end from which the children are searched.
#[derive(Clone, Copy)]
enum SearchStart {
    Left,
    Right,
}

fn rule(label: &str) -> (SearchStart, &'static [&'static str]) {
    match label {
        "ADJP" => (
            SearchStart::Left,
            &["NNS", "QP", "NN", "$", "ADVP", "JJ", "VBN", "VBG", "ADJP", "JJR", "NP", "JJS", "DT", "FW", "RBR", "RBS", "SBAR", "RB"],
        ),
        "ADVP" => (SearchStart::Right, &["RB", "RBR", "RBS", "FW", "ADVP", "TO", "CD", "JJR", "JJ", "IN", "NP", "JJS", "NN"]),
        "CONJP" => (SearchStart::Right, &["CC", "RB", "IN"]),
        "LST" => (SearchStart::Right, &["LS", ":"]),
        "PP" | "WHPP" => (SearchStart::Right, &["IN", "TO", "VBG", "VBN", "RP", "FW"]),
        "PRT" => (SearchStart::Right, &["RP"]),
        "QP" => (SearchStart::Left, &["$", "IN", "NNS", "NN", "JJ", "RB", "DT", "CD", "NCD", "QP", "JJR", "JJS"]),
        "S" => (SearchStart::Left, &["VP", "S", "SBAR", "ADJP", "UCP", "NP"]),
        "SBAR" => (SearchStart::Left, &["WHNP", "WHPP", "WHADVP", "WHADJP", "IN", "DT", "S", "SQ", "SINV", "SBAR", "FRAG"]),
        "SBARQ" => (SearchStart::Left, &["SQ", "S", "SINV", "SBARQ", "FRAG"]),
        "SINV" => (SearchStart::Left, &["VBZ", "VBD", "VBP", "VB", "MD", "VP", "S", "SINV", "ADJP", "NP"]),
        "SQ" => (SearchStart::Left, &["VBZ", "VBD", "VBP", "VB", "MD", "VP", "SQ"]),
        "VP" => (SearchStart::Left, &["VBD", "VBN", "MD", "VBZ", "VB", "VBG", "VBP", "TO", "VP", "ADJP", "NN", "NNS", "NP"]),
        "WHADJP" => (SearchStart::Left, &["CC", "WRB", "JJ", "ADJP"]),
        "WHADVP" => (SearchStart::Right, &["CC", "WRB"]),
        "WHNP" => (SearchStart::Left, &["WDT", "WP", "WP$", "WHADJP", "WHPP", "WHNP"]),
        _ => (SearchStart::Left, &[]),
    }
}

/// The index of the head among the children's labels.
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
            SearchStart::Left => children.iter().position(|child| child == want),
            SearchStart::Right => children.iter().rposition(|child| child == want),
        };
        if let Some(place) = found {
            return place;
        }
    }
    match from {
        SearchStart::Left => 0,
        SearchStart::Right => children.len().saturating_sub(1),
    }
}

fn head_of_noun_phrase(children: &[&str]) -> usize {
    let from_right = |wanted: &[&str]| children.iter().rposition(|child| wanted.contains(child));
    if children.last() == Some(&"POS") {
        return children.len() - 1;
    }
    // In "the dog on the chair", the first inner phrase is the head.
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
