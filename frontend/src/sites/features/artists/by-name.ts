/** Artists in the order of their names. The server, which has no Intl, has to come to the same order as the browser. */

type Named = { artist: string };

/** Without accents and case. */
export const foldName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** Without what precedes the first letter, such as a quotation mark. */
const keyOf = ({ artist }: Named) => foldName(artist).replace(/^[^a-z0-9\u0100-\uffff]+/, '');

/** `#`: it begins with no letter of the alphabet. */
export function letterOf(artist: Named): string {
  const [first = ''] = keyOf(artist);
  return first >= 'a' && first <= 'z' ? first.toUpperCase() : '#';
}

export function sortedByName<T extends Named>(artists: T[]): T[] {
  return artists
    .map(artist => ({ artist, letter: letterOf(artist), key: keyOf(artist) }))
    .sort((one, other) => compare(one.letter, other.letter) || compare(one.key, other.key))
    .map(({ artist }) => artist);
}

/** `#` is after the letters. */
const compare = (one: string, other: string): number =>
  Number(one === '#') - Number(other === '#') || (one < other ? -1 : Number(one > other));
