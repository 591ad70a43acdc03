/** The replies that the gateway embedded in the page, so that the first rendering needs no request. Each is returned once. */
import { serverInput } from '../server-input';
import type { Address } from './client';

let embedded = new Map<string, unknown>();
let all: Record<string, unknown> = {};

/** Every embedded reply of the page, for the service worker. */
export const embeddedReplies = (): Record<string, unknown> => all;

/** The embedded reply of a call to `path` (without `domain=`); `undefined` if there is none. */
export function takeEmbeddedReply(path: string): unknown {
  const input = serverInput();
  if (input) return input.replies[path];
  const element = document.getElementById('replies');
  if (element) {
    element.remove();
    embedded = parseReplies(element.textContent ?? '');
    all = Object.fromEntries(embedded);
  }
  const reply = embedded.get(path);
  embedded.delete(path);
  return reply;
}

/** Replies by address. If the text cannot be parsed, the map is empty and the page fetches its replies. */
function parseReplies(text: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch (error) {
    console.info('The replies in this page cannot be read', error);
    return new Map();
  }
}

let own: Map<string, unknown> | undefined;

/**
 * A reply about the visitor's session, for the first rendering: null without a session, `undefined` if the gateway did not embed it. The
 * call follows.
 */
export function ownReply<T>(path: Address<T>): T | null | undefined {
  const input = serverInput();
  if (input) return input.own[path] as T | null | undefined;
  own ??= parseReplies(document.getElementById('own')?.textContent ?? '{}');
  return own.get(path) as T | null | undefined;
}

/** Call when the session has changed. `read`: the page has others. */
export function forgetOwnReplies(read = false): void {
  own = read ? undefined : new Map();
}
