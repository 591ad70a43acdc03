/// <reference types="node" />
/** An artist and her film with captions go live together: one review, one publishing, one undo. */
import { expect, type Page } from '@playwright/test';
import { expectOnlyRefused, site } from '../visit';
import { backOffice, checkScreen, mark, newMember, test } from './staff';

const poster = 'https://images.spaza.example/demo/mcfunny/thumbs/around-the-corner.webp';
const subrip =
  '1\r\n00:00:00,500 --> 00:00:02,000\r\nHeita, Mzansi!\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\nSharp.\r\n';

const saveDraft = async (page: Page) => {
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await expect(page.getByRole('heading', { name: 'What the draft changes' })).toBeVisible();
};

test('an artist and her film with captions are reviewed, published and undone together', async ({
  openWindow,
  pageErrors,
}) => {
  const [name, page] = [`Gogo Together ${mark()}`, await openWindow(await newMember('editor'))];
  const slug = name.toLowerCase().replaceAll(' ', '-');
  await page.goto(backOffice('/new/comedy/artist?service=MC+Funny'));
  await page.getByLabel('Artist').fill(name);
  await page.getByLabel('Description', { exact: true }).fill('Two at once.');
  await page.getByLabel('Picture').fill(poster);
  await saveDraft(page);

  // The film names the artist, who is a draft still.
  await page.goto(backOffice('/new/comedy/video?service=MC+Funny'));
  const parent = page.getByLabel('Belongs to');
  await expect(page.locator(`datalist option[value="${slug}"]`)).toBeAttached();
  await parent.fill(slug);
  await page.getByLabel('Title', { exact: true }).fill(`${name} arrives`);
  await page.getByLabel('Film', { exact: true }).fill('mcfunny/around-the-corner.mp4');
  await page.getByLabel('Picture').fill(poster);
  await page.getByLabel('Length in seconds').fill('6');
  await page.getByLabel('Size in bytes').fill('62961');

  // The captions: a file that cannot be read, one of SubRip, a line more, and one that is corrected.
  await page.getByRole('button', { name: 'Edit the captions' }).click();
  const captions = page.getByRole('dialog', { name: 'Captions' });
  const choose = (file: string, text: string) =>
    captions
      .getByLabel('Choose a file with captions')
      .setInputFiles({ name: file, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('song.txt', 'no times');
  await expect(captions.getByRole('alert')).toContainText('no line that can be read');
  expectOnlyRefused(pageErrors, '422');
  await choose('film.srt', subrip);
  await expect(captions.getByLabel('Text of line 2')).toHaveValue('Sharp.');
  await captions.getByLabel('Text of line 1').fill('Heita, South Africa!');
  await captions.getByRole('button', { name: 'Add a line' }).click();
  await expect(captions.getByLabel('Start of line 3')).toHaveValue('00:04.000');
  await captions.getByRole('button', { name: 'Use these captions' }).click();
  await expect(captions.getByText('A line has a text.')).toBeVisible();
  await checkScreen(page, 'captions');
  await captions.getByLabel('Text of line 3').fill('Bye.');
  await captions.getByLabel('End of line 3').fill('0:05');
  await captions.getByRole('button', { name: 'Use these captions' }).click();
  await expect(captions).toBeHidden();
  await expect(page.getByLabel('Captions', { exact: true })).toHaveValue(
    new RegExp(`^mcfunny/uploads/${slug}-arrives-[0-9a-f]{12}\\.en\\.vtt$`),
  );
  await saveDraft(page);

  await page.goto(backOffice('/drafts'));
  for (const title of [name, `${name} arrives`])
    await page.getByRole('checkbox', { name: `Select ${title}`, exact: true }).check();
  await expect(page.getByText('2 drafts are chosen')).toBeVisible();
  await checkScreen(page, 'drafts-chosen');
  await page.getByRole('button', { name: 'Review together' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review 2 drafts together' });
  await expect(dialog.getByLabel('Name of the release')).toHaveValue(new RegExp(`^${name}`));
  await checkScreen(page, 'release');
  await dialog.getByLabel('Name of the release').fill(name);
  await dialog.getByRole('button', { name: 'Show the difference' }).click();
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Videos: 1 added' })).toBeVisible();

  // The publisher finds it, sees the picture, plays the film, and publishes both at once.
  const other = await openWindow(await newMember('publisher'));
  await other.goto(backOffice('/drafts'));
  await other
    .getByRole('row')
    .filter({ has: other.getByRole('link', { name, exact: true }) })
    .getByRole('link', { name: 'In a release' })
    .click();
  const film = other.getByRole('row').filter({ hasText: `${name} arrives` });
  await film.locator('summary').click();
  await expect
    .poll(() => film.locator('video').evaluate((each: HTMLVideoElement) => each.textTracks[0]?.cues?.length))
    .toBe(3);
  await checkScreen(other, 'release-difference');
  await other.getByRole('button', { name: 'Apply' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByText('The file is applied.').first()).toBeVisible();

  const visitor = await openWindow();
  await visitor.goto(`${site('mcfunny')}/login`);
  const artists = () =>
    visitor.evaluate(async () => {
      const reply = await fetch('/api/madfunny/fetchArtist?service=mcfunny', { cache: 'no-store' });
      return ((await reply.json()) as { artist: string }[]).map(each => each.artist);
    });
  await expect.poll(artists).toContain(name);
  await other.getByRole('button', { name: 'Undo' }).click();
  await expect(other.getByRole('heading', { name: `Undo of ${name}` })).toBeVisible();
  await other.getByRole('button', { name: 'Apply' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect.poll(artists).not.toContain(name);
});
