//! The work of editors and publishers: an edit is the import of a record.
//!
//! `records` lists what the catalogue services have. `drafts` are records that are not imported yet: saved, submitted, sent back, discarded.
//! `imports` are files of many records: uploaded, compared, and applied as they were seen. `publish` imports a draft, takes records down and puts them back.
//! `releases` puts drafts together, which become such a file. `media` checks the films and pictures of what goes live. `previews` makes links that show drafts and files on the sites before they are published;
//! `viewing` has pictures and films for the screens. The services validate and write; each call of theirs names the person.

pub(crate) mod drafts;
pub(crate) mod imports;
pub(crate) mod media;
pub(crate) mod previews;
pub(crate) mod publish;
pub(crate) mod records;
pub(crate) mod releases;
pub(crate) mod viewing;
