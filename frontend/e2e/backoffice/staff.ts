/// <reference types="node" />
/**
 * Helpers of the back office's tests. A test makes the members of staff that it needs by the API, and opens windows with their sessions: it
 * needs no other test, and no sign-in, which would wait for a code that was not used.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type APIRequestContext,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  request,
} from '@playwright/test';
import { TOTP } from 'otpauth';
import type { Invitation, Link, Role } from '../../src/shared/contract/staff';
import { test as base, collectErrors, expectNoAxeFindings, join, viewsOf } from '../visit';

/** The first administrator's link, which the family prints: it works once. */
export function firstLink(): string {
  const link = process.env.E2E_FIRST_LINK;
  if (!link)
    throw new Error('E2E_FIRST_LINK is the link of the first administrator, which the family prints.');
  return link;
}

/** The back office has the address of its links. */
export const backOffice = (path = '/'): string => new URL(path, firstLink()).href;

/** Distinguishes what a test makes from what others, its earlier attempts and earlier runs have made. */
export const mark = (): string => randomBytes(4).toString('hex');

/** A person with a password and an authenticator app. */
export type Person = { email: string; name: string; password: string; secret: string; usedStep: number };

export function person(role: string): Person {
  const name = `${role} ${mark()}`;
  const email = `${name.replaceAll(' ', '.')}@example.test`;
  return { email, name, password: `${name} walks with four words`, secret: '', usedStep: 0 };
}

/** A person with an account, and a session of it. */
export type Member = Person & { session: Awaited<ReturnType<APIRequestContext['storageState']>> };

const STEP_MS = 30_000;

/** A code that was not used: each counts once, and the next one is good already, as for an app whose clock is ahead. */
export async function code(of: Person): Promise<string> {
  const now = () => Math.floor(Date.now() / STEP_MS);
  while (of.usedStep > now()) await pause(500);
  of.usedStep = Math.max(now(), of.usedStep + 1);
  return new TOTP({ secret: of.secret }).generate({ timestamp: of.usedStep * STEP_MS });
}

/** Where the first administrator's session is kept. */
export const KEPT = new URL('../../test-results/first-administrator.json', import.meta.url).pathname;

/** Where the secret of its authenticator is kept. */
export const KEPT_SECRET = `${KEPT}.secret`;

/** Calls of the API, as the back office's pages make them; `storageState` is a file with a session. */
export const callsWith = (storageState?: string): Promise<APIRequestContext> =>
  request.newContext({
    baseURL: backOffice(),
    extraHTTPHeaders: { origin: new URL(backOffice()).origin },
    ...(storageState && { storageState }),
  });

/** Makes the account of a link by the API; the calls have its session from then on. */
export async function acceptByApi(api: APIRequestContext, link: string, who: Person): Promise<void> {
  const address = link.replace('/invitation/', '/api/invitations/');
  const { totp_secret }: Invitation = await (await api.get(address, { failOnStatusCode: true })).json();
  who.secret = totp_secret;
  const data = { name: who.name, password: who.password, code: await code(who) };
  await api.post(address, { data, failOnStatusCode: true });
}

/** Invites a person, as the first administrator, and returns the link. */
export async function invite({ email, name }: Person, roles: Role[]): Promise<string> {
  const api = await callsWith(KEPT);
  const send = () => api.post('/api/invitations', { data: { email, name, roles } });
  let reply = await send();
  if (reply.status() === 403) {
    // Where another worker used this code, it has proved the same session.
    const first = { ...person('administrator'), secret: readFileSync(KEPT_SECRET, 'utf8') };
    await api.post('/api/second-factor', { failOnStatusCode: true });
    await api.post('/api/session/second-factor', { data: { code: await code(first) } });
    reply = await send();
  }
  expect(reply.status()).toBe(201);
  const { link }: Link = await reply.json();
  await api.dispose();
  return link;
}

/** Gives roles on the machine: E2E_BACKOFFICE is the program, which has the family's database from its environment. */
export function grant({ email }: Person, ...roles: Role[]): void {
  const program = process.env.E2E_BACKOFFICE;
  if (!program) throw new Error('E2E_BACKOFFICE is the program backoffice, beside the one that runs.');
  execFileSync(program, ['grant', email, ...roles]);
}

/** A new member of staff with these roles. */
export async function newMember(...roles: Role[]): Promise<Member> {
  const who = person(roles.join(' '));
  const api = await callsWith();
  await acceptByApi(api, await invite(who, roles), who);
  const touching = roles.filter(role => role !== 'editor' && role !== 'publisher');
  if (touching.length > 0) grant(who, ...touching);
  const session = await api.storageState();
  await api.dispose();
  return { ...who, session };
}

/** Fills in the form of the sign-in, and sends it. */
export async function enter(page: Page, who: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(who.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(who.password);
  await page.getByLabel('Code of the authenticator app').fill(await code(who));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The same in the dialog that opens where a session has ended. */
export async function enterAgain(page: Page, who: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(who.password);
  await dialog.getByLabel('Code of the authenticator app').fill(await code(who));
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
}

/** What a screen is seen in: the arrangement depends on the width, and colours do not. */
const VIEWS = [
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 320, height: 640, colorScheme: 'dark' },
  { width: 768, height: 1024, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'light' },
] as const;

/** Checks a screen by axe in one of its views, each night in all, and that nothing is wider than the window. Leaves the size as it was. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const { width, height, colorScheme } of viewsOf(name, VIEWS)) {
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

/** Follows a link to a file. */
export async function download(page: Page, link: Locator): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

/** Opens a list of records from any screen. */
export async function openList(page: Page, service: string, kind: string): Promise<void> {
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByLabel('Site').selectOption(service);
  await page.getByLabel('Kind').selectOption(kind);
}

/** Submits a draft, as its editor. */
export async function submit(page: Page, { email }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText(`In review, saved by ${email}`)).toBeVisible();
}

/** Publishes a draft that waits, as a publisher who sees the list of drafts. */
export async function publish(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this draft?' });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Listed', { exact: true })).toBeVisible();
}

type Fixtures = {
  /** Opens a window: a member's, who sees the start page, or a stranger's. Its errors fail the test. */
  openWindow: (who?: Member, options?: BrowserContextOptions) => Promise<Page>;
  /** The number of a new subscriber. */
  subscriber: string;
};

export const test = base.extend<Fixtures>({
  openWindow: async ({ browser, pageErrors }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (who, options) => {
      const context = await browser.newContext({ ...(who && { storageState: who.session }), ...options });
      contexts.push(context);
      const page = await context.newPage();
      collectErrors(page, pageErrors);
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`policy: ${violatedDirective} ${blockedURI}`),
        );
      });
      if (who) {
        await page.goto(backOffice());
        await expect(page.getByRole('heading', { name: `Hello, ${who.name}` })).toBeVisible();
      }
      return page;
    });
    for (const context of contexts) await context.close();
  },
  subscriber: async ({ openWindow }, use) => {
    const page = await openWindow(undefined, { viewport: { width: 360, height: 740 } });
    const leads = 'Check, result 1: /redirectTo on memeworld';
    const number = await join({ page, label: 'memeworld', form: '/memelogin', home: '/redirectTo', leads });
    await page.context().close();
    await use(number);
  },
});
