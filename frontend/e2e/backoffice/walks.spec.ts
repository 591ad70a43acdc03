/** The main job of an administrator, in the order of a first day. */
import { type Browser, expect, type Page } from '@playwright/test';
import { expectOnlyRefused } from '../visit';
import {
  accept,
  backOffice,
  checkScreen,
  code,
  firstLink,
  otherBrowser,
  person,
  signIn,
  test,
} from './staff';

// `code` waits for the next code.
test.slow();

const administrator = person('Naledi Administrator');
const leaver = person('Thabo Leaver');

/** Invites by the screen, and returns the link. */
async function invite(
  page: Page,
  { email, name }: { email: string; name: string },
  roles: string[],
): Promise<string> {
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
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
  who: typeof leaver,
): Promise<Page> {
  const page = await otherBrowser(browser, pageErrors);
  await accept(page, link, who);
  return page;
}

test('an administrator accepts the first link, invites, restricts and removes', async ({
  page,
  browser,
  pageErrors,
}) => {
  await accept(page, firstLink(), administrator);
  administrator.email = await emailOf(page, administrator.name);
  await checkScreen(page, 'staff');

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

/** The address is the installation's: the list shows it. */
async function emailOf(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  return ((await row.getByText(/@/).textContent()) ?? '').trim();
}
