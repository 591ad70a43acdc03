/// <reference types="node" />
/** The services' own snapshots of their replies: what the mocked network answers is made of them, and so cannot drift from them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CRATES = join(import.meta.dirname, '../../../crates');

/** The reply of a snapshot. Ids and times are redacted in it: whoever uses one puts their own in. */
export function snapshot<T>(crate: string, name: string): T {
  const text = readFileSync(join(CRATES, crate, `tests/api/snapshots/api__${name}.snap`), 'utf8');
  const [, , reply = ''] = text.split(/^---$/m);
  return JSON.parse(reply) as T;
}

/** The first of a list. */
export function firstOf<T>([first]: T[]): T {
  if (first === undefined) throw new Error('The snapshot is an empty list');
  return first;
}

/** A reply like `one`, with what a test wants to be different. A field that the service does not send cannot be made up. */
export function like<T extends object>(one: T, changes: Partial<T>): T {
  const made = Object.keys(changes).filter(key => !(key in one));
  if (made.length > 0) throw new Error(`No service sends ${made.join(', ')}`);
  const changed = { ...one, ...changes };
  const open = Object.entries(changed).filter(([, value]) => value === '[id]' || value === '[time]');
  if (open.length > 0) throw new Error(`Still redacted: ${open.map(([key]) => key).join(', ')}`);
  return changed;
}
