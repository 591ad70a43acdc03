import { defineConfig } from 'vitest/config';
import { moduleOf, readLanguages } from './scripts/languages.js';

/** Compiles languages/*.toml, as webpack does. */
const languages = {
  name: 'languages',
  transform: (_: string, file: string) => {
    const [path = '', query = ''] = file.split('?');
    if (!path.endsWith('.toml')) return undefined;
    // The terms are files that a page fetches: src/test/server.ts sends them.
    const code = query.includes('terms') ? `export default '/terms${path}?${query}'` : moduleOf(path, query);
    return { code, map: null };
  },
};

export default defineConfig({
  plugins: [languages],
  define: {
    SERVER_RENDERING: false,
    LANGUAGES: JSON.stringify(readLanguages().map(({ code, name }) => [code, name])),
  },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://mcfunny.localhost:8080/' } },
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.js'],
    setupFiles: ['src/test/setup.ts'],
    css: false,
    restoreMocks: true,
    unstubGlobals: true,
    // For slow and busy machines; see also `asyncUtilTimeout` in src/test/setup.ts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    maxWorkers: 4,
  },
});
