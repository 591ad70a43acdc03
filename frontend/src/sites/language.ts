/** The visitor's choice of a language, which the gateway keeps in a cookie. */

/** Listens to the lists of languages: by the document, so that a choice before hydration counts, too. */
export function listenForLanguage(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.matches('.language-list')) chooseLanguage(target.value);
  });
}

/** Sends the form of browsers without scripts, which also changes the language of SMSes, and loads the page again. */
async function chooseLanguage(language: string): Promise<void> {
  try {
    // The query names the brand on the demo host 88.
    await fetch(`/forms/language${window.location.search}`, {
      method: 'POST',
      body: new URLSearchParams({ language }),
      redirect: 'manual',
    });
    await forgetCachedPages();
  } catch (error) {
    console.info('Language not changed', error);
  }
  window.location.reload();
}

/** The service worker's cached page and replies are in the previous language, and would be shown on a slow connection. */
async function forgetCachedPages(): Promise<void> {
  if (!('caches' in window)) return;
  for (const name of await caches.keys()) if (/^(shell|replies)-/.test(name)) await caches.delete(name);
}
