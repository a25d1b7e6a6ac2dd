//! The sections of a report as parts of a page: equal sections of different models are shown together, and all but the first are folded.

use super::escape::{escaped, slug};
use super::prose::begins_with;
use super::{Page, unused};
use crate::report::{ReportBlock, Section, SectionId};

/// Sections that belong together: one section, the same section of several models, or those of several challenges.
pub(super) struct Topic<'a> {
    pub title: String,
    key: String,
    parts: Vec<Part<'a>>,
}

/// One section, or the same of several models.
struct Part<'a> {
    title: String,
    id: &'a SectionId,
    of_models: Vec<&'a Section>,
}

/// The number of notes that are shown; more are folded.
const OPEN_NOTES: usize = 3;

impl<'a> Topic<'a> {
    /// All sections except the verdict, grouped into topics.
    pub(super) fn of(sections: &'a [Section]) -> Vec<Self> {
        let mut topics: Vec<Topic<'a>> = Vec::new();
        for section in sections.iter().filter(|section| section.id != SectionId::Verdict) {
            let key = topic_key(section);
            let place = topics.iter().position(|topic| topic.key == key && section.model.is_some()).unwrap_or_else(|| {
                let title = if key == CHANGES { CHANGES_TITLE.to_string() } else { plain_title(section) };
                topics.push(Topic { title, key: key.clone(), parts: Vec::new() });
                topics.len() - 1
            });
            let parts = &mut topics[place].parts;
            match parts.iter_mut().find(|part| *part.id == section.id) {
                Some(part) => part.of_models.push(section),
                None => parts.push(Part { title: plain_title(section), id: &section.id, of_models: vec![section] }),
            }
        }
        topics
    }
}

/// The prediction changes under all challenges are one topic.
const CHANGES: &str = "prediction changes";
const CHANGES_TITLE: &str = "Prediction changes by challenge";

fn topic_key(section: &Section) -> String {
    match (&section.id, &section.model) {
        (SectionId::PredictionChanges(_), Some(_)) => CHANGES.to_string(),
        (id, _) => id.name().into_owned(),
    }
}

/// The title without the name of the model.
fn plain_title(section: &Section) -> String {
    let model = section.model.as_deref().unwrap_or_default();
    let title = section.title.strip_prefix(model).and_then(|rest| rest.strip_prefix(": "));
    title.unwrap_or(&section.title).to_string()
}

/// Whether a folded part is open at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fold {
    Open,
    Closed,
}

impl Fold {
    fn attribute(self) -> &'static str {
        match self {
            Fold::Open => " open",
            Fold::Closed => "",
        }
    }
}

impl Page<'_> {
    /// All topics, and their entries for the contents.
    pub(super) fn topics(&self) -> (String, String) {
        let (mut contents, mut body, mut slugs) = (String::new(), String::new(), Vec::new());
        for (place, topic) in Topic::of(&self.report.sections).iter().enumerate() {
            let anchor = unused(slug(&topic.key), &mut slugs);
            let fold = if place == 0 { Fold::Open } else { Fold::Closed };
            contents.push_str(&format!("<li><a href=\"#{anchor}\">{}</a></li>", escaped(&topic.title)));
            body.push_str(&section(&anchor, &topic.title, fold, &self.topic(topic)));
        }
        (contents, body)
    }

    fn topic(&self, topic: &Topic<'_>) -> String {
        if let [part] = &topic.parts[..] {
            return self.part(part);
        }
        let folded = |part: &Part<'_>| {
            format!("<details class=\"sub\"><summary><h3>{}</h3></summary>{}</details>", escaped(&part.title), self.part(part))
        };
        topic.parts.iter().map(folded).collect()
    }

    /// One section, or those of several models: matrices side by side, wider blocks behind a switch.
    fn part(&self, part: &Part<'_>) -> String {
        if let [section] = part.of_models[..] {
            return self.content(section, &[]);
        }
        let is_shared =
            |note: &&String| part.of_models.iter().all(|section| section.notes.contains(note) || section.caption.contains(note));
        let shared: Vec<&String> = part.of_models[0].notes.iter().chain(&part.of_models[0].caption).filter(is_shared).collect();
        let layout = if matches!(part.id, SectionId::PredictionChanges(_)) { "beside" } else { "switched" };
        let mut panels = String::new();
        for section in &part.of_models {
            let model = escaped(section.model.as_deref().unwrap_or_default());
            panels.push_str(&format!(
                "<div class=\"panel\" data-model=\"{model}\"><h4 class=\"model\">{model}</h4>{}</div>",
                self.content(section, &shared)
            ));
        }
        format!("<div class=\"panels {layout}\">{panels}</div>{}", self.notes(shared, None, Fold::Open))
    }

    fn content(&self, section: &Section, said: &[&String]) -> String {
        let notes = section.notes.iter().filter(|note| !said.contains(note)).collect();
        let fold = if section.blocks.is_empty() { Fold::Open } else { Fold::Closed };
        let caption: Vec<String> =
            section.caption.iter().filter(|sentence| !said.contains(sentence)).map(|sentence| self.prose(sentence, None)).collect();
        let caption = if caption.is_empty() { String::new() } else { format!("<p class=\"note caption\">{}</p>", caption.join(" ")) };
        format!("{}{caption}{}", self.blocks(section), self.notes(notes, section.model.as_deref(), fold))
    }

    /// The blocks of a section: tables of several models behind a switch, everything else below each other.
    fn blocks(&self, section: &Section) -> String {
        let title = escaped(&section.title);
        let panels = self.model_panels(section);
        if panels.len() > 1 {
            let panel = |(model, blocks): &(&str, Vec<&ReportBlock>)| {
                let head = |block: &ReportBlock| table_title(block).filter(|title| title != model).map(heading).unwrap_or_default();
                let own: String = blocks.iter().map(|block| head(block) + &self.block(section, block, &title)).collect();
                let model = escaped(model);
                format!("<div class=\"panel\" data-model=\"{model}\"><h4 class=\"model\">{model}</h4>{own}</div>")
            };
            return format!("<div class=\"panels switched\">{}</div>", panels.iter().map(panel).collect::<String>());
        }
        let head = |block: &ReportBlock| table_title(block).map(heading).unwrap_or_default();
        let mut blocks = section.blocks.iter().map(|block| head(block) + &self.block(section, block, &title));
        let first = blocks.next().unwrap_or_default();
        let rest: String = blocks.collect();
        // The table beside a matrix of prediction changes repeats it with more numbers.
        match section.id {
            SectionId::PredictionChanges(_) if !rest.is_empty() => {
                format!("{first}<details class=\"sub\"><summary>As a table, with correctness before and after</summary>{rest}</details>")
            }
            _ => first + &rest,
        }
    }

    /// The blocks by the model that their titles begin with; none unless every block has one.
    fn model_panels<'s>(&'s self, section: &'s Section) -> Vec<(&'s str, Vec<&'s ReportBlock>)> {
        let mut panels: Vec<(&str, Vec<&ReportBlock>)> = Vec::new();
        for block in &section.blocks {
            let Some(model) = table_title(block).and_then(|title| self.title_model(title)) else { return Vec::new() };
            match panels.iter_mut().find(|(known, _)| *known == model) {
                Some((_, blocks)) => blocks.push(block),
                None => panels.push((model, vec![block])),
            }
        }
        panels
    }

    fn title_model(&self, title: &str) -> Option<&str> {
        let models = self.report.measured().map(|one| one.model.as_str()).filter(|model| !model.is_empty());
        models.filter(|model| begins_with(title, model)).max_by_key(|model| model.len())
    }

    fn notes(&self, notes: Vec<&String>, model: Option<&str>, fold: Fold) -> String {
        let written: Vec<String> = notes.iter().map(|note| self.prose(note, model)).collect();
        match written.len() {
            0 => String::new(),
            count if count <= OPEN_NOTES => written.iter().map(|note| format!("<p class=\"note\">{note}</p>")).collect(),
            count => {
                let items: String = written.iter().map(|note| format!("<li>{note}</li>")).collect();
                let open = fold.attribute();
                format!("<details class=\"sub notes\"{open}><summary>{count} notes</summary><ul>{items}</ul></details>")
            }
        }
    }
}

fn table_title(block: &ReportBlock) -> Option<&str> {
    match block {
        ReportBlock::Table(table) => table.title.as_deref(),
        _ => None,
    }
}

fn heading(title: &str) -> String {
    format!("<h4 class=\"model\">{}</h4>", escaped(title))
}

/// A part of the page that can be folded.
pub(super) fn section(anchor: &str, title: &str, fold: Fold, content: &str) -> String {
    format!(
        "<section id=\"{anchor}\" aria-labelledby=\"{anchor}-title\"><details class=\"topic\"{}>\
         <summary><h2 id=\"{anchor}-title\">{}</h2></summary><div class=\"content\">{content}</div></details></section>",
        fold.attribute(),
        escaped(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(sections: &[Section]) -> Vec<(String, usize)> {
        Topic::of(sections).iter().map(|topic| (topic.title.clone(), topic.parts.len())).collect()
    }

    #[test]
    fn sections_of_several_models_are_one_topic() {
        let of = |id: SectionId, model: &str| Section::new(id, "Original vs. perturbed", Vec::new(), Vec::new()).of_model(model);
        let flips = |name: &str| SectionId::PredictionChanges(name.to_string());
        let sections = [
            Section::sentences(SectionId::Verdict, "Verdict", Vec::new()),
            of(SectionId::Perturbed, "a"),
            of(flips("negation"), "a"),
            of(flips("tautology"), "a"),
            of(SectionId::Perturbed, "b"),
            of(flips("negation"), "b"),
        ];
        assert_eq!(titles(&sections), [("Original vs. perturbed".to_string(), 1), (CHANGES_TITLE.to_string(), 2)]);
    }

    #[test]
    fn sections_of_no_model_stay_apart() {
        let of = |title: &str| Section::sentences(SectionId::Epochs, title, Vec::new());
        assert_eq!(titles(&[of("one"), of("two")]).len(), 2);
    }
}
