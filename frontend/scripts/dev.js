/**
 * `npm run dev`: both programs on mocked services, without the family. Each label is a host below localhost, and the back office is `staff.localhost`; `/dev` of a
 * host lists its screens in every state and language. PORT: 5173.
 */
import { createReadStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { readBrands } from './brands.js';
import { readLanguages } from './languages.js';
import { definitions, languages } from './vite.js';

const PORT = Number(process.env.PORT ?? 5173);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAFF = 'staff';

/** The boot data of each label, as the gateway embeds it. */
const boots = new Map(
  readBrands().flatMap(({ labels, network, aliases, offer, copy = {}, ...brand }) =>
    labels.map(label => [
      label,
      {
        price_cents: 300,
        period: 'day',
        test_msisdn: null,
        opt_in_url: `/api/subscribe/opt-in?svc_id=${brand.svc_id}`,
        image_prefix: '/img',
        stops: [[null, '31222', '*120*31222#']],
        ...brand,
        copy,
        label,
      },
    ]),
  ),
);

/** A picture of any size. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#8888" d="M0 0h4v3H0z"/></svg>';

const html = body =>
  `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${body}`;

/** The page of an address: its texts, then its program. */
function page(host, { language = 'en', session }) {
  const texts = host === STAFF ? 'backoffice/en' : language;
  const name = host === STAFF ? 'WORDS' : 'MESSAGES';
  const boot = { ...boots.get(host), session: session === 'open' };
  const scripts = host === STAFF ? ['staff/main.tsx'] : ['sites/bootstrap.ts', 'sites/main.tsx'];
  return html(`<html lang="${language}"><div id="root"></div>
<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c')}</script>
<script type="module">import texts from '/languages/${texts}.toml'; self.${name} = texts;</script>
${scripts.map(script => `<script type="module" src="/src/${script}"></script>`).join('\n')}`);
}

const link = (text, { host, ...parameters }) =>
  `<a href="${host ? `http://${host}.localhost:${PORT}` : ''}/dev?${new URLSearchParams(parameters)}">${text}</a>`;

/** The screens of a host, in every state. */
async function list(host, states, addresses, { language = 'en', session = '' }) {
  const choice = (name, now, values) =>
    values
      .map(value => (value === now ? `<b>${value || 'none'}</b>` : link(value || 'none', { [name]: value })))
      .join(' ');
  const rows = addresses.map(
    to => `<tr><td>${to}${states.map(state => `<td>${link(state, { state, to })}`).join('')}`,
  );
  return html(`<title>${host}</title><p>${[...boots.keys(), STAFF].map(other => link(other, { host: other })).join(' ')}
<p>Language: ${choice(
    'language',
    language,
    readLanguages().map(({ code }) => code),
  )}
<p>Session: ${choice('session', session, ['', 'open'])}
<table>${rows.join('')}</table>`);
}

const server = await createServer({
  configFile: false,
  root: ROOT,
  appType: 'custom',
  server: { port: PORT, strictPort: true },
  define: { ...definitions(), INSTALLABLE: '[]' },
  plugins: [languages, { name: 'mocks', configureServer: ({ middlewares }) => void middlewares.use(answer) }],
});

async function answer(request, response, next) {
  const url = new URL(request.url, `http://${request.headers.host}`);
  const [host] = url.hostname.split('.');
  const cookies = Object.fromEntries(
    (request.headers.cookie ?? '').split('; ').map(each => each.split('=').map(decodeURIComponent)),
  );
  const send = (body, type = 'text/html; charset=utf-8', status = 200) =>
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  const goTo = (address, choice) => {
    const set = Object.entries(choice).map(([name, value]) => `${name}=${encodeURIComponent(value)}; Path=/`);
    response.writeHead(303, { location: address, 'set-cookie': set }).end();
  };
  try {
    if (/^\/(api|terms\/.*\.toml)\b/.test(url.pathname)) {
      const { replyIn } = await server.ssrLoadModule('/src/dev/states.ts');
      const { handlersOf } = await server.ssrLoadModule('/src/dev/programs.ts');
      const sent = new Request(url, {
        method: request.method,
        headers: { 'content-type': request.headers['content-type'] ?? '' },
        ...(!/^(GET|HEAD)$/.test(request.method) && { body: Readable.toWeb(request), duplex: 'half' }),
      });
      const handlers = handlersOf(host === STAFF, cookies.session === 'open');
      const reply = await replyIn(cookies.state ?? 'data', handlers, sent);
      if (!reply) return send('no such call', 'text/plain', 404);
      return send(await reply.text(), reply.headers.get('content-type') ?? 'text/plain', reply.status);
    }
    if (url.pathname.startsWith('/img/')) return send(PICTURE, 'image/svg+xml');
    const icon = `${ROOT}src/${url.pathname === '/favicon.svg' ? 'shared' : 'sites'}${url.pathname}`;
    if (/^\/(icons\/[\w-]+\.png|favicon\.svg)$/.test(url.pathname) && existsSync(icon))
      return createReadStream(icon).pipe(
        response.writeHead(200, { 'content-type': icon.endsWith('svg') ? 'image/svg+xml' : 'image/png' }),
      );
    if (url.pathname === '/forms/language') {
      const text = await new Response(Readable.toWeb(request)).text();
      return goTo('/', { language: new URLSearchParams(text).get('language') });
    }
    const { to, ...choice } = Object.fromEntries(url.searchParams);
    if (url.pathname === '/dev' && (to || 'language' in choice || 'session' in choice))
      return goTo(to ?? '/dev', choice);
    if (url.pathname === '/dev' || (!boots.has(host) && host !== STAFF)) {
      const { STATES } = await server.ssrLoadModule('/src/dev/states.ts');
      const { addressesOf } = await server.ssrLoadModule('/src/dev/programs.ts');
      return send(await list(host, STATES, await addressesOf(boots.get(host)), cookies));
    }
    if (request.headers.accept?.includes('text/html'))
      return send(await server.transformIndexHtml(url.pathname, page(host, cookies)));
    next();
  } catch (error) {
    next(error);
  }
}

// Some modules read their texts while they load.
globalThis.MESSAGES = (await server.ssrLoadModule('/languages/en.toml')).default;
await server.listen();
console.log(`http://mcfunny.localhost:${PORT}/dev and http://${STAFF}.localhost:${PORT}/dev`);
