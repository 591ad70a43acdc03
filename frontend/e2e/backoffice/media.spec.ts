/// <reference types="node" />
/** Films and pictures that editors bring: uploads that go on after a cut, and crops. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { centerOf, expectOnlyRefused, openAsTestNumber, openSettings, site, touchInput } from '../visit';
import { backOffice, checkScreen, mark, newMember, openList, publish, submit, test } from './staff';

const ffmpeg = (options: string, path: string) =>
  execFileSync('ffmpeg', [...`-nostdin -v error -y ${options}`.split(' '), path]);

/** A film of two minutes with a sound and a text track, made by ffmpeg: in two sizes, with few pictures, so that it is soon prepared. */
function makeFilm(name: string): string {
  const path = test.info().outputPath(name);
  const words = Buffer.from('1\n00:00:01,000 --> 00:00:03,000\nMolweni nonke!\n').toString('base64');
  const picture = '-f lavfi -i testsrc2=s=426x240:r=10:d=120';
  const source = `${picture} -f lavfi -i sine=d=120 -f srt -i data:text/plain;base64,${words} -c:v libx264`;
  const text = '-c:s mov_text -metadata:s:s:0 language=xho';
  ffmpeg(`${source} -preset ultrafast -b:v 130k -c:a aac ${text} -t 120 -movflags +faststart`, path);
  return path;
}

/** What a film of the catalogue consists of, as a visitor's browser gets it. */
const formsOf = (page: Page, film: Named) =>
  page.evaluate(async ({ vurl, captions, imgurl }) => {
    const get = async (address: string) => (await fetch(address)).text();
    const clip = document.createElement('video');
    clip.src = `/img/raw:1/plain/${imgurl.replace('.clip.webp', '.clip.mp4')}`;
    const poster = new Image();
    poster.src = `/img/rs:fit:320:0/plain/${imgurl}@webp`;
    await Promise.all([poster.decode(), new Promise(done => clip.addEventListener('loadedmetadata', done))]);
    return {
      sizes: [...(await get(vurl)).matchAll(/([\w-]+)\/index\.m3u8$/gm)].map(([, size]) => size),
      words: await get(captions),
      seconds: Math.round(clip.duration),
      poster: poster.naturalHeight,
    };
  }, film);

test('a film whose upload a closed browser cut goes on in another one, and is put live', async ({
  openWindow,
}) => {
  const own = mark();
  const name = `walk-film-${own}.mp4`;
  const path = makeFilm(name);

  // Half of the film arrives, and then the browser is closed.
  const editor = await newMember('editor');
  const first = await openWindow(editor);
  await first.getByRole('link', { name: 'Uploads', exact: true }).click();
  await first.getByLabel('For the site').selectOption('MC Funny');
  await expect(first.getByText('No film has been uploaded lately.')).toBeVisible();
  await checkScreen(first, 'uploads-none');
  const bytes = readFileSync(path);
  const half = Math.floor(bytes.length / 2);
  let parts = 0;
  await first.route('**/api/uploads/*', async route => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    parts += 1;
    // The second part stands still.
    if (parts === 1) await route.continue({ postData: bytes.subarray(0, half) });
  });
  await first.getByLabel('Choose a film or drop it here').setInputFiles(path);
  const arriving = first.getByRole('progressbar', { name: `Upload of ${name}` });
  await expect.poll(() => parts).toBe(2);
  await expect(arriving).toHaveJSProperty('value', half);
  await expect(first.getByRole('button', { name: `Pause ${name}` })).toBeVisible();
  await first.context().close();

  // Another browser knows nothing of it: what has arrived is at the server.
  const page = await openWindow(editor);
  await page.getByRole('link', { name: 'Uploads', exact: true }).click();
  const row = page.getByRole('listitem', { name });
  await expect(row.getByText('Stopped')).toBeVisible();
  await checkScreen(page, 'uploads-stopped');
  const part = page.waitForRequest(request => request.method() === 'PATCH');
  await row.getByLabel(`Choose ${name} again`).setInputFiles(path);
  expect((await part).headers()['upload-offset']).toBe(String(half));
  await expect(row.getByText('Ready', { exact: true })).toBeVisible({ timeout: 400_000 });
  const still = row.getByRole('radio', { name: 'Picture 4 of the film' });
  await still.click();
  await expect(still).toBeChecked();
  await row.getByText('Log', { exact: true }).click();
  await expect(row.getByText('The film is ready.')).toBeVisible();
  await expect(row.getByText(/144p, 240p, 144p-av1, 240p-av1/)).toBeVisible();
  await checkScreen(page, 'uploads-ready');

  // It begins a record.
  await row.getByRole('link', { name: `New video with ${name}` }).click();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(`walk-film-${own}`);
  await expect(page.getByLabel('Slug')).toHaveValue(`walk-film-${own}`);
  await expect(page.getByLabel('Length in seconds')).toHaveValue('120');
  await expect(page.getByLabel('The film of this record')).toHaveJSProperty('readyState', 4);

  // In the form of a record, one tap fills in what is known of the film.
  await openList(page, 'MC Funny', 'video');
  await page.getByRole('link', { name: 'New video' }).click();
  await page.getByLabel('Belongs to').fill('loadshed-lwazi');
  await page.getByLabel('Title', { exact: true }).fill(`Uploaded film ${own}`);
  await page.getByRole('button', { name: 'Upload a film' }).click();
  await page.getByRole('button', { name: `Use the film ${name}` }).click();
  await expect(page.getByLabel('Film', { exact: true })).toHaveValue(
    /^mcfunny\/uploads\/walk-film.*\/master\.m3u8$/,
  );
  await expect(page.getByLabel('Picture', { exact: true })).toHaveValue(/card-4\.clip\.webp$/);
  await expect(page.getByLabel('Length in seconds')).toHaveValue('120');
  await expect(page.getByLabel('Captions', { exact: true })).toHaveValue(/\/captions\.xho\.vtt$/);
  await checkScreen(page, 'record-upload');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await submit(page, editor);
  const other = await openWindow(await newMember('publisher'));
  await other.getByRole('link', { name: 'Drafts', exact: true }).click();
  await publish(other, `Uploaded film ${own}`);
  const visitor = await openWindow();
  await visitor.goto(`${site('mcfunny')}/login`);
  const videos = () =>
    visitor.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1', { cache: 'no-store' })).text());
  await expect.poll(videos).toContain(`"Uploaded film ${own}"`);

  // A subscriber sees the stream, and chooses its sound alone, which goes on where the stream was.
  await openAsTestNumber(visitor, 'mcfunny', '/redirect', 'MC Funny');
  const film = JSON.parse(await videos()).find(
    ({ video_name }: Named) => video_name === `Uploaded film ${own}`,
  );
  expect(await formsOf(visitor, film)).toEqual({
    sizes: ['144p', '240p', '144p-av1', '240p-av1'],
    words: expect.stringContaining('00:01.000 --> 00:03.000\nMolweni nonke!'),
    seconds: 10,
    poster: 180,
  });
  await visitor.goto(`${site('mcfunny')}/video/${film.videoid}/MC%20Funny/1`);
  const shown = () =>
    visitor.locator('video').evaluate(({ currentSrc, currentTime, videoHeight }: HTMLVideoElement) => ({
      file: currentSrc.split(/[:/]/).at(currentSrc.startsWith('blob:') ? 0 : -1),
      moves: videoHeight > 0,
      goesOn: currentTime > 0.5,
    }));
  await expect.poll(shown).toEqual({ file: 'blob', moves: true, goesOn: true });
  await openSettings(visitor);
  const quality = visitor.getByRole('combobox', { name: 'Quality' });
  await expect(quality.getByRole('option', { name: /^Sound only \(\d\.\d MB\)$/ })).toBeAttached();
  await quality.selectOption('sound');
  await expect.poll(shown).toEqual({ file: 'sound.m4a', moves: false, goesOn: true });
});

type Named = { video_name: string; vurl: string; imgurl: string; captions: string };

/** A picture of 2000 by 1000 pixels, red on the left and blue on the right; `turned` as by a camera that was held upright. */
function makePicture(name: string, turned = false): string {
  const path = test.info().outputPath(name);
  const source = '-f lavfi -i color=red:s=1000x1000 -f lavfi -i color=blue:s=1000x1000';
  ffmpeg(`${source} -filter_complex hstack -frames:v 1`, path);
  if (turned) {
    // EXIF of 34 bytes, with one field: orientation 6.
    const exif = 'ffe1 0022 457869660000 49492a0008000000 0100 1201 0300 01000000 06000000 00000000';
    const bytes = readFileSync(path);
    const field = Buffer.from(exif.replaceAll(' ', ''), 'hex');
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 2), field, bytes.subarray(2)]));
  }
  return path;
}

/** Size, format and the colours at both ends of a picture that is published. */
const published = (page: Page, address: string) =>
  page.evaluate(async of => {
    const reply = await fetch(`/api/pictures?${new URLSearchParams({ address: of })}`);
    const picture = await createImageBitmap(await reply.blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context?.drawImage(picture, 0, 0);
    const colour = (x: number, y: number) => {
      const [red = 0, , blue = 0] = context?.getImageData(x, y, 1, 1).data ?? [];
      return red > blue ? 'red' : 'blue';
    };
    const { width, height } = picture;
    return {
      type: reply.headers.get('content-type'),
      width,
      height,
      ends: [colour(2, 2), colour(width - 3, height - 3)],
    };
  }, address);

test('an editor crops pictures to what cards show, by keys, finger and mouse', async ({
  openWindow,
  pageErrors,
}) => {
  // On a touch screen with a keyboard.
  const page = await openWindow(await newMember('editor'), {
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  });
  await page.goto(backOffice('/new/comedy/artist?service=MC+Funny'));
  const field = page.getByLabel('Picture', { exact: true });
  const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
  const file = dialog.getByLabel('Choose a picture or drop it here');
  const open = page.getByRole('button', { name: 'Choose a picture' });
  const box = dialog.getByRole('group', { name: /^Frame/ });
  const size = (text: string) => dialog.getByText(`The crop is stored with ${text} pixels.`);
  const storeCrop = async (): Promise<string> => {
    await dialog.getByRole('button', { name: 'Use the crop' }).click();
    await expect(dialog).toBeHidden();
    return field.inputValue();
  };
  await open.click();
  await checkScreen(page, 'picture-choice');
  await file.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(dialog.getByText('This is not a picture that can be shown.')).toBeVisible();

  // A wide picture for an upright card: its middle, moved to the left end by keys.
  await file.setInputFiles(makePicture('wide.jpg'));
  await expect(size('750 by 1000')).toBeVisible();
  await expect(
    dialog.getByText(/^The crop has 750 by 1000 pixels, and cards show up to 960 by 1280/),
  ).toBeVisible();
  await expect(dialog.getByRole('img', { name: 'The small round picture' })).toBeVisible();
  await checkScreen(page, 'picture-crop');
  await expect(box).toBeFocused();
  for (let step = 0; step < 80; step++) await page.keyboard.press('ArrowRight');
  const address = await storeCrop();
  expect(address).toMatch(/^https:\/\/images\.spaza\.example\/uploads\/wide-crop-\d+\/picture\.jpg$/);
  expect(await published(page, address)).toEqual({
    type: 'image/jpeg',
    width: 750,
    height: 1000,
    ends: ['red', 'red'],
  });

  // The present picture for the other frame: a square, moved to the right by a finger. PNG stays PNG.
  await open.click();
  await file.setInputFiles(makePicture('wide.png'));
  await dialog.getByRole('radio', { name: 'The small round picture' }).check();
  await expect(size('1000 by 1000')).toBeVisible();
  const { drag } = await touchInput(page);
  await drag(await centerOf(box), -400);
  const square = await storeCrop();
  expect(await published(page, square)).toEqual({
    type: 'image/png',
    width: 1000,
    height: 1000,
    ends: ['blue', 'blue'],
  });

  // Staff crop the published picture again, enlarge it and move it by buttons; the first one stays.
  await open.click();
  await dialog.getByRole('button', { name: 'Crop the present picture' }).click();
  await expect(size('750 by 1000')).toBeVisible();
  await dialog.getByLabel('Enlarge').fill('2');
  await expect(size('375 by 500')).toBeVisible();
  await dialog.getByRole('button', { name: 'Move the picture up' }).click();
  const smaller = await storeCrop();
  expect(smaller).not.toBe(square);
  expect(await published(page, smaller)).toMatchObject({ type: 'image/png', width: 375, height: 500 });
  expect(await published(page, square)).toMatchObject({ width: 1000, height: 1000 });

  // A photograph that was taken upright is cropped upright, and used as it is without what the camera wrote.
  const turned = makePicture('turned.jpg', true);
  await open.click();
  await file.setInputFiles(turned);
  await expect(size('1000 by 1333')).toBeVisible();
  await expect(dialog.getByText(/^The crop has/)).toBeHidden();
  const from = await centerOf(box);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 300, { steps: 5 });
  await page.mouse.up();
  expect(await published(page, await storeCrop())).toEqual({
    type: 'image/jpeg',
    width: 1000,
    height: 1333,
    ends: ['red', 'blue'],
  });
  await open.click();
  await file.setInputFiles(turned);
  await dialog.getByRole('button', { name: 'Use it as it is' }).click();
  await expect(dialog).toBeHidden();
  expect(await published(page, await field.inputValue())).toEqual({
    type: 'image/jpeg',
    width: 1000,
    height: 2000,
    ends: ['red', 'blue'],
  });
  // A trace reads the unreadable picture again, which the policy forbids.
  expectOnlyRefused(pageErrors, "Connecting to 'blob:", 'policy: connect-src blob');
});
