//! The names and help texts of all metrics of the workspace.

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only increases, except for a restart.
    Counter,
    /// Increases and decreases.
    Gauge,
    /// Counts samples by upper bounds, or tells quantiles.
    Histogram,
}

macro_rules! names {
    ($($constant:ident = $name:literal $kind:ident $help:literal;)*) => {
        $(#[doc = $help] pub const $constant: &str = $name;)*

        /// All metrics: name, type and help text.
        pub const ALL: &[(&str, Kind, &str)] = &[$(($name, Kind::$kind, $help)),*];
    };
}

names! {
    ALARMS = "spaza_alarms_total" Counter "Log lines that need a person's attention, by alarm.";
    BUILD_INFO = "spaza_build_info" Gauge "Always 1: which services this process holds, and of which version and commit.";
    HTTP_REQUESTS = "spaza_http_requests_total" Counter "Requests answered, by service, method, route and status.";
    HTTP_REQUEST_SECONDS = "spaza_http_request_seconds" Histogram "Seconds until a reply began, by service and route.";
    LOG_LINES_DROPPED = "spaza_log_lines_dropped_total" Counter "Log lines beyond what one place in the code may write in a minute, by target.";
    MALFORMED_REQUESTS = "spaza_malformed_requests_total" Counter "Requests that the gateway could not read as HTTP and refused.";
    UPSTREAM_REPLICAS = "spaza_upstream_replicas" Gauge "Replicas that the gateway knows of a service, by state: ready, away, unknown.";
    UPSTREAM_RETRIES = "spaza_upstream_retries_total" Counter "Calls that the gateway sent again, by service.";
    CACHED_REPLIES = "spaza_kept_replies_total" Counter "Public replies by cache result: hit (from memory), miss (fetched), stale (the service was unavailable), private (fetched, but not to be shared).";
    WEB_VITALS = "spaza_web_vitals_total" Counter "Web vitals of page views, by brand, page, name and rating.";
    WEB_VITALS_LCP = "spaza_web_vitals_lcp_milliseconds" Histogram "Largest contentful paint, by brand and page.";
    WEB_VITALS_CLS = "spaza_web_vitals_cls" Histogram "Cumulative layout shift, by brand and page.";
    WEB_VITALS_INP = "spaza_web_vitals_inp_milliseconds" Histogram "Interaction to next paint, by brand and page.";
    PLAYS = "spaza_plays_total" Counter "Sampled playbacks of films, by brand, engine of the browser, rendition and outcome: played, left (before the first frame), failed (an error before it), broken (an error after it).";
    PLAY_START = "spaza_play_start_milliseconds" Histogram "Until the first frame of sampled playbacks, by brand, engine and rendition.";
    PLAYED = "spaza_played_milliseconds_total" Counter "Milliseconds that sampled playbacks played, by brand, engine and rendition.";
    STALLED = "spaza_stalled_milliseconds_total" Counter "Milliseconds for which sampled playbacks stood still for lack of data, by brand, engine and rendition.";
    STALLS = "spaza_stalls_total" Counter "Times that sampled playbacks stood still for lack of data, by brand, engine and rendition.";
    BRANDS_REFUSED = "spaza_brands_refused" Gauge "1 while this process refuses brands.toml or cannot read it, and the brands stay as they were, else 0.";
    JOINS = "spaza_joins_total" Counter "Joins, by the brand's service and outcome: asked (sent to the network), already_active, held (it does not look like a person's), refused, limited, away (the network was), confirmed, declined.";
    SUBSCRIPTIONS = "spaza_subscriptions" Gauge "Subscriptions of all replicas together, by the brand's service and state.";
    LEFT = "spaza_left_total" Counter "Subscriptions that ended, by the brand's service and cause.";
    CHARGES = "spaza_charges_total" Counter "What became of charges, by the brand's service and outcome: charged, no_airtime, refused (the network knows no such subscription), rejected (it did not take our request), unavailable (it said later, or is away), accepted (it tells the result later), unknown (no reply that counts), parked (beyond a bound), left (ended before it was sent), unsent.";
    CHARGES_OPEN = "spaza_charges_open" Gauge "Today's charges that a pass would still send, of all replicas together, by network.";
    CHARGES_PARKED = "spaza_charges_parked" Gauge "Today's charges beyond a bound, which are not sent, of all replicas together.";
    CHARGES_PAUSED_SECONDS = "spaza_charges_paused_seconds" Gauge "How long ago staff paused charges, by scope: all, a network, or a brand's service; 0 where they are not paused.";
    CHARGES_UNKNOWN = "spaza_charges_unknown" Gauge "Charges of all replicas together whose outcome is unknown, by network.";
    CHARGES_UNKNOWN_OLDEST_SECONDS = "spaza_charges_unknown_oldest_seconds" Gauge "How long the oldest charge of unknown outcome has been so, by network; 0 where there is none.";
    NETWORK_PAUSED = "spaza_network_paused" Gauge "1 while this replica pauses charging to a network because it does not answer, else 0, by network.";
    NETWORK_CALLS = "spaza_network_calls_total" Counter "Calls to a network's API, by network, kind (charge, question, sms, stop, refund, opt_in, list, number, sim_swap) and outcome: ok, failed (no answer, or its error), refused (its clear no).";
    REVENUE_CENTS = "spaza_revenue_cents_total" Counter "Cents that networks charged, refunds not taken off, by the brand's service.";
    REFUNDS = "spaza_refunds_total" Counter "Refunds, by reason (after_leaving, twice, reconcile, staff) and outcome: asked, made, in_part, refused.";
    BILLING_PASS_OVERDUE_SECONDS = "spaza_billing_pass_overdue_seconds" Gauge "How long ago the billing time was reached whose pass has not begun; 0 where none is due.";
    BILLING_PASS_OPEN_SECONDS = "spaza_billing_pass_open_seconds" Gauge "How long ago today's pass began that has not finished; 0 where there is none.";
    BILLING_PASS_SECONDS = "spaza_billing_pass_seconds" Histogram "How long a billing pass took on this replica.";
    NOTIFICATIONS = "spaza_notifications_total" Counter "Notifications, by network and outcome.";
    NOTIFICATION_LAG_SECONDS = "spaza_notification_lag_seconds" Histogram "How long ago the network says it happened, once a notification had its effect.";
    SMS_RECEIVED = "spaza_sms_received_total" Counter "SMSes from persons to our short codes, by network and keyword: stop, stop_all, join, yes, no, help, language, other.";
    SMS_RECEIPTS = "spaza_sms_receipts_total" Counter "What networks told of our SMSes, by network and status: delivered, failed, expired.";
    OUTBOX_WAITING = "spaza_outbox_waiting" Gauge "Messages that wait to be sent to networks, of all replicas together, by kind: sms, stop, refund.";
    OUTBOX_OLDEST_SECONDS = "spaza_outbox_oldest_seconds" Gauge "How long the oldest urgent message of the outbox has waited, by kind; 0 where none waits.";
    OUTBOX_DEAD = "spaza_outbox_dead" Gauge "Messages that a network refused for good and that a person has to look at, by kind.";
    RECONCILE_AGE_DAYS = "spaza_reconcile_age_days" Gauge "Days since the newest day whose charges were compared with the network's own list, by network.";
    RECONCILE_DIFFERENCES = "spaza_reconcile_differences" Gauge "Differences that the last comparison with a network's list found, by network.";
    RECONCILE_HELD = "spaza_reconcile_held" Gauge "Days whose comparison contradicts our ledger so much that it waits for a person, by network.";
    RECONCILE_FAILED = "spaza_reconcile_failed" Gauge "Days that could not be compared with the network's list, by network.";
    PUBLISHERS_HELD = "spaza_publishers_held" Gauge "Publishers all of whose joins are held, of all replicas together, by who holds them: limits (a person has to decide), staff.";
    RESTORE_NOT_CAUGHT_UP_SECONDS = "spaza_restore_not_caught_up_seconds" Gauge "How long ago the database was restored whose networks' stops and charges have not been taken in since, so that nothing is billed; else 0.";
    DB_WAIT_SECONDS = "spaza_db_wait_seconds" Histogram "How long queries waited for a connection, by service.";
}

/// Upper bounds of the histograms that can be summed over replicas, in their unit. The others have quantiles per process.
pub(crate) const BOUNDS: [(&str, &[f64]); 4] = [
    (
        HTTP_REQUEST_SECONDS,
        &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0],
    ),
    (DB_WAIT_SECONDS, &[0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0]),
    (BILLING_PASS_SECONDS, &[0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0]),
    (NOTIFICATION_LAG_SECONDS, &[0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 3600.0, 86400.0]),
];
