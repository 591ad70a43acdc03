/** Boot data of each kind of brand, as the gateway embeds it in the page. */
import type { Brand } from '../sites/brand';

const shared = {
  price_cents: 300,
  period: 'day' as const,
  test_msisdn: '27600000000',
  opt_in_url: '/api/subscribe/opt-in?svc_id=148',
  image_prefix: '/img',
  stops: [[null, '31222', '*120*31222#']] as Brand['stops'],
  helpline: '080 000 0148',
  support_email: 'help@brand.example',
  theme: { background: '#101010', accent: '#ffb020' },
};

export const comedyBrand: Brand = {
  ...shared,
  label: 'mcfunny',
  kind: 'comedy',
  service: 'MC Funny',
  svc_id: 148,
  name: 'MC Funny',
  join: '/login',
  home: '/redirect',
  copy: { tagline: 'Watch unlimited! funny videos' },
};

export const footballBrand: Brand = {
  ...shared,
  label: 'diski99',
  kind: 'diski',
  service: 'diski99',
  svc_id: 151,
  name: 'diski99',
  join: '/diskilogin',
  home: '/doRedirect',
  copy: { tagline: 'Watch unlimited! funny videos' },
};

export const memeBrand: Brand = {
  ...shared,
  label: 'memeworld',
  kind: 'meme',
  service: 'memeworld',
  svc_id: 150,
  name: 'MEMEWORLD',
  join: '/memelogin',
  home: '/redirectTo',
  copy: { tagline: 'Sign in to MEMEWORLD!' },
};

export const ttBrand: Brand = {
  ...shared,
  label: 'ttmbhatv',
  kind: 'tt',
  service: 'ttmbhatv',
  svc_id: 152,
  name: 'TTMbha TV',
  join: '/ttlogin',
  home: '/ttredirect',
  copy: { tagline: 'Watch unlimited videos', terms: '/ttbhaTerms' },
};

export const racingBrand: Brand = {
  ...ttBrand,
  label: 'racedaytv',
  service: 'raceday',
  svc_id: 153,
  name: 'Raceday TV',
  join: '/racedaylogin',
  copy: { tagline: 'Watch unlimited videos', terms: '/raceday-terms', banners: '1' },
};

export function serveBrand(brand: Brand): void {
  document.getElementById('boot')?.remove();
  const boot = document.createElement('script');
  boot.id = 'boot';
  boot.type = 'application/json';
  boot.textContent = JSON.stringify(brand);
  document.head.append(boot);
}
