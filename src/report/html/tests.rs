use super::*;
use crate::report::fixtures::{info, summary};

/// Elements without content.
const VOID: [&str; 3] = ["meta", "line", "rect"];

/// Called with the name of a tag and its attributes.
type Seen<'a> = &'a mut dyn FnMut(&str, &[(&str, &str)]);

/// Checks that tags are closed in order, attributes quoted and every `&` an entity, and
/// calls `seen` with every tag and with its attributes.
fn check(page: &str, seen: Seen<'_>) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "{text}");
        entities(text);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "in order");
            continue;
        }
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let (name, mut more) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = more.split_once("=\"") {
            let (value, after) = after.split_once('"').expect("a quoted value");
            entities(value);
            attributes.push((key.trim(), value));
            more = after;
        }
        assert!(matches!(more.trim(), "" | "open"), "{tag}");
        seen(name, &attributes);
        if matches!(name, "style" | "script") {
            let (_, after) = rest.split_once(&format!("</{name}>")).expect("its end");
            rest = after;
        } else if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
}

fn entities(text: &str) {
    for after in text.split('&').skip(1) {
        let (name, _) = after.split_once(';').expect("an entity");
        assert!(
            name.chars().all(|c| c == '#' || c.is_ascii_alphanumeric()),
            "{text}"
        );
    }
}

/// Checks a page as far as a page of any summary can be checked.
fn check_all(summary: &Summary, info: &PageInfo) -> String {
    let text = page(summary, info);
    check(&text, &mut |tag, attributes| {
        assert!(
            !matches!(tag, "link" | "img" | "iframe" | "object" | "a"),
            "{tag}"
        );
        for &(key, value) in attributes {
            assert!(!matches!(key, "src" | "href" | "xlink:href"), "{key}");
            let geometry = [
                "x",
                "y",
                "x1",
                "x2",
                "y1",
                "y2",
                "width",
                "height",
                "fill-opacity",
            ];
            if geometry.contains(&key) {
                let number = value.strip_suffix('%').unwrap_or(value).parse::<f64>();
                let number = number.unwrap_or_else(|_| panic!("{tag} {key}={value}"));
                assert!(number.is_finite(), "{tag} {key}={value}");
                let size = matches!(key, "width" | "height");
                assert!(!size || number >= 0.0, "{tag} {key}={value}");
            }
        }
    });
    for load in ["http://", "https://", "url(", "@import"] {
        assert!(!text.contains(load), "{load}");
    }
    assert_eq!(text, page(summary, info), "the same bytes again");
    text
}

#[test]
fn pages_of_all_sizes_are_well_formed() {
    let names: Vec<String> = (0..30)
        .map(|bot| format!("ein-langer-Name-ё-{bot}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for bots in [0, 1, 2, 8, 30] {
        for blocks in [0, 1, 1000] {
            check_all(&summary(&names[..bots], 4, blocks), &info());
        }
    }
}

#[test]
fn numbers_that_are_none_draw_nothing_broken() {
    let mut odd = summary(&["a", "b"], 2, 100);
    odd.bots[0].share = Some(f64::NAN);
    odd.bots[0].share_high = Some(f64::INFINITY);
    odd.pairs[0].score = Some(f64::NAN);
    odd.lengths[0].share = f64::NAN;
    check_all(&odd, &info());
}

#[test]
fn what_users_write_is_text() {
    let evil = "<script>alert('&\"')</script>";
    let mut played = summary(&[evil, "b"], 2, 100);
    played.warnings.push(evil.to_owned());
    played.pairs[0].note = evil.to_owned();
    let info = PageInfo {
        title: evil.to_owned(),
        facts: vec![(evil.to_owned(), evil.to_owned())],
        command: evil.to_owned(),
        version: evil.to_owned(),
    };
    let mut scripts = 0;
    let text = check_all(&played, &info);
    check(&text, &mut |tag, _| scripts += usize::from(tag == "script"));
    assert_eq!(scripts, 1, "the one that sorts");
    assert!(!text.contains(evil));
}

#[test]
fn a_page_says_what_was_played_and_how_to_repeat_it() {
    let mut played = summary(&["greedy", "random"], 2, 1234);
    played.warnings.push("few blocks".to_owned());
    let text = check_all(&played, &info());
    for part in [
        "<title>four-bots</title>",
        "<li>few blocks</li>",
        "<dt>rules</dt><dd>default, lane_jump = true</dd>",
        "<dt>blocks</dt><dd>1,234</dd>",
        "<pre><code>racelab tournament experiments/four-bots.toml</code></pre>",
        "<title>greedy against random: 70.00 % (68.50–71.50), 4,936 games</title>",
        "<footer><p>racelab 0.1.0</p></footer>",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn long_tables_are_cut_and_say_so() {
    let mut played = summary(&["greedy", "random"], 2, 100);
    played.line_ups = vec![played.line_ups[0].clone(); 1500];
    let text = check_all(&played, &info());
    assert!(text.contains("<summary>1,000 of 1,500 rows; all are in line_ups.csv</summary>"));
}

#[test]
fn the_script_is_short() {
    assert!(SCRIPT.lines().count() <= 25);
}
