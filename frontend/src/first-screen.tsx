/**
 * Draws the first screen of an address as markup, with the same pages as the browser. The build makes dist/server/first-screen.js of
 * it: one script for an engine without a document, a network, a clock to wait by, or Intl. The gateway runs it; browsers never get it.
 */
import './bare-world';
import { renderToString } from 'react-dom/server';
import { type Navigator, Router } from 'react-router';
import { createQueryClient } from './api/query-client';
import { App } from './app';
import { type Brand, lookOf } from './brand';
import { firstViews } from './first-views';
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

/** `input` is JSON. Answers what belongs inside #root; nothing where this address is left to the browser. */
function firstScreen(input: string): string {
  const { boot, address, replies = {}, domain = '', problem = '', msisdn = '' } = JSON.parse(input) as Input;
  const [pathname = '', ...query] = address.split('?');
  if (!isDrawn(boot, pathname, replies)) return '';
  const search = query.length > 0 ? `?${query.join('?')}` : '';
  const markup = drawFrom({ brand: boot, replies, domain, form: { typed: msisdn, problem } }, () =>
    renderToString(
      <Router location={{ pathname, search }} navigator={nowhere} static>
        <App queryClient={createQueryClient(true)} />
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

/** The table's first entry for an address, as the gateway finds it: drawn where the replies that it names are there. */
function isDrawn({ kind, service }: Brand, pathname: string, replies: Record<string, unknown>): boolean {
  for (const view of firstViews) {
    if (view.kind !== null && view.kind !== kind) continue;
    const parts = partsOf(view.path, pathname);
    if (!parts) continue;
    const filled = view.replies.map(reply =>
      reply
        .replace('{service}', encodeURIComponent(service))
        .replace(/\{(\d)\}/g, (_, nth) => parts[Number(nth) - 1] ?? ''),
    );
    return view.screen !== false && filled.every(reply => reply in replies);
  }
  return false;
}

/** What each `*` of a pattern stands for in a path; nothing where they do not match. */
function partsOf(pattern: string, pathname: string): string[] | undefined {
  if (pattern === '*') return [];
  const given = pathname.split('/');
  const wanted = pattern.split('/');
  const fits =
    given.length === wanted.length &&
    wanted.every((each, place) => (each === '*' ? given[place] !== '' : each === given[place]));
  return fits ? given.filter((_, place) => wanted[place] === '*') : undefined;
}

/** Knows how addresses are written, and goes nowhere. */
const nowhere: Navigator = {
  createHref: to => (typeof to === 'string' ? to : `${to.pathname}${to.search}${to.hash}`),
  go: () => undefined,
  push: () => undefined,
  replace: () => undefined,
};

Object.assign(globalThis, { firstScreen, firstLook });
