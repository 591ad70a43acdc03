import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figure, plot, report, write } from './bench-report.js';

const sample = { per_second: 12345.6, p50_ms: 1, p99_ms: 4.25, busy: 0.9 };
const row = (name, ratios, limit, pass) => ({
  name,
  ours: sample,
  theirs: sample,
  ratios,
  ratio: ratios[1],
  limit,
  pass,
});
const list = {
  name: 'list',
  rounds: 3,
  seconds: 2,
  connections: 64,
  rows: [
    row('whole <list> & all', [1.2, 1.36, 1.4], { at_least: 1 }, true),
    row('a draw', [1.4, 1.6, 1.7], { at_most: 1.5 }, false),
    row('only told', [0.7, 0.77, 0.8], null, null),
  ],
};
const web = {
  browser: '156',
  rounds: 5,
  pages: [
    { name: 'comedy home', verdicts: [{ what: 'CLS', value: 0.01, limit: 0.02, ok: true }] },
    {
      name: 'meme join, first tap',
      verdicts: [{ what: 'tap after paint, s', value: 5.1, limit: 5, ok: false }],
    },
  ],
};
const files = [
  { figures: list, when: 'today' },
  { figures: web, when: 'today' },
];

test('a report has every figure, its limit and the verdict', () => {
  const page = new DOMParser().parseFromString(report(files, '2 processors'), 'text/html');
  const rows = [...page.querySelectorAll('.row')].map(each => each.textContent.replace(/\s+/g, ' ').trim());
  expect(rows).toHaveLength(3);
  expect(rows[0]).toContain('whole <list> & all');
  expect(rows[0]).toMatch(/1\.36 \(≥ 1\.00\) holds$/);
  expect(rows[1]).toMatch(/1\.60 \(≤ 1\.50\) does not hold$/);
  expect(rows[2]).toMatch(/0\.77$/);
  const taps = [...page.querySelectorAll('tr')].find(each => each.textContent.includes('first tap'));
  expect([...taps.cells].map(each => each.textContent)).toEqual([
    'meme join, first tap',
    'tap after paint, s',
    '5.1',
    '5',
    'does not hold',
  ]);
  expect(page.body.textContent).toContain('2 of 4 limits do not hold');
  expect([...page.querySelectorAll('h2')].map(each => each.textContent)).toEqual(['list', 'pages']);
});

test('a plot shows each round, the median and the limit, also as text', () => {
  const drawn = new DOMParser().parseFromString(plot([1, 2, 4], 2, 3), 'text/html').querySelector('svg');
  expect(drawn.querySelectorAll('circle')).toHaveLength(3);
  expect(drawn.getAttribute('aria-label')).toBe('2.00, rounds from 1.00 to 4.00, limit 3.00');
  const at = [...drawn.querySelectorAll('circle')].map(each => Number(each.getAttribute('cx')));
  // A tenth of room is left behind the largest.
  expect(at.map(x => Math.round(x * 4.4) / 300)).toEqual(
    [1, 2, 4].map(ratio => Math.round(ratio * 300) / 300),
  );
});

test('figures are rounded to significant digits', () => {
  expect([0.194, 12.34, 12345.6, Number.NaN].map(figure)).toEqual(['0.19', '12.3', '12,346', '–']);
});

test('write creates a report for any subset of measurements', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-report-'));
  try {
    writeFileSync(join(folder, 'list.json'), JSON.stringify(list));
    const path = write(folder);
    const page = readFileSync(path, 'utf8');
    expect(path).toBe(join(folder, 'report.html'));
    expect(page).toContain('a draw');
    expect(page).not.toMatch(/<script|https?:/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
