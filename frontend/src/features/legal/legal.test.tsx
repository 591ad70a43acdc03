/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { plainDate } from '../../clock';
import { memeBrand, racingBrand, ttBrand } from '../../test/brands';
import { openPage } from '../../test/render';
import { SINCE } from './sections';

test.each([
  ['/terms', memeBrand],
  ['/ttbhaTerms', ttBrand],
  ['/raceday-terms', racingBrand],
])('%s says what it must', async (address, brand) => {
  openPage(address, brand);
  expect(await screen.findAllByRole('button', { name: 'Go Back' })).not.toHaveLength(0);
  const text = document.querySelector('main')?.textContent ?? '';
  for (const fact of [
    '18 years or older',
    'South Africa only',
    'R3 per day',
    '12 months before',
    brand.helpline,
    brand.support_email,
  ]) {
    expect(text).toContain(fact);
  }
});

test('the terms have the version that is stored with each consent', () => {
  const source = readFileSync(
    join(import.meta.dirname, '../../../../crates/subscription/src/opt_in_attempts.rs'),
    'utf8',
  );
  const [, version = ''] = /TERMS_VERSION: &str = "([\d-]+)"/.exec(source) ?? [];
  expect(SINCE).toBe(plainDate(version));
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
