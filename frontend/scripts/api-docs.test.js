import { expect, test } from 'vitest';
import DOCUMENT from '../openapi.json';
import { apiDocs } from './api-docs.js';

test('the page lists every call and schema, has a target for every link and no script', () => {
  const page = new DOMParser().parseFromString(apiDocs(DOCUMENT).replace(/<link.*>/, ''), 'text/html');
  const calls = Object.values(DOCUMENT.paths).flatMap(item => Object.keys(item));
  expect(page.querySelectorAll('details')).toHaveLength(calls.length);
  expect(page.querySelectorAll('#schemas > div')).toHaveLength(
    Object.keys(DOCUMENT.components.schemas).length,
  );
  const targets = [...page.querySelectorAll('a[href^="#"]')].map(link => link.getAttribute('href').slice(1));
  expect(targets.length).toBeGreaterThan(50);
  expect(targets.filter(id => page.getElementById(id) === null)).toEqual([]);
  expect(page.querySelectorAll('script, [style], style')).toHaveLength(0);
  expect(page.body.textContent).not.toMatch(/undefined|\[object/);
});

test('text of the document is escaped', () => {
  const document = {
    info: { description: 'Lists `a<b>` & more' },
    tags: [{ name: 'x', description: '<script>' }],
    paths: {},
    components: { schemas: {} },
  };
  expect(apiDocs(document)).toContain('Lists <code>a&lt;b&gt;</code> &amp; more');
  expect(apiDocs(document)).toContain('<p>&lt;script&gt;</p>');
});
