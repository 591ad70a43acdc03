/** The visitor's choice of a language: a cookie, which the gateway reads. */

const YEAR_S = 365 * 24 * 60 * 60;

/** Listens to the lists of languages: by the document, so that a choice before hydration counts, too. */
export function listenForLanguage(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.matches('.language-list')) chooseLanguage(target.value);
  });
}

/** Loads the page again in another language. */
async function chooseLanguage(code: string): Promise<void> {
  // biome-ignore lint/suspicious/noDocumentCookie: older phones do not have the Cookie Store API
  document.cookie = `language=${code};path=/;max-age=${YEAR_S};samesite=lax`;
  await forgetCachedShells();
  window.location.reload();
}

/** The service worker's cached page is in the previous language, and it would be shown on a slow connection. */
async function forgetCachedShells(): Promise<void> {
  if (!('caches' in window)) return;
  try {
    for (const name of await caches.keys()) if (name.startsWith('shell')) await caches.delete(name);
  } catch (error) {
    console.info('Cached page not deleted', error);
  }
}
