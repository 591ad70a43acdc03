//! What `PRODUCTION=1` refuses: secrets that are short or published, the operator sandbox as a network, and plain http as a public
//! address.

use clap::{ArgAction, builder::BoolishValueParser};
use url::{Host, Url};

use crate::StartError;

/// The minimum length of a secret in bytes.
const MIN_SECRET_BYTES: usize = 32;

/// Secrets in this repository, and the public key of one of them.
const PUBLISHED: [&str; 6] = [
    "dev-admin",
    "dev-notify",
    "test-admin",
    // The key pair of the fuzz targets.
    "k4.secret.6Pcel5Zl3c_uJ7g6dzyNwB3q-PJ7n2S77_pnc7UnWQd478p__1B5j26yTrJ2DeW1zcaEFCcJsZVdfykXByN6CQ",
    "k4.public.eO_Kf_9QeY9usk6ydg3ltc3GhBQnCbGVXX8pFwcjegk",
    "spaza:dev-network",
];

/// Whether the process serves real customers.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Production {
    /// Refuses settings that are unsafe in production (1 or 0).
    #[arg(long = "production", env = "PRODUCTION", default_value = "0", value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub on: bool,
}

/// An error that names the variable where its secret has fewer than 32 bytes, or is published.
pub fn refuse_weak_secret(name: &str, secret: &[u8]) -> Result<(), StartError> {
    refuse_published(name, secret)?;
    if secret.len() < MIN_SECRET_BYTES {
        return Err(refusal(name, &format!("must have at least {MIN_SECRET_BYTES} bytes together with PRODUCTION=1")));
    }
    Ok(())
}

/// The same for `ADMIN_TOKEN`, which may be unset or empty: then `/internal` refuses every call.
pub fn refuse_weak_admin_token(token: Option<&str>) -> Result<(), StartError> {
    token.filter(|token| !token.is_empty()).map_or(Ok(()), |token| refuse_weak_secret("ADMIN_TOKEN", token.as_bytes()))
}

/// An error that names the variable if one of its comma-separated values is published in this repository.
pub fn refuse_published(name: &str, values: &[u8]) -> Result<(), StartError> {
    let is_published = |value: &[u8]| PUBLISHED.iter().any(|known| known.as_bytes() == value.trim_ascii());
    if values.split(|byte| *byte == b',').any(is_published) {
        return Err(refusal(name, "is published with the source code, and must not be set together with PRODUCTION=1"));
    }
    Ok(())
}

/// An error that names the setting if a public address is not https.
pub fn refuse_plain_http(name: &str, address: &str) -> Result<(), StartError> {
    if address.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://")) {
        return Ok(());
    }
    Err(refusal(name, &format!("{address:?} must begin with https:// together with PRODUCTION=1")))
}

/// An error that names the setting if the address of a network is the operator sandbox's: its host name, or a loopback address.
pub fn refuse_sandbox(name: &str, address: &str) -> Result<(), StartError> {
    let url = Url::parse(address).map_err(|error| refusal(name, &error.to_string()))?;
    let is_sandbox = match url.host() {
        Some(Host::Domain(domain)) => {
            let domain = domain.trim_end_matches('.');
            domain.rsplit('.').next() == Some("localhost") || domain.split('.').next() == Some("operator-sandbox")
        }
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => ip.to_canonical().is_loopback() || ip.is_unspecified(),
        None => false,
    };
    if is_sandbox {
        let host = url.host_str().unwrap_or_default();
        return Err(refusal(
            name,
            &format!("{host} is the operator sandbox, which must not be a network together with PRODUCTION=1"),
        ));
    }
    Ok(())
}

fn refusal(name: &str, cause: &str) -> StartError {
    StartError::Setting(format!("{name}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuse_weak_secret_rejects_short_and_published_secrets() {
        for secret in ["", "a", "dev-admin", &"a".repeat(31), PUBLISHED[3], &format!("{}\n", PUBLISHED[4])] {
            let line = refuse_weak_secret("ADMIN_TOKEN", secret.as_bytes()).unwrap_err().to_string();
            assert!(line.starts_with("ADMIN_TOKEN: ") && !line.contains('\n'), "{line}");
        }
        let strong = "0123456789abcdef".repeat(2);
        assert!(refuse_weak_secret("ADMIN_TOKEN", strong.as_bytes()).is_ok());
        assert!(refuse_published("SESSION_PUBLIC_KEYS", format!("{strong}, {}", PUBLISHED[4]).as_bytes()).is_err());
        for (token, is_accepted) in [(None, true), (Some(""), true), (Some("a"), false), (Some(strong.as_str()), true)]
        {
            assert_eq!(refuse_weak_admin_token(token).is_ok(), is_accepted, "{token:?}");
        }
    }

    #[test]
    fn refuse_plain_http_rejects_other_schemes() {
        for address in ["http://{label}.spaza.example", "https:/", "", "ftp://a"] {
            assert!(refuse_plain_http("BRANDS_FILE", address).is_err(), "{address}");
        }
        for address in ["https://{label}.spaza.example", "HTTPS://join.network.example"] {
            assert!(refuse_plain_http("BRANDS_FILE", address).is_ok(), "{address}");
        }
    }

    #[test]
    fn refuse_sandbox_rejects_sandbox_and_loopback_hosts() {
        for host in [
            "localhost",
            "LOCALHOST.:8090",
            "network.localhost",
            "127.0.0.1:8090",
            "127.1",
            "0.0.0.0",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "operator-sandbox:8090",
            "operator-sandbox.spaza-staging.svc.cluster.local",
        ] {
            assert!(refuse_sandbox("OPERATOR_URL", &format!("http://{host}/v1")).is_err(), "{host}");
        }
        for host in ["pull.network.example", "10.1.2.3", "operator.example", "localhost.example"] {
            assert!(refuse_sandbox("OPERATOR_URL", &format!("https://{host}/v1")).is_ok(), "{host}");
        }
    }
}
