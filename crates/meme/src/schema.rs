//! The tables, in types that both engines share; `migrations/meme` creates them.

diesel::table! {
    categories (id) {
        id -> BigInt,
        service -> Text,
        slug -> Text,
        name -> Text,
        state -> Text,
        publish_at -> Timestamp,
        expires_at -> Timestamp,
        rank -> BigInt,
    }
}

diesel::table! {
    memes (id) {
        id -> BigInt,
        category_id -> BigInt,
        service -> Text,
        slug -> Text,
        title -> Text,
        image -> Text,
        created_at -> Timestamp,
        likes -> BigInt,
        state -> Text,
        publish_at -> Timestamp,
        expires_at -> Timestamp,
    }
}

diesel::table! {
    likes (msisdn, meme_id) {
        msisdn -> Text,
        meme_id -> BigInt,
        created -> Timestamp,
        person -> Integer,
    }
}

diesel::joinable!(memes -> categories (category_id));
diesel::joinable!(likes -> memes (meme_id));
diesel::allow_tables_to_appear_in_same_query!(categories, memes, likes);
