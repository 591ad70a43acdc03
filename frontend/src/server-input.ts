/**
 * What the gateway gives a page to render. In a browser the document carries it. Server rendering has no document: there
 * server-rendering.tsx sets it for each page.
 */
import type { Brand } from './brand';

export type ServerInput = {
  brand: Brand;
  /** Replies by the addresses of their calls. */
  replies: Record<string, unknown>;
  /** The brand that the demo host 88 was asked for; empty on a brand's own host. */
  domain: string;
  /** What a refused form shows again: the number, and the reason. */
  form: { typed: string; problem: string };
  /** The visitor has just left. */
  left: boolean;
  /** Replies about the visitor's own session, by their addresses; null where there is none. Only for browsers without scripts. */
  own: Record<string, unknown>;
  /** Rendered for browsers without scripts alone: nothing hydrates it. */
  plain: boolean;
};

/** Cards of a list on the first screen of any device: three rows on a phone of two columns, two on a desktop of six. */
const FIRST_SCREEN_CARDS = 12;

/** Cards of a list on a page of its own for browsers without scripts; the gateway asks for one more, which tells whether more follow. */
const LISTED_CARDS = 24;

let current: ServerInput | undefined;

/** `undefined` in a browser. */
export const serverInput = (): ServerInput | undefined => current;

/** What a service says of the visitor's own session: null without one, `undefined` where it was not asked. */
export const ownReply = <T>(path: string): T | null | undefined => current?.own[path] as T | null | undefined;

/** How many cards of a list are rendered before the page is hydrated. */
export const cardsOnServer = (): number => (current?.plain ? LISTED_CARDS : FIRST_SCREEN_CARDS);

/** Renders one page from `input`, and keeps nothing of it for the next. */
export function renderFrom<T>(input: ServerInput, render: () => T): T {
  current = input;
  try {
    return render();
  } finally {
    current = undefined;
  }
}
