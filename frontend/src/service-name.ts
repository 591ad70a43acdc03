/** Service names as visitors' links spell them, and as the API knows them. */

/** 'madfunny' and 'Mad Funny' are MC Funny; 'racedaytv' in any case is raceday. */
export function apiService(name: string): string {
  if (name === 'madfunny' || name === 'Mad Funny') return 'MC Funny';
  if (name.toLowerCase() === 'racedaytv') return 'raceday';
  return name;
}
