//! CSV as spreadsheets write it, JSON Lines, and times with and without an offset: whatever a manifest is written in, it says the same.

use content::{MAX_RECORD_BYTES, Manifest, Part, Problems};
use serde_json::json;

use crate::spawn_family;

/// What every form below says.
const PLAIN: &str = "service,kind,slug,parent,name,title,image,created_at\r\n\
    memeworld,category,monday,,Monday,,,\r\n\
    memeworld,meme,taxi,monday,,\"@TaxiDiaries: \"\"late\"\", again; né?\",https://images.spaza.example/taxi.webp,2026-03-05 18:30:00\r\n\
    memeworld,meme,tape,monday,,- the lost tape -,https://images.spaza.example/tape.webp,2026-03-06T08:00:00Z\r\n";

fn read(name: &str, bytes: &[u8]) -> Result<Vec<Part>, Problems> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let manifest = Manifest::read(&path, &testkit::brands())?;
    assert!(manifest.each(|_| true), "{name} says the same the second time");
    Ok(manifest.parts)
}

/// The problems that are reported of a file that is wrong, from the file's name on.
fn problems_of(name: &str, bytes: &[u8]) -> String {
    let problems = read(name, bytes).unwrap_err().to_string();
    problems.get(problems.find(&format!("/{name}:")).unwrap() + 1..).unwrap().to_owned()
}

fn expected() -> Vec<Part> {
    let parts = read("plain.csv", PLAIN.as_bytes()).unwrap();
    assert_eq!((parts.len(), parts[0].records), (1, 3));
    parts
}

/// The same rows with another mark between cells.
fn parted_by(mark: &str) -> String {
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(PLAIN.as_bytes());
    let lines = rows.records().map(|row| {
        let cells: Vec<_> = row.unwrap().iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        format!("{}\r\n", cells.join(mark))
    });
    lines.collect()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
}

#[test]
fn csv_as_spreadsheets_write_it_is_read() {
    let lines = |change: &dyn Fn(usize, &str) -> String| -> Vec<u8> {
        PLAIN
            .lines()
            .enumerate()
            .map(|(number, line)| format!("{}\r\n", change(number, line)))
            .collect::<String>()
            .into()
    };
    let bom = |text: &str| format!("\u{feff}{text}").into_bytes();
    let header = "Service; KIND ;Slug;Parent;NAME;title;Image;Created_At";
    for (what, name, bytes) in [
        ("UTF-8 with a byte order mark", "a.csv", bom(PLAIN)),
        ("semicolons", "a.csv", bom(&parted_by(";"))),
        ("tabs", "a.tsv", parted_by("\t").into()),
        ("tabs in UTF-16, Unicode Text", "a.txt", utf16(&parted_by("\t"), u16::to_le_bytes)),
        ("UTF-16, big end first", "a.csv", utf16(PLAIN, u16::to_be_bytes)),
        ("sep=;", "a.csv", bom(&format!("sep=;\r\n{}", parted_by(";")))),
        ("SEP in quotes", "a.csv", format!("\"SEP=,\"\r\n{PLAIN}").into()),
        ("sep= a tab in UTF-16", "a.csv", utf16(&format!("sep=\t\r\n{}", parted_by("\t")), u16::to_le_bytes)),
        ("empty columns at the end", "a.csv", lines(&|_, line| format!("{line},,,"))),
        ("an empty column in the middle", "a.csv", lines(&|_, line| line.replacen(',', ",,", 1))),
        (
            "empty columns below a short header",
            "a.csv",
            lines(&|number, line| format!("{line}{}", [",,,", ""][usize::from(number == 0)])),
        ),
        ("rows cut short", "a.csv", lines(&|_, line| line.trim_end_matches(',').to_owned())),
        ("empty rows at the end", "a.csv", format!("{PLAIN},,,,,,,\r\n , ,,,,,,\r\n\r\n,,,,,,,\r\n").into()),
        (
            "capitals and blanks in the header",
            "a.csv",
            format!("{header}\r\n{}", parted_by(";").split_once('\n').unwrap().1).into(),
        ),
        ("no line end at the end", "a.csv", PLAIN.trim_end().into()),
    ] {
        assert_eq!(read(name, &bytes).as_deref().map_err(ToString::to_string), Ok(&*expected()), "{what}");
    }
}

#[test]
fn problems_in_a_spreadsheet_name_its_lines() {
    let bad = "memeworld,meme,x,monday,,\"two\r\nlines\",ftp://x,2026-03-05 18:30:00\r\n";
    let row = "memeworld,meme,y,monday,,Y,https://images.spaza.example/y.webp,yesterday\r\n";
    let problems = problems_of("a.csv", format!("sep=,\r\n{PLAIN}{bad}{row}").as_bytes());
    let begins = [
        "a.csv:6: title: holds a control character",
        "a.csv:6: image: \"ftp://x\"",
        "a.csv:8: created_at: \"yesterday\"",
    ];
    for begin in begins {
        assert!(problems.contains(begin), "{problems}");
    }
    let problems = problems_of("a.csv", &utf16(&format!("{PLAIN}{row}"), u16::to_le_bytes));
    assert!(problems.starts_with("a.csv:5: created_at: \"yesterday\" is not a time of the form"), "{problems}");
    // Spreadsheets that know no UTF-8 write one byte for each letter.
    let problems = problems_of("a.csv", &PLAIN.chars().map(|letter| letter as u32 as u8).collect::<Vec<_>>());
    assert!(problems.starts_with("a.csv:3: title: is not UTF-8"), "{problems}");
    let mut torn = utf16(PLAIN, u16::to_le_bytes);
    torn.truncate(torn.len() - 5);
    assert!(problems_of("a.csv", &torn).starts_with("a.csv:4: created_at: "), "{}", problems_of("a.csv", &torn));
    let problems = problems_of("a.csv", PLAIN.replace("again", "\u{fffd}").as_bytes());
    assert!(problems.starts_with("a.csv:3: title: holds a character that was lost"), "{problems}");
    let problems = problems_of(
        "a.csv",
        PLAIN.replace("created_at\r\n", "created_at,\r\n").replace(":30:00\r\n", ":30:00,note\r\n").as_bytes(),
    );
    assert!(problems.starts_with("a.csv:3: cell 9 stands in a column without a name"), "{problems}");
    for (bytes, words) in [
        (&b"sep=;\r\n"[..], "a.csv:2: the column \"service\" is missing"),
        (b"sep=;", "a.csv:2: the column \"service\" is missing"),
        (b"sep=", "there is no column \"sep=\""),
        (b";;;\r\n", "the column \"service\" is missing"),
        (b"\xff\xfe", "a.csv: is empty"),
        (b"s\0e\0r\0v\0", "a.csv: is not text: it holds zero bytes"),
    ] {
        assert!(problems_of("a.csv", bytes).contains(words), "{:?}: {}", bytes, problems_of("a.csv", bytes));
    }
}

#[test]
fn json_lines_say_what_a_csv_says() {
    let lines = [
        json!({"service": "Meme World", "kind": "category", "slug": "monday", "name": "Monday"}),
        json!({"service": "memeworld", "kind": "meme", "slug": "taxi", "parent": "monday", "state": null,
            "title": "@TaxiDiaries: \"late\", again; né?", "image": "https://images.spaza.example/taxi.webp", "created_at": "2026-03-05 18:30:00+02:00"}),
        json!({"kind": "meme", "service": "memeworld", "slug": "tape", "parent": "monday",
            "title": "- the lost tape -", "image": "https://images.spaza.example/tape.webp", "created_at": "2026-03-06 10:00:00"}),
    ]
    .map(|line| line.to_string());
    let text = lines.join("\n").replace("Meme World", "memeworld");
    assert_eq!(read("a.jsonl", text.as_bytes()).unwrap(), expected());
    assert_eq!(
        read("a.ndjson", format!("\u{feff}\r\n{}\r\n\r\n", text.replace('\n', "\r\n")).as_bytes()).unwrap(),
        expected()
    );
    for (wrong, words) in [
        ("[1]".to_owned(), "a.jsonl:4:1: an object for each record belongs here"),
        ("{\"service\": ".to_owned(), "a.jsonl:4:11: ends here, within a record"),
        ("{} {}".to_owned(), "a.jsonl:4:4: is no JSON from here on"),
        ("{}".to_owned(), "a.jsonl:4:1: service: \"\" is no service; there are: MC Funny"),
        ("{\"service\": 5}".to_owned(), "a.jsonl:4:13: service: \"\" is no service"),
        (
            json!({"service": "memeworld", "kind": "video"}).to_string(),
            "kind: memeworld has no \"video\"; it has: category, meme",
        ),
        (r#"{"service": "memeworld", "kind": "category", "slug": "a", "slug": "b"}"#.to_owned(), "slug: stands twice"),
        (
            json!({"service": "memeworld", "kind": "category", "slug": "a", "name": 5}).to_string(),
            "name: is not a text",
        ),
        (
            json!({"service": "memeworld", "kind": "category", "slug": "a", "name": "A", "media": "x"}).to_string(),
            "media: a category has no such field",
        ),
        (format!("{{\"a\": {}", "[".repeat(100_000)), "a.jsonl:4:"),
        (format!("{{\"a\": {}1{}}}", "[".repeat(1000), "]".repeat(1000)), "a: has more brackets within brackets"),
        ("x".repeat(2 * MAX_RECORD_BYTES as usize), "a.jsonl:4: the record that begins here is larger than 1 MiB"),
    ] {
        let problems = problems_of("a.jsonl", format!("{text}\n{wrong}\n").as_bytes());
        assert!(problems.contains(words), "{}: {problems}", wrong.chars().take(80).collect::<String>());
    }
    let problems = problems_of("a.jsonl", &[text.as_bytes(), b"\n{\"service\": \"caf\xe9\"}"].concat());
    assert!(problems.starts_with("a.jsonl:4: is not UTF-8"), "{problems}");
}

/// A file with one film, whose cells have these texts.
fn film(duration: &str, datetime: &str) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let header = "service,kind,slug,parent,video_name,media,image,datetime,duration_s,bytes";
    csv.write_record(header.split(',')).unwrap();
    let image = "https://images.spaza.example/a.webp";
    csv.write_record(["MC Funny", "video", "v", "lwazi", "A film", "mcfunny/a.mp4", image, datetime, duration, "1"])
        .unwrap();
    String::from_utf8(csv.into_inner().unwrap()).unwrap()
}

#[test]
fn numbers_and_times_of_the_corpus_are_read_or_refused_by_their_field() {
    const TIME: &str = "2026-11-25 08:00:00";
    let check = |field: &str, input: &str, typed: &str, plain: Option<String>| match plain {
        Some(plain) => assert_eq!(
            read("a.csv", typed.as_bytes()).unwrap(),
            read("a.csv", plain.as_bytes()).unwrap(),
            "{field}: {input:?}"
        ),
        None => {
            let problems = problems_of("a.csv", typed.as_bytes());
            let is_plain =
                ["is not a whole number", "is not a time of the form", "is missing", "it cannot be negative"];
            assert!(problems.starts_with(&format!("a.csv:2: {field}: ")), "{input:?}: {problems}");
            assert!(is_plain.iter().any(|words| problems.contains(words)), "{input:?}: {problems}");
        }
    };
    for (input, right) in testkit::corpus("numbers") {
        let is_count = right.parse::<i64>().is_ok_and(|count| count >= 0);
        check("duration_s", &input, &film(&input, TIME), is_count.then(|| film(&right, TIME)));
    }
    for (input, right) in testkit::corpus("times") {
        let plain = (right != "refused").then(|| film("6", &format!("{right}Z")));
        check("datetime", &input, &film("6", &input), plain);
    }
}

testkit::on_each_engine! {
    async fn time_without_an_offset_is_johannesburgs(engine) {
        let family = spawn_family(engine).await;
        family.try_import("a.csv", PLAIN.as_bytes(), content::Options::default()).await.unwrap();
        let category = family.meme.get_ok("/api/meme/getMemeCategories").await[0]["id"].clone();
        let memes = family.meme.get_ok(&format!("/api/meme/getMemeValue/{category}")).await["memeData"].clone();
        let shown: Vec<_> = memes.as_array().unwrap().iter().map(|meme| (meme["title"].as_str().unwrap(), meme["created_at"].as_str().unwrap())).collect();
        assert_eq!(shown, [
            ("@TaxiDiaries: \"late\", again; né?", "2026-03-05 16:30:00"),
            ("- the lost tape -", "2026-03-06 08:00:00"),
        ]);
    }
}
