//! The rights of a person to their data, from outside: everything is exported, and an erasure leaves the number only where the map of
//! personal data says so.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use diesel::{RunQueryDsl, prelude::*, sql_types::Text};
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    Db, DbConnection, Migrations, StoreConfig, on_each_backend,
    personal_data::{Erasure, PersonalTable},
};
use testkit::{Client, Engine, eventually};

use crate::{
    Family,
    life::Browser,
    place,
    support::{MEME, Office, Staff, TT, grant, stored},
};

/// Every database of the family's services, with its map. The sandbox imitates the networks.
fn databases() -> [(&'static str, Migrations, &'static [PersonalTable]); 6] {
    let of_catalogue =
        |publication: catalogue::Publication| (publication.name, publication.migrations, publication.personal_tables);
    [
        ("subscription", subscription::MIGRATIONS, subscription::personal_data::TABLES),
        ("backoffice", backoffice::MIGRATIONS, backoffice::personal_data::TABLES),
        of_catalogue(comedy::PUBLICATION),
        of_catalogue(diski::PUBLICATION),
        of_catalogue(meme::PUBLICATION),
        of_catalogue(tt::PUBLICATION),
    ]
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}

/// Every table in which some row has the digits, in any column.
fn tables_with(conn: &mut DbConnection, digits: &str) -> Result<BTreeSet<String>, store::Error> {
    let columns = match conn {
        DbConnection::Sqlite(_) => {
            "SELECT m.name AS table_name, c.name AS column_name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'"
        }
        DbConnection::Postgres(_) => {
            "SELECT table_name::text AS table_name, column_name::text AS column_name FROM information_schema.columns \
             JOIN pg_class c ON c.oid = format('%I.%I', table_schema, table_name)::regclass \
             WHERE table_schema = current_schema() AND NOT c.relispartition"
        }
    };
    let columns: Vec<Column> = diesel::sql_query(columns).load(conn)?;
    let mut found = BTreeSet::new();
    for Column { table_name, column_name } in columns {
        let statement = format!(
            "SELECT count(*) AS count FROM \"{table_name}\" WHERE CAST(\"{column_name}\" AS TEXT) LIKE '%{digits}%'"
        );
        let rows: Found = on_each_backend!(&mut *conn, conn => diesel::sql_query(statement).get_result(conn))?;
        if rows.count > 0 {
            found.insert(table_name);
        }
    }
    Ok(found)
}

/// The tables of all databases with the digits: `service.table`.
async fn places_of(store: &StoreConfig, digits: &'static str) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    for (owner, migrations, _) in databases() {
        let db = Db::open(store, owner, migrations).await.unwrap();
        let tables = db.run(move |conn| tables_with(conn, digits)).await.unwrap();
        places.extend(tables.into_iter().map(|table| format!("{owner}.{table}")));
    }
    places
}

/// The tables that may still have a number after its erasure, by the map.
fn kept_places() -> BTreeSet<String> {
    let stays = |table: &&PersonalTable| !matches!(table.erasure, Erasure::Deleted(_));
    let of = |(owner, _, tables): (&str, Migrations, &'static [PersonalTable])| -> Vec<String> {
        tables.iter().filter(stays).map(|table| format!("{owner}.{}", table.name)).collect()
    };
    databases().into_iter().flat_map(of).collect()
}

/// Rows of an export, by service and table.
fn counts(export: &Value) -> BTreeMap<String, usize> {
    let of_service = |service: &Value| -> Vec<(String, usize)> {
        let name = service["service"].as_str().unwrap();
        let tables = service["tables"].as_array().unwrap().iter();
        tables
            .map(|table| {
                (format!("{name}.{}", table["name"].as_str().unwrap()), table["rows"].as_array().unwrap().len())
            })
            .collect()
    };
    export["services"].as_array().unwrap().iter().flat_map(of_service).collect()
}

/// Likes a meme, and a video, which goes on the watchlist as well.
async fn use_sites(memes: &mut Browser<'_>, videos: &mut Browser<'_>) -> (i64, i64) {
    let meme = memes.json("GET", "/api/meme/random", Value::Null).await[0]["id"].as_i64().unwrap();
    let liked = memes.json("POST", "/api/meme/postlike", json!({ "like": "1", "id": meme })).await;
    assert_eq!(liked["liked"], true, "{liked}");
    let rows = videos.json("GET", "/api/tt/getcatvideos/ttmbhatv", Value::Null).await;
    let video = rows[0]["videos"][0]["id"].as_i64().unwrap();
    for path in ["/api/tt/likevideo", "/api/tt/ttaddwatchlist"] {
        let done = videos.json("POST", path, json!({ "videoid": video })).await;
        assert_eq!(done["videoid"], video, "{path}: {done}");
    }
    (meme, liked["likes"].as_i64().unwrap())
}

/// Moves the clocks of the subscription service and of the network.
async fn move_clocks(port: u16, minutes: i64) {
    let now = chrono::Utc::now() + chrono::TimeDelta::minutes(minutes);
    for offset in [5, 10] {
        let client = Client::new(([127, 0, 0, 1], port + offset).into(), "localhost");
        let body = json!({ "now": now.to_rfc3339() });
        let request = client.request(Method::POST, "/internal/clock").bearer_auth("dev-admin").json(&body);
        assert_eq!(client.send(request).await.status, 200);
    }
}

async fn erasure_of(staff: &Staff) -> Value {
    staff.get_ok("/api/erasures").await["erasures"][0].clone()
}

async fn export_and_erase(engine: Engine) {
    const DIGITS: &str = "812345671";
    testkit::away_from_midnight().await;
    let office = Office::open(engine).await;
    let number = format!("27{DIGITS}");
    let (mut memes, mut videos) = (Browser::new(&office.family, "memeworld"), Browser::new(&office.family, "ttmbhatv"));
    memes.join(MEME, &number).await;
    videos.join(TT, &number).await;
    let (meme, likes) = use_sites(&mut memes, &mut videos).await;
    // An attempt without an answer, by a browser that did not join.
    Browser::new(&office.family, "diski99")
        .json("POST", "/api/subscribe", json!({"msisdn": number, "ext_ref": "", "channel": "WAP", "svc_id": 151}))
        .await;
    eventually("the charges", async || {
        let rows = office.ledger(&number).await;
        rows.len() == 2 && rows.iter().all(|(_, _, status)| status == "settled")
    })
    .await;
    let books = office.ledger(&number).await;
    let first = office.invite("sipho@spaza.example", "support").await;
    let second = office.invite("zola@spaza.example", "support").await;
    let record = first.search(&number).await;
    assert_eq!(
        first
            .act(&record, "POST", "notes", json!({ "kind": "complaint", "text": format!("Call {number}") }))
            .await
            .status,
        204
    );

    // The export has everything, and everything that has the number is in it.
    let order = json!({ "format": "json", "reason": "asked for their data" });
    let export = first.act(&record, "POST", "export", order).await;
    assert_eq!(export.status, 200, "{}", export.json());
    let export = export.json();
    assert_eq!(export["number"], number);
    let rows = counts(&export);
    for (table, at_least) in [
        ("subscription.subscriptions", 3),
        ("subscription.tries", 3),
        ("subscription.events", 5),
        ("subscription.holds", 1),
        ("subscription.ledger", 2),
        ("subscription.outbox", 2),
        ("meme.likes", 1),
        ("tt.likes", 1),
        ("tt.watchlist", 1),
        ("backoffice.notes", 1),
        ("backoffice.lookups", 1),
    ] {
        assert!(rows.get(table).is_some_and(|rows| *rows >= at_least), "{table}: {rows:?}");
    }
    let unexported: BTreeSet<String> =
        ["notifications", "listed_charges"].map(|table| format!("subscription.{table}")).into();
    for place in places_of(&stored(&office), DIGITS).await {
        assert!(
            rows.get(&place).is_some_and(|rows| *rows > 0) || unexported.contains(&place),
            "{place} is not exported"
        );
    }

    // While a subscription runs nothing is erased, and the words say what to do.
    let request = json!({ "reason": "asked to be forgotten" });
    let refused = first.act(&record, "POST", "erasure", request.clone()).await;
    assert_eq!(refused.status, 409);
    let words = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(words.contains("The subscription to memeworld runs. End it first."), "{words}");
    memes.leave(MEME).await;
    videos.leave(TT).await;
    for subscription in first.search(&number).await["subscriptions"].as_array().unwrap() {
        if subscription["can_end"] == true {
            let end = json!({ "subscription_id": subscription["id"], "reason": "asked by phone" });
            assert_eq!(first.act(&record, "POST", "end", end).await.status, 204);
        }
    }
    let refused = first.act(&record, "POST", "erasure", request.clone()).await;
    assert!(refused.json()["detail"].as_str().unwrap().contains("has just ended"), "{}", refused.json());
    move_clocks(office.family.port, 4).await;
    // A block stays: an erasure must not make a number joinable.
    let block = json!({ "blocked": true, "reason": "asked for" });
    assert_eq!(first.act(&record, "PUT", "block", block).await.status, 204);

    let preview = first.act(&record, "GET", "erasure", Value::Null).await.json();
    assert_eq!(preview["obstacles"], json!([]), "{preview}");
    for _ in 0..2 {
        let requested = first.act(&record, "POST", "erasure", request.clone()).await;
        assert_eq!(requested.json(), json!({ "state": "waiting" }));
    }
    let waiting = erasure_of(&second).await;
    assert_eq!((&waiting["state"], &waiting["mine"]), (&json!("waiting"), &json!(false)));
    let path = format!("/api/erasures/{}", waiting["id"]);
    let accept = json!({ "accept": true, "reason": "checked by phone" });
    assert_eq!(first.call("POST", &path, accept.clone()).await.status, 403, "the first person approved");
    assert_eq!(office.admin.call("POST", &path, accept.clone()).await.status, 403, "without the role");
    assert_eq!(second.call("POST", &path, accept.clone()).await.status, 204);
    assert_eq!(second.call("POST", &path, accept).await.status, 409, "decided twice");
    eventually("the erasure", async || erasure_of(&second).await["state"] == "done").await;

    // The digits are nowhere but where the map says so.
    let places = places_of(&stored(&office), DIGITS).await;
    assert!(places.is_subset(&kept_places()), "{places:?}");
    assert!(
        places.contains("subscription.subscriptions") && places.contains("subscription.blocked_numbers"),
        "{places:?}"
    );
    assert!(!places.iter().any(|place| place.starts_with("backoffice.") || place.starts_with("tt.")), "{places:?}");
    // An SMS and an attempt without an answer are gone, the consents stay.
    let account: Value =
        serde_json::from_str(&office.as_machine(&format!("/internal/subscriptions/{number}")).await).unwrap();
    assert!(account["messages"].as_array().unwrap().iter().all(|message| message["kind"] != "sms"), "{account}");
    for subscription in account["subscriptions"].as_array().unwrap() {
        let joined = subscription["svc_id"] != 151;
        assert_eq!(subscription["consents"].as_array().unwrap().len(), usize::from(joined), "{subscription}");
    }
    // The books add up as before.
    assert_eq!(office.ledger(&number).await, books);
    let letter = second.call("GET", &format!("{path}/letter.txt"), Value::Null).await;
    let letter = String::from_utf8(letter.bytes).unwrap();
    for words in [
        "- A charge or a refund (2)",
        "Kept until 84 months after its month.",
        "That the number cannot join (1)",
        "27••••••671",
    ] {
        assert!(letter.contains(words), "{words} is not in {letter}");
    }
    assert!(!letter.contains(DIGITS));
    // The record is closed, and a new search begins anew.
    assert_eq!(first.act(&record, "POST", "reveal", json!({ "reason": "once more" })).await.status, 404);
    assert_eq!(first.search(&number).await["notes"], json!([]));
    let log = String::from_utf8(office.admin.call("GET", "/api/audit/export", Value::Null).await.bytes).unwrap();
    for action in ["number.exported", "erasure.requested", "erasure.approved", "number.erased"] {
        assert!(log.contains(action), "{action} is not in the log");
    }
    assert!(!log.contains(DIGITS));
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);

    // The number joins again once it is unblocked, as a new person: without the old likes.
    let record = first.search(&number).await;
    let unblock = json!({ "blocked": false, "reason": "asked for" });
    assert_eq!(first.act(&record, "PUT", "block", unblock).await.status, 204);
    let (mut memes, mut videos) = (Browser::new(&office.family, "memeworld"), Browser::new(&office.family, "ttmbhatv"));
    memes.join(MEME, &number).await;
    videos.join(TT, &number).await;
    assert_eq!(memes.json("GET", "/api/meme/mine", Value::Null).await, json!({ "liked": [] }));
    assert_eq!(videos.json("GET", "/api/tt/mine/ttmbhatv", Value::Null).await, json!({ "liked": [], "watchlist": [] }));
    // Its like no longer counts: the same meme, liked again, has as many.
    let liked = memes.json("POST", "/api/meme/postlike", json!({ "like": "1", "id": meme })).await;
    assert_eq!(liked["likes"], likes, "{liked}");
    assert_eq!(office.family.end("INT"), Some(0));
}

/// A kill after the approval: the next start goes on until each service has confirmed.
async fn erasure_survives_a_kill(engine: Engine) {
    const DIGITS: &str = "812345672";
    testkit::away_from_midnight().await;
    let (home, place_of_state) = place(engine).await;
    let printed = home.path().join("printed");
    let start = async || {
        Family::start_with(home.path(), &place_of_state, |command| {
            command.env("BILLING_TIMES", "").stdout(std::fs::File::create(&printed).unwrap());
        })
        .await
    };
    let family = start().await;
    let link = std::fs::read_to_string(&printed).unwrap();
    let link = link.lines().find(|line| line.contains("/invitation/")).unwrap().to_owned();
    let admin = Staff::accept(format!("http://127.0.0.1:{}", family.port + 6), &link).await;
    let (first, second) =
        (admin.invite("sipho@spaza.example", "support").await, admin.invite("zola@spaza.example", "support").await);
    let state = StoreConfig { data_dir: home.path().join("data"), ..place_of_state.config.clone() };
    grant(&state, "sipho@spaza.example", "support");
    grant(&state, "zola@spaza.example", "support");
    let number = format!("27{DIGITS}");
    let mut memes = Browser::new(&family, "memeworld");
    memes.join(MEME, &number).await;
    let meme = memes.json("GET", "/api/meme/random", Value::Null).await[0]["id"].clone();
    memes.json("POST", "/api/meme/postlike", json!({ "like": "1", "id": meme })).await;
    let record = first.search(&number).await;
    memes.leave(MEME).await;
    let config = match place_of_state.config.database_url {
        Some(_) => place_of_state.config.clone(),
        None => StoreConfig::sqlite(home.path().join("data")),
    };
    eventually("the charge's outcome", async || {
        let preview = first.act(&record, "GET", "erasure", Value::Null).await.json();
        // The leave was just now, and nothing else is in the way.
        preview["obstacles"].as_array().unwrap().iter().all(|words| words.as_str().unwrap().contains("just ended"))
    })
    .await;
    // Not by the clock, which a start sets back.
    let db = Db::open(&config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let an_hour_ago = (chrono::Utc::now() - chrono::TimeDelta::hours(1)).format("%Y-%m-%d %H:%M:%S");
    let earlier = format!("UPDATE subscriptions SET left_at = '{an_hour_ago}'");
    db.write(move |conn| Ok::<_, store::Error>(diesel::sql_query(earlier).execute(conn).map(drop)?)).await.unwrap();
    drop(db);
    let requested = first.act(&record, "POST", "erasure", json!({ "reason": "asked for" })).await;
    assert_eq!(requested.status, 200, "{}", requested.json());
    let id = erasure_of(&second).await["id"].clone();
    let accept = json!({ "accept": true, "reason": "checked" });
    assert_eq!(second.call("POST", &format!("/api/erasures/{id}"), accept).await.status, 204);
    family.end("KILL");

    let family = start().await;
    let second = second.at(format!("http://127.0.0.1:{}", family.port + 6));
    eventually("the erasure", async || erasure_of(&second).await["state"] == "done").await;
    let places = places_of(&config, DIGITS).await;
    assert!(places.is_subset(&kept_places()), "{places:?}");
    assert_eq!(family.end("INT"), Some(0));
}

async fn export_of_400_events_takes_at_most_3_seconds(engine: Engine) {
    let office = Office::open(engine).await;
    let number = "27812345673";
    Browser::new(&office.family, "ttmbhatv").join(TT, number).await;
    let db = Db::open(&stored(&office), subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let rows: Vec<String> = (0..400)
        .map(|row| {
            format!("((SELECT MIN(id) FROM subscriptions), 'sandbox-push', '2025-day-{row}', 'charge', 300, 'settled', 'key{row}', 1, 0, 0, '', '2025-01-01 00:00:00')")
        })
        .collect();
    let insert = format!(
        "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) VALUES {}",
        rows.join(", ")
    );
    db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(insert).execute(conn).map(drop)?)).await.unwrap();
    let support = office.invite("sipho@spaza.example", "support").await;
    let record = support.search(number).await;
    for format in ["json", "html"] {
        let started = Instant::now();
        let order = json!({ "format": format, "reason": "asked for their data" });
        let export = support.act(&record, "POST", "export", order).await;
        let duration = started.elapsed();
        let text = String::from_utf8_lossy(&export.bytes);
        assert_eq!(export.status, 200, "{text}");
        assert!(duration <= Duration::from_secs(3), "{format}: {duration:?}");
        for day in [0, 200, 399] {
            assert!(text.contains(&format!("2025-day-{day}")), "{format}: the charge of day {day} is missing");
        }
        assert_eq!(export.bytes.starts_with(b"<!DOCTYPE html>"), format == "html");
    }
    assert_eq!(office.family.end("INT"), Some(0));
}

testkit::on_each_engine! {
    async fn export_has_all_of_a_number_and_erasure_leaves_what_the_map_names(engine) {
        export_and_erase(engine).await;
    }

    async fn approved_erasure_is_done_after_a_kill(engine) {
        erasure_survives_a_kill(engine).await;
    }

    async fn export_of_400_charges_is_made_in_3_seconds(engine) {
        export_of_400_events_takes_at_most_3_seconds(engine).await;
    }
}
