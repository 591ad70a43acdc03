//! Lists in pages of at most 200 items; a `Link` header has the next page's URL (RFC 8288).

use std::fmt::Display;

use serde::Deserialize;
use utoipa::IntoParams;

use crate::{Message, Problem};

/// The most items of one reply.
pub const MAX_PAGE: i64 = 200;

/// `?limit=&after=` as sent.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The most items in the reply; values above 200 mean 200.
    #[param(nullable = false, minimum = 1, maximum = 9223372036854775807_i64, default = 200)]
    limit: Option<i64>,
    /// Only items behind the one with this id. The `Link` header of a reply has the address of the next page.
    #[param(nullable = false, minimum = 0, maximum = 9223372036854775807_i64, default = 0)]
    after: Option<i64>,
}

/// The items of a reply: those after an id, at most `limit` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// At most this many items, 1 to 200.
    pub limit: i64,
    /// Only items behind the one with this id; 0 means from the start.
    pub after: i64,
}

impl TryFrom<PageQuery> for Page {
    type Error = Problem;

    fn try_from(query: PageQuery) -> Result<Self, Problem> {
        let after = query.after.unwrap_or(0);
        if after < 0 {
            return Err(Problem::bad_request(Message::new("page-after-id")));
        }
        Ok(Self { after, ..Self::of_limit(query.limit)? })
    }
}

impl Page {
    /// The first page with `?limit=` as sent.
    pub fn of_limit(limit: Option<i64>) -> Result<Self, Problem> {
        let limit = limit.unwrap_or(MAX_PAGE);
        if limit < 1 {
            return Err(Problem::bad_request(Message::new("limit-not-positive")));
        }
        Ok(Self { limit: limit.min(MAX_PAGE), after: 0 })
    }

    /// How many rows to query: one more than the page, which shows whether more follow.
    pub fn fetch(self) -> i64 {
        self.limit + 1
    }

    /// Truncates `items` to the page; returns the id (or another cursor) of its last item if more follow.
    pub fn cut<T, C>(self, items: &mut Vec<T>, cursor: impl Fn(&T) -> C) -> Option<C> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        if items.len() <= limit {
            return None;
        }
        items.truncate(limit);
        items.last().map(cursor)
    }

    /// The value of the `Link` header: `address` (path and query without paging) with the page after `last`.
    pub fn next_link(self, address: &str, last: impl Display) -> String {
        let separator = if address.contains('?') { '&' } else { '?' };
        format!("<{address}{separator}limit={}&after={last}>; rel=\"next\"", self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_returns_the_last_id_if_more_follow() {
        let page = Page { limit: 2, after: 0 };
        let mut items = vec![1, 2, 3];
        let last = page.cut(&mut items, |id| *id).unwrap();
        assert_eq!((items, last), (vec![1, 2], 2));
        assert_eq!(page.next_link("/a?x=1", last), "</a?x=1&limit=2&after=2>; rel=\"next\"");
        assert_eq!(page.cut(&mut vec![1, 2], |id| *id), None);
    }

    #[test]
    fn try_from_caps_limit_at_200() {
        let page = |limit| Page::try_from(PageQuery { limit, after: None });
        assert_eq!(page(None).unwrap().limit, 200);
        assert_eq!(page(Some(5)).unwrap().limit, 5);
        assert_eq!(page(Some(5000)).unwrap().limit, 200);
        assert!(page(Some(0)).is_err() && page(Some(-1)).is_err());
    }
}
