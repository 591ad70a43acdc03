//! How a catalogue service starts, and the `App` that its handlers use.

use std::{net::SocketAddr, sync::Arc};

use actix_web::web::{Data, ServiceConfig, scope};
use brands::{Brand, Brands, Kind};
use identity::{SessionVerifier, Site};
use serde_json::Value;
use service::{
    AdminToken, Message, Problem, Production, Running, StaffText, StartError, VerifyingKeys,
    openapi::{self, Endpoints},
};
use store::{Db, Migrations, ReplyCache, personal_data::PersonalTable};

use crate::{
    Config, Error, changes,
    files::export,
    import, kinds,
    manifest::{Content, Table},
    missing, personal_data, previews, record_forms, records, take_downs,
};

/// A service that publishes a catalogue.
#[derive(Clone, Copy)]
pub struct Publication {
    /// The service's name, which is also the name of its database.
    pub name: &'static str,
    /// The kind of its brands.
    pub kind: Kind,
    /// A description of its content.
    pub about: &'static str,
    /// The path prefix of the visitors' endpoints, `/api/madfunny`.
    pub prefix: &'static str,
    /// The endpoints below the prefix.
    pub visitors: Endpoints,
    /// The migrations of its tables, for both engines.
    pub migrations: Migrations,
    /// Its tables with rows about persons.
    pub personal_tables: &'static [PersonalTable],
}

/// The endpoints below `/internal`.
const EDITORS: Endpoints = service::endpoints! {
    editors_scope GET "/kinds" => kinds::list_kinds,
    editors_scope GET "/records/{kind}" => records::list_records,
    editors_scope POST "/records/{kind}" => record_forms::check_record,
    editors_scope PUT "/records/{kind}" => record_forms::put_record,
    editors_scope GET "/translations/{kind}" => missing::count_missing,
    editors_scope GET "/exports/{kind}" => export::export_records,
    editors_scope GET "/records/{kind}/{slug}" => records::get_record,
    editors_scope POST "/imports" => import::open_import,
    editors_scope GET "/imports" => import::list_imports,
    editors_scope POST "/imports/upload" => import::upload_file,
    editors_scope GET "/imports/{id}" => import::get_import,
    editors_scope GET "/imports/{id}/differences" => import::list_differences,
    editors_scope GET "/imports/{id}/media" => import::list_media,
    editors_scope POST "/imports/{id}/check" => import::check_import,
    editors_scope POST "/imports/{id}/apply" => import::apply_import,
    editors_scope DELETE "/imports/{id}" => import::drop_import,
    editors_scope POST "/imports/{id}/preview" => previews::stage_import,
    editors_scope POST "/previews/{kind}" => previews::stage_record,
    editors_scope POST "/take-downs" => take_downs::take_down,
    editors_scope GET "/take-downs" => take_downs::list_take_downs,
};

/// The calls of support, below `/internal`.
const SUPPORT: Endpoints = service::endpoints! {
    support_scope GET "/persons/{msisdn}" => personal_data::get_personal_data,
    support_scope DELETE "/persons/{msisdn}" => personal_data::erase,
};

impl Publication {
    /// The records that editors send.
    pub(crate) const fn content(&self) -> Content {
        Content::of(self.kind)
    }

    /// The service's OpenAPI document.
    pub fn openapi(&self) -> Value {
        let scopes = [
            (self.prefix, self.visitors),
            ("/internal", EDITORS),
            ("/internal", SUPPORT),
            ("/internal", self.content().records),
        ];
        openapi::document(self.name, self.about, &scopes)
    }
}

/// The state of one catalogue service: database, reply cache, brands.
#[derive(Clone)]
pub struct App {
    /// The service.
    pub publication: Publication,
    /// The catalogue's tables.
    pub db: Db,
    /// The cache of its replies.
    pub replies: ReplyCache,
    /// All brands, for service names and aliases.
    pub brands: Brands,
    /// The port in brands' public addresses.
    pub(crate) public_port: u16,
    /// For how many months the history of records is kept.
    pub(crate) changes_months: u32,
    /// Dropped when the server stops: the background task holds a weak reference and then ends.
    pub(crate) alive: Arc<()>,
}

impl App {
    async fn open(
        publication: Publication,
        config: &Config,
        staff_keys: Option<VerifyingKeys>,
    ) -> Result<Self, StartError> {
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        if config.production.on {
            brands.check_production()?;
            service::refuse_weak_admin_token(config.admin_token.as_deref())?;
        }
        brands.watch(&config.brands_file);
        let db = Db::open(&config.store, publication.name, publication.migrations).await?;
        let replies = ReplyCache::open(&db, &config.store, publication.name).await?;
        let replies =
            replies.with_overlays(previews::overlays(publication.name, publication.content().tables, staff_keys));
        Ok(Self {
            publication,
            replies,
            db,
            brands,
            public_port: config.public_port,
            changes_months: config.changes_months,
            alive: Arc::default(),
        })
    }

    /// The brand of this catalogue's kind with this name or alias.
    pub fn brand_named(&self, name: &str) -> Result<Arc<Brand>, Error> {
        self.brands.by_service_name(self.publication.kind, name).ok_or(Error::Unknown(Message::new("no-such-service")))
    }

    /// The service with this name or alias.
    pub fn service_named(&self, name: &str) -> Result<String, Error> {
        Ok(self.brand_named(name)?.service.clone())
    }

    /// The service of the request's host, if that is a brand of this kind.
    pub fn service_of(&self, site: Option<&Site>) -> Result<String, Error> {
        let own = site.filter(|site| site.brand.kind == self.publication.kind);
        own.map(|site| site.brand.service.clone()).ok_or(Error::Unknown(Message::new("no-such-service")))
    }

    /// The table of a kind of record.
    pub(crate) fn table_of(&self, kind: &str) -> Result<Table, Problem> {
        let tables = self.publication.content().tables;
        tables.iter().find(|table| table.kind == kind).copied().ok_or_else(|| {
            let kinds = tables.iter().map(|table| table.kind).collect::<Vec<_>>().join(", ");
            Problem::unprocessable(
                StaffText::new("no-such-kind")
                    .with("service", self.publication.name)
                    .with("kind", format!("{kind:?}"))
                    .with("kinds", kinds),
            )
        })
    }

    fn routes(&self, routes: &mut ServiceConfig, admin_token: AdminToken) {
        let Publication { prefix, visitors, .. } = self.publication;
        let editors = scope("/internal").app_data(service::body_config(import::MAX_BATCH_BYTES));
        routes
            .app_data(Data::new(self.clone()))
            .app_data(Data::new(self.brands.clone()))
            .app_data(Data::new(admin_token))
            .service(scope(prefix).configure(visitors.routes))
            .service(
                editors
                    .configure(EDITORS.routes)
                    .configure(SUPPORT.routes)
                    .configure(self.publication.content().records.routes),
            );
        let publication = self.publication;
        openapi::publish(routes, move || publication.openapi());
    }
}

/// Starts `publication` on `bind`; returns once its tables are migrated. `own` adds `app_data` that only this service's handlers use.
pub async fn start<F>(publication: Publication, bind: SocketAddr, config: Config, own: F) -> Result<Running, StartError>
where
    F: Fn(&mut ServiceConfig) + Send + Clone + 'static,
{
    let listener = service::listen(publication.name, bind)?;
    let staff_keys = staff_keys(&config)?;
    let app = App::open(publication, &config, staff_keys.clone()).await?;
    let admin_token = AdminToken::new(config.admin_token.as_deref()).with_staff_keys(staff_keys);
    changes::start(&app);
    let db = app.db.clone();
    let ready = Arc::new(move || {
        let db = db.clone();
        Box::pin(async move { db.is_reachable().await }) as _
    });
    service::serve(publication.name, listener, &config.serve, ready, move |routes| {
        app.routes(routes, admin_token.clone());
        own(routes);
    })
}

/// The keys that verify tokens of staff; in production, published keys are rejected.
fn staff_keys(config: &Config) -> Result<Option<VerifyingKeys>, StartError> {
    const NAME: &str = "STAFF_TOKEN_PUBLIC_KEYS";
    let Some(keys) = config.staff_token_public_keys.as_deref().filter(|keys| !keys.is_empty()) else { return Ok(None) };
    if config.production.on {
        service::refuse_published(NAME, keys.as_bytes())?;
    }
    VerifyingKeys::parse(keys).map(Some).map_err(|error| StartError::Setting(format!("{NAME}: {error}")))
}

/// A verifier of sessions with the keys of `SESSION_PUBLIC_KEYS`; in production, published keys are rejected.
pub fn session_verifier(public_keys: &str, production: &Production) -> Result<SessionVerifier, StartError> {
    if production.on {
        service::refuse_published("SESSION_PUBLIC_KEYS", public_keys.as_bytes())?;
    }
    SessionVerifier::parse(public_keys).map_err(|error| StartError::Setting(format!("SESSION_PUBLIC_KEYS: {error}")))
}
