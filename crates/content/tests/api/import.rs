//! `content import`.

use std::time::Duration;

use content::Options;
use serde_json::{Value, json};

use crate::{Family, spawn_family, sum};

const DRY: Options<'_> = Options { once: false, prune: false, dry_run: true, doctor: None };
const PRUNE: Options<'_> = Options { once: false, prune: true, dry_run: false, doctor: None };

/// Something for three services: 2 of comedy, 3 of memes, 4 of videos on demand.
pub(crate) fn manifest() -> Value {
    let image = "https://images.spaza.example/a.webp";
    let video = |slug: &str| {
        json!({
            "slug": slug, "name": slug, "video_name": format!("All of {slug}"), "artist": "Crew", "status": "live",
            "media": format!("ttmbhatv/{slug}/master.m3u8"), "image": image, "datetime": "2026-03-05 18:30:00",
            "duration_s": 8, "bytes": 65536, "captions": format!("ttmbhatv/{slug}/words.zu.vtt")
        })
    };
    json!({"services": {
        "madfunny": {"artists": [{
            "slug": "gogo", "artist": "Gogo", "description": "Tells it.", "image": image,
            "videos": [{
                "slug": "taxi", "video_name": "Taxi", "media": "mcfunny/taxi.mp4", "image": image,
                "datetime": "2026-03-05 18:30:00", "duration_s": 8, "bytes": 65536
            }]
        }]},
        "memeworld": {"categories": [{"slug": "monday", "name": "Monday", "memes": [
            {"slug": "m1", "title": "One", "image": image, "created_at": "2026-03-05 18:30:00"},
            {"slug": "m2", "title": "Two", "image": image, "created_at": "2026-03-05 18:30:00"}
        ]}]},
        "ttmbhatv": {
            "banners": [{"slug": "tonight", "title": "Tonight", "image": image, "video": "d2"}],
            "categories": [{"slug": "drama", "category_name": "Drama", "videos": [video("d1"), video("d2")]}]
        }
    }})
}

/// The same as rows, as a South African spreadsheet writes them.
const ROWS: &str = "\u{feff}service;kind;slug;parent;artist;description;image;video_name;media;datetime;duration_s;bytes;name;title;created_at;category_name;status;video;captions\r
MC Funny;artist;gogo;;Gogo;Tells it.;https://images.spaza.example/a.webp;;;;;;;;;;;;\r
MC Funny;video;taxi;gogo;;;https://images.spaza.example/a.webp;Taxi;mcfunny/taxi.mp4;2026-03-05 18:30:00;8;65536;;;;;;;\r
memeworld;category;monday;;;;;;;;;;Monday;;;;;;\r
memeworld;meme;m1;monday;;;https://images.spaza.example/a.webp;;;;;;;One;2026-03-05 18:30:00;;;;\r
memeworld;meme;m2;monday;;;https://images.spaza.example/a.webp;;;;;;;\"Two\";2026-03-05 18:30:00;;;;\r
ttmbhatv;banner;tonight;;;;https://images.spaza.example/a.webp;;;;;;;Tonight;;;;d2;\r
ttmbhatv;category;drama;;;;;;;;;;;;;Drama;;;\r
ttmbhatv;video;d1;drama;Crew;;https://images.spaza.example/a.webp;All of d1;ttmbhatv/d1/master.m3u8;2026-03-05 18:30:00;8;65536;d1;;;;live;;ttmbhatv/d1/words.zu.vtt\r
ttmbhatv;video;d2;drama;Crew;;https://images.spaza.example/a.webp;All of d2;ttmbhatv/d2/master.m3u8;2026-03-05 18:30:00;8;65536;d2;;;;live;;ttmbhatv/d2/words.zu.vtt\r
";

async fn titles(family: &Family) -> Vec<String> {
    let drawn = family.meme.get_ok("/api/meme/random").await;
    let mut titles: Vec<_> =
        drawn.as_array().unwrap().iter().map(|meme| meme["title"].as_str().unwrap().to_owned()).collect();
    titles.sort();
    titles
}

testkit::on_each_engine! {
    async fn import_twice_changes_nothing_as_json_or_rows(engine) {
        let family = spawn_family(engine).await;
        let before = family.listed().await;
        assert_eq!(family.import(&manifest(), DRY).await, [9, 0, 0, 0]);
        assert_eq!(family.listed().await, before, "a dry run changes nothing");
        assert_eq!(family.import(&manifest(), Options::default()).await, [9, 0, 0, 0]);
        let after = family.listed().await;
        assert_eq!(after[2][0]["videos"].as_array().unwrap().len(), 2);
        assert_eq!(after[3][0]["videoid"], after[2][0]["videos"][1]["id"], "a banner may stand before its video");
        let again = family.try_import("again.json", manifest().to_string().as_bytes(), Options::default()).await.unwrap();
        assert!(again.iter().all(|summary| summary.changes.is_empty() && !summary.is_any()), "{again:?}");
        let rows = family.try_import("rows.csv", ROWS.as_bytes(), Options::default()).await.unwrap();
        assert_eq!(sum(&rows)[..2], [0, 0], "{rows:?}");
        assert_eq!(family.listed().await, after);
    }

    async fn translations_are_imported_exported_and_compared_as_json_and_as_rows(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let mut translated = manifest();
        let drama = &mut translated["services"]["ttmbhatv"]["categories"][0];
        drama["category_name.zu"] = json!("Idrama");
        drama["videos"][0]["video_name.zu"] = json!("Konke nge-d1");
        drama["videos"][0]["name.af"] = json!("e1");
        translated["services"]["madfunny"]["artists"][0]["description.xh"] = json!("Uyayixela.");
        translated["services"]["memeworld"]["categories"][0]["memes"][0]["title.zu"] = json!("Kunye");
        assert_eq!(family.import(&translated, Options::default()).await, [0, 4, 5, 0]);
        let again = family.try_import("again.json", translated.to_string().as_bytes(), Options::default()).await.unwrap();
        assert_eq!(sum(&again), [0, 0, 0, 0], "the same again changes nothing");
        // What is exported is no difference, and has the translations.
        for (service, kind, cell) in [
            ("ttmbhatv", "category", "Idrama"),
            ("ttmbhatv", "video", "Konke nge-d1"),
            ("madfunny", "artist", "Uyayixela."),
            ("memeworld", "meme", "Kunye"),
        ] {
            let query = serde_json::from_value(json!({ "service": service })).unwrap();
            let mut rows = Vec::new();
            content::export(&testkit::brands(), &family.services, kind, query, &mut rows).await.unwrap();
            assert!(String::from_utf8_lossy(&rows).contains(cell), "{kind}: {}", String::from_utf8_lossy(&rows));
            let same = family.try_import("same.csv", &rows, Options::default()).await.unwrap();
            assert_eq!(sum(&same)[..2], [0, 0], "{kind}: {same:?}");
        }
        // A row with other cells changes them; an empty cell takes a translation away.
        let rows = "service,kind,slug,category_name,category_name.zu,category_name.af\nttmbhatv,category,drama,Drama,,Toneel\n";
        assert_eq!(sum(&family.try_import("rows.csv", rows.as_bytes(), Options::default()).await.unwrap()), [0, 1, 0, 0]);
        let mut left = Vec::new();
        let query = serde_json::from_value(json!({ "service": "ttmbhatv", "missing": "zu" })).unwrap();
        content::list(&testkit::brands(), &family.services, "category", query, |record| left.push(record.record)).await.unwrap();
        assert_eq!(json!(left), json!([{ "slug": "drama", "category_name": "Drama", "category_name.af": "Toneel", "state": "listed" }]));
        // Gone and back: a deleted record keeps them for a later import, and no list lacks them.
        let mut less = manifest();
        less["services"]["memeworld"]["categories"][0]["memes"].as_array_mut().unwrap().remove(0);
        family.import(&less, PRUNE).await;
        let query = serde_json::from_value(json!({ "service": "memeworld", "missing": "zu" })).unwrap();
        let mut slugs = Vec::new();
        content::list(&testkit::brands(), &family.services, "meme", query, |record| slugs.push(record.slug)).await.unwrap();
        assert_eq!(slugs, ["m2"]);
    }

    async fn wrong_translations_are_named_with_line_and_field(engine) {
        let family = spawn_family(engine).await;
        for (file, text, expected) in [
            (
                "a.csv",
                "service,kind,slug,category_name,category_name.de\nttmbhatv,category,drama,Drama,Theater\n",
                "a.csv:1: the column \"category_name.de\" names the language \"de\"; the sites have: ",
            ),
            (
                "b.csv",
                "service,kind,slug,category_name,title.zu\nttmbhatv,category,drama,Drama,Idrama\n",
                "b.csv:2: title.zu: is no translation that a category can have; translated are: category_name",
            ),
            (
                "c.jsonl",
                "{\"service\":\"ttmbhatv\",\"kind\":\"category\",\"slug\":\"drama\",\"category_name\":\"Drama\",\"category_name.en\":\"Drama\"}\n",
                "category_name.en: is no translation: readers of English see category_name itself",
            ),
            (
                "d.jsonl",
                "\n{\"service\":\"ttmbhatv\",\"kind\":\"category\",\"slug\":\"drama\",\"category_name\":\"Drama\",\"category_name.zu\":7}\n",
                "category_name.zu: is not a text",
            ),
        ] {
            let refused = family.try_import(file, text.as_bytes(), Options::default()).await.unwrap_err();
            assert!(refused.contains(expected), "{file}: {refused}");
        }
    }

    async fn import_of_a_file_that_changes_meanwhile_changes_nothing(engine) {
        let family = spawn_family(engine).await;
        let checked = family.read("a.json", manifest().to_string().as_bytes()).unwrap();
        let mut edited = manifest();
        edited["services"]["ttmbhatv"]["banners"][0]["title"] = json!("Tomorrow");
        let mut longer = manifest();
        let mut third = longer["services"]["memeworld"]["categories"][0]["memes"][1].clone();
        third["slug"] = json!("m3");
        longer["services"]["memeworld"]["categories"][0]["memes"].as_array_mut().unwrap().push(third);
        let mut wider = manifest();
        wider["services"]["racedaytv"] = wider["services"]["ttmbhatv"].clone();
        let end = format!("{} x", manifest());
        for changed in [edited.to_string(), longer.to_string(), wider.to_string(), end, "{".to_owned()] {
            family.write("a.json", changed.as_bytes());
            let error = content::import(&checked, &family.services, Options::default(), |_| {}).await.unwrap_err();
            assert!(error.to_string().contains("has changed while it was read; nothing was changed"), "{error}");
        }
        assert!(titles(&family).await.is_empty());
        // And what it said at first is still news.
        family.write("a.json", manifest().to_string().as_bytes());
        let summaries = content::import(&checked, &family.services, Options::default(), |_| {}).await.unwrap();
        assert_eq!(sum(&summaries), [9, 0, 0, 0]);
    }

    async fn import_reports_edits_and_keeps_ids(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let before = family.listed().await;
        let mut edited = manifest();
        edited["services"]["memeworld"]["categories"][0]["memes"][1]["title"] = json!("Zwei");
        edited["services"]["ttmbhatv"]["categories"][0]["category_name"] = json!("Theatre");
        edited["services"]["ttmbhatv"]["banners"][0]["video"] = json!(null);
        let summaries = family.try_import("edited.json", edited.to_string().as_bytes(), DRY).await.unwrap();
        assert_eq!(sum(&summaries), [0, 3, 4, 0]);
        let names: Vec<_> = summaries.iter().flat_map(|summary| &summary.changes).flat_map(|change| &change.changed_names).collect();
        assert_eq!(names, ["m2", "drama", "tonight"]);
        assert_eq!(family.import(&edited, Options::default()).await, [0, 3, 4, 0]);
        assert_eq!(titles(&family).await, ["One", "Zwei"]);
        let after = family.listed().await;
        assert_eq!(after[2][0]["category"]["category_name"], "Theatre");
        assert_eq!(after[2][0]["videos"], before[2][0]["videos"]);
        assert_eq!(after[3][0]["videoid"], json!(null));
    }

    async fn import_removes_missing_records_only_with_prune(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let mut less = manifest();
        less["services"]["memeworld"]["categories"][0]["memes"].as_array_mut().unwrap().pop();
        less["services"]["ttmbhatv"]["banners"] = json!([]);
        less["services"].as_object_mut().unwrap().remove("madfunny");
        assert_eq!(family.import(&less, Options::default()).await, [0, 0, 5, 0]);
        assert_eq!(titles(&family).await, ["One", "Two"]);
        assert_eq!(family.import(&less, PRUNE).await, [0, 0, 5, 2]);
        assert_eq!(titles(&family).await, ["One"]);
        let listed = family.listed().await;
        assert_eq!((listed[0].as_array().unwrap().len(), &listed[3]), (1, &json!([])), "a service that is not named stays");
        // A banner cannot lead to a video that the same import takes away.
        let mut lost = manifest();
        lost["services"]["ttmbhatv"]["categories"][0]["videos"].as_array_mut().unwrap().pop();
        let refused = family.try_import("lost.json", lost.to_string().as_bytes(), PRUNE).await.unwrap_err();
        assert!(refused.contains("there is no video \"d2\" in this manifest"), "{refused}");
        // And everything comes back with its old id.
        assert_eq!(family.import(&manifest(), Options::default()).await, [0, 2, 5, 0]);
        // What may be drawn is looked up once a second.
        let back = async {
            while titles(&family).await != ["One", "Two"] {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), back).await.expect("both can be drawn again");
    }

    async fn import_once_does_not_undo_later_edits(engine) {
        let family = spawn_family(engine).await;
        let once = Options { once: true, ..Options::default() };
        assert_eq!(family.import(&manifest(), once).await, [9, 0, 0, 0]);
        let mut edited = manifest();
        edited["services"]["memeworld"]["categories"][0]["memes"][1]["title"] = json!("Zwei");
        family.import(&edited, Options::default()).await;
        assert_eq!(family.import(&manifest(), once).await, [0, 0, 0, 0]);
        assert_eq!(titles(&family).await, ["One", "Zwei"]);
    }

    async fn one_wrong_service_keeps_all_from_changing(engine) {
        let family = spawn_family(engine).await;
        let mut bad = manifest();
        bad["services"]["ttmbhatv"]["banners"][0]["video"] = json!("not-there");
        let refused = family.try_import("bad.json", bad.to_string().as_bytes(), Options::default()).await.unwrap_err();
        assert!(refused.contains("bad.json:1: video: banner tonight of ttmbhatv: there is no video \"not-there\""), "{refused}");
        assert!(refused.ends_with("1 problem; nothing was changed"), "{refused}");
        let mut away = family.services.clone();
        away.meme = "http://127.0.0.1:1".to_owned();
        let path = family.folder.path().join("good.json");
        std::fs::write(&path, manifest().to_string()).unwrap();
        let good = content::Manifest::read(&path, &testkit::brands()).unwrap();
        let unreachable = content::import(&good, &away, Options::default(), |_| {}).await.unwrap_err().to_string();
        assert!(unreachable.contains("memeworld: cannot reach"), "{unreachable}");
        away.meme = family.services.meme.clone();
        away.admin_token = "wrong".to_owned();
        let shut = content::import(&good, &away, Options::default(), |_| {}).await.unwrap_err().to_string();
        assert!(shut.contains("ADMIN_TOKEN"), "{shut}");
        for list in family.listed().await {
            assert_eq!(list, json!([]));
        }
    }
}
