//! OpenAPI schemas of values that many replies share, for `#[schema(value_type = …)]` of a field.

use utoipa::ToSchema;

/// A time, UTC.
#[derive(ToSchema)]
#[schema(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$", example = "2026-11-21 08:00:00")]
pub struct Time(pub String);

/// The `https` address of a picture; the gateway shows it through `/img/`.
#[derive(ToSchema)]
#[schema(format = "uri", pattern = r"^https://\S+$", example = "https://images.spaza.example/demo/meme/monday.webp")]
pub struct HttpsAddress(pub String);

/// The same-origin address of a stream; only active subscribers have access.
#[derive(ToSchema)]
#[schema(format = "uri-reference", pattern = r"^/media/\S+$", example = "/media/mcfunny/late-taxi.mp4")]
pub struct MediaAddress(pub String);

/// The code of a language of the sites.
#[derive(ToSchema)]
#[schema(pattern = "^[a-z]{2,3}$", example = "zu")]
pub struct LanguageCode(pub String);

/// A count; never negative.
#[derive(ToSchema)]
#[schema(minimum = 0)]
pub struct Count(pub i64);

/// A name as one path segment: no slashes, control characters or doubly encoded separators; not `.`, and nothing that
/// begins with `..`.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    pattern = r"^(?!\.$)(?!\.\.)(?!.*%(2[EeFf]|5[Cc]|00))[^/\\\u0000-\u001f\u007f-\u009f]+$",
    example = "ttmbhatv"
)]
pub struct Name(pub String);

/// The parameter of `catVideos`: a name, or an id in digits.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    pattern = r"^(?!\.$)(?!\.\.)(?!.*%(2[EeFf]|5[Cc]|00))(?!0+$)(?!0*[1-9]\d{18,}$)[^/\\\u0000-\u001f\u007f-\u009f]+$",
    example = "1"
)]
pub struct NameOrId(pub String);

/// The session's number in any format; empty means the session's number, too.
#[derive(ToSchema)]
#[schema(max_length = 32, example = "")]
pub struct OwnNumber(pub String);

/// A South African mobile number in any common format.
#[derive(ToSchema)]
#[schema(max_length = 32, example = "0812345678")]
pub struct MobileNumber(pub String);

/// A masked number, or a masked token after the name of its network.
#[derive(ToSchema)]
#[schema(pattern = r"^(27•{6}\d{3}|[A-Za-z0-9_-]+:•{6}\S{3})$", example = "27••••••678")]
pub struct MaskedNumber(pub String);

/// An editors' key.
#[derive(ToSchema)]
#[schema(max_length = 100, pattern = "^[a-z0-9-]+$", example = "late-taxi")]
pub struct Slug(pub String);

/// A file below the media folder, in the brand's own folder.
#[derive(ToSchema)]
#[schema(pattern = r"^[^./][^\\%?#]*$", example = "mcfunny/late-taxi.mp4")]
pub struct MediaPath(pub String);

/// A WebVTT file below the media folder, in the brand's own folder.
#[derive(ToSchema)]
#[schema(pattern = r"^[^./][^\\%?#]*\.[vV][tT][tT]$", example = "mcfunny/late-taxi.en.vtt")]
pub struct CaptionsPath(pub String);

/// The id of a brand's service with the networks.
#[derive(ToSchema)]
#[schema(minimum = 1, example = 150)]
pub struct ServiceId(pub i32);

/// An amount in cents (ZAR).
#[derive(ToSchema)]
#[schema(minimum = 0, example = 300)]
pub struct Cents(pub i64);

/// How often a price is charged.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Period {
    /// Each of Johannesburg's calendar days.
    Day,
    /// Seven days.
    Week,
    /// From a day of the month to the same day of the next one.
    Month,
}

/// The state of a subscription; only "active" gives access.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum SubscriptionState {
    /// A join waits for the subscriber's answer at the network.
    Pending,
    /// Paying, with access.
    Active,
    /// Not paid for; tried again daily, without access.
    Suspended,
    /// Ended, until the subscriber joins again.
    Cancelled,
}
