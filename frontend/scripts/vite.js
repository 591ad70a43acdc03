// What the unit tests and `npm run dev` need of the build, for Vite: texts, and the constants of the sources.
import { moduleOf, readLanguages } from './languages.js';

/** Compiles languages/*.toml, as webpack does. */
export const languages = {
  name: 'languages',
  transform: (_, file) => {
    const [path = '', query = ''] = file.split('?');
    if (!path.endsWith('.toml')) return undefined;
    // The terms are files that a page fetches: src/dev/server.ts sends them.
    const code = query.includes('terms') ? `export default '/terms${path}?${query}'` : moduleOf(path, query);
    return { code, map: null };
  },
};

export const definitions = () => ({
  SERVER_RENDERING: false,
  LANGUAGES: JSON.stringify(readLanguages().map(({ code, name }) => [code, name])),
});
