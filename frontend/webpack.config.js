// Builds the application into dist/: hashed files below assets/, index.html for the gateway to complete, and server/first-screen.js for it to run.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { manifestOf, readBrands } from './scripts/brands.js';
import { firstViews } from './src/first-views.js';

// Phones that never updated are common among the audience: ES2018 and Chrome 79 cost 2 KB and keep them in.
const ES_TARGET = 'es2018';
/** What lets newer syntax be written down shorter: nothing here depends on `document.all` or on getters with effects. */
const SHORT_ES2018 = {
  noDocumentAll: true,
  pureGetters: true,
  privateFieldsAsProperties: true,
  setPublicClassFields: true,
  ignoreFunctionLength: true,
};
const CSS_TARGETS = { chrome: 79 << 16, safari: 13 << 16, firefox: 70 << 16 };

const EVERY_PAGE_LIBRARY = /node_modules\/(react|react-dom|scheduler|react-router|@swc\/helpers)\//;
const EVERY_PAGE =
  /src\/(api\/(client|problem|replies)|ui\/(Frame|Icon|OfflineBar|PriceLine|SiteHeader|device|notify)|paths|service-name|take-over|visitor)\.tsx?$/;
/** What pages have that fetch something before anybody touches them. Joining and reading terms are spared it. */
const QUERIES =
  /node_modules\/@tanstack\/|src\/(api\/(catalogue|query-client)|ui\/(Picture|Shell|SiteMenu|States|VisitorBar|icons|near)|clock|session)\.tsx?$/;

const QUERIES_CHUNK = 'queries';

/** The service worker stands alone: it must not need a file of the pages'. */
const PAGES = ({ name }) => name !== 'sw';

const here = path => new URL(path, import.meta.url).pathname;

/** What every page loads, in loading order. */
const shellOf = compilation => [
  ...new Set(['early', 'app'].flatMap(name => compilation.entrypoints.get(name)?.getFiles() ?? [])),
];

/** Writes index.html: the template plus the entry files, in loading order. */
class HtmlPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('HtmlPlugin', compilation => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE;
      compilation.hooks.processAssets.tap({ name: 'HtmlPlugin', stage }, () => {
        const tags = shellOf(compilation).map(file =>
          file.endsWith('.css')
            ? `<link rel="stylesheet" href="/${file}">`
            : `<script defer src="/${file}"></script>`,
        );
        const page = readFileSync(here('./src/index.html'), 'utf8').replace(
          '<!--assets-->',
          tags.join('\n    '),
        );
        compilation.emitAsset('index.html', new webpack.sources.RawSource(page));
        for (const file of ['favicon.svg', 'robots.txt'])
          compilation.emitAsset(file, new webpack.sources.RawSource(readFileSync(here(`./src/${file}`))));
      });
      compilation.fileDependencies.add(here('./src/index.html'));
    });
  }
}

/** What is wrong with the files of a page: there is one of its own, and it holds one feature, besides what others have, too. */
function strays(compilation, name, shell) {
  const group = compilation.namedChunkGroups.get(name);
  const own = group.chunks.filter(
    chunk =>
      chunk.name !== QUERIES_CHUNK &&
      [...chunk.files].some(file => file.endsWith('.js') && !shell.includes(file)),
  );
  const modules = own.flatMap(chunk => [...compilation.chunkGraph.getChunkModulesIterable(chunk)]);
  const features = new Set(
    modules.flatMap(module => /src\/features\/([\w-]+)\//.exec(module.nameForCondition() ?? '')?.[1] ?? []),
  );
  return [
    ...(own.length === 1 ? [] : [`the page of ${name} has ${own.length} files of scripts, not one`]),
    ...(features.size === 1 ? [] : [`the page of ${name} has scripts of ${[...features].join(' and ')}`]),
  ];
}

/** Writes first-views.json: what the gateway sends along with the page of each address. */
class FirstViewsPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('FirstViewsPlugin', compilation => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE;
      compilation.hooks.processAssets.tap({ name: 'FirstViewsPlugin', stage }, () => {
        // These stand in index.html.
        const shell = shellOf(compilation);
        const filesOf = chunk =>
          compilation.namedChunkGroups
            .get(chunk)
            .getFiles()
            .filter(file => /\.(js|css)$/.test(file) && !shell.includes(file))
            .map(file => `/${file}`);
        for (const problem of new Set(firstViews.flatMap(({ chunk }) => strays(compilation, chunk, shell))))
          compilation.errors.push(new webpack.WebpackError(problem));
        const views = firstViews.map(({ kind, path, page, chunk, replies, screen = true }) => ({
          kind,
          path,
          page,
          files: filesOf(chunk),
          replies,
          screen,
        }));
        compilation.emitAsset('first-views.json', new webpack.sources.RawSource(JSON.stringify(views)));
      });
    });
  }
}

/** What a phone installs a brand by: a manifest per label, and an icon per face. */
class InstallPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('InstallPlugin', compilation => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'InstallPlugin', stage }, () => {
        const emit = (name, content) => compilation.emitAsset(name, new webpack.sources.RawSource(content));
        for (const brand of readBrands())
          for (const label of brand.labels)
            emit(`manifests/${label}.webmanifest`, JSON.stringify(manifestOf(brand)));
        for (const file of readdirSync(here('./src/icons')))
          emit(`icons/${file}`, readFileSync(here(`./src/icons/${file}`)));
      });
    });
  }
}

/** Lays X.br and X.gz beside every asset, so that the gateway never compresses the same bytes twice. */
class CompressPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('CompressPlugin', compilation => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER;
      compilation.hooks.processAssets.tap({ name: 'CompressPlugin', stage }, assets => {
        for (const [name, source] of Object.entries(assets)) {
          // index.html is a template: the gateway fills it in per brand, so a compressed copy would be wrong.
          if (!/\.(js|css|svg)$/.test(name)) continue;
          const bytes = source.buffer();
          const br = brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } });
          compilation.emitAsset(`${name}.br`, new webpack.sources.RawSource(br));
          compilation.emitAsset(`${name}.gz`, new webpack.sources.RawSource(gzipSync(bytes, { level: 9 })));
        }
      });
    });
  }
}

/** TypeScript and JSX to the ECMAScript of `target`. */
const ourScripts = target => ({
  loader: 'swc-loader',
  options: {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      target,
      // One copy of each helper instead of one per file.
      externalHelpers: true,
      assumptions: SHORT_ES2018,
    },
  },
});

/** A package's entry may be its development build; the production one ships beside it. */
const aliases = production =>
  production ? { 'react-router$': here('./node_modules/react-router/dist/production/index.mjs') } : {};

const minifier = ecma =>
  new TerserPlugin({
    minify: TerserPlugin.swcMinify,
    terserOptions: { ecma, compress: { passes: 2 } },
    extractComments: false,
  });

/** Parts of react-query that nothing here uses, but that it loads with every client. */
const withoutUnused = () => [
  new webpack.NormalModuleReplacementPlugin(/\/mutationCache\.js$/, here('./scripts/no-mutations.js')),
  new webpack.NormalModuleReplacementPlugin(
    /\/infiniteQueryBehavior\.js$/,
    here('./scripts/no-infinite-queries.js'),
  ),
];

/** What browsers get. */
function site(mode) {
  const production = mode === 'production';
  return {
    name: 'site',
    mode,
    target: ['web', ES_TARGET],
    // `early` paints the brand's colours while React is still on its way.
    entry: {
      early: here('./src/early.ts'),
      app: { import: here('./src/main.tsx'), dependOn: 'early' },
      // At the root and without a hash: a service worker rules only what lies below it, and is known by its address.
      sw: { import: here('./src/sw.ts'), filename: 'sw.js' },
    },
    output: {
      path: here('./dist'),
      publicPath: '/',
      filename: 'assets/[name].[contenthash:10].js',
      assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
      // The other build's file stays.
      clean: { keep: /^server\// },
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: aliases(production),
    },
    module: {
      rules: [
        { test: /\.tsx?$/, include: here('./src'), use: ourScripts(ES_TARGET) },
        // Libraries ship ES2022; hls.js is ES5 already and large.
        {
          test: /\.m?js$/,
          include: /node_modules/,
          exclude: /node_modules\/hls\.js/,
          use: {
            loader: 'swc-loader',
            options: {
              jsc: {
                parser: { syntax: 'ecmascript' },
                target: ES_TARGET,
                externalHelpers: true,
                assumptions: SHORT_ES2018,
              },
            },
          },
        },
        {
          test: /@tanstack\/query-core\/.*\.js$/,
          enforce: 'pre',
          use: here('./scripts/plain-private-fields.cjs'),
        },
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
      ],
    },
    optimization: {
      // offline.ts asks the runtime for a chunk's address by its name.
      chunkIds: 'named',
      minimizer: [
        minifier(2018),
        new CssMinimizerPlugin({
          minify: CssMinimizerPlugin.lightningCssMinify,
          // Without targets it writes `(width >= 768px)`, which Chrome before 104 cannot read.
          minimizerOptions: { targets: CSS_TARGETS },
        }),
      ],
      splitChunks: {
        cacheGroups: {
          default: false,
          defaultVendors: false,
          // The libraries of every page in one file: they compress better together, and change together.
          framework: { name: 'framework', test: EVERY_PAGE_LIBRARY, chunks: PAGES, enforce: true },
          // What every page draws travels with the app, not with whichever page came first.
          app: { name: 'app', test: EVERY_PAGE, chunks: PAGES, enforce: true },
          queries: { name: QUERIES_CHUNK, test: QUERIES, chunks: PAGES, enforce: true },
          // One stylesheet for all screens is smaller than one request per screen.
          styles: { name: 'styles', type: 'css/mini-extract', test: /src\//, chunks: 'all', enforce: true },
        },
      },
    },
    plugins: [
      // Rules of two files never fight over one element, so their order does not matter.
      new MiniCssExtractPlugin({ filename: 'assets/[name].[contenthash:10].css', ignoreOrder: true }),
      new webpack.DefinePlugin({
        INSTALLABLE: JSON.stringify(readBrands().flatMap(({ labels }) => labels)),
      }),
      ...withoutUnused(),
      new HtmlPlugin(),
      new FirstViewsPlugin(),
      new InstallPlugin(),
      ...(production ? [new CompressPlugin()] : []),
    ],
    devtool: production ? false : 'source-map',
    // A cold release build takes seconds; a cached one has failed over hashes of files that are gone.
    cache: production ? false : { type: 'filesystem' },
    // scripts/budget.js measures what a visitor really downloads; webpack's own limit counts raw bytes.
    performance: false,
    stats: 'errors-warnings',
  };
}

/** What the gateway runs to draw first screens: one script of everything that pages draw, for an engine that has ECMAScript alone. */
function firstScreen(mode) {
  const production = mode === 'production';
  const react = production ? 'production' : 'development';
  return {
    name: 'first-screen',
    mode,
    target: 'es2020',
    entry: here('./src/first-screen.tsx'),
    output: { path: here('./dist/server'), filename: 'first-screen.js', chunkFormat: false },
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: {
        ...aliases(production),
        // The part of it that draws into one string. The package's entry comes with the parts that stream.
        'react-dom/server$': here(`./node_modules/react-dom/cjs/react-dom-server-legacy.browser.${react}.js`),
      },
    },
    module: {
      rules: [
        { test: /\.tsx?$/, include: here('./src'), use: ourScripts('es2020') },
        { test: /react-dom-server-legacy/, enforce: 'pre', use: here('./scripts/string-in-parts.cjs') },
        { test: here('./src/routes.tsx'), enforce: 'pre', use: here('./scripts/pages-at-once.cjs') },
        // Imported for their effect on a page, so nothing is left of them.
        { test: /\.css$/, type: 'asset/source', sideEffects: false },
      ],
    },
    optimization: { minimizer: [minifier(2020)] },
    plugins: [
      // Fetched when somebody touches them, so never for a drawing.
      new webpack.IgnorePlugin({ resourceRegExp: /^(\.\/(SwiperSlides|Toast)|hls\.js\/light)$/ }),
      ...withoutUnused(),
    ],
    devtool: false,
    performance: false,
    stats: 'errors-warnings',
  };
}

export default (_env, { mode }) => [site(mode), firstScreen(mode)];
