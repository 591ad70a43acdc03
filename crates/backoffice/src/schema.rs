//! The tables, in types that both engines have; `migrations/backoffice` creates them.

diesel::table! {
    staff (id) {
        id -> BigInt,
        email -> Text,
        name -> Text,
        roles -> Text,
        state -> Text,
        password_hash -> Nullable<Text>,
        totp_secret -> Nullable<Text>,
        totp_step -> BigInt,
        last_seen_at -> Nullable<Timestamp>,
        created_at -> Timestamp,
    }
}

diesel::table! {
    role_grants (staff_id, role) {
        staff_id -> BigInt,
        role -> Text,
        requested_by_id -> BigInt,
        requested_by -> Text,
        requested_at -> Timestamp,
        granted_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    invitations (token_hash) {
        token_hash -> Text,
        staff_id -> BigInt,
        totp_secret -> Text,
        resets -> Bool,
        expires_at -> Timestamp,
        ended_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    sessions (id) {
        id -> BigInt,
        token_hash -> Text,
        staff_id -> BigInt,
        started_at -> Timestamp,
        last_seen_at -> Timestamp,
        address -> Text,
        agent -> Text,
        proved_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    attempts (id) {
        id -> BigInt,
        email -> Text,
        address -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    audit (id) {
        id -> BigInt,
        at -> Timestamp,
        staff_id -> Nullable<BigInt>,
        staff -> Text,
        action -> Text,
        subject -> Text,
        details -> Text,
        hash -> Text,
    }
}

diesel::table! {
    audit_head (id) {
        id -> BigInt,
        last_id -> BigInt,
        hash -> Text,
    }
}

diesel::table! {
    numbers (id) {
        id -> BigInt,
        msisdn -> Text,
        searched_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    lookups (token_hash) {
        token_hash -> Text,
        session_id -> BigInt,
        number_id -> BigInt,
        at -> Timestamp,
    }
}

diesel::table! {
    notes (id) {
        id -> BigInt,
        number_id -> BigInt,
        staff_id -> BigInt,
        staff -> Text,
        kind -> Text,
        text -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    refunds (id) {
        id -> BigInt,
        number_id -> BigInt,
        ledger_id -> BigInt,
        cents -> BigInt,
        reason -> Text,
        state -> Text,
        staff_id -> BigInt,
        staff -> Text,
        at -> Timestamp,
        decided_by -> Nullable<Text>,
        decided_at -> Nullable<Timestamp>,
        choice -> Nullable<BigInt>,
        is_open -> Bool,
        day -> Text,
        service -> Text,
    }
}

diesel::table! {
    contract_terms (id) {
        id -> BigInt,
        network -> Text,
        svc_id -> Integer,
        party -> Text,
        basis_points -> BigInt,
        since -> Text,
        staff -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    vat_rates (id) {
        id -> BigInt,
        basis_points -> BigInt,
        since -> Text,
        staff -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    closed_months (month) {
        month -> Text,
        lines -> Text,
        hash -> Text,
        staff -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    drafts (id) {
        id -> BigInt,
        catalogue -> Text,
        service -> Text,
        kind -> Text,
        slug -> Text,
        record -> Text,
        base -> Nullable<Text>,
        state -> Text,
        version -> BigInt,
        staff_id -> BigInt,
        staff -> Text,
        at -> Timestamp,
        reason -> Text,
        returned_by -> Nullable<Text>,
        release -> Nullable<BigInt>,
        release_version -> Nullable<BigInt>,
    }
}

diesel::table! {
    erasures (id) {
        id -> BigInt,
        number_id -> BigInt,
        masked -> Text,
        reason -> Text,
        state -> Text,
        staff_id -> BigInt,
        staff -> Text,
        at -> Timestamp,
        decided_by_id -> Nullable<BigInt>,
        decided_by -> Nullable<Text>,
        decided_at -> Nullable<Timestamp>,
        cause -> Text,
        kept -> Text,
        finished_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    erasure_steps (erasure_id, service) {
        erasure_id -> BigInt,
        service -> Text,
        kept -> Text,
        at -> Timestamp,
    }
}

diesel::table! {
    uploads (id) {
        id -> BigInt,
        staff_id -> BigInt,
        staff -> Text,
        service -> Text,
        name -> Text,
        folder -> Text,
        size -> BigInt,
        modified -> Text,
        state -> Text,
        percent -> BigInt,
        reason -> Text,
        log -> Text,
        result -> Nullable<Text>,
        at -> Timestamp,
        expires_at -> Timestamp,
        kind -> Text,
    }
}

diesel::table! {
    identities (staff_id) {
        staff_id -> BigInt,
        issuer -> Text,
        subject -> Text,
        linked_at -> Timestamp,
    }
}

diesel::table! {
    provider_visits (token_hash) {
        token_hash -> Text,
        state_hash -> Text,
        nonce -> Text,
        verifier -> Text,
        session_id -> Nullable<BigInt>,
        invitation_hash -> Nullable<Text>,
        name -> Text,
        totp_step -> BigInt,
        expires_at -> Timestamp,
    }
}

diesel::table! {
    open_sign_ins (token_hash) {
        token_hash -> Text,
        staff_id -> BigInt,
        first_factor -> Text,
        challenge -> Nullable<Text>,
        expires_at -> Timestamp,
        session_id -> Nullable<BigInt>,
    }
}

diesel::table! {
    passkeys (id) {
        id -> BigInt,
        staff_id -> BigInt,
        credential_id -> Text,
        credential -> Text,
        counter -> BigInt,
        name -> Text,
        created_at -> Timestamp,
        last_used_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    passkey_registrations (session_id) {
        session_id -> BigInt,
        state -> Text,
        expires_at -> Timestamp,
    }
}

diesel::table! {
    assignments (day, network) {
        day -> Text,
        network -> Text,
        staff_id -> BigInt,
        at -> Timestamp,
    }
}

diesel::table! {
    private_drafts (staff_id, form) {
        staff_id -> BigInt,
        form -> Text,
        number_id -> Nullable<BigInt>,
        text -> Text,
        version -> BigInt,
        holds -> Bool,
        at -> Timestamp,
    }
}

diesel::joinable!(erasures -> numbers (number_id));
diesel::joinable!(lookups -> numbers (number_id));
diesel::joinable!(refunds -> numbers (number_id));
diesel::allow_tables_to_appear_in_same_query!(staff, invitations, sessions, identities, private_drafts);
diesel::allow_tables_to_appear_in_same_query!(numbers, lookups, refunds, erasures);
