//! Billing over HTTP: charged exactly once per day, and nobody who should not be.

mod bounds;
mod first_charge;
mod lifecycle;
mod passes;
mod reconcile;
mod refunds;
mod replicas;
mod sandbox_numbers;
