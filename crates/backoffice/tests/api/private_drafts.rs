//! Texts of forms that are not sent: they outlive sessions and the service, and are their owner's alone.

use serde_json::{Value, json};

use crate::{Browser, code, spawn_app};

const FORM: &str = "record comedy artist MC Funny gogo";
const ADDRESS: &str = "/api/private-drafts?form=record+comedy+artist+MC+Funny+gogo";

async fn keep(browser: &mut Browser, form: &str, text: &str, version: &Value, take_over: bool) -> (u16, Value) {
    let body = json!({ "form": form, "text": text, "version": version, "take_over": take_over });
    let reply = browser.call("PUT", "/api/private-drafts", Some(body)).await;
    (reply.status, reply.json())
}

async fn kept(browser: &mut Browser, text: &str, version: &Value) -> Value {
    let (status, reply) = keep(browser, FORM, text, version, false).await;
    assert_eq!(status, 200, "{reply}");
    reply
}

testkit::on_each_engine! {
    async fn typed_text_outlives_the_session_and_the_service(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (mut zola, secret) = app.member(&mut admin, "zola@spaza.example", &["editor"]).await;
        let mut version = json!(0);
        // Each moment is the newest one when a session ends.
        let typed = "Gogo’s \"words\",\n\t<b>😀</b> ṱoḓa";
        for (end, char) in typed.char_indices() {
            let text = &typed[..end + char.len_utf8()];
            version = kept(&mut zola, text, &version).await["version"].clone();
            assert_eq!(zola.get_ok(ADDRESS).await["text"], text);
        }
        assert_eq!(zola.call("DELETE", "/api/session", None).await.status, 204);
        assert_eq!(keep(&mut zola, FORM, "", &version, false).await.0, 401);
        let restarted = app.restarted(|_| ()).await;
        let mut again = Browser::new(restarted.addr);
        assert_eq!(again.sign_in("zola@spaza.example", crate::PASSWORD, &code(&secret, 1)).await.status, 200);
        let draft = again.get_ok(ADDRESS).await;
        assert_eq!((&draft["text"], &draft["version"], &draft["editor"]), (&json!(typed), &version, &json!(null)));
        assert_eq!(admin.get_ok(ADDRESS).await["text"], "");

        // Another window, which has read an earlier version, replaces nothing, and drops nothing.
        let later = kept(&mut again, "In the second window.", &version).await["version"].clone();
        let (status, reply) = keep(&mut again, FORM, "In the first window.", &version, false).await;
        assert!(status == 409 && reply["error_message"].is_string(), "{reply}");
        assert_eq!(again.call("DELETE", &format!("{ADDRESS}&version={version}"), None).await.status, 204);
        assert_eq!(again.get_ok(ADDRESS).await["text"], "In the second window.");
        assert_eq!(again.call("DELETE", &format!("{ADDRESS}&version={later}"), None).await.status, 204);
        assert_eq!(again.get_ok(ADDRESS).await, json!({ "text": "", "version": 0, "at": null, "editor": null }));
        assert_eq!(keep(&mut again, FORM, "Late.", &later, false).await.0, 409);
    }

    async fn others_see_who_edits_and_take_over(engine) {
        let app = spawn_app(engine).await;
        let (mut zola, _) = app.administrator().await;
        let (mut themba, _) = app.member(&mut zola, "themba@spaza.example", &["editor"]).await;
        let edits = |reply: &Value| reply["editor"]["name"] == "Thandi";
        let first = kept(&mut zola, "Of Zola.", &json!(0)).await;
        assert!(!edits(&first));
        assert!(edits(&themba.get_ok(ADDRESS).await));
        let second = kept(&mut themba, "Of Themba.", &json!(0)).await;
        assert!(edits(&second) && !edits(&zola.get_ok(ADDRESS).await));
        let (_, after) = keep(&mut themba, FORM, "Of Themba.", &second["version"], true).await;
        assert!(!edits(&after) && edits(&zola.get_ok(ADDRESS).await));
        // The first person goes on: that text is kept, and no text is another's.
        assert!(edits(&kept(&mut zola, "Of Zola, still.", &first["version"]).await));
        assert_eq!(zola.get_ok(ADDRESS).await["text"], "Of Zola, still.");
        assert_eq!(themba.get_ok(ADDRESS).await["text"], "Of Themba.");
        // A person who went away edits no longer.
        app.execute("UPDATE private_drafts SET at = '2026-01-01 00:00:00' WHERE text = 'Of Themba.'").await.unwrap();
        assert!(!edits(&zola.get_ok(ADDRESS).await));
    }

    async fn private_drafts_have_limits_and_an_end(engine) {
        let app = spawn_app(engine).await;
        let (mut zola, _) = app.administrator().await;
        for (form, text, field) in [
            ("", "x", "form"),
            ("f\0", "x", "form"),
            (&*"f".repeat(301), "x", "form"),
            ("f", "\0", "text"),
            ("f", &*"x".repeat(49_153), "text"),
        ] {
            let (status, reply) = keep(&mut zola, form, text, &json!(0), false).await;
            assert!(status == 422 && reply["errors"][field].is_string(), "{reply}");
        }
        for number in 0..200 {
            assert_eq!(keep(&mut zola, &format!("form {number}"), "x", &json!(0), false).await.0, 200);
        }
        let (status, reply) = keep(&mut zola, "one more", "x", &json!(0), false).await;
        assert!(status == 422 && reply["errors"]["form"].is_string(), "{reply}");
        let refused = zola.call("GET", "/api/private-drafts?form=note&record=unknown", None).await;
        assert_eq!(refused.status, 404, "{refused:?}");
        // 31 days later, at the next start.
        app.execute("UPDATE private_drafts SET at = '2026-01-01 00:00:00' WHERE form <> 'form 7'").await.unwrap();
        let _restarted = app.restarted(|_| ()).await;
        testkit::eventually("old drafts are deleted", async || app.texts("SELECT form AS text FROM private_drafts").await == ["form 7"]).await;
    }
}
