/**
 * What the gateway gave a page to be drawn from. In a browser the document carries it; first-screen.tsx draws without a document, and
 * says it for each drawing.
 */
import type { Brand } from './brand';

export type Served = {
  brand: Brand;
  /** Replies by the addresses of their calls. */
  replies: Record<string, unknown>;
  /** The brand that the demo host 88 was asked for; empty on a brand's own host. */
  domain: string;
  /** What a join form shows that is written a second time: the number, and why it was refused. */
  form: { typed: string; problem: string };
};

let current: Served | undefined;

/** Nothing in a browser. */
export const served = (): Served | undefined => current;

/** Draws one page. Nothing of it is left for the next. */
export function drawFrom<T>(page: Served, draw: () => T): T {
  current = page;
  try {
    return draw();
  } finally {
    current = undefined;
  }
}
