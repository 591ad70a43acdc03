//! The tables, in types that both engines share; `migrations/operator_sandbox` creates them.

diesel::table! {
    opt_ins (reference) {
        reference -> Text,
        kind -> Text,
        status -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        service -> Text,
        price_cents -> BigInt,
        ext_ref -> Text,
        partner_ref -> Nullable<Text>,
        return_url -> Text,
        created_at -> Timestamp,
        decided_at -> Nullable<Timestamp>,
        subscription_id -> Nullable<BigInt>,
        network -> Text,
        period -> Text,
        first_charge -> Text,
        parts -> Text,
        anti_fraud_token -> Text,
    }
}

diesel::table! {
    subscriptions (id) {
        id -> BigInt,
        network -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        ext_ref -> Text,
        partner_ref -> Nullable<Text>,
        started_at -> Timestamp,
        ended_at -> Nullable<Timestamp>,
        last_billed_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    charges (id) {
        id -> BigInt,
        charge_key -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        cents -> BigInt,
        day -> Text,
        at -> Timestamp,
        network -> Text,
    }
}

diesel::table! {
    failed_charges (charge_key) {
        charge_key -> Text,
        outcome -> Text,
        tries -> Integer,
        at -> Timestamp,
    }
}

diesel::table! {
    refunds (id) {
        id -> BigInt,
        refund_key -> Text,
        charge_key -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        cents -> BigInt,
        reason -> Text,
        day -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    messages (id) {
        id -> BigInt,
        message_key -> Text,
        msisdn -> Text,
        svc_id -> Integer,
        text -> Text,
        at -> Timestamp,
        valid_seconds -> BigInt,
    }
}

diesel::table! {
    notifications (id) {
        id -> BigInt,
        webhook_id -> Text,
        network -> Text,
        body -> Text,
        attempts -> Integer,
        next_at -> Timestamp,
        delivered_at -> Nullable<Timestamp>,
        msisdn -> Text,
    }
}
