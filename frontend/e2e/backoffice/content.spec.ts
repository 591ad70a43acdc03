/// <reference types="node" />
/** Records: drafts and what publishes them, files of many, the order of a list, and previews on the site. */
import { expect, type Locator, type Page } from '@playwright/test';
import { centerOf, expectOnlyRefused, site, touchInput } from '../visit';
import {
  backOffice,
  checkScreen,
  download,
  enterAgain,
  mark,
  newMember,
  openList,
  publish,
  submit,
  test,
} from './staff';

const poster = 'https://images.spaza.example/demo/mcfunny/thumbs/around-the-corner.webp';

/** The picture is there, and not only its frame. */
const expectSeen = (picture: Locator) =>
  expect.poll(() => picture.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(1);

/** The film plays, and its end can be reached at once. */
async function expectPlays(film: Locator): Promise<void> {
  await film.evaluate((each: HTMLVideoElement) => {
    each.muted = true;
    each.currentTime = each.duration - 1;
    return each.play();
  });
  await expect.poll(() => film.evaluate((each: HTMLVideoElement) => each.ended)).toBe(true);
}

test('an editor prepares an artist and a film, and a publisher puts them live', async ({
  openWindow,
  pageErrors,
}) => {
  const editor = await newMember('editor');
  const page = await openWindow(editor);
  await expect(page.getByRole('link', { name: 'Support', exact: true })).toHaveCount(0);
  await checkScreen(page, 'start-editor');
  await openList(page, 'MC Funny', 'artist');
  await expectSeen(page.getByRole('row').filter({ hasText: 'Loadshed Lwazi' }).locator('.thumbnail'));
  await checkScreen(page, 'content');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('loadshed');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);

  const name = `Gogo Walks ${mark()}`;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  await page.getByRole('link', { name: 'New artist' }).click();
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  await checkScreen(page, 'record-faults');
  await page.getByLabel('Artist').fill(name);
  await page.getByLabel('Description', { exact: true }).fill('Seventy and sharper than ever.');
  await page.getByLabel('Picture').fill(poster);
  await expect(page.getByLabel('Slug')).toHaveValue(slug);
  await page.getByRole('button', { name: 'Save as a draft' }).click();

  // Leaving asks before unsaved text is lost, and a session that ends takes none.
  const typed = 'Eighty, and sharper still.';
  await expect(page.getByRole('heading', { name: 'What the draft changes' })).toBeVisible();
  await page.getByLabel('Description', { exact: true }).fill(typed);
  await page.getByRole('link', { name: 'To the list' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await checkScreen(page, 'leave');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await enterAgain(page, editor);
  expectOnlyRefused(pageErrors, '401');
  await expect(page.locator('ins').getByText(typed)).toBeVisible();

  await submit(page, editor);
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await checkScreen(page, 'record-draft');

  await page.getByRole('link', { name: 'To the list' }).click();
  await page.getByLabel('Kind').selectOption('video');
  await page.getByRole('link', { name: 'New video' }).click();
  await page.getByLabel('Belongs to').fill(slug);
  await page.getByLabel('Title', { exact: true }).fill(`${name} begins`);
  await page.getByLabel('Film', { exact: true }).fill('mcfunny/no-such-film.mp4');
  await expect(page.getByText(/^This film cannot be played/)).toBeVisible();
  expectOnlyRefused(pageErrors, '404');
  await page.getByLabel('Film', { exact: true }).fill('mcfunny/around-the-corner.mp4');
  await page.getByLabel('Picture').fill(poster);
  await expect(page.getByLabel('Date shown')).toHaveValue(/^20\d\d-/);
  await page.getByLabel('Length in seconds').fill('6');
  await page.getByLabel('Size in bytes').fill('62961');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await submit(page, editor);

  // The publisher finds both under what waits, beside others' drafts.
  const other = await openWindow(await newMember('publisher'));
  await other.getByRole('link', { name: /^\d+ drafts wait for a publisher$/ }).click();
  await checkScreen(other, 'drafts');
  for (const draft of [name, `${name} begins`]) {
    const row = other.getByRole('row').filter({ has: other.getByRole('link', { name: draft, exact: true }) });
    await expectSeen(row.locator('.thumbnail'));
    await publish(other, draft);
    if (draft !== name) await expectPlays(other.getByLabel('The film of this record'));
    await other.getByRole('link', { name: 'Drafts', exact: true }).click();
    await expect(
      other.getByRole('table', { name: 'Drafts' }).or(other.getByText('There are no drafts.')),
    ).toBeVisible();
    await expect(other.getByRole('link', { name: draft, exact: true })).toHaveCount(0);
  }

  // Visitors have both, and no longer once the artist is taken down.
  const visitor = await openWindow();
  await visitor.goto(`${site('mcfunny')}/login`);
  const reply = <T>(path: string): Promise<T> =>
    visitor.evaluate(async address => (await fetch(address, { cache: 'no-store' })).json(), path);
  const visible = async () =>
    (await reply<{ id: number; artist: string }[]>('/api/madfunny/fetchArtist?service=mcfunny')).find(
      ({ artist }) => artist === name,
    );
  await expect.poll(visible).toBeDefined();
  const videos = await reply<unknown>(`/api/madfunny/fetchVideos/${(await visible())?.id}`);
  expect(JSON.stringify(videos)).toContain(`${name} begins`);
  await openList(other, 'MC Funny', 'artist');
  await other.getByRole('link', { name, exact: true }).click();
  await checkScreen(other, 'record');
  await other.getByRole('button', { name: 'Take down' }).click();
  const reason = other.getByRole('dialog');
  await reason.getByRole('button', { name: 'Complaint' }).click();
  await reason.getByRole('button', { name: 'Take down' }).click();
  await expect(other.getByText('Not visible', { exact: true })).toBeVisible();
  await expect.poll(visible).toBeUndefined();
  await checkScreen(other, 'record-taken-down');
});

test('an editor exports a list and imports it changed, and a publisher applies what is shown', async ({
  openWindow,
}) => {
  const page = await openWindow(await newMember('editor'));
  await openList(page, 'MC Funny', 'video');
  await expect(page.getByRole('row').filter({ hasText: /round the corner/i })).toBeVisible();
  const { text: csv } = await download(page, page.getByRole('link', { name: 'Export CSV' }));

  const choose = async (name: string, text: string, of = page) => {
    await of
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await of.getByRole('button', { name: 'Show the difference' }).click();
  };
  const discard = async (of = page) => {
    await of.getByRole('button', { name: 'Discard the file' }).click();
    await of.getByRole('dialog').getByRole('button', { name: 'Discard the file' }).click();
  };
  await page.getByRole('link', { name: 'Import a file' }).click();
  await choose('wrong.csv', csv.replaceAll('mcfunny/', 'elsewhere/'));
  await expect(page.getByRole('alert')).toContainText('wrong.csv has');
  await checkScreen(page, 'import-problems');
  await choose('same.csv', csv);
  await expect(page.getByText('No difference: everything is there already')).toBeVisible();
  await discard();

  // Another title, and the list's first row is missing.
  const title = `Round the corner ${mark()}`;
  const file = `${mark()}.csv`;
  const rows = csv.split('\r\n');
  const changed = rows.map(row => row.replace(/(,around-the-corner,[^,]*,)[^,]*/, `$1${title}`));
  expect(changed).not.toEqual(rows);
  await page.getByRole('link', { name: 'Import a file' }).click();
  await choose(file, changed.join('\r\n'));
  await expect(page.getByRole('heading', { name: 'Videos: 1 changed' })).toBeVisible();
  await expect(page.getByText(title).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0);
  await checkScreen(page, 'import-difference-editor');

  const other = await openWindow(await newMember('publisher'));
  await other.getByRole('link', { name: 'Drafts', exact: true }).click();
  await checkScreen(other, 'drafts-files');
  await other.getByRole('link', { name: file }).click();
  await checkScreen(other, 'import-difference');
  await other.getByRole('button', { name: 'Apply' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByText('The file is applied.').first()).toBeVisible();
  await expect(other.getByRole('link', { name: title })).toBeVisible();

  // One field of two records, chosen by keyboard; a removal of nearly all needs its number.
  await other.getByRole('link', { name: title }).focus();
  await other.keyboard.press('x');
  await expect(other.getByText('1 record is selected')).toBeVisible();
  await checkScreen(other, 'content-selected');
  await other.getByRole('button', { name: 'Edit all' }).click();
  await other.getByLabel('Field').selectOption('expires_at');
  await other.getByLabel('Value').fill('2999-01-01T00:00:00');
  await checkScreen(other, 'bulk-edit');
  await other.getByRole('button', { name: 'Show the difference' }).click();
  await expect(other.getByText('1 Jan 2999, 00:00').first()).toBeVisible();
  await discard(other);
  await other.getByRole('link', { name: 'Import a file' }).click();
  await other.getByRole('checkbox', { name: 'Remove what the file does not have' }).check();
  await choose('few.csv', changed.slice(0, 2).join('\r\n'), other);
  await other.getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByLabel(/^Type \d+$/)).toBeVisible();
  await checkScreen(other, 'import-confirm');
  await other.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByRole('alert')).toHaveText('This is not the number.');
});

test('an editor arranges rows by keys and by touch, and a publisher applies the order', async ({
  openWindow,
}) => {
  const visitor = await openWindow();
  await visitor.goto(`${site('racedaytv')}/racedaylogin`);
  const rowsOf = (of: Page) =>
    of.evaluate(async () => {
      const rows = await (await fetch('/api/tt/getCategory/raceday', { cache: 'no-store' })).json();
      return (rows as { category_name: string }[]).map(row => row.category_name);
    });
  const rowsOfSite = () => rowsOf(visitor);
  // An earlier attempt may have applied an order. The first two rows are those of other tests.
  const before = await rowsOfSite();
  const [first = '', second = '', third = '', fourth = '', fifth = '', ...rest] = before;
  const count = before.length;

  // On a touch screen with a keyboard.
  const page = await openWindow(await newMember('editor'), {
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  });
  await openList(page, 'raceday', 'category');
  await page.getByRole('link', { name: 'Arrange' }).click();
  const rows = page.getByRole('listitem').locator('.name');
  await expect(rows).toHaveText(before);
  await checkScreen(page, 'arrange');
  // A change of the window's size ends a move: the last one of the check has to have arrived.
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(1024);
  await page.evaluate(() => new Promise(frame => requestAnimationFrame(() => requestAnimationFrame(frame))));
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await handle(fifth).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(new RegExp(`^${fifth} is (lifted, )?at place 5 of ${count}`))).toBeAttached();
  // dnd-kit listens for further keys a moment after it has said so.
  await page.waitForTimeout(200);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(`${fifth} is at place 4 of ${count}.`)).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText(`${fifth} is now at place 4 of ${count}.`)).toBeAttached();
  await expect(rows).toHaveText([first, second, third, fifth, fourth, ...rest]);
  const { drag } = await touchInput(page);
  const [from, to] = [await centerOf(handle(third)), await centerOf(handle(fifth))];
  await drag(from, 0, to.y - from.y + 4);
  await expect(rows).toHaveText([first, second, fifth, third, fourth, ...rest]);
  // For 50 ms after a move, its end counts as no tap.
  await page.waitForTimeout(200);
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await expect(page.getByRole('heading', { name: 'What the file changes' })).toBeVisible();
  const address = page.url();

  // The site shows it to the one who opens the link.
  await page.getByRole('button', { name: 'Preview' }).click();
  const link = page.getByRole('link', { name: 'Open the preview' });
  const preview = await openWindow();
  await preview.goto((await link.getAttribute('href')) ?? '');
  await expect(preview.getByText(/^Preview of a draft, not public, until \d\d:\d\d\./)).toBeVisible();
  await expect(preview.getByRole('heading', { name: first })).toBeVisible();
  expect(await rowsOf(preview)).toEqual([first, second, fifth, third, fourth, ...rest]);
  expect(await rowsOfSite()).toEqual(before);

  const other = await openWindow(await newMember('publisher'));
  await other.goto(address);
  await other.getByRole('button', { name: 'Apply' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(rowsOfSite).toEqual([first, second, fifth, third, fourth, ...rest]);
});

test('an editor opens the preview of a draft on the site, where a stranger sees nothing of it', async ({
  openWindow,
}) => {
  const name = `Gogo Preview ${mark()}`;
  const page = await openWindow(await newMember('editor'));
  await page.goto(backOffice('/new/comedy/artist?service=MC+Funny'));
  await page.getByLabel('Artist').fill(name);
  await page.getByLabel('Description', { exact: true }).fill('Not announced yet.');
  await page.getByLabel('Picture').fill(poster);
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'The preview is ready' });
  await checkScreen(page, 'preview');
  // As an editor's browser that has the site's service worker.
  const visit = await openWindow(undefined, {
    viewport: { width: 360, height: 740 },
    serviceWorkers: 'allow',
  });
  await visit.goto(`${site('mcfunny')}/`);
  await visit.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await visit.goto((await dialog.getByRole('link', { name: 'Open the preview' }).getAttribute('href')) ?? '');
  await expect(visit).toHaveURL(/\/allvideos\/\d+\//);
  const banner = visit.getByText(/^Preview of a draft, not public, until \d\d:\d\d\./);
  await expect(banner).toBeVisible();
  await expect(visit.getByText(`· ${name}`)).toBeVisible();
  await visit.screenshot({ path: 'test-results/preview-360.png' });
  await visit.goto(`${site('mcfunny')}/`);
  await expect(visit.getByText(name).first()).toBeAttached();
  await expect(banner).toBeVisible();

  const stranger = await openWindow();
  await stranger.goto(`${site('mcfunny')}/`);
  await expect(stranger.getByText('Loadshed Lwazi').first()).toBeAttached();
  await expect(stranger.getByText(name)).toHaveCount(0);

  // After its end nothing of it is left in this browser, on the line or in the service worker's caches.
  await visit.getByRole('link', { name: 'End preview' }).click();
  await expect(visit.getByText('Loadshed Lwazi').first()).toBeAttached();
  await expect(banner).toHaveCount(0);
  await expect(visit.getByText(name)).toHaveCount(0);
  const kept = await visit.evaluate(async () => {
    const texts = await Promise.all(
      (await caches.keys()).map(async key => {
        const cache = await caches.open(key);
        const replies = await Promise.all((await cache.keys()).map(request => cache.match(request)));
        return Promise.all(replies.map(reply => reply?.text() ?? ''));
      }),
    );
    return texts.flat().join();
  });
  expect(kept).toContain('Loadshed Lwazi');
  expect(kept).not.toContain(name);
});
