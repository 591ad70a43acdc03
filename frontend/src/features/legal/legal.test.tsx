import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memeBrand, racingBrand, ttBrand } from '../../test/brands';
import { openPage } from '../../test/render';

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

test('an unknown address has a page', async () => {
  openPage('/nowhere/at/all');
  expect(await screen.findByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/');
});
