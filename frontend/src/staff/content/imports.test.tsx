/** Files over a mocked network: the export of a list, problems by line, applying what was shown, its confirmation, and the edit of many. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice } from '../../dev/back-office';
import { server } from '../../dev/server';
import { client } from '../api';
import { artistKind } from './artist-kind';

/** Of a file with the letter a. */
const HASH = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const IMPORTS = '/api/content/comedy/imports';
const waiting = {
  id: 5,
  service: 'MC Funny',
  file: 'artists.csv',
  sha256: HASH,
  who: 'thandi@example.test',
  at: '2026-11-03 04:00:00',
  records: 3,
  prune: false,
};
const shown = {
  import: waiting,
  changes: [{ kind: 'artist', added: 0, changed: 1, unchanged: 2, removed: 0 }],
  faults: [],
  difference: 'd1',
  confirm: null as number | null,
};
const gogo = {
  id: 7,
  slug: 'gogo',
  title: 'Gogo',
  visibility: 'listed',
  held: false,
  record: {
    slug: 'gogo',
    artist: 'Gogo',
    description: '',
    image: 'https://a/b',
    state: 'listed',
    publish_at: '2026-11-03 04:00:00',
  },
};

beforeEach(() => client.clear());

function open(path: string, roles: string[], difference: object = shown) {
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles } }),
    ),
    http.get('/api/content/kinds', () =>
      HttpResponse.json({
        catalogues: [{ catalogue: 'comedy', content: { services: ['MC Funny'], kinds: [artistKind] } }],
      }),
    ),
    http.get('/api/content/comedy/artist/records', () =>
      HttpResponse.json({ records: [gogo, { ...gogo, id: 8, slug: 'lwazi', title: 'Lwazi' }], next: null }),
    ),
    http.get('/api/content/imports', () =>
      HttpResponse.json({ imports: [{ catalogue: 'comedy', import: waiting }] }),
    ),
    http.get('/api/content/comedy/artist/records/gogo', () =>
      HttpResponse.json({ live: gogo, events: [], draft: null }),
    ),
    http.get('/api/content/drafts', () => HttpResponse.json({ drafts: [] })),
    http.get(`${IMPORTS}/5`, () => HttpResponse.json(difference)),
    http.get(`${IMPORTS}/5/differences`, ({ request }) =>
      HttpResponse.json({
        differences:
          new URL(request.url).searchParams.get('action') === 'changed'
            ? [
                {
                  slug: 'gogo',
                  title: 'Gogo',
                  line: 2,
                  fields: [{ field: 'description', before: 'Old.', after: 'New.' }],
                },
              ]
            : [],
        next: null,
      }),
    ),
  );
  return openBackOffice(path).user;
}

test('the export has the filter of the list', async () => {
  open('/content?state=unlisted&q=go', ['editor']);
  expect(await screen.findByRole('link', { name: 'Export CSV' })).toHaveAttribute(
    'href',
    '/api/content/comedy/artist/export.csv?service=MC%20Funny&state=unlisted&q=go',
  );
});

test('a file with problems lists them by line, and one without shows what it changes', async () => {
  let problems: object[] = [{ line: 2, column: null, field: 'image', message: 'is not an address' }];
  const sent: string[] = [];
  server.use(
    http.post(IMPORTS, ({ request }) => {
      sent.push(new URL(request.url).search);
      return HttpResponse.json({ import: problems.length > 0 ? null : 5, problems });
    }),
  );
  const user = open('/import?service=MC+Funny', ['editor']);
  await user.click(await screen.findByRole('button', { name: 'Show the difference' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Choose a file.');
  await user.upload(screen.getByLabelText('File'), new File(['a'], 'artists.csv'));
  await user.click(screen.getByRole('checkbox', { name: /^Remove what the file does not have/ }));
  await user.click(screen.getByRole('button', { name: 'Show the difference' }));
  const row = (await screen.findByText('is not an address')).closest('tr') as HTMLElement;
  expect(within(row).getByText('2')).toBeVisible();
  expect(sent).toEqual(['?service=MC%20Funny&file=artists.csv&prune=true']);
  problems = [];
  await user.click(screen.getByRole('button', { name: 'Show the difference' }));
  expect(await screen.findByRole('heading', { name: 'Artists: 1 changed' })).toBeVisible();
  // An editor hands it over.
  expect(await screen.findByText('Old.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
  expect(screen.getByText(/^A publisher applies it/)).toBeVisible();
});

test('a publisher finds a file that waits, and applies what was shown; a refusal shows the new difference', async () => {
  const orders: unknown[] = [];
  let isReadAgain = false;
  const user = open('/drafts', ['publisher']);
  server.use(
    http.get(`${IMPORTS}/5`, () => {
      isReadAgain = orders.length > 0;
      return HttpResponse.json({ ...shown, difference: `d${orders.length + 1}` });
    }),
    http.post(`${IMPORTS}/5/apply`, async ({ request }) => {
      orders.push(await request.json());
      return orders.length === 1
        ? HttpResponse.json({ error_message: 'The catalogue has changed.' }, { status: 409 })
        : HttpResponse.json([]);
    }),
  );
  await user.click(await screen.findByRole('link', { name: 'artists.csv' }));
  const apply = async () => {
    await user.click(await screen.findByRole('button', { name: 'Apply' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Apply' }));
  };
  await apply();
  expect(await screen.findByText('The catalogue has changed.')).toBeVisible();
  await waitFor(() => expect(isReadAgain).toBe(true));
  await apply();
  expect(await screen.findByRole('heading', { name: 'Content' })).toBeVisible();
  expect(orders).toEqual([
    { sha256: HASH, difference: 'd1', removals: null },
    { sha256: HASH, difference: 'd2', removals: null },
  ]);
});

test('a large removal is applied only once its number is typed', async () => {
  const orders: { removals: number }[] = [];
  server.use(
    http.post(`${IMPORTS}/5/apply`, async ({ request }) => {
      orders.push((await request.json()) as { removals: number });
      return HttpResponse.json([]);
    }),
  );
  const changes = [{ kind: 'artist', added: 0, changed: 0, unchanged: 3, removed: 120 }];
  const user = open('/imports/comedy/5', ['publisher'], { ...shown, changes, confirm: 120 });
  await user.click(await screen.findByRole('button', { name: 'Apply' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('Type 120'), '12');
  await user.click(dialog.getByRole('button', { name: 'Apply' }));
  expect(dialog.getByRole('alert')).toHaveTextContent('This is not the number.');
  await user.type(dialog.getByLabelText('Type 120'), '0');
  await user.click(dialog.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(orders).toEqual([expect.objectContaining({ removals: 120 })]));
});

test('one field is set on all chosen records, by an import of a file', async () => {
  let lines = '';
  server.use(
    http.post(IMPORTS, async ({ request }) => {
      lines = await request.text();
      return HttpResponse.json({ import: 5, problems: [] });
    }),
  );
  const user = open('/content', ['publisher']);
  (await screen.findByRole('link', { name: 'Gogo' })).focus();
  await user.keyboard('x{ArrowDown}x');
  expect(screen.getByRole('checkbox', { name: 'Select all that are shown' })).toBeChecked();
  expect(screen.getByRole('status')).toHaveTextContent('2 records are selected');
  await user.click(screen.getByRole('checkbox', { name: 'Select Lwazi' }));
  await user.click(screen.getByRole('button', { name: 'Edit all' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Edit 1 record' }));
  await user.selectOptions(dialog.getByLabelText('Field'), 'state');
  await user.selectOptions(dialog.getByLabelText('Value'), 'unlisted');
  await user.click(dialog.getByRole('button', { name: 'Show the difference' }));
  expect(await screen.findByRole('heading', { name: 'Artists: 1 changed' })).toBeVisible();
  // Times of a manifest are Johannesburg's.
  expect(
    lines
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([
    {
      service: 'MC Funny',
      kind: 'artist',
      slug: 'gogo',
      artist: 'Gogo',
      image: 'https://a/b',
      state: 'unlisted',
      publish_at: '2026-11-03T06:00:00',
    },
  ]);
});

test('a list says how many records it has, and all of them can be chosen', async () => {
  const user = open('/content', ['editor']);
  server.use(
    http.get('/api/content/comedy/artist/records', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get('after')
          ? { records: [{ ...gogo, id: 9, slug: 'third', title: 'Third' }], next: null, total: null }
          : { records: [gogo, { ...gogo, id: 8, slug: 'lwazi', title: 'Lwazi' }], next: '8', total: 3 },
      ),
    ),
  );
  expect(await screen.findByText('3 records')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Select all 3' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Select all that are shown' }));
  await user.click(screen.getByRole('button', { name: 'Select all 3' }));
  expect(await screen.findByText('3 records are selected')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Select all 3' })).toBeNull();
});

test('the start screen counts the files that wait, for publishers', async () => {
  open('/', ['publisher']);
  expect(await screen.findByRole('link', { name: '1 file waits for a publisher' })).toHaveAttribute(
    'href',
    '/drafts',
  );
});

test('a file is undone by a file with the records before it, and those that it added deleted', async () => {
  const lines: string[] = [];
  server.use(
    // Of import 5, other tests have uploaded a file.
    http.get(`${IMPORTS}/9`, () =>
      HttpResponse.json({
        ...shown,
        import: { ...waiting, id: 9 },
        changes: [{ kind: 'artist', added: 1, changed: 1, unchanged: 1, removed: 0 }],
      }),
    ),
    http.get(`${IMPORTS}/9/differences`, ({ request }) => {
      const isAdded = new URL(request.url).searchParams.get('action') === 'added';
      const fields = [{ field: 'artist', before: null, after: 'New' }];
      const added = { slug: 'new', title: 'New', line: 3, fields };
      const changed = { slug: 'gogo', title: 'Gogo', line: 2, fields: [] };
      return HttpResponse.json({ differences: [isAdded ? added : changed], next: null });
    }),
    http.post(`${IMPORTS}/9/apply`, () => HttpResponse.json([])),
    http.post(IMPORTS, async ({ request }) => {
      lines.push(new URL(request.url).searchParams.get('file') ?? '', await request.text());
      return HttpResponse.json({ import: 9, problems: [] });
    }),
  );
  const user = open('/imports/comedy/9', ['publisher']);
  await user.click(await screen.findByRole('button', { name: 'Apply' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Apply' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('heading', { name: 'Artists: 1 changed' })).toBeVisible();
  const [name, text = ''] = lines;
  expect(name).toBe('Undo of artists.jsonl');
  const place = { service: 'MC Funny', kind: 'artist' };
  expect(
    text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([
    { ...place, slug: 'new', artist: 'New', state: 'deleted' },
    {
      ...place,
      slug: 'gogo',
      artist: 'Gogo',
      image: 'https://a/b',
      state: 'listed',
      publish_at: '2026-11-03T06:00:00',
    },
  ]);
});
