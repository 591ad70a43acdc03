/** Service names: links use aliases, the API one name each. */
import { brand } from './brand';

/** 'madfunny' and 'Mad Funny' are MC Funny; 'racedaytv' in any case is raceday. */
export function apiService(name: string): string {
  if (name === 'madfunny' || name === 'Mad Funny') return 'MC Funny';
  if (name.toLowerCase() === 'racedaytv') return 'raceday';
  return name;
}

/** The service in `?service=`; without one, the brand's. */
export const serviceOf = (search: string): string =>
  new URLSearchParams(search).get('service') || brand().service;
