/// <reference types="node" />
/** Every text of the back office is in languages/backoffice, and used. `languages.test.ts` finds texts outside of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';
import {
  compileStaffLanguage,
  merged,
  placeholdersOf,
  pseudoStaff,
  readStaffLanguage,
  staffTexts,
  staffTypes,
} from '../../scripts/languages.js';
import { words } from './words';

const FOLDER = import.meta.dirname;
const english = readStaffLanguage('en') as { code: string; locale: string; words: object };
const texts = staffTexts(english.words) as [path: string, text: string][];
const paths = [...new Set(texts.map(([path]) => path))];

type Node = { type?: string; [field: string]: unknown };
/** What `words` of a module is: a path, where '' is all of the catalogue. */
const ROOTS: Record<string, string> = { words: '', 'content/words': 'content' };

const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nameOf = (node: unknown): string => (isNode(node) && typeof node.value === 'string' ? node.value : '');

/** The paths of the texts, or of tables of texts, that a module uses. */
function usedIn(module: string, text: string): string[] {
  const used: string[] = [];
  /** Names that stand for a part of the catalogue. */
  const known = new Map<string, string>();

  /** The path of `words.support.title`, or undefined of other expressions. What a variable chooses is its whole table. */
  const pathOf = (node: unknown): string | undefined => {
    if (!isNode(node)) return undefined;
    if (node.type === 'Identifier') return known.get(nameOf(node));
    if (node.type === 'TsAsExpression' || node.type === 'ParenthesisExpression')
      return pathOf(node.expression);
    if (node.type !== 'MemberExpression') return undefined;
    const path = pathOf(node.object);
    const property = node.property as Node;
    return path === undefined || property.type === 'Computed' ? path : below(path, nameOf(property));
  };

  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    if (!isNode(node)) return;
    if (/^(Ts(?!As|Satisfies)|Import)/.test(node.type ?? '')) return;
    // The catalogue with more beside it.
    if (node.type === 'SpreadElement' && pathOf(node.arguments) !== undefined) return;
    if (node.type === 'VariableDeclarator') {
      const path = pathOf(node.init);
      const id = node.id as Node;
      if (path !== undefined && id.type === 'Identifier' && !paths.includes(path)) {
        known.set(nameOf(id), path);
        return;
      }
      if (path !== undefined && id.type === 'ObjectPattern') {
        for (const property of id.properties as Node[]) used.push(below(path, nameOf(property.key)));
        return;
      }
    }
    const path = pathOf(node);
    if (path !== undefined) {
      used.push(path);
      // What is between the brackets.
      visit((node.property as Node | undefined)?.expression);
      return;
    }
    Object.values(node).forEach(visit);
  };

  const { body } = parseSync(text, { syntax: 'typescript', tsx: module.endsWith('x'), target: 'es2022' });
  for (const item of body as unknown as Node[]) {
    if (item.type !== 'ImportDeclaration') continue;
    const root = ROOTS[normalize(join(dirname(module), nameOf(item.source)))];
    for (const { local, imported } of item.specifiers as { local: unknown; imported: unknown }[])
      if (root !== undefined && (nameOf(imported) || nameOf(local)) === 'words')
        known.set(nameOf(local), root);
  }
  visit(body);
  return used;
}

const modules = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name) && !/\.test\.|word-types/.test(name))
  .map(name => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
/** The page itself, before scripts have run. */
const page = readFileSync(join(FOLDER, 'index.ejs'), 'utf8');

const unused = (used: string[]): string[] =>
  // All of a table, a text, or a method of a text or a list.
  paths.filter(
    path => !used.some(each => path === each || path.startsWith(`${each}.`) || each.startsWith(`${path}.`)),
  );

test('word-types.ts is generated from en.toml', () => {
  expect(readFileSync(join(FOLDER, 'word-types.ts'), 'utf8')).toBe(staffTypes());
});

test('every text is used', () => {
  const used = modules.flatMap(({ name, text }) => usedIn(name, text));
  const inPage = [...page.matchAll(/options\.words\.([\w.]+)/g)].map(([, path = '']) => path);
  expect(inPage.length).toBeGreaterThan(1);
  // A use of all of the catalogue would hide every other one.
  expect(used.filter(path => path === '' || path === 'content')).toEqual([]);
  expect(unused([...used, ...inPage])).toEqual([]);
});

test('a use is found by its path', () => {
  const used = (text: string, module = 'screens/A.tsx') => usedIn(module, text);
  const imported = "import { words } from '../words';\n";
  expect(used(`${imported}const a = words.support.title;`)).toEqual(['support.title']);
  expect(used(`${imported}const texts = words.support; a(texts.refundOf({ cents, day }));`)).toEqual([
    'support.refundOf',
  ]);
  expect(used(`${imported}export const A = () => <p>{words.roles[role]}</p>;`)).toEqual(['roles']);
  expect(used(`${imported}const { minute, hours } = words.overview;`)).toEqual([
    'overview.minute',
    'overview.hours',
  ]);
  expect(used("import { words } from './words'; a(words.list.title);", 'content/A.tsx')).toEqual([
    'content.list.title',
  ]);
  expect(used("import { words as all } from '../words'; const words = { ...all.content };")).toEqual([]);
  expect(used('const words = other; a(words.support.title);')).toEqual([]);
  expect(unused(['support'])).not.toContain('support.title');
  expect(unused(['support.titles'])).toContain('support.title');
});

test('texts that no speaker has checked are among the others', () => {
  const checked = { a: 'A', support: { title: 'T', kinds: { join: 'J' } } };
  const unchecked = { support: { end: 'E', kinds: { leave: 'L' } }, audit: { title: 'U' } };
  expect(merged(checked, unchecked)).toEqual({
    a: 'A',
    support: { title: 'T', end: 'E', kinds: { join: 'J', leave: 'L' } },
    audit: { title: 'U' },
  });
});

test('texts are filled in, with plurals and grouped digits', () => {
  expect(words.start.approvals({ count: 1 })).toBe('1 refund waits for a second person');
  expect(words.start.approvals({ count: 2 })).toBe('2 refunds wait for a second person');
  expect(words.finance.books.count({ entries: 3_475_721 })).toBe('3\u00a0475\u00a0721 charges');
  expect(words.finance.books.count({ entries: 1 })).toBe('1 charge');
});

test('every text compiles, without Intl', () => {
  const module: string = compileStaffLanguage(english);
  expect(module).not.toMatch(/\bIntl\./);
  // A # would be formatted by Intl.NumberFormat.
  expect(module).not.toMatch(/\bnumber\(/);
});

test('the made-up language changes every text, and no placeholder', () => {
  const made = staffTexts((pseudoStaff(english) as { words: object }).words) as [string, string][];
  expect(made).toHaveLength(texts.length);
  for (const [at, [path, text]] of texts.entries()) {
    const [madePath, madeText = ''] = made[at] ?? [];
    expect(madePath).toBe(path);
    // Some are only placeholders.
    if (/[a-z]/i.test(text.replace(/\{\w+\}/g, ''))) expect(madeText).not.toBe(text);
    expect(placeholdersOf(madeText)).toEqual(placeholdersOf(text));
  }
});
