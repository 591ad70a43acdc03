// What the build and bench-web.js need of deploy/brands.toml: enough of each brand for its web app manifest, and to find its pages.
import { readFileSync } from 'node:fs';

const FILE = new URL('../../deploy/brands.toml', import.meta.url);

/** Only these are read, and only written on one line: a reader of all of TOML would be one more dependency. */
const VALUE = /^(labels|name|kind|service|join|face|background)\s*=\s*(\[[^\]]*\]|"[^"]*")/gm;

/** Every brand's labels, name, kind, service and join form, and the face and background of its theme. */
export function readBrands() {
  return readFileSync(FILE, 'utf8')
    .split(/^\[\[brand\]\]/m)
    .slice(1)
    .map(entry =>
      Object.fromEntries([...entry.matchAll(VALUE)].map(([, key, value]) => [key, JSON.parse(value)])),
    );
}

/** The web app manifest of one brand, by which a phone installs it. */
export function manifestOf({ name, kind, face = kind, background }) {
  const icon = (size, purpose) => ({
    src: `/icons/${face}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/',
    name,
    short_name: name,
    description: `${name}: R3 a day on your South African mobile number, 18+ only. Stop any time.`,
    lang: 'en-ZA',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: background,
    theme_color: background,
    categories: ['entertainment'],
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
  };
}
