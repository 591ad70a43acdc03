//! The audit log: append-only, chained, whole after a crash.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use testkit::{Engine, Process};

use crate::{Browser, id_of, spawn_app};

testkit::on_each_engine! {
    async fn log_names_who_did_what(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        app.member(&mut admin, "sipho@spaza.example", &["editor"]).await;
        let id = id_of(&mut admin, "sipho@spaza.example").await;
        let first = id_of(&mut admin, crate::FIRST).await;
        admin.call("PUT", &format!("/api/staff/{id}"), Some(json!({ "roles": [], "removed": true }))).await;

        let log = admin.get_ok("/api/audit").await;
        let entries = log["entries"].as_array().unwrap();
        let actions: Vec<&str> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
        assert_eq!(
            actions,
            ["staff.removed", "invitation.accepted", "staff.invited", "invitation.accepted", "staff.invited"]
        );
        assert_eq!((&entries[0]["staff_id"], &entries[0]["subject"]), (&json!(first), &json!("sipho@spaza.example")));
        assert_eq!(log["next"], Value::Null);
        let only = admin.get_ok(&format!("/api/audit?action=invitation.accepted&staff={id}")).await;
        assert_eq!(only["entries"].as_array().unwrap().len(), 1, "{only}");
        let before = admin.get_ok(&format!("/api/audit?before={}", entries[0]["id"])).await;
        assert_eq!(before["entries"].as_array().unwrap().len(), 4);

        let export = admin.call("GET", "/api/audit/export", None).await;
        let lines: Vec<Value> = export.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 6, "{export:?}");
        assert_eq!(lines[5]["action"], "audit.exported");
        assert_eq!(lines[4]["hash"], entries[0]["hash"]);
        assert_eq!(admin.get_ok("/api/audit/check").await, json!({ "entries": 6, "intact": true, "broken_at": null }));
    }

    async fn newest_hash_is_in_the_log_of_the_process(engine) {
        let app = spawn_app(engine).await;
        let hash = app.texts("SELECT hash AS text FROM audit_head").await.remove(0);
        let config = &app.config;
        let mut program = Command::new(env!("CARGO_BIN_EXE_backoffice"));
        program.env("DATA_DIR", &config.store.data_dir).env("BIND", "127.0.0.1:0").env("BACKOFFICE_DIR", &config.backoffice_dir);
        program.env("STAFF_TOKEN_SECRET_KEY", &config.staff_token_secret_key).env("SECOND_FACTOR_KEYS", &config.second_factor_keys);
        program.envs(config.store.database_url.as_ref().map(|url| ("DATABASE_URL", url))).env("LOG_FORMAT", "json");
        let mut program = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(program.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("audit.hash"));
        program.kill().unwrap();
        program.wait().unwrap();
        // It has invited the first administrator again before.
        let line = line.expect("a line with the hash");
        let newest = app.texts("SELECT hash AS text FROM audit_head").await.remove(0);
        assert!(newest != hash && line.contains(&newest) && line.contains("2 entries"), "{line}");
    }

    async fn changed_or_removed_entry_breaks_the_chain(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        app.member(&mut admin, "sipho@spaza.example", &["editor"]).await;
        for statement in ["UPDATE audit SET subject = 'x' WHERE id = 2", "DELETE FROM audit WHERE id = 4"] {
            let refusal = app.execute(statement).await.unwrap_err().to_string();
            assert!(refusal.contains("append-only"), "{refusal}");
        }
        assert_eq!(admin.get_ok("/api/audit/check").await["intact"], true);
        let disable: &[&str] = match engine {
            Engine::Sqlite => &["DROP TRIGGER refuse_audit_update", "DROP TRIGGER refuse_audit_delete"],
            Engine::Postgres => &["ALTER TABLE audit DISABLE TRIGGER USER"],
        };
        for statement in disable {
            app.execute(statement).await.unwrap();
        }
        app.execute("DELETE FROM audit WHERE id = 4").await.unwrap();
        assert_eq!(admin.get_ok("/api/audit/check").await, json!({ "entries": 3, "intact": false, "broken_at": 4 }));
        app.execute("UPDATE audit SET subject = 'x' WHERE id = 2").await.unwrap();
        assert_eq!(admin.get_ok("/api/audit/check").await, json!({ "entries": 1, "intact": false, "broken_at": 2 }));
    }

    async fn chain_is_whole_after_the_process_was_killed_in_the_middle_of_writes(engine) {
        let store = testkit::store(engine).await;
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut settings = vec![
            ("BIND", "127.0.0.1:0".to_owned()),
            ("STAFF_TOKEN_SECRET_KEY", crate::token_key()),
            ("SECOND_FACTOR_KEYS", crate::second_factor_key()),
            ("DATA_DIR", store.config.data_dir.display().to_string()),
            ("BACKOFFICE_DIR", folder.path().join("none").display().to_string()),
        ];
        if let Some(url) = &store.config.database_url {
            settings.push(("DATABASE_URL", url.clone()));
            settings.push(("UNNAMED_STATEMENTS", if store.config.unnamed_statements { "1" } else { "0" }.to_owned()));
        }
        if let Some(file) = &store.config.stores_ca_file {
            settings.push(("STORES_CA_FILE", file.display().to_string()));
        }
        let start = async || {
            Process::start(Command::new(env!("CARGO_BIN_EXE_backoffice")), "backoffice", &settings, &log).await.unwrap()
        };
        let process = start().await;
        let link = async || std::fs::read_to_string(&log).unwrap().lines().find_map(|line| {
            serde_json::from_str::<Value>(line).ok()?["link"].as_str().map(str::to_owned)
        });
        let mut found = link().await;
        for _ in 0..100 {
            if found.is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            found = link().await;
        }
        let mut admin = Browser::new(process.addr);
        admin.accept(&found.expect("the log has the first administrator's link")).await;
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let browser = admin.clone();
                tokio::spawn(async move {
                    let mut invited = Vec::new();
                    for number in 0..10_000 {
                        let email = format!("w{writer}n{number}@spaza.example");
                        let body = json!({ "email": email, "name": "N", "roles": ["editor"] });
                        let request = browser.request(reqwest::Method::POST, "/api/invitations");
                        let reply = request.header("sec-fetch-site", "same-origin").json(&body).send().await;
                        match reply {
                            Ok(reply) if reply.status().as_u16() == 201 => invited.push(email),
                            Ok(reply) => assert_eq!(reply.status().as_u16(), 503),
                            Err(_) => break,
                        }
                    }
                    invited
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_secs(3)).await;
        process.kill();
        let mut invited = Vec::new();
        for writer in writers {
            invited.extend(writer.await.unwrap());
        }
        assert!(invited.len() > 3, "the process was killed before it wrote");

        let process = start().await;
        let mut admin = admin.at(process.addr);
        let check = admin.get_ok("/api/audit/check").await;
        assert_eq!(check["intact"], true, "{check}");
        let staff = admin.get_ok("/api/staff").await.to_string();
        let log = admin.call("GET", "/api/audit/export", None).await.text;
        for email in invited {
            assert!(staff.contains(&email) && log.contains(&email), "{email} was acknowledged and is lost");
        }
    }
}
