//! Where media are: a folder, a bucket, or an HTTP origin.

use std::{collections::HashMap, io::SeekFrom, path::PathBuf, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::{Client, Response, StatusCode};
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
use url::Url;

use crate::publish::Target;

/// Concurrent requests to an HTTP origin.
const AT_ONCE: usize = 8;

/// How long an origin may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// The location of the media.
pub enum MediaStore {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket.
    Bucket(Target),
    /// A server that needs no credentials.
    Origin {
        /// Its address, without a slash at its end.
        base: String,
        /// The HTTP client.
        http: Client,
    },
}

/// A file of the store, as a file of this machine for as long as this lives.
pub struct LocalFile {
    path: PathBuf,
    _made: Option<NamedTempFile>,
}

impl LocalFile {
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// These bytes as a file.
    pub fn of(bytes: &[u8]) -> Result<Self, String> {
        let mut made = temporary()?;
        std::io::Write::write_all(&mut made, bytes).map_err(|error| error.to_string())?;
        Ok(Self { path: made.path().to_owned(), _made: Some(made) })
    }
}

fn temporary() -> Result<NamedTempFile, String> {
    NamedTempFile::new().map_err(|error| format!("there is no room for a copy: {error}"))
}

impl MediaStore {
    /// A path, `file:///folder`, `s3://…`, `gs://…`, `az://…` (with the variables that `content publish` reads), or `https://…`.
    pub fn open(address: &str) -> Result<Self, String> {
        let Ok(url) = Url::parse(address) else { return Ok(Self::Folder(address.into())) };
        match url.scheme() {
            "http" | "https" => {
                let http = Client::builder().no_proxy().connect_timeout(PATIENCE).read_timeout(PATIENCE).build();
                let http = http.map_err(|error| error.to_string())?;
                Ok(Self::Origin { base: address.trim_end_matches('/').to_owned(), http })
            }
            "file" => url.to_file_path().map(Self::Folder).map_err(|()| format!("{address} is no folder")),
            _ => Target::open(address).map(Self::Bucket),
        }
    }

    /// A small file's bytes; none where there is no such file.
    pub async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match self {
            Self::Folder(folder) => match tokio::fs::read(folder.join(name)).await {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if is_missing(&error) => Ok(None),
                Err(error) => Err(error.to_string()),
            },
            Self::Bucket(target) => target.find(name).await.map_err(|error| error.to_string()),
            Self::Origin { base, http } => match ask(http.get(format!("{base}/{name}"))).await? {
                Some(reply) => reply.bytes().await.map(|bytes| Some(bytes.into())).map_err(words),
                None => Ok(None),
            },
        }
    }

    /// The sizes of these files of a folder, of those that exist.
    pub async fn sizes(&self, folder: &str, names: &[String]) -> Result<HashMap<String, u64>, String> {
        let at = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        match self {
            Self::Folder(root) => {
                let mut sizes = HashMap::new();
                for name in names {
                    match tokio::fs::metadata(root.join(at(name))).await {
                        Ok(known) if known.is_file() => drop(sizes.insert(name.clone(), known.len())),
                        Ok(_) => {}
                        Err(error) if is_missing(&error) => {}
                        Err(error) => return Err(error.to_string()),
                    }
                }
                match sizes.is_empty() && !root.is_dir() {
                    true => Err("cannot be looked for: the media folder (MEDIA_DIR) is not there".to_owned()),
                    false => Ok(sizes),
                }
            }
            // One file is requested by its name: its folder may hold thousands.
            Self::Bucket(target) if names.len() == 1 => {
                let mut sizes = HashMap::new();
                for name in names {
                    let known = target.known(&at(name)).await.map_err(|error| error.to_string())?;
                    sizes.extend(known.map(|known| (name.clone(), known.bytes)));
                }
                Ok(sizes)
            }
            Self::Bucket(target) => {
                let known = target.list(folder).await.map_err(|error| error.to_string())?;
                let size = |name: &String| known.get(&at(name)).map(|bytes| (name.clone(), *bytes));
                Ok(names.iter().filter_map(size).collect())
            }
            Self::Origin { base, http } => {
                let asks = names.iter().map(|name| async {
                    let reply = ask(http.head(format!("{base}/{}", at(name)))).await?;
                    let length = |reply: Response| reply.headers().get("content-length")?.to_str().ok()?.parse().ok();
                    Ok::<_, String>(reply.and_then(length).map(|bytes: u64| (name.clone(), bytes)))
                });
                let found: Vec<_> = stream::iter(asks).buffer_unordered(AT_ONCE).try_collect().await?;
                Ok(found.into_iter().flatten().collect())
            }
        }
    }

    /// At most so many bytes of a file, from one of them on.
    pub async fn part(&self, name: &str, from: u64, most: u64) -> Result<Vec<u8>, String> {
        let bytes = from..from.saturating_add(most);
        match self {
            Self::Folder(folder) => {
                let read = async {
                    let mut file = tokio::fs::File::open(folder.join(name)).await?;
                    file.seek(SeekFrom::Start(from)).await?;
                    let mut part = Vec::new();
                    file.take(most).read_to_end(&mut part).await.map(|_| part)
                };
                read.await.map_err(|error: std::io::Error| error.to_string())
            }
            Self::Bucket(target) => target.part(name, bytes).await.map_err(|error| error.to_string()),
            Self::Origin { base, http } => {
                let range = format!("bytes={}-{}", bytes.start, bytes.end.saturating_sub(1));
                let reply = ask(http.get(format!("{base}/{name}")).header("range", range)).await?;
                let reply = reply.filter(|reply| reply.status() == StatusCode::PARTIAL_CONTENT);
                reply.ok_or("is not sent in parts")?.bytes().await.map(Vec::from).map_err(words)
            }
        }
    }

    /// A file that this machine's programs can open.
    pub async fn copy(&self, name: &str) -> Result<LocalFile, String> {
        if let Self::Folder(folder) = self {
            return Ok(LocalFile { path: folder.join(name), _made: None });
        }
        let made = temporary()?;
        let mut file = tokio::fs::File::create(made.path()).await.map_err(|error| error.to_string())?;
        match self {
            Self::Folder(_) => {}
            Self::Bucket(target) => target.copy(name, &mut file).await.map_err(|error| error.to_string())?,
            Self::Origin { base, http } => {
                let reply = ask(http.get(format!("{base}/{name}"))).await?.ok_or("is not there")?;
                let mut bytes = reply.bytes_stream();
                while let Some(more) = bytes.next().await {
                    file.write_all(&more.map_err(words)?).await.map_err(|error| error.to_string())?;
                }
            }
        }
        file.flush().await.map_err(|error| error.to_string())?;
        Ok(LocalFile { path: made.path().to_owned(), _made: Some(made) })
    }
}

/// The reply with the file; `None` where the origin does not have it.
async fn ask(request: reqwest::RequestBuilder) -> Result<Option<Response>, String> {
    let reply = request.send().await.map_err(words)?;
    match reply.status() {
        status if status.is_success() => Ok(Some(reply)),
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::FORBIDDEN => Ok(None),
        status => Err(format!("the origin answers {status}")),
    }
}

fn words(error: reqwest::Error) -> String {
    format!("the origin cannot be asked: {}", error.without_url())
}

pub(super) fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
