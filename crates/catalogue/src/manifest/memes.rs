//! The manifest of the meme service: categories, each with memes.

use super::{Count, DateTime, Image, Slug, Title, batch, record};

record! {
    /// A category of memes.
    MemeCategoryRecord: "category" in categories, staged_categories, translating [name] {
        /// The category's name.
        name: Title,
        /// Its place in lists of visitors: the smallest is first. Those without one follow, oldest first.
        position: Option<Count>,
    }
}

record! {
    /// A meme.
    MemeRecord: "meme" in memes, staged_memes, translating [title] {
        /// The slug of its category.
        #[schemars(skip)]
        parent: Slug => category_id of MemeCategoryRecord,
        /// The meme's title.
        title: Title,
        /// Address of the picture.
        image: Image,
        /// The date that people read.
        created_at: DateTime,
    }
}

batch! {
    /// Records of an import that is open.
    MemeRecords {
        categories: MemeCategoryRecord,
        memes: MemeRecord,
    }
}
