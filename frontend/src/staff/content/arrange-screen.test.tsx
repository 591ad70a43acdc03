/** The screens that arrange rows and make links to previews, over a mocked network. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice, typeAtOnce } from '../../dev/back-office';
import { server } from '../../dev/server';
import { client } from '../api';
import { artistKind } from './artist-kind';

const kind = {
  ...artistKind,
  fields: [
    ...artistKind.fields,
    { name: 'position', form: 'Count', required: false, refers_to: null, translation: null, schema: {} },
  ],
};
const records = ['Ayanda', 'Busi', 'Ceba'].map((artist, place) => ({
  id: place + 1,
  slug: artist.toLowerCase(),
  title: artist,
  visibility: 'listed',
  held: false,
  record: { slug: artist.toLowerCase(), artist, image: 'https://a/b', state: 'listed' },
}));

beforeEach(() => {
  client.clear();
  localStorage.clear();
});

function open(path: string, ...others: RequestHandler[]) {
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles: ['editor'] } }),
    ),
    http.get('/api/content/kinds', () =>
      HttpResponse.json({
        catalogues: [{ catalogue: 'comedy', content: { services: ['MC Funny'], kinds: [kind] } }],
      }),
    ),
    http.get('/api/content/comedy/artist/records', ({ request }) =>
      new URL(request.url).searchParams.get('sort') === 'position'
        ? HttpResponse.json({ records, next: null })
        : HttpResponse.json({ records: [], next: null }),
    ),
    http.get('/api/content/comedy/artist/records/busi', () =>
      HttpResponse.json({ live: records[1], events: [], draft: null }),
    ),
  );
  server.use(...others);
  openBackOffice(path);
}

test('rows are moved by buttons, and saving sends the changed records as a file', async () => {
  const user = userEvent.setup();
  let sent = '';
  server.use(
    http.post('/api/content/comedy/imports', async ({ request }) => {
      sent = await request.text();
      return HttpResponse.json({ import: null, sha256: '', records: 0, problems: [] });
    }),
  );
  open('/arrange/comedy/artist?service=MC%20Funny');
  const save = await screen.findByRole('button', { name: 'Show what changes' });
  expect(save).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Move Ceba up' }));
  expect(screen.getByText('Ceba is now at place 2 of 3.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Move Ceba up' }));
  expect(screen.getByRole('button', { name: 'Move Ceba up' })).toBeDisabled();
  await user.click(save);
  await waitFor(() => expect(sent).not.toBe(''));
  const lines = sent
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.map(({ slug, position, service }) => [slug, position, service])).toEqual([
    ['ceba', 1, 'MC Funny'],
    ['ayanda', 2, 'MC Funny'],
    ['busi', 3, 'MC Funny'],
  ]);
});

test('a row from behind the first thousand is put at a place', async () => {
  const user = userEvent.setup();
  const rows = Array.from({ length: 1200 }, (_, place) => ({
    ...records[0],
    id: place + 1,
    slug: `row-${place + 1}`,
    title: `Row ${place + 1}`,
    record: { ...records[0]?.record, slug: `row-${place + 1}`, artist: `Row ${place + 1}` },
  }));
  let sent = '';
  const searches: (string | null)[] = [];
  open(
    '/arrange/comedy/artist?service=MC%20Funny',
    http.get('/api/content/comedy/artist/records', ({ request }) => {
      const { searchParams } = new URL(request.url);
      expect(searchParams.get('state')).toBe('listed');
      if (searchParams.get('sort') !== 'position') searches.push(searchParams.get('q'));
      if (searchParams.get('sort') !== 'position')
        return HttpResponse.json({
          records: rows.filter(({ slug }) => slug === searchParams.get('q')),
          next: null,
        });
      const from = Number(searchParams.get('after') ?? 0);
      return HttpResponse.json({ records: rows.slice(from, from + 500), next: String(from + 500) });
    }),
    http.post('/api/content/comedy/imports', async ({ request }) => {
      sent = await request.text();
      return HttpResponse.json({ import: null, sha256: '', records: 0, problems: [] });
    }),
  );
  // Not by roles, which take long to find among thousands of buttons.
  const put = await screen.findByText('Put it there');
  const shown = () => [...document.querySelectorAll('.arranged-row')];
  expect(screen.getByText(/^These are the first 1.000\./)).toBeInTheDocument();
  expect(shown()).toHaveLength(1000);
  const row = screen.getByLabelText('Row');
  typeAtOnce(row, 'row-9999');
  await waitFor(() => expect(searches).toEqual(['row 9999']));
  await user.click(put);
  expect(await screen.findByText('No row that visitors see has this key.')).toBeInTheDocument();
  await user.clear(row);
  await user.type(row, 'row-1150');
  const place = screen.getByLabelText('Place');
  await user.clear(place);
  await user.type(place, '1001');
  await user.click(put);
  expect(await screen.findByText(/^A place is a number from 1 to 1/)).toBeInTheDocument();
  await user.clear(place);
  await user.type(place, '2');
  await user.click(put);
  expect(await screen.findByText('Row 1150 is now at place 2 of 1000.')).toBeInTheDocument();
  expect(shown()[1]).toHaveTextContent('Row 1150');
  await user.click(screen.getByText('Show what changes'));
  await waitFor(() => expect(sent).not.toBe(''));
  const lines = sent
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.map(({ slug, position }) => [slug, position])).toEqual([
    ['row-1', 1],
    ['row-1150', 2],
  ]);
});

test('the order that was is restored', async () => {
  const user = userEvent.setup();
  open('/arrange/comedy/artist?service=MC%20Funny');
  await user.click(await screen.findByRole('button', { name: 'Move Ayanda down' }));
  await user.click(screen.getByRole('button', { name: 'As it was' }));
  expect(screen.getByRole('button', { name: 'Move Ayanda up' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Show what changes' })).toBeDisabled();
});

test('a preview is a link that opens on the site', async () => {
  const user = userEvent.setup();
  server.use(
    http.post('/api/content/comedy/artist/records/busi/preview', () =>
      HttpResponse.json({
        url: 'http://mcfunny.test/preview?token=v4.public.x',
        until: '2026-11-27T12:05:00Z',
      }),
    ),
  );
  open('/content/comedy/artist/busi?service=MC%20Funny');
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  const dialog = await screen.findByRole('dialog', { name: 'The preview is ready' });
  const link = within(dialog).getByRole('link', { name: 'Open the preview' });
  expect(link).toHaveAttribute('href', 'http://mcfunny.test/preview?token=v4.public.x');
  expect(within(dialog).getByText(/14:05/)).toBeInTheDocument();
});

test('a preview that is refused says why', async () => {
  const user = userEvent.setup();
  server.use(
    http.post('/api/content/comedy/artist/records/busi/preview', () =>
      HttpResponse.json({ error_message: 'No visitor sees this record.' }, { status: 409 }),
    ),
  );
  open('/content/comedy/artist/busi?service=MC%20Funny');
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  expect(await screen.findByText('No visitor sees this record.')).toBeInTheDocument();
});
