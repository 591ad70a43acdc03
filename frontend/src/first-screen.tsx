/**
 * Draws the first screen of an address as markup, with the same pages as the browser. The build makes dist/server/first-screen.js of
 * it: one script for an engine without a document, a network, a clock to wait by, or Intl. The gateway runs it; browsers never get it.
 */
import './bare-world';
import { renderToString } from 'react-dom/server';
import { type Navigator, Router } from 'react-router';
import { App } from './app';
import { type Brand, lookOf } from './brand';
import { drawFrom } from './served';

type Input = {
  /** The boot data of the page. */
  boot: Brand;
  /** Path and query, as the browser asked for them. */
  address: string;
  /** The replies that the page carries, by their addresses. */
  replies?: Record<string, unknown>;
  /** On the demo host 88, which brand it was asked for: links then carry it along. */
  domain?: string;
  /** Why a join was refused, for the form that is written again. */
  problem?: string;
  /** The number that was refused. */
  msisdn?: string;
};

/** `input` is JSON. Answers what belongs inside #root. Which addresses are drawn, and when, is the gateway's word, by the table in first-views.js. */
function firstScreen(input: string): string {
  const { boot, address, replies = {}, domain = '', problem = '', msisdn = '' } = JSON.parse(input) as Input;
  const [pathname = '', ...query] = address.split('?');
  const search = query.length > 0 ? `?${query.join('?')}` : '';
  const markup = drawFrom({ brand: boot, replies, domain, form: { typed: msisdn, problem } }, () =>
    renderToString(
      <Router location={{ pathname, search }} navigator={nowhere} static>
        <App />
      </Router>,
    ),
  );
  // React asks for the first pictures before the markup that shows them: they come right behind, so that gains nothing.
  return markup.replace(/^(?:<link rel="preload"[^>]*>)+/, '');
}

/** `boot` is JSON, and so is the answer: the look that a page has before any script has run. */
function firstLook(boot: string): string {
  const { face, tone, colours } = lookOf(JSON.parse(boot) as Brand);
  const css = colours
    // Nothing that would end the rule or the element it stands in.
    .filter(([name, value]) => /^[\w-]+$/.test(name) && /^[#\w\s.,%()-]+$/.test(value))
    .map(([name, value]) => `--${name}:${value}`);
  return JSON.stringify({ css: `:root{${css.join(';')}}`, face, tone });
}

/** Knows how addresses are written, and goes nowhere. */
const nowhere: Navigator = {
  createHref: to => (typeof to === 'string' ? to : `${to.pathname}${to.search}${to.hash}`),
  go: () => undefined,
  push: () => undefined,
  replace: () => undefined,
};

Object.assign(globalThis, { firstScreen, firstLook });
