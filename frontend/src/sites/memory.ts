/**
 * What this phone remembers of a brand's films, artists and memes: which were seen in the last 30 days. It stays on the phone.
 */
import { getSessionItem, setSessionItem } from '../shared/session-storage';
import { brand } from './brand';
import { getLocalItem, setLocalItem } from './ui/local-storage';

/** Days that something counts as seen. */
const REMEMBERED_DAYS = 30;
/** The latest of these are kept. */
const MOST = 2000;

/** An item's key with the day on which it was shown. */
type Seen = [key: string, day: number];

const storedAt = () => `spaza.seen.${brand().label}`;
const today = () => Math.floor(Date.now() / 86_400_000);

function seen(): Seen[] {
  try {
    const stored: Seen[] = JSON.parse(getLocalItem(storedAt()) ?? '[]');
    return stored.filter(([, day]) => day > today() - REMEMBERED_DAYS);
  } catch {
    return [];
  }
}

/** The keys of what this phone has shown. */
export const seenKeys = (): Set<string> => new Set(seen().map(([key]) => key));

export function rememberSeen(...keys: string[]): void {
  const others = seen().filter(([other]) => !keys.includes(other));
  setLocalItem(storedAt(), JSON.stringify([...others, ...keys.map(key => [key, today()])].slice(-MOST)));
}

/** By what was read, and the brand. */
const readOnLoad = new Map<string, string>();

/**
 * What `read` returned when a list was first opened: its order stays, also on the way back. `tab`: over reloads, too. `document`: the list is
 * another one after a reload.
 */
export function whenOpened(name: string, read: () => string, span: 'tab' | 'document' = 'tab'): string {
  const key = `${name}.${brand().label}`;
  if (span === 'document') {
    const kept = readOnLoad.get(key) ?? read();
    readOnLoad.set(key, kept);
    return kept;
  }
  if (!getSessionItem(key)) setSessionItem(key, read());
  return getSessionItem(key);
}

export function forgetOpened(name: string): void {
  const key = `${name}.${brand().label}`;
  readOnLoad.delete(key);
  setSessionItem(key, '');
}

/** The keys, as JSON, of what the phone had shown before a list was opened. */
export const seenBefore = (list: string, span?: 'tab' | 'document'): string =>
  whenOpened(`seen.${list}`, () => JSON.stringify([...seenKeys()]), span) || '[]';

/** What was not seen comes first, each part in its own order. While `more` of a list is not loaded, the seen part is not its end yet. */
export function unseenFirst<T>(
  items: T[],
  keyOf: (item: T) => string,
  before: Set<string>,
  more = false,
): T[] {
  const fresh = items.filter(item => !before.has(keyOf(item)));
  return more || fresh.length === items.length
    ? fresh
    : [...fresh, ...items.filter(item => before.has(keyOf(item)))];
}
