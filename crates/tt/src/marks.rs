//! Marks of videos, which likes and the watchlist are: at most one of each per phone number and video.

/// `mark` and `unmark` for a table of marks. Repeating them changes nothing.
macro_rules! marks {
    ($table:ident) => {
        async fn mark(app: &App, subscriber: Subscriber, service: String, video_id: i64) -> Result<(), Error> {
            let Session { msisdn, person, .. } = subscriber.session;
            app.db
                .write(move |conn| {
                    Video::in_service(conn, video_id, &service)?;
                    let row = (
                        $table::msisdn.eq(msisdn.as_str()),
                        $table::video_id.eq(video_id),
                        $table::service.eq(service),
                        $table::created.eq(service::timestamp::now()),
                        $table::person.eq(&person),
                    );
                    // The former owner's goes.
                    let of_former = $table::table.find((msisdn.as_str(), video_id)).filter($table::person.lt(&person));
                    diesel::delete(of_former).execute(conn)?;
                    on_each_backend!(conn, conn => diesel::insert_into($table::table).values(row).on_conflict_do_nothing().execute(conn))?;
                    Ok(())
                })
                .await
        }

        async fn unmark(app: &App, subscriber: Subscriber, video_id: i64) -> Result<(), Error> {
            app.db
                .write(move |conn| {
                    Video::in_service(conn, video_id, &subscriber.site.brand.service)?;
                    let marked = $table::table.find((subscriber.session.msisdn.as_str(), video_id));
                    diesel::delete(marked).execute(conn)?;
                    Ok(())
                })
                .await
        }
    };
}

pub(crate) use marks;
