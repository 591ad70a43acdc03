/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readLanguages } from '../../../../scripts/languages.js';
import { memeBrand, racingBrand, ttBrand } from '../../../dev/brands';
import { openPage } from '../../../dev/render';
import { server } from '../../../dev/server';
import type { Brand } from '../../brand';
import { plainDate } from '../../clock';
import type { TermsId } from '../../message-types';
import { SINCE } from './sections';

const PAGES = [
  ['/terms', memeBrand],
  ['/ttbhaTerms', ttBrand],
  ['/raceday-terms', racingBrand],
] as const;
type Language = { code: string; name: string; terms: Record<TermsId, string> };
const languages = readLanguages() as Language[];

/** The open page, once it has its text. */
async function openTerms(address: string, brand: Brand) {
  // Awaited, because the page suspends while it fetches its text.
  const opened = await act(async () => openPage(address, brand));
  await waitFor(() => expect(document.querySelector('article h2')).not.toBeNull());
  return { ...opened, main: document.querySelector('main')?.textContent ?? '' };
}
const showIn = async (code: string) => {
  const { default: messages } = await import(`../../../../languages/${code}.toml`);
  Object.assign(globalThis, { MESSAGES: messages });
};

test.each([
  ['week', 'R15 per week'],
  ['month', 'R15 per month'],
] as const)('the terms of a brand whose price is for a %s say so', async (period, price) => {
  const { main } = await openTerms('/terms', { ...memeBrand, price_cents: 1500, period });
  expect(main).toContain(price);
  expect(main).not.toContain('per day');
  expect(main).toContain('within a week or month that was already paid');
});

describe.each(PAGES)('%s says what it must', (address, brand) => {
  test('in English', async () => {
    const { main } = await openTerms(address, brand);
    for (const fact of [
      '18 years or older',
      'South Africa only',
      'R3 per day',
      '12 months before',
      'in force since 29 November 2026',
      brand.helpline,
      brand.support_email,
    ]) {
      expect(main).toContain(fact);
    }
    expect(screen.getAllByRole('button', { name: 'Go Back' })).toHaveLength(2);
    expect(document.querySelector('article')).toHaveAttribute('lang', 'en');
  });

  test.each(languages)('in $name', async ({ code, terms }) => {
    await showIn(code);
    const { main } = await openTerms(address, brand);
    for (const fact of [
      /\b18\b/,
      /\bR3\b/,
      /\bVAT\b|\bBTW\b/,
      /\b12\b/,
      /\bSTOP\b/,
      /\bWASPA\b/,
      /\bPOPIA\b/,
    ])
      expect(main).toMatch(fact);
    for (const fact of [brand.name, brand.helpline, brand.support_email, plainDate(SINCE)])
      expect(main).toContain(fact);
    expect(main).not.toMatch(/[{}]|undefined/);
    expect(document.querySelector('article')).toHaveAttribute('lang', code);
    expect(main.includes(terms.translation)).toBe(code !== 'en');
  });
});

test.each(languages.filter(({ code }) => code !== 'en'))(
  '$name: a link shows the English text in place, another the translation',
  async ({ code, name, terms }) => {
    await showIn(code);
    const { user, address } = await openTerms('/terms?msisdn=27821234567', memeBrand);
    await user.click(screen.getByRole('link', { name: terms['show-english'] }));
    const heading = await screen.findByRole('heading', { name: 'Terms and Conditions' });
    expect(heading.closest('article')).toHaveAttribute('lang', 'en');
    expect(screen.getByText(/in force since 29 November 2026/)).toBeVisible();
    expect(screen.queryByText(terms.translation)).toBeNull();
    expect(address()).toBe('/terms/en');
    await user.click(screen.getByRole('link', { name }));
    expect(await screen.findByRole('heading', { name: terms.title })).toBeVisible();
    expect(address()).toBe('/terms');
  },
);

test('only the shown language is fetched', async () => {
  const fetched: string[] = [];
  server.events.on('request:start', ({ request }) => {
    fetched.push(new URL(request.url).pathname);
  });
  // The module starts to fetch when it is loaded, so this needs a language that no test has opened.
  vi.resetModules();
  await showIn('tn');
  const { termsIn } = await import('./terms');
  await termsIn('tn');
  server.events.removeAllListeners();
  expect(fetched.map(path => path.slice(-7))).toEqual(['tn.toml']);
});

test('without its file the page says that it did not load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  server.use(http.get('*/terms/*', () => new HttpResponse(null, { status: 404 })));
  vi.resetModules();
  await expect((await import('./terms')).termsIn('en')).rejects.toThrow('404');
});

test('the terms have the version that is stored with each consent', () => {
  const source = readFileSync(
    join(import.meta.dirname, '../../../../../crates/subscription/src/subscribers/agreement.rs'),
    'utf8',
  );
  const [, version = ''] = /TERMS_VERSION: &str = "([\d-]+)"/.exec(source) ?? [];
  expect(SINCE).toBe(version);
});

describe('Go Back', () => {
  afterEach(() => vi.restoreAllMocks());
  /** How many pages the tab has shown. */
  const pages = (count: number) => vi.spyOn(window.history, 'length', 'get').mockReturnValue(count);
  const buttons = () => screen.findAllByRole('button', { name: 'Go Back' });

  test.each(['click', 'Enter', 'space'])(
    'leads back to the page that the visitor came from, by %s',
    async by => {
      pages(2);
      const { user, address } = openPage('/memelogin', memeBrand);
      await user.click(await screen.findByRole('link', { name: 'Terms and Conditions' }));
      const [first] = await buttons();
      expect(address()).toBe('/terms');
      if (by === 'click') await user.click(first as HTMLElement);
      else {
        first?.focus();
        await user.keyboard(by === 'space' ? ' ' : '{Enter}');
      }
      await waitFor(() => expect(address()).toBe('/memelogin'));
    },
  );

  test('links to the front page in a tab without history', async () => {
    pages(1);
    const { user, address } = openPage('/raceday-terms', racingBrand);
    const both = await buttons();
    expect(both.map(each => each.getAttribute('href'))).toEqual(['/', '/']);
    await user.click(both[1] as HTMLElement);
    await waitFor(() => expect(address()).toBe('/'));
  });

  test('a click with a modifier key does not change this page', async () => {
    pages(2);
    const { user, address } = openPage('/terms', memeBrand);
    const [first] = await buttons();
    const prevented = vi.fn();
    document.addEventListener('click', event => prevented(event.defaultPrevented), { once: true });
    await user.keyboard('{Control>}');
    await user.click(first as HTMLElement);
    await user.keyboard('{/Control}');
    expect(prevented).toHaveBeenCalledWith(false);
    expect(address()).toBe('/terms');
  });
});

test('an unknown address shows the not-found page', async () => {
  openPage('/nowhere/at/all');
  expect(await screen.findByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/');
});
