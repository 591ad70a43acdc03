// Fails the build when a brand's home has grown (what a first visit downloads, compressed as it is sent), or when first-views.json names a file that is not there.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

const KB = 1000;
const ASSETS = new URL('../dist/assets/', import.meta.url);
// Whatever index.html loads is part of every first view.
const INDEX = readFileSync(new URL('../index.html', ASSETS), 'utf8');
const SHELL = [...INDEX.matchAll(/src="\/assets\/([\w-]+)\./g)].map(([, name]) => name);

const BUDGETS = [
  // [what, the scripts of a first view, KB of JavaScript, KB of CSS]
  ['comedy home', [...SHELL, 'home-comedy'], 92, 8],
  ['football home', [...SHELL, 'home-diski'], 92, 8],
  ['meme home', [...SHELL, 'home-meme'], 92, 8],
  ['video-on-demand home', [...SHELL, 'home-tt'], 92, 8],
  ['join form', [...SHELL, 'join'], 90, 8],
  ['artist and player', [...SHELL, 'artist'], 94, 8],
  ['video-on-demand player', [...SHELL, 'tt-video'], 94, 8],
  ['terms', [...SHELL, 'legal'], 92, 8],
];

const files = readdirSync(ASSETS).filter(name => name.endsWith('.br'));

function size(chunk, ext) {
  const mine = files.filter(name => new RegExp(`^${chunk}\\.[0-9a-f]+\\.${ext}\\.br$`).test(name));
  return mine.reduce((sum, name) => sum + statSync(new URL(name, ASSETS)).size, 0);
}

let over = false;
for (const [what, chunks, jsLimit, cssLimit] of BUDGETS) {
  const missing = chunks.filter(chunk => !size(chunk, 'js'));
  if (missing.length) {
    console.error(`${what}: no file for ${missing.join(', ')}`);
    over = true;
  }
  const js = chunks.reduce((sum, chunk) => sum + size(chunk, 'js'), 0) / KB;
  const css = size('styles', 'css') / KB;
  const bad = js > jsLimit || css > cssLimit;
  over ||= bad;
  console.log(
    `${bad ? 'OVER' : 'ok  '}  ${what.padEnd(24)} ${js.toFixed(1)} of ${jsLimit} KB JS, ${css.toFixed(1)} of ${cssLimit} KB CSS`,
  );
}

const views = JSON.parse(readFileSync(new URL('../first-views.json', ASSETS), 'utf8'));
for (const { path, files } of views) {
  const missing = files.filter(file => !existsSync(new URL(`..${file}`, ASSETS)));
  if (files.length > 0 && missing.length === 0) continue;
  console.error(
    `first-views.json, ${path}: ${missing.length ? `no file ${missing.join(', ')}` : 'no files'}`,
  );
  over = true;
}
process.exit(over ? 1 : 0);
