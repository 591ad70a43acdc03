/** Service names as visitors' links spell them, and as the API knows them. */
import { brand } from './brand';

/** 'madfunny' and 'Mad Funny' are MC Funny; 'racedaytv' in any case is raceday. */
export function apiService(name: string): string {
  if (name === 'madfunny' || name === 'Mad Funny') return 'MC Funny';
  if (name.toLowerCase() === 'racedaytv') return 'raceday';
  return name;
}

/** The service a home page was asked for by `?service=`; the brand's own where the address names none. */
export const serviceOf = (search: string): string =>
  new URLSearchParams(search).get('service') || brand().service;
