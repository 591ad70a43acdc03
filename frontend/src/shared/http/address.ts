/** Addresses of calls, made from their names in a contract: `GET /api/tt/banners/{service}`. */

/** What the address of a call is made of. */
export type Parts = { path?: Record<string, unknown>; query?: Record<string, unknown> };

/** What a call takes. One that needs nothing has no argument. */
export type Arguments<Given> = Record<never, never> extends Given ? [given?: Given] : [given: Given];

/** Parameters of the query that are empty are left out. The gateway writes addresses with the same characters. */
export function addressOf(name: string, { path = {}, query = {} }: Parts = {}): string {
  const filled = name
    .replace(/^\w+ /, '')
    .replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(String(path[part])));
  const named = Object.keys(query)
    .filter(key => query[key] !== undefined && query[key] !== '')
    .map(key => `${key}=${encodeURIComponent(String(query[key]))}`);
  return named.length === 0 ? filled : `${filled}?${named.join('&')}`;
}
