/** A record's form keeps what is typed: against other versions, against publishing, on the way out and over the end of a session. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice, typeAtOnce } from '../../dev/back-office';
import { privateDrafts } from '../../dev/private-drafts';
import { server } from '../../dev/server';
import { client } from '../api';
import { readAgain } from './api';
import { artistKind } from './artist-kind';

const fields = { slug: 'gogo', artist: 'Gogo', description: 'Live.', image: 'https://a/b', state: 'listed' };
const liveOf = (changes: object) => ({
  id: 7,
  slug: 'gogo',
  title: 'Gogo',
  visibility: 'listed',
  held: false,
  record: { ...fields, ...changes },
});
const draftOf = (version: number, changes: object) => ({
  id: 3,
  catalogue: 'comedy',
  service: 'MC Funny',
  kind: 'artist',
  slug: 'gogo',
  record: { ...fields, ...changes },
  base: fields,
  state: 'draft',
  version,
  by: 'ann@example.test',
  at: '2026-11-03T04:00:00Z',
  mine: true,
  reason: '',
  returned_by: null,
});
const CHANGED = /^The record has changed/;
const ADDRESS = '/content/comedy/artist/gogo?service=MC+Funny';

const parent = {
  name: 'parent',
  form: 'Slug',
  required: false,
  refers_to: 'artist',
  translation: null,
  schema: {},
};
const kind = { ...artistKind, fields: [...artistKind.fields, parent] };

/** What the service has now. */
let record: object;
let signedIn: boolean;
let drafts: ReturnType<typeof privateDrafts>['drafts'];
/** The bodies of the calls that change something. */
let sent: unknown[];
/** The words of the calls that look for a parent. */
let searches: string[];

beforeEach(() => {
  client.clear();
  signedIn = true;
  sent = [];
  const kept = privateDrafts(() => signedIn);
  drafts = kept.drafts;
  server.use(...kept.handlers);
  searches = [];
  record = { live: liveOf({}), draft: null, events: [], is_complete: true, kept_months: 24 };
});

const has = (draft: object | null, live = liveOf({})) => {
  record = { ...record, live, draft };
};

async function open() {
  const session = { staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles: ['publisher'] } };
  const refused = () => HttpResponse.json({ error_message: 'x' }, { status: 401 });
  server.use(
    http.get('/api/session', () => (signedIn ? HttpResponse.json(session) : refused())),
    http.post('/api/session', () => {
      signedIn = true;
      return HttpResponse.json(session);
    }),
    http.get('/api/sign-in', () => HttpResponse.json({ provider: null })),
    http.get('/api/content/kinds', () =>
      HttpResponse.json({
        catalogues: [{ catalogue: 'comedy', content: { services: ['MC Funny'], kinds: [kind] } }],
      }),
    ),
    http.get('/api/content/drafts', () => HttpResponse.json({ drafts: [] })),
    http.get('/api/content/imports', () => HttpResponse.json({ imports: [] })),
    http.get('/api/content/comedy/artist/records', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      if (q) searches.push(q);
      return HttpResponse.json({ records: [], next: null });
    }),
    http.get('/api/content/comedy/artist/records/gogo', () => HttpResponse.json(record)),
    http.post('/api/content/comedy/artist/drafts', async ({ request }) => {
      if (!signedIn) return refused();
      const form = (await request.json()) as { version: number | null; record: object };
      sent.push(form.version);
      const { draft } = record as { draft: { version: number } | null };
      if ((draft?.version ?? null) !== form.version)
        return HttpResponse.json({ error_message: 'There is a draft already.' }, { status: 409 });
      has(draftOf((form.version ?? 0) + 1, form.record));
      return HttpResponse.json((record as { draft: object }).draft);
    }),
    http.post('/api/content/drafts/3/publish', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(liveOf({}));
    }),
  );
  const { user, router } = openBackOffice(ADDRESS);
  const description = await screen.findByLabelText('Description');
  return { user, router, description };
}

const save = () => screen.getByRole('button', { name: 'Save as a draft' });

test('a version that is read while a person types leaves the text, and is taken only on request', async () => {
  const { user, description } = await open();
  await user.type(description, ' Typed.');
  has(null, liveOf({ description: 'Of another.', artist: 'Gogo M.' }));
  await readAgain();
  const changes = await screen.findByRole('table', { name: CHANGED });
  expect(
    within(changes)
      .getAllByRole('row')
      .slice(1)
      .map(row => row.textContent),
  ).toEqual(['ArtistGogoGogo M.–', 'DescriptionLive.Of another.Live. Typed.']);
  expect(description).toHaveValue('Live. Typed.');
  expect(save()).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Go on with what is chosen' }));
  expect(description).toHaveValue('Live. Typed.');
  expect(screen.getByLabelText('Artist')).toHaveValue('Gogo M.');
  expect(save()).toBeEnabled();
});

test('a version that is read while nothing is typed fills the form', async () => {
  const { description } = await open();
  has(null, liveOf({ description: 'Of another.' }));
  await readAgain();
  await waitFor(() => expect(description).toHaveValue('Of another.'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a save after another person saved shows both texts, of which one is chosen per field', async () => {
  const { user, description } = await open();
  await user.type(description, ' Typed.');
  has(draftOf(1, { description: 'Of Ann.' }));
  await user.click(save());
  await screen.findByRole('table', { name: CHANGED });
  expect(screen.getByText(/saved by ann@example.test/)).toBeVisible();
  expect(description).toHaveValue('Live. Typed.');
  await user.click(screen.getByRole('radio', { name: 'Of Ann.' }));
  await user.click(screen.getByRole('button', { name: 'Go on with what is chosen' }));
  expect(description).toHaveValue('Of Ann.');
  expect(sent).toEqual([null]);
});

test('publishing with unsaved text asks to save it first, and publishes the version that has it', async () => {
  has(draftOf(2, { description: 'Draft.' }));
  const { user, description } = await open();
  await user.type(description, ' Typed.');
  await user.click(screen.getByRole('button', { name: 'Publish' }));
  const question = screen.getByRole('dialog', { name: 'Save what you typed first?' });
  await user.click(within(question).getByRole('button', { name: 'Save as a draft' }));
  await screen.findByText('Draft. Typed.', { selector: 'ins' });
  await user.click(screen.getByRole('button', { name: 'Publish' }));
  const publish = screen.getByRole('dialog', { name: 'Publish this draft?' });
  await user.click(within(publish).getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(sent).toEqual([2, { version: 3 }]));
});

test('leaving a form with unsaved text asks, and so does closing the tab', async () => {
  const { user, router, description } = await open();
  const close = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(close()).toBe(false);
  await user.type(description, ' Typed.');
  expect(close()).toBe(true);
  await user.click(screen.getByRole('link', { name: 'Drafts' }));
  const question = screen.getByRole('dialog', { name: 'Leave without saving?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(router.state.location.pathname).toBe('/content/comedy/artist/gogo');
  expect(description).toHaveValue('Live. Typed.');
  await user.click(screen.getByRole('link', { name: 'Drafts' }));
  await user.click(screen.getByRole('button', { name: 'Leave without saving' }));
  expect(await screen.findByRole('heading', { name: 'Drafts' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(close()).toBe(false);
});

test('signing out asks before unsaved text is lost', async () => {
  const { user, description } = await open();
  await user.type(description, ' Typed.');
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(description).toHaveValue('Live. Typed.');
});

test('a saved form is left without a question', async () => {
  const { user, description } = await open();
  await user.type(description, ' Typed.');
  await user.click(save());
  await screen.findByText('Live. Typed.', { selector: 'ins' });
  await user.click(screen.getByRole('link', { name: 'Drafts' }));
  expect(await screen.findByRole('heading', { name: 'Drafts' })).toBeVisible();
});

test('the sign-in opens over the form when the session ends, and the form goes on', async () => {
  const { user, description } = await open();
  await user.type(description, ' Typed.');
  signedIn = false;
  await user.click(save());
  const again = await screen.findByRole('dialog', { name: 'Sign in again' });
  expect(within(again).getByLabelText('E-mail address')).toHaveValue('zola@example.test');
  expect(description).toHaveValue('Live. Typed.');
  await user.type(within(again).getByLabelText('Password'), 'a long password');
  await user.click(within(again).getByRole('button', { name: 'Sign in' }));
  // A refused call is sent again by itself.
  await waitFor(() => expect(sent).toEqual([null]));
  await screen.findByText('Live. Typed.', { selector: 'ins' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('text that was typed before the person left the sign-in is back when they open the form again', async () => {
  const { user, router, description } = await open();
  await user.type(description, ' Typed.');
  signedIn = false;
  await user.click(save());
  await screen.findByRole('dialog', { name: 'Sign in again' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.type(await screen.findByLabelText('E-mail address'), 'zola@example.test');
  await user.type(screen.getByLabelText('Password'), 'a long password');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/^This is what you typed on/)).toBeVisible();
  expect(screen.getByLabelText('Description')).toHaveValue('Live. Typed.');
  expect(router.state.location).toMatchObject({ search: '?service=MC+Funny' });
  await user.click(save());
  await waitFor(() => expect(sent).toEqual([null]));
  await waitFor(() => expect(screen.queryByText(/^This is what you typed on/)).toBeNull());
  await waitFor(() => expect(drafts.size).toBe(0));
});

test('who else edits is shown, and saving needs a take-over', async () => {
  const editor = { name: 'Ann', at: '2026-11-03T04:00:00Z' };
  drafts.set('record comedy artist MC Funny gogo', { text: '', version: 0, at: null, editor });
  const { user, description } = await open();
  expect(await screen.findByText(/^Ann edits this/)).toBeVisible();
  await user.type(description, ' Typed.');
  expect(save()).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Take over' }));
  await waitFor(() => expect(save()).toBeEnabled());
  expect(screen.queryByText(/^Ann edits this/)).toBeNull();
  expect(description).toHaveValue('Live. Typed.');
});

test('the choice of a parent is one call, once the typing stops', async () => {
  await open();
  typeAtOnce(screen.getByLabelText('Belongs to'), 'late taxi');
  await waitFor(() => expect(searches).toEqual(['late taxi']));
});

test('the dialog that publishes shows what cannot be played or seen', async () => {
  const text = 'Nothing was published. The film mcfunny/none.mp4 is not there.';
  has(draftOf(1, { description: 'Drafted.' }));
  const { user } = await open();
  server.use(
    http.post('/api/content/drafts/3/publish', () =>
      HttpResponse.json({ error_message: text, errors: { media: text } }, { status: 422 }),
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Publish' }));
  const dialog = screen.getByRole('dialog', { name: 'Publish this draft?' });
  await user.click(within(dialog).getByRole('button', { name: 'Publish' }));
  expect(await within(dialog).findByText(text)).toBeVisible();
});
