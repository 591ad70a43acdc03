//! The published JSON Schema says what the parser does.

use boon::{Compiler, Schemas};
use content::Manifest;
use serde_json::{Value, json};

use crate::import::manifest;

fn root() -> std::path::PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into()
}

/// Whether the schema and the parser take a manifest.
fn accepted_by(manifest: &Value) -> (bool, bool) {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("manifest.json", content::schema()).unwrap();
    let schema = compiler.compile("manifest.json", &mut schemas).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    (schemas.validate(manifest, schema).is_ok(), Manifest::read(&path, &testkit::brands()).is_ok())
}

#[test]
fn demo_pack_and_full_manifest_pass_schema_and_parser() {
    let demo = std::fs::read_to_string(root().join("deploy/demo/manifest.json")).unwrap();
    assert_eq!(accepted_by(&serde_json::from_str(&demo).unwrap()), (true, true));
    let mut full = manifest();
    full["$schema"] = json!("../manifest.schema.json");
    let video = &mut full["services"]["ttmbhatv"]["categories"][0]["videos"][0];
    video["state"] = json!("unlisted");
    video["publish_at"] = json!("2026-01-01T00:00:00+02:00");
    video["name"] = json!("-@ d1 @-");
    // As spreadsheets write it.
    video["datetime"] = json!("2026/1/1 8:00");
    video["expires_at"] = json!(null);
    full["services"]["madfunny"]["artists"][0]["description"] = json!("");
    assert_eq!(accepted_by(&full), (true, true));
}

/// Makes a manifest wrong.
type Change = Box<dyn Fn(&mut Value)>;

#[test]
fn schema_and_parser_refuse_the_same_manifests() {
    let wrong: Vec<Change> = vec![
        Box::new(|m| m["more"] = json!(1)),
        Box::new(|m| m["services"] = json!([])),
        Box::new(|m| m["services"]["ttmbhatv"]["memes"] = json!([])),
        Box::new(|m| m["services"]["ttmbhatv"]["categories"] = json!("x")),
        Box::new(|m| m["services"]["memeworld"]["categories"][0]["memes"][0] = json!(1)),
    ];
    for change in wrong {
        let mut bad = manifest();
        change(&mut bad);
        assert_eq!(accepted_by(&bad), (false, false), "{bad}");
    }
    let fields = [
        ("slug", vec![json!("A"), json!(""), json!(1), json!(null), json!("a".repeat(101))]),
        ("name", vec![json!(""), json!("=1"), json!("+1"), json!(["a"]), json!(null), json!("a".repeat(5001))]),
        ("image", vec![json!("http://a/b"), json!("https://a b"), json!(null)]),
        (
            "media",
            vec![
                json!("ttmbhatv"),
                json!("/etc/passwd"),
                json!("ttmbhatv/../a"),
                json!("ttmbhatv/a?b"),
                json!("ttmbhatv//a"),
            ],
        ),
        (
            "captions",
            vec![
                json!("ttmbhatv/a.srt"),
                json!("ttmbhatv/.vtt"),
                json!("ttmbhatv/../a.vtt"),
                json!("/a.vtt"),
                json!("a.vtt"),
                json!(""),
                json!(1),
            ],
        ),
        ("datetime", vec![json!("2026-01-01"), json!(5), json!("2026-01-01 00:00:00 SAST"), json!(null)]),
        ("bytes", vec![json!(-1), json!(1.5), json!("1"), json!(null), json!(true)]),
        ("state", vec![json!("hidden"), json!(1)]),
        ("publish_at", vec![json!("tomorrow")]),
        ("surprise", vec![json!(1)]),
    ];
    for (field, values) in fields {
        for value in values {
            let mut bad = manifest();
            bad["services"]["ttmbhatv"]["categories"][0]["videos"][1][field] = value.clone();
            assert_eq!(accepted_by(&bad), (false, false), "{field}: {value}");
        }
    }
}

#[test]
fn committed_schema_equals_the_generated_one() {
    let committed = std::fs::read_to_string(root().join("deploy/manifest.schema.json")).unwrap_or_default();
    assert!(
        committed == format!("{:#}\n", content::schema()),
        "deploy/manifest.schema.json is stale: run `make types`"
    );
}
