/** The demo host `88` selects the brand by `?domain=`, so every request there needs that parameter. */

import { getSessionItem, setSessionItem } from '../shared/session-storage';
import { serverInput } from './server-input';

function selectedDomain(): string {
  const input = serverInput();
  if (input) return input.domain;
  const { location } = window;
  const label = location.hostname.split('.')[0]?.replace(/^demo-?/, '');
  if (label !== '88') return '';
  const requested = new URLSearchParams(location.search).get('domain');
  if (requested) setSessionItem('domain', requested);
  return requested ?? getSessionItem('domain');
}

/** Adds `domain=` to a same-origin address on the demo host. */
export function withDomain(address: string): string {
  const domain = selectedDomain();
  if (!domain || !address.startsWith('/')) return address;
  const [beforeHash = '', hash] = address.split('#');
  const separator = beforeHash.includes('?') ? '&' : '?';
  return `${beforeHash}${separator}domain=${encodeURIComponent(domain)}${hash === undefined ? '' : `#${hash}`}`;
}
