/** Every test starts with an empty tab, the comedy brand and a network that answers only what is mocked. */
import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { comedyBrand, serveBrand } from './brands';
import { server } from './server';

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

beforeEach(() => {
  sessionStorage.clear();
  serveBrand(comedyBrand);
  // What the site logs for itself would bury the test report.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
});
