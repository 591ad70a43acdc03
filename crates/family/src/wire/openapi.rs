//! What a network has to offer, as OpenAPI documents of the types that both sides use.

use operator::{
    BillingEvent, Charge, ChargeEvent, ChargeRequest, HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, ListedCharge,
    OptIn, OptInEvent, OptInReply, OptInRequest, ReceiptEvent, Refund, RefundRequest, SmsEvent, SmsRequest, StopEvent,
    StopRequest, SubscriptionEvent,
};
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

/// A document in the making.
#[derive(Default)]
struct Document {
    paths: Map<String, Value>,
    schemas: Map<String, Value>,
}

/// A part of an address or a header.
struct Parameter(&'static str, &'static str, &'static str);

impl Document {
    /// The reference of a type, whose schema the document has then.
    fn schema<T: ToSchema + PartialSchema>(&mut self) -> Value {
        let name = T::name().into_owned();
        let mut all: Vec<(String, RefOr<Schema>)> = vec![(name.clone(), T::schema())];
        T::schemas(&mut all);
        for (name, schema) in all {
            self.schemas.insert(name, json!(schema));
        }
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    fn call(
        &mut self,
        (method, path): (&str, &str),
        summary: &str,
        parameters: &[Parameter],
        request: Option<Value>,
        replies: &[(&str, &str, Option<Value>)],
    ) {
        let parameters: Vec<Value> = parameters
            .iter()
            .map(|Parameter(place, name, description)| {
                let required = *place != "query" || *name == "day" || *name == "since";
                json!({ "in": place, "name": name, "description": description, "required": required, "schema": { "type": "string" } })
            })
            .collect();
        let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
        let replies: Map<String, Value> = replies
            .iter()
            .map(|(status, description, schema)| {
                let mut reply = json!({ "description": description });
                if let (Some(schema), Some(fields)) = (schema, reply.as_object_mut()) {
                    fields.insert("content".to_owned(), content(schema));
                }
                ((*status).to_owned(), reply)
            })
            .collect();
        let mut operation = json!({ "summary": summary, "parameters": parameters, "responses": replies });
        if let (Some(request), Some(fields)) = (request, operation.as_object_mut()) {
            fields.insert("requestBody".to_owned(), json!({ "required": true, "content": content(&request) }));
        }
        let path = self.paths.entry(path.to_owned()).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(method.to_owned(), operation);
        }
    }

    fn finish(self, title: &str, about: &str, of: &str) -> Value {
        let mut document = json!({
            "openapi": "3.1.0",
            "info": { "title": title, "version": env!("CARGO_PKG_VERSION"), "description": about },
            "components": { "schemas": self.schemas },
        });
        if let Some(fields) = document.as_object_mut() {
            fields.insert(of.to_owned(), Value::Object(self.paths));
        }
        document
    }
}

const LATER: (&str, &str, Option<Value>) =
    ("429", "Later, after `Retry-After`: nothing was done. So is 503; without that header it is an outage.", None);
const REFUSED: (&str, &str, Option<Value>) = ("422", "Refused: the same request would be refused again.", None);
const LIMIT: Parameter =
    Parameter("query", "limit", "The most rows of a page; the next one is in the header `Link` (`rel=\"next\"`).");

/// What the subscription service asks a network with the adapter `rest` for; one with `datasync` has all but `POST /charges`.
pub fn rest() -> Value {
    let mut document = Document::default();
    let (request, reply) = (document.schema::<OptInRequest>(), document.schema::<OptInReply>());
    document.call(
        ("post", "/opt-ins"),
        "A page on which a subscriber confirms",
        &[],
        Some(request),
        &[("201", "The page. 200 means the same.", Some(reply)), REFUSED, LATER],
    );
    let reply = document.schema::<OptIn>();
    let reference = Parameter("path", "reference", "As the reply to `POST /opt-ins` named it.");
    document.call(
        ("get", "/opt-ins/{reference}"),
        "What became of it",
        &[reference],
        None,
        &[("200", "Its status.", Some(reply)), ("404", "There is none.", None)],
    );
    let request = document.schema::<StopRequest>();
    document.call(
        ("post", "/stops"),
        "Ends a subscription; one that has ended is no error",
        &[],
        Some(request),
        &[("204", "It has ended. Any other 2xx means the same.", None), LATER],
    );
    let request = document.schema::<SmsRequest>();
    document.call(
        ("post", "/messages"),
        "Sends an SMS, once per key",
        &[],
        Some(request),
        &[("204", "It is sent. Any other 2xx means the same.", None), REFUSED, LATER],
    );
    let (request, charge) = (document.schema::<ChargeRequest>(), document.schema::<Charge>());
    document.call(
        ("post", "/charges"),
        "Charges a day, once per key",
        &[],
        Some(request),
        &[("200", "How it ended.", Some(charge.clone())), REFUSED, LATER],
    );
    let key = Parameter("path", "key", "As we sent it.");
    document.call(
        ("get", "/charges/{key}"),
        "How a charge ended",
        &[key],
        None,
        &[
            ("200", "How it ended, or last ended.", Some(charge)),
            ("404", "The network knows no such key: nothing was charged.", None),
        ],
    );
    let row = document.schema::<ListedCharge>();
    let day = Parameter("query", "day", "YYYY-MM-DD, Johannesburg's.");
    document.call(
        ("get", "/charges"),
        "What was charged for a day",
        &[day, LIMIT],
        None,
        &[("200", "A page of it.", Some(json!({ "type": "array", "items": row })))],
    );
    let (request, reply) = (document.schema::<RefundRequest>(), document.schema::<Refund>());
    document.call(
        ("post", "/refunds"),
        "Gives back a charge or a part of it, once per key",
        &[],
        Some(request),
        &[
            ("200", "It is given back.", Some(reply)),
            ("404", "Nothing was charged under that key.", None),
            REFUSED,
            LATER,
        ],
    );
    let row = document.schema::<SubscriptionEvent>();
    let since = Parameter("query", "since", "RFC 3339, UTC.");
    document.call(
        ("get", "/subscriptions"),
        "Subscriptions that started or ended since a time, oldest first",
        &[since, LIMIT],
        None,
        &[
            ("200", "A page of them.", Some(json!({ "type": "array", "items": row }))),
            ("404", "The network has no such list.", None),
        ],
    );
    let about = "What Spaza's subscription service asks a mobile network for, below the `url` of its entry in brands.toml. README.md beside this file has the rules.";
    document.finish("A mobile network for Spaza", about, "paths")
}

/// What a network tells the subscription service.
pub fn notifications() -> Value {
    let mut document = Document::default();
    type SchemaOf = fn(&mut Document) -> Value;
    let events: [(&str, &str, SchemaOf); 7] = [
        ("opt_in", "A subscriber answered an opt-in; `event` is `opt_in`", Document::schema::<OptInEvent>),
        ("stop", "A subscriber ended a subscription at the network; `event` is `stop`", Document::schema::<StopEvent>),
        (
            "subscription",
            "A push network's subscription started, continues or ended; known by `status_id`",
            Document::schema::<SubscriptionEvent>,
        ),
        ("billing", "A push network charged, or failed to; known by `billing_ref`", Document::schema::<BillingEvent>),
        ("charge", "The result of an accepted charge is there; `event` is `charge`", Document::schema::<ChargeEvent>),
        ("sms", "A person sent an SMS to our short code; `event` is `sms`", Document::schema::<SmsEvent>),
        ("sms_receipt", "What became of an SMS of ours; `event` is `sms_receipt`", Document::schema::<ReceiptEvent>),
    ];
    for (name, summary, schema) in events {
        let schema = schema(&mut document);
        let headers = [
            Parameter("header", HEADER_ID, "Names the event, however often it is sent."),
            Parameter("header", HEADER_TIMESTAMP, "Seconds since 1970, at most five minutes off."),
            Parameter(
                "header",
                HEADER_SIGNATURE,
                "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks).",
            ),
        ];
        let replies = [
            ("200", "It is kept, and need not be sent again.", None),
            ("401", "It is not signed, or too old.", None),
            ("403", "It comes from another address than its network's.", None),
            ("503", "It is to be sent again.", None),
        ];
        document.call(("post", name), summary, &headers, Some(schema), &replies);
    }
    let about = "What a mobile network tells Spaza: `POST https://LABEL.DOMAIN/api/subscribe/notify/NETWORK`, signed. README.md beside this file has the rules.";
    document.finish("Notifications to Spaza", about, "webhooks")
}
