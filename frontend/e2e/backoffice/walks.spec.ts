/** The main jobs of an administrator, of an editor and a publisher, of support and of finance, in the order of a first day. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Browser, expect, type Page } from '@playwright/test';
import { centerOf, expectOnlyRefused, join, newNumber, site, touchInput } from '../visit';
import { expectEveryScreenFits, expectOutsideFits } from './long-words';
import {
  accept,
  backOffice,
  checkScreen,
  code,
  openAsFirstAdministrator,
  otherBrowser,
  type Person,
  person,
  signIn,
  test,
} from './staff';

// The first administrator's link works once, and the others come from it.
test.describe.configure({ mode: 'serial' });
// `code` waits for the next code.
test.slow();

const administrator = person('Naledi Administrator');
/** The others' persons and links, from the administrator's walk. */
let agent: Person;
let accountant: Person;
let editor: Person;
let publisher: Person;
let editorLink = '';
let publisherLink = '';
let agentLink = '';
let accountantLink = '';

/** Invites by the screen, and returns the link. */
async function invite(
  page: Page,
  { email, name }: { email: string; name: string },
  roles: string[],
): Promise<string> {
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a staff member' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('E-mail address').fill(email);
  for (const role of roles) await dialog.getByRole('checkbox', { name: role }).check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const ready = page.getByRole('dialog', { name: 'The link is ready' });
  const link = (await ready.getByText(/^https?:/).textContent()) ?? '';
  await ready.getByText('Close').click();
  return link;
}

/** Accepts a link in another person's browser. */
async function acceptElsewhere(
  browser: Browser,
  pageErrors: string[],
  link: string,
  who: Person,
): Promise<Page> {
  const page = await otherBrowser(browser, pageErrors);
  await accept(page, link, who);
  return page;
}

/** The number of a new subscriber. */
async function newSubscriber(browser: Browser): Promise<string> {
  const visitor = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const number = await join({
    page: await visitor.newPage(),
    label: 'memeworld',
    form: '/memelogin',
    home: '/redirectTo',
    leads: 'Check, result 1: /redirectTo on memeworld',
  });
  await visitor.close();
  return number;
}

test('an administrator accepts the first link, invites, restricts and removes', async ({
  page,
  browser,
  pageErrors,
}) => {
  await openAsFirstAdministrator(page, administrator);
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await checkScreen(page, 'staff');

  // When the tests are repeated, the first attempt's people are there already.
  const again = test.info().retry ? ` ${test.info().retry}` : '';
  agent = person(`Sipho Support${again}`);
  accountant = person(`Zola Finance${again}`);
  const leaver = person(`Thabo Leaver${again}`);
  editor = person(`Thandi Editor${again}`);
  publisher = person(`Lerato Publisher${again}`);
  editorLink = await invite(page, editor, ['Editor']);
  publisherLink = await invite(page, publisher, ['Publisher']);
  agentLink = await invite(page, agent, ['Support']);
  accountantLink = await invite(page, accountant, ['Finance']);

  const leaverLink = await invite(page, leaver, ['Editor', 'Administrator']);
  const leaverPage = await acceptElsewhere(browser, pageErrors, leaverLink, leaver);
  await expect(leaverPage.getByRole('link', { name: 'Staff', exact: true })).toBeVisible();

  // A restriction ends the session at once.
  await page.reload();
  await page.getByRole('button', { name: `Edit ${leaver.name}` }).click();
  const edit = page.getByRole('dialog', { name: 'Roles and access' });
  await edit.getByRole('checkbox', { name: 'Administrator' }).uncheck();
  await edit.getByRole('button', { name: 'Save roles' }).click();
  await expect(edit).toBeHidden();
  await leaverPage.getByRole('link', { name: 'Audit log', exact: true }).click();
  await expect(leaverPage.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expectOnlyRefused(pageErrors, '401');
  await signIn(leaverPage, leaver);
  await expect(leaverPage.getByRole('link', { name: 'Staff', exact: true })).toHaveCount(0);
  await leaverPage.goto(backOffice('/staff'));
  await expect(leaverPage.getByText('Your roles do not include this screen.')).toBeVisible();

  // A removal, too, and the password no longer works.
  await page.getByRole('button', { name: `Edit ${leaver.name}` }).click();
  await edit.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove the account' }).click();
  await expect(page.getByRole('button', { name: `Edit ${leaver.name}` })).toHaveCount(0);
  await leaverPage.goto(backOffice());
  await expect(leaverPage.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await checkScreen(leaverPage, 'sign-in');
  await leaverPage.getByLabel('E-mail address').fill(leaver.email);
  await leaverPage.getByRole('textbox', { name: 'Password' }).fill(leaver.password);
  await leaverPage.getByLabel('Code of the authenticator app').fill(await code(leaver));
  await leaverPage.getByRole('button', { name: 'Sign in' }).click();
  await expect(leaverPage.getByRole('alert')).toBeVisible();
  expectOnlyRefused(pageErrors, '401');
  await leaverPage.context().close();

  // The log names all of it, and is intact.
  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: leaver.email }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('The log is intact')).toBeVisible();
  await checkScreen(page, 'audit');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export' }).click();
  expect((await (await download).failure()) ?? 'none').toBe('none');

  await page.getByRole('link', { name: 'My sessions' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await checkScreen(page, 'sessions');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('an editor prepares an artist and a film, and a publisher puts them live', async ({
  page,
  browser,
  pageErrors,
}) => {
  await accept(page, editorLink, editor);
  await expect(page.getByRole('link', { name: 'Support', exact: true })).toHaveCount(0);
  await checkScreen(page, 'start-editor');
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByLabel('Site').selectOption('MC Funny');
  await page.getByLabel('Kind').selectOption('artist');
  await expect(page.getByRole('row').filter({ hasText: 'Loadshed Lwazi' })).toBeVisible();
  await checkScreen(page, 'content');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('loadshed');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);

  // When the tests are repeated, the first attempt's records are there already.
  const name = `Gogo Walks${test.info().retry ? ` ${test.info().retry}` : ''}`;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const poster = 'https://images.spaza.example/demo/mcfunny/thumbs/around-the-corner.webp';
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
  await page.getByLabel('E-mail address').fill(editor.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(editor.password);
  await page.getByLabel('Code of the authenticator app').fill(await code(editor));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('This is what you typed before you were signed out.')).toBeVisible();
  await expect(page.getByLabel('Description', { exact: true })).toHaveValue(typed);
  expectOnlyRefused(pageErrors, '401');
  await checkScreen(page, 'record-restored');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await expect(page.locator('ins').getByText(typed)).toBeVisible();

  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText(`In review, saved by ${editor.email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await checkScreen(page, 'record-draft');

  await page.getByRole('link', { name: 'To the list' }).click();
  await page.getByLabel('Kind').selectOption('video');
  await page.getByRole('link', { name: 'New video' }).click();
  await page.getByLabel('Belongs to').fill(slug);
  await page.getByLabel('Title', { exact: true }).fill(`${name} begins`);
  await page.getByLabel('Film').fill('mcfunny/around-the-corner.mp4');
  await page.getByLabel('Picture').fill(poster);
  await page.getByLabel('Date shown').fill('2026-11-25T08:00:00');
  await page.getByLabel('Length in seconds').fill('6');
  await page.getByLabel('Size in bytes').fill('62961');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText(`In review, saved by ${editor.email}`)).toBeVisible();

  // The publisher finds both under what waits.
  const other = await acceptElsewhere(browser, pageErrors, publisherLink, publisher);
  await other.getByRole('link', { name: '2 drafts wait for a publisher' }).click();
  await checkScreen(other, 'drafts');
  for (const draft of [slug, `${slug}-begins`]) {
    await other.getByRole('link', { name: draft, exact: true }).click();
    await other.getByRole('button', { name: 'Publish' }).click();
    const dialog = other.getByRole('dialog', { name: 'Publish this draft?' });
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog).toBeHidden();
    await expect(other.getByText('Listed', { exact: true })).toBeVisible();
    await other.getByRole('link', { name: 'Drafts', exact: true }).click();
  }
  await expect(other.getByText('There are no drafts.')).toBeVisible();

  // Visitors have both, and no longer once the artist is taken down.
  const visitor = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
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
  await other.getByRole('link', { name: 'Content', exact: true }).click();
  await other.getByLabel('Site').selectOption('MC Funny');
  await other.getByLabel('Kind').selectOption('artist');
  await other.getByRole('link', { name, exact: true }).click();
  await checkScreen(other, 'record');
  await other.getByRole('button', { name: 'Take down' }).click();
  const reason = other.getByRole('dialog');
  await reason.getByRole('button', { name: 'Complaint' }).click();
  await reason.getByRole('button', { name: 'Take down' }).click();
  await expect(other.getByText('Not visible', { exact: true })).toBeVisible();
  await expect.poll(visible).toBeUndefined();
  await checkScreen(other, 'record-taken-down');
  await visitor.context().close();
  await other.context().close();
});

test('an editor exports a list and imports it changed, and a publisher applies what is shown', async ({
  page,
  browser,
  pageErrors,
}) => {
  await signIn(page, editor);
  // Without a session, the first call is refused.
  expectOnlyRefused(pageErrors, '401');
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByLabel('Site').selectOption('MC Funny');
  await page.getByLabel('Kind').selectOption('video');
  await expect(page.getByRole('row').filter({ hasText: /round the corner/i })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');

  const choose = async (name: string, text: string) => {
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Show the difference' }).click();
  };
  await page.getByRole('link', { name: 'Import a file' }).click();
  await choose('wrong.csv', csv.replaceAll('mcfunny/', 'elsewhere/'));
  await expect(page.getByRole('alert')).toContainText('wrong.csv has');
  await checkScreen(page, 'import-problems');
  await choose('same.csv', csv);
  await expect(page.getByText('No difference: everything is there already')).toBeVisible();
  await page.getByRole('button', { name: 'Discard the file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard the file' }).click();

  // Another title, and the list's first row is missing.
  const title = `Round the corner ${test.info().retry}`;
  const rows = csv.split('\r\n');
  const changed = rows.map(row => row.replace(/(,around-the-corner,[^,]*,)[^,]*/, `$1${title}`));
  expect(changed).not.toEqual(rows);
  await page.getByRole('link', { name: 'Import a file' }).click();
  await choose('videos.csv', changed.join('\r\n'));
  await expect(page.getByRole('heading', { name: 'Videos: 1 changed' })).toBeVisible();
  await expect(page.getByText(title).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0);
  await checkScreen(page, 'import-difference-editor');

  const other = await otherBrowser(browser, pageErrors);
  await signIn(other, publisher);
  expectOnlyRefused(pageErrors, '401');
  await other.getByRole('link', { name: 'Drafts', exact: true }).click();
  await checkScreen(other, 'drafts-files');
  await other.getByRole('link', { name: 'videos.csv' }).first().click();
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
  await other.getByRole('button', { name: 'Discard the file' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Discard the file' }).click();
  await other.getByRole('link', { name: 'Import a file' }).click();
  await other.getByLabel('File', { exact: true }).setInputFiles({
    name: 'few.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(changed.slice(0, 2).join('\r\n')),
  });
  await other.getByRole('checkbox', { name: 'Remove what the file does not have' }).check();
  await other.getByRole('button', { name: 'Show the difference' }).click();
  await other.getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByLabel(/^Type \d+$/)).toBeVisible();
  await checkScreen(other, 'import-confirm');
  await other.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByRole('alert')).toHaveText('This is not the number.');
  await other.context().close();
});

/** A film of 20 seconds with a sound, made by ffmpeg. */
function makeFilm(name: string): string {
  const path = test.info().outputPath(name);
  const source =
    '-f lavfi -i testsrc2=s=640x360:r=25:d=20 -f lavfi -i sine=d=20 -c:v libx264 -preset ultrafast';
  execFileSync('ffmpeg', [
    ...`-nostdin -v error -y ${source} -b:v 800k -c:a aac -shortest -movflags +faststart`.split(' '),
    path,
  ]);
  return path;
}

test('a film whose upload a closed browser cut goes on in another one, and is put live', async ({
  page,
  browser,
  pageErrors,
}) => {
  const again = test.info().retry ? `-${test.info().retry}` : '';
  const name = `walk-film${again}.mp4`;
  const path = makeFilm(name);

  // Half of the film arrives, and then the browser is closed.
  const first = await otherBrowser(browser, pageErrors);
  await signIn(first, editor);
  expectOnlyRefused(pageErrors, '401');
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
  await signIn(page, editor);
  expectOnlyRefused(pageErrors, '401');
  await page.getByRole('link', { name: 'Uploads', exact: true }).click();
  const row = page.getByRole('listitem', { name });
  await expect(row.getByText('Stopped')).toBeVisible();
  await checkScreen(page, 'uploads-stopped');
  const part = page.waitForRequest(request => request.method() === 'PATCH');
  await row.getByLabel(`Choose ${name} again`).setInputFiles(path);
  expect((await part).headers()['upload-offset']).toBe(String(half));
  await expect(row.getByText('Ready', { exact: true })).toBeVisible({ timeout: 180_000 });
  const still = row.getByRole('radio', { name: 'Picture 4 of the film' });
  await still.click();
  await expect(still).toBeChecked();
  await row.getByText('Log', { exact: true }).click();
  await expect(row.getByText('The film is ready.')).toBeVisible();
  await checkScreen(page, 'uploads-ready');

  // In the form of a record, one tap fills in what is known of the film.
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByLabel('Site').selectOption('MC Funny');
  await page.getByLabel('Kind').selectOption('video');
  await page.getByRole('link', { name: 'New video' }).click();
  await page.getByLabel('Belongs to').fill('loadshed-lwazi');
  await page.getByLabel('Title', { exact: true }).fill(`Uploaded film${again}`);
  await page.getByLabel('Date shown').fill('2026-11-25T08:00:00');
  await page.getByRole('button', { name: 'Upload a film' }).click();
  await page.getByRole('button', { name: `Use the film ${name}` }).click();
  await expect(page.getByLabel('Film', { exact: true })).toHaveValue(
    /^mcfunny\/uploads\/walk-film.*\/master\.m3u8$/,
  );
  await expect(page.getByLabel('Picture', { exact: true })).toHaveValue(/card-4\.webp$/);
  await expect(page.getByLabel('Length in seconds')).toHaveValue('20');
  await checkScreen(page, 'record-upload');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText(`In review, saved by ${editor.email}`)).toBeVisible();
  const other = await otherBrowser(browser, pageErrors);
  await signIn(other, publisher);
  expectOnlyRefused(pageErrors, '401');
  await other.getByRole('link', { name: 'Drafts', exact: true }).click();
  await other.getByRole('link', { name: `uploaded-film${again}`, exact: true }).click();
  await other.getByRole('button', { name: 'Publish' }).click();
  const dialog = other.getByRole('dialog', { name: 'Publish this draft?' });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(dialog).toBeHidden();
  await expect(other.getByText('Listed', { exact: true })).toBeVisible();
  await other.context().close();
  const visitor = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  await visitor.goto(`${site('mcfunny')}/login`);
  const videos = () =>
    visitor.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1', { cache: 'no-store' })).text());
  await expect.poll(videos).toContain(`"Uploaded film${again}"`);
  await visitor.context().close();
});

test('an editor arranges rows by keys and by touch, and a publisher applies the order', async ({
  browser,
  pageErrors,
}) => {
  const visitor = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
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
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true });
  const page = await context.newPage();
  page.on('pageerror', error => pageErrors.push(`exception: ${error.message}`));
  await signIn(page, editor);
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByLabel('Site').selectOption('raceday');
  await page.getByLabel('Kind').selectOption('category');
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
  const preview = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  await preview.goto((await link.getAttribute('href')) ?? '');
  await expect(preview.getByText(/^Preview of a draft, not public, until \d\d:\d\d\./)).toBeVisible();
  await expect(preview.getByRole('heading', { name: first })).toBeVisible();
  expect(await rowsOf(preview)).toEqual([first, second, fifth, third, fourth, ...rest]);
  expect(await rowsOfSite()).toEqual(before);
  await preview.context().close();
  await context.close();

  const other = await otherBrowser(browser, pageErrors);
  await signIn(other, publisher);
  expectOnlyRefused(pageErrors, '401');
  await other.goto(address);
  await other.getByRole('button', { name: 'Apply' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(rowsOfSite).toEqual([first, second, fifth, third, fourth, ...rest]);
  await visitor.context().close();
  await other.context().close();
});

/** A picture of 2000 by 1000 pixels, red on the left and blue on the right; `turned` as by a camera that was held upright. */
function makePicture(name: string, turned = false): string {
  const path = test.info().outputPath(name);
  const source = '-f lavfi -i color=red:s=1000x1000 -f lavfi -i color=blue:s=1000x1000';
  execFileSync('ffmpeg', [
    ...`-nostdin -v error -y ${source} -filter_complex hstack -frames:v 1`.split(' '),
    path,
  ]);
  if (turned) {
    // EXIF of 34 bytes, with one field: orientation 6.
    const fields = [
      'ffe1',
      '0022',
      '457869660000',
      '49492a0008000000',
      '0100',
      '1201',
      '0300',
      '01000000',
      '06000000',
    ];
    const exif = Buffer.from(`${fields.join('')}00000000`, 'hex');
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 2), exif, bytes.subarray(2)]));
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
  browser,
  pageErrors,
}) => {
  // On a touch screen with a keyboard.
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true });
  const page = await context.newPage();
  page.on('pageerror', error => pageErrors.push(`exception: ${error.message}`));
  page.on('console', message => {
    // A trace reads the unreadable picture again, which the policy forbids.
    const ofTrace = message.text().startsWith("Connecting to 'blob:");
    if (/policy/i.test(message.text()) && !ofTrace) pageErrors.push(`console: ${message.text()}`);
  });
  await signIn(page, editor);
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

  // What is published is cropped again, enlarged, and moved by buttons; the first one stays.
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
  await context.close();
});

test('an editor opens the preview of a draft on the site, where a stranger sees nothing of it', async ({
  page,
  browser,
  pageErrors,
}) => {
  const name = `Gogo Preview${test.info().retry ? ` ${test.info().retry}` : ''}`;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  await signIn(page, editor);
  expectOnlyRefused(pageErrors, '401');
  await page.goto(backOffice('/new/comedy/artist?service=MC+Funny'));
  await page.getByLabel('Artist').fill(name);
  await page.getByLabel('Description', { exact: true }).fill('Not announced yet.');
  await page
    .getByLabel('Picture')
    .fill('https://images.spaza.example/demo/mcfunny/thumbs/around-the-corner.webp');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  try {
    await page.getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog', { name: 'The preview is ready' });
    await checkScreen(page, 'preview');
    // As an editor's browser that has the site's service worker.
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      serviceWorkers: 'allow',
    });
    const visit = await context.newPage();
    await visit.goto(`${site('mcfunny')}/`);
    await visit.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await visit.goto(
      (await dialog.getByRole('link', { name: 'Open the preview' }).getAttribute('href')) ?? '',
    );
    await expect(visit).toHaveURL(/\/allvideos\/\d+\//);
    const banner = visit.getByText(/^Preview of a draft, not public, until \d\d:\d\d\./);
    await expect(banner).toBeVisible();
    await expect(visit.getByText(`· ${name}`)).toBeVisible();
    await visit.screenshot({ path: 'test-results/preview-360.png' });
    await visit.goto(`${site('mcfunny')}/`);
    await expect(visit.getByText(name).first()).toBeAttached();
    await expect(banner).toBeVisible();

    const stranger = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    await stranger.goto(`${site('mcfunny')}/`);
    await expect(stranger.getByText('Loadshed Lwazi').first()).toBeAttached();
    await expect(stranger.getByText(name)).toHaveCount(0);
    await stranger.context().close();

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
    await context.close();
  } finally {
    // A repetition finds no draft that it did not make.
    await page.evaluate(async of => {
      const { drafts } = await (await fetch('/api/content/drafts')).json();
      for (const { id, slug } of drafts)
        if (slug === of) await fetch(`/api/content/drafts/${id}`, { method: 'DELETE' });
    }, slug);
  }
});

test('support answers why a number was charged, and gives it back', async ({ page, browser }) => {
  const number = await newSubscriber(browser);

  await accept(page, agentLink, agent);
  await checkScreen(page, 'start');
  // Only the screens of the role.
  await expect(page.getByRole('link', { name: 'Audit log', exact: true })).toHaveCount(0);
  const charge = page.getByRole('button', { name: /^Give back R3 of / });
  const search = async () => {
    // Leaves the field, where a slash would be text.
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(number);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  };
  // The scheduler makes the first charge within seconds of the join.
  await expect(async () => {
    await search();
    await expect(charge.first()).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 120_000 });
  // Masked everywhere, and not in the address.
  await expect(page.locator('main')).not.toContainText(number);
  expect(page.url()).not.toContain(number);

  // Why was I charged on this day? The charge and, by its wording, the consent.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Johannesburg' }).format(new Date());
  await page.getByLabel('On day').fill(today);
  await page.getByRole('radio', { name: 'Money' }).check();
  const entries = page.getByRole('list', { name: 'Timeline, newest first' }).locator('summary');
  await expect(entries.filter({ hasText: 'R3' })).toHaveCount(1);
  await page.getByRole('radio', { name: 'Joins and leaves' }).check();
  await expect(entries.filter({ hasText: 'Consent' }).first()).toBeVisible();
  await entries.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(entries.nth(1)).toBeFocused();
  await page.getByRole('radio', { name: 'Everything' }).check();
  await checkScreen(page, 'support');

  await charge.first().click();
  const dialog = page.getByRole('dialog', { name: 'Give back R3?' });
  // Without a reason nothing happens.
  await dialog.getByRole('button', { name: 'Give it back' }).click();
  await expect(dialog.getByText('Give a reason')).toBeVisible();
  await checkScreen(page, 'refund');
  await dialog.getByRole('button', { name: 'Does not remember joining' }).click();
  await dialog.getByRole('button', { name: 'Give it back' }).click();
  await expect(dialog).toBeHidden();
  await expect(entries.filter({ hasText: 'Refund' })).toHaveCount(1);
  await expect(charge).toHaveCount(0);

  await page.getByLabel('Note', { exact: true }).fill('Explained the price.');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(entries.filter({ hasText: 'Explained the price.' })).toHaveCount(1);

  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByLabel('Reason').fill('To call back');
  await page.getByRole('button', { name: 'Reveal the number' }).click();
  await expect(page.locator('main')).toContainText(number.slice(-9));

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Dossier', exact: true }).click();
  const dossier = await download;
  expect(dossier.suggestedFilename()).toBe('dossier.pdf');
  expect((await dossier.failure()) ?? 'none').toBe('none');

  await page.getByRole('button', { name: 'Block joins' }).click();
  await page.getByLabel('Reason').fill('Asked by phone');
  await page.getByRole('button', { name: 'Block the number' }).click();
  await expect(page.locator('main')).toContainText('Blocked from joining by ');

  await page.getByRole('button', { name: /^End the subscription to / }).click();
  await page.getByLabel('Reason').fill('Asked by phone');
  await page.getByRole('button', { name: 'End the subscription', exact: true }).click();
  await expect(page.getByRole('button', { name: /^End the subscription to / })).toHaveCount(0);

  await page.getByRole('link', { name: 'Approvals' }).click();
  await expect(page.getByText('No refund waits for a second person.')).toBeVisible();
  await checkScreen(page, 'approvals');
});

/** Looks a number up by the keyboard, from any screen. */
async function lookUp(page: Page, number: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
}

/** A number whose subscription has ended, and whose data is erased when its sessions have ended, too. */
let leaver = '';

test('support exports the data of a number, and ends what is in the way of an erasure', async ({
  page,
  browser,
  pageErrors,
}) => {
  leaver = await newSubscriber(browser);
  await signIn(page, agent);
  // Without a session, the first call is refused.
  expectOnlyRefused(pageErrors, '401');
  await expect(async () => {
    await lookUp(page, leaver);
    await expect(page.getByRole('button', { name: /^Give back R3 of / }).first()).toBeVisible({
      timeout: 2000,
    });
  }).toPass({ timeout: 120_000 });

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const exporting = page.getByRole('dialog', { name: 'Export all that is known of this number?' });
  await exporting.getByRole('button', { name: 'Asked in writing' }).click();
  await checkScreen(page, 'export');
  const download = page.waitForEvent('download');
  await exporting.getByRole('button', { name: 'Export the data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('personal-data.json');
  const text = readFileSync(await file.path(), 'utf8');
  expect(JSON.parse(text).number).toBe(leaver);
  expect(text).toContain('"ledger"');

  // A subscription that runs is in the way, and the words say what to do.
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const obstacles = page.getByRole('dialog', { name: 'This number cannot be erased yet' });
  await expect(obstacles.getByText('The subscription to memeworld runs. End it first.')).toBeVisible();
  await checkScreen(page, 'erase-obstacles');
  await obstacles.getByText('Close').click();
  await page.getByRole('button', { name: /^End the subscription to / }).click();
  await page.getByLabel('Reason').fill('Asked by phone');
  await page.getByRole('button', { name: 'End the subscription', exact: true }).click();
  await expect(page.getByRole('button', { name: /^End the subscription to / })).toHaveCount(0);
});

// Before finance closes the month, whose dialog is one of those that are opened.
test('every screen fits the narrowest phone in a longer language', async ({ page, browser, pageErrors }) => {
  const number = await newSubscriber(browser);
  await openAsFirstAdministrator(page, administrator);
  const again = test.info().retry ? ` ${test.info().retry}` : '';
  const everyone = person(`Nomvula Everyone${again}`);
  const roles = ['Editor', 'Publisher', 'Support', 'Finance', 'Administrator'];
  const link = await invite(page, everyone, roles);
  const unused = await invite(page, person(`Anele Invited${again}`), ['Support']);
  const other = await acceptElsewhere(browser, pageErrors, link, everyone);
  await expectEveryScreenFits(other, number);
  await other.context().close();
  const stranger = await otherBrowser(browser, pageErrors);
  await expectOutsideFits(stranger, unused);
  // Whether there is a session.
  expectOnlyRefused(pageErrors, '401');
  await stranger.context().close();
});

test('an administrator reads the evidence against a publisher, holds it and releases it', async ({
  page,
  browser,
  pageErrors,
}) => {
  const publisherName = `walk-ad-${test.info().retry}`;
  const visitor = await otherBrowser(browser, pageErrors);
  await visitor.goto(`${site('memeworld')}/memelogin?ext_ref=${publisherName}`);
  await visitor.locator('input[name=msisdn]').fill(newNumber());
  await visitor.getByRole('button', { name: 'JOIN' }).click();
  await expect(visitor.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await visitor.context().close();

  await openAsFirstAdministrator(page, administrator);
  expectOnlyRefused(pageErrors, '401');
  await page.getByRole('link', { name: 'Publishers', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill(publisherName);
  const row = page.getByRole('row').filter({ hasText: publisherName });
  await expect(row).toContainText('memeworld');
  await expect(page.getByRole('row')).toHaveCount(2);
  await checkScreen(page, 'publishers');
  for (const format of ['JSON', 'CSV']) {
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: `Evidence against ${publisherName} as ${format}` }).click();
    expect((await download).suggestedFilename()).toMatch(/^evidence-\d{4}-\d{2}\.(json|csv)$/);
    expect((await (await download).failure()) ?? 'none').toBe('none');
  }
  await row.getByRole('button', { name: `Hold ${publisherName}` }).click();
  const dialog = page.getByRole('dialog', { name: `Hold ${publisherName}?` });
  await checkScreen(page, 'publisher-hold');
  await dialog.getByLabel('Reason').fill('Complaints about its page');
  await dialog.getByRole('button', { name: 'Hold the publisher' }).click();
  await expect(row).toContainText('Complaints about its page');
  await page.getByLabel(/^State/).selectOption('Held now');
  await expect(row).toContainText(/by \S+@/);
  await row.getByRole('button', { name: `Release ${publisherName}` }).click();
  const release = page.getByRole('dialog', { name: `Release ${publisherName}?` });
  await release.getByLabel('Reason').fill('The page was changed');
  await release.getByRole('button', { name: 'Release the publisher' }).click();
  await expect(page.getByText('No publisher matches these filters.')).toBeVisible();
});

test('finance enters terms and closes last month', async ({ page }) => {
  await accept(page, accountantLink, accountant);
  await expect(page.getByRole('link', { name: 'Support', exact: true })).toHaveCount(0);
  await checkScreen(page, 'start-finance');

  await page.getByRole('link', { name: 'Contract terms' }).click();
  await page.getByRole('button', { name: 'Add a term' }).click();
  const term = page.getByRole('dialog', { name: 'Add a contract term' });
  await term.getByRole('button', { name: 'Add the term' }).click();
  await expect(term.getByText('Choose a network.')).toBeVisible();
  await checkScreen(page, 'term');
  await term.getByLabel('Network').selectOption('sandbox-pull');
  await term.getByLabel('Party').fill('Network');
  await term.getByLabel('Percent of net').fill('12.5');
  await term.getByLabel('From').fill('2026-01-01');
  await term.getByRole('button', { name: 'Add the term' }).click();
  await expect(
    page.getByRole('row').filter({ hasText: 'Network' }).filter({ hasText: '12.5' }).first(),
  ).toBeVisible();
  await checkScreen(page, 'terms');

  // Last month waits, with one charge: R3, of which 39 cents are VAT, and an eighth of the rest is the network's.
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  const { month } = lastMonth();
  await expect(page.getByLabel('Month')).toBeVisible();
  // A repetition may find the month closed by the first attempt.
  if (test.info().retry === 0 || (await page.getByLabel('Month').inputValue()) === month)
    await closeLastMonth(page);
  await page.getByLabel('Month').selectOption(month);
  await expect(page.locator('main')).toContainText(`Closed by ${test.info().retry ? '' : accountant.email}`);
  await checkScreen(page, 'books-closed');
  for (const [link, file] of [
    ['CSV', `book-${month}.csv`],
    ['Statement', `statement-${month}.pdf`],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: link, exact: true }).click();
    expect((await download).suggestedFilename()).toBe(file);
    expect((await (await download).failure()) ?? 'none').toBe('none');
  }

  await page.getByRole('link', { name: 'Differences' }).click();
  await expect(page.getByRole('heading', { name: 'Differences' })).toBeVisible();
  await checkScreen(page, 'differences');
});

/** Counts last month, looks at its books, and closes it. */
async function closeLastMonth(page: Page): Promise<void> {
  const { month, name } = lastMonth();
  const figures = page.locator('main dl');
  // The charge was entered past the service, which has not counted it.
  await page.getByRole('button', { name: 'Count again' }).click();
  await expect(figures.first()).toContainText('R3.00');
  await expect(figures.nth(1)).toContainText('R0.33');
  await expect(page.getByLabel('Month')).toHaveValue(month);
  // The charge is of the 15th: the chart draws it, and says it at the place that keys choose.
  await expect(page.locator('main canvas')).toHaveCount(2);
  const plot = page.getByRole('slider', { name: 'Charged and given back: choose with the arrows' });
  await plot.press('Home');
  for (let day = 1; day < 15; day++) await plot.press('ArrowRight');
  await expect(plot).toHaveAttribute('aria-valuetext', / 15 .*, Charged R3\.00, Given back R0\.00$/);
  await page.getByText('The same as a table').first().click();
  await checkScreen(page, 'books-plot');
  await page.getByText('The same as a table').first().click();
  // No number joined or left last month.
  const moves = page.getByRole('slider', { name: 'Joins and leaves: choose with the arrows' });
  await expect(moves).toHaveAttribute('aria-valuetext', 'In all, Joins 0, Leaves 0');
  await page.getByRole('radio', { name: 'By day' }).check();
  await expect(page.getByRole('row').filter({ hasText: 'R2.61' })).toBeVisible();
  await checkScreen(page, 'books-days');
  await page.getByRole('radio', { name: 'By brand' }).check();
  await expect(page.getByRole('row').filter({ hasText: 'memeworld' })).toBeVisible();
  await checkScreen(page, 'books');
  await page.getByRole('button', { name: 'Close month' }).click();
  const dialog = page.getByRole('dialog', { name: `Close ${name}?` });
  await expect(dialog).toContainText('R3.00');
  await checkScreen(page, 'close');
  await dialog.getByRole('button', { name: 'Close the month' }).click();
  await expect(dialog).toBeHidden();
  // The running month is shown, which cannot be closed.
  await expect(page.getByLabel('Month')).not.toHaveValue(month);
  await expect(page.getByRole('button', { name: 'Close month' })).toHaveCount(0);
}

/** The month before this one in Johannesburg, which has a charge before the tests begin. */
function lastMonth(): { month: string; name: string } {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Johannesburg' }).format(new Date());
  const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  const name = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
  return { month: first.toISOString().slice(0, 7), name: name.format(first) };
}

test('support erases the data of a number, with a second person', async ({ page, browser, pageErrors }) => {
  const again = test.info().retry ? ` ${test.info().retry}` : '';
  const second = person(`Nomsa Support${again}`);
  const administratorPage = await otherBrowser(browser, pageErrors);
  await signIn(administratorPage, administrator);
  await administratorPage.getByRole('link', { name: 'Staff', exact: true }).click();
  const secondLink = await invite(administratorPage, second, ['Support']);
  await administratorPage.context().close();

  await signIn(page, agent);
  // Both began without a session.
  expectOnlyRefused(pageErrors, '401');
  await lookUp(page, leaver);
  // Two minutes after the end.
  const erase = page.getByRole('dialog', { name: 'Erase the data of this number?' });
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await expect(erase.getByRole('button', { name: 'Ask for the erasure' })).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 180_000, intervals: [5000] });
  await expect(erase.getByText('A charge or a refund (1)')).toBeVisible();
  await erase.getByRole('button', { name: 'Asked by phone' }).click();
  await checkScreen(page, 'erase');
  await erase.getByRole('button', { name: 'Ask for the erasure' }).click();
  await expect(erase).toBeHidden();
  await page.getByRole('link', { name: 'Approvals' }).click();
  await expect(page.getByText('You asked for this one, so another person decides.')).toBeVisible();

  const other = await acceptElsewhere(browser, pageErrors, secondLink, second);
  await other.getByRole('link', { name: 'Approvals' }).click();
  await checkScreen(other, 'erasure-waits');
  await other.getByRole('button', { name: /^Confirm the erasure of / }).click();
  await other.getByLabel('Reason').fill('Checked by phone');
  await other.getByRole('button', { name: 'Erase the data' }).click();
  const letter = other.getByRole('link', { name: /^Text for the person about / }).first();
  await expect(letter).toBeVisible({ timeout: 60_000 });
  await checkScreen(other, 'erasure-done');
  const letterDownload = other.waitForEvent('download');
  await letter.click();
  const words = readFileSync(await (await letterDownload).path(), 'utf8');
  expect(words).toContain('- A charge or a refund (1)');
  expect(words).not.toContain(leaver.slice(-9));
  await other.context().close();
});

test('a member makes a passkey, signs in by it in place of a code, and removes it', async ({
  page,
  browser,
  pageErrors,
}) => {
  await openAsFirstAdministrator(page, administrator);
  const again = test.info().retry ? ` ${test.info().retry}` : '';
  const member = person(`Lindiwe Passkey${again}`);
  const own = await acceptElsewhere(browser, pageErrors, await invite(page, member, ['Editor']), member);
  const devices = await own.context().newCDPSession(own);
  await devices.send('WebAuthn.enable');
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });

  await own.getByRole('link', { name: 'My sessions' }).click();
  await own.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = own.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Make the passkey' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await checkScreen(own, 'add-passkey');
  await dialog.getByLabel('Name of the passkey').fill('Work phone');
  await own.keyboard.press('Enter');
  const row = own.getByRole('row').filter({ hasText: 'Work phone' });
  await expect(row).toContainText('Never');
  await checkScreen(own, 'passkeys');

  const signInWithoutCode = async () => {
    await own.getByRole('button', { name: 'Sign out' }).click();
    await own.getByLabel('E-mail address').fill(member.email);
    await own.getByRole('textbox', { name: 'Password' }).fill(member.password);
    await own.keyboard.press('Enter');
  };
  // An authenticator that does not verify its user is not accepted; the person can try again, or enter a code.
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signInWithoutCode();
  await expect(own.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  // Beside a notice that has not faded yet.
  const fault = own.locator('[role=alert]:not(.Toastify__toast)');
  await expect(fault).toHaveText(/^The passkey was not used/);
  await checkScreen(own, 'second-factor');
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await own.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(own.getByRole('heading', { name: 'My sessions' })).toBeVisible();

  // The browser asks for the passkey by itself.
  await signInWithoutCode();
  await expect(row).not.toContainText('Never');
  await own.getByRole('button', { name: 'Remove the passkey Work phone' }).click();
  await own.getByRole('dialog').getByRole('button', { name: 'Remove the passkey' }).click();
  await expect(row).toHaveCount(0);
  await signInWithoutCode();
  await expect(fault).toBeVisible();
  expectOnlyRefused(pageErrors, '401');
  await own.context().close();
});
