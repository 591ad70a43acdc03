/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBrandPage, repliesOf, shellOf } from './cached-shell';
import { memeBrand } from './test/brands';

const boot = JSON.stringify({ ...memeBrand, page: 'meme-home', session: false });
const page = (replies: string) =>
  `<!doctype html><script type="application/json" id="boot">${boot}</script>${replies}<body></body>`;
const rendered = '<div id="root"><header></header><div>x</div> <main></main></div>';
const ownPage = '<div class="plain"><p>27••••••678</p></div>';
const replies = `<script type="application/json" id="replies">{"/api/tt/a":[{"name":"\\u003c/script>","page":"x"}],"/api/tt/b":1}</script>`;

test('shellOf removes the data of the address and of the visitor', () => {
  expect(shellOf(page(replies))).toBe(page('').replace(boot, JSON.stringify(memeBrand)));
});

test('isBrandPage is true only for pages of the application', () => {
  expect(isBrandPage(page(replies))).toBe(true);
  expect(isBrandPage('<!doctype html><title>Every call</title><body></body>')).toBe(false);
});

test('shellOf removes the server-rendered screen', () => {
  const own = '<script type="application/json" id="own">{"/api/subscribe/me":{}}</script>';
  expect(shellOf(`<body>${rendered}\n${ownPage}\n${own}</body>`)).toBe('<body><div id="root"></div></body>');
  const template = readFileSync(join(import.meta.dirname, 'index.ejs'), 'utf8');
  const shell = shellOf(template.replace('<!--screen-->', rendered));
  expect(shell).toContain('<div id="root"></div></body>');
  expect(shell).not.toContain('<header>');
});

test('shellOf removes the redirect', () => {
  const refresh =
    '<noscript><meta http-equiv="refresh" content="0;url=/forms/check?msisdn=27812345678"></noscript>' +
    '<meta http-equiv="refresh" content="5;url=/forms/check?msisdn=27812345678">';
  expect(shellOf(page(refresh))).toBe(page('').replace(boot, JSON.stringify(memeBrand)));
});

test('shellOf removes what one visitor reads once', () => {
  const news = '<aside class="return-news" data-opened><p role="status">You have joined.</p></aside>';
  expect(shellOf(page(news))).toBe(page('').replace(boot, JSON.stringify(memeBrand)));
});

test('repliesOf returns the replies by their addresses', () => {
  expect([...repliesOf(page(replies))]).toEqual([
    ['/api/tt/a', [{ name: '</script>', page: 'x' }]],
    ['/api/tt/b', 1],
  ]);
});

test('repliesOf returns nothing for a page without replies, or with invalid ones', () => {
  expect(repliesOf(page('')).size).toBe(0);
  expect(repliesOf(page('<script type="application/json" id="replies">{</script>')).size).toBe(0);
});
