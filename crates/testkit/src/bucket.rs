//! A bucket on a real S3 server, whose objects are files of a folder.

use std::path::Path;

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use url::Url;

/// The key that opens the bucket, and its secret.
pub const BUCKET_KEY: (&str, &str) = ("KEY", "secret");

/// Starts an S3 server over `root`, each folder of which is a private bucket, for as long as the test's runtime lives; makes the bucket
/// `name`, and answers its address, as a path of the server's: `http://127.0.0.1:PORT/NAME`.
pub async fn bucket(root: &Path, name: &str) -> Url {
    std::fs::create_dir_all(root.join(name)).expect("a bucket");
    let mut service = S3ServiceBuilder::new(FileSystem::new(root).expect("a folder of buckets"));
    service.set_auth(SimpleAuth::from_single(BUCKET_KEY.0, BUCKET_KEY.1));
    let service = service.build();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let addr = listener.local_addr().expect("its address");
    actix_web::rt::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let connection = Builder::new(TokioExecutor::new());
            let service = service.clone();
            actix_web::rt::spawn(async move {
                // A connection that a client ends early is no fault of the server.
                let _ = connection.serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
    Url::parse(&format!("http://{addr}/{name}")).expect("an address")
}
