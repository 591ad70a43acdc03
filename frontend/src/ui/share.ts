/** Passes a page on through the phone's own share sheet, or the clipboard where there is none. */
import { notify } from './notify';

/** `path` is an address from paths.ts: never the one in the address bar, which may carry a number. */
export async function share(title: string, path: string, picture?: File): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  const files = picture && navigator.canShare?.({ files: [picture] }) ? { files: [picture] } : {};
  try {
    if (navigator.share) return await navigator.share({ title, url, ...files });
    await navigator.clipboard.writeText(url);
    notify('The link is copied.', 'done');
  } catch (error) {
    // The visitor closed the sheet: that is no failure.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    console.info('Sharing failed', error);
    window.prompt('Copy this link', url);
  }
}
