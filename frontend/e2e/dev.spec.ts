/// <reference types="node" />
/** `npm run dev`: the screens of a site and of the back office are shown on mocked services. It needs no family. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const PORT = 5990;
let server: ChildProcess;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  const script = join(import.meta.dirname, '../scripts/dev.js');
  server = spawn(process.execPath, [script], { env: { ...process.env, PORT: String(PORT) } });
  if (server.stdout) await once(server.stdout, 'data');
});
test.afterAll(() => server.kill());

for (const host of ['ttmbhatv', 'staff'])
  test(`every screen of ${host} in one of its states`, async ({ page }) => {
    const site = `http://${host}.localhost:${PORT}`;
    const thrown: string[] = [];
    page.on('pageerror', error => thrown.push(`${page.url()}: ${error}`));
    await page.goto(`${site}/dev?language=zu`);
    const screens = await page
      .getByRole('table')
      .getByRole('link')
      .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href));
    expect(screens.length).toBeGreaterThan(60);
    // The next state for each next screen: states.test.tsx has all of both. Until their text arrives, the terms have nothing to show.
    const chosen = screens.filter((_, place) => place % 11 === 0);
    for (const address of chosen.filter(
      each => !/\/(DoiRedirect|api|\w*terms)/i.test(decodeURIComponent(each)),
    )) {
      await page.goto(address);
      await expect(page.locator('main').first(), address).not.toBeEmpty();
    }
    expect(thrown).toEqual([]);
  });
