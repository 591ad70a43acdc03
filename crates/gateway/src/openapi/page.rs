//! The merged document as a page: every endpoint with its parameters and replies, and every schema.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use crate::directory::style_policy;

const METHODS: [&str; 3] = ["get", "post", "delete"];

const STYLES: &str = "\
*{box-sizing:border-box}body{margin:0 auto;max-width:54rem;padding:1.5rem 1rem 4rem;background:#fff;color:#1b1b22;\
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{margin:0 0 .5rem;font-size:1.75rem}h2{margin:2.5rem 0 .5rem;font-size:1.25rem}\
h3{margin:1rem 0 .25rem;font-size:.875rem;text-transform:uppercase;letter-spacing:.05em;color:#55556a}p{margin:.25rem 0 .75rem}\
a{color:#0b4fb3}nav a{display:inline-block;padding:.5rem .75rem .5rem 0}details{border-top:1px solid #d8d8e0}\
summary{padding:.75rem 0;cursor:pointer}summary b{display:inline-block;min-width:4.5rem;font-size:.8125rem}\
summary span{display:block;color:#55556a;font-size:.9375rem}code{font:.9375em/1.4 ui-monospace,monospace}\
dl{margin:0;padding-left:.75rem;border-left:3px solid #d8d8e0}dt{margin-top:.5rem}dd{margin:0;color:#44445a;font-size:.9375rem}\
section>div{padding:.25rem 0 1rem}div>h3{text-transform:none;letter-spacing:0;font-size:1rem}";

/// Renders the page; returns it with its Content-Security-Policy.
pub(super) fn write(document: &Value) -> (String, String) {
    let page = html! {
        (DOCTYPE)
        html lang="en-ZA" {
            head {
                meta charset="utf-8";
                title { "Spaza API" }
                meta name="viewport" content="width=device-width, initial-scale=1";
                style { (PreEscaped(STYLES)) }
            }
            body {
                h1 { "Spaza API" }
                p { (prose(document, "/info/description")) }
                p { a href="/api/openapi.json" { "The same as OpenAPI 3.1" } }
                nav {
                    @for tag in list(document, "/tags") { a href={ "#" (text(tag, "/name")) } { (text(tag, "/name")) } }
                    a href="#schemas" { "schemas" }
                }
                main {
                    @for tag in list(document, "/tags") { (service(document, tag)) }
                    section id="schemas" {
                        h2 { "Schemas" }
                        @for (name, schema) in fields(document, "/components/schemas") {
                            div id=(name) { h3 { (name) } (self::schema(schema)) }
                        }
                    }
                }
            }
        }
    };
    (page.into_string(), style_policy(STYLES))
}

fn service(document: &Value, tag: &Value) -> Markup {
    let name = text(tag, "/name");
    let own = fields(document, "/paths")
        .flat_map(|(path, item)| METHODS.map(|method| (method, path, item.get(method))))
        .filter_map(|(method, path, operation)| Some((method, path, operation?)))
        .filter(|(_, _, operation)| text(operation, "/tags/0") == name);
    html! {
        section {
            h2 id=(name) { (name) }
            p { (prose(tag, "/description")) }
            @for (method, path, call) in own {
                details {
                    summary { b { (method.to_uppercase()) } " " code { (path) } span { (prose(call, "/summary")) } }
                    p { (prose(call, "/description")) " " (audience(text(call, "/x-access"))) }
                    (parameters(call))
                    @if let Some(body) = call.pointer("/requestBody") {
                        h3 { "Body" }
                        p { (prose(body, "/description")) " " (content(body)) }
                    }
                    h3 { "Replies" }
                    dl { @for (status, reply) in fields(call, "/responses") { (self::reply(document, status, reply)) } }
                }
            }
        }
    }
}

fn parameters(call: &Value) -> Markup {
    html! {
        @if !list(call, "/parameters").is_empty() {
            h3 { "Parameters" }
            dl {
                @for parameter in list(call, "/parameters") {
                    @let needed = parameter.pointer("/required") == Some(&Value::Bool(true));
                    dt { code { (text(parameter, "/name")) } " in " (text(parameter, "/in")) @if !needed { ", optional" } }
                    dd { (parameter.get("schema").map(kind).unwrap_or_default()) ". " (prose(parameter, "/description")) }
                }
            }
        }
    }
}

fn reply(document: &Value, status: &str, reply: &Value) -> Markup {
    let shared = text(reply, "/$ref").strip_prefix('#').and_then(|place| document.pointer(place));
    let reply = shared.unwrap_or(reply);
    html! {
        dt { code { (status) } " " (content(reply)) }
        dd {
            (prose(reply, "/description"))
            @for (index, (name, _)) in fields(reply, "/headers").filter(|(name, _)| *name != "X-Request-Id").enumerate() {
                @if index == 0 { " Headers: " } @else { ", " } code { (name) }
            }
        }
    }
}

fn content(of: &Value) -> Markup {
    html! { @for (_, media) in fields(of, "/content") { (media.get("schema").map(kind).unwrap_or_default()) " " } }
}

fn schema(schema: &Value) -> Markup {
    let required = list(schema, "/required");
    html! {
        p { (prose(schema, "/description")) @if schema.get("properties").is_none() { " " (kind(schema)) } }
        dl {
            @for (name, property) in fields(schema, "/properties") {
                dt { code { (name) } " " (kind(property)) @if !required.iter().any(|other| other == name) { ", optional" } }
                dd { (prose(property, "/description")) }
            }
        }
    }
}

/// A schema's type, on one line.
fn kind(schema: &Value) -> Markup {
    let target = text(schema, "/$ref").rsplit('/').next().filter(|name| !name.is_empty());
    // The maximum of a 64-bit number is not shown.
    let is_shown = |limit: &&str, value: &Value| *limit != "maximum" || value.as_i64() != Some(i64::MAX);
    let limits = ["minimum", "maximum", "maxLength", "default", "pattern"];
    html! {
        @if let Some(name) = target {
            a href={ "#" (name) } { (name) }
        } @else if let Some(items) = schema.get("items") {
            "list of " (kind(items))
        } @else if let Some(Value::Array(choices)) = schema.get("oneOf") {
            @for (index, choice) in choices.iter().enumerate() { @if index > 0 { " or " } (kind(choice)) }
        } @else if let Some(Value::Array(words)) = schema.get("enum") {
            @for (index, word) in words.iter().enumerate() { @if index > 0 { " or " } code { (word) } }
        } @else {
            @match schema.get("type") {
                Some(Value::Array(types)) => { @for (index, name) in types.iter().enumerate() { @if index > 0 { " or " } (plain(name)) } },
                Some(name) => (plain(name)),
                None => "anything",
            }
            @for limit in limits {
                @if let Some(value) = schema.get(limit).filter(|value| is_shown(&limit, value)) { ", " (limit) " " code { (plain(value)) } }
            }
        }
    }
}

/// A text in which words in backticks are code.
fn prose(of: &Value, place: &str) -> Markup {
    html! {
        @for (index, part) in text(of, place).split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn audience(access: &str) -> &str {
    match access {
        "public" => "For everybody.",
        "visitor" => "For everybody; a session gets its own.",
        "session" => "For a session.",
        "owner" => "For a session, about its own number.",
        "network" => "For networks, signed.",
        _ => "For operators.",
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn text<'a>(of: &'a Value, place: &str) -> &'a str {
    of.pointer(place).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(of: &'a Value, place: &str) -> &'a [Value] {
    of.pointer(place).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn fields<'a>(of: &'a Value, place: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    of.pointer(place).and_then(Value::as_object).into_iter().flatten()
}
