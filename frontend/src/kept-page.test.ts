/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frameOf, isBrandPage, repliesOf } from './kept-page';
import { memeBrand } from './test/brands';

const boot = JSON.stringify({ ...memeBrand, page: 'meme-home', session: false });
const page = (replies: string) =>
  `<!doctype html><script type="application/json" id="boot">${boot}</script>${replies}<body></body>`;
const drawn = '<div id="root"><header></header><div>x</div> <main></main></div>';
const frame = (screen: string) => `<body>${screen}\n    <noscript>Please</noscript>\n</body>`;
const replies = `<script type="application/json" id="replies">{"/api/tt/a":[{"name":"\\u003c/script>","page":"x"}],"/api/tt/b":1}</script>`;

test('a kept page says nothing of the address it came from, nor of who asked', () => {
  expect(frameOf(page(replies))).toBe(page('').replace(boot, JSON.stringify(memeBrand)));
});

test('only a brand’s own pages are kept', () => {
  expect(isBrandPage(page(replies))).toBe(true);
  expect(isBrandPage('<!doctype html><title>Every call</title><body></body>')).toBe(false);
});

test('nor what the server drew of it', () => {
  expect(frameOf(frame(drawn))).toBe(frame('<div id="root"></div>'));
  const template = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8');
  const empty = template.replace('<!--screen-->', '');
  expect(empty).not.toBe(template);
  expect(frameOf(template.replace('<!--screen-->', drawn))).toBe(empty);
});

test('its replies are kept by their own addresses', () => {
  expect([...repliesOf(page(replies))]).toEqual([
    ['/api/tt/a', [{ name: '</script>', page: 'x' }]],
    ['/api/tt/b', 1],
  ]);
});

test('a page without replies, or with broken ones, has none', () => {
  expect(repliesOf(page('')).size).toBe(0);
  expect(repliesOf(page('<script type="application/json" id="replies">{</script>')).size).toBe(0);
});
