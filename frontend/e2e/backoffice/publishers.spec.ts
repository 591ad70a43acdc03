/** Publishers of advertisements: the evidence against one, and its hold. */
import { expect } from '@playwright/test';
import { newNumber, site } from '../visit';
import { checkScreen, download, mark, newMember, test } from './staff';

test('an administrator reads the evidence against a publisher, holds it and releases it', async ({
  openWindow,
}) => {
  const publisherName = `walk-ad-${mark()}`;
  const visitor = await openWindow();
  await visitor.goto(`${site('memeworld')}/memelogin?ext_ref=${publisherName}`);
  await visitor.locator('input[name=msisdn]').fill(newNumber());
  await visitor.getByRole('button', { name: 'JOIN' }).click();
  await expect(visitor.getByRole('button', { name: 'Confirm' })).toBeVisible();

  const page = await openWindow(await newMember('administrator'));
  await page.getByRole('link', { name: 'Publishers', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill(publisherName);
  const row = page.getByRole('row').filter({ hasText: publisherName });
  await expect(row).toContainText('memeworld');
  await expect(page.getByRole('row')).toHaveCount(2);
  await checkScreen(page, 'publishers');
  for (const format of ['JSON', 'CSV']) {
    const link = row.getByRole('link', { name: `Evidence against ${publisherName} as ${format}` });
    expect((await download(page, link)).name).toMatch(/^evidence-\d{4}-\d{2}\.(json|csv)$/);
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
