import { afterEach, expect, test, vi } from 'vitest';
import { playsAv1 } from './codecs';

afterEach(() => vi.unstubAllGlobals());

const known = (found: object, connection = {}) =>
  vi.stubGlobal('navigator', { connection, mediaCapabilities: { decodingInfo: async () => found } });

test('AV1 is played where it is smooth and no work, and never to save data', async () => {
  const good = { supported: true, smooth: true, powerEfficient: true };
  known(good);
  expect(await playsAv1()).toBe(true);
  for (const lack of ['supported', 'smooth', 'powerEfficient']) {
    known({ ...good, [lack]: false });
    expect(await playsAv1(), lack).toBe(false);
  }
  known(good, { saveData: true });
  expect(await playsAv1()).toBe(false);
  vi.stubGlobal('navigator', {});
  expect(await playsAv1()).toBe(false);
});
