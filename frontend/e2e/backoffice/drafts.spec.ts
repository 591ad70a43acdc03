/// <reference types="node" />
/** Private drafts: what is typed outlives sessions, pages and machines, and two editors of a record lose no text. */
import { expect, type Page } from '@playwright/test';
import { expectOnlyRefused } from '../visit';
import { backOffice, checkScreen, enterAgain, mark, newMember, openList, test } from './staff';

const KEPT = 'What you typed is kept for you alone.';
const description = (page: Page) => page.getByLabel('Description', { exact: true });

test('sessions that end in the middle of a form lose no character, and two editors lose no text', async ({
  openWindow,
  pageErrors,
}) => {
  const [first, second] = [await newMember('editor'), await newMember('editor')];
  const page = await openWindow(first);
  page.on('dialog', dialog => void dialog.accept());
  const name = `Gogo Keeps ${mark()}`;
  await openList(page, 'MC Funny', 'artist');
  await page.getByRole('link', { name: 'New artist' }).click();

  // The session ends, and the page is left by closing it, at another moment each time.
  await page.getByLabel('Artist', { exact: true }).fill(name);
  let text = '';
  for (const [typed, isKept] of [
    ['She laughs “at” load-shedding', true],
    [', and at ', false],
    ['ṱhe taxi 😀.', true],
  ] as const) {
    await description(page).pressSequentially(typed);
    text += typed;
    if (isKept) await expect(page.getByText(KEPT)).toBeVisible();
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await description(page).pressSequentially('!');
    text += '!';
    await page.context().addCookies(cookies);
    await page.reload();
    await expect(description(page)).toHaveValue(text);
  }
  await checkScreen(page, 'draft-restored');
  // On another machine.
  await expect(page.getByText(KEPT)).toBeVisible();
  const elsewhere = await openWindow(first);
  await elsewhere.goto(page.url());
  await expect(description(elsewhere)).toHaveValue(text);
  await elsewhere.context().close();

  // The sign-in opens over the form, which goes on.
  await page
    .getByLabel('Picture')
    .fill('https://images.spaza.example/demo/mcfunny/thumbs/around-the-corner.webp');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  await checkScreen(page, 'sign-in-again');
  await enterAgain(page, first);
  expectOnlyRefused(pageErrors, '401');
  await expect(page.getByRole('heading', { name: 'What the draft changes' })).toBeVisible();
  const address = page.url();

  // A second editor sees who edits, takes over, and saves; the first one chooses field by field.
  await description(page).fill('Of the first editor.');
  await expect(page.getByText(KEPT)).toBeVisible();
  const other = await openWindow(second);
  await other.goto(address);
  await expect(other.getByText(`${first.name} edits this`)).toBeVisible();
  await checkScreen(other, 'draft-edited');
  await other.getByRole('button', { name: 'Take over' }).click();
  await description(other).fill('Of the second editor.');
  await other.getByLabel('Artist', { exact: true }).fill(`${name} M.`);
  await other.getByRole('button', { name: 'Save as a draft' }).click();
  await expect(other.locator('ins').getByText('Of the second editor.')).toBeVisible();
  // It was sent, so this editor is at it no more.
  await expect(other.getByText(KEPT)).toBeHidden();

  await description(page).fill('Of the first editor, still.');
  await page.reload();
  await expect(description(page)).toHaveValue('Of the first editor, still.');
  await expect(page.getByRole('radio', { name: 'Of the second editor.' })).toBeVisible();
  await checkScreen(page, 'draft-conflict');
  await page.getByRole('button', { name: 'Go on with what is chosen' }).click();
  await expect(page.getByLabel('Artist', { exact: true })).toHaveValue(`${name} M.`);
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await expect(page.locator('ins').getByText('Of the first editor, still.')).toBeVisible();

  // A text that was sent is not kept.
  await page.goto(backOffice());
  await page.goto(address);
  await expect(description(page)).toHaveValue('Of the first editor, still.');
  await expect(page.getByText(/^This is what you typed on/)).toHaveCount(0);
});
