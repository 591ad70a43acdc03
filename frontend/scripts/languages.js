// Reads languages/*.toml, and compiles their messages to JavaScript: for webpack (as its loader), for the unit tests and for src/message-types.ts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/compile-module.js';
import { parse as parseMessage } from '@messageformat/parser';
import { parse as parseToml } from 'smol-toml';

const FRONTEND = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(FRONTEND, 'languages');
const TYPES = join(FRONTEND, 'src/message-types.ts');

/** A made-up language for tests: English with accents, and two fifths longer. */
export const PSEUDO = 'en-XA';

/** Messages that only the gateway writes. */
export const IN_GATEWAY = ['description', 'undrawn'];
/** Messages of pages for browsers without scripts: the server renders them, and the page's file does not have them. */
export const WITHOUT_SCRIPTS = ['watch-needs-scripts', 'go-to-videos', 'remove'];

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

/** English as the made-up language. Elements and placeholders stay. */
export function pseudo({ messages, terms }) {
  const lengthen = text => `${text}${' ~'.repeat(Math.ceil(text.length / 5))}`;
  const print = token => {
    if (token.type === 'content') {
      return token.value
        .split(/(<[^>]*>)/)
        .map((part, place) => (place % 2 ? part : withAccents(part)))
        .join('');
    }
    if (token.type === 'argument') return `{${token.arg}}`;
    const cases = token.cases.map(({ key, tokens }) => `${key} {${lengthen(tokens.map(print).join(''))}}`);
    return `{${token.arg}, ${token.type}, ${cases.join(' ')}}`;
  };
  const long = text => {
    const tokens = parseMessage(text);
    const printed = tokens.map(print).join('');
    return tokens.some(({ type }) => type === 'plural') ? printed : lengthen(printed);
  };
  const all = texts =>
    Object.fromEntries(
      Object.entries(texts).map(([id, text]) => [id, ['months', 'decimal'].includes(id) ? text : long(text)]),
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
export function languageModule(file, query) {
  const options = new URLSearchParams(query);
  const language = readLanguage(basename(file, '.toml'));
  const { code, messages, terms } = options.has('pseudo') ? pseudo(language) : language;
  if (options.has('terms')) return JSON.stringify({ lang: code, months: messages.months, ...terms });
  const used = unused => Object.fromEntries(Object.entries(messages).filter(([id]) => !unused.includes(id)));
  if (!options.has('page')) return compileLanguage({ code, messages: used(IN_GATEWAY) });
  const page = compileLanguage({ code, messages: used([...IN_GATEWAY, ...WITHOUT_SCRIPTS]) });
  return page.replace('export default', 'self.MESSAGES =');
}

/** webpack's loader. */
export default function loader() {
  return languageModule(this.resourcePath, this.resourceQuery);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TYPES, messageTypes());
