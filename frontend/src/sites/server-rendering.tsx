/**
 * Server rendering: renders the first screen of an address to HTML, with the same components as the browser. The build bundles this module as
 * dist/server/first-screen.js. The gateway runs that script in QuickJS, which has no document, network, timers or Intl.
 */
import './quickjs-polyfills';
import { renderToString } from 'react-dom/server.browser';
import { type Navigator, Router } from 'react-router';
import english from '../../languages/en.toml';
import pseudo from '../../languages/en.toml?pseudo';
import pseudoTerms from '../../languages/en.toml?pseudo&terms';
import type { OfferedNetwork } from '../shared/contract/sites';
import { App } from './app';
import { type Brand, lookOf } from './brand';
import { firstViews } from './first-views';
import type { Catalogue, Terms } from './messages';
import { type HeldJoin, renderFrom } from './server-input';

const files = import.meta.webpackContext('../../languages', { recursive: false, regExp: /\.toml$/ });
const termsFiles = import.meta.webpackContext('../../languages?terms', {
  recursive: false,
  regExp: /\.toml$/,
});
/** Texts by the codes of their languages. */
const byCode = <T,>(all: unknown[]) =>
  new Map(all.map(texts => [(texts as { lang: string }).lang, texts as T]));
const languages = byCode<Catalogue>([...files.keys().map(file => files(file).default), pseudo]);
// These are JSON, without a default.
const terms = byCode<Terms>([...termsFiles.keys().map(termsFiles), pseudoTerms]);
const termsIn = (code: string) => terms.get(code) ?? (terms.get('en') as Terms);

type Input = {
  /** The boot data of the page. */
  boot: Brand;
  /** The code of the page's language. */
  language?: string;
  /** Path and query of the request. */
  address: string;
  /** The embedded replies by address. */
  replies?: Record<string, unknown>;
  /** On the demo host 88, the value of `domain=`; links repeat it. */
  domain?: string;
  /** The error message of a rejected form. */
  problem?: string;
  /** The number in a rejected form. */
  msisdn?: string;
  /** The networks that the visitor chooses from. */
  networks?: OfferedNetwork[];
  /** What a held join needs. */
  held?: HeldJoin;
  left?: boolean;
  /** Replies about the visitor's session. */
  own?: Record<string, unknown>;
  /** Where the visitor's own list continues. */
  next?: string;
  /** Only for browsers without scripts. */
  plain?: boolean;
};

/** Takes JSON, returns the content of #root. The gateway selects the addresses to render, by first-views.json. */
function firstScreen(input: string): string {
  const {
    boot,
    language = '',
    address,
    replies = {},
    domain = '',
    problem = '',
    msisdn = '',
    networks = [],
    held,
    ...visitorInput
  } = JSON.parse(input) as Input;
  const { left = false, own = {}, next = '', plain = false } = visitorInput;
  const [pathname = '', ...query] = address.split('?');
  const search = query.length > 0 ? `?${query.join('?')}` : '';
  const messages = languages.get(language) ?? english;
  const markup = renderFrom(
    {
      brand: boot,
      messages,
      terms: termsIn,
      replies,
      domain,
      form: { typed: msisdn, problem, networks, held },
      left,
      own,
      next,
      plain,
    },
    () =>
      renderToString(
        <Router location={{ pathname, search }} navigator={staticNavigator} static>
          <App />
        </Router>,
      ),
  );
  // React adds preload links for the first pictures. The pictures follow immediately, so the links have no effect.
  return markup.replace(/^(?:<link rel="preload"[^>]*>)+/, '');
}

/** Takes boot data as JSON, returns the brand's styles as JSON: they apply before scripts have run. */
function firstLook(boot: string): string {
  const { face, tone, colours } = lookOf(JSON.parse(boot) as Brand);
  const css = colours
    // Rejects values that could end the rule or the style element.
    .filter(([name, value]) => /^[\w-]+$/.test(name) && /^[#\w\s.,%()-]+$/.test(value))
    .map(([name, value]) => `--${name}:${value}`);
  return JSON.stringify({ css: `:root{${css.join(';')}}`, face, tone });
}

/** A navigator that formats addresses and ignores navigation. */
const staticNavigator: Navigator = {
  createHref: to => (typeof to === 'string' ? to : `${to.pathname}${to.search}${to.hash}`),
  go: () => undefined,
  push: () => undefined,
  replace: () => undefined,
};

/** For the build. */
const firstViewsJson = async () => JSON.stringify(await firstViews());

Object.assign(globalThis, { firstScreen, firstLook, firstViews: firstViewsJson });
