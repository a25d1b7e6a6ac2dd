//! Other pages with the look and the content security policy of reports: nothing external is loaded or run.

use super::escape::escaped;
use super::{PageForm, filled, policy};

/// A page that is one file.
#[derive(Debug, Clone, Copy)]
pub struct OwnPage<'a> {
    /// The title.
    pub title: &'a str,
    /// The body as trusted HTML.
    pub body: &'a str,
    /// Styles beside those of reports.
    pub style: &'a str,
    /// The data of the script as JSON; it may contain any text.
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
            // This character occurs only in strings, where it can be escaped.
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
