// React's own rules, those of its compiler among them. Everything else is Biome's.
import parser from '@babel/eslint-parser';
import reactHooks from 'eslint-plugin-react-hooks';

const parse = plugins => ({
  parser,
  parserOptions: { requireConfigFile: false, babelOptions: { parserOpts: { plugins } } },
});

export default [
  { ignores: ['dist', 'src/**/*.test.*', 'e2e', 'scripts'] },
  { files: ['src/**/*.ts'], languageOptions: parse(['typescript']) },
  { files: ['src/**/*.tsx'], languageOptions: parse(['typescript', 'jsx']) },
  {
    files: ['src/**/*.{ts,tsx}'],
    ...reactHooks.configs.flat['recommended-latest'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
];
