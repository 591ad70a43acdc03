//! Billing over HTTP: charged exactly once per day, and nobody who should not be.

mod bounds;
mod first;
mod life;
mod numbers;
mod passes;
mod reconcile;
mod refunds;
mod replicas;
