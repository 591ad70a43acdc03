/** Content over a mocked network: lists, the form of a new record, publishing by a publisher alone, undo, and services that do not answer. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice, typeAtOnce } from '../../dev/back-office';
import { server } from '../../dev/server';
import { client } from '../api';
import { artistKind } from './artist-kind';

const live = {
  id: 7,
  slug: 'gogo',
  title: 'Gogo',
  visibility: 'listed',
  held: false,
  record: { slug: 'gogo', artist: 'Gogo', description: 'New.', image: 'https://a/b', state: 'listed' },
};
const draft = {
  id: 3,
  catalogue: 'comedy',
  service: 'MC Funny',
  kind: 'artist',
  slug: 'gogo',
  record: { ...live.record, description: 'Newer.' },
  base: live.record,
  state: 'review',
  version: 2,
  by: 'thandi@example.test',
  at: '2026-11-03T04:00:00Z',
  mine: false,
  reason: '',
  returned_by: null,
};
const events = [
  {
    at: '2026-11-02 22:30:00',
    who: 'zola@example.test',
    action: 'changed',
    reason: '',
    change: 12,
    before: { ...live.record, description: 'Old.' },
  },
  { at: '2026-11-01 10:00:00', who: 'admin-token', action: 'added', reason: '', change: 11, before: null },
];
const RECORD = '/api/content/comedy/artist/records';

beforeEach(() => {
  client.clear();
  localStorage.clear();
});

function open(path: string, roles: string[], record: object = { live, events, draft: null }) {
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles } }),
    ),
    http.get('/api/content/kinds', () =>
      HttpResponse.json({
        catalogues: [
          { catalogue: 'comedy', content: { services: ['MC Funny'], kinds: [artistKind] } },
          { catalogue: 'diski', content: null },
        ],
      }),
    ),
    http.get(`${RECORD}/gogo`, () => HttpResponse.json(record)),
    http.get('/api/content/comedy/artist/translations', () =>
      HttpResponse.json({
        records: 3,
        languages: [
          { language: 'af', missing: 0 },
          { language: 'zu', missing: 1200 },
        ],
      }),
    ),
    http.get('/api/content/imports', () => HttpResponse.json({ imports: [] })),
  );
  return openBackOffice(path).user;
}

test('a list goes on to its end, is searched by /, and remembers its columns', async () => {
  const asked: string[] = [];
  server.use(
    http.get(RECORD, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      const next = query.get('after') || query.get('q') ? null : '7';
      const slug = query.get('after') ? 'second' : 'gogo';
      return HttpResponse.json({ records: [{ ...live, id: slug.length, slug, title: slug }], next });
    }),
  );
  const user = open('/content', ['editor']);
  await screen.findByRole('link', { name: 'gogo' });
  expect(screen.getByRole('status')).toHaveTextContent('No answer from: diski.');
  await user.click(screen.getByRole('button', { name: 'More' }));
  await screen.findByRole('link', { name: 'second' });
  expect(asked.at(-1)).toBe('service=MC+Funny&after=7&limit=100');
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  await user.click(screen.getByText('Columns'));
  await user.click(screen.getByRole('checkbox', { name: 'Description' }));
  expect(screen.getByRole('columnheader', { name: 'Description' })).toBeVisible();
  expect(JSON.stringify(localStorage)).toContain('description');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('/tax');
  expect(screen.getByRole('searchbox')).toHaveValue('tax');
  await waitFor(() => expect(asked.at(-1)).toBe('service=MC+Funny&q=tax&limit=100'));
});

test('a search is one call, once the typing stops', async () => {
  const searches: string[] = [];
  server.use(
    http.get(RECORD, ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      if (q) searches.push(q);
      return HttpResponse.json({ records: [], next: null });
    }),
  );
  open('/content', ['editor']);
  typeAtOnce(await screen.findByRole('searchbox'), 'taxi jam');
  await waitFor(() => expect(searches).toEqual(['taxi jam']));
});

test('a search that other words replace is cancelled', async () => {
  const cancelled: (string | null)[] = [];
  server.use(
    http.get(RECORD, async ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      if (q === 'slow') {
        request.signal.addEventListener('abort', () => cancelled.push(q));
        await delay('infinite');
      }
      return HttpResponse.json({ records: [{ ...live, title: q ?? 'All' }], next: null });
    }),
  );
  open('/content', ['editor']);
  const field = await screen.findByRole('searchbox');
  let asked = false;
  server.events.on('request:start', ({ request }) => {
    asked ||= request.url.includes('q=slow');
  });
  fireEvent.change(field, { target: { value: 'slow' } });
  await waitFor(() => expect(asked).toBe(true));
  fireEvent.change(field, { target: { value: 'fast' } });
  await screen.findByRole('link', { name: 'fast' });
  expect(cancelled).toEqual(['slow']);
});

test('a list of records without a translation names its language and their number', async () => {
  const requested: string[] = [];
  server.use(
    http.get(RECORD, ({ request }) => {
      requested.push(new URL(request.url).searchParams.toString());
      return HttpResponse.json({ records: [live], next: null });
    }),
  );
  const user = open('/content', ['editor']);
  const translations = await screen.findByRole('combobox', { name: 'Translations' });
  await screen.findByRole('option', { name: /Missing in Zulu \(1.?200\)/ });
  await user.selectOptions(translations, 'zu');
  await waitFor(() => expect(requested.at(-1)).toBe('service=MC+Funny&missing=zu&limit=100'));
  expect(screen.getByRole('link', { name: 'Export CSV' })).toHaveAttribute(
    'href',
    '/api/content/comedy/artist/export.csv?service=MC%20Funny&missing=zu',
  );
});

test('translations stand by language, open where one is refused, and are saved with the record', async () => {
  const saved: { record: object }[] = [];
  server.use(
    http.post('/api/content/comedy/artist/drafts', async ({ request }) => {
      saved.push((await request.json()) as { record: object });
      return saved.length === 1
        ? HttpResponse.json({ detail: 'x', errors: { 'description.af': 'is empty' } }, { status: 422 })
        : HttpResponse.json(draft);
    }),
  );
  const record = { ...live, record: { ...live.record, 'description.af': 'Nuut.' } };
  const user = open('/content/comedy/artist/gogo?service=MC+Funny', ['editor'], {
    live: record,
    events,
    draft: null,
  });
  expect(await screen.findByText('Complete')).toBeInTheDocument();
  await user.click(screen.getByText('Zulu'));
  const zulu = screen.getByLabelText('Description (Zulu)');
  expect(zulu).toHaveAttribute('lang', 'zu');
  expect(zulu).toHaveAccessibleDescription('New.');
  await user.type(zulu, 'Okusha.');
  expect(screen.getAllByText('Complete')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Save as a draft' }));
  const afrikaans = screen.getByLabelText('Description (Afrikaans)');
  await waitFor(() => expect(afrikaans).toHaveAccessibleDescription(/is empty/));
  expect(afrikaans).toBeVisible();
  expect(saved[0]?.record).toEqual({ ...record.record, 'description.zu': 'Okusha.' });
});

test('a new record is checked beside its fields, here and by the service, and saved as a draft', async () => {
  const saved: unknown[] = [];
  server.use(
    http.post('/api/content/comedy/artist/drafts', async ({ request }) => {
      saved.push(await request.json());
      return saved.length === 1
        ? HttpResponse.json({ detail: 'x', errors: { slug: 'is there already' } }, { status: 422 })
        : HttpResponse.json(draft);
    }),
  );
  const user = open('/new/comedy/artist?service=MC+Funny', ['editor']);
  await user.type(await screen.findByLabelText('Artist'), '=Gogo');
  await user.type(screen.getByLabelText('Picture'), 'http://a/b');
  await user.click(screen.getByRole('button', { name: 'Save as a draft' }));
  await screen.findByText('A text may not begin with = or +.');
  expect(screen.getByLabelText('Picture')).toHaveAccessibleDescription(/begins with https/);
  expect(saved).toEqual([]);
  await user.clear(screen.getByLabelText('Artist'));
  await user.type(screen.getByLabelText('Artist'), 'Gogo');
  await user.clear(screen.getByLabelText('Picture'));
  await user.type(screen.getByLabelText('Picture'), 'https://a/b');
  await user.clear(screen.getByLabelText('Slug'));
  await user.type(screen.getByLabelText('Slug'), 'gogo');
  await user.click(screen.getByRole('button', { name: 'Save as a draft' }));
  await waitFor(() => expect(screen.getByLabelText('Slug')).toHaveAccessibleDescription(/is there already/));
  await user.click(screen.getByRole('button', { name: 'Save as a draft' }));
  await screen.findByRole('heading', { name: 'History' });
  expect(saved[1]).toEqual({
    service: 'MC Funny',
    record: { slug: 'gogo', artist: 'Gogo', image: 'https://a/b', state: 'listed' },
    version: null,
    new: true,
  });
});

test('an editor sees what a submitted draft changes, and cannot publish it', async () => {
  open('/content/comedy/artist/gogo?service=MC+Funny', ['editor'], { live, events, draft });
  const table = await screen.findByRole('table', { name: 'What the draft changes' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map(row => row.textContent)).toEqual(['DescriptionNew.Newer.']);
  for (const name of ['Publish', 'Send back', 'Take down', 'Submit for review'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('a publisher publishes the version that was shown, and hears of a change meanwhile', async () => {
  const published: unknown[] = [];
  server.use(
    http.post('/api/content/drafts/3/publish', async ({ request }) => {
      published.push(await request.json());
      return HttpResponse.json({ error_message: 'The record has changed.' }, { status: 409 });
    }),
  );
  const user = open('/content/comedy/artist/gogo?service=MC+Funny', ['publisher'], { live, events, draft });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  const dialog = screen.getByRole('dialog', { name: 'Publish this draft?' });
  await user.click(within(dialog).getByRole('button', { name: 'Publish' }));
  expect(await within(dialog).findByText('The record has changed.')).toBeVisible();
  expect(published).toEqual([{ version: 2 }]);
});

test('a change is undone by its id, and a record is taken down with a reason', async () => {
  const sent: unknown[] = [];
  const keep = async ({ request }: { request: Request }) => {
    sent.push([new URL(request.url).pathname, await request.json()]);
    return HttpResponse.json(draft);
  };
  server.use(http.post(`${RECORD}/gogo/undo`, keep), http.post(`${RECORD}/gogo/state`, keep));
  const user = open('/content/comedy/artist/gogo?service=MC+Funny', ['publisher']);
  const history = await screen.findByRole('table', { name: 'History' });
  const undo = within(history).getAllByRole('button');
  expect(undo).toHaveLength(1);
  expect(within(history).getByText('A machine')).toBeVisible();
  await user.click(undo[0] as HTMLElement);
  await waitFor(() => expect(sent).toEqual([[`${RECORD}/gogo/undo`, { change: 12 }]]));
  await user.click(screen.getByRole('button', { name: 'Take down' }));
  const dialog = screen.getByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Take down' }));
  expect(await within(dialog).findByText('Give a reason of at least three characters.')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Complaint' }));
  await user.click(within(dialog).getByRole('button', { name: 'Take down' }));
  await waitFor(() =>
    expect(sent[1]).toEqual([
      `${RECORD}/gogo/state`,
      { service: 'MC Funny', state: 'deleted', reason: 'Complaint' },
    ]),
  );
});

test('any two versions of a record are compared', async () => {
  const before = (description: string, day: number) => ({
    ...events[0],
    at: `2026-11-0${day} 04:00:00`,
    change: day,
    before: { ...live.record, description },
  });
  const user = open('/content/comedy/artist/gogo?service=MC+Funny', ['editor'], {
    live,
    events: [before('The second.', 3), before('The first.', 2)],
    draft: null,
  });
  await user.click(await screen.findByText('Compare two versions'));
  const shown = () => within(screen.getByRole('table', { name: 'Compare two versions' }));
  expect(shown().getByText('The first.')).toBeVisible();
  expect(shown().queryByText('The second.')).toBeNull();
  await user.selectOptions(screen.getByLabelText('To'), 'Before 3 Nov 2026, 06:00');
  expect(shown().getByText('The first.')).toBeVisible();
  expect(shown().getByText('The second.')).toBeVisible();
  await user.selectOptions(screen.getByLabelText('From'), 'Before 3 Nov 2026, 06:00');
  expect(screen.getByText('Nothing differs between them.')).toBeVisible();
});

test('a history that does not go back to the beginning says for how long it is kept', async () => {
  open('/content/comedy/artist/gogo?service=MC+Funny', ['editor'], {
    live,
    events: events.slice(0, 1),
    draft: null,
    is_complete: false,
    kept_months: 24,
  });
  expect(
    await screen.findByText(/^Older changes are not in the history.* kept for 24 months/),
  ).toBeInTheDocument();
});

test('a whole history says nothing of its end', async () => {
  open('/content/comedy/artist/gogo?service=MC+Funny', ['editor'], {
    live,
    events,
    draft: null,
    is_complete: true,
    kept_months: 24,
  });
  await screen.findByRole('heading', { name: 'History' });
  expect(screen.queryByText(/^Older changes/)).not.toBeInTheDocument();
});

test('the start screen names one’s own drafts, those that were sent back, and films that failed', async () => {
  const film = { mine: true, kind: 'film', state: 'failed', reason: 'It is cut off.' };
  server.use(
    http.get('/api/content/drafts', () =>
      HttpResponse.json({
        drafts: [
          { ...draft, state: 'draft', mine: true },
          { ...draft, id: 4, state: 'draft' },
          { ...draft, id: 5, state: 'draft', mine: true, returned_by: 'thandi@example.test' },
        ],
      }),
    ),
    http.get('/api/uploads', () =>
      HttpResponse.json({ possible: true, pictures: null, uploads: [film, { ...film, mine: false }] }),
    ),
  );
  open('/', ['editor']);
  await screen.findByRole('link', { name: /^1 film of yours cannot be shown ?It is cut off.$/ });
  expect(screen.getByRole('link', { name: '1 draft of yours is not submitted yet' })).toBeVisible();
  expect(screen.getByRole('link', { name: '1 draft was sent back to you' })).toBeVisible();
});
