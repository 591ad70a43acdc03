/** Keeps contact for saved films: their key is renewed, films of an ended subscription are removed, and unfinished ones are saved on. */
import { checkKey } from './films';
import { keepPlayer, saveOn } from './saver';

/** Milliseconds: films of an ended subscription are gone within a minute. */
const INTERVAL_MS = 45_000;

let started = false;

export function keepContact(): void {
  if (started) return;
  started = true;
  const contact = async () => {
    if (!navigator.onLine || document.visibilityState === 'hidden') return;
    try {
      if ((await checkKey()) === 'renewed') saveOn();
    } catch (error) {
      console.info('Saved films are not reachable', error);
    }
  };
  contact();
  window.setInterval(contact, INTERVAL_MS);
  window.addEventListener('online', contact);
  document.addEventListener('visibilitychange', contact);
  if (navigator.onLine) keepPlayer().catch(error => console.info('The player is not kept', error));
}
