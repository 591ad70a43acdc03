//! The fixture's rows are consistent on both engines, and a second fill is added to the first.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must say so and fail")]

use bench::fixture::{Service, Size, fill, listed, open};
use diesel::{RunQueryDsl, sql_types::BigInt};
use store::Db;

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

async fn count(db: &Db, query: &str) -> i64 {
    let query = format!("SELECT count(*) AS number FROM {query}");
    let rows = db.run(move |conn| {
        diesel::sql_query(query).get_result::<Number>(conn).map_err(|error| store::Error::Query(error.to_string()))
    });
    rows.await.unwrap().number
}

testkit::on_each_engine! {
    async fn fill_sets_each_memes_count_to_the_number_of_its_likes(engine) {
        let place = testkit::store(engine).await;
        let size = Size { likes: 20_000, ..Size::of(1_000) };
        for library in 1..=2 {
            // The second time without likes: the same numbers would like other memes.
            fill(&place.config, Service::Meme, Size { likes: if library == 1 { size.likes } else { 0 }, ..size }).await.unwrap();
            let db = open(&place.config, Service::Meme).await.unwrap();
            assert_eq!(count(&db, "memes").await, 1_000 * library);
            assert_eq!(count(&db, "categories").await, 10 * library);
            assert_eq!(count(&db, "likes").await, 20_000);
            let wrong = "memes WHERE likes <> (SELECT count(*) FROM likes WHERE likes.meme_id = memes.id)";
            assert_eq!(count(&db, wrong).await, 0);
            assert_eq!(count(&db, "memes WHERE image NOT LIKE 'https://%'").await, 0);
            assert_eq!(count(&db, "imports").await, library);
        }
        let db = open(&place.config, Service::Meme).await.unwrap();
        assert!(count(&db, "memes WHERE likes > 100").await > 0, "likes crowd on a few memes");
        assert!(count(&db, "memes WHERE likes < 20").await > 100, "and most memes have few");
    }

    async fn fill_works_for_every_service(engine) {
        let place = testkit::store(engine).await;
        for service in [Service::Comedy, Service::Diski, Service::Tt] {
            fill(&place.config, service, Size { likes: 1_000, ids_after: 5_000, ..Size::of(500) }).await.unwrap();
            let db = open(&place.config, service).await.unwrap();
            assert_eq!(count(&db, "videos WHERE id > 5000").await, 500);
            assert_eq!(count(&db, &format!("videos WHERE service = '{}'", service.brand())).await, 500);
        }
        let db = open(&place.config, Service::Tt).await.unwrap();
        assert_eq!(count(&db, "likes").await, 1_000);
        assert_eq!(count(&db, "banners").await, 5);
        assert_eq!(count(&db, "likes WHERE NOT EXISTS (SELECT 1 FROM videos WHERE videos.id = likes.video_id)").await, 0);
    }
}

#[test]
fn listed_returns_ids_in_the_first_half_of_every_hundred() {
    assert_eq!((listed(0), listed(49), listed(50)), (1, 50, 101));
    assert!((0..50_000).map(listed).all(|id| id <= 100_000 && (id - 1) % 100 < 50));
}
