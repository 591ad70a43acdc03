//! Load for the servers, by generators that others maintain: `wrk` sends requests that differ, `h2load` one request over three protocols.
//! A single request is sent by `reqwest`.

mod h2load;
mod request;
mod sample;
mod wrk;

pub use h2load::{H2load, Protocol};
pub use request::{Request, Response, client};
pub use sample::{Sample, median, percentile};
pub use wrk::{Requests, Wrk};
