//! Pages of another kind than reports, with their look and their policy: nothing from elsewhere is loaded or run.

use super::escape::escaped;
use super::{PageForm, filled, policy};

/// A page that is one file.
#[derive(Debug, Clone, Copy)]
pub struct OwnPage<'a> {
    /// The title.
    pub title: &'a str,
    /// What stands in the page, as HTML that holds no text of others.
    pub body: &'a str,
    /// Styles beside those of reports.
    pub style: &'a str,
    /// What the script works on, as JSON; it may hold any text.
    pub data: &'a str,
    /// The script, which finds the data in the element `data`.
    pub script: &'a str,
}

const TEMPLATE: &str = include_str!("own_page.html");

impl OwnPage<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let style = format!("\n{}\n{}", include_str!("style.css"), self.style);
        let script = format!("\n\"use strict\";\n{}", self.script);
        filled(TEMPLATE, |name| match name {
            "title" => escaped(self.title),
            "policy" => policy(&style, &script, PageForm::SingleFile),
            "style" => style.clone(),
            "body" => self.body.to_string(),
            // Only strings hold this letter, in which it may be written so.
            "data" => self.data.replace('<', "\\u003c"),
            "script" => script.clone(),
            other => unreachable!("the template has no place `{other}`"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element() {
        let page = OwnPage { title: "a<b", body: "<p>x</p>", style: "", data: "[\"</script><script>alert(1)\"]", script: "run();" };
        let html = page.html();
        assert!(html.contains("<title>a&lt;b</title>") && html.contains("[\"\\u003c/script>\\u003cscript>alert(1)\"]"), "{html}");
        assert!(html.contains("default-src 'none'") && !html.contains("{{"));
    }
}
