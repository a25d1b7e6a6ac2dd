//! Finding entries by name, with a suggestion for misspelt names.

/// An entry of a catalog.
pub trait Named {
    /// The name that users type.
    fn name(&self) -> &str;
}

/// A name that no entry has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{name}`{} (known: {})", suggestion(.nearest), .known.join(", "))]
pub struct UnknownName {
    /// The kind of entry.
    pub kind: &'static str,
    /// The name that was given.
    pub name: String,
    /// The known name closest to it, if one is close enough.
    pub nearest: Option<String>,
    /// All known names.
    pub known: Vec<String>,
}

/// All entries of one kind, in the order in which they are listed.
///
/// Challenges, models, networks, heuristics and formats are all listed this way; nothing registers itself.
#[derive(Debug, Clone, Copy)]
pub struct Catalog<T: 'static> {
    kind: &'static str,
    entries: &'static [T],
}

impl<T> Catalog<T> {
    /// A catalog of these entries; `kind` is the noun that error messages use for an entry.
    pub const fn new(kind: &'static str, entries: &'static [T]) -> Self {
        Catalog { kind, entries }
    }

    /// The entries, in order.
    pub fn iter(&self) -> std::slice::Iter<'static, T> {
        self.entries.iter()
    }

    /// The entries, in order.
    pub const fn entries(&self) -> &'static [T] {
        self.entries
    }
}

impl<T: Named> Catalog<T> {
    /// The entry of this name, or an error that suggests the nearest one.
    pub fn find(&self, name: &str) -> Result<&'static T, UnknownName> {
        find(self.kind, self.entries, name)
    }

    /// The entry of this name.
    pub fn get(&self, name: &str) -> Option<&'static T> {
        self.iter().find(|entry| entry.name() == name)
    }

    /// The names of all entries, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(Named::name).collect()
    }
}

impl<T> IntoIterator for &Catalog<T> {
    type Item = &'static T;
    type IntoIter = std::slice::Iter<'static, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The entry of this name in a list that is only known at run time, such as the subcases of a grammar.
pub fn find<'a, T: Named>(kind: &'static str, catalog: &'a [T], name: &str) -> Result<&'a T, UnknownName> {
    if let Some(entry) = catalog.iter().find(|entry| entry.name() == name) {
        return Ok(entry);
    }
    Err(UnknownName::among(kind, catalog.iter().map(Named::name), name))
}

impl UnknownName {
    /// The error for a name that is not among the known ones.
    pub fn among<'n>(kind: &'static str, known: impl IntoIterator<Item = &'n str>, name: &str) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_string).collect();
        let nearest = nearest(known.iter().map(String::as_str), name).map(str::to_string);
        UnknownName { kind, name: name.to_string(), nearest, known }
    }
}

/// The known name most similar to this one, if it is similar enough to be meant.
pub(crate) fn nearest<'n>(known: impl Iterator<Item = &'n str>, name: &str) -> Option<&'n str> {
    let distance = |known: &&str| strsim::damerau_levenshtein(known, name);
    let near = |known: &&str| distance(known) <= 1 + name.chars().count() / 3 || (name.len() > 2 && known.contains(name));
    known.filter(near).min_by_key(distance)
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?"))
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
    fn a_catalog_finds_lists_and_suggests() {
        static ENTRIES: [Entry; 2] = [Entry("negation"), Entry("word-overlap")];
        let catalog = Catalog::new("challenge", &ENTRIES);
        assert_eq!(catalog.names(), ["negation", "word-overlap"]);
        assert_eq!(catalog.find("negation").map(|entry| entry.0), Ok("negation"));
        assert!(catalog.get("negatoin").is_none());
        let error = catalog.find("negatoin").map(|entry| entry.0).unwrap_err();
        assert!(error.to_string().starts_with("unknown challenge `negatoin`; did you mean `negation`?"), "{error}");
    }

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        check("negatoin", Some("negation"));
        check("overlap", Some("word-overlap"));
        check("xyz", None);
    }
}
