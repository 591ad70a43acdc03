/** Every test starts with an empty tab, the comedy brand and a network that answers only what is mocked. */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { comedyBrand, serveBrand } from './brands';
import { server } from './server';

// Long enough for a page's code to be fetched and drawn on a slow and busy machine.
configure({ asyncUtilTimeout: 30_000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  serveBrand(comedyBrand);
  // What the site logs for itself would bury the test report.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
});
