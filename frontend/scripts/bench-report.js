/**
 * Generates report.html from the measurements in a folder: `make bench` and `make bench-web` write theirs to target/bench. The
 * page is self-contained.
 *
 *     node scripts/bench-report.js [FOLDER]
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const LOOK = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1a22;--soft:#5d586b;--line:#d9d5e3;--good:#0a6b42;--bad:#b3211c;--mark:#4c3fb5}
@media(prefers-color-scheme:dark){:root{--paper:#15131b;--ink:#f1eef8;--soft:#aaa3bd;--line:#3a3547;--good:#5fd6a0;--bad:#ff8a80;--mark:#a99bff}}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.45 system-ui,sans-serif}
h1{margin:.5rem 0 0;font-size:1.6rem}h2{margin:2rem 0 .25rem;font-size:1.2rem}p{margin:.25rem 0 .75rem;color:var(--soft)}
.row{padding:.6rem 0;border-top:1px solid var(--line);display:grid;gap:.25rem 1rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:45rem){.row{grid-template-columns:minmax(0,3fr) minmax(0,4fr) minmax(0,2fr);align-items:center}}
.figures{font-variant-numeric:tabular-nums}.small{display:block;font-size:.85rem;color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}svg{display:block;width:100%;max-width:26rem}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.35rem .3rem;border-top:1px solid var(--line);text-align:left;vertical-align:top}
td.figures,th.figures{text-align:right;white-space:nowrap}`;

const SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const safe = text => String(text).replace(/[&<>"]/g, sign => SIGNS[sign]);

/** Formats a figure with its significant digits. */
export function figure(value) {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** A row's limit as `>= 1.3`; empty without a limit. */
function limitOf({ limit }) {
  if (limit?.at_least !== undefined) return { text: `≥ ${figure(limit.at_least)}`, at: limit.at_least };
  if (limit?.at_most !== undefined) return { text: `≤ ${figure(limit.at_most)}`, at: limit.at_most };
  return undefined;
}

const verdictOf = ok =>
  ok === null || ok === undefined
    ? ''
    : `<span class="${ok ? 'good' : 'bad'}">${ok ? 'holds' : 'does not hold'}</span>`;

/** An SVG plot of the rounds: a dot per round, a bar for the median, a dashed line for the limit. */
export function plot(ratios, median, limit) {
  const all = [...ratios, median, ...(limit === undefined ? [] : [limit])].filter(Number.isFinite);
  const end = Math.max(...all, 0) * 1.1 || 1;
  const x = value => ((Math.max(value, 0) / end) * 300).toFixed(1);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const dots = ratios.map(
    ratio => `<circle cx="${x(ratio)}" cy="14" r="3" fill="var(--mark)" fill-opacity=".45"/>`,
  );
  const label = `${figure(median)}, rounds from ${figure(low)} to ${figure(high)}${limit === undefined ? '' : `, limit ${figure(limit)}`}`;
  return [
    `<svg viewBox="0 0 300 40" role="img" aria-label="${label}">`,
    '<line x1="0" x2="300" y1="26" y2="26" stroke="var(--line)"/>',
    `<rect x="${x(low)}" width="${(x(high) - x(low)).toFixed(1)}" y="12" height="4" fill="var(--mark)" fill-opacity=".25"/>`,
    ...dots,
    `<rect x="${(x(median) - 1).toFixed(1)}" width="2" y="4" height="20" fill="var(--mark)"/>`,
    limit === undefined
      ? ''
      : `<line x1="${x(limit)}" x2="${x(limit)}" y1="0" y2="30" stroke="var(--ink)" stroke-dasharray="3 2"/>`,
    `<text x="0" y="38" font-size="9" fill="var(--soft)">0</text><text x="300" y="38" font-size="9" text-anchor="end" fill="var(--soft)">${figure(end)}</text>`,
    '</svg>',
  ].join('');
}

function row(each) {
  const limit = limitOf(each);
  return `<div class="row"><div>${safe(each.name)}<span class="small figures">${figure(each.ours.per_second)} to ${figure(each.theirs.per_second)} a second; 99 of 100 within ${figure(each.ours.p99_ms)} ms</span></div>
<div>${plot(each.ratios, each.ratio, limit?.at)}</div>
<div class="figures"><strong>${figure(each.ratio)}</strong> ${limit ? `(${limit.text})` : ''} ${verdictOf(each.pass)}</div></div>`;
}

function group({ name, rounds, seconds, connections, rows }, when) {
  return `<section><h2>${safe(name)}</h2><p>${rounds} rounds of ${figure(seconds)} s, ${connections} connections; ${safe(when)}</p>${rows.map(row).join('\n')}</section>`;
}

/** A table of pages: each measured value beside its limit. */
function pages({ browser, rounds, pages: seen }, when) {
  const line = ({ name, verdicts }) =>
    verdicts
      .map(
        ({ what, value, limit, ok }, index) =>
          `<tr><td>${index === 0 ? safe(name) : ''}</td><td>${safe(what)}</td><td class="figures">${safe(value)}</td><td class="figures">${safe(limit)}</td><td>${verdictOf(ok)}</td></tr>`,
      )
      .join('\n');
  return `<section><h2>pages</h2><p>Lighthouse and taps in Chromium ${safe(browser)}, medians of ${rounds} looks; ${safe(when)}</p><div class="wide" tabindex="0" role="region" aria-label="pages"><table>
<tr><th>page</th><th>what</th><th class="figures">measured</th><th class="figures">limit</th><th></th></tr>
${seen.map(line).join('\n')}</table></div></section>`;
}

/** The HTML page. `files`: figures and time of each; `machine`: its description. */
export function report(files, machine) {
  const parts = files.map(({ figures, when }) =>
    Array.isArray(figures.rows) ? group(figures, when) : pages(figures, when),
  );
  const held = files.flatMap(({ figures }) => [
    ...(figures.rows ?? []).map(({ pass }) => pass),
    ...(figures.pages ?? []).flatMap(({ verdicts }) => verdicts.map(({ ok }) => ok)),
  ]);
  const [bad, all] = [
    held.filter(ok => ok === false).length,
    held.filter(ok => typeof ok === 'boolean').length,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Spaza, measured</title><style>${LOOK}</style></head>
<body><main><h1>Spaza, measured</h1><p>${safe(machine)}. A figure is ours to what it is measured beside, in the same minutes: dots are rounds, the bar is their median, the dashed line the limit.
${bad === 0 ? `All ${all} limits hold.` : `<span class="bad">${bad} of ${all} limits do not hold.</span>`}</p>
${parts.join('\n')}</main></body></html>
`;
}

/** Reads a folder's figures and writes its report. Returns the report's path. */
export function write(folder) {
  const names = readdirSync(folder).filter(name => name.endsWith('.json'));
  const all = names.sort().map(name => ({
    figures: JSON.parse(readFileSync(join(folder, name), 'utf8')),
    when: `${statSync(join(folder, name)).mtime.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  }));
  const files = all.filter(({ figures }) => figures.rows ?? figures.pages);
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const machine = `${processors.length} processors (${processors[0]?.model.trim() || 'unknown'}), ${gigabytes} GiB`;
  const path = join(folder, 'report.html');
  writeFileSync(path, report(files, machine));
  return path;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2] ?? new URL('../../target/bench', import.meta.url).pathname;
  console.log(`report: ${write(folder)}`);
}
