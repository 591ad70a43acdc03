// The floor of .browserslistrc for the tools of the build, and what it lacks, by MDN's tables.
import { createRequire } from 'node:module';
import browserslist from 'browserslist';
import { browserslistToTargets } from 'lightningcss';

/** `sites` or `backoffice`, as a list of browsers: `['chrome 79', …]`. */
export const browsersOf = env => browserslist(undefined, { env, path: import.meta.dirname });

export const styleTargets = env => browserslistToTargets(browsersOf(env));

/** MDN has a phone's browser apart. Firefox's has numbers of its own. */
const PHONES = { chrome: 'chrome_android', safari: 'safari_ios' };

const partsOf = version => version.replace('≤', '').split('.').map(Number);
function isAtMost(version, limit) {
  const [[major, minor = 0], [most, mostMinor = 0]] = [partsOf(version), partsOf(limit)];
  return major < most || (major === most && minor <= mostMinor);
}

/** Whether every browser of the floor has what a table of MDN is about, under its own name and without a setting. */
const supports =
  floor =>
  ({ support }) =>
    floor.every(([browser, version]) =>
      [support[browser]]
        .flat()
        .some(
          each =>
            each &&
            !each.flags &&
            !each.prefix &&
            !each.alternative_name &&
            /\d/.test(each.version_added) &&
            isAtMost(each.version_added, version) &&
            !(/\d/.test(each.version_removed) && isAtMost(each.version_removed, version)),
        ),
    );

const isType = name => node => node.type === name;
const isOperator = name => node => node.operator === name;
const isRegex = test => node => node.regex !== undefined && test(node.regex);

/** Syntax that may come with libraries: where MDN has it, and whether a node is it. */
const SYNTAX = {
  'a?.b': ['operators.optional_chaining', isType('ChainExpression')],
  'a ?? b': ['operators.nullish_coalescing', isOperator('??')],
  'a ??= b': ['operators.nullish_coalescing_assignment', isOperator('??=')],
  'a ||= b': ['operators.logical_or_assignment', isOperator('||=')],
  'a &&= b': ['operators.logical_and_assignment', isOperator('&&=')],
  'import()': ['operators.import', isType('ImportExpression')],
  'import.meta': ['operators.import_meta', node => node.meta?.name === 'import'],
  'field of a class': ['classes.public_class_fields', isType('PropertyDefinition')],
  '#private': ['classes.private_class_fields', isType('PrivateIdentifier')],
  'static {}': ['classes.static.initialization_blocks', isType('StaticBlock')],
  '1n': ['builtins.BigInt', node => node.bigint !== undefined],
  '1_000': ['grammar.numeric_separators', node => typeof node.value === 'number' && node.raw.includes('_')],
  '/(?<=)/': [
    'regular_expressions.lookbehind_assertion',
    isRegex(({ pattern }) => /\(\?<[=!]/.test(pattern)),
  ],
  '/(?<name>)/': [
    'regular_expressions.named_capturing_group',
    isRegex(({ pattern }) => /\(\?<\w/.test(pattern)),
  ],
  '/\\p{}/u': [
    'regular_expressions.unicode_character_class_escape',
    isRegex(({ flags, pattern }) => /[uv]/.test(flags) && /\\p\{/i.test(pattern)),
  ],
  '/./s': ['builtins.RegExp.dotAll', isRegex(({ flags }) => flags.includes('s'))],
  '/./d': ['builtins.RegExp.hasIndices', isRegex(({ flags }) => flags.includes('d'))],
  '/./v': ['builtins.RegExp.unicodeSets', isRegex(({ flags }) => flags.includes('v'))],
};

/**
 * What the browsers of `env` lack: `has(name)` is false for a method (`at`), a static one (`Object.hasOwn`) or a global (`structuredClone`)
 * that one of them does not have, and undefined for a name that MDN does not know. A method of several interfaces counts as there if one has it.
 */
export function lackOf(env) {
  const { javascript, api } = createRequire(import.meta.url)('@mdn/browser-compat-data');
  const floor = browsersOf(env)
    .map(each => each.split(' '))
    .flatMap(([browser, version]) => [browser, PHONES[browser]].filter(Boolean).map(name => [name, version]));
  const isThere = supports(floor);
  const [methods, statics, globals] = [new Map(), new Map(), new Map()];
  const add = (known, name, compat) => known.set(name, known.get(name) || isThere(compat));
  for (const [name, { __compat, ...members }] of Object.entries({ ...javascript.builtins, ...api })) {
    if (__compat) for (const known of [globals, methods]) add(known, name, __compat);
    for (const [key, { __compat: compat }] of Object.entries(members)) {
      const member = key.replace(/_static$/, '');
      // Names with a line are events and details of an entry.
      if (!compat || member.includes('_')) continue;
      add(statics, `${name}.${member}`, compat);
      add(methods, member, compat);
      if (/^(Window|WorkerGlobalScope)$/.test(name)) add(globals, member, compat);
    }
  }
  const syntax = Object.entries(SYNTAX)
    .map(([name, [path, isIt]]) => {
      const { __compat } = path.split('.').reduce((table, key) => table[key], javascript);
      return { name, isIt, isThere: isThere(__compat) };
    })
    .filter(each => !each.isThere);
  const has = known => name => known.get(name);
  return { syntax, hasMethod: has(methods), hasStatic: has(statics), hasGlobal: has(globals) };
}
