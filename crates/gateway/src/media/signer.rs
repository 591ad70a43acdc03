//! Presigned URLs for files of a private bucket (AWS signature version 4, for any S3-compatible store).

use std::time::Duration;

use percent_encoding::percent_decode_str;
use rusty_s3::{
    Bucket, Credentials, S3Action, UrlStyle,
    actions::{GetObject, HeadObject},
};
use url::Url;

/// Signs URLs of one bucket.
pub(super) struct Signer {
    bucket: Bucket,
    credentials: Credentials,
    /// The prefix of keys in the bucket: empty, or ending with a slash.
    folder: String,
}

impl Signer {
    /// The bucket is the address's first segment (`https://s3.example/bucket/folder`), or, where it has none, the first label of its
    /// host (`https://bucket.s3.example`).
    pub fn new(url: &Url, region: &str, id: &str, secret: &str) -> Result<Self, String> {
        let path = url.path().trim_matches('/');
        let mut endpoint = url.clone();
        endpoint.set_path("/");
        let (style, bucket, folder) = if path.is_empty() {
            let host = url.host_str().unwrap_or_default();
            let (bucket, rest) = host.split_once('.').ok_or("it names no bucket")?;
            endpoint.set_host(Some(rest)).map_err(|_| "it names no bucket".to_owned())?;
            (UrlStyle::VirtualHost, bucket, String::new())
        } else {
            let (bucket, folder) = path.split_once('/').unwrap_or((path, ""));
            let folder = percent_decode_str(folder).decode_utf8().map_err(|_| "its path is no text")?;
            (UrlStyle::Path, bucket, if folder.is_empty() { String::new() } else { format!("{folder}/") })
        };
        let bucket = Bucket::new(endpoint, style, bucket.to_owned(), region.to_owned())
            .map_err(|error| format!("it names no bucket: {error}"))?;
        Ok(Self { bucket, credentials: Credentials::new(id, secret), folder })
    }

    /// The presigned URL for GET, or HEAD, of the file at this encoded path.
    pub fn sign(&self, path: &str, head: bool, lifetime: Duration) -> String {
        let name = format!("{}{}", self.folder, percent_decode_str(path).decode_utf8_lossy());
        let (bucket, credentials) = (&self.bucket, Some(&self.credentials));
        let signed = match head {
            true => HeadObject::new(bucket, credentials, &name).sign(lifetime),
            false => GetObject::new(bucket, credentials, &name).sign(lifetime),
        };
        signed.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_finds_the_bucket_in_the_path_or_host() {
        let sign = |origin: &str, path: &str| {
            let url = Url::parse(origin).unwrap();
            Signer::new(&url, "af-south-1", "ID", "secret").unwrap().sign(path, false, Duration::from_secs(30))
        };
        for (origin, path, expected) in [
            ("https://s3.example/films", "a/b%20c.mp4", "https://s3.example/films/a/b%20c.mp4?"),
            ("http://127.0.0.1:9000/films/hd/new/", "a.mp4", "http://127.0.0.1:9000/films/hd/new/a.mp4?"),
            ("https://films.s3.af-south-1.amazonaws.com", "a.mp4", "https://films.s3.af-south-1.amazonaws.com/a.mp4?"),
        ] {
            let signed = sign(origin, path);
            assert!(signed.starts_with(expected), "{signed}");
            for part in ["X-Amz-Expires=30", "X-Amz-Signature=", "%2Faf-south-1%2Fs3%2Faws4_request"] {
                assert!(signed.contains(part), "{signed}");
            }
            assert!(!signed.contains("secret"), "{signed}");
        }
        assert!(Signer::new(&Url::parse("http://localhost").unwrap(), "r", "i", "s").is_err());
    }
}
