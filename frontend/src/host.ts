/** On the demo host `88` the brand is chosen by `?domain=`; every address we ask for must then carry it along. */
import { serverInput } from './server-input';
import { recall, remember } from './tab-memory';

function domainChoice(given?: Pick<Location, 'hostname' | 'search'>): string {
  const page = serverInput();
  if (page) return page.domain;
  const location = given ?? window.location;
  const label = location.hostname.split('.')[0]?.replace(/^demo-?/, '');
  if (label !== '88') return '';
  const asked = new URLSearchParams(location.search).get('domain');
  if (asked) remember('domain', asked);
  return asked ?? recall('domain');
}

/** Adds `domain=` to a same-origin address where the host needs it. */
export function withDomain(address: string): string {
  const domain = domainChoice();
  if (!domain || !address.startsWith('/')) return address;
  const [beforeHash = '', hash] = address.split('#');
  const joint = beforeHash.includes('?') ? '&' : '?';
  return `${beforeHash}${joint}domain=${encodeURIComponent(domain)}${hash === undefined ? '' : `#${hash}`}`;
}
