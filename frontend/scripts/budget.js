// Names first views that exceed their byte budget (compressed sizes), which fails the build in CI alone (CI is set), so that a first try runs. Fails if
// first-views.json names a missing file.
import { existsSync, readFileSync, statSync } from 'node:fs';

const KB = 1000;
const DIST = new URL('../dist/', import.meta.url);
const read = name => readFileSync(new URL(name, DIST), 'utf8');

const BUDGETS = [
  // [what, its page in first-views.json, KB of JavaScript, KB of CSS]
  ['comedy home', 'comedy-home', 112, 8.5],
  ['football home', 'diski-home', 112, 8.5],
  ['meme home', 'meme-home', 112, 8.5],
  ['video-on-demand home', 'tt-home', 112, 8.5],
  ['join form', 'join', 94, 8.5],
  ['artist and player', 'comedy-video', 118, 8.5],
  ['video-on-demand player', 'tt-video', 118, 8.5],
  ['terms', 'terms', 92, 8.5],
];

/** All of the back office's first view, in KB: scripts and styles. */
const BACK_OFFICE = 170;

const filesOf = page => [...read(page).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);

/** Each page loads the file of one language: here the largest. A page with the terms loads a second one. */
const [largestLanguage, largestTerms] = ['file', 'terms'].map(
  kind =>
    JSON.parse(read('languages.json'))
      .filter(({ listed }) => listed)
      .map(language => language[kind])
      .sort((a, b) => statSync(new URL(`.${b}.br`, DIST)).size - statSync(new URL(`.${a}.br`, DIST)).size)[0],
);

/** The files in index.html and the language are part of every first view. */
const shell = [...filesOf('index.html'), largestLanguage];
const views = JSON.parse(read('first-views.json'));

let over = false;
for (const { path, files } of views) {
  const missing = [...shell, ...files].filter(file => !existsSync(new URL(`.${file}.br`, DIST)));
  if (files.length > 0 && missing.length === 0) continue;
  console.error(
    `first-views.json, ${path}: ${missing.length ? `no file ${missing.join(', ')}` : 'no files'}`,
  );
  over = true;
}
if (over) process.exit(1);

for (const [what, page, jsLimit, cssLimit] of BUDGETS) {
  const files = [...shell, ...views.find(view => view.page === page).files];
  if (page === 'terms') files.push(largestTerms);
  const size = ending =>
    files
      .filter(file => ending.test(file))
      .reduce((sum, file) => sum + statSync(new URL(`.${file}.br`, DIST)).size, 0) / KB;
  const [js, css] = [size(/\.js(on)?$/), size(/\.css$/)];
  const bad = js > jsLimit || css > cssLimit;
  over ||= bad;
  console.log(
    `${bad ? 'OVER' : 'ok  '}  ${what.padEnd(24)} ${js.toFixed(1)} of ${jsLimit} KB JS, ${css.toFixed(1)} of ${cssLimit} KB CSS`,
  );
}

const staffFiles = filesOf('backoffice/index.html').map(file => `backoffice${file}.br`);
const staffSize = staffFiles.reduce((sum, file) => sum + statSync(new URL(file, DIST)).size, 0) / KB;
// No files would be a fault of the template.
const staffBad = staffFiles.length === 0 || staffSize > BACK_OFFICE;
over ||= staffBad;
console.log(
  `${staffBad ? 'OVER' : 'ok  '}  ${'back office'.padEnd(24)} ${staffSize.toFixed(1)} of ${BACK_OFFICE} KB JS and CSS`,
);
process.exit(over && process.env.CI ? 1 : 0);
