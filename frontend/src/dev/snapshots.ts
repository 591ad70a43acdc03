/// <reference types="node" />
/** Reads the services' snapshots of their replies. The mocked replies are made from them, so they cannot diverge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CRATES = join(import.meta.dirname, '../../../crates');

/** The reply of a snapshot. Ids and times in it are redacted; fixtures set their own. */
export function snapshot<T>(crate: string, name: string): T {
  const text = readFileSync(join(CRATES, crate, `tests/api/snapshots/api__${name}.snap`), 'utf8');
  const [, , reply = ''] = text.split(/^---$/m);
  return JSON.parse(reply) as T;
}

/** The first item of a list. */
export function firstOf<T>([first]: T[]): T {
  if (first === undefined) throw new Error('The snapshot is an empty list');
  return first;
}

/** A copy of `one` with changes. Fields that the service does not send are refused by the type. */
export function like<T extends object>(one: T, changes: Partial<T>): T {
  const made = Object.keys(changes).filter(key => !(key in one));
  if (made.length > 0) throw new Error(`No service sends ${made.join(', ')}`);
  const changed = { ...one, ...changes };
  const open = Object.entries(changed).filter(([, value]) => value === '[id]' || value === '[time]');
  if (open.length > 0) throw new Error(`Still redacted: ${open.map(([key]) => key).join(', ')}`);
  return changed;
}
