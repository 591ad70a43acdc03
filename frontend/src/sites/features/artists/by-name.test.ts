import { expect, test } from 'vitest';
import { foldName, letterOf, sortedByName } from './by-name';

const named = (...names: string[]) => names.map(artist => ({ artist }));

test('names are in the order of the alphabet, without accents, case and quotation marks', () => {
  const names = named('zodwa', 'Élise', 'Ed', '"Turbo" Dube', 'ärger', '3 Kings', 'שלום', 'Aaron');
  expect(sortedByName(names).map(({ artist }) => artist)).toEqual([
    'Aaron',
    'ärger',
    'Ed',
    'Élise',
    '"Turbo" Dube',
    'zodwa',
    '3 Kings',
    'שלום',
  ]);
  expect(sortedByName(names).map(letterOf)).toEqual(['A', 'A', 'E', 'E', 'T', 'Z', '#', '#']);
});

test('a part of a name is found without accents and case', () => {
  expect(foldName('Élise KOPANÓ')).toBe('elise kopano');
});
