// Reads languages/*.toml, and compiles their messages to JavaScript: for webpack (as its loader), for the unit tests and for src/sites/message-types.ts.
// languages/backoffice/*.toml has the texts of the back office.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/compile-module.js';
import { parse as parseMessage } from '@messageformat/parser';
import { parse as parseToml } from 'smol-toml';

const FRONTEND = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(FRONTEND, 'languages');
const STAFF_FOLDER = join(FOLDER, 'backoffice');
const TYPES = join(FRONTEND, 'src/sites/message-types.ts');
const STAFF_TYPES = join(FRONTEND, 'src/staff/word-types.ts');

/** A made-up language for tests: English with accents, and two fifths longer. */
export const PSEUDO = 'en-XA';

/** Messages that only the gateway writes. */
export const IN_GATEWAY = [
  'description',
  'undrawn',
  'directory-heading',
  'directory-lead',
  'about-comedy',
  'about-diski',
  'about-meme',
  'about-tt',
];
/** Messages of pages for browsers without scripts: the server renders them, and the page's file does not have them. */
export const WITHOUT_SCRIPTS = ['watch-needs-scripts', 'go-to-videos'];

/** A language's name, its messages by id, and those of the terms. `unchecked`: the ids that a speaker has not checked. */
export function readLanguage(code) {
  const { name, terms, ...tables } = parseToml(readFileSync(join(FOLDER, `${code}.toml`), 'utf8'));
  const messagesOf = ({ checked, unchecked }) => ({ ...checked, ...unchecked });
  return {
    code,
    name,
    messages: messagesOf(tables),
    terms: messagesOf(terms),
    unchecked: [tables, terms].flatMap(({ unchecked }) => Object.keys(unchecked)),
  };
}

/** The languages that a visitor can choose: English, then the others by name. */
export const readLanguages = () =>
  readdirSync(FOLDER)
    .filter(file => file.endsWith('.toml'))
    .map(file => readLanguage(basename(file, '.toml')))
    .sort((a, b) => (b.code === 'en') - (a.code === 'en') || a.name.localeCompare(b.name));

/** The module of a language. Plural rules are compiled into it, since QuickJS has no Intl, and many phones' browsers lack the rules. */
export function compileLanguage({ code, messages }) {
  const fixed = { lang: code, ...messages };
  const filled = {};
  for (const [id, text] of Object.entries(messages)) {
    if (!text.includes('{')) continue;
    filled[id] = text;
    delete fixed[id];
  }
  const lines = Object.entries(fixed).map(
    entry => `${entry.map(text => JSON.stringify(text)).join(': ')},\n`,
  );
  return compileModule(new MessageFormat(code), filled).replace('export default {', `$&\n${lines.join('')}`);
}

const LETTERS = Object.fromEntries(
  [...'aáAÁeéEÉiíIÍoóOÓuúUÚnñNÑcçCÇyýYÝ'.matchAll(/../g)].map(([[plain, accented]]) => [plain, accented]),
);
const withAccents = text => text.replace(/[a-z]/gi, letter => LETTERS[letter] ?? letter);

/** An English text in the made-up language. Elements and placeholders stay. */
function pseudoText(text) {
  const lengthen = text => `${text}${' ~'.repeat(Math.ceil(text.length / 5))}`;
  const print = token => {
    if (token.type === 'content') {
      return token.value
        .split(/(<[^>]*>)/)
        .map((part, place) => (place % 2 ? part : withAccents(part)))
        .join('');
    }
    if (token.type === 'argument') return `{${token.arg}}`;
    if (token.type === 'function') return `{${token.arg}, ${token.key}}`;
    const cases = token.cases.map(({ key, tokens }) => `${key} {${lengthen(tokens.map(print).join(''))}}`);
    return `{${token.arg}, ${token.type}, ${cases.join(' ')}}`;
  };
  const tokens = parseMessage(text);
  const printed = tokens.map(print).join('');
  return tokens.some(({ type }) => type === 'plural') ? printed : lengthen(printed);
}

/** English as the made-up language. */
export function pseudo({ messages, terms }) {
  const all = texts =>
    Object.fromEntries(
      Object.entries(texts).map(([id, text]) => [
        id,
        ['months', 'decimal'].includes(id) ? text : pseudoText(text),
      ]),
    );
  return { code: PSEUDO, messages: all(messages), terms: all(terms) };
}

/** The placeholders of a message, sorted; with the numbers that choose a plural. */
export function placeholdersOf(text) {
  const names = tokens =>
    tokens.flatMap(({ arg, cases = [] }) => [
      ...(arg ? [arg] : []),
      ...cases.flatMap(each => names(each.tokens)),
    ]);
  return [...new Set(names(parseMessage(text)))].sort();
}

/** The types of the messages, each id with its placeholders, and the ids of the terms. */
export function messageTypes() {
  const { messages, terms } = readLanguage('en');
  const lines = Object.entries(messages).map(([id, text]) => {
    const values = placeholdersOf(text).map(name => `${name}: string | number`);
    const key = /^\w+$/.test(id) ? id : `'${id}'`;
    return `  ${key}: ${values.length ? `{ ${values.join('; ')} }` : 'null'};`;
  });
  return `/** Generated from languages/en.toml by \`npm run messages\`: each message's id, and what is filled in. */
export type Messages = {
  /** The language's code. */
  lang: null;
${lines.join('\n')}
};

/** What the terms consist of. */
export type TermsId =
${Object.keys(terms)
  .map(id => `  | '${id}'`)
  .join('\n')};
`;
}

/**
 * What languages/zu.toml becomes. A module, or with `?page` a script that sets the page's variable, or with `?terms` the terms as JSON, with the months for
 * their date. `?pseudo`: the language for tests.
 */
function languageModule(file, query) {
  const options = new URLSearchParams(query);
  const language = readLanguage(basename(file, '.toml'));
  const { code, messages, terms } = options.has('pseudo') ? pseudo(language) : language;
  if (options.has('terms')) return JSON.stringify({ lang: code, months: messages.months, ...terms });
  const used = unused => Object.fromEntries(Object.entries(messages).filter(([id]) => !unused.includes(id)));
  if (!options.has('page')) return compileLanguage({ code, messages: used(IN_GATEWAY) });
  const page = compileLanguage({ code, messages: used([...IN_GATEWAY, ...WITHOUT_SCRIPTS]) });
  return page.replace('export default', 'self.MESSAGES =');
}

/** A language of the back office: its name, the locale of its dates, and its words, which are tables of texts and of lists of texts. */
export function readStaffLanguage(code) {
  const { name, locale, checked, unchecked } = parseToml(
    readFileSync(join(STAFF_FOLDER, `${code}.toml`), 'utf8'),
  );
  return { code, name, locale, words: merged(checked, unchecked) };
}

/** A table with the texts of both: checked, and not checked by a speaker. */
export function merged(checked, unchecked = {}) {
  const both = { ...checked };
  for (const [id, below] of Object.entries(unchecked))
    both[id] = isTable(both[id]) ? merged(both[id], below) : below;
  return both;
}

const isTable = word => typeof word === 'object' && !Array.isArray(word);

/** The words with each text changed. The second parameter of `change` is the path. */
function changed(words, change, path = []) {
  if (Array.isArray(words)) return words.map(text => change(text, path));
  if (!isTable(words)) return change(words, path);
  return Object.fromEntries(
    Object.entries(words).map(([id, below]) => [id, changed(below, change, [...path, id])]),
  );
}

/** Every text of the back office by its path, such as `support.refundOf`. The texts of a list have the same path. */
export function staffTexts(words) {
  const texts = [];
  changed(words, (text, path) => texts.push([path.join('.'), text]));
  return texts;
}

/** The back office's English as the made-up language. */
export const pseudoStaff = ({ words, locale }) => ({
  code: PSEUDO,
  locale,
  words: changed(words, pseudoText),
});

/** Groups the digits of a number: 3 475 721. Its source is part of the compiled language. */
function count(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
}

/** The module of a language of the back office. `{days, count}` groups digits. */
export function compileStaffLanguage({ code, locale, words }) {
  const filled = {};
  const print = (word, path) => {
    if (Array.isArray(word)) return JSON.stringify(word);
    if (isTable(word)) {
      const lines = Object.entries(word).map(
        ([id, below]) => `${JSON.stringify(id)}: ${print(below, [...path, id])},\n`,
      );
      return `{\n${lines.join('')}}`;
    }
    if (!word.includes('{')) return JSON.stringify(word);
    const id = path.join('.');
    filled[id] = word;
    return `FILLED[${JSON.stringify(id)}]`;
  };
  const all = print({ locale, ...words }, []);
  const compiled = compileModule(new MessageFormat(code, { customFormatters: { count } }), filled);
  return `${compiled.replace('export default', 'const FILLED =')}\nexport default ${all};\n`;
}

/** How a text of the back office is filled in: numbers that choose a plural or whose digits are grouped are numbers. */
function staffParameters(text) {
  const numbers = new Set();
  const find = tokens => {
    for (const { type, arg, key, cases = [] } of tokens) {
      if (type === 'plural' || (type === 'function' && key === 'count')) numbers.add(arg);
      for (const each of cases) find(each.tokens);
    }
  };
  find(parseMessage(text));
  return placeholdersOf(text).map(name => `${name}: ${numbers.has(name) ? 'number' : 'Value'}`);
}

/** The type of the back office's words. */
export function staffTypes() {
  const print = (word, indent) => {
    if (Array.isArray(word)) return 'string[]';
    if (isTable(word)) {
      const lines = Object.entries(word).map(
        ([id, below]) => `${indent}  ${id}: ${print(below, `${indent}  `)};\n`,
      );
      return `{\n${lines.join('')}${indent}}`;
    }
    const parameters = staffParameters(word);
    return parameters.length ? `(values: { ${parameters.join('; ')} }) => string` : 'string';
  };
  const { words } = readStaffLanguage('en');
  return `/** Generated from languages/backoffice/en.toml by \`npm run messages\`: each text, and what is filled in. */
type Value = string | number;

export type Words = ${print({ locale: '', ...words }, '')};
`;
}

/** What languages/backoffice/en.toml becomes: a module, or with `?page` a script that sets the page's variable. */
function staffLanguageModule(file, query) {
  const options = new URLSearchParams(query);
  const language = readStaffLanguage(basename(file, '.toml'));
  const module = compileStaffLanguage(options.has('pseudo') ? pseudoStaff(language) : language);
  return options.has('page') ? module.replace('export default', 'self.WORDS =') : module;
}

/** The module of a file: of the back office's folder, or of the sites. */
export const moduleOf = (file, query) =>
  dirname(file) === STAFF_FOLDER ? staffLanguageModule(file, query) : languageModule(file, query);

/** webpack's loader. */
export default function loader() {
  return moduleOf(this.resourcePath, this.resourceQuery);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TYPES, messageTypes());
  writeFileSync(STAFF_TYPES, staffTypes());
}
