/** Bootstrap: runs before React has loaded, applies the brand's colours, and makes the site installable. */
import { applyTheme, brand, iconOf } from './brand';
import { keepEarlyTaps } from './early-taps';
import { withDomain } from './host';

/** The labels that had an entry in brands.toml when this was built. */
declare const INSTALLABLE: string[];

function link(rel: string, href: string): void {
  const element = document.createElement('link');
  element.rel = rel;
  element.href = href;
  document.head.append(element);
}

/** Makes the site installable under the brand's name and icon. The build writes the manifests from brands.toml. */
function linkManifest(): void {
  const { label } = brand();
  // On the demo host one address shows every brand, so none can be installed there.
  if (withDomain('/') !== '/' || !INSTALLABLE.includes(label)) return;
  link('manifest', `/manifests/${label}.webmanifest`);
  link('apple-touch-icon', iconOf(brand()));
}

// Scripts run: pages need not hold what is the visitor's own for browsers without (the gateway's forms set it).
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is newer than the phones
document.cookie = 'last_form=;path=/;max-age=0';
keepEarlyTaps();
applyTheme();
linkManifest();
