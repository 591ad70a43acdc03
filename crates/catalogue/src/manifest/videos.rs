//! The manifest of the video-on-demand service: categories, each with videos, and banners.

use super::{Captions, CategoryName, Count, DateTime, Image, Media, Slug, Title, batch, record};

record! {
    /// A category of videos on demand.
    TtCategoryRecord: "category" in categories, staged_categories, translating [category_name] {
        /// The category's name; not of digits alone.
        category_name: CategoryName,
        /// Its place in lists of visitors: the smallest is first. Those without one follow, oldest first.
        position: Option<Count>,
    }
}

record! {
    /// A video on demand.
    TtVideoRecord: "video" in videos, staged_videos, translating [name, video_name] {
        /// The slug of its category.
        #[schemars(skip)]
        parent: Slug => category_id of TtCategoryRecord,
        /// The short name, for cards.
        name: Title,
        /// The full title.
        video_name: Title,
        /// The artist: who made the video or appears in it.
        artist: Title,
        /// The status that related videos share.
        status: Title,
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

record! {
    /// A large picture at the top of a home page.
    TtBannerRecord: "banner" in banners, staged_banners, translating [title] {
        /// The banner's title.
        title: Title,
        /// Address of the picture.
        image: Image,
        /// The slug of the video it leads to.
        video: Option<Slug> => video_id of TtVideoRecord,
        /// Its place in lists of visitors: the smallest is first. Those without one follow, oldest first.
        position: Option<Count>,
    }
}

batch! {
    /// Records of an import that is open.
    TtRecords {
        categories: TtCategoryRecord,
        videos: TtVideoRecord,
        banners: TtBannerRecord,
    }
}
