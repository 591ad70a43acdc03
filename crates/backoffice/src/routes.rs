//! All endpoints of the back office.

use actix_web::{
    http::header,
    middleware::{DefaultHeaders, from_fn},
    web::{self, Data, Json, ServiceConfig, scope},
};
use serde_json::Value;
use service::{
    Admin, ClockReply, ClockRequest, StaffText,
    openapi::{self, Endpoints},
};

use crate::{
    NAME,
    app::App,
    approvals,
    audit::log,
    content::{drafts, imports, previews, publish, records, releases, viewing},
    error::Error,
    finance::{assignments, charges, differences, documents, months, subscribers, terms},
    grants,
    guard::{self, recent},
    invitations, open_sign_ins, overview,
    pages::{self, Pages},
    passkeys, private_drafts, publishers, sessions, sign_in, single_sign_on, staff,
    support::{actions, cases, dossier, erasures, exports, notes, record, refunds},
    uploads::{captions, list, pictures, tus},
};

/// Below `/api`. `recent` stands at each call that shows or exports a full number, moves money, closes a month, erases, or changes roles or ways to sign in.
const STAFF: Endpoints = service::endpoints! {
    public GET "/invitations/{token}" => invitations::get_invitation,
    public POST "/invitations/{token}" => invitations::accept,
    public POST "/invitations/{token}/provider" => single_sign_on::begin_acceptance,
    public POST "/session" => sign_in::sign_in,
    public GET "/session/second-factor" => open_sign_ins::get_second_factor,
    public POST "/session/second-factor" => open_sign_ins::prove_second_factor,
    staff POST "/second-factor" => open_sign_ins::begin_proof,
    public GET "/sign-in" => single_sign_on::get_options,
    public POST "/sign-in/provider" => single_sign_on::begin,
    public GET "/sign-in/callback" => single_sign_on::come_back,
    staff GET "/sign-in/link" => single_sign_on::get_link,
    staff(recent) POST "/sign-in/link" => single_sign_on::begin_link,
    staff DELETE "/sign-in/link" => single_sign_on::unlink,
    staff GET "/passkeys" => passkeys::list_passkeys,
    staff(recent) POST "/passkeys" => passkeys::add_passkey,
    staff(recent) POST "/passkeys/challenge" => passkeys::begin_registration,
    staff DELETE "/passkeys/{id}" => passkeys::remove_passkey,
    staff GET "/session" => sign_in::get_session,
    staff DELETE "/session" => sign_in::sign_out,
    staff GET "/overview" => overview::get_overview,
    staff GET "/sessions" => sessions::list_sessions,
    staff DELETE "/sessions/{id}" => sessions::end_session,
    staff GET "/private-drafts" => private_drafts::get_private_draft,
    staff PUT "/private-drafts" => private_drafts::keep_private_draft,
    staff DELETE "/private-drafts" => private_drafts::drop_private_draft,
    administrator GET "/staff" => staff::list_staff,
    administrator(recent) PUT "/staff/{id}" => staff::change_staff,
    administrator(recent) POST "/staff/{id}/role" => grants::decide_role,
    administrator(recent) POST "/staff/{id}/reset" => invitations::reset,
    administrator(recent) POST "/invitations" => invitations::invite,
    administrator GET "/audit" => log::list_entries,
    administrator GET "/audit/export" => log::export,
    administrator GET "/audit/check" => log::check,
};

/// Below `/api`.
const SUPPORT: Endpoints = service::endpoints! {
    support POST "/support/search" => record::search,
    support GET "/support/cases" => cases::list_cases,
    support POST "/support/cases/{id}/close" => cases::close_case,
    support GET "/support/{record}" => record::get_record,
    support(recent) POST "/support/{record}/reveal" => record::reveal,
    support POST "/support/{record}/end" => actions::end_subscription,
    support PUT "/support/{record}/block" => actions::change_block,
    support POST "/support/{record}/messages/{id}/retry" => actions::send_again,
    support(recent) POST "/support/{record}/refund" => refunds::refund,
    support POST "/support/{record}/notes" => notes::add_note,
    support(recent) POST "/support/{record}/dossier" => dossier::make,
    support(recent) POST "/support/{record}/export" => exports::export,
    support GET "/support/{record}/erasure" => erasures::preview_erasure,
    support(recent) POST "/support/{record}/erasure" => erasures::request_erasure,
    support GET "/erasures" => erasures::list_erasures,
    support(recent) POST "/erasures/{id}" => erasures::decide_erasure,
    support GET "/erasures/{id}/letter.txt" => erasures::get_letter,
    support GET "/approvals" => approvals::list_approvals,
    support(recent) POST "/approvals/{id}" => approvals::decide,
};

/// Below `/api`.
const FINANCE: Endpoints = service::endpoints! {
    finance GET "/finance/months" => months::list_months,
    finance GET "/finance/books/{month}" => months::get_book,
    finance GET "/finance/books/{month}/book.csv" => documents::get_csv,
    finance GET "/finance/books/{month}/statement.html" => documents::get_statement,
    finance(recent) POST "/finance/books/{month}/close" => months::close,
    finance GET "/finance/subscribers/{month}" => subscribers::list_days,
    finance GET "/finance/terms" => terms::list_terms,
    finance POST "/finance/terms" => terms::add_term,
    finance POST "/finance/vat" => terms::add_vat_rate,
    finance GET "/finance/differences" => differences::list_days,
    finance(recent) POST "/finance/differences/{day}" => differences::compare_day,
    finance PUT "/finance/differences/{day}/assignment" => assignments::assign,
    finance GET "/finance/assignments" => assignments::list_assignments,
    money GET "/charges/pauses" => charges::list_pauses,
    money POST "/charges/pause" => charges::pause_charges,
    money POST "/charges/resume" => charges::resume_charges,
};

/// Below `/api`.
const PUBLISHERS: Endpoints = service::endpoints! {
    business GET "/publishers" => publishers::list_publishers,
    business GET "/publishers/evidence.json" => publishers::get_evidence_json,
    business GET "/publishers/evidence.csv" => publishers::get_evidence_csv,
    administrator POST "/publishers/hold" => publishers::hold_publisher,
    administrator POST "/publishers/release" => publishers::release_publisher,
};

/// Below `/api`.
const CONTENT: Endpoints = service::endpoints! {
    content GET "/content/kinds" => records::list_kinds,
    content GET "/content/{catalogue}/{kind}/records" => records::list_records,
    content GET "/content/{catalogue}/{kind}/translations" => records::count_missing,
    content GET "/content/{catalogue}/{kind}/records/{slug}" => records::get_record,
    content POST "/content/{catalogue}/{kind}/records/{slug}/undo" => drafts::undo,
    content POST "/content/{catalogue}/{kind}/records/{slug}/preview" => previews::preview_record,
    publisher POST "/content/{catalogue}/{kind}/records/{slug}/state" => publish::change_state,
    content POST "/content/{catalogue}/{kind}/drafts" => drafts::save,
    content GET "/content/drafts" => drafts::list_drafts,
    content DELETE "/content/drafts/{id}" => drafts::discard,
    content POST "/content/drafts/{id}/submit" => drafts::submit,
    publisher POST "/content/drafts/{id}/return" => drafts::send_back,
    publisher POST "/content/drafts/{id}/publish" => publish::publish,
    content POST "/content/releases" => releases::make,
    content GET "/content/{catalogue}/{kind}/export.csv" => imports::export,
    content GET "/content/imports" => imports::list_imports,
    content POST "/content/{catalogue}/imports" => imports::upload,
    content GET "/content/{catalogue}/imports/{id}" => imports::get_import,
    content DELETE "/content/{catalogue}/imports/{id}" => imports::discard,
    content GET "/content/{catalogue}/imports/{id}/differences" => imports::list_differences,
    content POST "/content/{catalogue}/imports/{id}/preview" => previews::preview_import,
    publisher POST "/content/{catalogue}/imports/{id}/apply" => imports::apply,
    content GET "/thumbnail" => viewing::get_thumbnail,
    content GET "/film" => viewing::get_film,
};

/// Below `/api`. `uploads::tus` is the tus protocol.
const UPLOADS: Endpoints = service::endpoints! {
    content GET "/uploads" => list::list_uploads,
    content OPTIONS "/uploads" => tus::describe_uploads,
    content POST "/uploads" => tus::begin_upload,
    content GET "/uploads/{id}" => list::get_upload,
    content HEAD "/uploads/{id}" => tus::get_offset,
    content PATCH "/uploads/{id}" => tus::add_part,
    content DELETE "/uploads/{id}" => tus::end_upload,
    content GET "/uploads/{id}/stills/{still}" => list::get_still,
    content POST "/uploads/{id}/poster" => list::choose_poster,
    content GET "/pictures" => pictures::get_picture,
    content GET "/captions" => captions::get_captions,
    content POST "/captions" => captions::publish_captions,
};

/// Scripts and styles come from files of this server alone; nothing inline runs, and no other site can frame a page. `blob:` is for pictures that
/// a person chose from the own computer.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The service's OpenAPI document.
pub fn openapi() -> Value {
    let about =
        "Staff, their roles and sessions, content, the work of support, the books, and the audit log of what they do.";
    openapi::document(
        NAME,
        about,
        &[
            ("/api", STAFF),
            ("/api", SUPPORT),
            ("/api", FINANCE),
            ("/api", PUBLISHERS),
            ("/api", CONTENT),
            ("/api", UPLOADS),
        ],
    )
}

/// Moves the clock forward, where tests may.
async fn move_clock(_: Admin, app: Data<App>, request: Json<ClockRequest>) -> Result<Json<ClockReply>, Error> {
    app.clock.move_forward(&request).map(Json).ok_or(Error::NotPossible(StaffText::new("clock-backwards")))
}

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App, pages: &Pages) {
    let is_https = app.is_https();
    let headers = move || {
        let headers = match is_https {
            true => DefaultHeaders::new().add((header::STRICT_TRANSPORT_SECURITY, "max-age=31536000")),
            false => DefaultHeaders::new(),
        };
        headers
            .add((header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY))
            .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .add((header::REFERRER_POLICY, "no-referrer"))
            .add(("cross-origin-opener-policy", "same-origin"))
    };
    let no_store = DefaultHeaders::new().add((header::CACHE_CONTROL, "no-store"));
    routes.app_data(Data::new(app.clone())).app_data(Data::new(pages.clone()));
    openapi::publish(routes, openapi);
    if let Some(token) = app.test_clock.clone() {
        routes.app_data(Data::new(token)).route("/internal/clock", web::post().to(move_clock));
    }
    routes
        .service(
            scope("/api")
                .wrap(from_fn(guard::guard))
                .wrap(no_store)
                .wrap(headers())
                .configure(STAFF.routes)
                .configure(SUPPORT.routes)
                .configure(FINANCE.routes)
                .configure(PUBLISHERS.routes)
                .configure(CONTENT.routes)
                .configure(UPLOADS.routes),
        )
        .service(web::resource("/{address:.*}").wrap(headers()).route(web::get().to(pages::get_page)));
}
