//! Previews from outside: the real family, an editor's link, a browser that opens it, and strangers who see nothing of it.

use chrono::{DateTime, Duration, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use service::{Preview, SigningKey, VerifyingKeys};
use testkit::{Client, Engine, Reply, eventually};

use crate::support::{Office, Staff};

const EDITOR: &str = "thandi@spaza.example";
const PUBLISHER: &str = "zola@spaza.example";
const ARTISTS: &str = "/api/madfunny/fetchArtist?service=mcfunny";
const SECRET: &str = "Gogo Unannounced";

/// What a stranger may request: lists, searches and pages.
const PUBLIC: [&str; 5] = [
    ARTISTS,
    "/api/madfunny/search/mcfunny?q=unannounced",
    "/api/madfunny/search/mcfunny?q=rooftop",
    "/",
    "/search?q=unannounced",
];

async fn draft(editor: &Staff, kind: &str, record: Value, new: bool) -> Value {
    let form = json!({ "service": "mcfunny", "record": record, "version": null, "new": new });
    let reply = editor.call("POST", &format!("/api/content/comedy/{kind}/drafts"), form).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

/// The path and query of a link, and until when it is good.
async fn link(staff: &Staff, path: &str) -> (String, DateTime<Utc>) {
    let reply = staff.call("POST", path, Value::Null).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.json());
    let reply = reply.json();
    let url = reply["url"].as_str().unwrap();
    let start = url.find("/preview?").unwrap();
    (url[start..].to_owned(), reply["until"].as_str().unwrap().parse().unwrap())
}

async fn link_of_record(staff: &Staff, kind: &str, slug: &str) -> (String, DateTime<Utc>) {
    link(staff, &format!("/api/content/comedy/{kind}/records/{slug}/preview?service=MC%20Funny")).await
}

fn token_of(link: &str) -> &str {
    link.split_once("token=").unwrap().1
}

/// A browser that has opened a link, and the page that it leads to.
async fn opened(client: &Client, link: &str) -> (String, String) {
    let reply = client.get(link).await;
    assert_eq!(reply.status, 303, "{}", text(&reply));
    assert_eq!((reply.header("cache-control"), reply.header("referrer-policy")), ("no-store", "no-referrer"));
    let cookie = reply.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Max-Age="), "{cookie}");
    (cookie.split(';').next().unwrap().to_owned(), reply.header("location").to_owned())
}

async fn get_with(client: &Client, cookie: &str, path: &str) -> Reply {
    client.send(client.request(Method::GET, path).header("cookie", cookie)).await
}

fn text(reply: &Reply) -> String {
    String::from_utf8_lossy(&reply.bytes).into_owned()
}

/// Every public reply, with its ETag.
async fn public_replies(client: &Client) -> Vec<(String, String)> {
    let mut replies = Vec::new();
    for path in PUBLIC {
        let reply = client.get(path).await;
        replies.push((reply.header("etag").to_owned(), text(&reply)));
    }
    replies
}

/// A token as the back office signs it, with another end or key.
fn token(key: &SigningKey, link: &str, end: Duration) -> String {
    let keys = VerifyingKeys::parse(&key.public_key()).unwrap();
    let genuine = Preview::verify(&keys, token_of(link), service::timestamp::now()).unwrap();
    let until = (Utc::now() + end).timestamp();
    Preview { until, ..genuine }.sign(key).unwrap()
}

async fn draft_is_seen_through_its_link_alone(engine: Engine) {
    let office = Office::open(engine).await;
    let (site, key) = (office.client(0).on_host("mcfunny.localhost"), office.staff_key());
    let editor = office.invite(EDITOR, "editor").await;
    let before = public_replies(&site).await;
    let artists = site.get_ok(ARTISTS).await;
    let (artist, name) = (artists[0]["id"].as_i64().unwrap(), artists[0]["artist"].as_str().unwrap().to_owned());
    let videos = site.get_ok(&format!("/api/madfunny/fetchVideos/{artist}")).await;
    let single = format!("/api/madfunny/fetchsingle/{}", videos[0]["id"]);

    // A new artist, who is to be published tomorrow, and a film with another title.
    let tomorrow = (Utc::now() + Duration::days(1)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let new = json!({
        "slug": "gogo-unannounced", "artist": SECRET, "description": "Nobody knows yet.", "publish_at": tomorrow,
        "image": "https://images.spaza.example/demo/mcfunny/artists/gogo-new.webp"
    });
    draft(&editor, "artist", new, true).await;
    let list = editor.get_ok("/api/content/comedy/video/records?service=mcfunny&sort=oldest&limit=200").await;
    let records = list["records"].as_array().unwrap();
    let film = records.iter().find(|record| record["id"] == videos[0]["id"]).unwrap();
    let (slug, mut renamed) = (film["slug"].as_str().unwrap().to_owned(), film["record"].clone());
    renamed["video_name"] = json!("Live from the Rooftop");
    renamed["datetime"] = json!("2026-11-25 08:00:00");
    draft(&editor, "video", renamed, false).await;
    assert_eq!(public_replies(&site).await, before, "drafts change nothing");

    // The link is good for an hour, and leads to the artist's own page.
    let (of_artist, until) = link_of_record(&editor, "artist", "gogo-unannounced").await;
    let minutes = (until - Utc::now()).num_minutes();
    assert!((58..=60).contains(&minutes), "{minutes}");
    let keys = VerifyingKeys::parse(&key.public_key()).unwrap();
    let at = |time: Duration| Preview::verify(&keys, token_of(&of_artist), (Utc::now() + time).naive_utc());
    assert!(at(Duration::minutes(59)).is_some() && at(Duration::minutes(61)).is_none());
    let (cookie, page) = opened(&site, &of_artist).await;
    let list = get_with(&site, &cookie, ARTISTS).await;
    assert_eq!(
        (list.header("cache-control"), list.header("x-robots-tag"), list.header("etag")),
        ("no-store", "noindex", "")
    );
    let shown = list.json();
    let shown = shown.as_array().unwrap().iter().find(|artist| artist["artist"] == SECRET).unwrap();
    assert!(page.starts_with(&format!("/allvideos/{}/", shown["id"])), "{page}");
    let again = get_with(&site, &cookie, ARTISTS).await;
    assert_eq!(again.bytes, list.bytes, "its id stays the same");
    let found = get_with(&site, &cookie, "/api/madfunny/search/mcfunny?q=unannounced").await;
    assert_eq!(found.json()[0]["artist"], SECRET);
    let own_films = format!("/api/madfunny/fetchVideos/{}", shown["id"]);
    assert_eq!(get_with(&site, &cookie, &own_films).await.json(), json!([]));
    assert_eq!(site.get(&own_films).await.status, 404);
    let whole = get_with(&site, &cookie, &page).await;
    assert_eq!(
        (whole.status, whole.header("x-robots-tag"), whole.header("cache-control")),
        (200, "noindex", "no-store")
    );
    let local = (until + Duration::hours(2)).format("%H:%M");
    assert!(text(&whole).contains(&format!("Preview of a draft, not public, until {local}.")), "{}", text(&whole));
    assert!(text(&whole).contains("href=\"/preview/end\""));

    // Another draft's link shows that draft: in its own reply, in lists and in search.
    let (of_film, _) = link_of_record(&editor, "video", &slug).await;
    let (film_cookie, film_page) = opened(&site, &of_film).await;
    assert!(film_page.starts_with(&format!("/video/{}/", videos[0]["id"])), "{film_page}");
    assert_eq!(get_with(&site, &film_cookie, &single).await.json()[0]["video_name"], "Live from the Rooftop");
    let list = get_with(&site, &film_cookie, &format!("/api/madfunny/fetchVideos/{artist}")).await;
    assert!(text(&list).contains("Live from the Rooftop"));
    let found = get_with(&site, &film_cookie, "/api/madfunny/search/mcfunny?q=rooftop").await;
    assert_eq!(found.json()[0]["id"], videos[0]["id"]);
    assert!(!text(&get_with(&site, &film_cookie, ARTISTS).await).contains(SECRET), "one link, one draft");
    // Films stay for subscribers.
    let film = get_with(&site, &film_cookie, videos[0]["vurl"].as_str().unwrap()).await;
    assert!(matches!(film.status, 401 | 403), "{}", film.status);

    // A stranger sees none of it, also after it was shown to others: not in replies, not from a cache, not by the header.
    let own = site.send(site.request(Method::GET, ARTISTS).header("x-preview", token_of(&of_artist))).await;
    assert!(!text(&own).contains(SECRET));
    assert_eq!(public_replies(&site).await, before);
    assert!(!text(&site.get(&single).await).contains("Rooftop"));
    assert!(site.get_ok(ARTISTS).await.as_array().unwrap().iter().any(|artist| artist["artist"] == name));

    // Expired, forged, of another brand or no link at all: plain words, and nothing of the draft.
    let other_key = SigningKey::parse(&SigningKey::generate().unwrap()).unwrap();
    let genuine = Preview::verify(&keys, token_of(&of_artist), service::timestamp::now()).unwrap();
    let elsewhere = office.client(0).on_host("diski99.localhost");
    let old = token(&key, &of_artist, Duration::seconds(-1));
    let refused = [
        (&site, old.clone()),
        (&site, genuine.sign(&other_key).unwrap()),
        (&site, String::new()),
        (&site, "v4.public.x".to_owned()),
        (&elsewhere, token_of(&of_artist).to_owned()),
    ];
    for (client, token) in refused {
        let reply = client.get(&format!("/preview?token={token}")).await;
        assert_eq!((reply.status, reply.header("set-cookie")), (403, ""), "{token}");
        assert!(text(&reply).contains("This link shows no preview") && !text(&reply).contains(SECRET));
        let list = get_with(&site, &format!("preview={token}"), ARTISTS).await;
        assert!(client.get("/").await.status == 200 && list.status == 200);
        if token != token_of(&of_artist) {
            assert!(!text(&list).contains(SECRET), "{token}");
        }
    }
    let football = get_with(&elsewhere, &cookie, "/api/diski/fetchArtist?service=diski99").await;
    assert_eq!((football.status, football.header("x-robots-tag")), (200, ""));
    // The service itself refuses what the gateway would not send.
    let comedy = office.client(1).on_host("mcfunny");
    let direct = async |token: &str| comedy.send(comedy.request(Method::GET, ARTISTS).header("x-preview", token)).await;
    assert_eq!(direct(&old).await.status, 403);
    assert!(text(&direct(token_of(&of_artist)).await).contains(SECRET));

    // It ends where the editor ends it.
    let end = get_with(&site, &cookie, "/preview/end").await;
    assert_eq!((end.status, end.header("location")), (303, "/"));
    assert!(end.header("set-cookie").starts_with("preview=; Path=/; Max-Age=0"));

    // A draft that no visitor would see has no preview.
    let other = records.iter().find(|record| record["id"] != videos[0]["id"]).unwrap();
    let mut gone = other["record"].clone();
    gone["state"] = json!("deleted");
    gone["datetime"] = json!("2026-11-25 08:00:00");
    draft(&editor, "video", gone, false).await;
    let path =
        format!("/api/content/comedy/video/records/{}/preview?service=MC%20Funny", other["slug"].as_str().unwrap());
    let refusal = editor.call("POST", &path, Value::Null).await;
    assert_eq!(refusal.status, 409, "{}", refusal.json());

    let log = office.admin.get_ok("/api/audit?action=content.previewed").await;
    let subjects: Vec<&str> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["action"] == "content.previewed")
        .map(|entry| entry["subject"].as_str().unwrap())
        .collect();
    assert_eq!(subjects, [format!("MC Funny, video {slug}"), "MC Funny, artist gogo-unannounced".to_owned()]);
    assert_eq!(office.family.end("INT"), Some(0));
}

async fn names(client: &Client, cookie: &str) -> Vec<String> {
    let rows = get_with(client, cookie, "/api/tt/getcatvideos/racedaytv").await.json();
    rows.as_array().unwrap().iter().map(|row| row["category"]["category_name"].as_str().unwrap().to_owned()).collect()
}

async fn order_is_previewed_applied_and_seen(engine: Engine) {
    let office = Office::open(engine).await;
    let site = office.client(0).on_host("racedaytv.localhost");
    let editor = office.invite(EDITOR, "editor").await;
    let publisher = office.invite(PUBLISHER, "publisher").await;
    let before = names(&site, "").await;
    assert!(before.len() > 1, "{before:?}");
    let list = editor.get_ok("/api/content/tt/category/records?service=racedaytv&sort=position&state=listed").await;
    let records = list["records"].as_array().unwrap();
    let titles: Vec<&str> = records.iter().map(|record| record["title"].as_str().unwrap()).collect();
    assert_eq!(titles, before, "editors see the order of the site");

    // The last row first.
    let mut last = records.last().unwrap()["record"].clone();
    last["position"] = json!(1);
    (last["service"], last["kind"]) = (json!("racedaytv"), json!("category"));
    let path = "/api/content/tt/imports?service=racedaytv&file=order.jsonl&prune=false";
    let uploaded = editor.send("POST", path, last.to_string()).await.json();
    let id = uploaded["import"].as_i64().unwrap_or_else(|| panic!("{uploaded}"));
    let seen = editor.get_ok(&format!("/api/content/tt/imports/{id}")).await;
    let page = editor.get_ok(&format!("/api/content/tt/imports/{id}/differences?kind=category&action=changed")).await;
    assert_eq!(
        page["differences"][0]["fields"],
        json!([{ "field": "position", "before": null, "after": 1 }]),
        "{page}"
    );
    let (link, _) = link(&editor, &format!("/api/content/tt/imports/{id}/preview")).await;
    let (cookie, to) = opened(&site, &link).await;
    assert_eq!(to, "/");
    let mut after = before.clone();
    let moved = after.pop().unwrap();
    after.insert(0, moved);
    assert_eq!(names(&site, &cookie).await, after);
    assert_eq!(names(&site, "").await, before);

    let order = json!({ "sha256": seen["import"]["sha256"], "difference": seen["difference"], "removals": null });
    let path = format!("/api/content/tt/imports/{id}/apply");
    assert_eq!(editor.call("POST", &path, order.clone()).await.status, 403);
    assert_eq!(publisher.call("POST", &path, order).await.status, 200);
    eventually("the new order", async || names(&site, "").await == after).await;
    // What the link showed is public now.
    assert_eq!(names(&site, &cookie).await, after);
    assert_eq!(office.family.end("INT"), Some(0));
}

testkit::on_each_engine! {
    async fn preview_shows_a_draft_to_its_link_alone_for_an_hour(engine) {
        draft_is_seen_through_its_link_alone(engine).await;
    }

    async fn order_of_rows_is_previewed_and_applied(engine) {
        order_is_previewed_applied_and_seen(engine).await;
    }
}
