//! Where renditions go: a folder, or a bucket of an S3-compatible store, Google's or Azure's.

use std::{collections::HashMap, ops::Range, sync::Arc, time::Duration};

use futures_util::TryStreamExt;
use object_store::{
    Attribute, Attributes, ObjectMeta, ObjectStore, ObjectStoreExt, ObjectStoreScheme, PutOptions, RetryConfig,
    aws::AmazonS3Builder, azure::MicrosoftAzureBuilder, buffered::BufWriter, gcp::GoogleCloudStorageBuilder,
    local::LocalFileSystem, path::Path,
};
use tokio::{fs::File, io::AsyncWriteExt};
use url::Url;

use super::{PublishError, plan::Source};

/// The retries of a failing store.
const RETRIES: usize = 4;
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a browser, or a CDN before the store, may keep a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// Another file would have another name.
    Forever,
    /// A short time.
    OneMinute,
}

impl Cache {
    const fn header(self) -> &'static str {
        match self {
            Self::Forever => "max-age=31536000, immutable",
            Self::OneMinute => "max-age=60",
        }
    }
}

/// A store's metadata of a file.
#[derive(Clone, Debug)]
pub struct Known {
    pub bytes: u64,
    /// The tag of these contents; other contents have another tag.
    pub tag: Option<String>,
}

/// A place for renditions.
pub struct Target {
    store: Arc<dyn ObjectStore>,
    root: Path,
    /// Folders know no content types.
    keeps_headers: bool,
}

impl Target {
    /// Opens `file:///folder`, `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`. The credentials are in the
    /// variables that these stores' own tools read (`AWS_…`, `GOOGLE_…`, `AZURE_…`); no request is sent to the store yet.
    pub fn open(address: &str) -> Result<Self, String> {
        let forms = "file:///folder, s3://bucket/prefix, gs://bucket/prefix and az://container/prefix are known";
        let wrong = |cause: &dyn std::fmt::Display| format!("{address}: {cause}; {forms}");
        let url = Url::parse(address).map_err(|cause| wrong(&cause))?;
        if url.query().is_some() || url.fragment().is_some() || url.password().is_some() {
            return Err(format!("{}: it is more than a place; keys belong in variables", url.scheme()));
        }
        let (scheme, root) = ObjectStoreScheme::parse(&url).map_err(|cause| wrong(&cause))?;
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let (store, keeps_headers) = match scheme {
            ObjectStoreScheme::Local => (Ok(Arc::new(LocalFileSystem::new()) as Arc<dyn ObjectStore>), false),
            ObjectStoreScheme::AmazonS3 => {
                let built = AmazonS3Builder::from_env().with_url(address).with_retry(retry).build();
                (built.map(|store| Arc::new(store) as _), true)
            }
            ObjectStoreScheme::GoogleCloudStorage => {
                let built = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retry).build();
                (built.map(|store| Arc::new(store) as _), true)
            }
            ObjectStoreScheme::MicrosoftAzure => {
                let built = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry).build();
                (built.map(|store| Arc::new(store) as _), true)
            }
            _ => return Err(wrong(&"it is no store")),
        };
        let store = store.map_err(|cause| format!("{address}: {}", in_a_line(&cause)))?;
        Ok(Self { store, root, keeps_headers })
    }

    /// Bytes of every file below a folder, by its path below the target. Not every store has tags in its lists.
    pub async fn list(&self, folder: &str) -> Result<HashMap<String, u64>, PublishError> {
        let found: Vec<ObjectMeta> =
            self.store.list(Some(&self.path(folder)?)).try_collect().await.map_err(failed(folder))?;
        let root = format!("{}/", self.root.as_ref());
        let named = found.into_iter().map(|meta| {
            let path = meta.location.as_ref();
            let name = if root == "/" { path } else { path.strip_prefix(&root).unwrap_or(path) };
            (name.to_owned(), meta.size)
        });
        Ok(named.collect())
    }

    /// A small file's bytes, or none where there is no such file.
    pub async fn find(&self, name: &str) -> Result<Option<Vec<u8>>, PublishError> {
        match self.store.get(&self.path(name)?).await {
            Ok(file) => file.bytes().await.map(|bytes| Some(bytes.into())).map_err(failed(name)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(name)(error)),
        }
    }

    /// Some bytes of a file, as far as there are any.
    pub async fn part(&self, name: &str, bytes: Range<u64>) -> Result<Vec<u8>, PublishError> {
        self.store.get_range(&self.path(name)?, bytes).await.map(Vec::from).map_err(failed(name))
    }

    /// The metadata of a file; `None` if it does not exist.
    pub async fn known(&self, name: &str) -> Result<Option<Known>, PublishError> {
        match self.store.head(&self.path(name)?).await {
            Ok(meta) => Ok(Some(Known { bytes: meta.size, tag: meta.e_tag })),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(name)(error)),
        }
    }

    /// A file of any size, written into one of this machine.
    pub async fn copy(&self, name: &str, into: &mut File) -> Result<(), PublishError> {
        let mut bytes = self.store.get(&self.path(name)?).await.map_err(failed(name))?.into_stream();
        while let Some(more) = bytes.try_next().await.map_err(failed(name))? {
            into.write_all(&more).await.map_err(failed(name))?;
        }
        Ok(())
    }

    /// Puts a file there; until all of it has arrived, what was there stays.
    pub(super) async fn put(&self, name: &str, source: &Source, cache: Cache) -> Result<(), PublishError> {
        match source {
            Source::Text(text) => self.put_bytes(name, text.clone(), cache).await,
            Source::File(path) => {
                let mut file = File::open(path).await.map_err(failed(name))?;
                let mut into = BufWriter::new(Arc::clone(&self.store), self.path(name)?);
                if self.keeps_headers {
                    into = into.with_attributes(headers(name, cache));
                }
                let copied = tokio::io::copy(&mut file, &mut into).await;
                if let Err(cause) = copied {
                    // The uploaded parts are useless; a store that cannot delete them lets them expire.
                    let _ = into.abort().await;
                    return Err(failed(name)(cause));
                }
                into.shutdown().await.map_err(failed(name))
            }
        }
    }

    /// The same, of bytes that are here.
    pub(super) async fn put_bytes(&self, name: &str, bytes: Vec<u8>, cache: Cache) -> Result<(), PublishError> {
        let attributes = if self.keeps_headers { headers(name, cache) } else { Attributes::new() };
        let options = PutOptions { attributes, ..PutOptions::default() };
        self.store.put_opts(&self.path(name)?, bytes.into(), options).await.map(drop).map_err(failed(name))
    }

    /// Puts a small file there, whose name is that of no other.
    pub async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<(), PublishError> {
        self.put_bytes(name, bytes, Cache::Forever).await
    }

    /// Takes a file away.
    pub async fn remove(&self, name: &str) -> Result<(), PublishError> {
        self.store.delete(&self.path(name)?).await.map_err(failed(name))
    }

    fn path(&self, name: &str) -> Result<Path, PublishError> {
        Path::parse(format!("{}/{name}", self.root.as_ref()).trim_matches('/')).map_err(failed(name))
    }
}

fn headers(name: &str, cache: Cache) -> Attributes {
    let kind = match name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase().as_str() {
        "m3u8" => "application/vnd.apple.mpegurl",
        "m4s" => "video/iso.segment",
        "mp4" => "video/mp4",
        "vtt" => "text/vtt",
        "webp" => "image/webp",
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "json" => "application/json",
        _ => "application/octet-stream",
    };
    Attributes::from_iter([(Attribute::ContentType, kind), (Attribute::CacheControl, cache.header())])
}

fn failed<E: std::error::Error>(name: &str) -> impl FnOnce(E) -> PublishError {
    let name = name.to_owned();
    move |cause| PublishError::Target { name, cause: in_a_line(&cause) }
}

/// An error and what is behind it, as far as it says something new, in one line.
fn in_a_line(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut deeper = error.source();
    while let Some(next) = deeper {
        let more = next.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        deeper = next.source();
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
