/** Runs before React has loaded: applies the brand's colours, listens for a language and links the web app manifest. */
import { applyTheme, brand, iconOf } from './brand';
import { withDomain } from './host';
import { listenForLanguage } from './language';

/** The labels in brands.toml at build time. */
declare const INSTALLABLE: string[];

function link(rel: string, href: string): void {
  const element = document.createElement('link');
  element.rel = rel;
  element.href = href;
  document.head.append(element);
}

/** Makes the site installable under the brand's name and icon. The build generates the manifests from brands.toml. */
function linkManifest(): void {
  const { label } = brand();
  // The demo host 88 serves every brand at one address, so no brand can be installed there.
  if (withDomain('/') !== '/' || !INSTALLABLE.includes(label)) return;
  link('manifest', `/manifests/${label}.${document.documentElement.lang}.webmanifest`);
  link('apple-touch-icon', iconOf(brand()));
}

listenForLanguage();
applyTheme();
linkManifest();
