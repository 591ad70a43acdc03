//! The tables, in types that both engines share; `migrations/tt` creates them.

diesel::table! {
    categories (id) {
        id -> BigInt,
        service -> Text,
        slug -> Text,
        category_name -> Text,
        state -> Text,
        publish_at -> Timestamp,
        expires_at -> Timestamp,
        translations -> Nullable<Text>,
        rank -> BigInt,
    }
}

diesel::table! {
    videos (id) {
        id -> BigInt,
        category_id -> BigInt,
        service -> Text,
        slug -> Text,
        name -> Text,
        video_name -> Text,
        artist -> Text,
        status -> Text,
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

diesel::table! {
    banners (id) {
        id -> BigInt,
        service -> Text,
        slug -> Text,
        title -> Text,
        image -> Text,
        video_id -> Nullable<BigInt>,
        state -> Text,
        publish_at -> Timestamp,
        expires_at -> Timestamp,
        rank -> BigInt,
    }
}

diesel::table! {
    likes (msisdn, video_id) {
        msisdn -> Text,
        video_id -> BigInt,
        service -> Text,
        created -> Timestamp,
        person -> Integer,
    }
}

diesel::table! {
    watchlist (msisdn, video_id) {
        msisdn -> Text,
        video_id -> BigInt,
        service -> Text,
        created -> Timestamp,
        person -> Integer,
    }
}

diesel::joinable!(videos -> categories (category_id));
diesel::joinable!(watchlist -> videos (video_id));
diesel::allow_tables_to_appear_in_same_query!(banners, categories, videos, watchlist);
