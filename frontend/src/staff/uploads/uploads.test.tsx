/** Uploads over a mocked network: what the list says, a file that goes on from what the server has, another file, and the poster. */
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { server } from '../../dev/server';
import { QueryClientProvider } from '../../shared/http/queries';
import { client } from '../api';
import { Uploads } from './Uploads';

const stopped = {
  id: 7,
  name: 'film.mp4',
  service: 'MC Funny',
  size: 10,
  modified: '5',
  offset: 4,
  state: 'uploading',
  percent: 0,
  reason: '',
  by: 'thandi@example.test',
  mine: true,
  at: '2026-11-03T04:00:00Z',
  expires_at: '2026-11-10T04:00:00Z',
  film: null as object | null,
  stills: 0,
  log: '',
};

beforeEach(() => client.clear());

function open(...uploads: object[]) {
  server.use(http.get('/api/uploads', () => HttpResponse.json({ uploads, possible: true })));
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <Uploads service="MC Funny" />
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

test('another file than the one that was begun is refused with words', async () => {
  open(stopped);
  const row = await screen.findByRole('listitem', { name: 'film.mp4' });
  expect(within(row).getByText('Stopped')).toBeInTheDocument();
  expect(within(row).getByText(/is kept until 10 Nov 2026/)).toBeInTheDocument();
  const field = within(row).getByLabelText('Choose film.mp4 again');
  await userEvent.upload(field, new File(['other'], 'film.mp4'));
  expect(within(row).getByRole('alert')).toHaveTextContent('This is another file.');
});

test('a film that failed says why, and one of another person cannot be gone on with', async () => {
  open(
    { ...stopped, id: 8, name: 'half.mp4', state: 'failed', reason: 'It is not whole.', log: 'It failed.' },
    { ...stopped, mine: false },
  );
  const failed = await screen.findByRole('listitem', { name: 'half.mp4' });
  expect(within(failed).getByText('It is not whole.')).toBeInTheDocument();
  expect(within(failed).getByText('Log')).toBeInTheDocument();
  const others = screen.getByRole('listitem', { name: 'film.mp4' });
  expect(within(others).queryByLabelText('Choose film.mp4 again')).not.toBeInTheDocument();
});

test('the poster is one of the film’s pictures', async () => {
  let chosen: unknown;
  server.use(
    http.post('/api/uploads/7/poster', async ({ request }) => {
      chosen = await request.json();
      return HttpResponse.json(stopped);
    }),
  );
  const film = {
    media: 'mcfunny/uploads/film-7/master.m3u8',
    image: 'x',
    duration_s: 2,
    bytes: 9,
    captions: null,
    still: 2,
  };
  open({ ...stopped, state: 'ready', film, stills: 5 });
  const pictures = await screen.findAllByRole('radio');
  expect(pictures).toHaveLength(5);
  expect(pictures[1]).toBeChecked();
  await userEvent.click(screen.getByRole('radio', { name: 'Picture 4 of the film' }));
  await waitFor(() => expect(chosen).toEqual({ still: 4 }));
});

test('a film that is being published cannot be deleted', async () => {
  open({ ...stopped, state: 'checking', percent: 100 });
  await screen.findByRole('listitem', { name: 'film.mp4' });
  expect(screen.queryByRole('button', { name: 'Delete film.mp4' })).not.toBeInTheDocument();
});

test('the progress of transcoding is a bar', async () => {
  open({ ...stopped, state: 'transcoding', percent: 42 });
  expect(await screen.findByRole('progressbar', { name: 'Transcoding of film.mp4' })).toHaveValue(42);
  // It is ended by the same button; only what is being published is waited for.
  await userEvent.click(screen.getByRole('button', { name: 'Delete film.mp4' }));
  expect(screen.getByText(/^Transcoding stops/)).toBeInTheDocument();
});

test('films are found by a part of their name', async () => {
  const films = ['Taxi one.mp4', 'Taxi two.mp4', 'Kettle.mp4', 'Torch.mp4'];
  open(...films.map((name, nth) => ({ ...stopped, id: nth, name })));
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Name of a film' }), 'taxi');
  expect(screen.getAllByRole('listitem').map(row => row.getAttribute('aria-label'))).toEqual(
    films.slice(0, 2),
  );
  await userEvent.type(screen.getByRole('searchbox'), ' rank');
  expect(screen.getByText('No film here has this name.')).toBeInTheDocument();
});
