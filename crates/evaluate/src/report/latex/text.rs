//! Text in which no character is taken for a command.

use crate::report::layout::one_line;

/// The text with everything escaped that LaTeX would interpret; long names may be broken after `_`, `@` and `/`.
pub(super) fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    let text = one_line(text).replace("->", "→");
    let letters: Vec<char> = text.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        let next = letters.get(at + 1);
        let is_number = next.is_some_and(char::is_ascii_digit);
        let is_inside = at > 0 && letters[at - 1].is_alphanumeric() && next.is_some_and(|next| next.is_alphanumeric());
        match letter {
            // A minus is longer than a hyphen.
            '-' if is_number && (at == 0 || matches!(letters[at - 1], ' ' | '[')) => page.push_str("$-$"),
            '\\' => page.push_str("\\textbackslash{}"),
            '~' => page.push_str("\\textasciitilde{}"),
            '^' => page.push_str("\\textasciicircum{}"),
            '<' => page.push_str("\\textless{}"),
            '>' => page.push_str("\\textgreater{}"),
            // Marks of significance are superscripts.
            '*' if at > 0 && letters[at - 1] == '*' => {}
            '*' => {
                let marks: String = letters[at..].iter().take_while(|next| **next == '*').collect();
                page.push_str(&format!("$^{{{marks}}}$"));
            }
            '|' => page.push_str("\\textbar{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => page.extend(['\\', letter]),
            '–' => page.push_str("--"),
            '→' => page.push_str("$\\rightarrow$"),
            '−' => page.push_str("$-$"),
            '↓' => page.push_str("$\\downarrow$"),
            'λ' => page.push_str("$\\lambda$"),
            'κ' => page.push_str("$\\kappa$"),
            '≥' => page.push_str("$\\geq$"),
            '≤' => page.push_str("$\\leq$"),
            '×' => page.push_str("$\\times$"),
            '…' => page.push_str("\\ldots{}"),
            '“' | '”' => page.push('"'),
            '‘' | '’' => page.push('\''),
            other => page.push(other),
        }
        if is_inside && matches!(letter, '_' | '@' | '/') {
            page.push_str("\\allowbreak{}");
        }
    }
    page
}

/// A name of letters, digits and hyphens.
pub(super) fn label_name(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_significance_are_superscripts() {
        assert_eq!(escaped("1.5 ***, 2 *"), r"1.5 $^{***}$, 2 $^{*}$");
    }

    #[test]
    fn text_from_files_is_never_a_command() {
        assert_eq!(escaped("5 % of $a & \\c {d}"), r"5 \% of \$a \& \textbackslash{}c \{d\}");
        assert_eq!(escaped("<a|b> ~^#\n[x]"), r"\textless{}a\textbar{}b\textgreater{} \textasciitilde{}\textasciicircum{}\# [x]");
    }

    #[test]
    fn signs_of_reports_need_no_font_of_their_own() {
        assert_eq!(escaped("CS_λ ≥ 0.5 -> 1"), r"CS\_\allowbreak{}$\lambda$ $\geq$ 0.5 $\rightarrow$ 1");
        assert_eq!(escaped("-1.5 [-2, spelling-2]"), r"$-$1.5 [$-$2, spelling-2]");
    }
}
