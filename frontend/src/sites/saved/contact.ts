/** Keeps contact for saved films: their key is renewed, films of an ended subscription are removed, and unfinished ones are saved on. */
import { hasSavedFilms } from '../ui/saved-list';
import { checkKey } from './films';
import { keepPlayer, saveOn } from './saver';

/** Milliseconds between two renewals: films of an ended subscription are gone within a minute. */
const RENEWED_MS = 40_000;

/** Milliseconds between two attempts: a line that is back is noticed soon. Without one, they cost no data. */
const INTERVAL_MS = 15_000;

let started = false;
let renewed = Number.NEGATIVE_INFINITY;

export function keepContact(): void {
  if (started) return;
  started = true;
  const contact = async () => {
    if (!navigator.onLine || document.visibilityState === 'hidden' || !hasSavedFilms()) return;
    try {
      if ((await checkKey()) !== 'renewed') return;
      renewed = performance.now();
      saveOn();
    } catch (error) {
      console.info('Saved films are not reachable', error);
    }
  };
  contact();
  window.setInterval(() => performance.now() - renewed > RENEWED_MS && contact(), INTERVAL_MS);
  window.addEventListener('online', contact);
  document.addEventListener('visibilitychange', contact);
  if (navigator.onLine) keepPlayer().catch(error => console.info('The player is not kept', error));
}
