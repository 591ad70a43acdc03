//! Cookies that prove something have the prefix `__Host-` in browsers that use https: no other host, and no page in clear text, can set
//! one of that name (RFC 6265bis section 4.1.3.2). Services know them without it.

use http::{
    HeaderMap, HeaderValue,
    header::{COOKIE, SET_COOKIE},
};

const PREFIX: &str = "__Host-";

/// A session, the browser in which a join began, the browser that saves films, and a preview of staff.
fn proves(name: &str) -> bool {
    name.starts_with("session-") || matches!(name, "browser" | "device" | "preview")
}

/// Takes the prefix off, and leaves out cookies of such names that came without it. Services decode names, so others with `%` go as well.
pub(crate) fn read(headers: &mut HeaderMap) {
    let plain = |pair: &str| {
        let (name, value) = pair.trim().split_once('=')?;
        match name.strip_prefix(PREFIX) {
            Some(name) if proves(name) => Some(format!("{name}={value}")),
            _ if proves(name) || name.contains('%') => None,
            _ => Some(pair.trim().to_owned()),
        }
    };
    let given = headers.get_all(COOKIE).iter().filter_map(|cookies| str::from_utf8(cookies.as_bytes()).ok());
    let kept: Vec<String> = given.flat_map(|cookies| cookies.split(';')).filter_map(plain).collect();
    headers.remove(COOKIE);
    if let Ok(kept) = HeaderValue::try_from(kept.join("; "))
        && !kept.is_empty()
    {
        headers.insert(COOKIE, kept);
    }
}

/// Puts the prefix before those that a response sets; browsers accept it with `Secure` alone.
pub(crate) fn write(headers: &mut HeaderMap) {
    for (_, cookie) in headers.iter_mut().filter(|(name, _)| **name == SET_COOKIE) {
        let text = cookie.to_str().ok().filter(|text| text.contains("; Secure"));
        let proof = text.filter(|text| text.split_once('=').is_some_and(|(name, _)| proves(name)));
        if let Some(prefixed) = proof.and_then(|text| HeaderValue::try_from(format!("{PREFIX}{text}")).ok()) {
            *cookie = prefixed;
        }
    }
}
