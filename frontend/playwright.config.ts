/// <reference types="node" />
/**
 * Browser tests against a running family: E2E_PORT is the gateway's port, and E2E_FIRST_LINK the link of the back office's first
 * administrator. They start no server of their own.
 */
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** Chromium without the windows of a browser, which takes a third less processor time; where there is none, the browser. */
const SHELL = '/usr/bin/chromium-headless-shell';
const CHROMIUM = existsSync(SHELL) ? SHELL : '/usr/bin/chromium';

/** Files that take too long for each commit: `make test ALL=1`, which runs each night, has them. */
const NIGHTLY = process.env.ALL
  ? []
  : [
      /e2e\/(dev|keyboard|languages|long-names|prerender|renditions|saved|sim|sizes|states|surroundings|taste)\.spec/,
      /backoffice\/(long-words|media)\.spec/,
    ];

/** For a family with a back office. Its tests make the persons and records that they need, and change nothing that another one expects. */
const backOffice = process.env.E2E_FIRST_LINK
  ? [
      {
        name: 'back office',
        testMatch: /backoffice\/.*\.spec/,
        testIgnore: NIGHTLY,
        fullyParallel: true,
        // A test of many screens checks each one by axe in four views.
        timeout: 900_000,
        use: {
          viewport: { width: 1280, height: 800 },
          deviceScaleFactor: 1,
          isMobile: false,
          hasTouch: false,
        },
      },
    ]
  : [];

export default defineConfig({
  testDir: 'e2e',
  // No project that others depend on: all tests of the sites would end before those of the back office begin.
  globalSetup: './e2e/backoffice/first-administrator.ts',
  outputDir: 'test-results/artifacts',
  // Generous, for slow and busy machines: tests do not measure speed.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Three files at a time, because tests often wait: with two, two processors idled for a third of the time. More would not help, as videos must
  // really play.
  workers: 3,
  // CI's machine sometimes stands still for minutes, longer than a repeated test takes; each repetition is reported.
  retries: process.env.CI ? 2 : 0,
  reporter: [['list'], ['./e2e/sentences-reporter.ts']],
  projects: [
    ...backOffice,
    { name: 'sites', testIgnore: [/endless|large-catalogues|backoffice|e2e\/engines\//, ...NIGHTLY] },
    ...(process.env.ALL
      ? [
          {
            name: 'import',
            testMatch: /large-catalogues\.setup/,
            dependencies: ['sites'],
            teardown: 'delete',
          },
          { name: 'large catalogues', testMatch: /endless/, dependencies: ['import'], fullyParallel: true },
          { name: 'delete', testMatch: /large-catalogues\.teardown/ },
        ]
      : []),
  ],
  use: {
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en-ZA',
    timezoneId: 'Africa/Johannesburg',
    // Tracing every test takes processor time; failed tests are retried with a trace.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    // Requests that a service worker answers cannot be watched or held back; offline.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
  },
});
