/** Likes and watchlist changes that were made without a connection: they are sent when it is back, also after a reload. */

import type { Calls } from '../../shared/contract/sites';
import { brand } from '../brand';
import { refetchInThisTab } from '../other-tabs';
import { getLocalItem, setLocalItem } from '../ui/local-storage';
import { send, type Write } from './client';
import { ApiProblem } from './problem';

type Waiting = { about: string; name: Write; body: Calls[Write]['body'] };

const key = () => `spaza.outbox.${brand().label}`;

function waiting(): Waiting[] {
  try {
    return JSON.parse(getLocalItem(key()) ?? '[]');
  } catch {
    return [];
  }
}

/** Without a connection the call waits in place of an earlier one `about` the same. */
export async function sendOrKeep<Name extends Write>(
  about: string,
  name: Name,
  body: Calls[Name]['body'],
): Promise<Calls[Name]['reply'] | undefined> {
  if (navigator.onLine) return send(name, body);
  const others = waiting().filter(each => each.about !== about);
  // The phone does not store the number: the session has it.
  setLocalItem(key(), JSON.stringify([...others, { about, name, body: { ...body, ani: undefined } }]));
  return undefined;
}

/** Sends what waits, in order. A call that the server refuses is dropped; without a connection the rest goes on waiting. */
async function sendWaiting(): Promise<void> {
  let first = waiting()[0];
  if (!first) return;
  for (; first; first = waiting()[0]) {
    const { about, name, body } = first;
    try {
      await send(name, body);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status >= 500) return;
      console.info('Not saved', about, error);
    }
    const sent = JSON.stringify(first);
    setLocalItem(key(), JSON.stringify(waiting().filter(each => JSON.stringify(each) !== sent)));
  }
  refetchInThisTab();
}

/** Now, and whenever the connection is back. */
export function sendWhenOnline(): void {
  window.addEventListener('online', sendWaiting);
  if (navigator.onLine) sendWaiting();
}
