/** Every test starts with empty storage, the comedy brand and a network with mocked replies only. */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import words from '../../languages/backoffice/en.toml';
import english from '../../languages/en.toml';
import { comedyBrand, serveBrand } from './brands';
import { privateDrafts } from './private-drafts';
import { server } from './server';

// Long enough to load and render a page's code on a slow, busy machine.
configure({ asyncUtilTimeout: 30_000, reactStrictMode: true });

// Modules of the back office read their texts while they load, and so do the terms.
Object.assign(globalThis, { WORDS: words, MESSAGES: english });

// happy-dom has no canvas: the drawing of charts is for the browser tests.
vi.mock('../staff/ui/Plot', () => ({ default: () => null }));

// happy-dom loads no pictures, and says of each that it is complete.
Object.defineProperty(HTMLImageElement.prototype, 'complete', { get: () => false });

server.listen({ onUnhandledRequest: 'error' });
afterAll(() => server.close());

beforeEach(() => {
  Object.assign(globalThis, { MESSAGES: english });
  sessionStorage.clear();
  localStorage.clear();
  serveBrand(comedyBrand);
  server.use(...privateDrafts().handlers);
  // The site's log lines would hide the test report.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  server.events.removeAllListeners();
});
