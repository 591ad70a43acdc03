// Reads deploy/brands.toml for the build and bench-web.js: the brands, and the web app manifest of each.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';

export const BRANDS_FILE = fileURLToPath(new URL('../../deploy/brands.toml', import.meta.url));

export const readBrands = () => parse(readFileSync(BRANDS_FILE, 'utf8')).brand;

/** The web app manifest of a brand in a language. */
export function manifestOf({ name, kind, theme }, { code, messages }) {
  const { face = kind, background } = theme;
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
    description: messages.description.replaceAll('{name}', name),
    lang: code,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: background,
    theme_color: background,
    categories: ['entertainment'],
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
  };
}
