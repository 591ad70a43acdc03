//! The front end's files, read at the start: the page for every address that is no file, and its assets.

use std::{collections::HashMap, path::Path, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::{Bytes, Data},
};
use service::{Problem, StaffText, StartError};

use crate::NAME;

const INDEX: &str = "/index.html";

/// Names below it contain a hash of the content.
const HASHED: &str = "/assets/";

/// Every file by its address.
#[derive(Clone)]
pub(crate) struct Pages(Arc<HashMap<String, Bytes>>);

impl Pages {
    /// Reads every file below `folder`; without the folder, the API alone is served.
    pub(crate) fn load(folder: &Path) -> Result<Self, StartError> {
        let mut files = HashMap::new();
        if folder.is_dir() {
            collect(folder, folder, &mut files)
                .map_err(|error| StartError::Setting(format!("BACKOFFICE_DIR: {}: {error}", folder.display())))?;
        } else {
            tracing::warn!(
                service.name = NAME,
                "BACKOFFICE_DIR: there is no {}: no pages are served",
                folder.display()
            );
        }
        Ok(Self(Arc::new(files)))
    }
}

fn collect(root: &Path, folder: &Path, files: &mut HashMap<String, Bytes>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(below) = path.strip_prefix(root) {
            files.insert(format!("/{}", below.display()), std::fs::read(&path)?.into());
        }
    }
    Ok(())
}

/// The file of this address, or the page.
pub(crate) async fn get_page(pages: Data<Pages>, req: HttpRequest) -> HttpResponse {
    let files = pages.0.as_ref();
    let is_asset = req.path().starts_with(HASHED);
    // A missing asset is one of another release: the page in its place would be run as a script.
    let address = if is_asset || files.contains_key(req.path()) { req.path() } else { INDEX };
    let Some(identity) = files.get(address) else {
        return Problem::not_found(StaffText::new("nothing-here")).response();
    };
    let accepts_brotli = req
        .headers()
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(',').any(|coding| coding.trim() == "br"));
    let kind = mime_guess::from_path(address).first_or_octet_stream();
    let mut reply = HttpResponse::Ok();
    reply
        .content_type(match kind.type_() {
            mime_guess::mime::TEXT => format!("{}; charset=utf-8", kind.essence_str()),
            _ => kind.essence_str().to_owned(),
        })
        .insert_header((header::VARY, HeaderValue::from_static("accept-encoding")))
        .insert_header((
            header::CACHE_CONTROL,
            if is_asset { "public, max-age=31536000, immutable" } else { "no-cache" },
        ));
    match files.get(&format!("{address}.br")).filter(|_| accepts_brotli) {
        Some(brotli) => reply.insert_header((header::CONTENT_ENCODING, "br")).body(brotli.clone()),
        None => reply.body(identity.clone()),
    }
}
