//! Looking things up by name, with a suggestion where the name is not quite right.

/// A thing that a catalog lists.
pub trait Named {
    /// The name that users type.
    fn name(&self) -> &str;
}

/// A name that no entry has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {kind} `{name}`{}; the names are: {}", suggestion(.nearest), .known.join(", "))]
pub struct UnknownName {
    /// What kind of thing was looked for.
    pub kind: &'static str,
    /// The name that was given.
    pub name: String,
    /// The known name that is nearest to it, if any is near.
    pub nearest: Option<String>,
    /// All known names.
    pub known: Vec<String>,
}

/// The entry of this name.
pub fn find<'a, T: Named>(kind: &'static str, catalog: &'a [T], name: &str) -> Result<&'a T, UnknownName> {
    if let Some(entry) = catalog.iter().find(|entry| entry.name() == name) {
        return Ok(entry);
    }
    let distance = |entry: &&T| strsim::damerau_levenshtein(entry.name(), name);
    let near = |entry: &&T| distance(entry) <= 1 + name.chars().count() / 3 || (name.len() > 2 && entry.name().contains(name));
    let nearest = catalog.iter().filter(near).min_by_key(distance);
    Err(UnknownName {
        kind,
        name: name.to_string(),
        nearest: nearest.map(|entry| entry.name().to_string()),
        known: catalog.iter().map(|entry| entry.name().to_string()).collect(),
    })
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(", did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Entry(&'static str);

    impl Named for Entry {
        fn name(&self) -> &str {
            self.0
        }
    }

    #[track_caller]
    fn check(name: &str, nearest: Option<&str>) {
        let catalog = [Entry("negation"), Entry("word-overlap")];
        let error = find("challenge", &catalog, name).map(|entry| entry.0).unwrap_err();
        assert_eq!(error.nearest.as_deref(), nearest);
    }

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        check("negatoin", Some("negation"));
        check("overlap", Some("word-overlap"));
        check("xyz", None);
    }
}
