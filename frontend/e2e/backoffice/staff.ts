/// <reference types="node" />
/** Helpers of the back office's walks: authenticator codes, accepting a link, signing in, and the checks of a screen. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { test as base, expectNoAxeFindings } from '../visit';

/** The first administrator's link, which the family prints: it works once. */
function firstLink(): string {
  const link = process.env.E2E_FIRST_LINK;
  if (!link)
    throw new Error('E2E_FIRST_LINK is the link of the first administrator, which the family prints.');
  return link;
}

/** The back office has the address of its links. */
export const backOffice = (path = '/'): string => new URL(path, firstLink()).href;

/** A person with a password and an authenticator app. */
export type Person = { email: string; name: string; password: string; secret: string; usedStep: number };

export const person = (name: string): Person => ({
  email: `${name.toLowerCase().replace(/\W/g, '.')}@example.test`,
  name,
  password: `${name} walks with four words`,
  secret: '',
  usedStep: 0,
});

const STEP_MS = 30_000;

/** A code that was not used: each counts once, and the next one is good already, as for an app whose clock is ahead. */
export async function code(of: Person): Promise<string> {
  const now = () => Math.floor(Date.now() / STEP_MS);
  await expect.poll(() => of.usedStep <= now(), { timeout: 2 * STEP_MS }).toBe(true);
  of.usedStep = Math.max(now(), of.usedStep + 1);
  return new TOTP({ secret: of.secret }).generate({ timestamp: of.usedStep * STEP_MS });
}

/** Accepts a link as a stranger: reads the key from the page and enters the app's code. */
export async function accept(page: Page, link: string, of: Person): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
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

/**
 * Accepts the first link as an administrator. When the tests are repeated, in another process, this signs in with the account that the first
 * attempt made: the link works once.
 */
export async function openAsFirstAdministrator(page: Page, of: Person): Promise<void> {
  // Playwright empties this directory at the start of a run, and not before a repetition.
  const kept = join(test.info().project.outputDir, 'first-administrator.json');
  const keep = () => writeFileSync(kept, JSON.stringify(of));
  if (existsSync(kept)) {
    Object.assign(of, JSON.parse(readFileSync(kept, 'utf8')));
    // A second repetition must not use the same code.
    await signIn(page, of).finally(keep);
    return;
  }
  await page.goto(firstLink());
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  await checkScreen(page, 'invitation');
  await accept(page, firstLink(), of);
  of.email = await emailOf(page, of.name);
  mkdirSync(test.info().project.outputDir, { recursive: true });
  keep();
}

/** The installation gives the first administrator an address: the list shows it. */
async function emailOf(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  return ((await row.getByText(/@/).textContent()) ?? '').trim();
}

export async function signIn(page: Page, of: Person): Promise<void> {
  await page.goto(backOffice('/sign-in'));
  await page.getByLabel('E-mail address').fill(of.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(of.password);
  await page.getByLabel('Code of the authenticator app').fill(await code(of));
  await page.getByRole('button', { name: 'Sign in' }).click();
  // On the start page, or where the last session ended.
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

/** What a screen is seen in: the arrangement depends on the width, and colours do not. */
const VIEWS = [
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 320, height: 640, colorScheme: 'dark' },
  { width: 768, height: 1024, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'light' },
] as const;

/** Checks a screen by axe at three widths and in dark, and that nothing is wider than the window. Leaves the size as it was. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const { width, height, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
    await expectNoAxeFindings(page);
    await page.screenshot({
      path: `test-results/backoffice-${name}-${width}-${colorScheme}.png`,
      fullPage: true,
    });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(before);
}

/** The sites' fixture of errors, and reports of the content security policy among them. */
export const test = base.extend({
  page: async ({ page }, use) => {
    await reportPolicy(page);
    await use(page);
  },
});

const reportPolicy = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });

/** Another person's browser, whose errors fail the test, too. */
export async function otherBrowser(browser: Browser, pageErrors: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await reportPolicy(page);
  page.on('console', message => {
    if (message.type() === 'error') pageErrors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', error => pageErrors.push(`exception: ${error.message}`));
  return page;
}
