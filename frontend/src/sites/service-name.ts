/** Service names: links use aliases, the API one name each. */
import { brand } from './brand';

/** 'madfunny' and 'Mad Funny' are MC Funny; 'racedaytv' in any case is raceday. */
export function apiService(name: string): string {
  if (name === 'madfunny' || name === 'Mad Funny') return 'MC Funny';
  if (name.toLowerCase() === 'racedaytv') return 'raceday';
  return name;
}

/** The name in an address if it is one of the brand's service; otherwise the service itself: a host shows one brand only. */
export function ownService(name: string | null | undefined): string {
  const { service } = brand();
  return name && apiService(name) === service ? name : service;
}

/** The service in `?service=`; without one, the brand's. */
export const serviceOf = (search: string): string => ownService(new URLSearchParams(search).get('service'));
