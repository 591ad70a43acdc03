//! What each kind of record has: the one list that the parser, the JSON Schema and the columns of a CSV follow.

use brands::Kind;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An editors' key.
    Slug,
    /// Text that may be empty.
    Words,
    /// Text.
    Name,
    /// `https://…`
    Image,
    /// A path below the media folder.
    Media,
    /// A path of a WebVTT file below the media folder.
    Captions,
    /// `YYYY-MM-DD HH:MM:SS`, UTC.
    Time,
    /// A whole number, 0 or more.
    Count,
    /// `listed`, `unlisted` or `deleted`.
    State,
}

/// One field of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, in JSON, CSV and on the wire.
    pub name: &'static str,
    /// What its value looks like.
    pub form: Form,
    /// Whether every record has it.
    pub required: bool,
    /// What it is, for people.
    pub about: &'static str,
}

/// One kind of record.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What one is called.
    pub kind: &'static str,
    /// What a list of them is called.
    pub list: &'static str,
    /// What it belongs to, if to anything.
    pub parent: Option<&'static str>,
    /// Its own fields.
    own: &'static [Field],
}

/// What a service's part of a manifest is made of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What others belong to.
    pub groups: Spec,
    /// What belongs to them, in lists of their own.
    pub items: Spec,
    /// What stands beside.
    pub others: &'static [Spec],
}

const fn needed(name: &'static str, form: Form, about: &'static str) -> Field {
    Field { name, form, required: true, about }
}

const fn optional(name: &'static str, form: Form, about: &'static str) -> Field {
    Field { name, form, required: false, about }
}

const SLUG: Field = needed("slug", Form::Slug, "The editors' own key, unique among its kind in the service.");

/// The column of a CSV, and the field on the wire, that names what a record belongs to.
pub const PARENT: Field = needed("parent", Form::Slug, "The slug of what it belongs to.");

const EVERYWHERE: [Field; 3] = [
    optional(
        "state",
        Form::State,
        "Who finds it: everybody (listed), who has its address (unlisted), nobody (deleted).",
    ),
    optional("publish_at", Form::Time, "Nobody finds it before this time."),
    optional("expires_at", Form::Time, "Nobody finds it from this time on."),
];

const STREAM: [Field; 6] = [
    needed("media", Form::Media, "Path of the stream below the media folder, in the service's own folder."),
    needed("image", Form::Image, "Address of the thumbnail."),
    needed("datetime", Form::Time, "The date that people read."),
    needed("duration_s", Form::Count, "Length in seconds."),
    needed("bytes", Form::Count, "Size of the stream in bytes."),
    optional(
        "captions",
        Form::Captions,
        "Path of its captions below the media folder: WebVTT. A language may stand before the ending (.zu.vtt).",
    ),
];

const ARTISTS: Shape = Shape {
    groups: Spec {
        kind: "artist",
        list: "artists",
        parent: None,
        own: &[
            needed("artist", Form::Name, "The artist's name."),
            optional("description", Form::Words, "A sentence or two."),
            needed("image", Form::Image, "Address of the portrait."),
        ],
    },
    items: Spec {
        kind: "video",
        list: "videos",
        parent: Some("artist"),
        own: &[
            needed("video_name", Form::Name, "The title."),
            STREAM[0],
            STREAM[1],
            STREAM[2],
            STREAM[3],
            STREAM[4],
            STREAM[5],
        ],
    },
    others: &[],
};

const MEMES: Shape = Shape {
    groups: Spec {
        kind: "category",
        list: "categories",
        parent: None,
        own: &[needed("name", Form::Name, "The category's name.")],
    },
    items: Spec {
        kind: "meme",
        list: "memes",
        parent: Some("category"),
        own: &[
            needed("title", Form::Name, "The meme's title."),
            needed("image", Form::Image, "Address of the picture."),
            needed("created_at", Form::Time, "The date that people read."),
        ],
    },
    others: &[],
};

const VIDEOS: Shape = Shape {
    groups: Spec {
        kind: "category",
        list: "categories",
        parent: None,
        own: &[needed("category_name", Form::Name, "The category's name; not of digits alone.")],
    },
    items: Spec {
        kind: "video",
        list: "videos",
        parent: Some("category"),
        own: &[
            needed("name", Form::Name, "The short name, for cards."),
            needed("video_name", Form::Name, "The full title."),
            needed("artist", Form::Name, "Who made it or appears in it."),
            needed("status", Form::Name, "The word that related videos share."),
            STREAM[0],
            STREAM[1],
            STREAM[2],
            STREAM[3],
            STREAM[4],
            STREAM[5],
        ],
    },
    others: &[Spec {
        kind: "banner",
        list: "banners",
        parent: None,
        own: &[
            needed("title", Form::Name, "What it announces."),
            needed("image", Form::Image, "Address of the picture."),
            optional("video", Form::Slug, "The slug of the video it leads to."),
        ],
    }],
};

impl Shape {
    /// What the services of this kind publish.
    pub const fn of(kind: Kind) -> &'static Self {
        match kind {
            Kind::Comedy | Kind::Diski => &ARTISTS,
            Kind::Meme => &MEMES,
            Kind::Tt => &VIDEOS,
        }
    }

    /// Every shape there is, each with a name for it.
    pub const fn all() -> [(&'static str, &'static Self); 3] {
        [("artists", &ARTISTS), ("memes", &MEMES), ("videos", &VIDEOS)]
    }

    /// Every kind of record.
    pub fn specs(&self) -> impl Iterator<Item = &Spec> {
        [&self.groups, &self.items].into_iter().chain(self.others)
    }
}

impl Spec {
    /// Every field, the slug first; without what it belongs to.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        std::iter::once(SLUG).chain(self.own.iter().copied()).chain(EVERYWHERE)
    }
}
