/** The work of support on one number: charges and refunds, a dossier, an export, and an erasure with a second person. */
import { expect, type Page } from '@playwright/test';
import { checkScreen, download, newMember, test } from './staff';

/** Looks a new subscriber's number up by the keyboard until it is charged, which the scheduler does within seconds of the join. */
async function lookUpCharged(page: Page, number: string): Promise<void> {
  await expect(async () => {
    // Leaves a field, where a slash would be text.
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(number);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Give back R3 of / }).first()).toBeVisible({
      timeout: 2000,
    });
  }).toPass({ timeout: 120_000 });
}

/** Ends the subscription of the number that is shown. */
async function endSubscription(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^End the subscription to / });
  await button.click();
  await page.getByLabel('Reason').fill('Asked by phone');
  await page.getByRole('button', { name: 'End the subscription', exact: true }).click();
  await expect(button).toHaveCount(0);
}

test('support answers why a number was charged, and gives it back', async ({
  openWindow,
  subscriber: number,
}) => {
  const page = await openWindow(await newMember('support'));
  await checkScreen(page, 'start');
  // Only the screens of the role.
  await expect(page.getByRole('link', { name: 'Audit log', exact: true })).toHaveCount(0);
  const charge = page.getByRole('button', { name: /^Give back R3 of / });
  await lookUpCharged(page, number);
  // Masked everywhere, and not in the address.
  await expect(page.locator('main')).not.toContainText(number);
  expect(page.url()).not.toContain(number);

  // Why was I charged on this day? The charge and, by its wording, the consent.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Johannesburg' }).format(new Date());
  await page.getByLabel('On day').fill(today);
  await page.getByRole('radio', { name: 'Money' }).check();
  const entries = page.getByRole('list', { name: 'Timeline, newest first' }).locator('summary');
  await expect(entries.filter({ hasText: 'R3' })).toHaveCount(1);
  // In one sentence, and beside it the consent, which a day leaves in sight.
  await expect(
    page.getByText(
      /^Joined by the join page of memeworld, from the advertisement e2e, confirmed on .* price: R3\/day/,
    ),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Show its consent' }).click();
  await expect(page.locator('details[open]').getByText('I agreed to the Terms')).toBeVisible();
  await page.getByRole('radio', { name: 'Joins and leaves' }).check();
  await expect(entries.filter({ hasText: 'Consent' }).first()).toBeVisible();
  await entries.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(entries.nth(1)).toBeFocused();
  await page.getByRole('radio', { name: 'Everything' }).check();
  await checkScreen(page, 'support');

  await page.getByRole('checkbox', { name: /^Choose R3 of / }).check();
  await expect(page.getByText('1 charge chosen · R3')).toBeVisible();
  await checkScreen(page, 'chosen');
  await page.getByRole('button', { name: 'Give back R3', exact: true }).click();
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
  await expect(entries.filter({ hasText: /For .*(Given back|On its way back)/ })).toHaveCount(1);

  await page.getByLabel('Note', { exact: true }).fill('Explained the price.');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(entries.filter({ hasText: 'Explained the price.' })).toHaveCount(1);

  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByLabel('Reason').fill('To call back');
  await page.getByRole('button', { name: 'Reveal the number' }).click();
  await expect(page.locator('main')).toContainText(number.slice(-9));

  await page.getByRole('button', { name: 'Dossier', exact: true }).click();
  await page.getByLabel('Reason').fill('A complaint');
  const dossier = await download(page, page.getByRole('button', { name: 'Download' }));
  expect(dossier.name).toBe('dossier.html');

  await page.getByRole('button', { name: 'Block joins' }).click();
  await page.getByLabel('Reason').fill('Asked by phone');
  await page.getByRole('button', { name: 'Block the number' }).click();
  await expect(page.locator('main')).toContainText('Blocked from joining by ');

  await endSubscription(page);

  await page.getByRole('link', { name: 'Approvals' }).click();
  await expect(page.getByText('No refund waits for a second person.')).toBeVisible();
  await checkScreen(page, 'approvals');
});

test('support exports the data of a number, and erases it with a second person', async ({
  openWindow,
  subscriber: number,
}) => {
  const agent = await newMember('support');
  const page = await openWindow(agent);
  await lookUpCharged(page, number);

  // A subscription that runs is in the way, and the words say what to do.
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const obstacles = page.getByRole('dialog', { name: 'This number cannot be erased yet' });
  await expect(obstacles.getByText('The subscription to memeworld runs. End it first.')).toBeVisible();
  await checkScreen(page, 'erase-obstacles');
  await obstacles.getByText('Close').click();
  await endSubscription(page);

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const exporting = page.getByRole('dialog', { name: 'Export all that is known of this number?' });
  await exporting.getByRole('button', { name: 'Asked in writing' }).click();
  await checkScreen(page, 'export');
  const data = await download(page, exporting.getByRole('button', { name: 'Export the data' }));
  expect(data.name).toBe('personal-data.json');
  expect(JSON.parse(data.text).number).toBe(number);
  expect(data.text).toContain('"ledger"');

  // Two minutes after the end, when its sessions have ended, too.
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
  const erasureOn = (screen: Page) => screen.getByRole('listitem').filter({ hasText: agent.email });
  await page.getByRole('link', { name: 'Approvals' }).click();
  await expect(erasureOn(page)).toContainText('You asked for this one, so another person decides.');

  const other = await openWindow(await newMember('support'));
  await other.getByRole('link', { name: 'Approvals' }).click();
  await expect(erasureOn(other)).toBeVisible();
  await checkScreen(other, 'erasure-waits');
  await erasureOn(other)
    .getByRole('button', { name: /^Confirm the erasure of / })
    .click();
  await other.getByLabel('Reason').fill('Checked by phone');
  await other.getByRole('button', { name: 'Erase the data' }).click();
  const letter = erasureOn(other).getByRole('link', { name: /^Text for the person about / });
  await expect(letter).toBeVisible();
  await checkScreen(other, 'erasure-done');
  const { text } = await download(other, letter);
  expect(text).toContain('- A charge or a refund (1)');
  expect(text).not.toContain(number.slice(-9));
});
