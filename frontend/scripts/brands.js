// Reads deploy/brands.toml for the build and bench-web.js: the brands, and the web app manifest of each.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';

export const BRANDS_FILE = fileURLToPath(new URL('../../deploy/brands.toml', import.meta.url));

export const readBrands = () => parse(readFileSync(BRANDS_FILE, 'utf8')).brand;

/** A brand's price with its period; of several offers that on its own network. */
function priceOf({ network, offer }, messages) {
  const of = Array.isArray(offer) ? (offer.find(one => one.network === network) ?? offer[0]) : offer;
  const { price_cents = 300, period = 'day' } = of ?? {};
  const rands =
    price_cents % 100 === 0
      ? price_cents / 100
      : (price_cents / 100).toFixed(2).replace('.', messages.decimal);
  return messages[`price-per-${period}`].replace('{price}', `R${rands}`);
}

/** The web app manifest of a brand in a language. */
export function manifestOf({ name, kind, theme, ...brand }, { code, messages }) {
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
    description: messages.description.replaceAll('{name}', name).replace('{price}', priceOf(brand, messages)),
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
