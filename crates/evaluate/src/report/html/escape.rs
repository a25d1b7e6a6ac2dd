//! Escaping of text for HTML, addresses and anchors.

/// Text for an element or for an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            '\n' | '\t' => page.push(' '),
            other if other.is_control() => page.push('\u{fffd}'),
            other => page.push(other),
        }
    }
    page
}

/// Names up to this length fit on one line.
const SHORT: usize = 12;

/// Text for an element, in which long names may be broken after punctuation.
pub(super) fn breakable(text: &str) -> String {
    if text.chars().count() <= SHORT {
        return escaped(text);
    }
    text.split_inclusive(['_', '/']).map(escaped).collect::<Vec<_>>().join("<wbr>")
}

/// A value for the query part of an address, which is also safe in an attribute.
pub(super) fn address_part(text: &str) -> String {
    let mut part = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => part.push(byte.into()),
            other => part.push_str(&format!("%{other:02X}")),
        }
    }
    part
}

/// A name for an anchor: letters and digits, with hyphens for everything else.
pub(super) fn slug(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-").to_lowercase();
    if slug.is_empty() { "section".to_string() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("<script>alert('\"&\u{1}')\n"), "&lt;script&gt;alert(&#39;&quot;&amp;\u{fffd}&#39;) ");
    }

    #[test]
    fn long_names_may_be_broken() {
        assert_eq!(breakable("<subject>_b/object"), "&lt;subject&gt;_<wbr>b/<wbr>object");
        assert_eq!(breakable("CS_0.7"), "CS_0.7");
    }

    #[test]
    fn addresses_keep_any_text() {
        assert_eq!(address_part("9/11 & \"é\""), "9%2F11%20%26%20%22%C3%A9%22");
    }

    #[test]
    fn anchors_are_words_and_hyphens() {
        assert_eq!([slug("by genre,gold"), slug("<>")], ["by-genre-gold", "section"]);
    }
}
