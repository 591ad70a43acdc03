/** Who this tab believes is visiting, from the address and from what earlier addresses said. Belief is not proof: see session.ts. */
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { brand } from './brand';
import { useHydrated } from './hydration';
import { serviceOf } from './service-name';
import { recall, remember } from './tab-memory';

export type Visitor = { msisdn: string; active: boolean };

export function visitorFrom(search: string, msisdn = recall('msisdn'), result = recall('result')): Visitor {
  const query = new URLSearchParams(search);
  const number = query.get('msisdn') || msisdn;
  // The link to the home page says `result=active` to everyone: without a number it says nothing of the visitor.
  return {
    msisdn: number,
    active: number !== '' && (query.get('result') ?? result).toLowerCase() === 'active',
  };
}

/** Links inside the site then need not carry the number along. */
export function rememberVisitor(search: string): void {
  const query = new URLSearchParams(search);
  const msisdn = query.get('msisdn');
  const result = query.get('result');
  if (msisdn) remember('msisdn', msisdn);
  if (result !== null && (msisdn || recall('msisdn')))
    remember('result', result.toLowerCase() === 'active' ? 'active' : '');
}

/** What a visitor is sent to the network for. All three come back through /DoiRedirect, which cannot tell them apart. */
export type NetworkRequest = 'join' | 'verify' | 'leave';

export const sentToNetworkFor = (request: NetworkRequest): void => remember('request', request);

/** A form that was sent before any script had run is a join. */
export const networkRequest = (): NetworkRequest => (recall('request') || 'join') as NetworkRequest;

export function forgetVisitor(): void {
  remember('result', '');
}

export function useVisitor(): Visitor {
  const { search } = useLocation();
  const msisdn = useHydrated(() => recall('msisdn'), '');
  const result = useHydrated(() => recall('result'), '');
  return useMemo(() => visitorFrom(search, msisdn, result), [search, msisdn, result]);
}

/** The service that a home page shows. */
export function useService(): string {
  return serviceOf(useLocation().search);
}

/** Compares the part after the country code, so that 060…, 2760… and +27 60 … are one number. */
export function isTestNumber(typed: string): boolean {
  const test = brand().test_msisdn;
  return test !== null && national(typed) !== '' && national(typed) === national(test);
}

function national(number: string): string {
  const digits = number.replace(/[\s+()-]/g, '').replace(/^00/, '');
  return digits.replace(/^27(?=\d{9}$)/, '').replace(/^0/, '');
}
