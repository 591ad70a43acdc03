/**
 * The key of saved films. The subscription service gives it to an active session, for this browser; without contact it is good for 48 hours.
 * What the clock shows may go back: then time goes on from the latest that it has shown.
 */
import { address, request } from '../api/client';
import { ApiProblem } from '../api/problem';
import { brand } from '../brand';
import { database, type Part, type StoredKey } from './database';

const ALGORITHM = 'AES-GCM';
/** Bytes, as NIST SP 800-38D recommends for AES-GCM. */
const IV_BYTES = 12;

/** `performance.now()`, which no clock setting changes, when the latest time was stored. */
let ticked = performance.now();

/** The time that counts, given the latest that was seen, and the milliseconds that have passed since. */
export const timeAfter = (latest: number, passed: number, clock = Date.now()): number =>
  clock >= latest ? clock : latest + passed;

export type Contact = 'renewed' | 'ended' | 'unreachable';

/** Asks the service for the key again. 'ended': it gives none any more, and the key is deleted; what it encrypted cannot be read. */
export async function renewKey(): Promise<Contact> {
  const label = brand().label;
  try {
    const response = await request('POST', address('POST /api/subscribe/saving-key'));
    const { key, valid_seconds } = await response.json();
    await storeKey(label, key, valid_seconds);
    return 'renewed';
  } catch (error) {
    // A reply without our sentence is not ours, such as that of a Wi-Fi's sign-in page.
    const isOurs = error instanceof ApiProblem && error.body.error_message !== undefined;
    if (!isOurs || (error.status !== 401 && error.status !== 403)) return 'unreachable';
    await (await database()).delete('keys', label);
    return 'ended';
  }
}

async function storeKey(label: string, base64: string, seconds: number): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), each => each.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const name = [...digest.slice(0, 8)].map(each => each.toString(16).padStart(2, '0')).join('');
  const key = await crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['encrypt', 'decrypt']);
  const latest = Date.now();
  ticked = performance.now();
  await (await database()).put('keys', { key, name, until: latest + seconds * 1000, latest }, label);
}

/** 'expired': it needs contact. `undefined`: there is none. */
export async function usableKey(): Promise<StoredKey | 'expired' | undefined> {
  const db = await database();
  const label = brand().label;
  const stored = await db.get('keys', label);
  if (!stored) return undefined;
  const passed = performance.now() - ticked;
  ticked = performance.now();
  const latest = timeAfter(stored.latest, passed);
  const keys = db.transaction('keys', 'readwrite');
  // Another tab may have deleted it meanwhile.
  if ((await keys.store.get(label))?.name === stored.name) await keys.store.put({ ...stored, latest }, label);
  await keys.done;
  return latest < stored.until ? stored : 'expired';
}

/** A part counts under its own address only. */
const boundTo = (iv: Uint8Array<ArrayBuffer>, at: string): AesGcmParams => ({
  name: ALGORITHM,
  iv,
  additionalData: new TextEncoder().encode(at),
});

export async function encrypt(key: CryptoKey, at: string, bytes: BufferSource): Promise<Part> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return { iv, data: await crypto.subtle.encrypt(boundTo(iv, at), key, bytes) };
}

export const decrypt = (key: CryptoKey, at: string, { iv, data }: Part): Promise<ArrayBuffer> =>
  crypto.subtle.decrypt(boundTo(iv, at), key, data);
