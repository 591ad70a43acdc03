/** The gateway's input for rendering a page. In a browser it is in the document; in server rendering, server-rendering.tsx sets it per page. */
import type { OfferedNetwork } from '../shared/contract/sites';
import type { Brand } from './brand';
import type { Catalogue, Terms } from './messages';

/** What the next press of JOIN sends; with a code where it was held until its visitor types that. */
export type HeldJoin = { challenge: string; code: string };

/** The number and the error message that a rejected form shows again, the networks to choose from, and what a held join needs. */
export type ShownForm = {
  typed: string;
  problem: string;
  networks: OfferedNetwork[];
  held: HeldJoin | undefined;
  /** Whether the visitor is typing the number. */
  focused?: boolean;
};

export type ServerInput = {
  brand: Brand;
  /** The texts of the page's language. */
  messages: Catalogue;
  /** The texts of the terms in a language. */
  terms: (code: string) => Terms;
  /** Replies by the addresses of their calls. */
  replies: Record<string, unknown>;
  /** The value of `domain=` on the demo host 88; empty on a brand's own host. */
  domain: string;
  form: ShownForm;
  /** The visitor has just unsubscribed. */
  left: boolean;
  /** Replies about the visitor's session by address; null without a session. */
  own: Record<string, unknown>;
  /** Where the visitor's own list continues: the next `?after=`; empty at its end. */
  next: string;
  /** Only for browsers without scripts: the page is not hydrated. */
  plain: boolean;
};

/** Cards on the first screen of any device: on a desktop, two rows of six; on a phone, fewer. */
const FIRST_SCREEN_CARDS = 12;

/** Cards per page for browsers without scripts. The gateway requests one more, to detect whether more follow. */
const NO_SCRIPT_CARDS = 24;

let current: ServerInput | undefined;

/** `undefined` in a browser. */
export const serverInput = (): ServerInput | undefined => current;

/** The number of cards that are rendered before hydration. */
export const cardsOnServer = (): number => (current?.plain ? NO_SCRIPT_CARDS : FIRST_SCREEN_CARDS);

/** Renders one page from `input`, which is reset afterwards. */
export function renderFrom<T>(input: ServerInput, render: () => T): T {
  current = input;
  try {
    return render();
  } finally {
    current = undefined;
  }
}
