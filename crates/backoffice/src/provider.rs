//! The OpenID provider of single sign-on (OpenID Connect): its settings, where it sends a browser, the exchange of a code, and the verification
//! of what its token says about a person. Endpoints and keys are read when they are first needed.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{
    Algorithm, DecodingKey, Header, Validation,
    jwk::{Jwk, PublicKeyUse},
};
use reqwest::header;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use service::StartError;
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use crate::NAME;

/// How long the provider may take for an answer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long its endpoints and keys are used before they are read again.
const FRESH: Duration = Duration::from_secs(60 * 60);
/// A token of an unknown key makes them be read again, but only when they are at least this old.
const FRESH_FOR_UNKNOWN_KEY: Duration = Duration::from_secs(10);
/// Algorithms of public keys. Any other, such as `none` or one of a shared secret, is refused.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Single sign-on by OpenID Connect. The issuer, the client and its secret are set together.
///
/// Holds a secret, so it does not implement Debug.
#[derive(clap::Args, Clone)]
pub struct SingleSignOnConfig {
    /// The issuer of the OpenID provider that staff can sign in with, exactly as in its tokens. Empty: staff sign in by password alone.
    #[arg(long, env = "OIDC_ISSUER", default_value = "")]
    pub oidc_issuer: String,
    /// The client's id at the OpenID provider.
    #[arg(long, env = "OIDC_CLIENT_ID", default_value = "")]
    pub oidc_client_id: String,
    /// The client's secret at the OpenID provider.
    #[arg(long, env = "OIDC_CLIENT_SECRET", default_value = "", hide_env_values = true)]
    pub oidc_client_secret: String,
    /// What the button of the sign-in page calls the OpenID provider: "Sign in with …".
    #[arg(long, env = "OIDC_NAME", default_value = "single sign-on")]
    pub oidc_name: String,
    /// Which second factor a single sign-on needs: the back office's own, or the provider's where its token names one of OIDC_SECOND_FACTOR_VALUES.
    #[arg(long, env = "OIDC_SECOND_FACTOR", value_enum, default_value_t = SecondFactorOf::Own)]
    pub oidc_second_factor: SecondFactorOf,
    /// Values of `amr` or `acr`, separated by commas, by which the provider's token says that a second factor was used.
    #[arg(long, env = "OIDC_SECOND_FACTOR_VALUES", value_delimiter = ',', default_value = "mfa")]
    pub oidc_second_factor_values: Vec<String>,
}

impl Default for SingleSignOnConfig {
    fn default() -> Self {
        Self {
            oidc_issuer: String::new(),
            oidc_client_id: String::new(),
            oidc_client_secret: String::new(),
            oidc_name: "single sign-on".to_owned(),
            oidc_second_factor: SecondFactorOf::Own,
            oidc_second_factor_values: vec!["mfa".to_owned()],
        }
    }
}

/// Whose second factor counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SecondFactorOf {
    /// The back office's: a code or a passkey.
    Own,
    /// The provider's, where its token says that there was one.
    Provider,
}

/// Why a person is not identified. The cause is for the log.
#[derive(Debug)]
pub(crate) enum ProviderError {
    /// The provider does not answer, or not as the protocol says.
    Unavailable(String),
    /// The provider refuses, or its token is not good.
    Refused(String),
}

/// What the provider says about a person.
pub(crate) struct Identity {
    pub(crate) subject: String,
    /// The email address in lower case, if the provider has verified it.
    pub(crate) verified_email: Option<String>,
    /// Whether the provider's second factor was used, and counts.
    pub(crate) has_second_factor: bool,
}

/// The provider.
#[derive(Clone)]
pub(crate) struct Provider(Arc<Inner>);

struct Inner {
    name: String,
    issuer: String,
    client_id: String,
    client_secret: String,
    redirect_uri: String,
    /// Values of `amr` and `acr`; empty where the provider's second factor does not count.
    second_factor_values: Vec<String>,
    http: reqwest::Client,
    https_only: bool,
    metadata: Mutex<Option<Arc<Metadata>>>,
}

/// What discovery has.
struct Metadata {
    authorization_endpoint: Url,
    token_endpoint: String,
    /// Whether the client's secret is in the form of a token request, and not in its head.
    is_secret_in_form: bool,
    keys: Vec<Jwk>,
    read_at: Instant,
}

impl Metadata {
    /// The key that a token names; it may be left out where there is one key.
    fn key(&self, header: &Header) -> Option<&Jwk> {
        match &header.kid {
            Some(_) => self.keys.iter().find(|key| key.common.key_id == header.kid),
            None => self.keys.first().filter(|_| self.keys.len() == 1),
        }
    }
}

/// The document of discovery.
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

#[derive(Deserialize)]
struct Keys {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    aud: Value,
    azp: Option<String>,
    nonce: Option<String>,
    email: Option<String>,
    email_verified: Option<Value>,
    #[serde(default)]
    amr: Vec<String>,
    acr: Option<String>,
}

impl Provider {
    /// The provider of the settings, if there is one.
    pub(crate) fn new(
        config: &SingleSignOnConfig,
        redirect_uri: String,
        https_only: bool,
    ) -> Result<Option<Self>, StartError> {
        let settings = [
            ("OIDC_ISSUER", &config.oidc_issuer),
            ("OIDC_CLIENT_ID", &config.oidc_client_id),
            ("OIDC_CLIENT_SECRET", &config.oidc_client_secret),
        ];
        if settings.iter().all(|(_, value)| value.is_empty()) {
            return Ok(None);
        }
        if let Some((missing, _)) = settings.iter().find(|(_, value)| value.is_empty()) {
            return Err(StartError::Setting(format!(
                "{missing}: not set; single sign-on needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"
            )));
        }
        if https_only {
            service::refuse_plain_http("OIDC_ISSUER", &config.oidc_issuer)?;
        }
        if !Url::parse(&config.oidc_issuer).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
            return Err(StartError::Setting("OIDC_ISSUER: is no http or https address".to_owned()));
        }
        let values = config.oidc_second_factor_values.iter().filter(|value| !value.is_empty());
        let http = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .https_only(https_only)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| StartError::other(NAME, error))?;
        Ok(Some(Self(Arc::new(Inner {
            name: config.oidc_name.clone(),
            issuer: config.oidc_issuer.clone(),
            client_id: config.oidc_client_id.clone(),
            client_secret: config.oidc_client_secret.clone(),
            redirect_uri,
            second_factor_values: match config.oidc_second_factor {
                SecondFactorOf::Own => Vec::new(),
                SecondFactorOf::Provider => values.cloned().collect(),
            },
            http,
            https_only,
            metadata: Mutex::default(),
        }))))
    }

    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn issuer(&self) -> &str {
        &self.0.issuer
    }

    /// Where a browser goes to sign in (authorization code flow with PKCE).
    pub(crate) async fn address(&self, state: &str, nonce: &str, verifier: &str) -> Result<String, ProviderError> {
        let mut address = self.metadata(FRESH).await?.authorization_endpoint.clone();
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("scope", "openid email")
            .append_pair("client_id", &self.0.client_id)
            .append_pair("redirect_uri", &self.0.redirect_uri)
            .append_pair("state", state)
            .append_pair("nonce", nonce)
            .append_pair("code_challenge_method", "S256")
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)));
        Ok(address.into())
    }

    /// Exchanges the code that a browser brought back for a token, and verifies it.
    pub(crate) async fn identify(&self, code: &str, verifier: &str, nonce: &str) -> Result<Identity, ProviderError> {
        let metadata = self.metadata(FRESH).await?;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &self.0.redirect_uri)
            .append_pair("code_verifier", verifier);
        let mut request = self.0.http.post(&metadata.token_endpoint);
        if metadata.is_secret_in_form {
            form.append_pair("client_id", &self.0.client_id).append_pair("client_secret", &self.0.client_secret);
        } else {
            // RFC 6749, section 2.3.1: both are encoded as in a form.
            let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encoded(&self.0.client_id), Some(encoded(&self.0.client_secret)));
        }
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form.finish());
        let tokens: Tokens = read(request).await?;
        self.verify(&tokens.id_token, nonce).await
    }

    async fn verify(&self, token: &str, nonce: &str) -> Result<Identity, ProviderError> {
        let refused = |cause: &str| ProviderError::Refused(cause.to_owned());
        let header = jsonwebtoken::decode_header(token).map_err(|error| refused(&error.to_string()))?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(refused("the token's algorithm is not one of a public key"));
        }
        let mut metadata = self.metadata(FRESH).await?;
        if metadata.key(&header).is_none() {
            metadata = self.metadata(FRESH_FOR_UNKNOWN_KEY).await?;
        }
        let key = metadata.key(&header).ok_or_else(|| refused("the token is signed by an unknown key"))?;
        let key = DecodingKey::from_jwk(key).map_err(|error| refused(&error.to_string()))?;
        let mut validation = Validation::new(header.alg);
        validation.set_issuer(&[&self.0.issuer]);
        validation.set_audience(&[&self.0.client_id]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.validate_nbf = true;
        let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation)
            .map_err(|error| refused(&error.to_string()))?
            .claims;
        if claims.nonce.as_deref() != Some(nonce) {
            return Err(refused("the token's nonce is another one"));
        }
        let has_other_audience = claims.aud.as_array().is_some_and(|audience| audience.len() > 1);
        if claims.azp.as_ref().map_or(has_other_audience, |party| *party != self.0.client_id) {
            return Err(refused("the token was issued to another client"));
        }
        let values = &self.0.second_factor_values;
        Ok(Identity {
            has_second_factor: claims.amr.iter().chain(&claims.acr).any(|value| values.contains(value)),
            verified_email: claims
                .email
                .filter(|_| claims.email_verified == Some(Value::Bool(true)))
                .map(|email| email.trim().to_lowercase()),
            subject: claims.sub,
        })
    }

    /// Endpoints and keys, read again where they are older than `fresh`.
    async fn metadata(&self, fresh: Duration) -> Result<Arc<Metadata>, ProviderError> {
        let known = self.0.metadata.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(known) = known.filter(|known| known.read_at.elapsed() < fresh) {
            return Ok(known);
        }
        let read = Arc::new(self.discover().await?);
        *self.0.metadata.lock().unwrap_or_else(PoisonError::into_inner) = Some(read.clone());
        Ok(read)
    }

    async fn discover(&self) -> Result<Metadata, ProviderError> {
        let wrong = |cause: &str| ProviderError::Unavailable(format!("discovery: {cause}"));
        let document = format!("{}/.well-known/openid-configuration", self.0.issuer.trim_end_matches('/'));
        let found: Discovery = read(self.0.http.get(document)).await.map_err(away)?;
        if found.issuer != self.0.issuer {
            return Err(wrong("the document is of another issuer"));
        }
        let authorization_endpoint =
            Url::parse(&found.authorization_endpoint).map_err(|error| wrong(&error.to_string()))?;
        let schemes: &[&str] = if self.0.https_only { &["https"] } else { &["https", "http"] };
        if !schemes.contains(&authorization_endpoint.scheme()) {
            return Err(wrong("the authorization endpoint has no https address"));
        }
        let keys: Keys = read(self.0.http.get(&found.jwks_uri)).await.map_err(away)?;
        let methods = &found.token_endpoint_auth_methods_supported;
        let has = |method: &str| methods.iter().any(|known| known == method);
        Ok(Metadata {
            authorization_endpoint,
            token_endpoint: found.token_endpoint,
            is_secret_in_form: has("client_secret_post") && !has("client_secret_basic"),
            // A key of a kind that is not known here hides no other.
            keys: keys
                .keys
                .into_iter()
                .filter_map(|key| serde_json::from_value::<Jwk>(key).ok())
                .filter(|key| key.common.public_key_use != Some(PublicKeyUse::Encryption))
                .collect(),
            read_at: Instant::now(),
        })
    }
}

/// Discovery has no reason to refuse.
fn away(error: ProviderError) -> ProviderError {
    match error {
        ProviderError::Refused(cause) | ProviderError::Unavailable(cause) => ProviderError::Unavailable(cause),
    }
}

/// The JSON of a reply. A client error is a refusal.
async fn read<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> Result<T, ProviderError> {
    let unavailable = |error: reqwest::Error| ProviderError::Unavailable(error.to_string());
    let reply = request.header(header::ACCEPT, "application/json").send().await.map_err(unavailable)?;
    match reply.status() {
        status if status.is_success() => reply.json().await.map_err(unavailable),
        status if status.is_client_error() => Err(ProviderError::Refused(format!("the provider answered {status}"))),
        status => Err(ProviderError::Unavailable(format!("the provider answered {status}"))),
    }
}
