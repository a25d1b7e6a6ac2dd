//! Trees with slots: `(S $a:NP (VP (VBD $v:verbs) $b) (. .))`.

use super::GrammarProblem;

/// A bracket with its label and content.
#[derive(Debug, Clone)]
pub(in crate::hans) struct Bracket {
    pub(in crate::hans) label: String,
    pub(in crate::hans) items: Vec<Item>,
}

#[derive(Debug, Clone)]
pub(in crate::hans) enum Item {
    Bracket(Bracket),
    Word(String),
    Slot(Slot),
}

/// A slot, which is filled when a pair is generated.
#[derive(Debug, Clone)]
pub(in crate::hans) struct Slot {
    /// Its name, preceded by the names of the enclosing phrases: `pp.of`.
    pub(in crate::hans) path: String,
    pub(in crate::hans) source: Source,
}

#[derive(Debug, Clone)]
pub(in crate::hans) enum Source {
    /// Refers to a word drawn earlier.
    Drawn,
    /// Drawn here from a class or phrase.
    From(String),
    /// These words, to which the slot gives a name.
    Words(String),
}

/// Parses one tree, which must be the whole text; columns are counted from the start of the line.
pub(super) fn read_tree(text: &str, column: usize) -> Result<Bracket, GrammarProblem> {
    let mut reader = Reader { text, at: 0, column };
    reader.skip_space();
    if !reader.text[reader.at..].starts_with('(') {
        return Err(reader.problem("a tree begins with `(`"));
    }
    let tree = reader.bracket()?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.problem("unexpected text after the end of the tree"));
    }
    Ok(tree)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    column: usize,
}

impl Reader<'_> {
    fn bracket(&mut self) -> Result<Bracket, GrammarProblem> {
        self.at += 1;
        let label = self.token()?;
        if label.is_empty() || label.starts_with('$') {
            return Err(self.problem("expected a label after the opening bracket, as in (NP ...)"));
        }
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.text.as_bytes().get(self.at) {
                None => return Err(self.problem(&format!("the bracket `({label}` is not closed"))),
                Some(b')') => break self.at += 1,
                Some(b'(') => items.push(Item::Bracket(self.bracket()?)),
                Some(_) => items.push(self.leaf()?),
            }
        }
        if items.is_empty() {
            return Err(self.problem(&format!("the bracket `({label})` is empty")));
        }
        Ok(Bracket { label, items })
    }

    fn leaf(&mut self) -> Result<Item, GrammarProblem> {
        let start = self.at;
        let token = self.token()?;
        let words = |words: &str| words.split_whitespace().collect::<Vec<_>>().join(" ");
        let sound = |words: &str| !words.is_empty() && !words.contains(['(', ')']);
        let Some(slot) = token.strip_prefix('$') else {
            let word = words(&token);
            if sound(&word) {
                return Ok(Item::Word(word));
            }
            self.at = start;
            return Err(self.problem("a word is empty or contains a bracket (write -LRB- and -RRB- for brackets)"));
        };
        let (path, source) = if let Some((path, fixed)) = slot.split_once('=') {
            (path, Source::Words(words(fixed)))
        } else if let Some((path, from)) = slot.split_once(':') {
            (path, Source::From(from.to_string()))
        } else {
            (slot, Source::Drawn)
        };
        let plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let path_is_plain = match source {
            Source::Drawn => path.split('.').all(plain),
            _ => plain(path),
        };
        if !path_is_plain || matches!(&source, Source::From(name) | Source::Words(name) if !sound(name)) {
            self.at = start;
            return Err(self.problem(&format!("`{token}` is not a slot; expected $name, $name:class, $name=word or $phrase.name")));
        }
        Ok(Item::Slot(Slot { path: path.to_string(), source }))
    }

    /// A token without spaces and brackets, except inside quotes, as in `$name="of course"`.
    fn token(&mut self) -> Result<String, GrammarProblem> {
        let mut token = String::new();
        let mut quoted = false;
        let start = self.at;
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                '"' => quoted = !quoted,
                c if !quoted && (c.is_whitespace() || matches!(c, '(' | ')')) => break,
                c => token.push(c),
            }
            self.at += c.len_utf8();
        }
        if quoted {
            self.at = start;
            return Err(self.problem("the quotation mark is not closed"));
        }
        Ok(token)
    }

    fn skip_space(&mut self) {
        self.at += self.text[self.at..].len() - self.text[self.at..].trim_start().len();
    }

    fn problem(&self, message: &str) -> GrammarProblem {
        GrammarProblem::Tree { column: self.column + self.text[..self.at].chars().count(), message: message.to_string() }
    }
}
