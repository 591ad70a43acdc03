// Builds the application into dist/: hashed files below assets/, index.html for the gateway to complete, server/first-screen.js for it to run,
// and backoffice/, which the back office's own server sends.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { constants as zlib } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CopyPlugin from 'copy-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { WebpackManifestPlugin } from 'webpack-manifest-plugin';
import { apiDocs } from './scripts/api-docs.js';
import { BRANDS_FILE, manifestOf, readBrands } from './scripts/brands.js';
import { browsersOf, styleTargets } from './scripts/floor.js';
import {
  IN_GATEWAY,
  PSEUDO,
  pseudo,
  readLanguage,
  readLanguages,
  readStaffLanguage,
} from './scripts/languages.js';

const here = path => fileURLToPath(new URL(path, import.meta.url));

/** Shorter output for newer syntax: no code here depends on `document.all` or on getters with side effects. */
const SHORT_OUTPUT = {
  noDocumentAll: true,
  pureGetters: true,
  privateFieldsAsProperties: true,
  setPublicClassFields: true,
  ignoreFunctionLength: true,
};

/** A script that stands in the page, without its comments. */
const inlineScript = file =>
  readFileSync(here(file), 'utf8')
    .replace(/^ *\/\/.*\n/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Compiles TypeScript, JSX and newer ECMAScript. `target` is a version of ECMAScript, or a list of browsers. */
const compile = (target, parser) => ({
  loader: 'swc-loader',
  options: {
    ...(Array.isArray(target) && { env: { targets: target, bugfixes: true } }),
    jsc: {
      parser,
      transform: { react: { runtime: 'automatic' } },
      ...(!Array.isArray(target) && { target }),
      // One copy of each helper instead of one per file.
      externalHelpers: true,
      assumptions: SHORT_OUTPUT,
    },
  },
});
const TYPESCRIPT = { syntax: 'typescript', tsx: true };

/** For the version of ECMAScript that webpack's target stands for. */
const minifier = () =>
  new TerserPlugin({
    minify: TerserPlugin.swcMinify,
    terserOptions: { compress: { passes: 2 } },
    extractComments: false,
  });

/** Without targets it writes `(width >= 768px)`, which Chrome before 104 cannot read. */
const styleMinifier = env =>
  new CssMinimizerPlugin({
    minify: CssMinimizerPlugin.lightningCssMinify,
    minimizerOptions: { targets: styleTargets(env) },
  });

/** first-views.json: which files, replies and name the gateway sends along with the page of each address. The script for the server makes the list. */
const firstViewsPlugin = () => ({
  apply: ({ hooks }) =>
    hooks.thisCompilation.tap('first-views', compilation => {
      const options = { name: 'first-views', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT };
      compilation.hooks.processAssets.tapPromise(options, async () => {
        const script = vm.createContext({});
        vm.runInContext(readFileSync(here('./dist/server/first-screen.js'), 'utf8'), script);
        const filesOf = name => {
          const group = compilation.namedChunkGroups.get(name);
          if (!group) throw new Error(`no chunk ${name}`);
          return group.getFiles().filter(file => /\.(js|css)$/.test(file));
        };
        // The files of `app` are in index.html.
        const loaded = filesOf('app');
        const views = JSON.parse(await script.firstViews()).map(({ chunks, ...view }) => ({
          ...view,
          files: [...new Set(chunks.flatMap(filesOf))]
            .filter(file => !loaded.includes(file))
            .map(file => `/${file}`),
        }));
        compilation.emitAsset('first-views.json', new webpack.sources.RawSource(JSON.stringify(views)));
      });
    }),
});

/** A web app manifest per label and language. */
const manifests = () =>
  readBrands().flatMap(brand =>
    brand.labels.flatMap(label =>
      everyLanguage().map(language => ({
        from: BRANDS_FILE,
        to: `manifests/${label}.${language.code}.webmanifest`,
        transform: () => JSON.stringify(manifestOf(brand, language)),
      })),
    ),
  );

/** The languages that a visitor can choose, and the one for tests. */
const everyLanguage = () => [...readLanguages(), pseudo(readLanguage('en'))];

const isLanguage = ({ name }) => String(name).startsWith('messages-');

/** A file per language, which sets a variable. A page loads one of them, before the application. */
const languageEntries = () =>
  Object.fromEntries(
    everyLanguage().map(({ code }) => [
      `messages-${code}`,
      code === PSEUDO
        ? `${here('./languages/en.toml')}?page&pseudo`
        : `${here(`./languages/${code}.toml`)}?page`,
    ]),
  );

const COMPILE_LANGUAGES = { test: /\.toml$/, use: here('./scripts/languages.js') };
const TERMS = { test: /\.toml$/, resourceQuery: /terms/ };
/** A page with the terms fetches one of these files; in server rendering they are part of the script. */
const TERMS_FILES = {
  ...TERMS,
  type: 'asset/resource',
  generator: {
    filename: ({ filename }) =>
      `assets/terms-${filename.includes('pseudo') ? PSEUDO : '[name]'}.[contenthash:6].json`,
  },
};
const LANGUAGES = () => JSON.stringify(readLanguages().map(({ code, name }) => [code, name]));

/** The texts that the gateway writes. */
const GATEWAY_TEXTS = [
  ...IN_GATEWAY,
  'join-failed',
  'not-joined',
  'leave-failed',
  'leave-unknown',
  'decimal',
  'price-per-day',
  'price-per-week',
  'price-per-month',
];

/** Stylesheets that a part of the pages needs: each is in the file of the chunk that loads it. */
const OF_SOME_PAGES =
  /(swiper|toastify|saved|features.(artists|memes|join)|ui.(deck|player|feed|clip|search|watch|mine))\b.*\.css$/;

/** The pages that load without react-query, and what each page loads before its own file. */
const WITHOUT_QUERIES = ['bootstrap', 'app', 'sw', 'join', 'legal', 'not-found'];

/** languages.json: the languages, their files and the gateway's texts. `terms`: what a page with the terms loads as well. `listed`: visitors can choose it. */
const languagesPlugin = () =>
  new WebpackManifestPlugin({
    fileName: 'languages.json',
    generate: (_seed, files) =>
      everyLanguage().map(({ code, messages }) => ({
        code,
        listed: code !== PSEUDO,
        file: files.find(({ chunk }) => chunk?.name === `messages-${code}`)?.path,
        terms: files.find(({ path }) => path.startsWith(`/assets/terms-${code}.`))?.path,
        texts: Object.fromEntries(GATEWAY_TEXTS.map(id => [id, messages[id]])),
      })),
    serialize: JSON.stringify,
  });

/** X.br and X.gz beside every asset, which the gateway and the back office send unchanged. index.html is excluded: the gateway completes it first. */
const compression = () =>
  [
    ['brotliCompress', 'br', { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }],
    ['gzip', 'gz', { level: 9 }],
  ].map(
    ([algorithm, ending, compressionOptions]) =>
      new CompressionPlugin({
        algorithm,
        compressionOptions,
        filename: `[path][base].${ending}`,
        test: /\.(js|css|svg)$|^api\/|\/terms-/,
        minRatio: Number.MAX_SAFE_INTEGER,
      }),
  );

/** The application for browsers. */
function site(mode) {
  const production = mode === 'production';
  return {
    name: 'site',
    // first-views.json is made by its script.
    dependencies: ['server-rendering'],
    mode,
    target: 'browserslist:sites',
    entry: {
      // Applies the brand's colours before React has loaded.
      bootstrap: here('./src/sites/bootstrap.ts'),
      app: { import: here('./src/sites/main.tsx'), dependOn: 'bootstrap' },
      // At the root and without a hash: a service worker's scope is its folder, and browsers identify it by its address.
      sw: { import: here('./src/sites/sw.ts'), filename: 'sw.js' },
      ...languageEntries(),
    },
    output: {
      path: here('./dist'),
      publicPath: '/',
      // Short names, because each file has them.
      uniqueName: 'spaza',
      globalObject: 'self',
      filename: 'assets/[name].[contenthash:6].js',
      assetModuleFilename: 'assets/[name].[contenthash:6][ext]',
      // server/ and backoffice/ belong to the other builds.
      clean: { keep: /^(server|backoffice)\// },
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'] },
    module: {
      rules: [
        { test: /\.tsx?$/, include: here('./src'), use: compile(browsersOf('sites'), TYPESCRIPT) },
        // Libraries are ES2022; hls.js is large and already ES5.
        {
          test: /\.m?js$/,
          include: /node_modules/,
          exclude: /node_modules\/hls\.js/,
          use: compile(browsersOf('sites'), { syntax: 'ecmascript' }),
        },
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
        COMPILE_LANGUAGES,
        TERMS_FILES,
      ],
    },
    optimization: {
      minimizer: [minifier(), styleMinifier('sites')],
      splitChunks: {
        // The service worker is one file, and so is a language.
        chunks: chunk => chunk.name !== 'sw' && !isLanguage(chunk),
        cacheGroups: {
          // The stylesheet of every page. The gateway writes it into each page, and with it the stylesheets of the page's own chunks.
          styles: {
            name: 'styles',
            type: 'css/mini-extract',
            test: ({ _identifier }) => !OF_SOME_PAGES.test(_identifier),
            enforce: true,
          },
          // React-query and what eight or more files use is one file, which each page with data loads: it compresses better than several.
          shared: {
            name: 'data-pages',
            type: /^javascript/,
            chunks: chunk => !WITHOUT_QUERIES.includes(chunk.name) && !isLanguage(chunk),
            minChunks: 8,
            enforce: true,
          },
        },
      },
    },
    plugins: [
      // No two files have rules for the same element, so their order does not matter.
      new MiniCssExtractPlugin({
        filename: 'assets/[name].[contenthash:6].css',
        // Numbers, because each page has the list of these files.
        chunkFilename: 'assets/[id].[contenthash:6].css',
        ignoreOrder: true,
      }),
      new webpack.DefinePlugin({
        INSTALLABLE: JSON.stringify(readBrands().flatMap(({ labels }) => labels)),
        SERVER_RENDERING: false,
        LANGUAGES: LANGUAGES(),
      }),
      new HtmlPlugin({
        template: here('./src/sites/index.ejs'),
        expectScripts: inlineScript('./src/sites/expect-scripts.js'),
        chunks: ['bootstrap', 'app'],
        chunksSortMode: 'manual',
        // The template writes the tags, where and as the gateway expects them.
        inject: false,
        minify: false,
      }),
      firstViewsPlugin(),
      languagesPlugin(),
      new CopyPlugin({
        patterns: [
          here('./src/shared/favicon.svg'),
          here('./src/sites/robots.txt'),
          here('./src/sites/speculation-rules.json'),
          here('./src/sites/preview.css'),
          here('./src/sites/api-docs.css'),
          { from: here('./openapi.json'), to: 'api/openapi.json' },
          {
            from: here('./openapi.json'),
            to: 'api/docs.html',
            transform: document => apiDocs(JSON.parse(document)),
          },
          { from: here('./src/sites/icons'), to: 'icons' },
          ...manifests(),
        ],
      }),
      ...(production ? compression() : []),
    ],
    devtool: production ? false : 'source-map',
    // No cache: a cold release build takes seconds, and a cached one has failed on hashes of deleted files.
    cache: production ? false : { type: 'filesystem' },
    // scripts/budget.js measures what a visitor downloads; webpack's own limit counts raw bytes.
    performance: false,
    stats: 'errors-warnings',
  };
}

/** Server rendering: one script for QuickJS, without web APIs. The gateway runs it. */
function serverRendering(mode) {
  return {
    name: 'server-rendering',
    mode,
    target: 'es2020',
    entry: here('./src/sites/server-rendering.tsx'),
    output: { path: here('./dist/server'), filename: 'first-screen.js', chunkFormat: false },
    resolve: { extensions: ['.tsx', '.ts', '.js'] },
    module: {
      rules: [
        { test: /\.tsx?$/, include: here('./src'), use: compile('es2020', TYPESCRIPT) },
        { test: here('./src/sites/routes.tsx'), enforce: 'pre', use: here('./scripts/pages-at-once.cjs') },
        COMPILE_LANGUAGES,
        { ...TERMS, type: 'json' },
        // CSS has no effect on the server.
        { test: /\.css$/, type: 'asset/source', sideEffects: false },
      ],
      generator: { asset: { emit: false } },
    },
    optimization: { minimizer: [minifier()] },
    plugins: [
      new webpack.DefinePlugin({ SERVER_RENDERING: true, LANGUAGES: LANGUAGES() }),
      // Loaded only by browsers, on demand.
      new webpack.IgnorePlugin({
        resourceRegExp: /^\.\/(swiper|Toast|PlayerOffers|ContinueWatching|JoinOffer|MemeViewer|hls)$/,
      }),
    ],
    devtool: false,
    performance: false,
    stats: 'errors-warnings',
  };
}

/** The back office, for the current browsers of staff. Its own server sends it, so it has a folder of its own. */
function backOffice(mode) {
  const production = mode === 'production';
  return {
    name: 'backoffice',
    mode,
    target: 'browserslist:backoffice',
    entry: {
      // The words are a file of their own, before the application. The browser tests put the made-up language in its place.
      'words-en': `${here('./languages/backoffice/en.toml')}?page`,
      [`words-${PSEUDO}`]: `${here('./languages/backoffice/en.toml')}?page&pseudo`,
      backoffice: here('./src/staff/main.tsx'),
    },
    output: {
      path: here('./dist/backoffice'),
      publicPath: '/',
      filename: 'assets/[name].[contenthash:10].js',
      clean: true,
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'] },
    module: {
      rules: [
        { test: /\.tsx?$/, include: here('./src'), use: compile(browsersOf('backoffice'), TYPESCRIPT) },
        // react-easy-crop says that none of its files has effects, and has a stylesheet.
        { test: /\.css$/, sideEffects: true, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
        COMPILE_LANGUAGES,
      ],
    },
    optimization: {
      minimizer: [minifier(), styleMinifier('backoffice')],
    },
    plugins: [
      new MiniCssExtractPlugin({ filename: 'assets/[name].[contenthash:10].css', ignoreOrder: true }),
      new webpack.DefinePlugin({ SERVER_RENDERING: false }),
      new HtmlPlugin({
        template: here('./src/staff/index.ejs'),
        chunks: ['words-en', 'backoffice'],
        chunksSortMode: 'manual',
        words: readStaffLanguage('en').words,
        inject: false,
        minify: false,
      }),
      new CopyPlugin({ patterns: [here('./src/shared/favicon.svg')] }),
      ...(production ? compression() : []),
    ],
    devtool: production ? false : 'source-map',
    cache: production ? false : { type: 'filesystem' },
    performance: false,
    stats: 'errors-warnings',
  };
}

export default (_env, { mode }) => [site(mode), serverRendering(mode), backOffice(mode)];
