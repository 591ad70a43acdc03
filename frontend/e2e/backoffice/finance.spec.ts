/** The books: terms, and closing last month. */
import { expect, type Page } from '@playwright/test';
import { checkScreen, download, newMember, test } from './staff';

test('finance enters terms and closes last month', async ({ openWindow }) => {
  const page = await openWindow(await newMember('finance'));
  await expect(page.getByRole('link', { name: 'Support', exact: true })).toHaveCount(0);
  await checkScreen(page, 'start-finance');

  // An earlier attempt may have closed last month, in which no new term holds then.
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  const { month, today } = lastMonth();
  await expect(page.getByLabel('Month')).toBeVisible();
  const isOpen = (await page.getByLabel('Month').inputValue()) === month;

  await page.getByRole('link', { name: 'Contract terms' }).click();
  await page.getByRole('button', { name: 'Add a term' }).click();
  const term = page.getByRole('dialog', { name: 'Add a contract term' });
  await term.getByRole('button', { name: 'Add the term' }).click();
  await expect(term.getByText('Choose a network.')).toBeVisible();
  await checkScreen(page, 'term');
  await term.getByLabel('Network').selectOption('sandbox-pull');
  await term.getByLabel('Party').fill('Network');
  await term.getByLabel('Percent of net').fill('12.5');
  await term.getByLabel('From').fill(isOpen ? '2026-01-01' : today);
  await term.getByRole('button', { name: 'Add the term' }).click();
  await expect(
    page.getByRole('row').filter({ hasText: 'Network' }).filter({ hasText: '12.5' }).first(),
  ).toBeVisible();
  await checkScreen(page, 'terms');

  // Last month waits, with one charge: R3, of which 39 cents are VAT, and an eighth of the rest is the network's.
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  if (isOpen) await closeLastMonth(page);
  await page.getByLabel('Month').selectOption(month);
  await expect(page.locator('main')).toContainText('Closed by finance');
  await checkScreen(page, 'books-closed');
  for (const [link, file] of [
    ['CSV', `book-${month}.csv`],
    ['Statement', `statement-${month}.html`],
  ] as const) {
    const { name } = await download(page, page.getByRole('link', { name: link, exact: true }));
    expect(name).toBe(file);
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
function lastMonth(): { month: string; name: string; today: string } {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Johannesburg' }).format(new Date());
  const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  const name = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
  return { month: first.toISOString().slice(0, 7), name: name.format(first), today };
}
