/// <reference types="node" />
/** The engines beside today's Chromium, behind one small interface: each is driven by a published library. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import puppeteer, { type CDPSession } from 'puppeteer-core';
import { Builder, Capabilities, Key, type WebDriver } from 'selenium-webdriver';
import { Command, Name } from 'selenium-webdriver/lib/command.js';

export type Point = { x: number; y: number };

export type Driver = {
  version: string;
  open: (address: string) => Promise<void>;
  /** The value of an expression, whose syntax the oldest engine knows. */
  evaluate: <T>(expression: string) => Promise<T>;
  tap: (at: Point) => Promise<void>;
  /** Puts a finger down and moves it across. The page gets its events; Chromium's alone scrolls by it. */
  swipe: (from: Point, across: number) => Promise<void>;
  type: (text: string) => Promise<void>;
  arrowRight: () => Promise<void>;
  screenshot: () => Promise<Buffer>;
  close: () => Promise<void>;
};

const PHONE = { width: 360, height: 740 };
const STEPS = 8;
const stepsOf = ({ x, y }: Point, across: number): Point[] =>
  Array.from({ length: STEPS }, (_, step) => ({ x: x + (across * (step + 1)) / STEPS, y }));

/** The files of chrome-aws-lambda, unpacked once for a version and kept for the next run. */
function oldChromium(): string {
  const manifest = createRequire(import.meta.url).resolve('chrome-aws-lambda/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const folder = join(tmpdir(), `spaza-chromium-${version}`);
  const program = join(folder, 'chromium');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const packed = readFileSync(join(dirname(manifest), 'bin/chromium.br'));
    // Tests start in several processes: a file that is there is complete.
    const made = join(mkdtempSync(join(folder, 'unpack-')), 'chromium');
    writeFileSync(made, brotliDecompressSync(packed), { mode: 0o755 });
    renameSync(made, program);
  }
  return program;
}

/**
 * Chromium of the floor. puppeteer-core starts it and speaks its protocol; its pages and Playwright's ask for commands that came later, so the
 * commands are sent as they are.
 */
export async function startOldChromium(): Promise<Driver> {
  const browser = await puppeteer.launch({
    executablePath: oldChromium(),
    waitForInitialPage: false,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage', '--mute-audio'],
  });
  const root = await browser.target().createCDPSession();
  const connection = root.connection();
  if (!connection) throw new Error('The old Chromium has gone');
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const page: CDPSession = await connection.createSession({ targetId } as never);
  await page.send('Page.enable');
  await page.send('Emulation.setDeviceMetricsOverride', { ...PHONE, deviceScaleFactor: 1, mobile: true });
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    page.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    version: await browser.version(),
    open: async url => {
      const loaded = new Promise<void>(resolve => page.once('Page.loadEventFired', () => resolve()));
      const { errorText } = await page.send('Page.navigate', { url });
      if (errorText) throw new Error(errorText);
      await loaded;
    },
    evaluate: async <T>(expression: string) => {
      const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as T;
    },
    tap: async at => {
      await page.send('Input.synthesizeTapGesture', at);
    },
    swipe: async (from, across) => {
      await touch('touchStart', from);
      for (const to of stepsOf(from, across)) await touch('touchMove', to);
      await touch('touchEnd');
    },
    type: async text => {
      await page.send('Input.insertText', { text });
    },
    arrowRight: async () => {
      for (const type of ['rawKeyDown', 'keyUp'] as const)
        await page.send('Input.dispatchKeyEvent', { type, key: 'ArrowRight', windowsVirtualKeyCode: 39 });
    },
    screenshot: async () =>
      Buffer.from((await page.send('Page.captureScreenshot', { format: 'png' })).data, 'base64'),
    close: () => browser.close(),
  };
}

/** Firefox ESR, over WebDriver BiDi. */
export async function startFirefox(): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
  });
  const page = await browser.newPage();
  await page.setViewport(PHONE);
  page.setDefaultNavigationTimeout(120_000);
  const { touchscreen, keyboard } = page;
  return {
    version: await browser.version(),
    open: async address => {
      await page.goto(address, { waitUntil: 'domcontentloaded' });
    },
    evaluate: async <T>(expression: string) => (await page.evaluate(expression)) as T,
    tap: ({ x, y }) => touchscreen.tap(x, y),
    swipe: async (from, across) => {
      const finger = await touchscreen.touchStart(from.x, from.y);
      for (const to of stepsOf(from, across)) await finger.move(to.x, to.y);
      await finger.end();
    },
    type: text => keyboard.type(text),
    arrowRight: () => keyboard.press('ArrowRight'),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}

/** A port that is free now. */
const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });

/** WebKitGTK, the family of Safari, over WebDriver. It needs a screen. */
export async function startWebKit(): Promise<Driver> {
  const port = await freePort();
  const screen = `-screen 0 ${PHONE.width + 100}x${PHONE.height + 200}x24`;
  // A group of its own, which ends as a whole.
  const server = spawn('xvfb-run', ['-a', '-s', screen, 'WebKitWebDriver', `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
  });
  const stop = () => {
    if (server.pid) process.kill(-server.pid);
  };
  let driver: WebDriver | undefined;
  const capabilities = new Capabilities({ browserName: 'MiniBrowser' });
  for (let tries = 0; !driver; tries++)
    try {
      driver = await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities(capabilities)
        .build();
    } catch (error) {
      if (tries === 60) {
        stop();
        throw error;
      }
      await wait(500);
    }
  const browser = driver;
  await browser
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...PHONE });
  // The library has a finger as well, without types.
  const finger = async (...actions: object[]): Promise<void> => {
    const pointer = { type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions };
    await browser.execute(new Command(Name.ACTIONS).setParameter('actions', [pointer]));
  };
  const at = ({ x, y }: Point, duration = 0) => ({
    type: 'pointerMove',
    x: Math.round(x),
    y: Math.round(y),
    duration,
  });
  const [down, up] = ['pointerDown', 'pointerUp'].map(type => ({ type, button: 0 })) as [object, object];
  const keys = (text: string) => browser.actions().sendKeys(text).perform();
  return {
    version: `WebKitGTK ${(await browser.getCapabilities()).get('browserVersion')}`,
    open: address => browser.get(address),
    evaluate: expression => browser.executeScript(`return (${expression})`),
    tap: to => finger(at(to), down, up),
    swipe: (from, across) => finger(at(from), down, ...stepsOf(from, across).map(to => at(to, 20)), up),
    type: keys,
    arrowRight: () => keys(Key.ARROW_RIGHT),
    screenshot: async () => Buffer.from(await browser.takeScreenshot(), 'base64'),
    close: async () => {
      await browser.quit().catch(() => undefined);
      stop();
    },
  };
}
