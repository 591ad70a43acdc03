/**
 * lock.js FOLDER: what package.json and package-lock.json of a folder promise. Every version is exact, every package has a checksum and
 * a licence that we may use, none comes from elsewhere than the registry, and none runs a script that was not reviewed.
 * Prints one line per fault and ends with 1 where there is any.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** What the page's own code may be under; tools that only build it may also be under the rest. */
const LICENCES = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unicode-DFS-2016'];
const TOOL_LICENCES = [...LICENCES, 'Zlib', 'MPL-2.0', 'CC0-1.0', 'BlueOak-1.0.0', 'CC-BY-4.0', 'Python-2.0'];

/** Packages whose manifest names no licence, and where it stands instead. */
const SAID_ELSEWHERE = { 'parse-cache-control': 'MIT', 'combine-errors': 'MIT' };

/** What tus-js-client needs outside of browsers: no page has it. */
const NOT_IN_PAGES = ['graceful-fs'];

/** The parts of an expression that a word joins; what stands in brackets stays whole. */
function parts(expression, word) {
  const found = [''];
  let depth = 0;
  for (const token of expression.split(/( OR | AND |[()])/)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && token === word) found.push('');
    else found[found.length - 1] += token;
  }
  return found;
}

/** `MIT OR (A AND B)`: any side of an OR, every side of an AND. */
function allows(licences, expression) {
  const either = parts(expression, ' OR ');
  if (either.length > 1) return either.some((part) => allows(licences, part));
  const all = parts(expression, ' AND ');
  if (all.length > 1) return all.every((part) => allows(licences, part));
  const inner = expression.match(/^\((.*)\)$/);
  return inner ? allows(licences, inner[1]) : licences.includes(expression);
}

/** What is wrong with a package.json and its lock file. */
function faults(manifest, lock) {
  const found = [];
  const own = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, version] of Object.entries(own)) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) found.push(`${name}: ${version} is not one version`);
  }
  if (lock.lockfileVersion !== 3) found.push(`the lock file is of version ${lock.lockfileVersion}, not 3`);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const name = path.replace(/^.*node_modules\//, '');
    // npm omits it for programs of other platforms; their exact version is in the package that depends on them.
    const foreign = entry.optional && (entry.os || entry.cpu);
    if (!entry.integrity?.startsWith('sha512-') && !foreign) found.push(`${path} has no sha512`);
    if (entry.resolved || entry.link) found.push(`${path} comes from elsewhere: ${entry.resolved ?? 'a link'}`);
    const licence = entry.license ?? SAID_ELSEWHERE[name] ?? 'none';
    const tool = entry.dev || entry.optional || entry.devOptional || NOT_IN_PAGES.includes(name);
    if (!allows(tool ? TOOL_LICENCES : LICENCES, licence)) found.push(`${path} is under ${licence}`);
    if (entry.hasInstallScript && !foreign && !(name in (manifest.allowScripts ?? {}))) {
      found.push(`${path} runs a script when it is installed: decide on it in package.json, allowScripts`);
    }
  }
  return found;
}

module.exports = { allows, faults };

if (require.main === module) {
  const folder = process.argv[2];
  const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const lock = read('package-lock.json');
  const found = faults(read('package.json'), lock);
  for (const fault of found) console.log(`${folder}: ${fault}`);
  console.log(`${folder}: ${Object.keys(lock.packages).length - 1} packages looked at, ${found.length} faults`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
