//! Every number that is found can be written back, and another value in its style is read as that value.

#![no_main]

use acidtest_lingua::numbers::{NumberKind, find_numbers};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut at = 0;
    for number in find_numbers(text) {
        assert!(number.start >= at && number.start < number.end);
        at = number.end;
        let written = &text[number.start..number.end];
        assert_eq!(number.write(number.value).as_deref(), Some(written));
        number.unit();
        number.style();
        let Some(other) = number.write(number.value + 1.0) else { continue };
        if number.kind == NumberKind::Cardinal {
            let found = find_numbers(&other);
            assert!(found.iter().any(|found| (found.value - number.value - 1.0).abs() < 1e-3), "{written} -> {other}: {found:?}");
        }
    }
});
