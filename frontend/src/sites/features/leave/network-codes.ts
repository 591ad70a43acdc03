/**
 * The networks' own codes to end a content service; they do not depend on this site. Sources: mybroadband.co.za, 604137, August 2025; Telkom has a call
 * centre instead of a code: parentscorner.org.za, "WASP subscription management options".
 */
export const NETWORK_CODES = [
  ['Vodacom', '*135#'],
  ['MTN', '*141*5#'],
  ['Cell C', '*133*1#'],
  ['Telkom', '081 180'],
] as const;
