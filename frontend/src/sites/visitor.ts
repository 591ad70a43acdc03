/** The visitor according to this and earlier addresses in the tab. This is not verified: see session.ts. */
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { getSessionItem, setSessionItem } from '../shared/session-storage';
import { brand } from './brand';
import { useHydrated } from './hydration';
import { serviceOf } from './service-name';

export type Visitor = { msisdn: string; active: boolean };

export function visitorFrom(
  search: string,
  msisdn = getSessionItem('msisdn'),
  result = getSessionItem('result'),
): Visitor {
  const query = new URLSearchParams(search);
  const number = query.get('msisdn') || msisdn;
  // The link to the home page always has `result=active`, so without a number it says nothing about the visitor.
  return {
    msisdn: number,
    active: number !== '' && (query.get('result') ?? result).toLowerCase() === 'active',
  };
}

/** Stores the visitor of an address in the tab, so that links within the site need no number. */
export function rememberVisitor(search: string): void {
  const query = new URLSearchParams(search);
  const msisdn = query.get('msisdn');
  const result = query.get('result');
  if (msisdn) setSessionItem('msisdn', msisdn);
  if (result !== null && (msisdn || getSessionItem('msisdn')))
    setSessionItem('result', result.toLowerCase() === 'active' ? 'active' : '');
}

export function forgetVisitor(): void {
  setSessionItem('result', '');
}

export function useVisitor(): Visitor {
  const { search } = useLocation();
  const msisdn = useHydrated(() => getSessionItem('msisdn'), '');
  const result = useHydrated(() => getSessionItem('result'), '');
  return useMemo(() => visitorFrom(search, msisdn, result), [search, msisdn, result]);
}

/** The service of a home page. */
export function useService(): string {
  return serviceOf(useLocation().search);
}

/** Compares national numbers: 060…, 2760… and +27 60 … are equal. */
export function isTestNumber(typed: string): boolean {
  const test = brand().test_msisdn;
  return test !== null && national(typed) !== '' && national(typed) === national(test);
}

/** As a spreadsheet writes a number: `27812345678.0`, `2.7812345678E10`. */
const WRITTEN_OUT = /^\d+(\.0+|(\.\d+)?e\+?\d+)$/i;

/** The digits of a number as people type and paste it, with full-width ones as the usual ones, and without the parameters of a `tel:` address. */
export function digitsOf(typed: string): string {
  const [text = ''] = typed.normalize('NFKC').split(';');
  return (WRITTEN_OUT.test(text) ? `${+text}` : text).replace(/\D/g, '');
}

const national = (number: string): string =>
  digitsOf(number)
    .replace(/^(00)?27(?=0?\d{9}$)/, '')
    .replace(/^0/, '');
