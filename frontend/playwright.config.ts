/// <reference types="node" />
/** Browser tests against a running family: E2E_PORT is the gateway's port. They start no server of their own. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/artifacts',
  // Generous: on a slow and busy machine a page may take its time, and what is tested is not how quick that machine is.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Two files at a time, as a browser often waits. More would not help: the machines that run this are small, and a video must really play.
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['./e2e/sentences-reporter.ts']],
  projects: [
    { name: 'sites', testIgnore: /endless|large-catalogues/ },
    // Its catalogues are in the same family: they come when the other tests are over. The tests share them and change nothing.
    { name: 'import', testMatch: /large-catalogues\.setup/, dependencies: ['sites'], teardown: 'delete' },
    { name: 'large catalogues', testMatch: /endless/, dependencies: ['import'], fullyParallel: true },
    { name: 'delete', testMatch: /large-catalogues\.teardown/ },
  ],
  use: {
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en-ZA',
    timezoneId: 'Africa/Johannesburg',
    // Recording a trace of each test takes a processor's time from the pages; what fails is run again, and then traced.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    // Requests that a service worker answers cannot be watched or held back; offline.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
  },
});
