import { defineConfig } from 'vitest/config';
import { definitions, languages } from './scripts/vite.js';

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
  },
});
