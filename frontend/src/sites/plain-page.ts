/** The plain page: what the server drew, without scripts. It is given back when a script is lost or fails. */

const COOKIE = 'plain';

const hasCookie = () => document.cookie.split('; ').some(each => each.startsWith(`${COOKIE}=`));

/** Before the application has rendered: what the server drew stays as it is. */
export function keepPlainPage(): void {
  document.documentElement.classList.remove('running');
}

/**
 * After a failure of the running application: loads this address without scripts, and for ten minutes every address, since the next one
 * would probably fail, too. Returns false if that has been tried: the service worker has sent its cached shell instead.
 */
export function openPlainPage(): boolean {
  const address = new URL(window.location.href);
  if (hasCookie() || address.searchParams.has(COOKIE)) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: older phones do not have the Cookie Store API
  document.cookie = `${COOKIE}=1;path=/;max-age=600;samesite=lax`;
  if (hasCookie()) window.location.reload();
  else {
    address.searchParams.set(COOKIE, '1');
    window.location.replace(address.href);
  }
  return true;
}
