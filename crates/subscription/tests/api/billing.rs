//! Billing over HTTP: each subscription is charged exactly once per day.

mod bounds;
mod daily_totals;
mod first_charge;
mod lifecycle;
mod month_limit;
mod passes;
mod pauses;
mod reconcile;
mod refunds;
mod replicas;
mod sandbox_numbers;
