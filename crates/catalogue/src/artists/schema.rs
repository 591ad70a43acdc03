//! The tables, in types that both engines share; `migrations/artists` creates them.

diesel::table! {
    artists (id) {
        id -> BigInt,
        service -> Text,
        slug -> Text,
        artist -> Text,
        description -> Text,
        image -> Text,
        state -> Text,
        publish_at -> Timestamp,
        expires_at -> Timestamp,
        rank -> BigInt,
    }
}

diesel::table! {
    videos (id) {
        id -> BigInt,
        artist_id -> BigInt,
        service -> Text,
        slug -> Text,
        video_name -> Text,
        media -> Text,
        image -> Text,
        datetime -> Timestamp,
        duration_s -> BigInt,
        bytes -> BigInt,
        captions -> Nullable<Text>,
        state -> Text,
        publish_at -> Timestamp,
        expires_at -> Timestamp,
    }
}

diesel::joinable!(videos -> artists (artist_id));
diesel::allow_tables_to_appear_in_same_query!(artists, videos);
