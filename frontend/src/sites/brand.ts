/** The brand of this host, as the gateway embedded it in the page. Brands differ only by this data. */
import type { OfferedNetwork } from '../shared/contract/sites';
import { dayFromNow } from './clock';
import { decimal, t } from './messages';
import { serverInput } from './server-input';

export type BrandKind = 'comedy' | 'diski' | 'meme' | 'tt';

export type Brand = Offer & {
  label: string;
  kind: BrandKind;
  service: string;
  svc_id: number;
  name: string;
  /** Address of the join form. */
  join: string;
  /** Address of the home page for an active subscriber. */
  home: string;
  test_msisdn: string | null;
  /** The operator's page for visitors whose number is not known. */
  opt_in_url: string;
  image_prefix: string;
  /** Of each of the brand's networks: its name, if people know it by one, the number that a STOP goes to, and the USSD code that ends subscriptions. */
  stops: (readonly [name: string | null, stop_number: string | null, ussd: string | null])[];
  /** The offers on networks that tell the number of a phone's SIM; absent where there is none. */
  by_sim?: OfferedNetwork[];
  helpline: string;
  support_email: string;
  theme: Record<string, string>;
  copy: Record<string, string>;
  /** False if the page's request had no session cookie: the page then does not request the session. */
  session?: boolean;
  /** True if the visitor's network tells the server who the visitor is: the join form then asks for no number. */
  enriched?: boolean;
  /** The page's name in the metrics (page.ts); absent if the page is not counted. */
  page?: string;
};

/** The icon of the brand's face (see `lookOf`); an installed app has the same. */
export const iconOf = ({ theme, kind }: Brand): string => `/icons/${theme.face ?? kind}-192.png`;

let parsed: { text: string; brand: Brand } | undefined;

export function brand(): Brand {
  const input = serverInput();
  if (input) return input.brand;
  const text = document.getElementById('boot')?.textContent ?? '';
  if (parsed?.text !== text) {
    if (!text) throw new Error('The page carries no boot data: it must be served by the gateway.');
    parsed = { text, brand: JSON.parse(text) as Brand };
  }
  return parsed.brand;
}

/** A price, its period, and when and how it is charged. */
export type Offer = Pick<OfferedNetwork, 'price_cents' | 'period' | 'free_days' | 'parts'>;

/** What the page says with a join that it shows: as `Offer::shown` of crates/brands. */
export const shownOf = ({ price_cents, period, free_days = 0, parts = [] }: Offer): string =>
  `${price_cents}.${period}.${free_days}.${parts.join(',')}`;

const SHORT_PRICE = { day: 'price-a-day', week: 'price-a-week', month: 'price-a-month' } as const;

/** A price with its period: "R3/day". */
export const priceFor = ({ price_cents, period }: Offer): string =>
  t(SHORT_PRICE[period], { price: rand(price_cents) });

/** What stands after a price: when the first charge is made, and what is charged when airtime is low. The consent has the same words. */
export function termsOf({ price_cents, free_days, parts }: Offer): string {
  const price = rand(price_cents);
  const first = free_days ? t('first-charge', { price, date: dayFromNow(free_days) }) : '';
  return [first, partsText(parts)].filter(Boolean).join(' ');
}

/** "R3, or R2 or R1 when airtime is low."; nothing where only the price is charged. */
export function partsText(parts: number[] = []): string {
  const [price, second, third] = parts.map(rand);
  if (!price || !second) return '';
  return third ? t('parts-three', { price, second, third }) : t('parts-two', { price, second });
}

/** Formats cents: "R3" or "R2.50". */
export function rand(cents: number): string {
  return `R${cents % 100 === 0 ? cents / 100 : decimal(cents / 100, 2)}`;
}

/** The brand's colours by the names of CSS variables, and its face: a set of fonts, shapes and backgrounds in ui/faces.css. */
export function lookOf({ theme, kind }: Brand) {
  const { face = kind, ...colours } = theme;
  return {
    face,
    tone: isLight(theme.background) ? 'light' : 'dark',
    colours: Object.entries(colours).map(([name, value]) => [name.replace(/_/g, '-'), value] as const),
  };
}

/** Applies the brand's look to a page that was served without it. */
export function applyTheme(root: HTMLElement = document.documentElement): void {
  const { face, tone, colours } = lookOf(brand());
  for (const [name, value] of colours) root.style.setProperty(`--${name}`, value);
  root.dataset.face = face;
  root.dataset.tone = tone;
}

function isLight(hex = '#000000'): boolean {
  const [r = 0, g = 0, b = 0] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map(pair => Number.parseInt(pair, 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}
