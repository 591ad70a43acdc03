/**
 * Server rendering: renders the first screen of an address to markup, with the same pages as the browser. The build writes it to
 * dist/server/first-screen.js, one script for QuickJS, which has no document, network, timers or Intl. The gateway runs it, and does not
 * send it to browsers.
 */
import './quickjs-polyfills';
import { renderToString } from 'react-dom/server.browser';
import { type Navigator, Router } from 'react-router';
import { App } from './app';
import { type Brand, lookOf } from './brand';
import { renderFrom } from './server-input';

type Input = {
  /** The boot data of the page. */
  boot: Brand;
  /** Path and query, as the browser asked for them. */
  address: string;
  /** The replies that the page carries, by their addresses. */
  replies?: Record<string, unknown>;
  /** On the demo host 88, which brand it was asked for: links then carry it along. */
  domain?: string;
  /** Why a form was refused, for the form that is written again. */
  problem?: string;
  /** The number that was refused. */
  msisdn?: string;
  left?: boolean;
  /** Replies about the visitor's own session. */
  own?: Record<string, unknown>;
  /** For browsers without scripts alone. */
  plain?: boolean;
};

/** Takes JSON, returns the content of #root. The gateway decides which addresses it renders, by the table in first-views.js. */
function firstScreen(input: string): string {
  const {
    boot,
    address,
    replies = {},
    domain = '',
    problem = '',
    msisdn = '',
    ...visit
  } = JSON.parse(input) as Input;
  const { left = false, own = {}, plain = false } = visit;
  const [pathname = '', ...query] = address.split('?');
  const search = query.length > 0 ? `?${query.join('?')}` : '';
  const markup = renderFrom(
    { brand: boot, replies, domain, form: { typed: msisdn, problem }, left, own, plain },
    () =>
      renderToString(
        <Router location={{ pathname, search }} navigator={nowhere} static>
          <App />
        </Router>,
      ),
  );
  // React writes preload links for the first pictures. The pictures follow right behind, so the links gain nothing.
  return markup.replace(/^(?:<link rel="preload"[^>]*>)+/, '');
}

/** Takes boot data as JSON, returns the look of the page before any script has run, as JSON. */
function firstLook(boot: string): string {
  const { face, tone, colours } = lookOf(JSON.parse(boot) as Brand);
  const css = colours
    // A value must not end its rule or the style element.
    .filter(([name, value]) => /^[\w-]+$/.test(name) && /^[#\w\s.,%()-]+$/.test(value))
    .map(([name, value]) => `--${name}:${value}`);
  return JSON.stringify({ css: `:root{${css.join(';')}}`, face, tone });
}

/** Writes addresses, and ignores navigation. */
const nowhere: Navigator = {
  createHref: to => (typeof to === 'string' ? to : `${to.pathname}${to.search}${to.hash}`),
  go: () => undefined,
  push: () => undefined,
  replace: () => undefined,
};

Object.assign(globalThis, { firstScreen, firstLook });
