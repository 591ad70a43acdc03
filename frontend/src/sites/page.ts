/** What a page module exports beside its screen: what the page needs first. Routes, prefetching and first-views.json are made from it. */
import type { Params } from 'react-router';

/** The options of a query, whose key begins with the address of its call. */
type Query = { queryKey: readonly unknown[] };

export type Page = {
  /** Its name in metrics. */
  name: string;
  /** The queries of the first screen whose replies are the same for every visitor: the gateway embeds the replies. */
  queries?: Query[];
  /**
   * Queries about the visitor's session. The gateway embeds their replies in a page without `queries`, and in others only where forms were sent
   * without scripts.
   */
  own?: Query[];
  /** Whether the first reply is a paged list. Without scripts, `?after=` with an id opens the items that follow. */
  list?: true;
  /** False if the application does not hydrate what the server renders, but replaces it. */
  screen?: false;
  /** Where the page goes on by itself, by an ordinary refresh; `{query}` is its query. */
  forward?: string;
  /** Loads what depends on the first replies, when a link to the page is touched. */
  follow?: () => Promise<unknown>;
};

/** `q` is what a visitor searches for. */
export type PageOf = (parameters: Params<string> & { q?: string }) => Page;
