/** Reads a saved film for the player. */
import { countFromSaved } from '../ui/data-meter';
import { database } from './database';
import { checkKey } from './films';
import { decrypt, usableKey } from './saving-key';

/** Returns the decrypted file of an address; `undefined` if it is not saved, or if its key is gone. Throws if the key needs contact. */
export type ReadSaved = (address: string) => Promise<ArrayBuffer | undefined>;

/** 'expired': it plays after the next contact. `undefined`: the film is not saved any more. */
export async function openSaved(source: string): Promise<ReadSaved | 'expired' | undefined> {
  let key = await usableKey();
  if (key === 'expired') {
    await checkKey();
    key = await usableKey();
  }
  if (!key || key === 'expired') return key;
  const film = await (await database()).get('films', source);
  if (film?.state !== 'whole' || film.keyName !== key.name) return undefined;
  return async address => {
    const current = await usableKey();
    const part = await (await database()).get('parts', [source, address]);
    if (current === 'expired') throw new Error('The key needs contact');
    if (!part || current?.name !== film.keyName) return undefined;
    const file = await decrypt(current.key, address, part);
    countFromSaved(file.byteLength);
    return file;
  };
}

/** The captions of a saved film, as an address for the track. */
export async function openSavedCaptions(source: string, captions: string): Promise<string | undefined> {
  const read = await openSaved(source);
  if (typeof read !== 'function') return undefined;
  const file = await read(new URL(captions, window.location.href).href);
  return file && URL.createObjectURL(new Blob([file], { type: 'text/vtt' }));
}
