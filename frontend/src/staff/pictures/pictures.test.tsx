/** The dialog of pictures over a mocked network; the walks crop for real. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useEffect } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { server } from '../../dev/server';
import { QueryClientProvider } from '../../shared/http/queries';
import { client } from '../api';
import type { Area } from './geometry';
import PictureDialog from './PictureDialog';

const PICTURES = 'https://images.example.test/uploads';
let area: Area = { x: 0, y: 0, width: 300, height: 400 };

// happy-dom lays nothing out and draws nothing: the box is where the test puts it.
vi.mock('./Cropping', () => ({
  Cropping: ({ onChange }: { onChange: (area: Area) => void }) => {
    useEffect(() => onChange(area), [onChange]);
    return null;
  },
}));
vi.mock('./crop', () => ({
  drawFrame: () => undefined,
  openPicture: async (picture: Blob, name: string, file: File | null) => {
    if (picture.type === 'text/plain') throw new Error('no picture');
    return { file, name, type: picture.type, address: 'blob:x', image: new Image() };
  },
}));

beforeEach(() => client.clear());

function open(kind: string, value = '', pictures: string | null = PICTURES) {
  server.use(
    http.get('/api/uploads', () => HttpResponse.json({ uploads: [], possible: pictures !== null, pictures })),
    http.get('/api/pictures', () => HttpResponse.text('x', { headers: { 'content-type': 'image/webp' } })),
  );
  render(
    <QueryClientProvider client={client}>
      <PictureDialog
        kind={kind}
        service="MC Funny"
        value={value}
        onChoose={() => undefined}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
}

const choose = async (type = 'image/png') =>
  userEvent.upload(
    await screen.findByLabelText(/Choose a picture or drop it here/),
    new File(['x'], 'face.png', { type }),
    { applyAccept: false },
  );

test('without a place for pictures the dialog says so', async () => {
  open('artist', '', null);
  expect(await screen.findByText(/^Pictures cannot be uploaded here/)).toBeInTheDocument();
});

test('a picture smaller than cards need has a warning with the sizes', async () => {
  open('artist');
  await choose();
  expect(await screen.findByText('The crop is stored with 300 by 400 pixels.')).toBeInTheDocument();
  expect(
    screen.getByText(/^The crop has 300 by 400 pixels, and cards show up to 960 by 1280/),
  ).toBeInTheDocument();
  expect(screen.getByRole('radio', { name: 'The card of the artist' })).toBeChecked();
  expect(screen.getByRole('img', { name: 'The small round picture' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Use it as it is' })).toBeEnabled();
});

test('a picture that is large enough has none, and a video has one frame', async () => {
  area = { x: 0, y: 0, width: 1600, height: 900 };
  open('video');
  await choose();
  expect(await screen.findByText('The crop is stored with 1280 by 720 pixels.')).toBeInTheDocument();
  expect(screen.queryByText(/^The crop has/)).not.toBeInTheDocument();
  expect(screen.queryByRole('radio')).not.toBeInTheDocument();
});

test('a file that is no picture is refused with words', async () => {
  open('meme');
  await choose('text/plain');
  expect(await screen.findByText('This is not a picture that can be shown.')).toBeInTheDocument();
});

test('the present picture is cropped only where it was uploaded here, and is there already as it is', async () => {
  open('artist', `${PICTURES}/gogo-1/picture.webp`);
  await userEvent.click(await screen.findByRole('button', { name: 'Crop the present picture' }));
  expect(await screen.findByRole('button', { name: 'Use the crop' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Use it as it is' })).not.toBeInTheDocument();
});

test('a picture of another place cannot be cropped', async () => {
  open('artist', 'https://elsewhere.example.test/a.webp');
  await screen.findByLabelText(/Choose a picture or drop it here/);
  expect(screen.queryByRole('button', { name: 'Crop the present picture' })).not.toBeInTheDocument();
});
