/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { replayEarlyTaps } from './early-taps';

test('taps before the first file arrives are replayed once, and a form of the browser is left to it', async () => {
  new Function(readFileSync(join(import.meta.dirname, 'expect-scripts.js'), 'utf8'))();
  document.body.innerHTML = `
    <button type="button" id="menu"><svg></svg></button>
    <button type="button" id="away"></button>
    <form><button type="submit" id="send"></button><button type="submit" id="early" data-early></button></form>`;
  const button = (id: string) => document.getElementById(id) as HTMLButtonElement;
  const sent: string[] = [];
  document.querySelector('form')?.addEventListener('submit', event => {
    event.preventDefault();
    sent.push('form');
  });
  document.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  for (const id of ['menu', 'away', 'send', 'early']) button(id).click();
  expect(sent).toEqual(['form']);
  expect([...document.querySelectorAll('[data-tapped]')].map(({ id }) => id)).toEqual([
    'menu',
    'away',
    'early',
  ]);

  const clicked: string[] = [];
  for (const id of ['menu', 'away', 'early'])
    button(id).addEventListener('click', event => {
      event.preventDefault();
      clicked.push(id);
    });
  button('away').remove();
  replayEarlyTaps();
  replayEarlyTaps();
  await vi.waitFor(() => expect(clicked).toEqual(['menu', 'early']));
  expect(document.querySelectorAll('[data-tapped]')).toHaveLength(0);
  button('menu').click();
  expect(clicked).toEqual(['menu', 'early', 'menu']);
  expect(button('menu').dataset.tapped).toBeUndefined();
});
