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
  /** What a refused join form shows again: the number, and the reason. */
  form: { typed: string; problem: string };
};

let current: ServerInput | undefined;

/** `undefined` in a browser. */
export const serverInput = (): ServerInput | undefined => current;

/** Renders one page from `input`, and keeps nothing of it for the next. */
export function renderFrom<T>(input: ServerInput, render: () => T): T {
  current = input;
  try {
    return render();
  } finally {
    current = undefined;
  }
}
