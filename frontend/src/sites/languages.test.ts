/// <reference types="node" />
/** Every text that a visitor reads is in languages/*.toml, in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { describe, expect, test } from 'vitest';
import {
  compileLanguage,
  IN_GATEWAY,
  messageTypes,
  placeholdersOf,
  pseudo,
  readLanguages,
  WITHOUT_SCRIPTS,
} from '../../scripts/languages.js';

type Texts = Record<string, string>;
type Language = { code: string; name: string; messages: Texts; terms: Texts; unchecked: string[] };

const SRC = import.meta.dirname;
const languages = readLanguages() as Language[];
const [english] = languages as [Language];
const ids = Object.keys(english.messages);
/** The terms' texts are in a table of their own. */
const TABLES = ['messages', 'terms'] as const;

/** Every module but tests and generated types. */
const modules = readdirSync(join(SRC, '..'), { recursive: true, encoding: 'utf8' })
  .filter(
    name =>
      /\.tsx?$/.test(name) && !/\.test\.|\.d\.ts$|^dev\/|contract\/|message-types|word-types/.test(name),
  )
  .map(name => ({ name, text: readFileSync(join(SRC, '..', name), 'utf8') }));

/** The back office has a catalogue of its own: staff/words.test.ts. */
const files = modules.filter(({ name }) => name.startsWith('sites/'));

test('message-types.ts is generated from en.toml', () => {
  expect(readFileSync(join(SRC, 'message-types.ts'), 'utf8')).toBe(messageTypes());
});

test('every message is used', () => {
  const sources = files.map(({ text }) => text).join('\n');
  const unused = ids.filter(id => !IN_GATEWAY.includes(id) && !sources.includes(`'${id}'`));
  expect(unused).toEqual([]);
  const ofTerms = files
    .filter(({ name }) => name.startsWith('sites/features/legal/'))
    .map(({ text }) => text);
  const unusedTerms = Object.keys(english.terms).filter(
    id => !ofTerms.some(text => text.includes(`'${id}'`)),
  );
  expect(unusedTerms).toEqual([]);
});

test('messages that a page does not load are used only for browsers without scripts', () => {
  const users = files.filter(({ text }) => WITHOUT_SCRIPTS.some((id: string) => text.includes(`'${id}'`)));
  expect(users.map(({ name }) => name).sort()).toEqual([
    // Behind the build's constant.
    'sites/ui/FeedFrame.tsx',
  ]);
});

describe.each(languages)('$name', ({ code, messages, terms, unchecked }) => {
  const tables = { messages, terms };

  test.each(TABLES)('has every text of the %s and no other', table => {
    expect(Object.keys(tables[table]).sort()).toEqual(Object.keys(english[table]).sort());
  });

  test.each(TABLES)('has the placeholders, elements and numbers of English in the %s', table => {
    const texts = tables[table];
    const shapeOf = (text: string) => [
      placeholdersOf(text),
      (text.match(/<\/?\w+>/g) ?? []).sort(),
      // A price, an age, what is sent to stop.
      (text.match(/\bR3\b|18\+|\bSTOP\b/g) ?? []).sort(),
      /, plural,/.test(text),
      // Every number, time and authority of the terms.
      table === 'terms' && (text.match(/\d[\d: ]*\d|\d+|\b(WASPA|POPIA|SMS)\b/g) ?? []).sort(),
    ];
    const wrong = Object.entries(english[table])
      .filter(([id, text]) => JSON.stringify(shapeOf(texts[id] ?? '')) !== JSON.stringify(shapeOf(text)))
      .map(([id]) => id);
    expect(wrong).toEqual([]);
  });

  test('fills in the terms by name only', () => {
    const wrong = Object.entries(terms).filter(
      ([, text]) => text.replace(/\{(name|price|helpline|support_email|date)\}/g, '').search(/[{}<>]/) >= 0,
    );
    expect(wrong).toEqual([]);
  });

  test('names in the terms what the other messages call it', () => {
    expect(terms['leaving-ways']).toContain(`"${messages['want-to-unsubscribe']}"`);
    expect(terms.title).toBe(messages.terms);
  });

  test('compiles, with a plural for each of its numbers, and without Intl', () => {
    const module = compileLanguage({ code, messages });
    expect(module).not.toMatch(/\bIntl\./);
    // A # would be formatted by Intl.NumberFormat.
    expect(module).not.toMatch(/\bnumber\(/);
    expect(messages.months?.split(' ')).toHaveLength(12);
    expect(['.', ',']).toContain(messages.decimal);
  });

  test('is translated', () => {
    if (code === 'en') return expect(unchecked).toEqual([]);
    const same = ids.filter(id => messages[id] === english.messages[id]);
    // Words that are the same in two languages.
    expect(same.length).toBeLessThan(8);
    expect(Object.keys(terms).filter(id => terms[id] === english.terms[id])).toEqual([]);
  });
});

test.each(TABLES)('the made-up language changes every text of the %s, and no placeholder', table => {
  const texts = pseudo(english)[table] as Texts;
  for (const [id, text] of Object.entries(english[table])) {
    if (id === 'months' || id === 'decimal') continue;
    expect(texts[id]).not.toBe(text);
    expect(placeholdersOf(texts[id] ?? '')).toEqual(placeholdersOf(text));
  }
});

/** Attributes that are read out or shown. */
const SHOWN = /^(aria-label|aria-roledescription|title|alt|placeholder|label|empty|heading|\w+Label)$/;
/** Attributes and calls with texts that the page does not show. */
const NOT_SHOWN = /^(className|sizes|d|viewBox|pattern|name|id|key)$/;
const NAMES = ['MC Funny', 'Mad Funny', 'Vodacom', 'MTN', 'Cell C', 'Telkom', 'Samsung Internet'];
/** Two words, or one that begins a sentence. Names of keys and errors have no space and no full stop. */
const WORDS = /[A-Za-z]{2,}[,:]? [a-z]{2,}|^[A-Z][a-z]+ |^[A-Z][a-z]+[.!?…]/;
/** Calls with selectors. */
const SELECTS = /"value":"(querySelector(All)?|closest|matches|matchMedia)"/;

type Node = { type?: string; [field: string]: unknown };

/** The texts in a module that look as if a person reads them. */
function literalsIn(node: unknown, found: string[], shown = false): void {
  if (Array.isArray(node)) {
    for (const each of node) literalsIn(each, found, shown);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type = '', ...fields } = node as Node;
  if (
    /^(Import|Ts|Export(All|Named))/.test(type) &&
    type !== 'TsAsExpression' &&
    type !== 'TsSatisfiesExpression'
  )
    return;
  // Compared with a key.
  if (type === 'BinaryExpression' && /^[!=]==$/.test(String(fields.operator))) return;
  if (type === 'JSXText') {
    if (/[a-z]{2}/i.test(String(fields.value))) found.push(String(fields.value).trim());
    return;
  }
  if (type === 'JSXAttribute') {
    const name = String((fields.name as Node).value ?? '');
    if (!NOT_SHOWN.test(name)) literalsIn(fields.value, found, SHOWN.test(name));
    return;
  }
  if (type === 'CallExpression' || type === 'NewExpression') {
    const callee = JSON.stringify(fields.callee);
    if (callee.includes('"value":"console"') || /"value":"\w*Error"/.test(callee) || SELECTS.test(callee))
      return;
    // Ids of messages.
    if (/^\{[^{}]*\{[^{}]*\}[^{}]*"value":"t"|"type":"Identifier"[^{}]*"value":"t"/.test(callee)) {
      literalsIn((fields.arguments as unknown[]).slice(1), found);
      return;
    }
  }
  if (type === 'StringLiteral' || type === 'TemplateElement') {
    const text = String(type === 'StringLiteral' ? fields.value : fields.raw);
    if ((shown ? /[a-z]{2}/i : WORDS).test(text) && !NAMES.includes(text) && !text.startsWith('<'))
      found.push(text);
    return;
  }
  for (const value of Object.values(fields)) literalsIn(value, found, shown);
}

const literals = (text: string, tsx = true): string[] => {
  const found: string[] = [];
  literalsIn(parseSync(text, { syntax: 'typescript', tsx, target: 'es2022' }), found);
  return found;
};

test('no text outside of the languages', () => {
  const found = modules.flatMap(({ name, text }) =>
    literals(text, name.endsWith('x')).map(each => `${name}: ${each}`),
  );
  expect(found).toEqual([]);
});

test('a text outside of the languages is found', () => {
  expect(literals('export const A = () => <p>Hello</p>;')).toEqual(['Hello']);
  expect(literals('export const a = <img alt="Hello" />;')).toEqual(['Hello']);
  expect(literals("notify('Please try again.');")).toEqual(['Please try again.']);
  expect(literals('notify(`Hello there $' + '{name}`);')).toEqual(['Hello there ']);
  expect(literals("export const a = <i title={b === 'c' ? 'Hello' : d} />;")).toEqual(['Hello']);
  expect(literals("export const a = b ? t('c') : 'Hello.';")).toEqual(['Hello.']);
  expect(literals("console.info('Not saved', t('not-now'));")).toEqual([]);
});
