/// <reference types="node" />
/** The back office in a made-up longer language: every screen and dialog, checked on the narrowest phones. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { PSEUDO, pseudoStaff, readStaffLanguage } from '../../scripts/languages.js';
import type { Book, ChargePauses, MonthList } from '../../src/shared/contract/staff';
import { clippedText, expectOnlyRefused } from '../visit';
import { backOffice, invite, newMember, person, test } from './staff';

type Texts = { [id: string]: string & Texts };
const { words } = pseudoStaff(readStaffLanguage('en')) as { words: Texts };
const ASSETS = join(import.meta.dirname, '../../dist/backoffice/assets');

const PICTURE = join(import.meta.dirname, '../../src/sites/icons/comedy-192.png');

/** A text of the made-up language, by its path. */
const text = (path: string): string =>
  path.split('.').reduce<Texts>((table, id) => table[id] as string & Texts, words) as unknown as string;

/** Puts the made-up language in the place of the page's, and makes the window as narrow as the narrowest phone. */
async function chooseLongWords(page: Page): Promise<void> {
  const file = readdirSync(ASSETS).find(name => name.startsWith(`words-${PSEUDO}.`) && name.endsWith('.js'));
  if (!file) throw new Error(`There is no file of ${PSEUDO} in ${ASSETS}.`);
  await page.route('**/assets/words-en.*.js', route => route.fulfill({ path: join(ASSETS, file) }));
  await page.setViewportSize({ width: 320, height: 640 });
}

/** Elements that reach out of the dialog, panel or window in which they are, to either side. */
const partsOutside = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *:not(svg *, option, .sr, .sr *, .skip, .scroll *)')]
      .filter(each => each.checkVisibility({ visibilityProperty: true }))
      .flatMap(each => {
        const box = each.parentElement?.closest('dialog, .panel, .card, .table, .days, body');
        const [own, around] = [each.getBoundingClientRect(), box?.getBoundingClientRect()];
        const fits = !around || (own.left >= around.left - 1 && own.right <= around.right + 1);
        return fits ? [] : [`${each.localName} ${each.className}: ${each.textContent?.slice(0, 40)}`];
      }),
  );

/** Reports what does not fit on all screens, not on the first one alone. */
const everyFault = expect.configure({ soft: true });

/** Expects that what is shown fits, also within a dialog. */
async function expectFits(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await expect(page.locator('.loading')).toHaveCount(0);
    await page.screenshot({ path: `test-results/backoffice-long-${name}.png`, fullPage: true });
    await everyFault.poll(() => partsOutside(page)).toEqual([]);
    await everyFault.poll(() => clippedText(page)).toEqual([]);
  });
}

/** Opens an address, and checks the screen. */
async function open(page: Page, name: string, address: string): Promise<void> {
  await page.goto(backOffice(address));
  await expect(page.locator('main h1')).toBeVisible();
  await expectFits(page, name);
}

/** Presses a button and checks what opens; `refused` also checks the faults of the empty form. */
async function openDialog(page: Page, name: string, button: Locator, refused = false): Promise<void> {
  await button.first().click();
  const dialog = page.locator('dialog[open]');
  await expect(dialog).toBeVisible();
  await expectFits(page, name);
  if (refused) {
    await dialog.locator('[type=submit]').click();
    await expect(dialog.locator('.fault').first()).toBeVisible();
    await expectFits(page, `${name}-refused`);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

const button = (page: Page, path: string): Locator =>
  page.getByRole('main').getByRole('button', { name: text(path), exact: true });

async function editors(page: Page): Promise<void> {
  await open(page, 'content', '/content?service=MC+Funny&kind=artist');
  await page.locator('.columns summary').click();
  await expectFits(page, 'content-columns');
  for (const kind of ['artist', 'video']) {
    await open(page, `new-${kind}`, `/new/comedy/${kind}?service=MC+Funny`);
    await button(page, 'content.record.save').click();
    await expect(page.locator('.fault').first()).toBeVisible();
    await expectFits(page, `new-${kind}-refused`);
  }
  await open(page, 'arrange', '/arrange/tt/category?service=ttmbhatv');
  await open(page, 'record', '/content/comedy/artist/loadshed-lwazi?service=MC+Funny');
  await openDialog(page, 'preview', button(page, 'content.preview.make'));
  await openDialog(page, 'picture', button(page, 'content.record.choosePicture'));
  await button(page, 'content.record.choosePicture').click();
  await page.locator('dialog[open] input[type=file]').setInputFiles(PICTURE);
  await expect(page.locator('dialog[open] canvas').first()).toBeVisible();
  await expectFits(page, 'picture-crop');
  await page.keyboard.press('Escape');
  await openDialog(page, 'take-down', button(page, 'content.record.takeDown'), true);
  await page
    .getByLabel(text('content.fields.description'), { exact: true })
    .fill('Longer words for a narrow phone.');
  await button(page, 'content.record.save').click();
  await expect(page.locator('.Toastify')).toHaveAttribute('aria-label', text('common.notifications'));
  await openDialog(page, 'publish', button(page, 'content.record.publish'));
  await expectFits(page, 'draft');
  await open(page, 'drafts', '/drafts');
  await page.goBack();
  await openDialog(page, 'discard', button(page, 'content.record.discard'));
  // As it was before.
  await button(page, 'content.record.discard').click();
  await page.locator('dialog [type=submit], dialog .danger, dialog .primary').first().click();
  await expect(button(page, 'content.record.discard')).toHaveCount(0);
  await expectFits(page, 'discarded');
  await open(page, 'uploads', '/uploads');
  await files(page);
}

/** One field on a record, whose difference is shown, and a file that does not fit. */
async function files(page: Page): Promise<void> {
  await open(page, 'list-of-files', '/content?service=MC+Funny&kind=artist');
  await page.locator('[data-select]').first().check();
  await expectFits(page, 'content-selected');
  await button(page, 'files.list.edit').click();
  await expectFits(page, 'edit-all');
  await page.locator('dialog [type=submit]').click();
  await expect(button(page, 'files.difference.discard')).toBeVisible();
  await expectFits(page, 'difference');
  await openDialog(page, 'discard-file', button(page, 'files.difference.discard'));
  await button(page, 'files.difference.discard').click();
  await page
    .locator('dialog')
    .getByRole('button', { name: text('files.difference.discard') })
    .click();
  await open(page, 'import', '/import?service=MC+Funny');
  const csv = {
    name: 'wrong.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('kind,slug\nartist,UPPER CASE\n'),
  };
  await page.locator('input[type=file]').setInputFiles(csv);
  await button(page, 'files.upload.submit').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectFits(page, 'import-problems');
}

async function support(page: Page, number: string): Promise<void> {
  await open(page, 'support', '/support');
  const search = page.locator('.search input');
  await search.fill('12');
  await search.press('Enter');
  await expect(page.locator('.search-fault')).toBeVisible();
  await expectFits(page, 'support-refused');
  await search.fill(number);
  await search.press('Enter');
  // The scheduler makes the first charge within seconds of the join.
  await expect(async () => {
    await button(page, 'common.refresh').click();
    await expect(page.locator('.entry > .button').first()).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 120_000 });
  await page.locator('.timeline .entry summary').first().click();
  await expectFits(page, 'record-of-number');
  for (const [name, path] of [
    ['reveal', 'support.reveal'],
    ['block', 'support.block'],
  ] as const)
    await openDialog(page, name, button(page, path), true);
  await openDialog(page, 'export', button(page, 'privacy.panel.export'), true);
  // A subscription runs: what is in the way.
  await openDialog(page, 'erase', button(page, 'privacy.panel.erase'));
  await openDialog(page, 'end', page.locator('.lines .button'), true);
  await openDialog(page, 'refund', page.locator('.entry > .button'), true);
  await button(page, 'support.addNote').click();
  await expect(page.locator('.record-notes .fault')).toBeVisible();
  await expectFits(page, 'note-refused');
  await open(page, 'approvals', '/approvals');
}

/** Answers as if last month were not closed, which another test does. */
async function reopenLastMonth(page: Page): Promise<void> {
  await page.route(/\/api\/finance\/(months|books\/\d{4}-\d\d)(\?|$)/, async route => {
    const response = await route.fetch();
    const reply: MonthList | Book = await response.json();
    const [, closed] = 'months' in reply ? reply.months : [undefined, reply];
    if (closed?.state === 'closed') Object.assign(closed, { state: 'over', closed: null, obstacles: [] });
    await route.fulfill({ response, json: reply });
  });
}

/** Answers as if charges were paused, now and earlier: a real pause would stop other tests' charges. */
async function showPauses(page: Page): Promise<void> {
  await page.route('**/api/charges/pauses', async route => {
    const response = await route.fetch();
    const reply: ChargePauses = await response.json();
    const act = {
      reason: 'Replies are mixed up',
      made_by: 'a.long.address.of.finance@backoffice.spaza.example',
    };
    const pause = {
      network: 'sandbox-pull',
      svc_id: 0,
      service: '',
      ...act,
      since: '2026-11-26T10:00:00Z',
      end: null,
    };
    const ended = { ...pause, end: { ...act, at: '2026-11-26T11:00:00Z' } };
    await route.fulfill({ response, json: { ...reply, pauses: [pause], ended: [ended] } });
  });
}

async function finance(page: Page): Promise<void> {
  await reopenLastMonth(page);
  await open(page, 'books', '/books');
  // The charge of last month was entered past the service, which has not counted it.
  await button(page, 'finance.books.recount').click();
  await page.getByRole('radio', { name: text('finance.books.byDay') }).check();
  await expectFits(page, 'books-days');
  await openDialog(page, 'close-month', button(page, 'finance.close.open'));
  await open(page, 'terms', '/terms');
  await openDialog(page, 'term', button(page, 'finance.terms.add'), true);
  await openDialog(page, 'vat', button(page, 'finance.terms.vatChange'), true);
  await open(page, 'differences', '/differences');
  await showPauses(page);
  await open(page, 'charges', '/charges');
  await openDialog(page, 'pause', button(page, 'charges.pause'), true);
  await openDialog(page, 'resume', page.locator('.pauses .button'), true);
}

async function administrators(page: Page): Promise<void> {
  await open(page, 'staff', '/staff');
  await openDialog(page, 'invite', button(page, 'staff.invite'), true);
  const edit = page.getByRole('main').locator('button.link.strong').first();
  await openDialog(page, 'edit', edit);
  for (const path of ['staff.reset', 'staff.remove']) {
    await edit.click();
    await openDialog(
      page,
      path,
      page.locator('dialog').getByRole('button', { name: text(path), exact: true }),
    );
  }
  await open(page, 'publishers', '/publishers');
  await open(page, 'audit', '/audit');
  await button(page, 'audit.check').click();
  await expect(page.getByRole('status').first()).toBeVisible();
  await page.locator('.facts summary').first().click();
  await expectFits(page, 'audit-checked');
}

test('every screen of all roles fits the narrowest phone in a longer language', async ({
  openWindow,
  subscriber,
}) => {
  const page = await openWindow(
    await newMember('editor', 'publisher', 'support', 'finance', 'administrator'),
  );
  await chooseLongWords(page);
  await open(page, 'start', '/');
  await page.locator('.menu-button').click();
  await expect(page.getByRole('navigation')).toContainText(text('nav.administration'));
  await expectFits(page, 'menu');

  await editors(page);
  await support(page, subscriber);
  await finance(page);
  await administrators(page);
  await open(page, 'sessions', '/sessions');
  await openDialog(page, 'passkey', button(page, 'passkeys.add'), true);
  await open(page, 'not-found', '/there-is-no-such-page');
});

test('the screens before a session fit the narrowest phone in a longer language', async ({
  openWindow,
  pageErrors,
}) => {
  const page = await openWindow();
  await chooseLongWords(page);
  await open(page, 'sign-in', '/sign-in');
  await page.locator('[type=submit]').click();
  await expect(page.locator('.fault').first()).toBeVisible();
  await expectFits(page, 'sign-in-refused');
  await open(page, 'invitation', await invite(person('invited'), ['support']));
  await page.locator('[type=submit]').click();
  await expect(page.locator('.fault').first()).toBeVisible();
  await expectFits(page, 'invitation-refused');
  // Whether there is a session.
  expectOnlyRefused(pageErrors, '401');
});
