/** Shares a page through the phone's share sheet, or copies the link if there is none. */

import { notify } from '../../shared/ui/notify';
import { t } from '../messages';

/** `path` is an address from paths.ts: the one in the address bar may contain a phone number. */
export async function share(title: string, path: string, picture?: File): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  const files = picture && navigator.canShare?.({ files: [picture] }) ? { files: [picture] } : {};
  try {
    if (navigator.share) return await navigator.share({ title, url, ...files });
    await navigator.clipboard.writeText(url);
    notify(t('link-copied'), 'done');
  } catch (error) {
    // The visitor closed the share sheet.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    console.info('Sharing failed', error);
    window.prompt(t('copy-link'), url);
  }
}
