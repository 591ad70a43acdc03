// Fails the build if a built file, libraries included, uses what a browser of the floor (.browserslistrc) lacks.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GUARDED } from './guarded-uses.js';
import { newerUses } from './newer-uses.js';

const DIST = new URL('../dist/', import.meta.url);
const scriptsIn = folder =>
  readdirSync(new URL(folder, DIST))
    .filter(name => name.endsWith('.js'))
    .map(name => `${folder}${name}`);

const FILES = {
  sites: [...scriptsIn('assets/'), 'sw.js'],
  backoffice: scriptsIn('backoffice/assets/'),
};

const bad = false;
for (const [env, names] of Object.entries(FILES)) {
  const sources = names.map(name => ({
    name,
    text: readFileSync(fileURLToPath(new URL(name, DIST)), 'utf8'),
  }));
  const uses = newerUses(env, sources);
  const { [env]: guarded } = GUARDED;
  let faults = 0;
  for (const name of new Set([...Object.keys(guarded), ...uses.map(use => use.name)])) {
    const found = uses.filter(use => use.name === name);
    const allowed = guarded[name]?.uses ?? 0;
    if (found.length === allowed) continue;
    faults += 1;
    console.error(
      found.length > allowed
        ? `${name} is newer than the floor of ${env}, ${found.length} uses instead of ${allowed}:`
        : `${name} has ${found.length} guarded uses in ${env}: lower the number in scripts/guarded-uses.js`,
    );
    for (const { file, code } of found.length > allowed ? found : []) console.error(`  ${file}: ${code}`);
  }
  console.log(
    `${faults ? 'OVER' : 'ok  '}  ${env}: ${names.length} scripts, ${uses.length} guarded uses of newer functions`,
  );
}
process.exit(bad ? 1 : 0);
