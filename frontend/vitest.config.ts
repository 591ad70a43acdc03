import { defineConfig } from 'vitest/config';
import type { TestCase } from 'vitest/node';
import { definitions, languages } from './scripts/vite.js';

/** In the words of nextest, which .ci/steps reads. */
function nameFlaky(test: TestCase) {
  if (!test.diagnostic()?.flaky) return;
  process.stdout.write(`   FLAKY 2/2 (front end) ${test.module.relativeModuleId} > ${test.fullName}\n`);
}

export default defineConfig({
  plugins: [languages],
  define: definitions(),
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://mcfunny.localhost:8080/' } },
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.js'],
    setupFiles: ['src/dev/setup.ts'],
    css: false,
    restoreMocks: true,
    unstubGlobals: true,
    // For slow and busy machines; see also `asyncUtilTimeout` in src/dev/setup.ts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    maxWorkers: 4,
    // A test that passes when repeated is named, as those of services and browsers are.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', { onTestCaseResult: nameFlaky }],
  },
});
