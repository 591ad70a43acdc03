//! Imports that end in the middle.

use std::{
    fmt::Write as _,
    process::{Command, Stdio},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    web::{Bytes, to},
};
use futures_util::stream;
use serde_json::{Value, json};
use testkit::{ADMIN_TOKEN, eventually};

use crate::{import::manifest, spawn_family};

/// Takes an import of three records as a service does, and breaks off where they are to be taken over.
async fn break_off(req: HttpRequest) -> HttpResponse {
    match req.path().rsplit('/').next() {
        Some("imports") => HttpResponse::Ok().json(json!({"import": 1})),
        Some("records") => HttpResponse::Ok().json(json!({"accepted": 3})),
        Some("check") => HttpResponse::Ok().json(json!({"changes": [], "faults": []})),
        _ => {
            let gone = std::io::Error::other("the service is gone");
            HttpResponse::Ok().streaming(stream::iter([Err::<Bytes, std::io::Error>(gone)]))
        }
    }
}

#[actix_web::test]
async fn where_a_service_does_not_answer_nothing_is_claimed_of_its_part() {
    let server = HttpServer::new(|| App::new().default_service(to(break_off))).workers(1).disable_signals();
    let server = server.bind(("127.0.0.1", 0)).unwrap();
    let url = format!("http://{}", server.addrs()[0]);
    let services = content::Services {
        comedy: url.clone(),
        diski: url.clone(),
        meme: url.clone(),
        tt: url,
        admin_token: ADMIN_TOKEN.to_owned(),
    };
    actix_web::rt::spawn(server.run());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memes.json");
    let memes = json!({"services": {"memeworld": manifest()["services"]["memeworld"]}});
    std::fs::write(&path, memes.to_string()).unwrap();
    let memes = content::Manifest::read(&path, &testkit::brands()).unwrap();
    let outcome = content::import(&memes, &services, content::Options::default(), |_| {}).await;
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("is not known") && !message.contains("nothing was changed"), "{message}");
}

testkit::on_each_engine! {
    async fn import_without_the_apply_step_changes_nothing(engine) {
        let family = spawn_family(engine).await;
        let post = async |path: &str, body: Value| {
            let request = family.meme.request("POST".parse().unwrap(), path).bearer_auth(ADMIN_TOKEN).json(&body);
            family.meme.send(request).await
        };
        let opened = post("/internal/imports", json!({"service": "memeworld", "digest": "x"})).await.json();
        let import = format!("/internal/imports/{}", opened["import"]);
        let records = json!({"categories": [{"place": 1, "slug": "a", "name": "A"}]});
        assert_eq!(post(&format!("{import}/records"), records).await.json()["accepted"], 1);
        assert_eq!(family.listed().await[1], json!([]));
        // A batch that got lost is noticed.
        for step in ["check", "apply"] {
            assert_eq!(post(&format!("{import}/{step}"), json!({"records": 2})).await.status, 409, "{step}");
        }
        // Another one meanwhile has nothing to do with it.
        family.import(&manifest(), content::Options::default()).await;
        assert_eq!(family.listed().await[1].as_array().unwrap().len(), 1);
        assert_eq!(post(&format!("{import}/apply"), json!({"records": 1})).await.status, 200);
        assert_eq!(family.listed().await[1].as_array().unwrap().len(), 2);
        assert_eq!(post(&format!("{import}/apply"), json!({"records": 1})).await.status, 404, "it is done");
    }

    async fn services_check_what_the_tool_has_checked(engine) {
        let family = spawn_family(engine).await;
        let post = async |path: &str, body: Value| {
            let request = family.tt.request("POST".parse().unwrap(), path).bearer_auth(ADMIN_TOKEN).json(&body);
            family.tt.send(request).await
        };
        assert_eq!(post("/internal/imports", json!({"service": "memeworld", "digest": "x"})).await.status, 404);
        assert_eq!(post("/internal/imports", json!({"service": "ttmbhatv", "digest": ""})).await.status, 422);
        let opened = post("/internal/imports", json!({"service": "ttmbhatv", "digest": "x"})).await.json();
        let import = format!("/internal/imports/{}", opened["import"]);
        for (record, status) in [
            (json!({"place": 1, "slug": "A b", "category_name": "A"}), 422),
            (json!({"place": 1, "slug": "a", "category_name": "=cmd"}), 422),
            (json!({"place": 1, "slug": "a", "category_name": "2026"}), 422),
            (json!({"place": 1, "slug": "a", "category_name": "A", "publish_at": "2026-01-02 00:00:00", "expires_at": "2026-01-01 00:00:00"}), 422),
            (json!({"place": 1, "slug": "a", "category_name": "A", "state": "hidden"}), 400),
            (json!({"place": 1, "slug": "a", "category_name": "A", "surprise": 1}), 400),
        ] {
            let reply = post(&format!("{import}/records"), json!({"categories": [record]})).await;
            assert_eq!(reply.status, status, "{record}: {}", String::from_utf8_lossy(&reply.bytes));
        }
        let nowhere = post("/internal/imports/9999/records", json!({"categories": []})).await;
        assert_eq!(nowhere.status, 404);
        let unopened = family.tt.post(&format!("{import}/check"), &json!({"records": 0})).await;
        assert_eq!(unopened.status, 401);
    }

    async fn killed_import_leaves_the_old_state(engine) {
        const MEMES: usize = 20_000;
        let family = spawn_family(engine).await;
        family.import(&manifest(), content::Options::default()).await;
        let old = family.listed().await;
        let mut rows = "service,kind,slug,parent,name,title,image,created_at\nmemeworld,category,many,,Many,,,\n".to_owned();
        for number in 0..MEMES {
            writeln!(rows, "memeworld,meme,n-{number},many,,Number {number},https://images.spaza.example/{number}.webp,2026-03-05 18:30:00").unwrap();
        }
        let path = family.folder.path().join("many.csv");
        std::fs::write(&path, rows).unwrap();
        let start = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_content"));
            command.args(["import", "--without-media-check"]).arg(&path).env("ADMIN_TOKEN", ADMIN_TOKEN).env("BRANDS_FILE", crate::brands_file());
            command.env("COMEDY_URL", &family.services.comedy).env("DISKI_URL", &family.services.diski);
            command.env("MEME_URL", &family.services.meme).env("TT_URL", &family.services.tt);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        for delay in [0, 50, 100, 200, 400, 800] {
            let mut tool = start();
            tokio::time::sleep(Duration::from_millis(delay)).await;
            // Where it was quicker than that, the new state is whole.
            let done = tool.try_wait().unwrap().is_some_and(|status| status.success());
            tool.kill().unwrap();
            tool.wait().unwrap();
            let listed = family.listed().await;
            let categories = listed[1].as_array().unwrap().len();
            assert!(done || categories == 2 || listed == old, "{delay}: {listed:?}");
        }
        // What was killed with its last request on the way may still be carried out, and then it is whole.
        let output = start().wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let count = async || {
            let id = family.listed().await[1].as_array().unwrap().iter().find(|category| category["name"] == "Many").unwrap()["id"].clone();
            let (mut count, mut next) = (0, format!("/api/meme/getMemeValue/{id}"));
            loop {
                let reply = family.meme.get(&next).await;
                count += reply.json()["memeData"].as_array().unwrap().len();
                match reply.header("link").strip_prefix('<').and_then(|link| link.split_once('>')) {
                    Some((address, _)) => next = address.to_owned(),
                    None => return count,
                }
            }
        };
        eventually("every meme is there once", async || count().await == MEMES).await;
        let again = start().wait_with_output().unwrap();
        let message = String::from_utf8(again.stdout).unwrap();
        assert_eq!(message, format!("memeworld: nothing changed, {} records are there already\n", MEMES + 1));
    }
}
