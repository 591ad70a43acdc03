/** The walks in other engines than today's Chromium (e2e/engines), against a running family: E2E_PORT is the gateway's port. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e/engines',
  outputDir: 'test-results/engines',
  // Long, because other steps may take most of the processors: a test that waits ends as soon as it sees its end.
  timeout: 1_200_000,
  expect: { timeout: 180_000 },
  // Saving a film takes minutes beside other steps: `make test ALL=1`, which runs each night, has it.
  grepInvert: process.env.ALL ? [] : /save a film/,
  // A walk waits for a film most of the time.
  fullyParallel: true,
  workers: 3,
  retries: process.env.CI ? 2 : 0,
  reporter: 'list',
});
