//! The OpenAPI document of a service: one line per endpoint defines its route and its entry in the document, so that neither exists
//! without the other.
//!
//! A service's `routes.rs` lists its endpoints with `endpoints!`; parameters and responses are in `#[utoipa::path]` on the handler.
//! `parts` has what all services share, and `complete` adds to each operation what follows from its parameters and access.

mod complete;
mod parts;

use std::{cell::OnceCell, collections::BTreeMap, rc::Rc};

use actix_web::{
    HttpResponse, Resource, Route,
    http::header,
    web::{self, ServiceConfig},
};
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{Problem, Route as CountedAs};

pub use parts::{Cached, Conflict, Forbidden, NotFound, Refused, TooMany, Unauthorized};

/// Who may make a call. The names are the values of `x-access` in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(non_camel_case_types, reason = "they are written as words in the lines of a URL map")]
pub enum Access {
    /// Every client; all get the same reply.
    public,
    /// Every client; with a session, the reply may differ.
    visitor,
    /// A session for the brand of the host.
    session,
    /// A session, for its own phone number only.
    owner,
    /// Machines, with the admin token.
    admin,
    /// Machines, and members of staff under a token of the back office with the scope of support.
    support_scope,
    /// Machines, and members of staff under a token of the back office with the scope of finance.
    finance_scope,
    /// Machines, and members of staff under a token of the back office with the scope of editors.
    editors_scope,
    /// Machines, and members of staff under a token of the back office with the scope of the overview.
    overview_scope,
    /// A network, by its signature.
    network,
    /// A member of staff with a session of the back office.
    staff,
    /// A member of staff with the role of administrators.
    administrator,
    /// A member of staff with the role of support.
    support,
    /// A member of staff with the role of finance.
    finance,
    /// A member of staff with the role of finance or of administrators.
    money,
    /// A member of staff with the role of support, of finance or of administrators.
    business,
    /// A member of staff with the role of editors or of publishers.
    content,
    /// A member of staff with the role of publishers.
    publisher,
}

/// One endpoint with its OpenAPI operation.
pub struct DescribedEndpoint {
    method: Method,
    path: &'static str,
    access: Access,
    /// The call's own middleware, if it has one.
    guards: &'static [&'static str],
    operation: Value,
    schemas: Vec<(String, Value)>,
}

/// The calls of one scope of a URL map.
#[derive(Clone, Copy)]
pub struct Endpoints {
    /// Adds the routes to a scope, or to a whole service.
    pub routes: fn(&mut ServiceConfig),
    #[doc(hidden)]
    pub described: fn() -> Vec<DescribedEndpoint>,
}

/// The calls below one prefix, one a line: who may call, method, address, handler. A middleware of a single call is in brackets.
///
/// ```ignore
/// const VISITORS: Endpoints = service::endpoints! {
///     public GET "/getCategory/{service}" => categories::list_categories,
///     owner POST "/likevideo" => likes::add_like,
///     support(guard::recent) POST "/support/{record}/reveal" => record::reveal,
/// };
/// ```
#[macro_export]
macro_rules! endpoints {
    ($($access:ident $(($guard:path))? $method:ident $path:literal => $module:ident :: $handler:ident),* $(,)?) => {
        $crate::openapi::Endpoints {
            routes: |routes| {
                $crate::openapi::mount(routes, vec![
                    $(($path, $crate::openapi::Method::$method, $crate::openapi::handle($module::$handler)
                        $(.wrap($crate::openapi::from_fn($guard)))?),)*
                ])
            },
            described: || {
                vec![$($crate::openapi::described::<$crate::openapi::paste!($module::[<__path_ $handler>])>(
                    $crate::openapi::Access::$access,
                    $crate::openapi::Method::$method,
                    $path,
                    &[$(stringify!($guard))?],
                )),*]
            },
        }
    };
}

#[doc(hidden)]
pub use actix_web::{http::Method, middleware::from_fn, web::to as handle};
#[doc(hidden)]
pub use pastey::paste;

/// One resource per path. Other methods get 405 with `Allow` (RFC 9110 section 15.5.6).
#[doc(hidden)]
pub fn mount(routes: &mut ServiceConfig, calls: Vec<(&'static str, Method, Route)>) {
    let mut by_path: BTreeMap<&str, Vec<(Method, Route)>> = BTreeMap::new();
    for (path, method, route) in calls {
        by_path.entry(path).or_default().push((method, route));
    }
    for (path, calls) in by_path {
        let allowed = calls.iter().map(|(method, _)| method.as_str()).collect::<Vec<_>>().join(", ");
        let refuse = move || std::future::ready(Problem::method_not_allowed(allowed.as_str()));
        let resource = web::resource(path).app_data(CountedAs::pattern()).default_service(web::to(refuse));
        let add = |resource: Resource, (method, route): (Method, Route)| resource.route(route.method(method));
        routes.service(calls.into_iter().fold(resource, add));
    }
}

#[doc(hidden)]
pub fn described<P>(
    access: Access,
    method: Method,
    path: &'static str,
    guards: &'static [&'static str],
) -> DescribedEndpoint
where
    P: utoipa::Path + utoipa::__dev::SchemaReferences,
{
    let methods = P::methods();
    debug_assert!(
        methods.iter().map(value).eq([json!(method.as_str().to_lowercase())]),
        "{method} {path} is documented with another method"
    );
    let mut schemas = Vec::new();
    P::schemas(&mut schemas);
    let schemas = schemas.into_iter().map(|(name, schema)| (name, value(&schema))).collect();
    DescribedEndpoint { method, path, access, guards, operation: value(&P::operation()), schemas }
}

/// The OpenAPI document of a service: `about` in a sentence, and its endpoints by prefix.
pub fn document(service: &'static str, about: &str, scopes: &[(&str, Endpoints)]) -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    for (prefix, endpoints) in scopes {
        for call in (endpoints.described)() {
            schemas.extend(call.schemas);
            let method = call.method.as_str().to_lowercase();
            let address = format!("{prefix}{}", call.path);
            let mut operation = complete::operation(service, call.access, &call.method, &address, call.operation);
            for guard in call.guards {
                put(&mut operation, "x-guard", *guard);
            }
            let path = paths.entry(address).or_insert_with(|| json!({}));
            put(path, &method, operation);
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": format!("Spaza: {service}"), "version": env!("CARGO_PKG_VERSION"), "description": about },
        "tags": [{ "name": service, "description": about }],
        "paths": paths,
        "components": { "schemas": schemas },
    });
    parts::add_referenced_components(&mut document);
    document
}

/// Serves the service's document at `GET /openapi.json`. It is made when it is read first, which most processes never see.
pub fn publish(routes: &mut ServiceConfig, document: impl Fn() -> Value + 'static) {
    let made = Rc::new((OnceCell::new(), document));
    let respond = move || {
        let text = made.0.get_or_init(|| made.1().to_string()).clone();
        async move {
            HttpResponse::Ok()
                .content_type("application/json")
                .insert_header((header::CACHE_CONTROL, "no-cache"))
                .body(text)
        }
    };
    routes.route("/openapi.json", web::get().to(respond));
}

fn put(object: &mut Value, name: &str, part: impl Into<Value>) {
    if let Value::Object(object) = object {
        object.insert(name.to_owned(), part.into());
    }
}

fn value(part: &impl serde::Serialize) -> Value {
    // Everything utoipa builds is plain data.
    serde_json::to_value(part).unwrap_or_default()
}

fn schema_of<T: PartialSchema>() -> Value {
    let schema: RefOr<Schema> = T::schema();
    value(&schema)
}
