//! The catalogue services, as editors work on them.

use std::time::Duration;

use catalogue::{
    TakeDown,
    import::{
        ApplyOrder, Change, DifferenceQuery, Differences, FileImport, FileImports, NewMediaList, UploadQuery, Uploaded,
    },
    kinds::Kinds,
    missing::TranslationCounts,
    previews::StagedPreview,
    record_forms::Checked,
    records::{History, Record, RecordQuery, Records, ServiceQuery},
};
use content::query_of;
use identity::SubscriberId;
use reqwest::{Body, Method, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use service::{Scope, SigningKey, StartError};
use store::personal_data::{Erased, PersonalData};
use url::{Url, form_urlencoded};

use crate::{calls::ServiceClient, error::Error, members::Member};

/// Longer than an import waits for another one.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A large file is read, compared and applied in a minute; a slow network brings it in more.
const FILE_TIMEOUT: Duration = Duration::from_secs(600);

/// Longer than the rows of one number take.
const PERSON_TIMEOUT: Duration = Duration::from_secs(10);

/// All catalogue services.
#[derive(Clone)]
pub(crate) struct Catalogues(Vec<Catalogue>);

/// One of them.
#[derive(Clone)]
pub(crate) struct Catalogue(ServiceClient);

/// A path segment.
fn segment(text: &str) -> String {
    // A space of a query is `+`, which a path does not have.
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

fn of_service(service: &str) -> String {
    format!("service={}", segment(service))
}

impl Catalogues {
    pub(crate) fn new(urls: &[(&'static str, Url)], key: &SigningKey) -> Result<Self, StartError> {
        urls.iter()
            .map(|(name, url)| ServiceClient::new(name, url, key).map(Catalogue))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The catalogue with this name.
    pub(crate) fn named(&self, name: &str) -> Result<&Catalogue, Error> {
        self.0.iter().find(|catalogue| catalogue.name() == name).ok_or(Error::NotFound)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Catalogue> {
        self.0.iter()
    }
}

impl Catalogue {
    pub(crate) fn name(&self) -> &'static str {
        self.0.name
    }

    pub(crate) async fn kinds(&self, member: &Member) -> Result<Kinds, Error> {
        self.call(member, Method::GET, "/internal/kinds", None).await
    }

    pub(crate) async fn records(&self, member: &Member, kind: &str, query: &RecordQuery) -> Result<Records, Error> {
        let path = format!("/internal/records/{}?{}", segment(kind), query_of(query));
        self.call(member, Method::GET, &path, None).await
    }

    /// How many records of a kind lack translations.
    pub(crate) async fn missing(
        &self,
        member: &Member,
        kind: &str,
        query: &ServiceQuery,
    ) -> Result<TranslationCounts, Error> {
        let path = format!("/internal/translations/{}?{}", segment(kind), query_of(query));
        self.call(member, Method::GET, &path, None).await
    }

    /// The records as a CSV manifest, while it arrives.
    pub(crate) async fn export(&self, member: &Member, kind: &str, query: &RecordQuery) -> Result<Response, Error> {
        let path = format!("/internal/exports/{}?{}", segment(kind), query_of(query));
        let request = self.0.request(Scope::Editors, member, Method::GET, &path)?;
        self.0.send(Scope::Editors, request).await
    }

    /// Stages a file.
    pub(crate) async fn upload(&self, member: &Member, query: &UploadQuery, body: Body) -> Result<Uploaded, Error> {
        let path = format!("/internal/imports/upload?{}", query_of(query));
        let request = self.0.request(Scope::Editors, member, Method::POST, &path)?.timeout(FILE_TIMEOUT);
        let reply = self.0.send(Scope::Editors, request.body(body)).await?;
        reply.json().await.map_err(|error| Error::ServiceUnavailable(self.name(), error.without_url().to_string()))
    }

    /// The files that wait.
    pub(crate) async fn imports(&self, member: &Member) -> Result<FileImports, Error> {
        self.call(member, Method::GET, "/internal/imports", None).await
    }

    /// A file that waits, with what applying it changes now.
    pub(crate) async fn import(&self, member: &Member, id: i64) -> Result<FileImport, Error> {
        self.call_slow(member, Method::GET, &format!("/internal/imports/{id}"), None).await
    }

    /// A page of the records that a file changes.
    pub(crate) async fn differences(
        &self,
        member: &Member,
        id: i64,
        query: &DifferenceQuery,
    ) -> Result<Differences, Error> {
        let path = format!("/internal/imports/{id}/differences?{}", query_of(query));
        self.call_slow(member, Method::GET, &path, None).await
    }

    /// A page of the records of an import that name new media.
    pub(crate) async fn new_media(
        &self,
        member: &Member,
        id: i64,
        query: &DifferenceQuery,
    ) -> Result<NewMediaList, Error> {
        let path = format!("/internal/imports/{id}/media?{}", query_of(query));
        self.call_slow(member, Method::GET, &path, None).await
    }

    /// Applies a file as it was seen.
    pub(crate) async fn apply(&self, member: &Member, id: i64, order: &ApplyOrder) -> Result<Vec<Change>, Error> {
        let path = format!("/internal/imports/{id}/apply");
        self.call_slow(member, Method::POST, &path, Some(json!(order))).await
    }

    /// Stages a record for a preview.
    pub(crate) async fn stage_preview(
        &self,
        member: &Member,
        service: &str,
        kind: &str,
        record: &Value,
    ) -> Result<StagedPreview, Error> {
        let order = json!({ "service": service, "record": record });
        self.call(member, Method::POST, &format!("/internal/previews/{}", segment(kind)), Some(order)).await
    }

    /// Checks that a file that waits can be previewed.
    pub(crate) async fn stage_import_preview(&self, member: &Member, id: i64) -> Result<StagedPreview, Error> {
        self.call_slow(member, Method::POST, &format!("/internal/imports/{id}/preview"), None).await
    }

    /// Forgets a file.
    pub(crate) async fn drop_import(&self, member: &Member, id: i64) -> Result<(), Error> {
        self.call(member, Method::DELETE, &format!("/internal/imports/{id}"), None).await
    }

    pub(crate) async fn history(
        &self,
        member: &Member,
        service: &str,
        kind: &str,
        slug: &str,
    ) -> Result<History, Error> {
        let path = format!("/internal/records/{}/{}?{}", segment(kind), segment(slug), of_service(service));
        self.call(member, Method::GET, &path, None).await
    }

    /// Checks the fields of a form.
    pub(crate) async fn check(
        &self,
        member: &Member,
        service: &str,
        kind: &str,
        record: Map<String, Value>,
    ) -> Result<Checked, Error> {
        let order = json!({ "service": service, "record": record });
        self.call(member, Method::POST, &format!("/internal/records/{}", segment(kind)), Some(order)).await
    }

    /// Imports a record in place of the one on which it is based.
    pub(crate) async fn put(
        &self,
        member: &Member,
        service: &str,
        kind: &str,
        record: &Value,
        base: Option<&Value>,
    ) -> Result<Record, Error> {
        let order = json!({ "service": service, "record": record, "base": base });
        self.call(member, Method::PUT, &format!("/internal/records/{}", segment(kind)), Some(order)).await
    }

    /// Takes a record down, or puts it back.
    pub(crate) async fn take_down(&self, member: &Member, order: Value) -> Result<TakeDown, Error> {
        self.call(member, Method::POST, "/internal/take-downs", Some(order)).await
    }

    /// All that it knows of a number.
    pub(crate) async fn personal_data(&self, member: &Member, msisdn: &SubscriberId) -> Result<PersonalData, Error> {
        let path = format!("/internal/persons/{}", segment(msisdn.as_str()));
        self.0.call(Scope::Support, member, PERSON_TIMEOUT, Method::GET, &path, None).await
    }

    /// Erases what it knows of a number.
    pub(crate) async fn erase(&self, member: &Member, msisdn: &SubscriberId) -> Result<Erased, Error> {
        let path = format!("/internal/persons/{}", segment(msisdn.as_str()));
        self.0.call(Scope::Support, member, PERSON_TIMEOUT, Method::DELETE, &path, None).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        member: &Member,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Error> {
        self.0.call(Scope::Editors, member, TIMEOUT, method, path, body).await
    }

    async fn call_slow<T: DeserializeOwned>(
        &self,
        member: &Member,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Error> {
        self.0.call(Scope::Editors, member, FILE_TIMEOUT, method, path, body).await
    }
}
