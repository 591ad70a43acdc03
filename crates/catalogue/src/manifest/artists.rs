//! The manifest of comedy and diski: artists, each with videos.

use super::{Captions, Count, DateTime, Image, Media, Slug, Title, Words, batch, record};

record! {
    /// An artist.
    ArtistRecord: "artist" in artists, staged_artists, translating [description] {
        /// The artist's name.
        artist: Title,
        /// A sentence or two.
        #[schemars(with = "Option<Words>")]
        description: Words,
        /// Address of the portrait.
        image: Image,
        /// Its place in lists of visitors: the smallest is first. Those without one follow, oldest first.
        position: Option<Count>,
    }
}

record! {
    /// A video of an artist.
    ArtistVideoRecord: "video" in videos, staged_videos, translating [video_name] {
        /// The slug of its artist.
        #[schemars(skip)]
        parent: Slug => artist_id of ArtistRecord,
        /// The title.
        video_name: Title,
        /// Path of the stream below the media folder, in the service's own folder.
        media: Media,
        /// Address of the thumbnail.
        image: Image,
        /// The date that people read.
        datetime: DateTime,
        /// Length in seconds.
        duration_s: Count,
        /// Size of the stream in bytes.
        bytes: Count,
        /// Path of its captions below the media folder: WebVTT. A language may stand before the ending (.zu.vtt).
        captions: Option<Captions>,
    }
}

batch! {
    /// Records of an import that is open.
    ArtistRecords {
        artists: ArtistRecord,
        videos: ArtistVideoRecord,
    }
}
