/** Members of staff: invitations, roles, removals, sessions, passkeys, and the audit log of it. */
import { expect, type Page } from '@playwright/test';
import { expectOnlyRefused } from '../visit';
import {
  backOffice,
  checkScreen,
  code,
  download,
  enter,
  grant,
  newMember,
  type Person,
  person,
  test,
} from './staff';

/** Accepts a link as a stranger: reads the key from the page and enters the app's code. */
async function accept(page: Page, link: string, of: Person): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  await checkScreen(page, 'invitation');
  of.secret = ((await page.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()) ?? '').replace(
    /\s/g,
    '',
  );
  const app = page.getByRole('link', { name: 'Open in an app' });
  expect(await app.getAttribute('href')).toContain(`secret=${of.secret}`);
  await page.getByLabel('Your name').fill(of.name);
  await page.getByRole('textbox', { name: 'Password' }).fill(of.password);
  await page.getByLabel('Code that the app shows').fill(await code(of));
  await page.getByRole('button', { name: /^(Create|Renew) the account$/ }).click();
  await expect(page.getByRole('heading', { name: `Hello, ${of.name}` })).toBeVisible();
}

test('an administrator invites, restricts and removes', async ({ openWindow, pageErrors }) => {
  const page = await openWindow(await newMember('administrator'));
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await checkScreen(page, 'staff');

  const leaver = person('leaver');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a staff member' });
  await dialog.getByLabel('Name').fill(leaver.name);
  await dialog.getByLabel('E-mail address').fill(leaver.email);
  for (const role of ['Editor', 'Administrator']) await dialog.getByRole('checkbox', { name: role }).check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const ready = page.getByRole('dialog', { name: 'The link is ready' });
  const link = (await ready.getByText(/^https?:/).textContent()) ?? '';
  await ready.getByText('Close').click();
  const leaverPage = await openWindow();
  await accept(leaverPage, link, leaver);

  // One administrator gives no role that touches money or numbers.
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: leaver.email });
  await expect(row).toContainText('Administrator: waits');
  await expect(leaverPage.getByRole('link', { name: 'Staff', exact: true })).toHaveCount(0);
  grant(leaver, 'administrator');
  await leaverPage.reload();
  await expect(leaverPage.getByRole('link', { name: 'Staff', exact: true })).toBeVisible();

  // A restriction ends the session at once.
  await page.reload();
  await page.getByRole('button', { name: `Edit ${leaver.name}` }).click();
  const edit = page.getByRole('dialog', { name: 'Roles and access' });
  await edit.getByRole('checkbox', { name: 'Administrator' }).uncheck();
  await edit.getByRole('button', { name: 'Save roles' }).click();
  await expect(edit).toBeHidden();
  await leaverPage.getByRole('link', { name: 'Audit log', exact: true }).click();
  await expect(leaverPage.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  expectOnlyRefused(pageErrors, '401');
  await leaverPage.goto(backOffice('/sign-in'));
  await enter(leaverPage, leaver);
  await expect(leaverPage.getByRole('button', { name: 'Sign out' })).toBeVisible();
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
  await enter(leaverPage, leaver);
  await expect(leaverPage.getByRole('alert')).toBeVisible();
  expectOnlyRefused(pageErrors, '401');

  // The log names all of it, and is intact.
  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: leaver.email }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('The log is intact')).toBeVisible();
  await checkScreen(page, 'audit');
  const { text } = await download(page, page.getByRole('link', { name: 'Export' }));
  expect(text).toContain(leaver.email);

  await page.getByRole('link', { name: 'My sessions' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await checkScreen(page, 'sessions');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a member makes a passkey, signs in by it in place of a code, and removes it', async ({
  openWindow,
  pageErrors,
}) => {
  const member = await newMember('editor');
  const page = await openWindow(member);
  const devices = await page.context().newCDPSession(page);
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

  await page.getByRole('link', { name: 'My sessions' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Make the passkey' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await checkScreen(page, 'add-passkey');
  await dialog.getByLabel('Name of the passkey').fill('Work phone');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'Work phone' });
  await expect(row).toContainText('Never');
  await checkScreen(page, 'passkeys');

  const signInWithoutCode = async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(member.password);
    await page.keyboard.press('Enter');
  };
  // An authenticator that does not verify its user is not accepted; the person can try again, or enter a code.
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signInWithoutCode();
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  // Beside a notice that has not faded yet.
  const fault = page.locator('[role=alert]:not(.Toastify__toast)');
  await expect(fault).toHaveText(/^The passkey was not used/);
  await checkScreen(page, 'second-factor');
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'My sessions' })).toBeVisible();

  // The browser asks for the passkey by itself.
  await signInWithoutCode();
  await expect(row).not.toContainText('Never');
  await page.getByRole('button', { name: 'Remove the passkey Work phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the passkey' }).click();
  await expect(row).toHaveCount(0);
  await signInWithoutCode();
  await expect(fault).toBeVisible();
  expectOnlyRefused(pageErrors, '401');
});
