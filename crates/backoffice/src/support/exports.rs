//! The export of all that the services know of a number, for its owner: as JSON and as a page to print. Where one service does not answer
//! there is none: half an export would look whole.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::{
    StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::personal_data::{self, PersonalData};
use utoipa::ToSchema;

use crate::{
    NAME,
    app::App,
    document::{Document, attachment},
    error::Error,
    guard::Support,
    members::Member,
    personal_data::TABLES,
    support::{Record, checked_reason, record_act, record_failure},
    texts::{shown, written},
};

/// In which form, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ExportOrder {
    pub(super) format: Format,
    #[schema(min_length = 3, max_length = 256)]
    pub(super) reason: String,
}

/// A form of an export or a dossier.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// For a program.
    Json,
    /// A page to print.
    Html,
}

/// All that the services know of the number, as a file. It is an entry of the audit log.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = ExportOrder,
    responses(
        (status = 200, description = "By service and table: every row.", body = Value),
        NotFound,
        Conflict,
        Refused
    )
)]
pub(crate) async fn export(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    order: Json<ExportOrder>,
) -> Result<HttpResponse, Error> {
    const ACTION: &str = "number.exported";
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let reason = checked_reason(&order.reason)?;
    record_act(&app, &member, &record, ACTION, json!({ "reason": reason })).await?;
    let services = match collect(&app, &member, &record).await {
        Ok(services) => services,
        Err(error) => return Err(record_failure(&app, &member, &record, ACTION, error).await),
    };
    let written_at = app.clock.now().format(service::timestamp::FORMAT).to_string();
    Ok(match order.format {
        Format::Json => {
            attachment("application/json", "personal-data.json").body(json(&record, &services, &written_at)?)
        }
        Format::Html => page(&record, &services, &written_at),
    })
}

/// The number's rows, by service.
type Services = Vec<(&'static str, PersonalData)>;

async fn collect(app: &App, member: &Member, record: &Record) -> Result<Services, Error> {
    let of_subscription =
        async { Ok::<_, Error>(("subscription", app.subscription.personal_data(member, &record.msisdn).await?)) };
    let of_catalogues = try_join_all(
        app.catalogues
            .iter()
            .map(async |catalogue| Ok((catalogue.name(), catalogue.personal_data(member, &record.msisdn).await?))),
    );
    let (subscription, catalogues) = futures_util::future::try_join(of_subscription, of_catalogues).await?;
    let number = record.msisdn.clone();
    let language = service::staff_language();
    let own = app.db.run(move |conn| personal_data::export(conn, TABLES, number.as_str(), language)).await?;
    let mut own = own.ok_or(Error::NotPossible(StaffText::new("too-many-rows")))?;
    // Stored by its id, and for the person in words.
    let erasures = own.tables.iter_mut().filter(|table| table.name == "erasures").flat_map(|table| &mut table.rows);
    for cause in erasures.filter_map(|row| row.get_mut("cause")) {
        if let Value::String(text) = cause {
            *text = shown(text);
        }
    }
    Ok([subscription].into_iter().chain(catalogues).chain([(NAME, own)]).collect())
}

fn json(record: &Record, services: &Services, written_at: &str) -> Result<Vec<u8>, Error> {
    let of_service = |(name, data): &(&'static str, PersonalData)| json!({ "service": name, "tables": data.tables });
    let all = json!({
        "number": record.msisdn.as_str(),
        "written_at": written_at,
        "services": services.iter().map(of_service).collect::<Vec<_>>(),
    });
    serde_json::to_vec_pretty(&all).map_err(|error| Error::Internal(error.to_string()))
}

fn page(record: &Record, services: &Services, written_at: &str) -> HttpResponse {
    let mut document = Document::new(&StaffText::new("export-title").with("number", record.msisdn.as_str()));
    document.paragraph(&written(&StaffText::new("export-written").with("at", written_at)));
    for (service, data) in services {
        let tables: Vec<_> = data.tables.iter().filter(|table| !table.rows.is_empty()).collect();
        document.chapter(service);
        if tables.is_empty() {
            document.paragraph(&written(&StaffText::new("export-nothing")));
        }
        for table in tables {
            document.heading(&format!("{} ({})", table.about, table.rows.len()));
            for (number, row) in (1..).zip(&table.rows) {
                let facts: Vec<(String, String)> = row
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, value)| (in_words(name), text_of(value)))
                    .collect();
                let facts: Vec<(String, &str)> =
                    facts.iter().map(|(name, text)| (name.clone(), text.as_str())).collect();
                document.facts(&format!("{} {number}", table.name), &facts);
            }
        }
    }
    document.finish("personal-data.html")
}

/// `decided_at` as `decided at`.
fn in_words(name: &str) -> String {
    name.replace('_', " ")
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
