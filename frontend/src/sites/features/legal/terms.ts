/** The texts of the terms, from languages/*.toml: a page fetches those that it shows, and no other page has any. */
import { use } from 'react';
import { brand, rand, termsOf } from '../../brand';
import type { TermsId } from '../../message-types';
import { type Terms, t } from '../../messages';
import { serverInput } from '../../server-input';
import { PERIODS, SINCE } from './sections';

/** The address of a language's file. Chunks instead of files would add their names to every page. */
const addressIn = (code: string): Promise<{ default: string }> =>
  code === 'en-XA'
    ? // The language for tests is made of English.
      import(/* webpackMode: "eager" */ '../../../../languages/en.toml?pseudo&terms')
    : import(
        /* webpackMode: "eager", webpackExclude: /backoffice/ */ `../../../../languages/${code}.toml?terms`
      );

async function fetchTerms(code: string): Promise<Terms> {
  const { default: address } = await addressIn(code);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`Terms: ${response.status}`);
  return response.json();
}

const fetched = new Map<string, Promise<Terms>>();

export function termsIn(code: string): Promise<Terms> {
  const terms = fetched.get(code) ?? fetchTerms(code);
  fetched.set(code, terms);
  return terms;
}

// With the page's code, not when it renders: a phone that keeps the page for offline use needs both. A failure is shown when the page is opened.
if (!SERVER_RENDERING) termsIn(t('lang')).catch(() => undefined);

/** The terms in a language by their ids, filled in for this brand. */
export function useTerms(code: string): (id: TermsId) => string {
  const terms = serverInput()?.terms(code) ?? use(termsIn(code));
  const { name, price_cents, period, helpline, support_email } = brand();
  const values: Record<string, string> = {
    name,
    price: rand(price_cents),
    helpline,
    support_email,
    date: dateOf(terms),
  };
  return id => {
    const text = terms[PERIODS[period]?.[id] ?? id].replace(
      /\{(\w+)\}/g,
      (placeholder, value) => values[value] ?? placeholder,
    );
    // The price is followed by what the join page says after it.
    return id === 'price-day' ? `${text} ${termsOf(brand())}`.trim() : text;
  };
}

/** The version's date in the language of the terms, which may not be the page's. */
function dateOf({ months }: Terms): string {
  const [year, month, day] = SINCE.split('-').map(Number);
  return `${day} ${months.split(' ')[Number(month) - 1]} ${year}`;
}
