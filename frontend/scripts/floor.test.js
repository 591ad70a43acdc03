import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { browsersOf, lackOf } from './floor.js';
import { newerUses } from './newer-uses.js';

const uses = text => newerUses('sites', [{ name: 'a.js', text }]).map(({ name }) => name);

test.each([
  ['cards.at(-1)', '.at()'],
  ['words.trim().replaceAll(" ", "")', '.replaceAll()'],
  ['navigator.clipboard.writeText(word)', '.writeText()'],
  ['crypto.randomUUID()', '.randomUUID()'],
  ['window.structuredClone(card)', '.structuredClone()'],
  ['Object.hasOwn(card, "id")', 'Object.hasOwn'],
  ['const wait = AbortSignal.timeout', 'AbortSignal.timeout'],
  ['structuredClone(card)', 'structuredClone'],
  ['new WeakRef(card)', 'WeakRef'],
  ['card?.id', 'a?.b'],
  ['class Card { id = 1 }', 'field of a class'],
  ['/(?<=a)b/', '/(?<=)/'],
  ['/(?<year>\\d+)/', '/(?<name>)/'],
  ['/a.b/s', '/./s'],
])('%s is newer than the floor of the sites', (text, name) => {
  expect(uses(text)).toEqual([name]);
});

test.each([
  'typeof structuredClone',
  '"share" in navigator && navigator.share',
  'function show(structuredClone) { structuredClone() }',
  'class List { at() {} } list.at(0)',
  '[1].flat(); Object.fromEntries([]); globalThis.fetch("/")',
  'import("./page.js")',
])('%s is not', text => {
  expect(uses(text)).toEqual([]);
});

test('a method that another script defines is its own', () => {
  const sources = ['class List { at() {} }', 'list.at(0)'].map(text => ({ name: 'a.js', text }));
  expect(newerUses('sites', sources)).toEqual([]);
});

test('the back office has its own floor', () => {
  expect(browsersOf('sites')).toEqual(expect.arrayContaining([expect.stringMatching(/^chrome \d+$/)]));
  expect(newerUses('backoffice', [{ name: 'a.js', text: 'cards.at(-1)?.id' }])).toEqual([]);
});

/** The names of functions in TypeScript's declarations of a version of ECMAScript. */
function functionsOf(year) {
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const platforms = join(dirname(compiler), '../@typescript');
  const [platform] = readdirSync(platforms).filter(name => name.startsWith('typescript-'));
  const lib = join(platforms, platform, 'lib');
  return (
    readdirSync(lib)
      // Browsers have shared memory again since they isolate sites; no script here needs it.
      .filter(name => name.startsWith(`lib.es${year}.`) && !/full|sharedmemory/.test(name))
      .flatMap(name => [...readFileSync(join(lib, name), 'utf8').matchAll(/^ {4}(\w+)(?:<.*?>)?\(/gm)])
      .map(([, name]) => name)
  );
}

test.each([
  ['sites', 'tsconfig.sites.json'],
  ['backoffice', 'tsconfig.json'],
])('the %s are compiled with the newest version of ECMAScript that their floor has', (env, config) => {
  const { hasMethod } = lackOf(env);
  let year = 2016;
  while (functionsOf(year + 1).every(name => hasMethod(name) !== false)) year += 1;
  const { lib } = JSON.parse(readFileSync(config, 'utf8').replace(/^ *\/\/.*$/gm, '')).compilerOptions;
  expect(lib[0]).toBe(`ES${year}`);
});
