//! The tables, in types that both engines have; `migrations/subscription` creates them.

diesel::table! {
    subscriptions (id) {
        id -> BigInt,
        msisdn -> Text,
        svc_id -> Integer,
        state -> Text,
        since -> Timestamp,
        left_at -> Nullable<Timestamp>,
        #[sql_name = "leave_said_at"]
        leave_requested_at -> Nullable<Timestamp>,
        price_cents -> BigInt,
        period -> Text,
        generation -> Integer,
        reminder_day -> Integer,
        language -> Text,
        network -> Text,
        had_long_period -> Bool,
        highest_price_cents -> BigInt,
        free_until -> Text,
        parts -> Text,
        consent_id -> Nullable<BigInt>,
        person -> Integer,
        person_since -> Nullable<Timestamp>,
        former_cents -> BigInt,
        watched_day -> Text,
    }
}

diesel::table! {
    complaints (id) {
        id -> BigInt,
        subscription_id -> BigInt,
        person -> Integer,
        charge_id -> BigInt,
        charge_day -> Text,
        cents -> BigInt,
        channel -> Text,
        outcome -> Text,
        why -> Text,
        at -> Timestamp,
        closed_at -> Nullable<Timestamp>,
        closed_by -> Text,
    }
}

diesel::table! {
    consents (id) {
        id -> BigInt,
        subscription_id -> BigInt,
        attempt -> Text,
        at -> Timestamp,
        price_cents -> BigInt,
        period -> Text,
        parts -> Text,
    }
}

diesel::table! {
    tries (id) {
        id -> Text,
        subscription_id -> BigInt,
        kind -> Text,
        status -> Text,
        network -> Text,
        reference -> Text,
        label -> Text,
        browser_hash -> Text,
        ext_ref -> Text,
        page -> Text,
        terms_version -> Text,
        address -> Text,
        agent -> Text,
        created_at -> Timestamp,
        decided_at -> Nullable<Timestamp>,
        opened_at -> Nullable<Timestamp>,
        price_cents -> BigInt,
        period -> Text,
        wording -> Text,
        wording_hash -> Text,
        network_ref -> Nullable<Text>,
        language -> Text,
        free_days -> Integer,
        parts -> Text,
        sim_swapped -> Bool,
        translation -> Text,
        continue_to -> Text,
        price_source -> Text,
    }
}

diesel::table! {
    events (id) {
        id -> BigInt,
        subscription_id -> BigInt,
        at -> Timestamp,
        from_state -> Nullable<Text>,
        to_state -> Text,
        cause -> Text,
        evidence -> Text,
    }
}

diesel::table! {
    holds (id) {
        id -> BigInt,
        network -> Text,
        network_ref -> Text,
        subscription_id -> BigInt,
        started_at -> Timestamp,
        ended_at -> Nullable<Timestamp>,
        ended_by -> Text,
    }
}

diesel::table! {
    notifications (id) {
        id -> BigInt,
        network -> Text,
        webhook_id -> Text,
        webhook_timestamp -> Text,
        webhook_signature -> Text,
        body -> Text,
        received_at -> Timestamp,
        outcome -> Text,
        accepted_key -> Nullable<Text>,
    }
}

diesel::table! {
    billing_events (id) {
        id -> BigInt,
        network -> Text,
        billing_ref -> Text,
        subscription_id -> BigInt,
        notification_id -> BigInt,
        cents -> BigInt,
        result -> Text,
        billed_at -> Timestamp,
    }
}

diesel::table! {
    outbox (id) {
        id -> BigInt,
        network -> Text,
        kind -> Text,
        body -> Text,
        attempts -> Integer,
        next_at -> Timestamp,
        done_at -> Nullable<Timestamp>,
        msisdn -> Text,
        priority -> Integer,
        created_at -> Nullable<Timestamp>,
        dead_at -> Nullable<Timestamp>,
        last_error -> Text,
        state_of -> Nullable<BigInt>,
        message_key -> Text,
        delivery -> Text,
        delivery_reason -> Text,
        delivery_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    inbound_sms (id) {
        id -> BigInt,
        network -> Text,
        network_ref -> Text,
        msisdn -> Text,
        sent_to -> Text,
        text -> Text,
        keyword -> Text,
        language -> Text,
        replied -> Bool,
        sent_at -> Timestamp,
        received_at -> Timestamp,
        kept_until -> Timestamp,
    }
}

diesel::table! {
    ledger (id) {
        id -> BigInt,
        subscription_id -> BigInt,
        network -> Text,
        day -> Text,
        kind -> Text,
        cents -> BigInt,
        status -> Text,
        charge_key -> Text,
        network_ref -> Nullable<Text>,
        attempts -> Integer,
        failures -> Integer,
        pass -> BigInt,
        claim -> Nullable<Text>,
        sent_at -> Nullable<Timestamp>,
        reason -> Text,
        at -> Timestamp,
        #[sql_name = "asked"]
        status_queries -> Integer,
        ask_at -> Nullable<Timestamp>,
        refund_of -> Nullable<BigInt>,
        made_by -> Text,
        paid_until -> Text,
        unanswered -> Bool,
        consent_id -> Nullable<BigInt>,
        owed_cents -> BigInt,
    }
}

diesel::table! {
    billing_passes (id) {
        id -> BigInt,
        day -> Text,
        number -> Integer,
        started_at -> Timestamp,
        finished_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    billing_days (day) {
        day -> Text,
    }
}

diesel::table! {
    billing_runners (token) {
        token -> Text,
        alive_until -> Timestamp,
    }
}

diesel::table! {
    charge_hours (network, hour) {
        network -> Text,
        hour -> Text,
        sent -> BigInt,
    }
}

diesel::table! {
    charge_pauses (id) {
        id -> BigInt,
        network -> Text,
        svc_id -> Integer,
        reason -> Text,
        made_by -> Text,
        since -> Timestamp,
        ended_at -> Nullable<Timestamp>,
        ended_by -> Text,
        end_reason -> Text,
    }
}

diesel::table! {
    surplus_charges (id) {
        id -> BigInt,
        network -> Text,
        charge_key -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        day -> Text,
        cents -> BigInt,
        found_at -> Timestamp,
    }
}

diesel::table! {
    reminders (id) {
        id -> BigInt,
        subscription_id -> BigInt,
        at -> Timestamp,
        month -> Text,
    }
}

diesel::table! {
    reminder_runs (network, day) {
        network -> Text,
        day -> Text,
        finished_at -> Timestamp,
    }
}

diesel::table! {
    listed_charges (network, day, charge_key) {
        network -> Text,
        day -> Text,
        charge_key -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        cents -> BigInt,
        at -> Nullable<Timestamp>,
        status -> Text,
        network_ref -> Text,
        of_key -> Text,
    }
}

diesel::table! {
    network_clocks (network, slot) {
        network -> Text,
        slot -> Integer,
        lag_seconds -> BigInt,
    }
}

diesel::table! {
    network_entries (network) {
        network -> Text,
        adapter -> Text,
        named_by -> Text,
    }
}

diesel::table! {
    reconciliations (network, day) {
        network -> Text,
        day -> Text,
        state -> Text,
        started_at -> Timestamp,
        finished_at -> Nullable<Timestamp>,
        listed -> BigInt,
        agreed -> BigInt,
        settled -> BigInt,
        differences -> BigInt,
        cause -> Text,
        run -> Text,
        alive_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    number_verifications (id) {
        id -> Text,
        network -> Text,
        svc_id -> Integer,
        label -> Text,
        browser_hash -> Text,
        ext_ref -> Text,
        page -> Text,
        continue_to -> Text,
        price_cents -> BigInt,
        period -> Text,
        created_at -> Timestamp,
        shown -> Text,
    }
}

diesel::table! {
    restores (id) {
        id -> BigInt,
        since -> Timestamp,
        marked_at -> Timestamp,
        caught_up_at -> Nullable<Timestamp>,
        restored_to -> Nullable<Timestamp>,
    }
}

diesel::table! {
    ledger_bounds (id) {
        id -> Integer,
        open_since -> Text,
        kept_since -> Text,
    }
}

diesel::table! {
    paid_before (subscription_id) {
        subscription_id -> BigInt,
        cents -> BigInt,
    }
}

diesel::table! {
    blocked_numbers (msisdn) {
        msisdn -> Text,
        reason -> Text,
        made_by -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    daily_totals (day) {
        day -> Text,
        counted_at -> Timestamp,
    }
}

diesel::table! {
    daily_sums (day, svc_id, network, price_cents, kind, status) {
        day -> Text,
        svc_id -> Integer,
        network -> Text,
        price_cents -> BigInt,
        kind -> Text,
        status -> Text,
        entries -> BigInt,
    }
}

diesel::table! {
    daily_charges (day, network, kind, status) {
        day -> Text,
        network -> Text,
        kind -> Text,
        status -> Text,
        entries -> BigInt,
        cents -> BigInt,
    }
}

diesel::table! {
    daily_moves (day, from_state, to_state, cause) {
        day -> Text,
        from_state -> Text,
        to_state -> Text,
        cause -> Text,
        moves -> BigInt,
    }
}

diesel::table! {
    daily_joins (day, svc_id, network, price_cents) {
        day -> Text,
        svc_id -> Integer,
        network -> Text,
        price_cents -> BigInt,
        joins -> BigInt,
        leaves -> BigInt,
    }
}

diesel::table! {
    daily_running (day, svc_id, network, price_cents) {
        day -> Text,
        svc_id -> Integer,
        network -> Text,
        price_cents -> BigInt,
        subscriptions -> BigInt,
    }
}

diesel::table! {
    hourly_sums (day, hour, kind) {
        day -> Text,
        hour -> Integer,
        kind -> Text,
        entries -> BigInt,
        cents -> BigInt,
    }
}

diesel::table! {
    learned_numbers (id) {
        id -> BigInt,
        address -> Text,
        number -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    used_challenges (id) {
        id -> Text,
        expires_at -> Timestamp,
    }
}

diesel::table! {
    held_joins (id) {
        id -> Text,
        at -> Timestamp,
        ext_ref -> Text,
        svc_id -> Integer,
        rule -> Text,
        masked -> Text,
    }
}

diesel::table! {
    publisher_events (id) {
        id -> BigInt,
        ext_ref -> Text,
        day -> Text,
        event -> Text,
        svc_id -> Integer,
    }
}

diesel::table! {
    publisher_days (ext_ref, day, svc_id, event) {
        ext_ref -> Text,
        day -> Text,
        svc_id -> Integer,
        event -> Text,
        joins -> BigInt,
    }
}

diesel::table! {
    held_publishers (ext_ref) {
        ext_ref -> Text,
        state -> Text,
        reason -> Text,
        made_by -> Text,
        at -> Timestamp,
    }
}

diesel::joinable!(tries -> subscriptions (subscription_id));
diesel::joinable!(complaints -> subscriptions (subscription_id));
diesel::joinable!(holds -> subscriptions (subscription_id));
diesel::joinable!(ledger -> subscriptions (subscription_id));
diesel::allow_tables_to_appear_in_same_query!(notifications, billing_events);
diesel::allow_tables_to_appear_in_same_query!(
    subscriptions,
    complaints,
    consents,
    tries,
    events,
    holds,
    ledger,
    reminders,
    listed_charges
);
diesel::allow_columns_to_appear_in_same_group_by_clause!(subscriptions::msisdn, ledger::network);
