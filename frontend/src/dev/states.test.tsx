/** Every page of the table in every state of its calls, over the mocks of `npm run dev`. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import type { BrandKind } from '../sites/brand';
import { firstViews } from '../sites/first-views';
import { client } from '../staff/api';
import { words } from '../staff/words';
import { openBackOffice } from './back-office';
import { comedyBrand, footballBrand, memeBrand, ttBrand } from './brands';
import { addressesOf, filled, handlersOf } from './programs';
import { openPage } from './render';
import { handlers, server } from './server';
import { replyIn, STATES, type State } from './states';

const BRANDS: Record<BrandKind, typeof comedyBrand> = {
  comedy: comedyBrand,
  diski: footballBrand,
  meme: memeBrand,
  tt: ttBrand,
};
// Without the addresses that go on to another page.
const pages = (await firstViews()).filter(({ forward }) => !forward);
const byName = new Map(pages.map(view => [view.page, view]));
const views = [...byName.values()].filter(
  ({ replies, page }) => replies.length > 0 || page.endsWith('-feed'),
);

test.each(views)(
  '$page says that it loads, that there is nothing, that it failed, and has room',
  async view => {
    const shown =
      BRANDS[
        view.kind ?? (/diski|artistvideos/.test(view.path) ? 'diski' : /tt/.test(view.path) ? 'tt' : 'comedy')
      ];
    const { address } = filled(view, shown);
    const open = (state: State) => {
      server.resetHandlers(
        http.all('*/api/*', ({ request }) => replyIn(state, handlers, request)),
        ...handlers,
      );
      cleanup();
      openPage(address, shown);
    };
    const main = () => document.querySelector('main')?.textContent ?? '';
    open('loading');
    await waitFor(() =>
      expect(document.querySelector('main .skeleton, main .feed, main [role=status]')).not.toBeNull(),
    );
    const loading = main();
    open('empty');
    await waitFor(() => expect(main()).not.toBe(loading));
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    open('error');
    expect((await screen.findAllByRole('button', { name: 'Try again' }))[0]).toBeEnabled();
    open('long');
    await waitFor(() => expect(document.body.textContent).toMatch(/as long as the longest/));
  },
);

const screens = (await addressesOf(undefined)).flatMap(path => STATES.map(state => ({ path, state })));

test.each(screens)(
  '$path of the back office is shown when its calls answer: $state',
  async ({ path, state }) => {
    client.clear();
    const mocked = handlersOf(true, true);
    server.resetHandlers(http.all('*/api/*', ({ request }) => replyIn(state, mocked, request)));
    openBackOffice(path);
    await waitFor(() => expect(document.querySelector('main')?.textContent).toBeTruthy());
    if (state !== 'loading') await waitFor(() => expect(document.querySelector('main .loading')).toBeNull());
    expect(document.body.textContent).not.toContain(words.errors.title);
  },
);
